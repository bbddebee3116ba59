"""Tool calls and their results: which blocks of an assistant are calls, which call a result answers.

Source: recorded cases of layer c (section 5 of their description), OpenClaw 2026.3.24 and 2026.4.5.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from core import javascript
from core.context import Origin
from core.messages import Json, Message, Part, Shape
from core.prompt import Block

CALL_KINDS = frozenset({"toolCall", "toolUse", "functionCall"})
MISSING_RESULT = (
    "[No result was recorded for this call; the session may have been cut off. Do not rely on its having run.]"
)
"""Text of a synthetic result; known by its length only (105 units): wording ours."""
NAME_LIMIT = 64
NAMES = {"2026.4.5": re.compile(r"[A-Za-z0-9_:.-]+"), "2026.3.24": re.compile(r"[A-Za-z0-9_-]+")}
"""Which characters a tool name may have, by version."""


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call of an assistant. `name` None when it is no string."""

    id: str
    name: str | None


def is_call(part: Part) -> bool:
    return part.kind in CALL_KINDS


def calls(message: Message) -> tuple[Call, ...]:
    """`extractToolCallsFromAssistant`: blocks of a call type with a non-empty string id, names untrimmed."""
    if message.shape is not Shape.LIST:
        return ()
    found = []
    for part in message.parts:
        id = part.get("id")
        if is_call(part) and isinstance(id, str) and id:
            name = part.get("name")
            found.append(Call(id, name if isinstance(name, str) else None))
    return tuple(found)


def result_id(message: Message) -> str | None:
    """`extractToolResultId`: toolCallId, else toolUseId."""
    for key in ("toolCallId", "toolUseId"):
        id = message.get(key)
        if isinstance(id, str) and id:
            return id
    return None


def failed(message: Message) -> bool:
    return message.get("stopReason") in ("error", "aborted")


def with_fields(message: Message, **fields: Json) -> Message:
    """The message with other fields than its content changed."""
    return replace(message, fields={**message.fields, **fields})


def named(message: Message, fallback: str | None) -> Message:
    """The result with its tool name trimmed; a blank or absent one becomes that of the call.

    The very message when nothing changes. "unknown" only where the name was a string and the call has none."""
    name = message.get("toolName")
    trimmed = javascript.trim(name) if isinstance(name, str) else ""
    if trimmed:
        return message if trimmed == name else with_fields(message, toolName=trimmed)
    other = javascript.trim(fallback) if fallback is not None else ""
    if other:
        return with_fields(message, toolName=other)
    return with_fields(message, toolName="unknown") if isinstance(name, str) else message


def synthetic(call: Call, now: int | None, maker: str, text: str = MISSING_RESULT) -> Block:
    """An error result for a call that has none."""
    raw = {
        "role": "toolResult",
        "toolCallId": call.id,
        "toolName": call.name if call.name is not None else "unknown",
        "content": [{"type": "text", "text": text}],
        "isError": True,
        "timestamp": now,
    }
    return Block.of(Message.of(raw), Origin((), maker))
