"""What the provider itself would take out of the prompt before the model reads it: a what-if.

Anthropic: `clear_thinking`, then `clear_tool_uses`; OpenAI: `truncation`, "auto" or the default, which refuses a prompt
that is too long. By the providers' documentation (prompt cache 3), nothing is recorded. The client sends everything, so
the cache breaks at the first thing that is cleared. The run may supply `context.extra["unrecorded_tokens"]`: tools and
system prompt, which count for the trigger.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

from core.estimate import pi_tokens
from core.layer import Gauge, Outcome, StepContext
from core.messages import Message
from core.phrase import Phrase, phrase
from core.prompt import Block, Blocks
from core.server_edits import Cleared, Tokens, clear_thinking, clear_tool_uses, keeps_all_thinking, truncate
from core.settings import choice, number, patterns, switch

ID = "provider_edits"
TITLE = phrase("layer.provider_edits.title")
MARK = "request"


@dataclass(frozen=True, slots=True)
class Settings:
    """`trigger`, `at_least`: tokens, or the share of the window where that is more. `trigger_uses`: tool uses instead
    of tokens, 0 = tokens. `keep`: newest tool uses. `exclude`: tools never cleared. `inputs`: tools whose input is
    cleared too. `thinking`: every turn's stays, as the model's default has it, or only that of the newest
    `thinking_turns`. `truncation`: OpenAI's parameter."""

    tool_uses: bool = switch(True)
    trigger: int = number(100_000, 0, 2_000_000, unit="tokens", step=1_000, gauge="input_tokens")
    trigger_share: float = number(0.0, 0.0, 1.0, unit="share", step=0.01, gauge="input_tokens")
    trigger_uses: int = number(0, 0, 1_000, unit="count", gauge="tool_uses")
    keep: int = number(3, 0, 1_000, unit="count")
    at_least: int = number(0, 0, 1_000_000, unit="tokens", step=500, gauge="freed")
    at_least_share: float = number(0.0, 0.0, 1.0, unit="share", step=0.01, gauge="freed")
    exclude: tuple[str, ...] = patterns()
    inputs: tuple[str, ...] = patterns()
    thinking: str = choice("all", "all", "model", "turns")
    thinking_turns: int = number(1, 1, 100, unit="turns")
    truncation: str = choice("none", "none", "auto", "disabled")


def apply(blocks: Blocks, settings: Settings, context: StepContext) -> Outcome:
    tokens = context.tokens or _quarter(context)
    other = context.extra.get("unrecorded_tokens")
    total = sum([tokens(block) for block in blocks]) + (other if isinstance(other, int) else 0)
    reasons: dict[Block, Phrase] = {}
    said: list[Phrase] = []
    thought = _thinking(blocks, settings, context, tokens)
    _note(reasons, blocks, thought, "thinking")
    if thought.indices:
        said.append(phrase("layer.provider_edits.thinking_part", n=len(thought.indices), tokens=thought.freed))
    used, quiet, gauges = _tool_uses(thought.blocks, settings, context, tokens, total - thought.freed)
    _note(reasons, blocks, used, "cleared")
    if used.indices:
        said.append(phrase("layer.provider_edits.cleared_part", n=len(used.indices), tokens=used.freed))
    left = total - thought.freed - used.freed
    after = _standing_for(blocks, used.blocks, context)
    if settings.truncation != "none":
        gauges = (*gauges, Gauge("prompt_tokens", left, context.window, "tokens"))
    over = left - context.window
    notes: tuple[Phrase, ...] = (phrase("layer.provider_edits.documented"),)
    if settings.truncation == "disabled" and over > 0:
        why = phrase("layer.provider_edits.refused", total=left, window=context.window)
        return Outcome(after, why, None, gauges, reasons, overflow=True, notes=notes)
    if settings.truncation == "auto" and over > 0:
        cut = truncate(after, tokens, over)
        gone = {id(blocks[index]) for index in cut.indices}
        reasons = {block: why for block, why in reasons.items() if id(block) not in gone}
        reasons |= {blocks[index]: phrase("layer.provider_edits.truncated") for index in cut.indices}
        if cut.indices:
            said.append(phrase("layer.provider_edits.truncated_part", n=len(cut.indices), tokens=cut.freed))
        after = cut.blocks
    if not said:
        why = phrase(f"layer.provider_edits.{quiet}", total=total, **_numbers(settings, context, used, blocks))
        return Outcome(blocks, why, phrase("layer.provider_edits.quiet_short", total=total), gauges, notes=notes)
    why = said[0]
    for more in said[1:]:
        why = phrase("layer.also", first=why, second=more)
    if used.indices:
        notes = (*notes, phrase("layer.wording_ours"))
    return Outcome(after, why, None, gauges, reasons, notes=notes)


def _standing_for(blocks: Blocks, after: Blocks, context: StepContext) -> Blocks:
    """A block that two edits changed names the one that came in as its `before`."""
    if after is blocks:
        return blocks
    return tuple(
        new if new is old or new.before is old else context.made(old, (ID, new.key), partial(_message, new))
        for old, new in zip(blocks, after, strict=True)
    )


def _message(block: Block) -> Message:
    return block.message


def _quarter(context: StepContext) -> Tokens:
    """A quarter of the characters, where no counter is in use."""
    return lambda block: context.measure("pi", block, pi_tokens)


def _thinking(blocks: Blocks, settings: Settings, context: StepContext, tokens: Tokens) -> Cleared:
    if settings.thinking == "all" or (settings.thinking == "model" and keeps_all_thinking(context.target.model)):
        return Cleared(blocks, (), 0)
    return clear_thinking(context, blocks, tokens, settings.thinking_turns if settings.thinking == "turns" else 1)


def _tool_uses(
    blocks: Blocks, settings: Settings, context: StepContext, tokens: Tokens, total: int
) -> tuple[Cleared, str, tuple[Gauge, ...]]:
    """(what was cleared, why nothing was, the gauges)."""
    nothing = Cleared(blocks, (), 0)
    if not settings.tool_uses:
        return nothing, "switched_off", ()
    uses = sum(block.message.role == "toolResult" for block in blocks)
    if settings.trigger_uses:
        gauge = Gauge("tool_uses", uses, settings.trigger_uses, "count", "trigger_uses")
        triggered = uses > settings.trigger_uses
    else:
        trigger = _trigger(settings, context)
        setting = "trigger" if trigger == settings.trigger else "trigger_share"
        gauge = Gauge("input_tokens", total, trigger, "tokens", setting)
        triggered = total > trigger
    if not triggered:
        return nothing, "below_uses" if settings.trigger_uses else "below", (gauge,)
    least = _at_least(settings, context)
    found = clear_tool_uses(context, blocks, tokens, settings.keep, least, settings.exclude, settings.inputs)
    setting = "at_least" if least == settings.at_least else "at_least_share"
    freed = Gauge("freed", found.could_free, least, "tokens", setting)
    quiet = "too_little" if found.could_free and not found.indices else "nothing"
    return found, quiet, (gauge, freed) if least else (gauge,)


def _trigger(settings: Settings, context: StepContext) -> int:
    return max(settings.trigger, math.floor(settings.trigger_share * context.window))


def _at_least(settings: Settings, context: StepContext) -> int:
    return max(settings.at_least, math.floor(settings.at_least_share * context.window))


def _numbers(settings: Settings, context: StepContext, found: Cleared, blocks: Blocks) -> dict[str, int]:
    return {
        "trigger": _trigger(settings, context),
        "uses": sum(block.message.role == "toolResult" for block in blocks),
        "least_uses": settings.trigger_uses,
        "freed": found.could_free,
        "least": _at_least(settings, context),
    }


def _note(reasons: dict[Block, Phrase], blocks: Blocks, found: Cleared, name: str) -> None:
    for index in found.indices:
        said = "input" if name == "cleared" and blocks[index].message.role == "assistant" else name
        reasons[blocks[index]] = phrase(f"layer.provider_edits.{said}")
