"""Traces: what an agent recorded of its model calls, in a file of its own beside the session.

    session.jsonl               the conversation
    session.trajectory.jsonl    one line per event of a run: the system prompt and the tools, cut for size
    cache-trace.jsonl           one line per stage of a call: system prompt and messages, whole

A trace is material of unknown origin like the session: lines that are none become Problems, and nothing of it is kept
but an index of its lines. A line is read again when somebody asks what it holds.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from core.errors import Problem, UnreadableFile, UnsupportedFormat
from core.javascript import trim
from core.lines import RecordedFile, parse, rescue, span
from core.messages import Json
from core.phrase import phrase
from core.problem_log import ProblemLog
from core.trace_records import (
    CALL,
    STAGES,
    TYPES,
    Contents,
    Kind,
    PromptReport,
    TraceRecord,
    contents_of,
    kind_of,
    record_of,
    system_of,
    tools_of,
)

LONGEST = 256 << 20
"""Bytes of a line beyond which it is not parsed: a prompt is a few megabytes at most."""
LARGE = 1 << 18
"""Bytes of a line that is worth a word about how far the reading is."""
BESIDE = ("{stem}.cache-trace.jsonl", "cache-trace.jsonl", "{stem}.trajectory.jsonl")
"""Names that are looked for beside a session, the most faithful first (a trajectory is cut for size)."""

Progress = Callable[[int, int], bool]
"""(bytes read, bytes in all) -> go on?"""


@dataclass(frozen=True, slots=True)
class TraceFile:
    """`records`: the lines that are part of a trace, in file order. `problems`: those that are not, and doubts."""

    path: str
    kind: Kind
    records: tuple[TraceRecord, ...]
    problems: tuple[Problem, ...]
    source: RecordedFile = field(repr=False)

    @property
    def name(self) -> str:
        return Path(self.path).name

    @property
    def sessions(self) -> frozenset[str]:
        """Ids of the sessions that the trace speaks of."""
        return frozenset(record.session for record in self.records if record.session)

    def calls(self) -> tuple[TraceRecord, ...]:
        """The records that tell what went to the provider: one per call, of a trajectory one per run."""
        return tuple(record for record in self.records if record.stage == CALL[self.kind])

    def report(self, run: str) -> PromptReport | None:
        """The agent's report about the system prompt of a run."""
        return next((record.report for record in self.records if record.report and record.run == run), None)

    def contents(self, record: TraceRecord) -> Contents:
        """What the line holds; UnreadableFile when the file has changed since."""
        return contents_of(self._value(record), self.kind)

    def system(self, record: TraceRecord) -> str | None:
        """The system prompt alone: messages are most of a line."""
        return system_of(self._value(record), self.kind)

    def tools(self, record: TraceRecord) -> tuple[Json, ...] | None:
        """The tool definitions alone."""
        return tools_of(self._value(record), self.kind)

    def _value(self, record: TraceRecord) -> dict[str, Json]:
        value = parse(self.source(record.offset, record.size))
        if not isinstance(value, dict):
            raise UnreadableFile(phrase("file.changed", path=self.path))
        return value


def open_trace(path: str | os.PathLike[str], progress: Progress | None = None) -> TraceFile:
    """Read a trace. Its kind is that of its first line that is one; lines of the other kind are Problems.

    Raises UnreadableFile (missing, forbidden, empty …), or UnsupportedFormat when no line is part of a trace.
    """
    source = RecordedFile.at(path)
    log = ProblemLog()
    records: list[TraceRecord] = []
    kind: Kind | None = None
    number = 0
    for number, (offset, line) in enumerate(source.lines(), 1):
        told = number % 64 == 0 or len(line) > LARGE
        if progress is not None and told and not progress(offset, source.size):
            log.add("reading_cancelled", number, done=offset, size=source.size)
            break
        value = _parsed(line, number, log)
        if value is None:
            continue
        found = kind_of(value)
        if found is None or (kind is not None and found != kind):
            log.add("trace_foreign_line", number, severity="note")
            continue
        kind = found
        record = record_of(value, kind, number, offset, span(line))
        if record.stage not in (STAGES if kind == "cache_trace" else TYPES):
            log.add("trace_unknown_stage", number, severity="note", stage=record.stage or "–")
        if not record.digests_hold:
            log.add("trace_digest", number, stage=record.stage)
        records.append(record)
    if kind is None:
        raise UnsupportedFormat(phrase("trace.none", path=source.path))
    _check(records, log)
    return TraceFile(source.path, kind, tuple(records), log.done(), source)


def beside(session: str | os.PathLike[str]) -> tuple[str, ...]:
    """Paths of the traces that lie beside a session file, the most faithful first. Nothing of them is read."""
    place = Path(session)
    stem = place.name.removesuffix(".gz").removesuffix(".jsonl")
    found = [place.parent / name.format(stem=stem) for name in BESIDE]
    return tuple(str(path) for path in found if path != place and path.is_file())


def _parsed(line: bytes, number: int, log: ProblemLog) -> dict[str, Json] | None:
    """The object of a line; what is wrong with it goes into the log."""
    if len(line) > LONGEST:
        log.add("trace_long_line", number, size=len(line))
        return None
    try:
        value = parse(line)
    except ValueError:
        if not trim(line.decode("utf-8", "replace")):
            return None
        saved = rescue(line, lambda found: kind_of(found) is not None)
        # a record that shares its line with another has no span of its own to be read again from
        if len(saved.records) != 1 or not saved.by_agent:
            log.add("trace_bad_line", number)
            return None
        value = saved.records[0].value
    if not isinstance(value, dict):
        log.add("trace_foreign_line", number, severity="note")
        return None
    return value


def _check(records: list[TraceRecord], log: ProblemLog) -> None:
    """Within a run the numbers rise by one: what is missing was never written, or the file was cut."""
    last: dict[str, int] = {}
    for record in records:
        if record.seq is None:
            continue
        before = last.get(record.run)
        if before is not None and record.seq != before + 1:
            log.add("trace_gap", record.line, severity="note", before=before, after=record.seq)
        last[record.run] = record.seq
