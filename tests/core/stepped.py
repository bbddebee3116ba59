"""Traces for tests: a few messages, a few layers, sizes that one can count."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core import pipeline
from core.context import Context, Origin
from core.layer import StepContext, Target
from core.messages import Message
from core.pipeline import Sizes, Trace
from core.profile import Profile, parse
from core.prompt import Block, Blocks, blocks_of

Json = Any
ANTHROPIC = Target("anthropic", "anthropic-messages", "m", "anthropic")


def user(text: str) -> Json:
    return {"role": "user", "content": [{"type": "text", "text": text}]}


def reply(text: str, *calls: str) -> Json:
    content: list[Json] = [{"type": "text", "text": text}] if text else []
    content += [{"type": "toolCall", "id": id, "name": "read", "arguments": {"path": id}} for id in calls]
    return {"role": "assistant", "content": content, "stopReason": "toolUse" if calls else "stop"}


def result(id: str, text: str, **fields: Json) -> Json:
    content = [{"type": "text", "text": text}]
    return {"role": "toolResult", "toolCallId": id, "toolName": "read", "content": content, **fields}


def profile(*layers: str | tuple[str, dict[str, Json]], **fields: Json) -> Profile:
    """`("guard_context", {"share": 0.5})`: one instance with settings."""
    rows = []
    for layer in layers:
        use, settings = (layer, {}) if isinstance(layer, str) else layer
        rows.append({"use": use, "set": settings})
    return parse({"id": "test", "layer": rows, **fields}, "test")


def blocks(messages: Sequence[Json]) -> Blocks:
    made = tuple(map(Message.of, messages))
    return blocks_of(context(made))


def context(messages: tuple[Message, ...]) -> Context:
    origins = tuple(Origin((row,)) for row in range(len(messages)))
    return Context(messages, origins, None, (), (), "off", None)


def chars(block: Block) -> int:
    return sum(len(part.text) for part in block.message.parts if part.text is not None)


def trace(messages: Sequence[Json], wanted: Profile, window: int = 1_000) -> Trace:
    """One token = one character."""
    made = context(tuple(map(Message.of, messages)))
    step = StepContext(window=window, target=ANTHROPIC)
    return pipeline.run(made, blocks_of(made), wanted, step, Sizes(chars, chars))
