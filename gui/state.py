"""State: the one mutable object of the window, one per open session. Views read it and ask it; they never write it.

    gesture ─ state.go(…) / state.set(…) ─▶ State ─ changed(kind) ─▶ every view.refresh(kind)

The signal carries nothing but what kind of thing changed. The cursor is a locator: (leaf, request, step, block) and the
entry in focus; what it points at is resolved here. Two prompts belong to every request: `assembled` is what the file
holds (step 0 with the recorded usage); `shown` is what the Prompt tab shows, the stage after the step in focus under
the profile in use, with the recorded cache states brought along block by block. Block numbers are those of `shown`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from PySide6.QtCore import QObject

from core.arranged import Arranged
from core.counter import Counter
from core.counts import Counts
from core.part import Part, growing
from core.prompt import Blocks
from core.session import Session
from core.timeline import RequestSummary, Timeline
from gui.bodies import Bodies as Bodies
from gui.compaction_mark import Marked
from gui.cursor import Change as Change
from gui.cursor import Cursor as Cursor
from gui.fetching import Fetched
from gui.prompts import Prompts
from gui.slices import Slices

WALKED = 3_000
"""Blocks of a prompt up to which the neighbours' steps are computed ahead: a layer of more holds the window up."""


class State(Prompts):
    """One open session, and where the person stands in it."""

    def __init__(
        self,
        session: Session,
        timeline: Timeline,
        counts: Counts,
        parent: QObject | None = None,
        counter: Counter | None = None,
    ) -> None:
        super().__init__(session, timeline, counts, parent, counter)
        self.arranged: Arranged | None = None
        self._naming: Slices | None = None
        self._parts: deque[tuple[Part | None, Callable[[], object]]] = deque()
        self._joining: Slices | None = None
        self._history: list[Cursor] = []
        self._future: list[Cursor] = []
        self._marked: Marked | None = None
        self.wanted_leaf: Callable[[int], None] | None = None
        """Set by the window: asks the worker for the timeline of another leaf."""

    # what views read

    @property
    def cursor(self) -> Cursor:
        return self._cursor

    @property
    def summary(self) -> RequestSummary | None:
        """The request in focus; None = what would be sent next."""
        number = self._cursor.request
        if number is None or not 1 <= number <= len(self._timeline.summaries):
            return None
        return self._timeline.summaries[number - 1]

    @property
    def marked(self) -> Marked | None:
        """The compaction that is looked at; None while nobody looks at one."""
        return self._marked

    # what views ask for

    def mark(self, marked: Marked | None) -> None:
        """Another compaction is looked at, or none."""
        if marked != self._marked:
            self._marked = marked
            self.changed.emit(Change.COMPACTION)

    def go(self, *, remember: bool = True, **where: object) -> None:
        """Move the cursor: any of leaf, request, step, block, entry. Whatever belongs together follows.

        Another leaf is computed in the worker and shown when it is ready; another request clears the block; a block
        brings its entry along and an entry its block, if it has one in this prompt.
        """
        wanted = replace(self._cursor, **where)  # type: ignore[arg-type]
        if wanted.leaf != self._timeline.leaf and wanted.leaf is not None:
            if self.wanted_leaf is not None:
                self.wanted_leaf(wanted.leaf)
            return
        if wanted.request is not None:
            last = len(self._timeline.summaries)
            wanted = replace(wanted, request=max(1, min(wanted.request, last)) if last else None)
        if wanted.request != self._cursor.request:
            summary = self._timeline.summaries[wanted.request - 1] if wanted.request else None
            if "block" not in where:
                wanted = replace(wanted, block=None)
            if "entry" not in where:
                wanted = replace(wanted, entry=summary.request.entry if summary else self._timeline.leaf)
        before = self._cursor
        if wanted == before:
            return
        self._cursor = wanted
        if "block" in where and "entry" not in where and wanted.block is not None:
            blocks = self._blocks
            if 0 <= wanted.block < len(blocks) and blocks[wanted.block].origin.rows:
                self._cursor = replace(wanted, entry=blocks[wanted.block].origin.rows[0])
        elif ("entry" in where or wanted.step != before.step) and "block" not in where:
            self._cursor = replace(wanted, block=self._block_of(wanted.entry))
        if remember:
            self._history.append(before)
            del self._history[:-200]
            self._future.clear()
        self.changed.emit(Change.CURSOR)

    def look_around(self) -> None:
        """Compute the steps of both neighbours in idle time, then those of the breaks before and behind: whoever walks
        through the requests goes there next."""
        if len(self._assembled_at(self._cursor.request).blocks) <= WALKED:
            last = len(self._timeline.summaries)
            at = self._cursor.request or last + 1
            breaks = [found.request for found in self._timeline.breaks]
            before, behind = [n for n in breaks if n < at - 1][-1:], [n for n in breaks if n > at + 1][:1]
            near = (at - 1, at + 1, *behind, *before)
            self.look_ahead(tuple([n if n <= last else None for n in near if 1 <= n <= last + 1]))

    def _block_of(self, row: int | None) -> int | None:
        if row is None:
            return None
        return next((i for i, b in enumerate(self._blocks) if row in b.origin.rows), None)

    @property
    def _blocks(self) -> Blocks:
        """Those that the Prompt tab shows: `shown.blocks`, without measuring them."""
        stage = self.stage
        return self.assembled.blocks if stage is None else stage.blocks

    def _follow_block(self) -> None:
        block, entry = self._cursor.block, self._cursor.entry
        if block is not None:
            blocks = self._blocks
            if block >= len(blocks) or entry not in blocks[block].origin.rows:
                self._cursor = replace(self._cursor, block=self._block_of(entry))

    def step_request(self, by: int) -> None:
        """The next (+1) or previous (-1) request; past the last one stands what would be sent now."""
        last = len(self._timeline.summaries)
        at = self._cursor.request if self._cursor.request is not None else last + 1
        to = max(1, min(at + by, last + 1))
        self.go(request=None if to > last else to)

    def step_break(self, by: int) -> None:
        """The next or previous request with a recorded cache break."""
        at = self._cursor.request if self._cursor.request is not None else len(self._timeline.summaries) + 1
        numbers = [found.request for found in self._timeline.breaks]
        beyond = [n for n in numbers if n > at] if by > 0 else [n for n in reversed(numbers) if n < at]
        if beyond:
            self.go(request=beyond[0])

    def back(self) -> None:
        """Alt+Left: the previous place of the cursor."""
        if self._history:
            self._future.append(self._cursor)
            self._cursor = self._history.pop()
            self.changed.emit(Change.CURSOR)

    def forward(self) -> None:
        if self._future:
            self._history.append(self._cursor)
            self._cursor = self._future.pop()
            self.changed.emit(Change.CURSOR)

    # what the window brings in from the worker

    def take_bodies(self, found: Sequence[Fetched]) -> None:
        """Bodies that were read elsewhere: what shows them is made anew."""
        for one in found:
            self.desk.came(one.row)
            self._bodies.take(one.row, one.body, one.message, one.key)
        self._early = None
        self._forget_prompts()
        self.changed.emit(Change.TIMELINE | Change.CURSOR)

    def grow(self, session: Session) -> None:
        """More of the file was read, or was written: the rows that were there stay where they are."""
        self._session = session
        self._bodies.grow(session)
        if self._naming is not None:
            self._naming.deleteLater()
        self._naming = Slices(session.naming(), lambda: None, self, now=False)
        self.changed.emit(Change.GROWTH | Change.PROBLEMS)

    def take(self, part: Part, then: Callable[[], object] = lambda: None) -> None:
        """Rows that came: joined in slices to those that are there, one part after the other; `then` after that."""
        self._parts.append((part, then))
        self._join()

    def after_parts(self, then: Callable[[], object]) -> None:
        """`then`, as soon as all parts that came are joined."""
        self._parts.append((None, then))
        self._join()

    def _join(self) -> None:
        if self._joining is None or not self._joining.running:
            if self._joining is not None:
                self._joining.deleteLater()
            self._joining = Slices(self._joined(), lambda: None, self)

    def _joined(self) -> Iterator[None]:
        while self._parts:
            part, then = self._parts.popleft()
            if part is not None:
                self.grow((yield from growing(self._session, part)))
            then()
            yield

    def follow_timeline(self, timeline: Timeline, counts: Counts, arranged: Arranged | None = None) -> None:
        """The timeline of what was appended. The cursor stays."""
        self.arranged = arranged
        self._forget_prompts(grown=True)
        self._hold(timeline, counts)
        self._history = [replace(cursor, leaf=timeline.leaf) for cursor in self._history]
        self._future = [replace(cursor, leaf=timeline.leaf) for cursor in self._future]
        self._cursor = replace(self._cursor, leaf=timeline.leaf)
        self.changed.emit(Change.TIMELINE | Change.CURSOR)

    def show_timeline(self, timeline: Timeline, counts: Counts, arranged: Arranged | None = None) -> None:
        """Another leaf or another counter was computed. `arranged`: the graph of a long session, laid out for it."""
        self.arranged = arranged
        moved = timeline.leaf != self._timeline.leaf
        self._forget_prompts()
        self._hold(timeline, counts)
        if moved:
            self.against.forget(moved=True)
            last = len(timeline.summaries)
            self._history.clear()
            self._future.clear()
            entry = timeline.summaries[-1].request.entry if last else timeline.leaf
            self._cursor = Cursor(leaf=timeline.leaf, request=last or None, entry=entry)
        self.changed.emit(Change.TIMELINE | Change.CURSOR)
