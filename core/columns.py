"""Entries become Columns: what a format hands over one by one is laid into arrays, and the DAG is resolved once.

read      id parent(name) …          one entry after the other
finish    parent(name) -> row        duplicates: the last; unknown, self and closing parents: DANGLING, with a Problem

a ─ b ─ c        d.parent = "zz"     a: root   d: DANGLING (an extra root)
x.parent = z, y.parent = x, z.parent = y         the edge of x, the first of them in the file, is cut
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable

from core.errors import Problem, Severity
from core.messages import Usage
from core.session import DANGLING, NO_TIME, ROOT, Columns, Reply

LISTED = 200
"""Problems of one code that are listed one by one; the rest is counted in one last Problem."""


class ProblemLog:
    """Collects Problems. A file of a million broken lines must not become a million Problems."""

    def __init__(self) -> None:
        self._found: list[Problem] = []
        self._count: Counter[str] = Counter()

    def add(
        self, code: str, line: int | None = None, entry: str = "", severity: Severity = "warning", **values: object
    ) -> None:
        self.append(Problem(code, line, entry or None, severity, tuple(values.items())))

    def append(self, problem: Problem) -> None:
        self._count[problem.code] += 1
        if self._count[problem.code] <= LISTED:
            self._found.append(problem)

    def done(self) -> tuple[Problem, ...]:
        """In order of their lines, those of the whole file last."""
        found = sorted(self._found, key=lambda problem: (problem.line is None, problem.line or 0))
        for code, count in self._count.items():
            if count > LISTED:
                first = next(problem for problem in found if problem.code == code)
                values = (("code", code), ("like", first.message), ("n", count - LISTED))
                found.append(Problem("more_of_a_kind", None, None, first.severity, values))
        return tuple(found)


class ColumnsBuilder:
    """`add` every entry in file order, then `finish`."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.parents: list[str | None] = []
        self.offset, self.size = array("q"), array("q")
        self.line, self.kind, self.role = array("q"), array("i"), array("i")
        self.time, self.chars = array("q"), array("q")
        self.replies: list[Reply] = []
        self.other_usage: list[tuple[int, Usage]] = []
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
        self.parents.append(parent)
        self.offset.append(offset)
        self.size.append(size)
        self.line.append(line)
        kinds, roles = self._kinds, self._roles
        self.kind.append(kinds[kind] if kind in kinds else kinds.setdefault(kind, len(kinds)))
        self.role.append(roles[role] if role in roles else roles.setdefault(role, len(roles)))
        self.time.append(NO_TIME if time is None else time)
        self.chars.append(chars)

    def chain(self, ids: Iterable[str]) -> None:
        """New ids, and every entry the child of the one before it (files without ids)."""
        self.ids = list(ids)
        self.parents = [None, *self.ids[:-1]] if self.ids else []

    def rename_role(self, old: str, new: str) -> None:
        """Every entry of role `old` has role `new`."""
        if old in self._roles:
            before, after = self._roles[old], self._roles.setdefault(new, len(self._roles))
            self.role = array("i", (after if role == before else role for role in self.role))

    def finish(self, problems: ProblemLog) -> Columns:
        parent, named = self._resolve(problems)
        return Columns(
            ids=tuple(self.ids),
            offset=self.offset,
            size=self.size,
            line=self.line,
            parent=parent,
            kind=self.kind,
            role=self.role,
            time=self.time,
            chars=self.chars,
            kinds=tuple(self._kinds),
            roles=tuple(self._roles),
            named_parent=named,
            replies=tuple(self.replies),
            other_usage=tuple(self.other_usage),
        )

    def _resolve(self, problems: ProblemLog) -> tuple[array[int], dict[int, str]]:
        ids, lines = self.ids, self.line
        rows: dict[str, int] = {}
        for row, id in enumerate(ids):
            if id in rows:
                problems.add("duplicate_id", lines[row], id, first=lines[rows[id]])
            if id:
                rows[id] = row
        parent = array("q", bytes(8 * len(ids)))
        named: dict[int, str] = {}
        forward = False
        for row, name in enumerate(self.parents):
            if not name:
                parent[row] = ROOT
                if name is not None:
                    named[row] = name
                continue
            found = rows.get(name)
            if found is None or name == ids[row]:
                parent[row] = DANGLING
                named[row] = name
                problems.add("dangling_parent" if found is None else "self_parent", lines[row], ids[row], parent=name)
            else:
                parent[row] = found
                forward = forward or found > row
        if forward:  # without an entry before its parent there is no cycle
            for row in _closing(parent):
                problems.add("cycle", lines[row], ids[row], parent=ids[parent[row]])
                named[row] = ids[parent[row]]
                parent[row] = DANGLING
        return parent, named


def _closing(parent: array[int]) -> list[int]:
    """Of every cycle, the row that comes first in the file: a walk up from a later entry closes there."""
    closing: list[int] = []
    walk = array("q", bytes(8 * len(parent)))  # number of the walk that saw the row first; 0: none
    for start in range(len(parent)):
        row, steps = start, []
        while row >= 0 and not walk[row]:
            walk[row] = start + 1
            steps.append(row)
            row = parent[row]
        if row >= 0 and walk[row] == start + 1:
            closing.append(min(steps[steps.index(row) :]))
    return closing
