"""Lanes of the session graph: integers, no pixels.

    item 0  o          lane 0 is the active path, from its first item to its last
    item 1  o          a branch leaves the lane of its parent in the gap above its first item: 1 -> 2
    item 2  | o        a lane ends with its last item, and may be used again below
    item 3  | o
    item 4  o '        dashed: the branch summary at 4 tells what the branch that ended at 3 had found

Between two items lies a gap, and a picture is nothing but the segments of its gaps: (from lane, to lane, style), each
from the centre of the item above to the centre of the item below. No two segments of a gap share a lane, unless they
belong together at a node. On a branch that is not active the newest child goes on in its parent's lane, so that only
items of the active path can have children that come after the one that goes on; those share one waiting lane.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np
from numpy.typing import ArrayLike

from core.pieces import Pieces, finished
from core.rows import HEADER, Visible
from core.tree import Flags
from core.tree import Rows as Array

ACTIVE, BRANCH, JOIN = 0, 1, 2
"""Styles of a segment: the active path, any other branch, a branch summary that looks back (dashed)."""

LANES = 64
"""Lanes from here on keep their numbers but draw nothing between their nodes: nobody can follow so many lines."""

BLOCK = 256
"""Items between two checkpoints: a window of items is laid out by looking at no more than one block before it."""

_TOGETHER = 1_024
"""Events that are placed in one piece of the work."""

Segment = tuple[int, int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """`lane[i]`: lane of item i. `active[i]`: its entry is on the path. `width`: lanes used.

    Straight pieces are runs (lane, first gap, last gap, style) sorted by first gap, bent ones are bends (gap, from, to,
    style) sorted by gap. Gap g lies between the items g and g + 1.
    """

    lane: Array
    active: Flags
    width: int
    runs: Array
    bends: Array
    _crossing: tuple[Array, Array]
    """Runs that cross the start of each block, as (offsets by block, indexes of runs)."""

    def gaps(self, start: int, stop: int) -> list[tuple[Segment, ...]]:
        """The segments of the gaps start … stop - 1; gaps outside the graph are empty."""
        found: list[list[Segment]] = [[] for _ in range(start, stop)]
        block = max(start, 0) // BLOCK
        offsets, crossing = self._crossing
        old = crossing[offsets[block] : offsets[block + 1]].tolist() if block + 1 < len(offsets) else []
        begin, end = np.searchsorted(self.runs[:, 1], (block * BLOCK, stop)).tolist()
        for lane, first, last, style in self.runs[[*old, *range(begin, end)]].tolist():
            for gap in range(max(first, start), min(last, stop - 1) + 1):
                found[gap - start].append((lane, lane, style))
        begin, end = np.searchsorted(self.bends[:, 0], (start, stop)).tolist()
        for gap, above, below, style in self.bends[begin:end].tolist():
            found[gap - start].append((above, below, style))
        return [tuple(segments) for segments in found]


def lay_out(shown: Visible, path: ArrayLike, joins: Mapping[int, int] | None = None) -> Layout:
    """Lanes for the shown items. `path`: rows of the active path, root first. `joins`: row of a branch summary -> row
    of the end of the branch it tells about."""
    return finished(laying_out(shown, path, joins))


def laying_out(shown: Visible, path: ArrayLike, joins: Mapping[int, int] | None = None) -> Pieces[Layout]:
    """`lay_out` in pieces of some milliseconds for a million items."""
    count = len(shown)
    parent = shown.parent
    at = np.arange(count)
    has = parent >= 0
    newest = np.full(count, -1, dtype=np.int64)
    newest[parent[has]] = np.flatnonzero(has)  # of several children, the last assigned stays
    yield
    chain, active = _chain(shown, path)
    yield
    main = np.zeros(count, dtype=bool)
    main[chain] = True
    heir = np.where(main, -1, newest)
    linked = chain[1:][parent[chain[1:]] == chain[:-1]]
    heir[parent[linked]] = linked
    yield
    inherits = has & (heir[np.maximum(parent, 0)] == at)
    plain = inherits & (parent == at - 1)
    joined = _joined(shown, newest, main, joins or {})

    yield
    # Only where something begins, forks, ends or joins is there anything to decide; all others go straight on.
    eventful = ~plain | (heir < 0) | (newest != heir)
    eventful[list(joined)] = True
    events = np.flatnonzero(eventful)
    number = np.cumsum(eventful) - 1
    columns = (
        events,
        np.where(has, number[np.maximum(parent, 0)], -1)[events],
        *(values[events] for values in (parent, heir, newest, inherits, main, active)),
    )
    lanes = _Lanes(joined)
    yield
    for start in range(0, len(events), _TOGETHER):
        for event in zip(*(column[start : start + _TOGETHER].tolist() for column in columns), strict=True):
            lanes.place(*event)
        yield
    lane = np.array(lanes.of_event, dtype=np.int64)[number] if count else at
    yield
    runs, bends = _sorted(lanes.runs, 1), _sorted(lanes.bends, 0)
    yield
    return Layout(lane, active, int(lane.max()) + 1 if count else 0, runs, bends, _crossings(runs, count))


def straight(shown: Visible) -> Layout:
    """All items in one lane: what is shown of a large session until its lanes are found out."""
    count = len(shown)
    runs = np.array([[0, 0, count - 2, BRANCH]], dtype=np.int64) if count > 1 else np.zeros((0, 4), dtype=np.int64)
    nothing = np.zeros((0, 4), dtype=np.int64)
    lanes, active = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=bool)
    return Layout(lanes, active, 1 if count else 0, runs, nothing, _crossings(runs, count))


def _chain(shown: Visible, path: ArrayLike) -> tuple[Array, Flags]:
    """(items of lane 0 in order, flags of the active items). The chain stops where an edge of the path was cut."""
    active = np.zeros(len(shown), dtype=bool)
    items = shown.indexes_of(path)
    active[items] = True
    headed = len(shown) > 0 and shown.first[0] == HEADER
    if headed:
        active[0] = True
        items = np.append(0, items)
    chain = items[np.append(True, np.diff(items) != 0)] if len(items) else items
    broken = shown.parent[chain[1:]] != chain[:-1]
    if headed:
        broken[:1] = False  # a path that begins at an unknown parent begins below the session, in the same lane
    stop = np.flatnonzero(broken)
    return (chain[: stop[0] + 1] if len(stop) else chain), active


def _joined(shown: Visible, newest: Array, main: Flags, joins: Mapping[int, int]) -> dict[int, int]:
    """Item of a branch summary -> item of the end it looks back to; each end is looked back to once."""
    found: dict[int, int] = {}
    taken: set[int] = set()
    for summary, end in sorted(joins.items()):
        at, tip = shown.index_of(summary), shown.index_of(end)
        if at is not None and tip is not None and tip < at and newest[tip] < 0 and not main[tip] and tip not in taken:
            found[at] = tip
            taken.add(tip)
    return found


class _Lanes:
    """Gives lanes to events in file order, the lowest free one first, and notes the pieces that are drawn."""

    def __init__(self, joined: Mapping[int, int]) -> None:
        self.of_event: list[int] = []
        self.runs: list[tuple[int, int, int, int]] = []
        self.bends: list[tuple[int, int, int, int]] = []
        self._joined = joined
        self._looked_at = frozenset(joined.values())
        self._tips: dict[int, int] = {}
        self._begun: dict[int, int] = {}
        self._waiting: dict[int, tuple[int, int, int]] = {}
        """Item of lane 0 -> (lane where its later children wait, the child that goes on, the last child)."""
        self._free: list[int] = []
        self._used = 0

    def place(
        self, item: int, above: int, parent: int, heir: int, newest: int, inherits: bool, main: bool, active: bool
    ) -> None:
        """One event: `above` is the number of the event whose lane the parent is in, -1 without a parent."""
        if inherits:
            lane = self.of_event[above]
        else:
            lane = 0 if main else self._branch(item, parent, self.of_event[above] if above >= 0 else None)
            self._begun[lane] = item
        self.of_event.append(lane)
        if newest != heir:
            wait = self._take()
            self._waiting[item] = wait, heir, newest
            if newest > item + 1:
                self.bends.append((item, lane, wait, BRANCH))
        if heir < 0:
            self._run(lane, self._begun[lane], item - 1, ACTIVE if active else BRANCH)
            if item in self._looked_at:
                self._tips[item] = lane
            elif not main:
                heappush(self._free, lane)
        if item in self._joined:
            tip = self._joined[item]
            self._run(self._tips[tip], tip, item - 2, JOIN)
            self.bends.append((item - 1, self._tips[tip], lane, JOIN))
            heappush(self._free, self._tips[tip])

    def _branch(self, item: int, parent: int, beside: int | None) -> int:
        """The lane of an item that begins a branch; `beside` is its parent's."""
        wait, heir, last = self._waiting.get(parent, (0, item, item))
        if item <= heir:  # the parent's lane still runs down to the child that goes on: leave it just above
            lane = self._take()
        elif item == last:
            del self._waiting[parent]
            if item > parent + 1:
                self._run(wait, parent + 1, item - 1, BRANCH)
                return wait
            lane = wait
        else:
            lane = self._take()
            beside = wait if item > parent + 1 else beside
        if beside is not None:
            self.bends.append((item - 1, beside, lane, BRANCH))
        return lane

    def _take(self) -> int:
        if self._free:
            return heappop(self._free)
        self._used += 1
        return self._used

    def _run(self, lane: int, first: int, last: int, style: int) -> None:
        if first <= last and lane < LANES:
            self.runs.append((lane, first, last, style))


def _sorted(pieces: Sequence[tuple[int, int, int, int]], by: int) -> Array:
    table = np.array(pieces, dtype=np.int64).reshape(-1, 4)
    result: Array = table[np.argsort(table[:, by], kind="stable")]
    return result


def _crossings(runs: Array, count: int) -> tuple[Array, Array]:
    """For each block of gaps the runs that began before it and reach into it: (offsets by block, indexes of runs)."""
    blocks = count // BLOCK + 1
    low, high = runs[:, 1] // BLOCK + 1, runs[:, 2] // BLOCK
    many = np.maximum(high - low + 1, 0)
    run = np.repeat(np.arange(len(runs)), many)
    block = np.arange(len(run)) - np.repeat(np.cumsum(many) - many, many) + np.repeat(low, many)
    order = np.argsort(block, kind="stable")
    return np.searchsorted(block[order], np.arange(blocks + 1)), run[order]
