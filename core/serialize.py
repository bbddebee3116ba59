"""A conversation as the text that a summarizer reads.

    [User]: fix it
    [Assistant thinking]: …      [Assistant]: …      [Assistant tool calls]: read(path="/x"); ls()
    [Tool result]: the first 2,000 characters of it

Source: the recorded case of `serializeConversation` (layer h, pi 0.65.0).
"""

from __future__ import annotations

from collections.abc import Sequence

from core import javascript
from core.context import Origin
from core.conversion import to_provider
from core.cutting import more_characters
from core.messages import Json, Message, Shape
from core.prompt import Block

RESULT_LIMIT = 2_000
"""UTF-16 units of a tool result that a summarizer gets to see."""


def serialized(messages: Sequence[Message]) -> str:
    """`serializeConversation`: messages of other roles than user, assistant and tool result are left out."""
    parts: list[str] = []
    for message in messages:
        match message.role:
            case "user":
                if said := message.text(""):
                    parts.append(f"[User]: {said}")
            case "assistant" if message.shape is Shape.LIST:
                parts += _spoken(message)
            case "toolResult":
                if said := message.text(""):
                    parts.append(f"[Tool result]: {_cut(said)}")
    return "\n\n".join(parts)


def conversation(messages: Sequence[Message]) -> str:
    """The same for messages of any role: commands, notes and summaries become user messages first, as for a model."""
    blocks = tuple(
        Block(at.to_bytes(8, "big"), "messages", message, Origin((at,))) for at, message in enumerate(messages)
    )
    return serialized([block.message for block in to_provider(blocks, {})])


def _spoken(message: Message) -> list[str]:
    thinking = [str(part.text) for part in message.parts if part.kind == "thinking" and part.text is not None]
    texts = [str(part.text) for part in message.parts if part.kind == "text" and part.text is not None]
    calls = [_call(part.get("name"), part.get("arguments")) for part in message.parts if part.kind == "toolCall"]
    found = []
    if thinking:
        found.append("[Assistant thinking]: " + "\n".join(thinking))
    if texts:
        found.append("[Assistant]: " + "\n".join(texts))
    if calls:
        found.append("[Assistant tool calls]: " + "; ".join(calls))
    return found


def _call(name: Json, arguments: Json) -> str:
    given = arguments if isinstance(arguments, dict) else {}
    listed = ", ".join(f"{key}={javascript.json_text(value)}" for key, value in given.items())
    return f"{name if isinstance(name, str) else 'undefined'}({listed})"


def _cut(text: str) -> str:
    held = javascript.units(text)
    if len(held) <= RESULT_LIMIT:
        return text
    return javascript.joined(held[:RESULT_LIMIT]) + "\n\n" + more_characters(len(held) - RESULT_LIMIT)
