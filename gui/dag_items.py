"""What stands in the rows of the session graph: one State seen through a filter and folds. No widgets in here.

The rows themselves are arrays of the core; this module keeps them in step with the state's path and cursor, and keeps
what the user did by hand (filters, folds, search hits).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from core.arranged import LONG, Arranged, problem_rows
from core.branches import joins, labels
from core.context import SENDING
from core.graph import Layout, Segment, laying_out, straight
from core.paths import Numbers, as_array
from core.pieces import Pieces, finished
from core.rows import HEADER, Filter, Folding, Visible, arranging, kept_rows, soft_stretch, visible
from core.summaries import entries_of
from core.timeline import Timeline
from core.tree import GROUPS, Tree
from gui.state import State

REVEALED = 3
"""Rows opened on either side of an entry that the cursor reached inside a fold."""
MANY = 200_000
"""From this many entries on, folds follow the inspection point only where it would be hidden: refolding takes longer
than a frame then."""
SLOW = 50_000
"""From this many entries on, laying out is felt."""
LARGE = 4_000
"""From this many entries on, lanes and folds wait until the file is read and counted."""
Laid = tuple[Visible, Layout, NDArray[np.int64]]
_CHUNK = 64
_SUMMARIES = GROUPS.index("summaries")


class Items:
    """The rows of one State. `shown` and `layout` are replaced as a whole by `lay_out`."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.chosen = Filter()
        self.folding = True
        self._opened: tuple[tuple[int, int], ...] = ()
        self._closed: tuple[tuple[int, int], ...] = ()
        self.hits: frozenset[int] = frozenset()
        self.labels: dict[int, str] = {}
        self._joins: dict[int, int] = {}
        self.point: int | None = None
        self._at: tuple[Timeline, int | None] | None = None
        self.shown: Visible
        self.layout: Layout
        self._gaps: dict[int, list[tuple[Segment, ...]]] = {}
        self.patient = self.waiting = False
        """Whether somebody takes pieces of long work, and whether there are some to take."""
        self._made: tuple[Visible, Layout, NDArray[np.int64], float] | None = None
        self._took = 0.0
        self._laid_at = 0.0
        self.grow()
        self.lay_out()

    def grow(self) -> None:
        """The session has more rows than before, or is another one of the same file; filter and folds stay."""
        session, ahead = self.state.session, self._ahead
        if ahead is not None:
            self.tree, self.problems = ahead.tree, ahead.problems
            self.labels, self._joins = dict(ahead.labels), dict(ahead.joins)
            self._unread: Iterator[None] | None = None
        else:
            self.tree, self.problems = Tree(session), problem_rows(session)
            self._unread = self._read_marks()
        sending = [name in SENDING for name in session.columns.kinds]
        kinds = np.asarray(session.columns.kind, dtype=np.int64)
        kinds = kinds[: len(self.tree)]
        self._sending = np.array(sending, dtype=bool)[kinds] if len(self.tree) else np.zeros(0, dtype=bool)
        self._at = None
        self.take_timeline()
        self.take_cursor()

    @property
    def provisional(self) -> bool:
        """A large file whose timeline is not there yet: its rows stand one below the other."""
        return len(self.tree) > LARGE and not self.state.counts.counter

    def provisional_once(self) -> bool:
        """Labels and branch summaries were not read while the file was."""
        return len(self.tree) > LARGE and (self._unread is not None or self._ahead is not None)

    def due(self) -> bool:
        """Laying all rows out again has paid off: so much time has passed since that it takes no more than a tenth."""
        return monotonic() - self._laid_at > 10 * self._took

    @property
    def _ahead(self) -> Arranged | None:
        """What the worker laid out. Rows that came since follow with the next timeline, where there are that many."""
        ahead, size = self.state.arranged, len(self.state.session)
        there = ahead is not None and (ahead.size == size or LONG <= ahead.size < size)
        return ahead if there else None

    @property
    def waits(self) -> bool:
        """A long session that grows is laid out with its timeline, by the worker."""
        return len(self.tree) >= LONG

    def _read_marks(self) -> Iterator[None]:
        """Labels and branch summaries, one entry at a time."""
        session, body = self.state.session, self.state.body
        for row, text in labels(session, self.tree, body):
            if text:
                self.labels[row] = text
            else:
                self.labels.pop(row, None)
            yield
        for summary, end in joins(session, self.tree, body):
            self._joins[summary] = end
            yield

    def read_marks(self, steps: int) -> bool:
        """Go on reading labels and branch summaries; False once there is nothing left to read."""
        for _ in range(steps):
            if self._unread is None:
                return False
            if next(self._unread, self) is self:
                self._unread = None
        return self._unread is not None

    # the state

    def take_timeline(self) -> None:
        """Path, requests and token counts changed."""
        timeline, size = self.state.timeline, len(self.tree)
        self.path = as_array(timeline.path)
        self.on_path = np.zeros(size, dtype=bool)
        self.on_path[self.path] = True
        self._requests = entries_of(timeline.summaries)
        self.number_of = Numbers(self._requests)
        self.tokens = np.array(self.state.counts.tokens, dtype=np.int64)
        if len(self.tokens) < size:  # the rows that came last are not counted yet
            self.tokens = np.append(self.tokens, np.zeros(size - len(self.tokens), dtype=np.int64))
        self.largest = int(self.tokens.max()) if size else 0

    def take_cursor(self) -> bool:
        """The cursor moved; True when the inspection point is another one."""
        at = (self.state.timeline, self.state.cursor.request)
        if self._at is not None and self._at[0] is at[0] and self._at[1] == at[1]:
            return False
        self._at = at
        summary = self.state.summary
        point = summary.request.entry if summary is not None else None
        changed = point != self.point
        self.point = point
        rows = sorted({row for origin in self.state.assembled.context.origins for row in origin.rows})
        self.sent = len(rows)
        self.inside: NDArray[np.bool_] = np.zeros(len(self.tree), dtype=bool)
        if rows:
            # Settings between the messages belong to the stretch; messages that are not sent leave a gap in it.
            span = slice(rows[0], rows[-1] + 1)
            self.inside[span] = self.on_path[span] & ~self._sending[span] & (self.tree.group[span] != _SUMMARIES)
            self.inside[rows] = True
        return changed

    # rows

    def lay_out(self) -> None:
        """Rows and lanes for the present filter and folds; `waiting` afterwards: for later, as it takes long."""
        began = monotonic()
        self.waiting, self._made = False, None
        if self.provisional:
            shown = visible(self.tree)
            self._lay(shown, straight(shown), np.zeros(len(self.tree) + 1, dtype=np.int64), began)
            return
        ahead = self._ahead
        by_hand = self._opened or self._closed or not self.folding or not self.chosen.all
        if ahead is not None and ahead.tree is self.tree and ahead.point == self.point and not by_hand:
            self._lay(ahead.shown, ahead.layout, self._summed(None), began)
            return
        if self.patient and len(self.tree) >= SLOW:
            self.waiting = True
            return
        self._lay(*finished(self._laid_out()), began)

    def laying_out(self) -> Iterator[None]:
        """What `lay_out` left for later, in pieces; the rows stay as they are until `take`."""
        self.waiting = False
        began = monotonic()
        self._made = (*(yield from self._laid_out()), began)

    def take(self) -> None:
        """Show what was laid out."""
        if self._made is not None:
            self._lay(*self._made)
            self._made = None

    def _laid_out(self) -> Pieces[Laid]:
        keep = kept_rows(self.tree, self.chosen, self.path, self.problems, self.hits)
        yield
        shown = yield from arranging(self.tree, keep, None if self.chosen.by_kind else self._folding())
        layout = yield from laying_out(shown, self.path, self._joins)
        yield
        return shown, layout, self._summed(keep)

    def _summed(self, keep: NDArray[np.bool_] | None) -> NDArray[np.int64]:
        return np.concatenate(([0], np.cumsum(self.tokens if keep is None else self.tokens * keep)))

    def _lay(self, shown: Visible, layout: Layout, sums: NDArray[np.int64], began: float) -> None:
        self.shown, self.layout, self._sums = shown, layout, sums
        self._gaps.clear()
        self._laid_at = monotonic()
        self._took = self._laid_at - began

    def _folding(self) -> Folding:
        kept = (*self.labels, *self.problems)
        return Folding(self.folding, self.point, kept, self._opened, self._closed)

    def folded_away(self, row: int) -> bool:
        """`row` is hidden in a folded run (not: left out by the filter)."""
        at = self.shown.index_of(row)
        return at is not None and self.shown.folded(at)

    def reveal(self, row: int) -> bool:
        """Open as little as shows `row`; True when that changed the rows."""
        at = self.shown.index_of(row)
        if at is None or not self.shown.folded(at):
            return False
        self._open(max(int(self.shown.first[at]), row - REVEALED), min(int(self.shown.last[at]), row + REVEALED))
        self.lay_out()
        return True

    def _open(self, first: int, last: int) -> None:
        self._closed = _without(self._closed, first, last)
        self._opened = (*_without(self._opened, first, last), (first, last))

    def toggle(self, item: int) -> bool:
        """Unfold a folded run, or fold the run around a row; False where there is nothing to fold."""
        first, last = int(self.shown.first[item]), int(self.shown.last[item])
        if self.chosen.by_kind:
            return False
        if self.shown.folded(item):
            self._open(first, last)
        else:
            folding = replace(self._folding(), on=True)
            stretch = soft_stretch(self.tree, self.shown.keep, folding, first)
            if stretch is None and item + 1 < len(self.shown):
                stretch = soft_stretch(self.tree, self.shown.keep, folding, int(self.shown.first[item + 1]))
            if stretch is None:
                return False
            if not self.folding:
                self.folding, self._closed = True, ()
                self._opened = ((0, stretch[0] - 1), (stretch[1] + 1, len(self.tree)))
            self._opened = _without(self._opened, *stretch)
            self._closed = (*_without(self._closed, *stretch), stretch)
        self.lay_out()
        return True

    def fold_all(self) -> None:
        """Fold everything that may fold; unfold everything where that was the case."""
        by_hand = bool(self._opened or self._closed)
        self.folding = by_hand or not self.folding
        self._opened = self._closed = ()
        self.lay_out()

    @property
    def partial(self) -> bool:
        """Some entries do not stand in a row of their own."""
        return self.shown.shown < self.shown.total

    def show_all(self) -> None:
        self.chosen, self.folding, self._opened, self._closed = Filter(), False, (), ()
        self.lay_out()

    def set_filter(self, chosen: Filter) -> None:
        self.chosen = chosen
        self.lay_out()

    # one item

    def segments(self, gap: int) -> tuple[Segment, ...]:
        """The lines between item `gap` and the next one."""
        chunk = gap // _CHUNK
        found = self._gaps.get(chunk)
        if found is None:
            if len(self._gaps) > 32:
                self._gaps.clear()
            found = self._gaps[chunk] = self.layout.gaps(chunk * _CHUNK, (chunk + 1) * _CHUNK)
        return found[gap % _CHUNK]

    def row(self, item: int) -> int:
        """The entry of an item: the first of a folded run, HEADER for the session."""
        return int(self.shown.first[item])

    def tokens_of(self, item: int) -> int:
        first, last = int(self.shown.first[item]), int(self.shown.last[item])
        return 0 if first == HEADER else int(self._sums[last + 1] - self._sums[first])

    def inside_request(self, item: int) -> bool:
        first, last = int(self.shown.first[item]), int(self.shown.last[item])
        if first == last:
            return first != HEADER and bool(self.inside[first])
        return first != HEADER and bool(self.inside[first : last + 1].any())

    def request_for(self, row: int) -> int | None:
        """The request that an entry of the path answers, else the next one on the path; None = what comes next."""
        if row in self.number_of:
            return self.number_of[row]
        at = bisect_left(self._requests, row)
        return at + 1 if at < len(self._requests) else None

    def hit_from(self, row: int, by: int) -> int | None:
        """The next hit (by +1) or the previous one (-1) that the filter shows, around the end."""
        keep = self.shown.keep
        rows = sorted(hit for hit in self.hits if keep is None or keep[hit])
        if not rows:
            return None
        at = bisect_left(rows, row if by < 0 else row + 1)
        return rows[(at if by > 0 else at - 1) % len(rows)]

    def next_branch(self, row: int) -> int | None:
        """The first entry of the next branch at the nearest fork at or above `row`."""
        fork = self.tree.fork_above(row)
        if fork is None:
            return None
        children = self.tree.children(fork)
        if row == fork:
            taken = next((at for at, child in enumerate(children) if self.on_path[child]), -1)
        else:
            taken = children.index(self.tree.own_start(row))
        return children[(taken + 1) % len(children)]


def _without(spans: Sequence[tuple[int, int]], first: int, last: int) -> tuple[tuple[int, int], ...]:
    """The spans without the rows first … last."""
    found: list[tuple[int, int]] = []
    for begin, end in spans:
        if end < first or begin > last:
            found.append((begin, end))
            continue
        if begin < first:
            found.append((begin, first - 1))
        if end > last:
            found.append((last + 1, end))
    return tuple(found)
