"""Which entries of a session stand in its graph: a filter, and folds of straight runs. Integers, no pixels.

    file    user  a  r  a  r  a  r  a  r  user  a …
    rows    user  a  r  [   6 entries    ]  user  a …

A run is folded when it is a stretch of consecutive entries on one lane without forks, ends, user messages, summaries,
labels or problems; some rows around those, and around the inspection point, stay open as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from core.pieces import Pieces, finished
from core.session import DANGLING, ROOT
from core.tree import GROUPS, Flags, Tree
from core.tree import Rows as Array

HEADER = -1
"""The row that stands for the session itself, above its first entry."""

SHORTEST = 4
"""Fewer entries than this are not worth a fold."""
START, AFTER_TURN = 5, 2
"""Rows that stay open from the first user message on, and after every other one and every summary."""
BEFORE_POINT, AFTER_POINT = 6, 3
"""Rows that stay open around the inspection point."""


@dataclass(frozen=True, slots=True)
class Filter:
    """What is shown; the default leaves nothing out. `hits`: only rows that the search found."""

    groups: frozenset[str] = frozenset(GROUPS)
    path_only: bool = False
    problems_only: bool = False
    hits_only: bool = False

    @property
    def all(self) -> bool:
        return self == Filter()

    @property
    def by_kind(self) -> bool:
        """Leaves out entries for what they are; the runs of what is left are then not folded."""
        return self.hits_only or self.problems_only or len(self.groups) < len(GROUPS)


@dataclass(frozen=True, slots=True)
class Folding:
    """How runs fold. `on` False: not at all. `point`: row of the inspection point. `kept`: rows that never fold
    (labels, problems). `opened`, `closed`: (first, last) spans of rows that the user unfolded, or folded although they
    would stay open; where both overlap, opened wins."""

    on: bool = True
    point: int | None = None
    kept: Sequence[int] = ()
    opened: tuple[tuple[int, int], ...] = ()
    closed: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Visible:
    """The items of the graph, in file order; arrays of one length.

    `first`, `last`: the entry rows of an item (equal but for a folded run; HEADER for the session). `count`: entries
    in it. `parent`: the item of the nearest shown ancestor, -1 without one. `soft`: could fold by hand.
    `keep`: which rows the filter leaves (None = all). `total`: entries of the session.
    """

    first: Array
    last: Array
    count: Array
    parent: Array
    soft: Flags
    keep: Flags | None
    total: int

    def __len__(self) -> int:
        return len(self.first)

    def index_of(self, row: int) -> int | None:
        """The item that shows `row` or has it folded in; None when it is filtered out."""
        at = int(np.searchsorted(self.first, row, side="right")) - 1
        if at < 0 or row > self.last[at] or (row >= 0 and self.keep is not None and not self.keep[row]):
            return None
        return at

    def indexes_of(self, rows: ArrayLike) -> Array:
        """The items of many rows, in their order, without those that are filtered out; repeats stay."""
        wanted = np.asarray(rows, dtype=np.int64)
        at = np.searchsorted(self.first, wanted, side="right") - 1
        found = (at >= 0) & (wanted <= self.last[np.maximum(at, 0)]) if len(self) else np.zeros(len(wanted), dtype=bool)
        if self.keep is not None:
            found &= self.keep[np.maximum(wanted, 0)]
        result: Array = at[found]
        return result

    def folded(self, item: int) -> bool:
        return bool(self.count[item] > 1)

    @property
    def shown(self) -> int:
        """Entries that stand in a row of their own."""
        return int(np.count_nonzero((self.count == 1) & (self.first >= 0)))


def kept_rows(
    tree: Tree, chosen: Filter, path: Sequence[int] | Array, problems: Iterable[int], hits: Iterable[int]
) -> Flags | None:
    """Which rows the filter leaves; None when it leaves all."""
    if chosen.all:
        return None
    wanted = np.array([name in chosen.groups for name in GROUPS], dtype=bool)
    keep: Flags = wanted[tree.group]
    if chosen.path_only:
        keep &= _flags(len(tree), path)
    if chosen.problems_only:
        keep &= _flags(len(tree), problems)
    if chosen.hits_only:
        keep &= _flags(len(tree), hits)
    return keep


def visible(tree: Tree, keep: Flags | None = None, folding: Folding | None = None) -> Visible:
    """The items for a filter (rows to keep, None = all and the header) and a way of folding."""
    return finished(arranging(tree, keep, folding))


def arranging(tree: Tree, keep: Flags | None = None, folding: Folding | None = None) -> Pieces[Visible]:
    """`visible` in pieces of some milliseconds for a million rows."""
    if keep is None and folding is None:
        return _every(tree)
    rows = np.arange(len(tree)) if keep is None else np.flatnonzero(keep)
    parent = yield from _shown_parents(tree, keep, rows)
    count = len(rows)
    soft = np.zeros(count, dtype=bool)
    starts = np.ones(count, dtype=bool)
    yield
    if folding is not None and count:
        hard, open_ = yield from _anchors(tree, rows, parent, folding)
        soft = ~hard
        if folding.on:
            starts = ~_long_runs(soft & ~open_)
    yield
    at = np.flatnonzero(starts)
    item = np.cumsum(starts) - 1
    yield
    first = rows[at]
    last = rows[np.append(at[1:], count) - 1] if count else rows
    counts = np.diff(np.append(at, count))
    yield
    above = parent[at]
    mapped = np.where(above >= 0, item[np.maximum(above, 0)] if count else above, above)
    yield
    if keep is not None:
        return Visible(first, last, counts, np.where(mapped >= 0, mapped, -1), soft[at], keep, len(tree))
    mapped = np.where(mapped >= 0, mapped + 1, np.where(mapped == ROOT, 0, -1))
    return Visible(
        np.append(HEADER, first),
        np.append(HEADER, last),
        np.append(1, counts),
        np.append(-1, mapped),
        np.append(False, soft[at]),
        None,
        len(tree),
    )


def _every(tree: Tree) -> Visible:
    """Nothing is left out and nothing folded: every entry is an item, below the header."""
    size = len(tree)
    rows = np.arange(HEADER, size)
    above = np.append(DANGLING, tree.parent)
    parent = np.where(above == DANGLING, -1, above + 1)  # a root hangs from the header
    alone = np.zeros(size + 1, dtype=bool)
    return Visible(rows, rows, np.ones(size + 1, dtype=np.int64), parent, alone, None, size)


def soft_stretch(tree: Tree, keep: Flags | None, folding: Folding, row: int) -> tuple[int, int] | None:
    """(first, last) of the longest run around `row` that may fold at all, whatever stays open now; None without one."""
    shown = visible(tree, keep, Folding(True, None, (*folding.kept, *_at(folding.point)), (), ((0, len(tree)),)))
    at = shown.index_of(row)
    if at is None or not shown.folded(at):
        return None
    return int(shown.first[at]), int(shown.last[at])


def _at(point: int | None) -> tuple[int, ...]:
    return () if point is None else (point,)


def _flags(size: int, rows: Iterable[int] | Array) -> Flags:
    flags = np.zeros(size, dtype=bool)
    flags[rows if isinstance(rows, np.ndarray) else np.fromiter(rows, dtype=np.int64)] = True
    return flags


def _shown_parents(tree: Tree, keep: Flags | None, rows: Array) -> Pieces[Array]:
    """For each kept row the index in `rows` of its nearest kept ancestor, or ROOT or DANGLING."""
    parent = tree.parent[rows]
    if keep is None:
        return parent
    size = len(tree)
    # Up from each row to the nearest kept one: hidden rows point to their parents, and pointers are doubled until
    # nothing moves. Two more places at the end stand for ROOT and DANGLING.
    up = np.empty(size + 2, dtype=np.int64)
    up[:size] = np.where(keep, np.arange(size), np.where(tree.parent >= 0, tree.parent, size - 1 - tree.parent))
    up[size:] = (size, size + 1)
    while True:
        yield
        further = up[up]
        if np.array_equal(further, up):
            break
        up = further
    yield
    index = np.full(size + 2, -1, dtype=np.int64)
    index[rows] = np.arange(len(rows))
    index[size:] = (ROOT, DANGLING)
    result: Array = index[up[np.where(parent >= 0, parent, size - 1 - parent)]]
    return result


def _anchors(tree: Tree, rows: Array, parent: Array, folding: Folding) -> Pieces[tuple[Flags, Flags]]:
    """(never folds, stays open for now), per index of `rows`."""
    count = len(rows)
    at = np.arange(count)
    degree = np.bincount(parent[parent >= 0], minlength=count)
    yield
    follows = parent == at - 1
    follows[0] = False
    alone = np.zeros(count, dtype=bool)
    alone[1:] = degree[:-1] == 1
    continued = np.append(follows[1:], False) & (degree == 1)
    yield
    turn = (tree.group[rows] == GROUPS.index("user")) | (tree.group[rows] == GROUPS.index("summaries"))
    hard = turn | ~(follows & alone) | ~continued
    hard[_places(rows, folding.kept)] = True
    yield
    open_ = np.zeros(count, dtype=bool)
    begun = int(np.argmax(turn)) if turn.any() else 0
    open_[begun : begun + START] = True
    for step in range(1, AFTER_TURN + 1):
        open_[step:] |= turn[:-step]
    if folding.point is not None:
        point = int(np.searchsorted(rows, folding.point))
        open_[max(0, point - BEFORE_POINT) : point + AFTER_POINT + 1] = True
        hard[_places(rows, (folding.point,))] = True
    for spans, state in ((folding.closed, False), (folding.opened, True)):
        for first, last in spans:
            open_[np.searchsorted(rows, first) : np.searchsorted(rows, last, side="right")] = state
    return hard, open_


def _places(rows: Array, wanted: Sequence[int]) -> Array:
    """Indexes in `rows` of those of `wanted` that are there."""
    rows_wanted = np.asarray(wanted, dtype=np.int64)
    at = np.searchsorted(rows, rows_wanted)
    at = at[at < len(rows)] if len(rows) else at[:0]
    result: Array = at[np.isin(rows[at], rows_wanted)]
    return result


def _long_runs(run: Flags) -> Flags:
    """True at every place of a run but its first, for runs of at least SHORTEST."""
    edges = np.diff(np.concatenate(([0], run.view(np.int8), [0])))
    begin, end = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    long = end - begin >= SHORTEST
    inside = np.zeros(len(run) + 1, dtype=np.int64)
    np.add.at(inside, begin[long] + 1, 1)
    np.add.at(inside, end[long], -1)
    result: Flags = np.cumsum(inside)[:-1] > 0
    return result
