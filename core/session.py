"""The Session: entries of one file as columns, and the DAG they form. Bodies stay in the file until asked for.

    file   offset size line │ id parent kind role time chars        one row per entry, header not among them
    graph  roots ─ children ─ branch points ─ leaves ─ active leaf ─ path_to(leaf)

Rules (session formats 1.2, 1.5; recorded cases of layer h): the active leaf is the last entry of any type, unless a
later-or-equal `leaf` entry names another; an unknown parent makes an extra root; of a repeated id the last entry is
meant; a parent that is the entry itself makes a root. A longer cycle is cut where it would close.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from core.errors import Problem
from core.messages import Json, Usage
from core.names import Names
from core.packing import packed, unpacked
from core.reply import NO_TIME as NO_TIME
from core.reply import Replies
from core.reply import Reply as Reply
from core.reply import is_mirror as is_mirror
from core.reply import is_request as is_request

ROOT = -1
"""Parent column value: the entry names no parent."""
DANGLING = -2
"""Parent column value: the named parent is not in the file, is the entry itself, or would close a cycle."""

_TOGETHER = 1_024
"""Requests that are made without a pause."""

UNMEASURED = -1
"""Chars column value of an entry whose body was not looked into yet (core/measure.py)."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Entries as parallel arrays; row i is entry i of the file (the header is not an entry).

    offset, size: byte span of the line without its line end. line: physical line, from 1. parent: row of the parent,
    or ROOT or DANGLING. kind: index into `kinds`; role: index into `roles` (0 = not a message). time: epoch ms or
    NO_TIME. chars: UTF-16 units of text the entry would bring into a prompt (0 for what is never sent), or UNMEASURED.
    Titles are not stored: they are made from the body when painted.
    """

    ids: tuple[str, ...]
    offset: array[int]
    size: array[int]
    line: array[int]
    parent: array[int]
    kind: array[int]
    role: array[int]
    time: array[int]
    chars: array[int]
    kinds: tuple[str, ...]
    roles: tuple[str, ...]
    named_parent: dict[int, str] = field(default_factory=dict)
    """For DANGLING rows: the id the file names."""
    replies: Replies = field(default_factory=Replies)
    """All assistant entries, in file order."""
    other_usage: tuple[tuple[int, Usage], ...] = ()
    """(row, usage) recorded outside of replies: by compactions, `usage` entries, tool results. Counts toward totals."""

    def __reduce__(self) -> tuple[Any, ...]:
        """To another process: arrays in few bytes, ids as one text, which is unpacked several times as fast."""
        text = "\n".join(self.ids)
        ids = text if text.count("\n") == len(self.ids) - 1 else self.ids
        numbers = [packed(getattr(self, name)) for name in _NUMBERS]
        rest = (self.kinds, self.roles, self.named_parent, self.replies, self.other_usage)
        return _columns, (ids, numbers, *rest)


_NUMBERS = {"offset": "q", "size": "q", "line": "q", "parent": "q", "kind": "i", "role": "i", "time": "q", "chars": "q"}
"""Columns of numbers with the types of their arrays, in the order of Columns."""


def _columns(ids: str | tuple[str, ...], numbers: list[array[int]], *rest: Any) -> Columns:
    values: list[Any] = [tuple(ids.split("\n")) if isinstance(ids, str) else ids]
    values += map(unpacked, numbers, _NUMBERS.values())
    return Columns(*values, *rest)


@dataclass(frozen=True, slots=True)
class Header:
    """The header as recorded. `version`: as recorded (1 when absent); `read_as`: the version its rules follow."""

    raw: Json
    id: str
    version: Any
    read_as: int
    cwd: str
    time: int | None
    parent_session: str | None


@dataclass(frozen=True, slots=True)
class Entry:
    """A view on one row. `parent_id` is what the file says, resolvable or not."""

    row: int
    id: str
    parent_id: str | None
    type: str
    role: str
    time: int | None
    line: int
    offset: int
    size: int


@dataclass(frozen=True, slots=True)
class Request:
    """One model call: `entry` is the row of the assistant entry that answered it; `number` is 1-based on its path."""

    number: int
    entry: int
    provider: str
    model: str
    start: int | None
    end: int | None
    usage: Usage

    def numbered(self, number: int) -> Request:
        """The same under another number, as on another path."""
        return Request(number, self.entry, self.provider, self.model, self.start, self.end, self.usage)


def request_of(replies: Replies, number: int, at: int) -> Request:
    """Of the reply at a place among `replies`, under a number."""
    provider, model = replies.named[4 * at], replies.named[4 * at + 1]
    start, end = replies.times[2 * at], replies.times[2 * at + 1]
    return Request(
        number,
        replies.entry[at],
        replies.names[provider],
        replies.names[model],
        None if start == NO_TIME else start,
        None if end == NO_TIME else end,
        replies.usage_at(at),
    )


@dataclass(frozen=True)
class Session:
    """One opened file. Equality of sessions is not defined; rows (int) are the currency between rooms.

    `body(row)` gives the entry's JSON as the rules of the newest version see it (a v1 file's entries have their
    in-memory ids, a v2 `hookMessage` is a `custom`); `line_bytes(row)` the bytes of the line as they stand in the file.
    """

    path: str
    format: str
    header: Header | None
    columns: Columns
    problems: tuple[Problem, ...]
    lines: int
    size: int
    read: Callable[[int, int], bytes] = field(repr=False)
    """(offset, size) -> bytes of the file; raises UnreadableFile when the file changed or went away."""
    decode: Callable[[Session, int, bytes], Json] = field(repr=False)
    """The format's own: bytes of a line -> migrated JSON object."""

    def __len__(self) -> int:
        return len(self.columns.ids)

    def __getstate__(self) -> dict[str, Any]:
        """Without what is computed on demand, but the active leaf: a session crosses from the worker to the window."""
        kept = {*self.__dataclass_fields__, "active_leaf"}
        return {name: value for name, value in self.__dict__.items() if name in kept}

    def entry(self, row: int) -> Entry:
        c = self.columns
        parent = c.parent[row]
        time = c.time[row]
        return Entry(
            row=row,
            id=c.ids[row],
            parent_id=c.ids[parent] if parent >= 0 else c.named_parent.get(row),
            type=c.kinds[c.kind[row]],
            role=c.roles[c.role[row]],
            time=None if time == NO_TIME else time,
            line=c.line[row],
            offset=c.offset[row],
            size=c.size[row],
        )

    def entries(self) -> Iterator[Entry]:
        return (self.entry(row) for row in range(len(self)))

    def type_of(self, row: int) -> str:
        return self.columns.kinds[self.columns.kind[row]]

    def role_of(self, row: int) -> str:
        """The message role, "" for entries that are no messages."""
        return self.columns.roles[self.columns.role[row]]

    def rows_of(self, kind: str) -> list[int]:
        """Rows of an entry type, ascending."""
        if kind not in self.columns.kinds:
            return []
        found: list[int] = np.flatnonzero(np.asarray(self.columns.kind) == self.columns.kinds.index(kind)).tolist()
        return found

    def line_bytes(self, row: int) -> bytes:
        return self.read(self.columns.offset[row], self.columns.size[row])

    def body(self, row: int) -> Json:
        return self.decode(self, row, self.line_bytes(row))

    # the graph

    @cached_property
    def _names(self) -> Names:
        return Names()

    @property
    def named_rows(self) -> dict[str, int]:
        """Row by id; of a repeated id the last one. It may know rows of a session that goes on from this one."""
        return self._names.fill(self.columns.ids)

    def naming(self) -> Iterator[None]:
        """Does what `named_rows` and `row_of` would otherwise do when they are first asked, some rows at a time."""
        return self._names.filling(self.columns.ids)

    @property
    def repeats(self) -> bool:
        """Some id stands twice, or some entry has none."""
        self._names.fill(self.columns.ids)
        return self._names.repeats

    def goes_on(self, session: Session, first: int) -> None:
        """Take over the rows by id of a session that this one goes on from row `first` on."""
        names = session._names
        names.back_to(first)
        self.__dict__["_names"] = names

    def row_of(self, id: str) -> int | None:
        row = self.named_rows.get(id)
        return row if row is not None and row < len(self) else None

    def row_at_line(self, line: int) -> int | None:
        """The entry at this physical line; None for the header, malformed lines and lines beyond the end."""
        row = bisect_left(self.columns.line, line)
        return row if row < len(self) and self.columns.line[row] == line else None

    @cached_property
    def _children(self) -> dict[int, list[int]]:
        children: dict[int, list[int]] = {}
        for row, parent in enumerate(self.columns.parent):
            if parent >= 0:
                children.setdefault(parent, []).append(row)
        return children

    def children(self, row: int) -> Sequence[int]:
        """Rows in file order."""
        return self._children.get(row, ())

    @cached_property
    def roots(self) -> tuple[int, ...]:
        return tuple(row for row, parent in enumerate(self.columns.parent) if parent < 0)

    @cached_property
    def _stubs(self) -> frozenset[int]:
        """Control entries (`leaf`) that nothing but control entries follows: no part of the conversation's shape."""
        if "leaf" not in self.columns.kinds:
            return frozenset()
        control = self.columns.kinds.index("leaf")
        kind, parent = self.columns.kind, self.columns.parent
        stubs = {row for row, found in enumerate(kind) if found == control}
        for row in range(len(self)):
            above = parent[row] if kind[row] != control else ROOT
            while above in stubs:
                stubs.discard(above)
                above = parent[above]
        return frozenset(stubs)

    @cached_property
    def leaves(self) -> tuple[int, ...]:
        """Rows that nothing follows, in file order; control entries (`leaf`) do not count, as rows or as followers."""
        inner = {parent for row, parent in enumerate(self.columns.parent) if row not in self._stubs}
        return tuple(row for row in range(len(self)) if row not in inner and row not in self._stubs)

    @cached_property
    def branch_points(self) -> tuple[int, ...]:
        """Rows with two or more children that are not control entries."""
        stubs = self._stubs
        return tuple(
            row
            for row, found in sorted(self._children.items())
            if len(found) > 1 and sum(child not in stubs for child in found) > 1
        )

    @cached_property
    def active_leaf(self) -> int | None:
        """The last entry of any type; if it is a `leaf` entry, the entry that it names (session formats 1.2, 1.5)."""
        for row in range(len(self) - 1, -1, -1):
            if self.type_of(row) != "leaf":
                return row
            target = self.body(row).get("targetId")
            if isinstance(target, str) and (found := self.row_of(target)) is not None:
                return found
            if target is None:
                return None
        return None

    def path_to(self, leaf: int | None) -> tuple[int, ...]:
        """Rows from the root to `leaf`, both included; () for None."""
        path: list[int] = []
        row = leaf if leaf is not None else ROOT
        while row >= 0:
            path.append(row)
            row = self.columns.parent[row]
        path.reverse()
        return tuple(path)

    # requests

    def reply(self, row: int) -> Reply | None:
        return self.columns.replies.of(row)

    @cached_property
    def request_rows(self) -> tuple[int, ...]:
        """Rows of the entries that answered model calls, in file order; no request is made for it."""
        replies = self.columns.replies
        rows: list[int] = np.asarray(replies.entry, dtype=np.int64)[replies.requests()].tolist()
        return tuple(rows)

    @property
    def _requests(self) -> dict[int, Request]:
        for _ in self.making_requests():
            pass
        made: dict[int, Request] = self.__dict__["requests_made"]
        return made

    def making_requests(self) -> Iterator[None]:
        """Does what `requests` would otherwise do when it is first asked, some requests at a time."""
        if "requests_made" in self.__dict__:
            return
        replies = self.columns.replies
        made: dict[int, Request] = {}
        for number, at in enumerate(replies.requests().tolist(), 1):
            made[replies.entry[at]] = request_of(replies, number, at)
            if number % _TOGETHER == 0:
                yield
        self.__dict__["requests_made"] = made

    def requests(self, path: Sequence[int] | None = None) -> tuple[Request, ...]:
        """The model calls on `path` in its order, or of the whole file in file order; numbered from 1."""
        every = self._requests
        if path is None:
            return tuple(every.values())
        on_path = [every[row] for row in path if row in every]
        return tuple([one if one.number == n else one.numbered(n) for n, one in enumerate(on_path, 1)])
