"""A session that grows: the rows that came are a Part, and a Session and a Part make the next Session.

    Session 0 … 999   +   Part from row 1000 on   =   Session 0 … 1799

Sessions stay immutable: the next one has arrays of its own (copying a million rows costs some milliseconds), while the
views that still hold the old one are not disturbed.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, replace

from core.pieces import Pieces, finished
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
    return finished(growing(session, part))


def growing(session: Session | None, part: Part) -> Pieces[Session]:
    """The same in pieces of a few milliseconds for a million rows."""
    if part.first == 0 or session is None:
        return part.tail
    old, new, first = session.columns, part.tail.columns, part.first
    ids = old.ids[:first] + new.ids
    yield
    replies = old.replies.before(first)
    yield
    replies = replies.followed_by(new.replies)
    yield
    parent = _joined(old.parent, new.parent, first)
    named = {**old.named_parent, **new.named_parent}
    for row, above, name in part.moved:
        parent[row] = above
        if name is None:
            named.pop(row, None)
        else:
            named[row] = name
    numbers: dict[str, array[int]] = {}
    for name in ("offset", "size", "line", "kind", "role", "time", "chars"):
        yield
        numbers[name] = _joined(getattr(old, name), getattr(new, name), first)
    yield
    columns = Columns(
        ids=ids,
        **numbers,
        parent=parent,
        kinds=new.kinds,
        roles=new.roles,
        named_parent=named,
        replies=replies,
        other_usage=(*(one for one in old.other_usage if one[0] < first), *new.other_usage),
    )
    made = replace(part.tail, columns=columns)
    made.goes_on(session, first)
    return made


def _joined(old: array[int], new: array[int], first: int) -> array[int]:
    return (old if len(old) == first else old[:first]) + new
