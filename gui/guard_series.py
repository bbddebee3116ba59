"""The requests of a timeline as the guard counts, as arrays: what the picture of the axis is made of. No Qt in here.

    stack     by ROLES what is left, then what was cut away, cumulated     [5, n]
    largest   the largest single result that came to the guard             [n]
    stops     whether the agent raises its overflow error                  [n]

Request number i stands at x = i; what would be sent next stands at n + 1, as in the other plots.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.guard_limits import Limit
from core.guarded import Counted, Guarded
from core.timeline import ROLES
from gui.request_series import Whole

LEVELS = (*ROLES, "cut")
"""From the bottom of the stack up."""


@dataclass(frozen=True, slots=True, eq=False)
class GuardSeries:
    """Guard characters. The last column is what would be sent next; requests that were not counted are 0."""

    stack: Whole
    largest: Whole
    stops: NDArray[np.bool_]

    @property
    def count(self) -> int:
        """Requests, without what would be sent next."""
        return self.stack.shape[1] - 1

    @property
    def peak(self) -> int:
        """The largest that came to the guard."""
        return int(self.stack[-1].max(initial=0))


def guard_series(found: Guarded, count: int) -> GuardSeries:
    """Of `count` requests and what would be sent next; `found` may hold fewer."""
    table = np.zeros((count + 1, Guarded.WIDTH), np.int64)
    table[:, -1] = -1
    rows = np.asarray(found.table, np.int64).reshape(-1, Guarded.WIDTH)[: count + 1]
    table[: len(rows)] = rows
    roles = len(ROLES)
    sizes = np.empty((len(LEVELS), count + 1), np.int64)
    sizes[:roles] = table[:, roles : 2 * roles].T
    sizes[roles] = np.maximum(table[:, -3], 0)
    return GuardSeries(sizes.cumsum(axis=0), table[:, -2].copy(), table[:, -1] >= 0)


def column(counted: Counted) -> Whole:
    """One request as a column of the stack."""
    return np.cumsum(np.array([*counted.after, max(0, counted.cut)], np.int64))


@dataclass(frozen=True, slots=True, eq=False)
class GuardShown:
    """Everything that the axis shows. `whole`: guard characters of the whole window. `current`: the request of the
    inspection point, up to date even while the rest is `stale`. `said`: words in the corner. `empty`: why there is
    nothing to show, "" = there is."""

    series: GuardSeries | None
    limits: tuple[Limit, ...]
    whole: int
    current: tuple[int, Counted] | None = None
    stale: bool = False
    said: str = ""
    empty: str = ""

    @property
    def full(self) -> float:
        """Guard characters at the upper end of the axis."""
        return guard_ceiling(self.series, self.whole, self.limits, self.current[1].total if self.current else 0)

    def tops(self, number: int) -> Whole | None:
        """The column of a request; None where nothing is known of it."""
        if self.current is not None and self.current[0] == number:
            return column(self.current[1])
        if self.series is None or not 1 <= number <= self.series.count + 1:
            return None
        return self.series.stack[:, number - 1]


def guard_ceiling(series: GuardSeries | None, whole: int, limits: tuple[Limit, ...], peak: int = 0) -> float:
    """Guard characters at the upper end of the axis: a little above the window × 4, above everything that came to the
    guard (at least `peak`), and above every line."""
    top = max(peak, series.peak if series is not None else 0)
    return max(1.0, 1.06 * max(whole, top, *(limit.chars for limit in limits)))
