"""A session that grows: the rows that came are a Part, and a Session and a Part make the next Session.

    Session 0 … 999   +   Part from row 1000 on   =   Session 0 … 1799

Sessions stay immutable: the next one has arrays of its own (copying a million rows costs some milliseconds), while the
views that still hold the old one are not disturbed.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, replace

from core.session import Columns, Session


@dataclass(frozen=True, slots=True)
class Part:
    """`tail`: the session as it is known now, but its columns hold only the rows from `first` on (parents, replies and
    the like count rows from the start of the file). `moved`: earlier rows whose parent is another one now, with the
    name where it is unknown: their parent came later, or an id was repeated."""

    first: int
    tail: Session
    moved: tuple[tuple[int, int, str | None], ...] = ()

    def __len__(self) -> int:
        return len(self.tail)


def grown(session: Session | None, part: Part) -> Session:
    """The session that `session` and the part make. `session`: has at least the rows before the part; those behind its
    beginning are left out."""
    if part.first == 0 or session is None:
        return part.tail
    old, new, first = session.columns, part.tail.columns, part.first
    parent = _joined(old.parent, new.parent, first)
    named = {**old.named_parent, **new.named_parent}
    for row, above, name in part.moved:
        parent[row] = above
        if name is None:
            named.pop(row, None)
        else:
            named[row] = name
    columns = Columns(
        ids=old.ids[:first] + new.ids,
        offset=_joined(old.offset, new.offset, first),
        size=_joined(old.size, new.size, first),
        line=_joined(old.line, new.line, first),
        parent=parent,
        kind=_joined(old.kind, new.kind, first),
        role=_joined(old.role, new.role, first),
        time=_joined(old.time, new.time, first),
        chars=_joined(old.chars, new.chars, first),
        kinds=new.kinds,
        roles=new.roles,
        named_parent=named,
        replies=old.replies.before(first).followed_by(new.replies),
        other_usage=(*(one for one in old.other_usage if one[0] < first), *new.other_usage),
    )
    made = replace(part.tail, columns=columns)
    made.goes_on(session, first)
    return made


def _joined(old: array[int], new: array[int], first: int) -> array[int]:
    return (old if len(old) == first else old[:first]) + new
