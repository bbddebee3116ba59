"""Breaks of the prompt cache, from recorded usage.

Two named detectors stand side by side. *agent*: the read fell below 95 % of the previous read, by at least 1,000
tokens (OpenClaw 2026.4.5, recorded cases of layer f). *ours*: the shortfall against what the previous request left in
the cache (read + write; for caches that report no writes, read) is above 2 % of that.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

Certainty = Literal["recorded", "computed", "likely", "unknown"]
Detector = Literal["agent", "ours"]


@dataclass(frozen=True, slots=True)
class Break:
    """A request that read clearly less than was there. Tokens; `cost` in US dollars, None if no price is known.

    `request`: its number on the path; `entry`: row of its assistant entry; `time`: epoch ms of its start.
    `gap_s`: seconds from the previous request's start to this one's. `expected`: tokens the previous request left in
    the cache; `lost`: expected - read. `cause`: a name of the vocabulary (`ttl_expired`, `model_changed`,
    `thinking_changed`, `compaction`, `second_writer`, `system_changed`, `messages_changed`, `unknown` …).
    """

    request: int
    entry: int
    time: int | None
    gap_s: float | None
    expected: int
    read: int
    lost: int
    cost: Decimal | None
    cause: str
    certainty: Certainty
    detectors: frozenset[Detector]
