"""A compaction as it is carried out: the summarizer is asked what the plan says, and what failures make necessary.

    plan ─▶ history ─▶ S ┐                     plain: S, then the beginning of the turn
            prefix  ─▶ P ┴▶ summary            safeguard: `core.safeguard` puts it together

It never fails and the summary is never empty; stopping it is told, and then nothing may be done with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core import instructions, javascript
from core.compaction import Plan, rules_of
from core.context import Context, Origin, message_of, settings_on, summary_message
from core.estimate import pi_tokens
from core.messages import Message
from core.quality import Verdict
from core.safeguard import SPLIT_RULE, Material, Net, guarded
from core.session import Session
from core.summarizer import Progress, Summarizer
from core.summarizing import Call, Report, Stopped, Summarizing, Told, Work


@dataclass(frozen=True, slots=True)
class Compaction:
    """What a run came to. `summary` is never empty; `rung`: the last one that was needed (1, 2, 3).

    `stopped`: somebody asked to stop, nothing may be done with it. `raised`: the agent would raise an error here (mode
    pi). `verdicts`: of the safeguard's audits. Tokens estimated."""

    plan: Plan
    summary: str
    rung: int
    calls: tuple[Call, ...]
    left_out: int = 0
    stopped: bool = False
    raised: bool = False
    structured: bool = False
    verdicts: tuple[Verdict, ...] = ()
    tokens_after: int = 0

    @property
    def summary_tokens(self) -> int:
        return -(-javascript.length(self.summary) // 4)


STOPPED = "Context contained {n} messages. The summary was stopped before it was done."


def run(
    session: Session,
    plan: Plan,
    summarizer: Summarizer,
    *,
    wait: Callable[[float], None] = lambda _: None,
    cancelled: Callable[[], bool] = lambda: False,
    report: Report = lambda _: None,
    progress: Progress = lambda _: None,
    clock: Callable[[], float] | None = None,
    broken: frozenset[int] = frozenset(),
) -> Compaction:
    """Asks the summarizer what the plan says, and what failures make necessary. Never raises.

    `broken`: rungs that fail by hand. `wait`, `clock`, `report`, `progress`, `cancelled`: see Summarizing."""
    summarizing = Summarizing(
        summarizer.answer,
        rules_of(plan.settings, plan.texts, broken),
        wait=wait,
        cancelled=cancelled,
        report=report,
        progress=progress,
        clock=clock,
    )
    told: list[Told] = []

    def ask(work: Work) -> str:
        told.append(summarizing.in_stages(work))
        return told[-1].text

    structured, verdicts = False, tuple[Verdict, ...]()
    try:
        if plan.settings.mode == "safeguard":
            done = guarded(_material(plan), _net(plan), plan.window, ask, _last_time(session, plan.path))
            if done is None:  # only a stop gets through the ladder
                raise Stopped
            summary, structured, verdicts = done.summary, done.structured, done.verdicts
        else:
            summary = _plain(plan, ask)
    except Stopped:
        return Compaction(plan, STOPPED.format(n=plan.summarised), 3, tuple(summarizing.calls), stopped=True)
    rung = max((one.rung for one in told), default=1)
    kept = sum(map(pi_tokens, kept_messages(session, plan)))
    return Compaction(
        plan,
        summary,
        rung,
        tuple(call for call in summarizing.calls if not (plan.settings.mode == "pi" and call.rung == 2)),
        sum(one.left_out for one in told),
        raised=plan.settings.mode == "pi" and rung > 1,
        structured=structured,
        verdicts=verdicts,
        tokens_after=kept + -(-javascript.length(summary) // 4),
    )


def _plain(plan: Plan, ask: Callable[[Work], str]) -> str:
    found, focus = plan.preparation, plan.texts.focus
    work = Work(found.messages, plan.limit, plan.window, plan.settings.free, found.previous_summary, focus)
    summary = ask(work)
    if found.prefix:
        custom = instructions.TURN_PREFIX + (f"\n\n{focus}" if focus else "")
        prefix = Work(found.prefix, plan.limit, plan.window, plan.settings.free, None, custom, "prefix")
        summary += f"{SPLIT_RULE}{instructions.SPLIT_TURN}\n\n{ask(prefix)}"
    return summary


def _material(plan: Plan) -> Material:
    found = plan.preparation
    return Material(
        found.messages,
        found.prefix,
        found.split,
        found.previous_summary,
        found.files.read_files,
        found.files.modified_files,
        found.tokens_before,
        plan.settings.free,
        plan.texts.focus,
    )


def _net(plan: Plan) -> Net:
    of = plan.settings
    return Net(
        *(of.turns, of.quality, of.retries, of.share, of.identifiers),
        own=plan.texts.own,
        workspace=plan.texts.workspace,
        plain_status=True,
        chunk=of.chunk,
        cap=of.cap,
    )


def _last_time(session: Session, path: Sequence[int]) -> int | None:
    return next((time for row in reversed(path) if (time := session.entry(row).time) is not None), None)


def kept_messages(session: Session, plan: Plan) -> tuple[Message, ...]:
    """The kept tail: what stays as it is."""
    return tuple(m for row in plan.preparation.kept if (m := message_of(session, row)) is not None)


def context_after(session: Session, done: Compaction) -> Context:
    """The context of the next request, as the agent builds it once the entry is written: what pass 2 begins with."""
    plan, found = done.plan, done.plan.preparation
    said = {"summary": done.summary, "tokensBefore": found.tokens_before}
    messages = [summary_message(said)]
    origins = [Origin((), "summary")]
    for row in found.kept:
        message = message_of(session, row)
        if message is not None:
            messages.append(message)
            origins.append(Origin((row,)))
    thinking, model = settings_on(session, plan.path, session.body)
    rows = tuple(sorted((*found.rows, *found.prefix_rows)))
    return Context(tuple(messages), tuple(origins), None, rows, (), thinking, model)
