"""The last step: the agent's messages become those of the provider.

Source: recorded cases of layer j (pi 0.65.0, which OpenClaw 2026.4.5 uses too). See core/conversion.py.
"""

from __future__ import annotations

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
    after = conversion.to_provider(blocks, reasons, context)
    if settings.transform:
        normalize = ids_for(context.target.api) if settings.ids == "by_provider" else IDS[settings.ids]
        after = conversion.transform(after, normalize, reasons, context)
    if after is blocks:
        short = phrase("layer.provider_messages.quiet_short")
        return Outcome(blocks, phrase("layer.provider_messages.quiet"), short)
    counts: dict[str, int] = {}
    for said in reasons.values():
        what = said.id.rpartition(".")[2]
        counts[what] = counts.get(what, 0) + 1
    parts = [phrase(f"layer.provider_messages.{what}_part", n=n) for what, n in counts.items()]
    why = parts[0]
    for more in parts[1:]:
        why = phrase("layer.also", first=why, second=more)
    notes = (phrase("layer.wording_ours"),) if counts.keys() & {"branchSummary", "compactionSummary"} else ()
    return Outcome(after, why, None, (), reasons, notes=notes)
