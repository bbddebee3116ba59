"""Gemini CLI checkpoints, one JSON document under a .json or .jsonl name: recognised and named, not read yet.

Signs: session formats 0 and 5; the items of the document are {role, parts} or {type: user|gemini, content}.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.messages import Json
from core.phrase import phrase

ID = "gemini_cli"
TITLE = phrase("format.gemini_cli")
SUPPORTED = False
REFUSED = phrase("format.gemini_cli_refused")


def score(objects: Sequence[Json]) -> int:
    points = 0
    for value in objects:
        listed = next((value[key] for key in ("messages", "history") if isinstance(value.get(key), list)), None)
        items = [value] if listed is None else [item for item in listed[:50] if isinstance(item, dict)]
        points += sum(20 for item in items if _message(item))
    return points


def _message(item: Json) -> bool:
    if isinstance(item.get("parts"), list):
        return item.get("role") in ("user", "model")
    return item.get("type") in ("user", "gemini") and "content" in item and "uuid" not in item
