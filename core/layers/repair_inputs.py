"""Tool calls that no provider would accept are dropped: without id, name or input, or with a name that is not allowed.

Source: recorded cases of layer c (`repairToolCallInputs`), 2026.4.5 and 2026.3.24 (stricter names). Kept names are
trimmed; attachments of a `sessions_spawn` call lose their content. An assistant that has nothing left is dropped.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.call_inputs import REDACTED as REDACTED
from core.call_inputs import call_rule, repaired
from core.layer import Outcome, StepContext
from core.messages import Shape
from core.pairing import NAMES, is_call
from core.phrase import Phrase, phrase
from core.prompt import Block, Blocks
from core.settings import choice, patterns

ID = "repair_inputs"
TITLE = phrase("layer.repair_inputs.title")
MARK = "request"


@dataclass(frozen=True, slots=True)
class Settings:
    """`names`: the characters a tool name may have, by version. `allowed`: tool names; none = every name."""

    names: str = choice("2026.4.5", "2026.4.5", "2026.3.24")
    allowed: tuple[str, ...] = patterns()


def apply(blocks: Blocks, settings: Settings, context: StepContext) -> Outcome:
    usable = call_rule(NAMES[settings.names], settings.allowed)
    after: list[Block] | None = None
    reasons: dict[Block, Phrase] = {}
    dropped = renamed = seen = lost = 0
    for index, block in enumerate(blocks):
        message = block.message
        kept: Block | None = block
        if message.role == "assistant" and message.shape is Shape.LIST and any(map(is_call, message.parts)):
            parts, gone, touched = repaired(message.parts, usable)
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
