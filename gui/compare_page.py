"""Two profiles on one request, side by side: A is the profile in use, B another one. No Qt in here.

The same rows as before ⇄ after; what stands on either side has lost text to its own steps.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from core.compared import Compared
from core.difference import Row as Pair
from core.fate import Fate, Fates
from core.pipeline import Trace
from core.prompt import State as CacheState
from gui.pair_page import BEFORE, PairPage


@dataclass(eq=False)
class ComparePage(PairPage):
    """`traces`: of A and B. `states`: what the recorded usage says of A's blocks."""

    OURS: ClassVar[int] = BEFORE

    compared: Compared = field(kw_only=True)
    traces: tuple[Trace, Trace] = field(kw_only=True)
    states: tuple[CacheState, ...] = field(kw_only=True, default=())

    @cached_property
    def rows(self) -> tuple[Pair, ...]:
        return self.compared.rows

    @property
    def all_steps(self) -> bool:
        return True

    @property
    def from_nothing(self) -> bool:
        return False

    @cached_property
    def _open_first(self) -> frozenset[int]:
        """All are closed at first: which rows differ is what one came to see."""
        return frozenset()

    @cached_property
    def _both(self) -> tuple[Fates, Fates]:
        index = self.page.texts.edits
        one, other = (Fates(trace, len(trace.steps) - 1, index=index) for trace in self.traces)
        return one, other

    def fate_on(self, index: int, side: int) -> Fate | None:
        """What the steps of a side did to its block."""
        block = self.block(index, side)
        return self._both[side].of(block) if block is not None and self.rows[index].kind != "same" else None

    @cached_property
    def parted(self) -> int | None:
        """The row of the first difference; from here on what A left in the cache is of no use to B."""
        first = self.compared.first
        if first is None:
            return None
        return next((at for at, row in enumerate(self.rows) if first.block in (row.before, row.after)), None)

    def state(self, index: int, side: int) -> CacheState:
        """The cache state of a block: of A as recorded; of B what is left of it before the first difference."""
        row = self.rows[index]
        if side != BEFORE and self.parted is not None and index >= self.parted:
            return "written"
        at = row.before
        return self.states[at] if at is not None and at < len(self.states) else "unknown"
