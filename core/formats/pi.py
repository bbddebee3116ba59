"""Session files of pi (versions 1, 2, 3) and of OpenClaw, which are pi v3 with additions.

    header      {type:"session", version?, id, timestamp, cwd}          the first one counts, wherever it stands
    v1          no ids: a straight line; firstKeptEntryIndex counts parsed records, the header being 0
    v2          ids and parents; role hookMessage
    v3          role custom instead

Versions 1 and 2 are read as 3, in memory only; the file is never rewritten. Rules: session formats 1 and 2, and the
recorded cases of layer h (`openSession`). Where pi skips a line silently, or would start an empty session over a broken
header, the entries are read and a Problem tells of it.

`Session.format` is "openclaw" as soon as one sign of it is found, in the file or its place, else "pi": the header and
the entries that both write are alike.
"""

from __future__ import annotations

import gc
import math
import os
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from core import openclaw
from core.columns import ColumnsBuilder
from core.errors import Problem
from core.format import Progress
from core.heads import Head, Said, from_elsewhere, head, instant, numbers, price, spent
from core.instants import instants
from core.javascript import epoch_ms, json_text
from core.lines import RecordedFile, rescue, span
from core.measure import units_of
from core.messages import Json, Usage
from core.migration import Decoding, kept_row, line_ids, read_as, version_number
from core.phrase import literal, phrase
from core.problem_log import ProblemLog
from core.session import UNMEASURED, Header, Reply, Session, is_mirror

ID = "pi"
TITLE = phrase("format.pi")
SUPPORTED = True

KNOWN = frozenset(
    {"message", "model_change", "thinking_level_change", "compaction", "branch_summary", "custom", "custom_message"}
    | {"label", "session_info", "usage", "context_edit", "leaf", "reset"}
)
"""Entry types with a known meaning; any other is kept in the graph and listed as unknown."""

_TARGETS = frozenset({"leaf", "context_edit", "label"})
_PROGRESS_BYTES = 1 << 20


def score(objects: Sequence[Json]) -> int:
    points = 0
    for value in objects:
        kind = value.get("type")
        if kind == "session":
            points += 50 if isinstance(value.get("id"), str) or "version" in value else 20
        elif isinstance(kind, str) and "parentId" in value and isinstance(value.get("id"), str):
            points += 10
        elif isinstance(kind, str) and kind in KNOWN and "uuid" not in value and "traceSchema" not in value:
            points += 8 if kind != "message" or isinstance(value.get("message"), dict) else 0
    return points


def plausible(value: Json) -> bool:
    """A record of a session, rather than an object inside one."""
    kind = value.get("type") if isinstance(value, dict) else None
    if not isinstance(kind, str):
        return False
    return kind == "session" or kind in KNOWN or ("id" in value and "parentId" in value)


def read(source: RecordedFile, progress: Progress | None = None) -> Session:
    """Raises UnreadableFile when the file goes away while it is read."""
    reading = Reading(source)
    with uncollected():
        for offset, lines in source.batches(_PROGRESS_BYTES):
            reading.take(offset, lines)
            going = progress is None or progress(reading.end, source.size, len(reading.columns))
            if not going and reading.end < source.size:
                reading.stopped()
                break
    return reading.session()


@contextmanager
def uncollected() -> Iterator[None]:
    """Without the search for circles of garbage, of which reading makes none: a quarter of its time would go there."""
    on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if on:
            gc.enable()


class Reading:
    """One pass over a file, as far as it goes; it may go on where it stopped when the file has grown.

    `end`: bytes taken. `lines`: physical lines taken. What `session` gives is final for what was taken.
    """

    def __init__(self, source: RecordedFile) -> None:
        self.source = source
        self.columns = ColumnsBuilder()
        self.problems = ProblemLog()
        self.end = 0
        self.lines = 0
        self.header: Header | None = None
        self.openclaw = openclaw.place(os.path.abspath(source.path))
        self.any_id = False
        self._named: dict[tuple[str | None, ...], tuple[int, ...]] = {}
        self.first_line = 0  # of the first line that is not blank
        self.unreadable: tuple[int, Any] | None = None  # that line, if it is no JSON
        self.unfinished: int | None = None  # where a last line begins that is no JSON yet
        self.open_line = False  # the last line was taken, but its line end is not written yet
        self.parsed = array("q")  # v1 counts records as its own parser sees them: their rows, -1 for headers
        self.kept: list[tuple[int, Json, Json]] = []  # compactions: row, first kept id, first kept index
        self.targets: list[tuple[int, str, str]] = []
        self.without_id: list[int] = []
        self.unknown: dict[str, list[int]] = {}  # type -> [first line, count]

    # lines

    def take(self, offset: int, lines: Sequence[bytes]) -> None:
        """The next physical lines, with their line ends; `offset`: where the first of them begins."""
        heads: list[Head | None] = list(map(head, lines))
        whole = np.fromiter(map(len, lines), dtype=np.int64, count=len(lines))
        ends = np.cumsum(whole) + offset
        offsets = array("q", (ends - whole).tobytes())
        sizes = array("q", (whole - _line_ends(lines)).tobytes())
        start = 0
        for at in [at for at, found in enumerate(heads) if found is None] + [len(heads)]:
            if start < at:
                self._plain(heads[start:at], offsets[start:at], sizes[start:at])  # type: ignore[arg-type]
            if at < len(heads):
                self._line(offsets[at], lines[at])
            start = at + 1
        self.end = int(ends[-1])
        self.open_line = bool(lines) and not lines[-1].endswith(b"\n")

    def _line(self, offset: int, line: bytes) -> None:
        """One line, the general way."""
        self.lines += 1
        try:
            value = orjson.loads(line)
        except orjson.JSONDecodeError:
            self.broken(line, offset, self.lines)
        else:
            self.record(value, offset, span(line), self.lines)

    def broken(self, line: bytes, offset: int, number: int) -> None:
        found = rescue(line, plausible)
        if not found.records and not found.faults:
            return
        self.first_line = self.first_line or number
        unfinished = not line.endswith(b"\n")
        for record in found.records:
            self.record(record.value, offset + record.start, record.end - record.start, number, found.by_agent)
        for fault in found.faults:
            if fault.code == "bad_json" and unfinished and len(self.columns):
                self.unfinished = offset
            elif fault.code == "bad_json" and number == self.first_line:
                self.unreadable = number, dict(fault.values)["reason"]
            else:
                entry = self.columns.ids[-1] if found.records and len(self.columns) else None
                self.problems.append(Problem(fault.code, number, entry, "warning", fault.values))

    def stopped(self) -> None:
        """Cancelled: what was read is kept."""
        self.problems.add("reading_cancelled", self.lines, done=self.end, size=self.source.size)

    def resume(self, source: RecordedFile) -> bool:
        """Go on in a file that has grown. A last line that was not finished is taken again; False where that would not
        be the same as reading it all again."""
        if self.unfinished is not None:
            self.end, self.lines, self.unfinished = self.unfinished, self.lines - 1, None
        elif self.open_line and source(self.end, 1) != b"\n":
            return False  # the rest of a line of which something was taken already
        elif self.open_line:
            self.end += 1
        self.problems.forget("reading_cancelled")
        self.source = source
        return True

    def _plain(self, heads: Sequence[Head], offsets: array[int], sizes: array[int]) -> None:
        """Entries about which there is nothing to say but what they are: column by column."""
        columns, first, count = self.columns, len(self.columns), len(heads)
        number = self.lines + 1
        self.lines += count
        self.first_line = self.first_line or number
        times = instants([found.timestamp for found in heads])
        said = [found.message for found in heads]
        answers = [(row, one) for row, one in enumerate(said, first) if one is not None and one.role == "assistant"]
        if answers:
            self._answers(answers, times, first)
        if not self.openclaw:
            self.openclaw = any(
                openclaw.custom_kind(found.customType) if one is None else one.role == "user" and from_elsewhere(one)
                for found, one in zip(heads, said, strict=True)
            )
        for row, one in enumerate(said, first):
            if one is not None and one.usage is not None and one.role != "assistant":
                usage = spent(one.usage)
                if usage.any:
                    columns.other_usage.append((row, usage))
        ids = [found.id for found in heads]
        if "" in ids:
            self.without_id += [first + at for at, id in enumerate(ids) if not id]
        self.any_id = self.any_id or any(ids)
        if self.header is None or self.header.read_as == 1:
            self.parsed.extend(range(first, first + count))
        columns.extend(
            ids=ids,
            parents=[found.parentId for found in heads],
            kinds=[found.type for found in heads],
            roles=["" if one is None else one.role for one in said],
            times=times,
            chars=array("q", [UNMEASURED]) * count,
            offsets=offsets,
            sizes=sizes,
            lines=array("q", np.arange(number, number + count).tobytes()),
        )

    def _answers(self, answers: Sequence[tuple[int, Said]], times: array[int], first: int) -> None:
        replies, known = self.columns.replies, self._named
        named: list[int] = []
        moments: list[int] = []
        for row, said in answers:
            who = (said.provider, said.model, said.api, said.stopReason)
            numbered = known.get(who)
            if numbered is None:
                numbered = known[who] = tuple(replies.name(name or "") for name in who)
                self.openclaw = self.openclaw or is_mirror(said.provider, said.model)
            named += numbered
            moments += (instant(said.timestamp), times[row - first])
        usages = [said.usage for _, said in answers]
        replies.extend(
            [row for row, _ in answers],
            named,
            moments,
            numbers(usages),
            list(map(price, usages)),
            [usage is not None for usage in usages],
        )

    def record(self, value: Json, offset: int, size: int, line: int, by_agent: bool = True) -> None:
        self.first_line = self.first_line or line
        if type(value) is not dict:
            if by_agent:
                self.parsed.append(len(self.columns))
            self.problems.add("not_an_object", line, severity="warning")
            self._add(value, "", None, "", "", None, 0, offset, size, line)
            return
        kind = value.get("type")
        if kind == "session":
            self.parsed.append(-1)
            self._session(value, line)
            return
        if by_agent:
            self.parsed.append(len(self.columns))
        if type(kind) is not str:
            kind = ""
            self.problems.add("entry_without_type", line)
        time = epoch_ms(value.get("timestamp"))
        role = ""
        if kind == "message":
            message = value.get("message")
            if type(message) is dict:
                role = self._message(message, time)
            else:
                self.problems.add("message_missing", line)
        elif kind == "compaction" or kind == "branch_summary":
            self._spent(value.get("usage"))
            if kind == "compaction":
                self._kept(value)
        elif kind == "usage":
            self._spent(value.get("usage", value))
        elif kind == "custom" or kind == "custom_message":
            self.openclaw = self.openclaw or openclaw.custom_kind(value.get("customType"))
        elif kind == "reset" or kind in _TARGETS:
            if kind == "reset":
                self._kept(value)
            self.openclaw = self.openclaw or kind in openclaw.ENTRY_TYPES
            if isinstance(target := value.get("targetId"), str):
                self.targets.append((len(self.columns), kind, target))
        elif kind and kind not in KNOWN:
            self.unknown.setdefault(kind, [line, 0])[1] += 1
        id = value.get("id")
        self._add(value, id, value.get("parentId"), kind, role, time, units_of(value), offset, size, line)

    def _add(
        self, value: Json, id: Json, parent: Json, kind: str, role: str, time: int | None, chars: int, *place: int
    ) -> None:
        if type(id) is str and id:
            self.any_id = True
        else:
            id = ""
            if type(value) is dict:
                self.without_id.append(len(self.columns))
        if type(parent) is not str:
            parent = json_text(parent) if parent else None
        offset, size, line = place
        self.columns.add(
            id=id, parent=parent, kind=kind, role=role, time=time, chars=chars, offset=offset, size=size, line=line
        )

    # what the records say

    def _session(self, value: dict[str, Json], line: int) -> None:
        if self.header is not None:
            self.problems.add("second_header", line, severity="note")
            return
        number = version_number(value.get("version"))
        if number > 3:
            self.problems.add("version_above_3", line, severity="note", version=json_text(value.get("version")))
        elif math.isnan(number):
            self.problems.add("version_unreadable", line, version=json_text(value.get("version")))
        if not isinstance(value.get("id"), str):
            self.problems.add("header_without_id", line)
        if len(self.columns):
            self.problems.add("header_late", line)
        cwd, parent = value.get("cwd"), value.get("parentSession", value.get("branchedFrom"))
        cwd = cwd if isinstance(cwd, str) else ""
        self.openclaw = self.openclaw or openclaw.place(cwd)
        self.header = Header(
            raw=value,
            id=value["id"] if isinstance(value.get("id"), str) else "",
            version=value.get("version", 1),
            read_as=read_as(number),
            cwd=cwd,
            time=epoch_ms(value.get("timestamp")),
            parent_session=parent if isinstance(parent, str) else None,
        )

    def _message(self, message: dict[str, Json], end: int | None) -> str:
        """Its role."""
        role = message.get("role")
        if type(role) is not str:
            return ""
        if role == "assistant":
            provider, model = _text(message.get("provider")), _text(message.get("model"))
            self.columns.replies.add(
                Reply(
                    entry=len(self.columns),
                    provider=provider,
                    model=model,
                    api=_text(message.get("api")),
                    stop=_text(message.get("stopReason")),
                    start=epoch_ms(message.get("timestamp")),
                    end=end,
                    usage=Usage.of(message.get("usage")),
                )
            )
            self.openclaw = self.openclaw or is_mirror(provider, model)
        elif "usage" in message:
            self._spent(message["usage"])
        if role == "user" and not self.openclaw:
            self.openclaw = openclaw.user_message(message)
        return role

    def _spent(self, usage: Json) -> None:
        found = Usage.of(usage)
        if found is not None and found.any:
            self.columns.other_usage.append((len(self.columns), found))

    def _kept(self, value: dict[str, Json]) -> None:
        self.kept.append((len(self.columns), value.get("firstKeptEntryId"), value.get("firstKeptEntryIndex")))

    # the end

    def session(self) -> Session:
        """Everything that was taken so far."""
        return self.since(0)[0]

    def since(self, first: int) -> tuple[Session, int]:
        """(the entries from row `first` on, with rows counted from the start of the file; the version it is read as).

        What is wrong with the whole file is told by all its problems, every time.
        """
        problems = self.problems.copy()
        version = self._version(problems)
        columns = self.columns
        parsed: array[int] | None = None
        if version == 1:
            columns.chain(line_ids(len(columns)))
            parsed = self.parsed[:]
            self._check_indexes(parsed, problems)
        else:
            columns.chain(None)
            for row in self.without_id:
                problems.add("entry_without_id", columns.line[row])
        columns.rename_role(*(("hookMessage", "custom") if version < 3 else ("", "")))
        laid = columns.finish(problems, first)
        self._check_targets(version, problems)
        for kind, (line, count) in self.unknown.items():
            problems.add("unknown_entry_type", line, severity="note", type=kind, n=count)
        if self.source.fault:
            problems.add("archive_cut", self.lines, reason=literal(self.source.fault))
        elif self.unfinished is not None:
            problems.add("unfinished_line", self.lines)
        session = Session(
            path=self.source.path,
            format="openclaw" if self.openclaw and version == 3 else "pi",
            header=self.header,
            columns=laid,
            problems=problems.done(),
            lines=self.lines,
            size=self.source.size,
            read=self.source,
            decode=Decoding(version, parsed),
        )
        return session, version

    def _version(self, problems: ProblemLog) -> int:
        """The version to read as. Without a header: entries without ids are v1's, any others v3's."""
        if self.header is not None:
            if self.unreadable is not None:
                problems.add("bad_json", self.unreadable[0], reason=self.unreadable[1])
            return self.header.read_as
        if self.unreadable is not None:
            problems.add("header_unreadable", self.unreadable[0], reason=self.unreadable[1])
        else:
            problems.add("header_missing", self.first_line or None)
        return 3 if self.any_id or not len(self.columns) else 1

    def _check_indexes(self, parsed: array[int], problems: ProblemLog) -> None:
        for row, _, index in self.kept:
            if kept_row(parsed, index, row) is None:
                self._first_kept_missing(row, index, problems)

    def _check_targets(self, version: int, problems: ProblemLog) -> None:
        known = self.columns.knows
        if version > 1:
            for row, id, _ in self.kept:
                if isinstance(id, str) and not known(id):
                    self._first_kept_missing(row, id, problems)
        for row, kind, target in self.targets:
            if not known(target):
                problems.add(
                    "target_missing", self.columns.line[row], self.columns.id_of(row), type=kind, target=target
                )

    def _first_kept_missing(self, row: int, named: Json, problems: ProblemLog) -> None:
        problems.add(
            "first_kept_missing",
            self.columns.line[row],
            self.columns.id_of(row),
            named=named if isinstance(named, str) else json_text(named),
        )


def _line_ends(lines: Sequence[bytes]) -> NDArray[np.int64] | int:
    """Lengths of the line ends."""
    if lines[-1].endswith(b"\n") and b"\r\n" not in [line[-2:] for line in lines]:
        return 1
    return np.array([len(line) - span(line) for line in lines], dtype=np.int64)


def _text(value: Json) -> str:
    return value if type(value) is str else ""
