"""The Timeline: every request of a path with its recorded usage, its budget by role, its break and its cost."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from core.cache import Break
from core.session import Request

ROLES = ("toolResult", "summary", "assistant", "user")
"""Budget roles from the bottom of the stack up; bashExecution and custom count as user, summaries as summary."""


@dataclass(frozen=True, slots=True)
class RequestSummary:
    """One request on the path.

    `tokens`: estimated tokens by ROLES, same order, of the messages of step 0. `unrecorded`: recorded prompt size
    minus their sum, at least 0: tools and system prompt, which are not in the file. `compaction`: row of the
    compaction that applies to this request, None without one. `cost`: recorded if present, else computed from dated
    prices (`cost_recorded` tells), None if neither. `total_cost`: running sum on the path.
    `cold`: the first request, or the first below the cacheable minimum: no break, but nothing was read.
    """

    request: Request
    tokens: tuple[int, ...]
    unrecorded: int
    compaction: int | None
    broke: Break | None
    cost: Decimal | None
    cost_recorded: bool
    total_cost: Decimal
    note: str = ""
    """"first", "below_minimum" or "": why nothing was read although it is no break."""

    @property
    def messages(self) -> int:
        return sum(self.tokens)


@dataclass(frozen=True, slots=True)
class Timeline:
    """All requests of the path to `leaf`, in order. `window`: tokens, and where the figure comes from.

    `next_tokens`: budget by ROLES of what would be sent now (the path to its leaf, no usage yet).
    `breaks`: those of the path, in order (found by at least one detector).
    """

    leaf: int | None
    path: tuple[int, ...]
    counter: str
    window: int
    window_known: bool
    summaries: tuple[RequestSummary, ...]
    breaks: tuple[Break, ...]
    next_tokens: tuple[int, ...]
    session_cost: Decimal
    """Of all requests of the file, other branches included."""
