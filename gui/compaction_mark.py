"""The compaction that a person looks at, as the other views mark it. A value of the State, no Qt.

DAG        ┌ entries it replaced … ┐      tinted: entries that hold the identifier in focus
Requests   what it reclaims, and after how many requests it has paid
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field

from core.payback import Payback


@dataclass(frozen=True, slots=True)
class Marked:
    """`rows` of the entries that it replaced, rising. `request`: the one after it, None = what would be sent next.
    `simulated`: nobody made it but us. `named`: rows that hold the identifier in focus."""

    rows: tuple[int, ...] = field(repr=False)
    request: int | None
    simulated: bool
    payback: Payback | None = None
    named: frozenset[int] = frozenset()

    def holds(self, first: int, last: int) -> tuple[bool, bool, bool]:
        """Of the rows `first` to `last`, both included: (any was replaced, it begins there, it ends there)."""
        low, high = bisect_left(self.rows, first), bisect_right(self.rows, last)
        return low < high, low < high and low == 0, low < high and high == len(self.rows)
