"""How large tools and system prompt were in every request of a path, by the traces, in one walk.

    request    1    2    3    4    5        calls that tell of tools        1 · · · 5
    tools      T    T    T    T    T'       a request without its own takes over the last one before it
    system     S    S    S'   S'   S'

Each is sized as in the prompt of that one request (`core.leading`): counted once for each different pair, stretched to
what the recorded usage leaves for both.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.counter import Counter
from core.leading import leading_of, stretched
from core.prompt_source import NOTHING, Given, resolve
from core.session import Session
from core.summaries import entries_of
from core.timeline import Timeline
from core.trace_calls import Recorded, TracedCall


@dataclass(frozen=True, slots=True)
class LeadingSizes:
    """Tokens by request; the last one is what would be sent next. 0 where no source tells of them."""

    system: array[int]
    tools: array[int]


def leading_sizes(
    session: Session,
    timeline: Timeline,
    counter: Counter,
    recordings: Sequence[Recorded],
    given: Given = NOTHING,
) -> LeadingSizes:
    """Of every request of the timeline, and of what would be sent next."""
    system, tools = array("q"), array("q")
    entries = entries_of(timeline.summaries)
    counted: dict[object, list[tuple[bool, int]]] = {}
    rooms = [summary.unrecorded for summary in timeline.summaries]
    rooms.append(rooms[-1] if rooms else 0)
    calls = zip(_calls(entries, recordings, "system"), _calls(entries, recordings, "tools"), strict=True)
    for at, (one, other) in enumerate(calls):
        key = (one.record.system if one is not None else None, other.record.tools if other is not None else None)
        parts = counted.get(key)
        if parts is None:
            row = entries[at] if at < len(entries) else None
            source = resolve(session, timeline.path, row, recordings, given)
            parts = [(item.section == "tools", item.tokens) for item in leading_of(source, counter.count)]
            counted[key] = parts
        sizes = stretched([size for _, size in parts], rooms[at])
        found = sum(size for size, (is_tools, _) in zip(sizes, parts, strict=True) if is_tools)
        tools.append(found)
        system.append(sum(sizes) - found)
    return LeadingSizes(system, tools)


def _calls(entries: Sequence[int], recordings: Sequence[Recorded], what: str) -> Iterator[TracedCall | None]:
    """For each request, and what would be sent next, the call that `resolve` takes system prompt or tools from."""
    told: list[TracedCall] = []
    for recorded in recordings:
        told = [call for call in recorded.calls if getattr(call.record, what) is not None]
        if told:
            break
    by_row: Mapping[int | None, TracedCall] = {call.request: call for call in told if call.request is not None}
    last = told[0] if told else None
    for row in (*entries, None):
        last = by_row.get(row, last)
        yield last
