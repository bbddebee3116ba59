"""The shape of a session as arrays: who continues whom, which straight stretches there are, where branches end.

    row     0   1   2   3   4   5            a fork at 1: 2-3 was left, 4-5 goes on
    parent  -   0   1   2   1   4
    newest  1   4   3   -   5   -            the latest continuation of each row

Rows are entries in file order. An edge to a parent that stands later in the file (a repeated id) is cut here, because
the graph is drawn downwards; the Session itself still follows it. Everything is arithmetic on whole columns, so that a
million entries take some hundredths of a second.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.session import DANGLING, Session

Rows = NDArray[np.int64]
Flags = NDArray[np.bool_]

GROUPS = ("user", "assistant", "results", "summaries", "settings")
"""What a filter can leave out: user messages and commands, answers, tool results, compactions and branch summaries,
and everything else (settings, labels, custom and unknown entries)."""

_OF_ROLE = {
    "user": "user",
    "bashExecution": "user",
    "assistant": "assistant",
    "toolResult": "results",
    "branchSummary": "summaries",
    "compactionSummary": "summaries",
}


def group_of(kind: str, role: str) -> str:
    """The group (of GROUPS) of an entry by its type and message role."""
    if kind in ("compaction", "branch_summary"):
        return "summaries"
    return _OF_ROLE.get(role, "settings") if kind == "message" else "settings"


class Tree:
    """Facts of one Session, computed once. `parent`: row, or ROOT or DANGLING. `group`: index into GROUPS.

    `control`: rows that only say which leaf is active; they end no branch and continue none. `newest`: the last child
    in file order, -1 without one; `degree`: how many children. Control rows are no children in either.
    """

    def __init__(self, session: Session) -> None:
        columns = session.columns
        size = len(session)
        self.parent: Rows = np.array(columns.parent, dtype=np.int64)
        self.parent[self.parent >= np.arange(size)] = DANGLING
        kind = np.array(columns.kind, dtype=np.int64)
        role = np.array(columns.role, dtype=np.int64)
        table = np.array([[GROUPS.index(group_of(k, r)) for r in columns.roles] for k in columns.kinds], dtype=np.int8)
        self.group: NDArray[np.int8] = table[kind, role] if size else np.zeros(0, dtype=np.int8)
        names = {name: index for index, name in enumerate(columns.kinds)}
        self._kind, self._names = kind, names
        self.control: Flags = kind == names.get("leaf", -1)

    def __len__(self) -> int:
        return len(self.parent)

    def __getstate__(self) -> dict[str, Any]:
        """To another process: without what is computed on demand, and in half of the bytes."""
        kept = {name: self.__dict__[name] for name in ("group", "_names", "control")}
        return {**kept, "parent": self.parent.astype(np.int32), "_kind": self._kind.astype(np.int32)}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self.parent, self._kind = kept["parent"].astype(np.int64), kept["_kind"].astype(np.int64)

    @cached_property
    def _carried(self) -> Flags:
        return (self.parent >= 0) & ~self.control

    @cached_property
    def degree(self) -> Rows:
        return np.bincount(self.parent[self._carried], minlength=len(self)).astype(np.int64)

    @cached_property
    def newest(self) -> Rows:
        found: Rows = np.full(len(self), -1, dtype=np.int64)
        found[self.parent[self._carried]] = np.flatnonzero(self._carried)  # of several children, the last one stays
        return found

    def of_kind(self, kind: str) -> Rows:
        """Rows of an entry type, ascending."""
        return np.flatnonzero(self._kind == self._names.get(kind, -1))

    @cached_property
    def ends(self) -> Rows:
        """Rows where a branch ends, ascending."""
        return np.flatnonzero((self.degree == 0) & ~self.control)

    @cached_property
    def _straight_ends(self) -> Rows:
        return np.flatnonzero(self.newest != np.arange(1, len(self) + 1))

    def leaf_below(self, row: int) -> int:
        """The end that the newest continuation of `row` leads to; `row` itself when nothing continues it."""
        while True:
            end = int(self._straight_ends[np.searchsorted(self._straight_ends, row)])
            following = int(self.newest[end])
            if following < 0:
                return end
            row = following

    def children(self, row: int) -> tuple[int, ...]:
        """Rows that continue `row`, in file order."""
        if not self.degree[row]:
            return ()
        if self.degree[row] == 1:
            return (int(self.newest[row]),)
        after = self.parent[row + 1 :]
        found = np.flatnonzero((after == row) & ~self.control[row + 1 :]) + row + 1
        return tuple(int(child) for child in found)

    @cached_property
    def _straight_starts(self) -> Rows:
        at = np.arange(len(self))
        before = self.parent == at - 1
        before[:1] = False
        alone = np.zeros(len(self), dtype=bool)
        alone[1:] = self.degree[:-1] == 1
        return np.flatnonzero(~(before & alone))

    def own_start(self, row: int) -> int:
        """The first row of the stretch without forks that `row` is in: what is on its branch alone."""
        while True:
            start = int(self._straight_starts[np.searchsorted(self._straight_starts, row, side="right") - 1])
            above = int(self.parent[start])
            if above < 0 or self.degree[above] > 1:
                return start
            row = above

    def fork_above(self, row: int) -> int | None:
        """The nearest row at or above `row` that several entries continue."""
        if self.degree[row] > 1:
            return row
        above = int(self.parent[self.own_start(row)])
        return above if above >= 0 else None

    def sums_to_root(self, values: Rows) -> Rows:
        """For every row the sum of `values` on its path, itself included."""
        running = np.cumsum(values)
        following = self.parent == np.arange(len(self)) - 1
        following[:1] = False
        heads = np.flatnonzero(~following)
        stretch = np.cumsum(~following) - 1
        parents = self.parent[heads]
        before = np.where(heads > 0, running[np.maximum(heads, 1) - 1], 0).tolist()
        of_parent = np.where(parents >= 0, stretch[np.maximum(parents, 0)], -1).tolist()
        at_parent = np.where(parents >= 0, running[np.maximum(parents, 0)], 0).tolist()
        base: list[int] = []
        for earlier, above, sum_above in zip(before, of_parent, at_parent, strict=True):
            base.append((base[above] + sum_above if above >= 0 else 0) - earlier)
        result: Rows = running + np.array(base, dtype=np.int64)[stretch] if len(self) else running
        return result
