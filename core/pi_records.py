"""What the records of a pi session say, one by one: entries become columns, and what is odd about them Problems.

The reading itself (core/formats/pi.py) takes plain entries many at a time and brings everything else here.
"""

from __future__ import annotations

import math
import os
from array import array
from typing import Any

from core import openclaw
from core.columns import ColumnsBuilder
from core.javascript import epoch_ms, json_text
from core.lines import RecordedFile
from core.measure import units_of
from core.messages import Json, Usage
from core.migration import read_as, version_number
from core.problem_log import ProblemLog
from core.reply import Reply, is_mirror
from core.session import Header

KNOWN = frozenset(
    {"message", "model_change", "thinking_level_change", "compaction", "branch_summary", "custom", "custom_message"}
    | {"label", "session_info", "usage", "context_edit", "leaf", "reset"}
)
"""Entry types with a known meaning; any other is kept in the graph and listed as unknown."""

_TARGETS = frozenset({"leaf", "context_edit", "label"})


class Records:
    """Everything that was taken of a file so far. `end`: bytes taken. `lines`: physical lines taken."""

    def __init__(self, source: RecordedFile) -> None:
        self.source = source
        self.columns = ColumnsBuilder()
        self.problems = ProblemLog()
        self.end = 0
        self.lines = 0
        self.header: Header | None = None
        self.openclaw = openclaw.place(os.path.abspath(source.path))
        self.any_id = False
        self.first_line = 0  # of the first line that is not blank
        self.unreadable: tuple[int, Any] | None = None  # that line, if it is no JSON
        self.unfinished: int | None = None  # where a last line begins that is no JSON yet
        self.parsed = array("q")  # v1 counts records as its own parser sees them: their rows, -1 for headers
        self.kept: list[tuple[int, Json, Json]] = []  # compactions: row, first kept id, first kept index
        self.targets: list[tuple[int, str, str]] = []
        self.without_id: list[int] = []
        self.unknown: dict[str, list[int]] = {}  # type -> [first line, count]

    def record(self, value: Json, offset: int, size: int, line: int, by_agent: bool = True) -> None:
        """The next record, of any kind. `by_agent`: its own parser would have read it."""
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


def _text(value: Json) -> str:
    return value if type(value) is str else ""
