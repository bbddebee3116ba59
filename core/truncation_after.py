"""The session as it will be after a truncation, without writing it: its rows are those that stay, its bytes the file's.

    before   0 1 2 3 4 5      rows that stay: 1 3 4 5
    after    0 1 2 3          parents renumbered, bodies read from where they are

`seen` tells what an agent would take up at a leaf; two that are equal prove that a truncation changed nothing for it.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.context import SENDING, build, message_of
from core.messages import Json, Message, digest
from core.reply import Replies
from core.session import DANGLING, Columns, Session
from core.truncation import Plan

Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Seen:
    """What a session is at a leaf. `messages`: 16-byte digests of the context's messages, in order. `fell_out`: rows of
    messages that were in no summary and are not sent."""

    messages: tuple[bytes, ...]
    thinking_level: Json
    model: tuple[Json, Json] | None
    fell_out: tuple[int, ...]

    def same(self, other: Seen) -> bool:
        mine = (self.messages, self.thinking_level, self.model)
        return mine == (other.messages, other.thinking_level, other.model)


def seen(session: Session, leaf: int | None) -> Seen:
    """The context at a leaf. Only digests are held: a context may be as large as its file."""

    def stand_in(row: int) -> Message | None:
        kind = session.type_of(row)
        if kind == "message":  # most of them: its texts need no look
            raw = session.body(row).get("message")
            return None if raw is None else Message.of({"key": digest(raw).hex()})
        message = message_of(session, row) if kind in SENDING else None
        return None if message is None else Message.of({"key": message.key().hex()})

    found = build(session, session.path_to(leaf), message=stand_in)
    return Seen(tuple(m.key() for m in found.messages), found.thinking_level, found.model, found.fell_out)


def kept_rows(session: Session, planned: Plan) -> Rows:
    """Rows before, by row after."""
    stay = np.ones(len(session), dtype=bool)
    stay[np.asarray(planned.removed, dtype=np.int64)] = False
    return np.flatnonzero(stay)


def after(session: Session, planned: Plan) -> Session:
    """The session as the plan leaves it; `size` and `lines` are those of the file as it is."""
    rows = kept_rows(session, planned)
    number = np.full(len(session) + 1, DANGLING, dtype=np.int64)
    number[rows] = np.arange(len(rows))
    before = session.columns
    parent = np.array(before.parent, dtype=np.int64)
    named = dict(before.named_parent)
    for item in planned.reparented:
        parent[item.row] = planned.parents.get(item.row, DANGLING if item.new else -1)
        if item.new is not None and item.row not in planned.parents:
            named[item.row] = item.new
    above = parent[rows]
    above = np.where(above >= 0, number[above], above)
    columns = Columns(
        ids=tuple(before.ids[row] for row in rows.tolist()),
        offset=_taken(before.offset, rows),
        size=_taken(before.size, rows),
        line=_taken(before.line, rows),
        parent=array("q", above.astype(np.int64).tobytes()),
        kind=_taken(before.kind, rows),
        role=_taken(before.role, rows),
        time=_taken(before.time, rows),
        chars=_taken(before.chars, rows),
        kinds=before.kinds,
        roles=before.roles,
        named_parent={int(number[row]): name for row, name in named.items() if number[row] >= 0},
        replies=_replies(before.replies, number),
        other_usage=tuple((int(number[row]), usage) for row, usage in before.other_usage if number[row] >= 0),
    )
    return replace(session, columns=columns, decode=Renumbered(session, array("q", rows.tobytes())))


@dataclass(frozen=True, slots=True)
class Renumbered:
    """Decodes as the session before would: a body may depend on where its entry stood."""

    before: Session
    rows: array[int]

    def __call__(self, session: Session, row: int, line: bytes) -> Json:
        return self.before.decode(self.before, self.rows[row], line)


def _taken(column: array[int], rows: Rows) -> array[int]:
    return array(column.typecode, np.asarray(column)[rows].tobytes())


def _replies(before: Replies, number: Rows) -> Replies:
    entry = number[np.asarray(before.entry, dtype=np.int64)]
    places = np.flatnonzero(entry >= 0)

    def several(column: array[int], width: int) -> array[int]:
        return array(column.typecode, np.asarray(column).reshape(-1, width)[places].tobytes())

    return Replies(
        array("q", entry[places].tobytes()),
        several(before.named, 4),
        several(before.times, 2),
        several(before.usage, 7),
        array("d", np.asarray(before.cost)[places].tobytes()),
        _taken(before.known, places),
        before.names,
    )


def leaf_after(session: Session, planned: Plan, leaf: int | None) -> int | None:
    """The row after of a row before; None when it goes."""
    if leaf is None:
        return None
    rows = kept_rows(session, planned)
    at = int(np.searchsorted(rows, leaf))
    return at if at < len(rows) and rows[at] == leaf else None


def unchanged(before: Session, planned: Plan, later: Session, then: Seen | None = None) -> bool:
    """Nothing changes for an agent: at the chosen leaf, and where the file opens, it takes up what it did before.

    `later`: the session of `after`, or that of the written file. `then`: what was seen at the chosen leaf before."""
    if planned.reason is not None:
        return True
    rows = kept_rows(before, planned)
    if len(later) != len(rows) or any(later.columns.ids[at] != before.columns.ids[row] for at, row in enumerate(rows)):
        return False
    leaf, active = planned.leaf, before.active_leaf
    then = then or seen(before, leaf)
    if leaf != active and not then.same(seen(later, leaf_after(before, planned, leaf))):
        return False
    return (then if leaf == active else seen(before, active)).same(seen(later, later.active_leaf))
