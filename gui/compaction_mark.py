"""The compaction that a person looks at, as the other views mark it. A value of the State, no Qt.

DAG        ┌ entries it replaced … ┐ the first that it keeps        ◦ entries that hold the identifier in focus
Requests   what it reclaims, the break it costs, after how many requests it has paid
"""

from __future__ import annotations

from dataclasses import dataclass, field

from core.payback import Payback


@dataclass(frozen=True, slots=True)
class Marked:
    """`first`, `last`: rows of the first and last entry that it replaced, `rows` all of them. `request`: the one after
    it, None = what would be sent next. `simulated`: nobody made it but us. `named`: rows that hold the identifier in
    focus."""

    rows: frozenset[int] = field(repr=False)
    first: int
    last: int
    request: int | None
    simulated: bool
    payback: Payback | None = None
    named: frozenset[int] = frozenset()
