"""Hermes chat logs, one chat message per line: recognised and named, not read yet. Signs: session formats 0 and 5."""

from __future__ import annotations

from collections.abc import Sequence

from core.messages import Json
from core.phrase import phrase

ID = "hermes"
TITLE = phrase("format.hermes")
SUPPORTED = False
REFUSED = phrase("format.hermes_refused")

_ROLES = ("user", "assistant", "tool", "system")


def score(objects: Sequence[Json]) -> int:
    points = 0
    for value in objects:
        if "type" in value or "parts" in value:
            return 0
        if value.get("role") == "session_meta":
            points += 50
        elif value.get("role") in _ROLES:
            points += 10
    return points
