"""Which recorded call is which request of the session.

    trace     run 1   loaded  sanitized  limited  context(1)  context(2)   run 2   …  context(3)
                                                     │           │                       │
    session   u1 ──── a1 (request 1) ── r1 ── a2 (request 2) ── u2 ──── a3 (request 3)

A request is known by what it was sent last: the tool result or prompt just before its answer, which the trace repeats
with its call id and time. Where the trace holds no messages, the entry on which its prompt was hung decides, else the
clock: the call recorded last before the answer began. A retry is a call without a request; the last one is answered.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from core.context import message_of
from core.errors import InputError, Problem
from core.lines import RecordedFile
from core.session import Request, Session
from core.trace import Progress, TraceFile, beside, open_trace
from core.trace_records import Tail, TraceRecord, tail_of

By = Literal["message", "leaf", "time"]
"""How a call was recognised: by its last message, by the entry its prompt was hung on, by the clock alone."""

NOTHING_KNOWN: Mapping[str, TraceFile] = {}
SLACK_MS = 120_000
"""So long after a recorded call its answer may begin, where nothing but the clock tells."""
EARLY_MS = 1_000
"""So much earlier may an answer's time be than that of its call: two clocks of one machine, and rounding."""


@dataclass(frozen=True, slots=True)
class TracedCall:
    """One recorded call. `number`: from 1 within the trace's calls of this session, in file order.

    `request`: row of the entry that answered it (Request.entry), None when no answer is in the session. `stages`: the
    records of the same run that lead to this call, oldest first: only the first call of a run has those of the session.
    """

    trace: TraceFile
    record: TraceRecord
    number: int
    request: int | None
    by: By | None
    stages: tuple[TraceRecord, ...]


@dataclass(frozen=True, slots=True)
class Recorded:
    """The calls of one session in a trace. `by_request`: the call that a request (its row) was answered for."""

    trace: TraceFile
    calls: tuple[TracedCall, ...]
    problems: tuple[Problem, ...]

    def call(self, request: int | None) -> TracedCall | None:
        if request is None:
            return None
        return next((call for call in reversed(self.calls) if call.request == request), None)


def calls_of(session: Session, trace: TraceFile) -> Recorded:
    """The calls that belong to the session. A trace that speaks of other sessions only has none, and says so."""
    own = session.header.id if session.header is not None else ""
    named = trace.sessions
    if own and named and own not in named:
        problem = Problem("trace_other_session", None, None, "warning", (("path", trace.name),))
        return Recorded(trace, (), (*trace.problems, problem))
    records = [record for record in trace.records if not own or record.session in ("", own)]
    calls = [record for record in trace.calls() if not own or record.session in ("", own)]
    found = _match(session, calls)
    stages = _stages(records, calls)
    made = []
    for index, record in enumerate(calls):
        request, by = found.get(index, (None, None))
        made.append(TracedCall(trace, record, index + 1, request, by, stages[index]))
    return Recorded(trace, tuple(made), trace.problems)


def _stages(records: Sequence[TraceRecord], calls: Sequence[TraceRecord]) -> list[tuple[TraceRecord, ...]]:
    """For each call the records of its run since the run's previous call."""
    waiting: dict[str, list[TraceRecord]] = {}
    lines = {call.line for call in calls}
    found = []
    for record in records:
        if record.line in lines:
            found.append(tuple(waiting.pop(record.run, ())))
        else:
            waiting.setdefault(record.run, []).append(record)
    return found


def _match(session: Session, calls: Sequence[TraceRecord]) -> dict[int, tuple[int, By]]:
    """Index of a call -> (row of the answer, how it was recognised)."""
    requests = session.requests()
    found: dict[int, tuple[int, By]] = {}
    taken: set[int] = set()

    def give(index: int, candidates: Iterable[Request], by: By) -> None:
        best = _nearest(calls[index], [request for request in candidates if request.entry not in taken])
        if best is not None:
            found[index] = best.entry, by
            taken.add(best.entry)

    by_tail: dict[str | int, list[Request]] = {}
    by_leaf: dict[int, list[Request]] = {}
    wanted = {call.tail for call in calls if call.tail is not None}
    answered = frozenset(session.request_rows)
    leaves = {session.row_of(call.leaf) for call in calls if call.leaf is not None}
    for request in requests:
        tail, above = _above(session, request, leaves, answered, bool(wanted))
        for sign in _signs(tail):
            by_tail.setdefault(sign, []).append(request)
        if above is not None:
            by_leaf.setdefault(above, []).append(request)
    for index in range(len(calls) - 1, -1, -1):  # of two calls for one answer the later one was answered
        call = calls[index]
        if call.tail is not None:
            told = (by_tail[sign] for sign in _signs(call.tail) if sign in by_tail)
            give(index, next(told, ()), "message")
        elif call.leaf is not None:
            row = session.row_of(call.leaf)
            give(index, by_leaf.get(row, ()) if row is not None else (), "leaf")
    _by_clock(requests, calls, found, taken)
    return found


def _signs(tail: Tail | None) -> Iterator[str | int]:
    """What a message is known by, the surest first."""
    if tail is not None and tail.call:
        yield tail.call
    if tail is not None and tail.time is not None:
        yield tail.time


def _above(
    session: Session, request: Request, leaves: set[int | None], answered: frozenset[int], tails: bool
) -> tuple[Tail | None, int | None]:
    """(what was sent last before the answer, the first of `leaves` above it with no other answer in between)."""
    tail: Tail | None = None
    row = session.columns.parent[request.entry]
    while row >= 0:
        if tail is None and tails and session.role_of(row):
            message = message_of(session, row)
            tail = tail_of(message) if message is not None else None
        if row in leaves:
            return tail, row
        if row in answered:
            break
        row = session.columns.parent[row]
    return tail, None


def _nearest(call: TraceRecord, requests: Sequence[Request]) -> Request | None:
    """The one that began soonest after the call; the first one where no times are recorded."""
    if not requests:
        return None
    time = call.time
    if time is None:
        return requests[0]

    def distance(request: Request) -> tuple[bool, int]:
        start = request.start if request.start is not None else request.end
        return (start is None, 0) if start is None else (start < time - EARLY_MS, abs(start - time))

    return min(requests, key=distance)


def _by_clock(
    requests: Sequence[Request], calls: Sequence[TraceRecord], found: dict[int, tuple[int, By]], taken: set[int]
) -> None:
    """What is left: a request belongs to the last free call before it, as long as no other request lies between."""
    free = sorted(
        (call.time, index)
        for index, call in enumerate(calls)
        if index not in found and call.time is not None and call.tail is None and call.leaf is None
    )
    times = [time for time, _ in free]
    used: set[int] = set()
    for request in sorted(requests, key=lambda request: request.start or 0):
        start = request.start
        if start is None or request.entry in taken:
            continue
        at = bisect_right(times, start + EARLY_MS) - 1
        if at >= 0 and at not in used and start - times[at] <= SLACK_MS:
            used.add(at)
            found[free[at][1]] = request.entry, "time"
            taken.add(request.entry)


def recordings(
    session: Session,
    paths: Sequence[str],
    known: Mapping[str, TraceFile] = NOTHING_KNOWN,
    progress: Progress | None = None,
) -> tuple[Recorded, ...]:
    """The session's calls in these traces, those that hold some first. Without paths: in those that lie beside it; what
    cannot be read there is left out, what a person named raises UnreadableFile or UnsupportedFormat. `known`: traces
    that were read before, by path: one that has not changed is not read again."""
    found: list[Recorded] = []
    for path in paths or beside(session.path):
        try:
            held = known.get(path)
            trace = held if held is not None and held.source == RecordedFile.at(path) else open_trace(path, progress)
            found.append(calls_of(session, trace))
        except InputError:
            if paths:
                raise
    return tuple(sorted((one for one in found if one.calls or paths), key=lambda one: not one.calls))
