"""The last look before the call: over 90 % of the window after all cuts, the agent raises its overflow error.

Source: recorded cases of layer b (section 4). The limit is never below the context budget. The messages are not
changed; outside, the error leads to a compaction, and then the whole sequence runs again.
"""

from __future__ import annotations

from dataclasses import dataclass

from core import guard
from core.layer import Gauge, Outcome, StepContext
from core.phrase import phrase
from core.prompt import Blocks
from core.settings import number, switch

ID = "guard_overflow"
TITLE = phrase("layer.guard_overflow.title")
MARK = "request"


@dataclass(frozen=True, slots=True)
class Settings:
    """`share`: of the window, at four characters a token. `budget_share`: the context budget, which is its floor.

    `raises`: off for agents that do not check (article 2, pi)."""

    share: float = number(0.9, 0.05, 1.5, unit="share", step=0.01, gauge="total")
    budget_share: float = number(0.75, 0.0, 1.0, unit="share", step=0.01)
    raises: bool = switch(True)


def apply(blocks: Blocks, settings: Settings, context: StepContext) -> Outcome:
    limit = max(
        guard.budget_limit(context.window, settings.budget_share), guard.overflow_limit(context.window, settings.share)
    )
    sum_ = guard.total(context, blocks)
    gauge = Gauge("total", sum_, limit, "guard_chars", "share")
    if sum_ > limit and settings.raises:
        return Outcome(
            blocks, phrase("layer.guard_overflow.fired", total=sum_, limit=limit), None, (gauge,), overflow=True
        )
    name = "quiet" if sum_ <= limit else "ignored"
    short = phrase(f"layer.guard_overflow.{name}_short", total=sum_, limit=limit)
    notes = () if settings.raises else (phrase("layer.guard_overflow.article_2"),)
    why = phrase(f"layer.guard_overflow.{name}", total=sum_, limit=limit)
    return Outcome(blocks, why, short, (gauge,), notes=notes)
