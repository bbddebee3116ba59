"""What a run would send, before anything is sent: the exact prompts, their size, what they would cost at most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from core import instructions, models
from core.compaction import Plan
from core.compaction_plan import stripped
from core.messages import Message, Usage
from core.session import Session
from core.summarizer import Ask, Stage
from core.summary_prompt import Prompt, prompt


@dataclass(frozen=True, slots=True)
class Planned:
    """One call of the first rung. `waits`: it also gets a summary that an earlier call has yet to give, at the place of
    which the prompt has nothing. Merges have no messages yet."""

    ask: Ask
    prompt: Prompt
    waits: bool


@dataclass(frozen=True, slots=True)
class Estimate:
    """Tokens estimated: `input` of all calls with the summaries that they wait for, `output` at most. `cost` in US
    dollars, None where no price is known. Retries and fallbacks come on top."""

    calls: int
    input: int
    output: int
    cost: Decimal | None


def preview(plan: Plan) -> tuple[Planned, ...]:
    """In the order in which they would be asked."""
    found = plan.preparation
    base = plan.texts.focus
    if plan.settings.mode == "safeguard":
        focus = instructions.focus(plan.texts.focus, None)
        base = instructions.structure(focus, plan.settings.identifiers, plan.texts.own)
    planned: list[Planned] = []
    for stage in ("chunk", "prefix"):
        pieces = [piece for piece in plan.pieces if piece.stage == stage]
        if not pieces:
            continue
        staged = len({piece.part for piece in pieces}) > 1
        first = None if staged or stage == "prefix" else found.previous_summary
        custom = base if stage == "chunk" else _of_prefix(plan, base)
        part = 0
        for number, piece in enumerate(pieces, 1):
            begins, part = piece.part != part, piece.part
            messages = tuple(map(stripped, piece.messages))
            planned.append(_planned(plan, piece.stage, number, messages, first if begins else None, custom, not begins))
        if staged:
            before = found.previous_summary if stage == "chunk" else None
            planned.append(_planned(plan, "merge", 1, (), before, instructions.merging(custom), True))
    return tuple(planned)


def _of_prefix(plan: Plan, base: str | None) -> str:
    if plan.settings.mode == "safeguard" and base is not None:
        return instructions.of_turn_prefix(base)
    return instructions.TURN_PREFIX + (f"\n\n{base}" if base else "")


def _planned(
    plan: Plan,
    stage: Stage,
    chunk: int,
    messages: tuple[Message, ...],
    previous: str | None,
    custom: str | None,
    waits: bool,
) -> Planned:
    said = instructions.summarization(custom, plan.settings.identifiers, plan.texts.own)
    ask = Ask(0, stage, chunk, 1, messages, previous, said, plan.settings.free)
    return Planned(ask, prompt(ask), waits)


def estimate(planned: tuple[Planned, ...], model: str, when_ms: int | None, answer: int = 1_500) -> Estimate:
    """`answer`: tokens that a summary usually has, for those that later calls get; `when_ms`: the day of the price."""
    given = sum(one.prompt.tokens + answer * one.waits for one in planned)
    most = sum(one.ask.max_output for one in planned)
    cost = models.cost(model, Usage(input=given, output=most), when_ms)
    return Estimate(len(planned), given, most, cost)


def model_before(session: Session, path: Sequence[int]) -> str:
    """The model of the last answer on the path: whom the agent would ask. "" without any."""
    for row in reversed(path):
        reply = session.reply(row)
        if reply is not None and not reply.mirror and reply.model:
            return reply.model
    return ""
