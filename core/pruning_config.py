"""The agent's own configuration of pruning (`contextPruning`), read as the agent reads it.

Source: recorded cases of layer d (`computeEffectiveSettings`), OpenClaw 2026.4.5.
"""

from __future__ import annotations

import math
import re

from core import javascript
from core.messages import Json
from core.pruning import Rules

_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")
_BARE = re.compile(r"\d+(?:\.\d+)?")
_UNIT_MS = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}


def effective(raw: Json) -> Rules | None:
    """`computeEffectiveSettings`: the rules that `contextPruning` of the agent's configuration means; None = off.

    What has the wrong type is ignored, ratios are clamped to 0…1, counts are floored and never negative."""
    if not isinstance(raw, dict) or raw.get("mode") != "cache-ttl":
        return None
    default = Rules()
    soft, hard, tools = (_object(raw.get(key)) for key in ("softTrim", "hardClear", "tools"))
    enabled, placeholder = hard.get("enabled"), hard.get("placeholder")
    text = javascript.trim(placeholder) if isinstance(placeholder, str) else ""
    return Rules(
        ttl_ms=_duration(raw.get("ttl"), default.ttl_ms),
        keep_last_assistants=_count(raw.get("keepLastAssistants"), default.keep_last_assistants),
        soft_ratio=_ratio(raw.get("softTrimRatio"), default.soft_ratio),
        hard_ratio=_ratio(raw.get("hardClearRatio"), default.hard_ratio),
        min_prunable=_count(raw.get("minPrunableToolChars"), default.min_prunable),
        allow=patterns_of(tools.get("allow")),
        deny=patterns_of(tools.get("deny")),
        max_chars=_count(soft.get("maxChars"), default.max_chars),
        head=_count(soft.get("headChars"), default.head),
        tail=_count(soft.get("tailChars"), default.tail),
        hard_clear=enabled if isinstance(enabled, bool) else default.hard_clear,
        placeholder=text or default.placeholder,
    )


def patterns_of(raw: Json) -> tuple[str, ...]:
    """Patterns as JavaScript would make strings of them; what is no list holds none."""
    return tuple(map(_string, raw)) if isinstance(raw, list) else ()


def _string(value: Json) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return "[object Object]" if isinstance(value, dict) else javascript.json_text(value)


def _object(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}


def _finite(value: Json) -> float | None:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if number and abs(value) < math.inf else None


def _count(value: Json, default: int) -> int:
    found = _finite(value)
    return default if found is None else max(0, math.floor(found))


def _ratio(value: Json, default: float) -> float:
    found = _finite(value)
    return default if found is None else min(1, max(0, found))


def _duration(value: Json, default: int) -> int:
    """`10` (minutes), `90s`, `1.5h`, `1h30m`; milliseconds."""
    if not isinstance(value, str):
        return default
    plain = javascript.trim(value).lower()
    if _BARE.fullmatch(plain):
        return _rounded(float(plain) * _UNIT_MS["m"])
    parts = _DURATION.findall(plain)
    if not parts or "".join(number + unit for number, unit in parts) != plain:
        return default
    return _rounded(sum(float(number) * _UNIT_MS[unit] for number, unit in parts))


def _rounded(value: float) -> int:
    return math.floor(value + 0.5)
