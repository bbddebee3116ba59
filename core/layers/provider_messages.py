"""The last step: the agent's messages become those of the provider.

Source: recorded cases of layer j (pi 0.65.0, which OpenClaw 2026.4.5 uses too). See core/conversion.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core import conversion
from core.layer import Outcome, StepContext
from core.phrase import Phrase, phrase
from core.prompt import Block, Blocks
from core.settings import choice, switch
from core.transcript_policy import ANTHROPIC, COMPLETIONS

ID = "provider_messages"
TITLE = phrase("layer.provider_messages.title")
MARK = "request"

IDS = {"keep": None, "charset_64": conversion.charset_64, "before_pipe_40": conversion.before_pipe_40}


@dataclass(frozen=True, slots=True)
class Settings:
    """`ids`: how call ids of other models are made safe; "by_provider": Anthropic's APIs take [A-Za-z0-9_-], OpenAI's
    completions at most 40 units of what stands before a bar. `transform`: adapt thinking, ids, open calls to the model.
    """

    ids: str = choice("by_provider", "by_provider", "keep", "charset_64", "before_pipe_40")
    transform: bool = switch(True)


def ids_for(api: str) -> conversion.NormalizeId | None:
    """How ids are made safe for an API. Which provider takes which of the recorded functions is general knowledge."""
    if api in ANTHROPIC:
        return conversion.charset_64
    return conversion.before_pipe_40 if api in COMPLETIONS else None


def apply(blocks: Blocks, settings: Settings, context: StepContext) -> Outcome:
    reasons: dict[Block, Phrase] = {}
    after = conversion.to_provider(blocks, reasons)
    if settings.transform:
        normalize = ids_for(context.target.api) if settings.ids == "by_provider" else IDS[settings.ids]
        after = conversion.transform(after, context.target, normalize, context.now, reasons)
    if len(after) == len(blocks) and all(a is b for a, b in zip(after, blocks, strict=True)):
        short = phrase("layer.provider_messages.quiet_short")
        return Outcome(blocks, phrase("layer.provider_messages.quiet"), short)
    summaries = sum(block.message.role in ("branchSummary", "compactionSummary") for block in blocks)
    notes = (phrase("layer.wording_ours"),) if summaries else ()
    return Outcome(after, _why(blocks, after, reasons), None, (), reasons, notes=notes)


def _why(blocks: Blocks, after: Blocks, reasons: Mapping[Block, Phrase]) -> Phrase:
    """How many of which kind, told once for every message that came in or was added."""
    counts: dict[str, int] = {}
    for block in (*blocks, *(block for block in after if block.origin.made_by == conversion.MAKER)):
        said = reasons.get(block)
        if said is not None:
            what = said.id.rpartition(".")[2]
            counts[what] = counts.get(what, 0) + 1
    parts = [phrase(f"layer.provider_messages.{what}_part", n=n) for what, n in counts.items()]
    whole = parts[0] if parts else phrase("layer.provider_messages.rewritten_part", n=len(reasons))
    for more in parts[1:]:
        whole = phrase("layer.also", first=whole, second=more)
    return whole
