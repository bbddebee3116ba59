"""Only the newest turns are sent: the limit counts user messages from the end.

Source: recorded cases of layers c (`limitHistoryTurns`) and k (`getHistoryLimitFromSessionKey`). Cutting between a call
and its result leaves strays, which is why pairs are repaired once more afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.layer import Gauge, Outcome, StepContext
from core.phrase import phrase
from core.prompt import Blocks
from core.settings import number

ID = "limit_history"
TITLE = phrase("layer.limit_history.title")
MARK = "request"


@dataclass(frozen=True, slots=True)
class Settings:
    """`turns`: 0 = no limit."""

    turns: int = number(0, 0, 10_000, unit="turns", gauge="turns")


def first_kept(roles: tuple[str, ...], limit: float) -> int:
    """Index from which messages are kept; 0 = all. A fraction counts as if it were cut off."""
    if not limit > 0:
        return 0
    seen = 0
    kept = len(roles)
    for index in range(len(roles) - 1, -1, -1):
        if roles[index] == "user":
            seen += 1
            if seen > limit:
                return kept
            kept = index
    return 0


def apply(blocks: Blocks, settings: Settings, context: StepContext) -> Outcome:
    roles = tuple(block.message.role for block in blocks)
    turns = roles.count("user")
    gauge = Gauge("turns", turns, settings.turns, "turns", "turns")
    start = first_kept(roles, settings.turns)
    if start == 0:
        name = "quiet" if settings.turns else "no_limit"
        said = {"n": turns, "limit": settings.turns}
        short = phrase(f"layer.limit_history.{name}_short", **said)
        gauges = (gauge,) if settings.turns else ()
        return Outcome(blocks, phrase(f"layer.limit_history.{name}", **said), short, gauges)
    kept = min(turns, settings.turns)
    reasons = dict.fromkeys(blocks[:start], phrase("layer.limit_history.older", limit=settings.turns))
    why = phrase("layer.limit_history.fired", kept=kept, turns=turns, n=start)
    return Outcome(blocks[start:], why, None, (gauge,), reasons)
