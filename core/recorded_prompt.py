"""What traces tell of one request, in a value small enough to be handed to a window.

tools, system      as recorded                   where the marks stand
compared           how many of our blocks equal the recorded call
parted             where tools or system prompt first differ from those of the request before
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from core import javascript, replay
from core.counter import Counter
from core.counts import Counts
from core.difference import unit_of_difference
from core.errors import RequestError
from core.leading import Leading, leading_of
from core.payload import payload, placement_of
from core.profile import default_policy
from core.prompt_source import NOTHING, Given, resolve
from core.recorded_facts import EMPTY as EMPTY
from core.recorded_facts import Cause, Parted, RecordedPrompt, Verdict
from core.session import Session
from core.session_key import NOTHING as UNTOLD
from core.session_key import Told
from core.timeline import Timeline
from core.trace_calls import Recorded
from core.trace_findings import Finding, quoted
from core.truth import truth

TOLD = 50
"""Problems of traces that are handed to the window."""


def recorded_prompt(
    session: Session,
    timeline: Timeline,
    counts: Counts,
    counter: Counter,
    number: int | None,
    recordings: Sequence[Recorded],
    found: Sequence[tuple[str, Finding]],
    given: Given = NOTHING,
    told: Told = UNTOLD,
) -> RecordedPrompt:
    """Of request `number` of the timeline's path; None = of what would be sent next. `found`: `all_findings` of the
    recordings. The steps run under the policy of the session's own agent, since that is what was recorded."""
    row = timeline.summaries[number - 1].request.entry if number is not None else None
    source = resolve(session, timeline.path, row, recordings, given)
    leading = leading_of(source, counter.count)
    wrong = ((recorded.trace.name, problem) for recorded in recordings for problem in recorded.problems)
    problems = tuple(islice(wrong, TOLD))
    if not leading and source.call is None:
        return RecordedPrompt(problems=problems) if problems else EMPTY
    profile = default_policy(session.format)
    start, trace = replay.trace(session, timeline, counts, number, profile, told=told)
    try:
        marks = payload(source, trace.blocks, start.step.target, placement_of(profile, session.format)).marks
    except RequestError:
        marks = ()
    verdict = None
    if source.call is not None:
        told_by = truth(source.call, trace)
        file, call = source.call.trace.name, source.call.number
        verdict = Verdict(file, call, told_by.equal, told_by.differs, told_by.not_comparable, told_by.began)
    causes = tuple(
        Cause(item.code, item.section, item.said(number, name))
        for name, item in found
        if row is not None and item.request == row
    )
    before = number - 1 if number is not None else len(timeline.summaries)
    parted = None
    if before >= 1:
        older = resolve(session, timeline.path, timeline.summaries[before - 1].request.entry, recordings, given)
        parted = parts_of(leading_of(older, lambda _: 0), leading, causes)
    at = tuple(index for index in range(len(leading)) if index < len(marks) and marks[index] is not None)
    tail = bool(marks) and marks[-1] is not None
    return RecordedPrompt(leading, at, tail, verdict, parted, causes, problems)


def parts_of(before: Sequence[Leading], after: Sequence[Leading], causes: Sequence[Cause] = ()) -> Parted | None:
    """Where tools and system prompt of one request first differ from those of another; None where all are the same, or
    the two are not of one kind."""
    if [item.section for item in before] != [item.section for item in after]:
        return None
    for index, (old, new) in enumerate(zip(before, after, strict=True)):
        if old.raw != new.raw:
            cause = next((cause.code for cause in causes if cause.section == new.section), None)
            one, other = _text(old), _text(new)
            unit = unit_of_difference(one, other)
            return Parted(index, unit, cause, quoted(one, unit), quoted(other, unit))
    return None


def _text(item: Leading) -> str:
    return item.raw if isinstance(item.raw, str) else javascript.json_text(item.raw)
