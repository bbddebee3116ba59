"""Parents by name become rows, batch by batch: the DAG of a file that is still being read, or still being written.

    batch 1    a ─ b ─ c                 resolved as it comes
    batch 2    d(c) e(zz)                d: row 2      e: DANGLING for now
    batch 3    zz(c)                     an id that was missed, or one that comes again: all is resolved once more

Of a repeated id the last entry is meant, wherever its children stand; an edge that would close a circle is cut at the
entry of the circle that comes first in the file (session formats 1.2).
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from core.problem_log import ProblemLog
from core.session import DANGLING, ROOT

_NOBODY = object()


class Links:
    """`parent`: rows, ROOT or DANGLING. `named`: for DANGLING rows (and roots with an empty name) what the file says.

    Names are forgotten once they are rows: `ids[parent[row]]` is the name.
    """

    def __init__(self) -> None:
        self.parent = array("q")
        self.named: dict[int, str] = {}
        self._rows: dict[str, int] = {}
        self._unmet: set[str] = set()
        self._stale = False
        self._last: str | None = None
        self._problems = ProblemLog()

    def extend(self, ids: Sequence[str], names: Sequence[str | None], lines: Sequence[int]) -> None:
        """The next entries: their ids ("" = none), the parents they name (None = none), their physical lines."""
        rows, start, count = self._rows, len(self.parent), len(ids)
        before = len(rows)
        rows.update(zip(ids, range(start, start + count), strict=True))
        new = len(rows) - before
        if "" in rows:
            del rows[""]
            new += ids.count("") - 1
        if new < count or (self._unmet and not self._unmet.isdisjoint(ids)):
            self._stale = True
        self.parent.extend(range(start - 1, start + count - 1))
        lasts = self._lasts(ids)
        for at in [at for at, (name, last) in enumerate(zip(names, lasts, strict=True)) if name != last]:
            name = names[at]
            found = rows.get(name, DANGLING) if name else ROOT
            self.parent[start + at] = found
            if found >= start + at or found == DANGLING:
                self._odd(start + at, found, ids[at], name or "", lines[at])
        if "" in names:
            self.named.update((start + at, "") for at, name in enumerate(names) if name == "")

    def _lasts(self, ids: Sequence[str]) -> Sequence[object]:
        """For each entry the id of the one before it, which most entries name; nothing where that may not be meant."""
        last, self._last = self._last, ids[-1] if ids and ids[-1] else None
        if self._stale or "" in ids:
            return [_NOBODY] * len(ids)
        return [_NOBODY if last is None else last, *ids[:-1]][: len(ids)]

    def _odd(self, row: int, found: int, id: str, name: str, line: int) -> None:
        """An entry whose parent is not there, is itself, or stands later in the file."""
        if found > row:
            self._stale = True
            return
        code = "dangling_parent" if found == DANGLING else "self_parent"
        self._problems.add(code, line, id, parent=name)
        self._unmet.add(name)
        self.named[row] = name
        self.parent[row] = DANGLING

    def knows(self, id: str) -> bool:
        """Does an entry have this id?"""
        return id in self._rows

    def settle(self, ids: Sequence[str], lines: Sequence[int]) -> ProblemLog:
        """Make every parent final for what is known by now; its Problems. `ids`, `lines`: of all entries so far."""
        if self._stale:
            self._again(ids, lines)
        return self._problems

    def _again(self, ids: Sequence[str], lines: Sequence[int]) -> None:
        parent, named, rows = self.parent, self.named, self._rows
        problems = self._problems = ProblemLog()
        first: dict[str, int] = {}
        for row, id in enumerate(ids):
            if not id:
                continue
            if rows[id] != row or id in first:  # one of several
                if id in first:
                    problems.add("duplicate_id", lines[row], id, first=lines[first[id]])
                first[id] = row
        forward = False
        for row in range(len(parent)):
            above = parent[row]
            name = ids[above] if above >= 0 else named.get(row)
            if not name:
                continue
            found = rows.get(name)
            if found is None or found == row or name == ids[row]:
                parent[row] = DANGLING
                named[row] = name
                problems.add("dangling_parent" if found is None else "self_parent", lines[row], ids[row], parent=name)
            else:
                parent[row] = found
                named.pop(row, None)
                forward = forward or found > row
        self._unmet = {name for row, name in named.items() if name and name not in rows}
        self._stale = False
        if forward:  # without an entry before its parent there is no circle
            for row in _closing(parent):
                problems.add("cycle", lines[row], ids[row], parent=ids[parent[row]])
                named[row] = ids[parent[row]]
                parent[row] = DANGLING


def _closing(parent: array[int]) -> list[int]:
    """Of every circle, the row that comes first in the file: a walk up from a later entry closes there."""
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
