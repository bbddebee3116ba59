"""Which items of two sequences belong together, in bounded work: Myers' comparison, else items that stand only once.

Strings and integers only; what is made of them stands in core/segments.py (texts) and core/difference.py (blocks).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

Run = tuple[Sequence[str], Sequence[str], bool]
"""A stretch of each side, and whether they are the same."""


class Steps:
    """What is left of the work allowed for one comparison."""

    def __init__(self, left: int) -> None:
        self.left = left


def runs(before: Sequence[str], after: Sequence[str], steps: Steps) -> Iterator[Run]:
    """Both sequences from left to right, cut into stretches; joined, they are the sequences."""
    at = to = 0
    matches = [*_matches(before, after, steps), (len(before), len(after))]
    index = 0
    while index < len(matches):
        start, place = matches[index]
        if start > at or place > to:
            yield before[at:start], after[to:place], False
        size = 1
        while index + size < len(matches) and matches[index + size] == (start + size, place + size):
            size += 1
        if start < len(before):
            size -= start + size > len(before)  # the end of both, which follows as if it were a match
            yield before[start : start + size], after[place : place + size], True
        index += size
        at, to = start + size, place + size


def _matches(before: Sequence[str], after: Sequence[str], steps: Steps) -> list[tuple[int, int]]:
    """Places of equal items, both rising: as many as possible, or those around items that stand once on each side."""
    common = set(before) & set(after)
    # What stands on one side only takes no part: often that is nearly everything.
    old = [(index, item) for index, item in enumerate(before) if item in common]
    new = [(index, item) for index, item in enumerate(after) if item in common]
    found = _shortest([item for _, item in old], [item for _, item in new], steps)
    if found is None:
        return _unique(before, after)
    return [(old[i][0], new[j][0]) for i, j in found]


def _shortest(a: Sequence[str], b: Sequence[str], steps: Steps) -> list[tuple[int, int]] | None:
    """Myers' greedy comparison; None when it would take more than the steps that are left."""
    n, m = len(a), len(b)
    ends: dict[int, int] = {1: 0}
    past: list[dict[int, int]] = []
    for d in range(n + m + 1):
        past.append(ends.copy())
        steps.left -= 2 * d + 1
        for k in range(-d, d + 1, 2):
            x = ends[k + 1] if k == -d or (k != d and ends[k - 1] < ends[k + 1]) else ends[k - 1] + 1
            start = x
            while x < n and x - k < m and a[x] == b[x - k]:
                x += 1
            steps.left -= x - start
            ends[k] = x
            if x >= n and x - k >= m:
                return _back(past, n, m)
        if steps.left <= 0:
            return None
    return []


def _back(past: Sequence[dict[int, int]], x: int, y: int) -> list[tuple[int, int]]:
    """The equal places on the way that `_shortest` found, from its end to its beginning."""
    found: list[tuple[int, int]] = []
    for d in range(len(past) - 1, -1, -1):
        ends, k = past[d], x - y
        came = k + 1 if k == -d or (k != d and ends[k - 1] < ends[k + 1]) else k - 1
        start = ends[came]
        while x > max(start, 0) and y > max(start - came, 0):
            x, y = x - 1, y - 1
            found.append((x, y))
        x, y = start, start - came
    found.reverse()
    return found


def _unique(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int]]:
    """Places of items that stand once on each side, in one order, and of their equal neighbours."""
    once = {item for item, n in Counter(before).items() if n == 1}
    place = {item: index for index, item in enumerate(after)}
    twice = {item for item, n in Counter(after).items() if n > 1}
    pairs = [(i, place[item]) for i, item in enumerate(before) if item in once and item in place and item not in twice]
    stay = in_order([j for _, j in pairs])
    found: list[tuple[int, int]] = []
    i = j = 0
    for start, to in (*(pair for pair in pairs if pair[1] in stay), (len(before), len(after))):
        while i < start and j < to and before[i] == after[j]:
            found.append((i, j))
            i, j = i + 1, j + 1
        back: list[tuple[int, int]] = []
        x, y = start - 1, to - 1
        while x >= i and y >= j and before[x] == after[y]:
            back.append((x, y))
            x, y = x - 1, y - 1
        found += reversed(back)
        if start < len(before):
            found.append((start, to))
        i, j = start + 1, to + 1
    return found


def in_order(places: Sequence[int]) -> frozenset[int]:
    """The places that need not move: a longest rising subsequence of distinct numbers."""
    if all(a < b for a, b in pairwise(places)):
        return frozenset(places)
    ends: list[int] = []
    chain: list[int] = []
    back: dict[int, int | None] = {}
    for at in places:
        slot = bisect_left(ends, at)
        if slot == len(ends):
            ends.append(at)
            chain.append(at)
        else:
            ends[slot] = chain[slot] = at
        back[at] = chain[slot - 1] if slot else None
    return frozenset(_chained(back, chain[-1] if chain else None))


def _chained(back: dict[int, int | None], last: int | None) -> Iterable[int]:
    while last is not None:
        yield last
        last = back[last]
