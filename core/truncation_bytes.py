"""A plan as bytes: which of them go, and which few change; every other byte of the file stays, malformed lines too.

version 2, 3    a removed line goes with its line end; of a re-parented one only the value of parentId changes
version 1       entries have no ids, so that a parent cannot be named: header and entries become version 3 with
                the same ids every time (core/migration.py); every line changes, by exactly those values
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from heapq import merge

from core.copying import Change
from core.errors import InputError
from core.javascript import json_string
from core.json_places import place, replaced
from core.line_ends import LineEnds
from core.lines import rescue
from core.messages import Json
from core.migration import Decoding
from core.phrase import phrase
from core.session import Session
from core.truncation import Plan


def without_ids(session: Session) -> bool:
    """A file of version 1: its entries get ids when it is truncated."""
    return isinstance(session.decode, Decoding) and session.decode.read_as == 1


def changes(session: Session, planned: Plan) -> Iterator[Change]:
    """In file order; none when the plan is to do nothing. UnreadableFile when the file changed since it was opened."""
    if planned.reason is not None:
        return
    if without_ids(session):
        yield from _with_ids(session, planned)
        return
    columns, ends = session.columns, LineEnds(session)
    hung = {item.row: item.new for item in planned.reparented}
    for row in merge(planned.removed, sorted(hung)):
        start = columns.offset[row]
        if row in hung:
            yield Change(start, start + columns.size[row], _below(session.line_bytes(row), hung[row]))
        else:
            yield Change(start, ends.after(row))


def bytes_after(session: Session, planned: Plan) -> int:
    """Size of the file that `changes` makes."""
    size = session.size
    for change in changes(session, planned):
        size += len(change.data) - (change.end - change.start)
    return size


def _below(line: bytes, parent: str | None) -> bytes:
    where = place(line, ("parentId",))
    if where is None:
        raise InputError(phrase("storage.no_json"))
    return replaced(line, [(where, _value(parent))])


def _value(text: str | None) -> bytes:
    return b"null" if text is None else json_string(text).encode("utf-8")


# version 1


def _with_ids(session: Session, planned: Plan) -> Iterator[Change]:
    columns, ends = session.columns, LineEnds(session)
    gone = frozenset(planned.removed)
    at, header = _header(session)
    parent: str | None = None
    for row in range(len(session)):
        start = columns.offset[row]
        if header and at < start:
            yield Change(at, at + len(header), _set(header, {"version": b"3"}))
            header = b""
        if row in gone:
            yield Change(start, ends.after(row))
            continue
        line = session.line_bytes(row)
        if not line.lstrip().startswith(b"{"):
            continue  # any other JSON value: it cannot have an id, and says nothing
        yield Change(start, start + len(line), _as_version_3(session, row, line, parent))
        parent = columns.ids[row]
    if header:
        yield Change(at, at + len(header), _set(header, {"version": b"3"}))


def _header(session: Session) -> tuple[int, bytes]:
    """(offset, bytes) of the header's record, which may share its line; (0, b"") when there is none."""
    columns = session.columns
    at = 0
    for start, size in [*zip(columns.offset, columns.size, strict=True), (session.size, 0)]:
        if start - at > _LINE_END:
            for line in session.read(at, start - at).splitlines(keepends=True):
                for record in rescue(line, _is_header).records:
                    if _is_header(record.value):
                        return at + record.start, line[record.start : record.end]
                at += len(line)
        at = start + size
    return 0, b""


_LINE_END = 2
"""Bytes between two entries on neighbouring lines, at most."""


def _is_header(value: Json) -> bool:
    return isinstance(value, dict) and value.get("type") == "session"


def _as_version_3(session: Session, row: int, line: bytes, parent: str | None) -> bytes:
    """What `Decoding` makes of the entry, as bytes: id, parent, first kept entry, and the role of hook messages."""
    body = session.body(row)
    values = {"id": _value(session.columns.ids[row]), "parentId": _value(parent)}
    if session.type_of(row) == "compaction" and "firstKeptEntryIndex" not in body:
        line = _without_index(line)
        values["firstKeptEntryId"] = _value(body.get("firstKeptEntryId"))
    message = body.get("message")
    if isinstance(message, dict) and message.get("role") == "custom":
        where = place(line, ("message", "role"))
        if where is not None:
            line = replaced(line, [(where, b'"custom"')])
    return _set(line, values)


def _without_index(line: bytes) -> bytes:
    """A compaction without its firstKeptEntryIndex, and the comma before or after it."""
    where = place(line, ("firstKeptEntryIndex",))
    start = line.rfind(b'"firstKeptEntryIndex"', 0, where[0]) if where is not None else -1
    if where is None or start < 0:
        return line
    before, after = line[:start].rstrip(), line[where[1] :].lstrip()
    if before.endswith(b","):
        before = before[:-1]
    elif after.startswith(b","):
        after = after[1:]
    return before + after


def _set(line: bytes, values: Mapping[str, bytes]) -> bytes:
    """The object with these members: a value that is there is replaced, others come behind its type."""
    changes, new = [], b""
    for key, value in values.items():
        where = place(line, (key,))
        if where is not None:
            changes.append((where, value))
        else:
            new += b',"' + key.encode("ascii") + b'":' + value
    kind = place(line, ("type",))
    if new and kind is not None:
        changes.append(((kind[1], kind[1]), new))
    elif new:
        at = line.index(b"{") + 1
        bare = line[at:].lstrip().startswith(b"}")
        changes.append(((at, at), new[1:] + (b"" if bare else b",")))
    return replaced(line, changes)
