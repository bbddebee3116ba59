"""Which tool calls a provider would accept: the rules for id, name and input, and what is cleaned in a kept call.

Source: recorded cases of layer c (`repairToolCallInputs`). Used before every request (layer `repair_inputs`) and
when an assistant message is written (`core.persistence`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from core import javascript
from core.messages import Json, Part
from core.pairing import NAME_LIMIT, is_call

REDACTED = "[attachment redacted]"
"""Stands for the content of an attachment; known by its length only (21 units): wording ours."""
SPAWN = "sessions_spawn"


def call_rule(names: re.Pattern[str], allowed: tuple[str, ...]) -> Callable[[Part], bool]:
    wanted = {name.strip().lower() for name in allowed if name.strip()}

    def usable(part: Part) -> bool:
        id, name = part.get("id"), part.get("name")
        if part.get("input") is None and part.get("arguments") is None:
            return False
        if not isinstance(id, str) or not javascript.trim(id) or not isinstance(name, str):
            return False
        trimmed = javascript.trim(name)
        if not trimmed or javascript.length(trimmed) > NAME_LIMIT or not names.fullmatch(trimmed):
            return False
        return not wanted or trimmed.lower() in wanted

    return usable


def repaired(parts: tuple[Part, ...], usable: Callable[[Part], bool]) -> tuple[tuple[Part, ...], int, int]:
    """(parts, calls dropped, calls rewritten)."""
    kept: list[Part] = []
    dropped = touched = 0
    for part in parts:
        if not is_call(part):
            kept.append(part)
        elif not usable(part):
            dropped += 1
        else:
            new = _cleaned(part)
            touched += new is not part
            kept.append(new)
    return tuple(kept), dropped, touched


def _cleaned(part: Part) -> Part:
    """Name trimmed; for `sessions_spawn` the attachments without content."""
    name = javascript.trim(part.raw["name"])
    raw = part.raw if name == part.raw["name"] else {**part.raw, "name": name}
    if name.lower() == SPAWN:
        for key in ("arguments", "input"):
            value = raw.get(key)
            if isinstance(value, dict) and isinstance(value.get("attachments"), list):
                raw = {**raw, key: {**value, "attachments": [_without_content(item) for item in value["attachments"]]}}
    return part if raw is part.raw else replace(part, raw=raw)


def _without_content(attachment: Json) -> Json:
    if not isinstance(attachment, dict) or "content" not in attachment:
        return attachment
    return {**{key: value for key, value in attachment.items() if key != "content"}, "content": REDACTED}
