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

import math
import os
from array import array
from collections.abc import Sequence
from typing import Any

import orjson

from core import openclaw
from core.columns import ColumnsBuilder, ProblemLog
from core.errors import Problem
from core.format import Progress
from core.javascript import epoch_ms, json_text
from core.lines import RecordedFile, rescue, span
from core.messages import Json, Usage, raw_chars
from core.migration import Decoding, kept_row, line_ids, read_as, version_number
from core.phrase import phrase
from core.session import Header, Reply, Session, is_mirror

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
    reading = _Reading(source)
    count, next_report = 0, _PROGRESS_BYTES
    for offset, line in source.lines():
        count += 1
        try:
            value = orjson.loads(line)
        except orjson.JSONDecodeError:
            reading.broken(line, offset, count)
        else:
            reading.record(value, offset, span(line), count)
        if progress is not None and offset + len(line) >= next_report:
            next_report = offset + len(line) + _PROGRESS_BYTES
            if not progress(offset + len(line), source.size, len(reading.columns)):
                reading.problems.add("reading_cancelled", count, done=offset + len(line), size=source.size)
                break
    session = reading.finish(count)
    if progress is not None:
        progress(source.size, source.size, len(session))
    return session


class _Reading:
    """One pass over a file."""

    def __init__(self, source: RecordedFile) -> None:
        self.source = source
        self.columns = ColumnsBuilder()
        self.problems = ProblemLog()
        self.header: Header | None = None
        self.openclaw = openclaw.place(os.path.abspath(source.path))
        self.any_id = False
        self.first_line = 0  # of the first line that is not blank
        self.unreadable: tuple[int, Any] | None = None  # that line, if it is no JSON
        self.parsed = array("q")  # v1 counts records as its own parser sees them: their rows, -1 for headers
        self.kept: list[tuple[int, Json, Json]] = []  # compactions: row, first kept id, first kept index
        self.targets: list[tuple[int, str, str]] = []
        self.without_id: list[int] = []
        self.unknown: dict[str, list[int]] = {}  # type -> [first line, count]

    # lines

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
                self.problems.add("unfinished_line", number)
            elif fault.code == "bad_json" and number == self.first_line:
                self.unreadable = number, dict(fault.values)["reason"]
            else:
                entry = self.columns.ids[-1] if found.records and len(self.columns) else None
                self.problems.append(Problem(fault.code, number, entry, "warning", fault.values))

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
        role, chars = "", 0
        if kind == "message":
            message = value.get("message")
            if type(message) is dict:
                role, chars = self._message(message, time)
            else:
                self.problems.add("message_missing", line)
        elif kind == "custom_message":
            chars = raw_chars(value)
            self.openclaw = self.openclaw or openclaw.custom_kind(value.get("customType"))
        elif kind == "compaction" or kind == "branch_summary":
            chars = raw_chars(value)
            self._spent(value.get("usage"))
            if kind == "compaction":
                self._kept(value)
        elif kind == "usage":
            self._spent(value.get("usage", value))
        elif kind == "custom":
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
        self._add(value, id, value.get("parentId"), kind, role, time, chars, offset, size, line)

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

    def _message(self, message: dict[str, Json], end: int | None) -> tuple[str, int]:
        role = message.get("role")
        if type(role) is not str:
            return "", raw_chars(message)
        if role == "assistant":
            provider, model = _text(message.get("provider")), _text(message.get("model"))
            self.columns.replies.append(
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
            if is_mirror(provider, model):
                self.openclaw = True
                return role, 0
        elif "usage" in message:
            self._spent(message["usage"])
        if role == "user" and not self.openclaw:
            self.openclaw = openclaw.user_message(message)
        elif role == "bashExecution" and message.get("excludeFromContext"):
            return role, 0
        return role, raw_chars(message)

    def _spent(self, usage: Json) -> None:
        found = Usage.of(usage)
        if found is not None and found.any:
            self.columns.other_usage.append((len(self.columns), found))

    def _kept(self, value: dict[str, Json]) -> None:
        self.kept.append((len(self.columns), value.get("firstKeptEntryId"), value.get("firstKeptEntryIndex")))

    # the end

    def finish(self, lines: int) -> Session:
        version = self._version()
        columns = self.columns
        parsed: array[int] | None = None
        if version == 1:
            columns.chain(line_ids(len(columns)))
            parsed = self.parsed
            self._check_indexes(parsed)
        else:
            for row in self.without_id:
                self.problems.add("entry_without_id", columns.line[row])
        if version < 3:
            columns.rename_role("hookMessage", "custom")
        laid = columns.finish(self.problems)
        self._check_targets(set(laid.ids), version)
        for kind, (line, count) in self.unknown.items():
            self.problems.add("unknown_entry_type", line, severity="note", type=kind, n=count)
        return Session(
            path=self.source.path,
            format="openclaw" if self.openclaw and version == 3 else "pi",
            header=self.header,
            columns=laid,
            problems=self.problems.done(),
            lines=lines,
            size=self.source.size,
            read=self.source,
            decode=Decoding(version, parsed),
        )

    def _version(self) -> int:
        """The version to read as. Without a header: entries without ids are v1's, any others v3's."""
        if self.header is not None:
            if self.unreadable is not None:
                self.problems.add("bad_json", self.unreadable[0], reason=self.unreadable[1])
            return self.header.read_as
        if self.unreadable is not None:
            self.problems.add("header_unreadable", self.unreadable[0], reason=self.unreadable[1])
        else:
            self.problems.add("header_missing", self.first_line or None)
        return 3 if self.any_id or not len(self.columns) else 1

    def _check_indexes(self, parsed: array[int]) -> None:
        for row, _, index in self.kept:
            if kept_row(parsed, index, row) is None:
                self._first_kept_missing(row, index)

    def _check_targets(self, ids: set[str], version: int) -> None:
        if version > 1:
            for row, id, _ in self.kept:
                if isinstance(id, str) and id not in ids:
                    self._first_kept_missing(row, id)
        for row, kind, target in self.targets:
            if target not in ids:
                self.problems.add(
                    "target_missing", self.columns.line[row], self.columns.ids[row], type=kind, target=target
                )

    def _first_kept_missing(self, row: int, named: Json) -> None:
        self.problems.add(
            "first_kept_missing",
            self.columns.line[row],
            self.columns.ids[row],
            named=named if isinstance(named, str) else json_text(named),
        )


def _text(value: Json) -> str:
    return value if type(value) is str else ""
