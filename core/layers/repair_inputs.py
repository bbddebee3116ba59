"""Tool calls that no provider would accept are dropped: without id, name or input, or with a name that is not allowed.

Source: recorded cases of layer c (`repairToolCallInputs`), 2026.4.5 and 2026.3.24 (stricter names). Kept names are
trimmed; attachments of a `sessions_spawn` call lose their content. An assistant that has nothing left is dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from core.call_inputs import REDACTED as REDACTED
from core.call_inputs import call_rule, repaired
from core.layer import Outcome, StepContext
from core.messages import Message, Part, Shape
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
    after: list[Block | None] | None = None
    reasons: dict[Block, Phrase] = {}
    dropped = renamed = lost = 0
    plans = context.each((ID, settings), blocks, lambda message: _plan(message, usable))
    seen = sum([plan.seen for plan in plans])
    for index in [index for index, plan in enumerate(plans) if plan.gone or plan.touched]:
        block, plan = blocks[index], plans[index]
        dropped, renamed = dropped + plan.gone, renamed + plan.touched
        said = "dropped" if plan.gone else "rewritten"
        reasons[block] = phrase(f"layer.repair_inputs.{said}", n=plan.gone or plan.touched)
        after = after if after is not None else [*blocks]
        lost += plan.message is None
        after[index] = None if plan.message is None else context.made(block, (ID, settings), partial(_of, plan.message))
    if after is None:
        name = "quiet" if seen else "no_calls"
        why = phrase(f"layer.repair_inputs.{name}", n=seen)
        return Outcome(blocks, why, phrase(f"layer.repair_inputs.{name}_short", n=seen))
    name = "fired" if dropped else "fired_rewritten"
    why = phrase(f"layer.repair_inputs.{name}", n=dropped or renamed, messages=lost)
    return Outcome(tuple([block for block in after if block is not None]), why, None, (), reasons)


@dataclass(frozen=True, slots=True, eq=False)
class _Plan:
    """What becomes of a message: `seen` calls, `gone` dropped, `touched` cleaned; `message`: the outcome, None = none
    of it is left."""

    message: Message | None
    seen: int = 0
    gone: int = 0
    touched: int = 0


_NOTHING = _Plan(None)


def _plan(message: Message, usable: Callable[[Part], bool]) -> _Plan:
    seen = sum(map(is_call, message.parts)) if message.role == "assistant" and message.shape is Shape.LIST else 0
    if not seen:
        return _NOTHING
    parts, gone, touched = repaired(message.parts, usable)
    left = replace(message, parts=parts) if parts or not gone else None
    return _Plan(left, seen, gone, touched)


def _of(message: Message) -> Message:
    return message
