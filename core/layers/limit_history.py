"""Only the newest turns are sent: the limit counts user messages from the end.

Source: recorded cases of layers c (`limitHistoryTurns`) and k (`getHistoryLimitFromSessionKey`). Cutting between a call
and its result leaves strays, which is why pairs are repaired once more afterwards.

The limit is that of the session's key (`context.session_key`), first by the agent's own configuration where the run
knows it (`context.extra["config"]`: its `channels`), else by the settings: one for direct messages, one for channels
and groups, one for everything.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from core.layer import Gauge, Outcome, StepContext
from core.phrase import literal, phrase
from core.prompt import Blocks
from core.session_key import history_limit, kind
from core.settings import number, switch

ID = "limit_history"
TITLE = phrase("layer.limit_history.title")
MARK = "request"
OLDER = phrase("layer.limit_history.older")


@dataclass(frozen=True, slots=True)
class Settings:
    """`turns`: of every session, 0 = no limit. `dm_turns`, `channel_turns`: of such a session instead, 0 = as above.
    `configured`: what the agent's configuration says comes first, a 0 in it too."""

    turns: int = number(0, 0, 10_000, unit="turns", gauge="turns")
    dm_turns: int = number(0, 0, 10_000, unit="turns", gauge="turns")
    channel_turns: int = number(0, 0, 10_000, unit="turns", gauge="turns")
    configured: bool = switch(True)


def limit_of(settings: Settings, context: StepContext) -> tuple[float, str]:
    """(user messages to keep, 0 = all; the setting that says so, "" = the agent's configuration)."""
    config = context.extra.get("config")
    if settings.configured and config is not None:
        found = history_limit(context.session_key, config)
        if isinstance(found, int | float) and not isinstance(found, bool):
            return found, ""
    own = {"dm": settings.dm_turns, "channel": settings.channel_turns}.get(kind(context.session_key), 0)
    return (own, f"{kind(context.session_key)}_turns") if own else (settings.turns, "turns")


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
    limit, setting = limit_of(settings, context)
    whole = math.floor(limit) if limit > 0 and math.isfinite(limit) else 0
    roles = context.whole("roles", blocks, lambda: tuple([block.message.role for block in blocks]))
    turns = roles.count("user")
    gauge = Gauge("turns", turns, whole, "turns", setting)
    start = first_kept(roles, limit)
    notes = () if setting == "turns" else (phrase(f"layer.limit_history.by_{setting or 'config'}", limit=whole),)
    if context.session_key:
        notes = (*notes, phrase("layer.limit_history.key", key=literal(context.session_key)))
    if start == 0:
        name = "quiet" if limit > 0 else "no_limit"
        said = {"n": turns, "limit": whole}
        short = phrase(f"layer.limit_history.{name}_short", **said)
        gauges = (gauge,) if limit > 0 else ()
        return Outcome(blocks, phrase(f"layer.limit_history.{name}", **said), short, gauges, notes=notes)
    kept = roles[start:].count("user")
    why = phrase("layer.limit_history.fired", kept=kept, turns=turns, n=start)
    return Outcome(blocks[start:], why, None, (gauge,), notes=notes, reason=OLDER)
