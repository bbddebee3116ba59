"""The requests of a timeline as arrays, and how they fall into columns of pixels. No Qt in here.

    stack   tokens by `levels`, cumulated from the bottom up      [5…7, n]    largest value of a column is kept
    cache   read, + written, + uncached, cumulated                [3, n]      of the read the *smallest* is kept: a
    cost    US dollars so far                                     [n]         break must not drown among its neighbours

Request number i stands at x = i and fills i − ½ … i + ½; what would be sent next stands at n + 1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from math import floor
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from core.leading_sizes import LeadingSizes
from core.timeline import ROLES, Timeline

LEVELS = (*ROLES, "unrecorded")
"""From the bottom of the stack up; what the file does not hold lies on top."""
TRACED = (*ROLES, "system", "tools", "unrecorded")
"""The same where a trace, or a file given by hand, tells what tools and system prompt were."""

Whole = NDArray[np.int64]

ROOMY = 1 / 8
"""Below this share of the window the prompts are shown larger than the window would let them be."""


WIDE = 6.0
"""Pixels per request from which each is a bar of its own."""


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """All requests of one path. `next`: the budget of what would be sent now, by `levels`, cumulated like `stack`."""

    count: int
    stack: Whole
    cache: Whole
    cost: NDArray[np.float64]
    next: Whole
    levels: tuple[str, ...] = LEVELS

    @property
    def rest(self) -> bool:
        """Something of the prompts is known by its size only."""
        return bool((self.stack[-1] > self.stack[-2]).any())

    @property
    def end(self) -> float:
        """Right end of the x axis: after what would be sent next."""
        return self.count + 1.5

    @property
    def uncached(self) -> bool:
        """Some request sent more than the odd token that was neither read from the cache nor written to it."""
        rest = self.cache[2] - self.cache[1]
        return bool((rest * 100 > self.cache[2]).any())

    @property
    def peak(self) -> int:
        """The largest prompt, in tokens."""
        return max(int(self.stack[-1].max(initial=0)), int(self.next[-1]))


def series(timeline: Timeline) -> Series:
    """The arrays of a timeline. Tools and system of the next request are taken to be as large as in the last one."""
    summaries = timeline.summaries
    count = len(summaries)
    usages = [summary.request.usage for summary in summaries]
    sizes = np.empty((len(LEVELS), count), np.int64)
    sizes[:-1] = (
        np.fromiter(chain.from_iterable(s.tokens for s in summaries), np.int64, count * len(ROLES))
        .reshape(count, len(ROLES))
        .T
    )
    sizes[-1] = np.fromiter((summary.unrecorded for summary in summaries), np.int64, count)
    cache = np.empty((3, count), np.int64)
    for row, name in enumerate(("read", "write", "input")):
        cache[row] = np.fromiter(map(attrgetter(name), usages), np.int64, count)
    cost = np.fromiter((float(summary.total_cost) for summary in summaries), np.float64, count)
    now = (*timeline.next_tokens, summaries[-1].unrecorded if count else 0)
    return Series(
        count,
        sizes.cumsum(axis=0),
        cache.cumsum(axis=0),
        cost,
        np.cumsum(np.asarray(now, np.int64)),
    )


def with_leading(series: Series, sizes: LeadingSizes) -> Series:
    """The same with tools and system prompt on top of the messages; what they do not explain of the recorded size lies
    above them. Of a path that has grown since, the sizes told last go on; sizes of a longer one change nothing."""
    missing = series.count + 1 - len(sizes.system)
    if missing < 0 or not len(sizes.system) or series.levels != LEVELS:
        return series
    system, tools = (
        np.pad(np.asarray(column, np.int64), (0, missing), "edge") for column in (sizes.system, sizes.tools)
    )
    stacks = []
    for stack, one, other in (
        (series.stack, system[:-1], tools[:-1]),
        (series.next, system[-1], tools[-1]),
    ):
        first = stack[-2] + one
        second = first + other
        stacks.append(np.stack([*stack[:-1], first, second, np.maximum(second, stack[-1])]))
    return replace(series, stack=stacks[0], next=stacks[1], levels=TRACED)


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """Requests by pixel columns. Column k covers pixels [left[k], right[k]) and the requests first + starts[k] up to
    the next column's (numbers from 1); every visible request is in exactly one column, every column is at least one
    pixel wide. `pitch`: pixels per request."""

    first: int
    last: int
    starts: Whole
    left: Whole
    right: Whole
    pitch: float

    @property
    def single(self) -> bool:
        """Every column is one request, wide enough to be a bar of its own."""
        return self.pitch >= WIDE

    def largest(self, values: NDArray[np.generic]) -> NDArray[np.generic]:
        """Of each column, along the last axis."""
        return self._reduced(np.maximum, values)

    def smallest(self, values: NDArray[np.generic]) -> NDArray[np.generic]:
        return self._reduced(np.minimum, values)

    def _reduced(self, how: np.ufunc, values: NDArray[np.generic]) -> NDArray[np.generic]:
        seen = values[..., self.first - 1 : self.last]
        if len(self.starts) == seen.shape[-1]:
            return seen
        reduced: NDArray[np.generic] = how.reduceat(seen, self.starts, axis=-1)
        return reduced


@lru_cache(maxsize=8)  # every track of a plot asks the same
def columns(low: float, high: float, width: float, count: int) -> Columns:
    """The columns of requests 1 … count that x from `low` to `high` shows on `width` pixels (high > low, width > 0)."""
    pitch = width / (high - low)
    first = max(1, floor(low + 0.5))
    last = min(count, floor(high + 0.5))
    if last < first:
        nothing = np.zeros(0, np.int64)
        return Columns(1, 0, nothing, nothing, nothing, pitch)
    edges = np.floor((np.arange(first, last + 2) - 0.5 - low) * pitch + 0.5).astype(np.int64)
    starts = np.flatnonzero(np.diff(edges[:-1], prepend=edges[0] - 1))
    left = edges[starts]
    right = np.append(left[1:], max(int(edges[-1]), int(left[-1]) + 1))
    return Columns(first, last, starts, left, right, pitch)


def ceiling(series: Series, window: int) -> float:
    """Tokens at the upper end of the budget's axis: a little above the window, or above the prompts where those are
    small beside it or larger than it."""
    peak = series.peak
    if 0 < peak < window * ROOMY:
        return peak * 1.6
    return max(window * 1.06, peak * 1.06, 1.0)
