"""Entries become Columns: what a format hands over, one by one or many at once, is laid into arrays.

add, extend   id parent(name) …          entries in file order
finish        parent(name) -> row        duplicates: the last; unknown, self and closing parents: DANGLING, a Problem

`finish` may be called again after more was added: a file that is being read, or written, grows.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

from core.links import Links
from core.messages import Usage
from core.problem_log import ProblemLog
from core.reply import RepliesBuilder
from core.session import NO_TIME, Columns


class ColumnsBuilder:
    """`add` every entry in file order, then `finish`. Parents become rows a batch at a time."""

    BATCH = 4096

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.offset, self.size = array("q"), array("q")
        self.line, self.kind, self.role = array("q"), array("i"), array("i")
        self.time, self.chars = array("q"), array("q")
        self.replies = RepliesBuilder()
        self.other_usage: list[tuple[int, Usage]] = []
        self._names: list[str | None] = []  # parents of the entries that are not linked yet
        self._links = Links()
        self._chain: list[str] | None = None
        self._in_chain: frozenset[str] | None = None
        self._renamed: tuple[str, str] | None = None
        self._kinds: dict[str, int] = {}
        self._roles: dict[str, int] = {"": 0}

    def __len__(self) -> int:
        return len(self.ids)

    def add(
        self,
        *,
        id: str,
        parent: str | None,
        kind: str,
        role: str,
        time: int | None,
        chars: int,
        offset: int,
        size: int,
        line: int,
    ) -> None:
        """`id`: "" when the file has none. `parent`: the id named, None for a root. Others: see Columns."""
        self.ids.append(id)
        self._names.append(parent)
        self.offset.append(offset)
        self.size.append(size)
        self.line.append(line)
        kinds, roles = self._kinds, self._roles
        self.kind.append(kinds[kind] if kind in kinds else kinds.setdefault(kind, len(kinds)))
        self.role.append(roles[role] if role in roles else roles.setdefault(role, len(roles)))
        self.time.append(NO_TIME if time is None else time)
        self.chars.append(chars)
        if len(self._names) >= self.BATCH:
            self._link()

    def extend(
        self,
        *,
        ids: Sequence[str],
        parents: Sequence[str | None],
        kinds: Sequence[str],
        roles: Sequence[str],
        times: array[int],
        chars: Iterable[int],
        offsets: Iterable[int],
        sizes: Iterable[int],
        lines: Iterable[int],
    ) -> None:
        """Many entries, as `add` takes them one by one; `times` with NO_TIME for what has none."""
        self.ids.extend(ids)
        self._names.extend(parents)
        self.offset.extend(offsets)
        self.size.extend(sizes)
        self.line.extend(lines)
        for column, table, names in ((self.kind, self._kinds, kinds), (self.role, self._roles, roles)):
            for name in set(names) - table.keys():
                table[name] = len(table)
            column.extend(array("i", list(map(table.__getitem__, names))))
        self.time.extend(times)
        self.chars.extend(chars)
        if len(self._names) >= self.BATCH:
            self._link()

    def chain(self, ids: Iterable[str] | None) -> None:
        """From now on `finish` gives these ids, and every entry is the child of the one before it (files without ids).
        None: as it was added."""
        self._chain = None if ids is None else list(ids)
        self._in_chain = None

    def rename_role(self, old: str, new: str) -> None:
        """From now on `finish` gives every entry of role `old` the role `new`."""
        self._renamed = old, new

    def _link(self) -> None:
        if self._names:
            start = len(self.ids) - len(self._names)
            self._links.extend(self.ids[start:], self._names, self.line[start:])
            self._names = []

    def _parents(self, problems: ProblemLog | None) -> tuple[array[int], dict[int, str]]:
        if self._chain is not None:
            return array("q", range(-1, len(self.ids) - 1)), {}
        self._link()
        found = self._links.settle(self.ids, self.line)
        if problems is not None:
            problems.take(found)
        return self._links.parent, self._links.named

    def finish(self, problems: ProblemLog, first: int = 0) -> Columns:
        """The entries from row `first` on, with rows counted from the start of the file; what is wrong with the graph
        is added to `problems`. A copy: more may be added afterwards, and finished again with a new log."""
        parent, named = self._parents(problems)
        ids = self.ids if self._chain is None else self._chain
        role = self._roles_from(first)  # may need one more name
        return Columns(
            ids=tuple(ids[first:]),
            offset=self.offset[first:],
            size=self.size[first:],
            line=self.line[first:],
            parent=parent[first:],
            kind=self.kind[first:],
            role=role,
            time=self.time[first:],
            chars=self.chars[first:],
            kinds=tuple(self._kinds),
            roles=tuple(self._roles),
            named_parent={row: name for row, name in named.items() if row >= first} if first else dict(named),
            replies=self.replies.finish(first),
            other_usage=tuple(one for one in self.other_usage if one[0] >= first),
        )

    def knows(self, id: str) -> bool:
        """Does an entry have this id, as `finish` gives them?"""
        if self._chain is not None:
            if self._in_chain is None:
                self._in_chain = frozenset(self._chain)
            return id in self._in_chain
        self._link()
        return self._links.knows(id)

    def id_of(self, row: int) -> str:
        """As `finish` gives it."""
        return (self.ids if self._chain is None else self._chain)[row]

    def _roles_from(self, first: int) -> array[int]:
        old, new = self._renamed or ("", "")
        if old == new or old not in self._roles:
            return self.role[first:]
        before, after = self._roles[old], self._roles.setdefault(new, len(self._roles))
        return array("i", (after if role == before else role for role in self.role[first:]))

    def parents(self, end: int) -> tuple[array[int], dict[int, str]]:
        """Parents of the rows before `end` as they stand now, and the names of the unknown ones among them."""
        parent, named = self._parents(None)
        return parent[:end], {row: name for row, name in named.items() if row < end}
