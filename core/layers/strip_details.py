"""Tool results lose their `details`: material for the user interface, possibly hostile, never sent to a model.

Source: recorded cases of layer c (`stripToolResultDetails`). The providers never get details anyhow; what this layer
guards is everything that later reads the messages, summarizers above all.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from core import javascript
from core.layer import Outcome, StepContext
from core.messages import Message
from core.phrase import Phrase, phrase
from core.prompt import Block, Blocks

ID = "strip_details"
TITLE = phrase("layer.strip_details.title")
MARK = "request"


@dataclass(frozen=True, slots=True)
class Settings:
    pass


def apply(blocks: Blocks, settings: Settings, context: StepContext) -> Outcome:
    after: list[Block] | None = None
    reasons: dict[Block, Phrase] = {}
    gone = 0
    for index, size in enumerate(context.each("details", blocks, _details)):
        if size < 0:
            continue
        block = blocks[index]
        gone += size
        after = after if after is not None else list(blocks)
        after[index] = context.made(block, (ID,), partial(without_details, block.message))
        reasons[block] = phrase("layer.strip_details.dropped", chars=size)
    if after is None:
        return Outcome(blocks, phrase("layer.strip_details.quiet"), phrase("layer.strip_details.quiet_short"))
    return Outcome(tuple(after), phrase("layer.strip_details.fired", n=len(reasons), chars=gone), None, (), reasons)


def _details(message: Message) -> int:
    """Characters of the details as JSON, -1 without."""
    if message.role != "toolResult" or not message.is_object or "details" not in message.fields:
        return -1
    return javascript.json_length(message.fields["details"])


def without_details(message: Message) -> Message:
    return replace(message, fields={key: value for key, value in message.fields.items() if key != "details"})
