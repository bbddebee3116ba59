"""Tool calls that no provider would accept are dropped: without id, name or input, or with a name that is not allowed.

Source: recorded cases of layer c (`repairToolCallInputs`), 2026.4.5 and 2026.3.24 (stricter names). Kept names are
trimmed; attachments of a `sessions_spawn` call lose their content. An assistant that has nothing left is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from core import javascript
from core.layer import Outcome, StepContext
from core.messages import Json, Part, Shape
from core.pairing import NAME_LIMIT, NAMES, is_call
from core.phrase import Phrase, phrase
from core.prompt import Block, Blocks
from core.settings import choice, patterns

ID = "repair_inputs"
TITLE = phrase("layer.repair_inputs.title")
MARK = "request"

REDACTED = "[attachment redacted]"
"""Stands for the content of an attachment; known by its length only (21 units): wording ours."""
SPAWN = "sessions_spawn"


@dataclass(frozen=True, slots=True)
class Settings:
    """`names`: the characters a tool name may have, by version. `allowed`: tool names; none = every name."""

    names: str = choice("2026.4.5", "2026.4.5", "2026.3.24")
    allowed: tuple[str, ...] = patterns()


def apply(blocks: Blocks, settings: Settings, context: StepContext) -> Outcome:
    usable = _rule(NAMES[settings.names], settings.allowed)
    after: list[Block] | None = None
    reasons: dict[Block, Phrase] = {}
    dropped = renamed = seen = lost = 0
    for index, block in enumerate(blocks):
        message = block.message
        kept: Block | None = block
        if message.role == "assistant" and message.shape is Shape.LIST and any(map(is_call, message.parts)):
            parts, gone, touched = _repaired(message.parts, usable)
            seen += sum(map(is_call, message.parts))
            if gone or touched:
                dropped, renamed = dropped + gone, renamed + touched
                said = "dropped" if gone else "rewritten"
                reasons[block] = phrase(f"layer.repair_inputs.{said}", n=gone or touched)
                made = Block.of(replace(message, parts=parts), block.origin, block)
                kept = made if parts or not gone else None
                lost += kept is None
                after = after if after is not None else list(blocks[:index])
        if after is not None and kept is not None:
            after.append(kept)
    if after is None:
        name = "quiet" if seen else "no_calls"
        why = phrase(f"layer.repair_inputs.{name}", n=seen)
        return Outcome(blocks, why, phrase(f"layer.repair_inputs.{name}_short", n=seen))
    name = "fired" if dropped else "fired_rewritten"
    why = phrase(f"layer.repair_inputs.{name}", n=dropped or renamed, messages=lost)
    return Outcome(tuple(after), why, None, (), reasons)


def _rule(names: re.Pattern[str], allowed: tuple[str, ...]) -> Callable[[Part], bool]:
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


def _repaired(parts: tuple[Part, ...], usable: Callable[[Part], bool]) -> tuple[tuple[Part, ...], int, int]:
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
