"""Codex rollouts, of the enveloped layout and the old bare one: recognised and named, not read yet.

Signs: session formats 0 and 4.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.messages import Json
from core.phrase import phrase

ID = "codex"
TITLE = phrase("format.codex")
SUPPORTED = False
REFUSED = phrase("format.codex_refused")

_ENVELOPES = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
_ITEMS = frozenset({"message", "reasoning", "function_call", "function_call_output"})


def score(objects: Sequence[Json]) -> int:
    points = 0
    for value in objects:
        kind = value.get("type")
        if not isinstance(kind, str | None):
            continue
        if kind in _ENVELOPES and "payload" in value:
            points += 20
        elif kind is None and {"id", "timestamp", "instructions"} <= value.keys():
            points += 50
        elif kind is None and value.get("record_type") == "state":
            points += 20
        elif kind in _ITEMS and "parentId" not in value and not isinstance(value.get("message"), dict):
            points += 10
    return points
