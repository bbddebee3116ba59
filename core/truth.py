"""Our prompt against the recorded one, block by block: equal, differs, or not comparable.

    ours       step 0 ─▶ … strip_details ─▶ … limit_history … ─▶ … guard ─▶ as provider messages
    recorded   session:loaded    session:sanitized    session:limited             stream:context

A trace is not complete: a trajectory cuts long values and ends its lists at 64 items, and the words of notices are ours
where only their length is known. Whatever that hides is "not comparable", and never counts as equal. Where a block
differs, the step is named that made the difference: the one that changed the version which the agent still had.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from core.conversion import to_provider
from core.matching import Steps, runs
from core.messages import Message
from core.pipeline import SESSION_CONTEXT, Step, Trace
from core.prompt import Block, Blocks
from core.trace_calls import TracedCall
from core.trace_records import CALL, LIMIT, Contents, TraceRecord, json_digest, tail_of
from core.truth_blocks import Verdict, likeness

UPTO = {
    "session:sanitized": ("replay_filter", "repair_inputs", "repair_pairs", "strip_details"),
    "session:limited": ("validate_turns", "limit_history", "repair_pairs#2"),
    "context.compiled": ("validate_turns", "limit_history", "repair_pairs#2"),
}
"""The steps that a stage stands behind, by instance; `session:loaded` stands behind step 0 (agent pipeline 1 and 4)."""

_WORK = 200_000
"""Comparisons that finding out which messages belong together may cost."""


@dataclass(frozen=True, slots=True)
class Compared:
    """`ours`, `recorded`: index on each side, None = nothing stands there. `text`, `unit`: where they part, as in
    `core.difference`. `step`: instance of the step where the difference began, None = none of ours, or no difference.
    """

    ours: int | None
    recorded: int | None
    verdict: Verdict
    text: int | None = None
    unit: int | None = None
    step: str | None = None


@dataclass(frozen=True)
class StageTruth:
    """`stage`: the recorded one; `upto`: our instance behind which it stands; `line`: of the trace."""

    stage: str
    upto: str
    line: int
    rows: tuple[Compared, ...]

    @cached_property
    def counts(self) -> Counter[Verdict]:
        return Counter(row.verdict for row in self.rows)


@dataclass(frozen=True, slots=True)
class Truth:
    """`stages` in the agent's order; the last one is what went to the provider: its counts are the answer."""

    call: TracedCall
    stages: tuple[StageTruth, ...]

    @property
    def rows(self) -> tuple[Compared, ...]:
        return self.stages[-1].rows

    @property
    def equal(self) -> int:
        return self.stages[-1].counts["equal"]

    @property
    def differs(self) -> int:
        return self.stages[-1].counts["differs"]

    @property
    def not_comparable(self) -> int:
        return self.stages[-1].counts["not_comparable"]

    @property
    def began(self) -> tuple[str, str | None] | None:
        """(recorded stage that differs first, the step of ours where its first difference began)."""
        for stage in self.stages:
            for row in stage.rows:
                if row.verdict == "differs":
                    return stage.stage, row.step
        return None


def truth(call: TracedCall, trace: Trace) -> Truth:
    """`trace`: our steps for the request that the call belongs to, under the policy of the agent that recorded it."""
    records = [*(record for record in call.stages if record.messages is not None), call.record]
    stages = []
    for record in records:
        at = _step_of(record, trace.steps)
        if at is not None:
            stages.append(_stage(record, call.trace.contents(record), trace.steps, at, record is call.record))
    return Truth(call, tuple(stages))


def _step_of(record: TraceRecord, steps: Sequence[Step]) -> int | None:
    """Index of the step of ours behind which the stage stands; None for one that has no counterpart."""
    if record.stage == "session:loaded":
        return 0
    if record.stage == CALL["cache_trace"]:
        return max((at for at, step in enumerate(steps) if step.layer != "provider_messages"), default=0)
    wanted = UPTO.get(record.stage)
    if wanted is None:
        return None
    return max((at for at, step in enumerate(steps) if step.instance in wanted), default=0)


def _stage(record: TraceRecord, held: Contents, steps: Sequence[Step], at: int, is_call: bool) -> StageTruth:
    blocks = steps[at].after
    sent = record.stage == CALL["cache_trace"]
    if sent:
        blocks = to_provider(blocks, {})
    elif blocks and blocks[-1].message.role == "user":
        blocks = blocks[:-1]  # the prompt joins the history only when it is sent
    rows = _compared(blocks, held)
    upto = steps[: at + 1]
    told = tuple(_named(row, blocks, held, upto) if row.verdict == "differs" else row for row in rows)
    return StageTruth(record.stage, steps[at].instance if at else SESSION_CONTEXT, record.line, told)


def _compared(blocks: Blocks, held: Contents) -> list[Compared]:
    theirs = held.messages
    if theirs is None or (held.lossy and not theirs):
        return _by_fingerprint(blocks, held.fingerprints)
    cut_off = held.lossy and len(theirs) >= LIMIT
    rows: list[Compared] = []
    for ours, recorded in _pairs(blocks, theirs):
        if ours is None or recorded is None:
            hidden = recorded is None and cut_off and ours is not None and ours >= len(theirs)
            rows.append(Compared(ours, recorded, "not_comparable" if hidden else "differs"))
            continue
        found = likeness(blocks[ours], theirs[recorded], held.lossy)
        rows.append(Compared(ours, recorded, found.verdict, found.text, found.unit))
    return rows


def _by_fingerprint(blocks: Blocks, prints: Sequence[str]) -> list[Compared]:
    """Where no messages are recorded an equal digest proves equality; another one proves nothing: it covers fields that
    are never sent."""
    rows = []
    for at, block in enumerate(blocks):
        recorded = at if at < len(prints) else None
        same = recorded is not None and prints[recorded] == json_digest(block.message.json())
        rows.append(Compared(at, recorded, "equal" if same else "not_comparable"))
    return rows


def _pairs(blocks: Blocks, theirs: Sequence[Message]) -> list[tuple[int | None, int | None]]:
    """Which of ours belongs to which recorded one, in order; what has no counterpart stands alone."""
    one = [_name(block.message) for block in blocks]
    other = [_name(message) for message in theirs]
    found: list[tuple[int | None, int | None]] = []
    at = to = 0
    for mine, recorded, same in runs(one, other, Steps(_WORK)):
        size, count = len(mine), len(recorded)
        if same or (size == count and _roles(blocks, at, size) == [m.role for m in theirs[to : to + count]]):
            found += zip(range(at, at + size), range(to, to + count), strict=True)
        else:
            found += ((index, None) for index in range(at, at + size))
            found += ((None, index) for index in range(to, to + count))
        at, to = at + size, to + count
    return found


def _name(message: Message) -> str:
    """What a message is known by in all stages."""
    tail = tail_of(message)
    if tail.call:
        return f"call {tail.call}"
    return f"time {tail.time}" if tail.time is not None else f"{message.role} {message.key().hex()}"


def _roles(blocks: Blocks, start: int, size: int) -> list[str]:
    return [block.message.role for block in blocks[start : start + size]]


def _named(row: Compared, blocks: Blocks, held: Contents, steps: Sequence[Step]) -> Compared:
    """The same with the step where the difference began."""
    theirs = held.messages or ()
    step: str | None = None
    if row.ours is None:
        assert row.recorded is not None
        step = _dropped_by(theirs[row.recorded], steps)
    elif row.recorded is None:
        step = blocks[row.ours].origin.made_by or None
    else:
        step = _changed_by(blocks[row.ours], theirs[row.recorded], held.lossy, steps)
    return Compared(row.ours, row.recorded, row.verdict, row.text, row.unit, step)


def _dropped_by(message: Message, steps: Sequence[Step]) -> str | None:
    name = _name(message)
    for step in steps:
        for edit in step.edits:
            if edit.kind == "dropped" and edit.before is not None and _name(edit.before.message) == name:
                return step.instance
    return None


def _changed_by(block: Block, message: Message, lossy: bool, steps: Sequence[Step]) -> str | None:
    """The step that replaced the newest of our versions that is as recorded; None where none of them is."""
    version: Block | None = block
    while version is not None:
        if version is not block and likeness(version, message, lossy).verdict == "equal":
            break
        version = version.before
    if version is None:
        return None
    for step in steps:
        for edit in step.edits:
            if edit.before is version and edit.kind == "replaced":
                return step.instance
    return None
