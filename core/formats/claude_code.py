"""Claude Code transcripts (and iFlow's, which use the same keys): recognised and named, not read yet.

Signs: session formats 0. Bookkeeping lines without `uuid` often come first.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.messages import Json
from core.phrase import phrase

ID = "claude_code"
TITLE = phrase("format.claude_code")
SUPPORTED = False
REFUSED = phrase("format.claude_code_refused")

_BOOKKEEPING = frozenset(
    {"summary", "file-history-snapshot", "file-history-delta", "queue-operation", "permission-mode", "mode"}
    | {"ai-title", "custom-title", "last-prompt", "pr-link"}
)


def score(objects: Sequence[Json]) -> int:
    points = 0
    for value in objects:
        if {"uuid", "parentUuid", "sessionId"} <= value.keys():
            points += 20
        elif isinstance(kind := value.get("type"), str) and kind in _BOOKKEEPING:
            points += 10
    return points
