"""State: the one mutable object of the window, one per open session. Views read it and ask it; they never write it.

    gesture ─ state.go(…) / state.set(…) ─▶ State ─ changed(kind) ─▶ every view.refresh(kind)

The signal carries nothing but what kind of thing changed. The cursor is a locator: (leaf, request, step, block) and the
entry in focus; what it points at is resolved here.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Flag, auto

from PySide6.QtCore import QObject, Signal

from core import assembled as assembling
from core.assembled import Assembled
from core.context import SENDING, message_of
from core.counts import Counts
from core.messages import Json, Message
from core.session import Session
from core.timeline import RequestSummary, Timeline


class Change(Flag):
    """What kind of thing changed."""

    SESSION = auto()  # another session, or more of it
    TIMELINE = auto()  # path, counts, requests
    CURSOR = auto()
    PROBLEMS = auto()
    LOOK = auto()  # theme, zoom, language
    ALL = SESSION | TIMELINE | CURSOR | PROBLEMS | LOOK


@dataclass(frozen=True, slots=True)
class Cursor:
    """`request`: number on the path, None = what would be sent next. `entry`: row of the session. `block`: index into
    the assembled prompt's blocks; None = no block in focus. `step`: layer instance, None = all steps applied."""

    leaf: int | None = None
    request: int | None = None
    step: str | None = None
    block: int | None = None
    entry: int | None = None


class Bodies:
    """Parsed bodies and messages by row, the most recent within a bound of bytes: nothing is parsed twice."""

    LIMIT = 64_000_000

    def __init__(self, session: Session) -> None:
        self._session = session
        self._held: OrderedDict[int, Json] = OrderedDict()
        self._messages: dict[int, Message | None] = {}
        self._keys: dict[int, bytes | None] = {}
        """By identity of the messages kept above; None = not computed yet."""
        self._size = 0

    def body(self, row: int) -> Json:
        found = self._held.get(row)
        if found is not None:
            self._held.move_to_end(row)
            return found
        found = self._session.body(row)
        self._held[row] = found
        self._size += self._session.columns.size[row]
        while self._size > self.LIMIT and len(self._held) > 1:
            gone, _ = self._held.popitem(last=False)
            self._keys.pop(id(self._messages.pop(gone, None)), None)
            self._size -= self._session.columns.size[gone]
        return found

    def message(self, row: int) -> Message | None:
        if row not in self._messages:
            kind = self._session.type_of(row)
            found = message_of(self._session, row, self.body(row)) if kind in SENDING else None
            self._messages[row] = found
            if found is not None:
                self._keys[id(found)] = None
        return self._messages[row]

    def key(self, message: Message) -> bytes:
        """Message.key, computed once for each message that is kept here: it costs as much as writing the message."""
        found = self._keys.get(id(message))
        if found is None:
            found = message.key()
            if id(message) in self._keys:
                self._keys[id(message)] = found
        return found


class State(QObject):
    """One open session, and where the person stands in it."""

    changed = Signal(Change)

    def __init__(self, session: Session, timeline: Timeline, counts: Counts, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._timeline = timeline
        self._counts = counts
        self._bodies = Bodies(session)
        self._cursor = Cursor(leaf=timeline.leaf)
        self._history: list[Cursor] = []
        self._future: list[Cursor] = []
        self._assembled: OrderedDict[tuple[int | None, int | None], Assembled] = OrderedDict()
        self.wanted_leaf: Callable[[int], None] | None = None
        """Set by the window: asks the worker for the timeline of another leaf."""

    # what views read

    @property
    def session(self) -> Session:
        return self._session

    @property
    def timeline(self) -> Timeline:
        return self._timeline

    @property
    def counts(self) -> Counts:
        return self._counts

    @property
    def cursor(self) -> Cursor:
        return self._cursor

    def body(self, row: int) -> Json:
        return self._bodies.body(row)

    def message(self, row: int) -> Message | None:
        return self._bodies.message(row)

    @property
    def summary(self) -> RequestSummary | None:
        """The request in focus; None = what would be sent next."""
        number = self._cursor.request
        if number is None or not 1 <= number <= len(self._timeline.summaries):
            return None
        return self._timeline.summaries[number - 1]

    @property
    def assembled(self) -> Assembled:
        """The prompt of the request in focus."""
        key = (self._timeline.leaf, self._cursor.request)
        found = self._assembled.get(key)
        if found is None:
            found = assembling.assemble(
                self._session,
                self._timeline,
                self._counts,
                self._cursor.request,
                message=self.message,
                body=self.body,
                key=self._bodies.key,
            )
            self._assembled[key] = found
            while len(self._assembled) > 8:
                self._assembled.popitem(last=False)
        return found

    # what views ask for

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
            blocks = self.assembled.blocks
            if 0 <= wanted.block < len(blocks) and blocks[wanted.block].origin.rows:
                self._cursor = replace(wanted, entry=blocks[wanted.block].origin.rows[0])
        elif "entry" in where and "block" not in where:
            self._cursor = replace(wanted, block=self._block_of(wanted.entry))
        if remember:
            self._history.append(before)
            del self._history[:-200]
            self._future.clear()
        self.changed.emit(Change.CURSOR)

    def _block_of(self, row: int | None) -> int | None:
        if row is None:
            return None
        return next((i for i, b in enumerate(self.assembled.blocks) if row in b.origin.rows), None)

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

    def show_timeline(self, timeline: Timeline, counts: Counts) -> None:
        """Another leaf or another counter was computed."""
        moved = timeline.leaf != self._timeline.leaf
        self._timeline, self._counts = timeline, counts
        self._assembled.clear()
        if moved:
            last = len(timeline.summaries)
            self._history.clear()
            self._future.clear()
            entry = timeline.summaries[-1].request.entry if last else timeline.leaf
            self._cursor = Cursor(leaf=timeline.leaf, request=last or None, entry=entry)
        self.changed.emit(Change.TIMELINE | Change.CURSOR)
