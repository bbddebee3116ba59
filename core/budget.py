"""The token budget by role of every request on a path, in one walk: step 0's rule as arithmetic on counts.

    path      m1 m2 m3 C(keep m3) m4 ─ request
    now       C  +  [m3, C)  +  (C, request)         prefix sums give the middle part

Adds up exactly what `core.context.build` lists for the path before each request; no message is looked at.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from core.context import SENDING
from core.counts import Counts
from core.session import Session

ROLES = ("toolResult", "summary", "assistant", "user")
"""Budget roles from the bottom of the stack up; bashExecution and custom count as user, summaries as summary."""

_PLACE = {"toolResult": 0, "assistant": 2, "branchSummary": 1, "compactionSummary": 1}
_USER, _SUMMARY = 3, 1

Budget = tuple[int, ...]
"""Tokens by ROLES."""


@dataclass(frozen=True, slots=True)
class Budgets:
    """`requests`: budget of the messages before each entry asked for, and the row of the compaction or reset that
    applies there; `next`: of the whole path."""

    requests: tuple[tuple[Budget, int | None], ...]
    next: Budget
    compaction: int | None


def place(role: str) -> int:
    """Index into ROLES of a message's role."""
    return _PLACE.get(role, _USER)


def budgets(
    session: Session,
    path: Sequence[int],
    entries: Collection[int],
    counts: Counts,
    step: Callable[[], object] = lambda: None,
) -> Budgets:
    """`entries`: rows on the path, asked in its order. Bodies are read of compactions, resets and edits only. `step` is
    called for every row."""
    walk = _Walk(session, path, counts)
    asked = set(entries)
    found: list[tuple[Budget, int | None]] = []
    for index, row in enumerate(path):
        if row in asked:
            found.append((tuple(walk.now), walk.compaction))
        walk.step(index, row)
        step()
    return Budgets(tuple(found), tuple(walk.now), walk.compaction)


class _Walk:
    """`now`: the budget before the next entry. `sums[r][i]`: tokens of role r among the first i entries, unedited."""

    def __init__(self, session: Session, path: Sequence[int], counts: Counts) -> None:
        self.session, self.path, self.counts = session, path, counts
        self.now = [0] * len(ROLES)
        self.compaction: int | None = None
        self.sums = [array("q", [0]) for _ in ROLES]
        self.first_of: dict[str, int] = {}  # index of the first entry with an id
        self.index_of = {row: index for index, row in enumerate(path)}
        self.change: dict[int, int] = {}  # index on the path -> tokens that edits so far add to it
        self.kept, self.cut = 0, -1  # the context holds entries kept … cut and those after cut

    def step(self, index: int, row: int) -> None:
        kind = self.session.type_of(row)
        role, tokens = 0, 0
        if kind in SENDING:
            tokens = self.counts.tokens[row]
            role = self._role(row, kind)
            self.now[role] += tokens + self.change.get(index, 0)
        for r, sums in enumerate(self.sums):
            sums.append(sums[-1] + (tokens if r == role else 0))
        if kind == "compaction" or kind == "reset":
            self._cut(index, row, kind)
        elif kind == "context_edit":
            self._edit(row)
        self.first_of.setdefault(self.session.columns.ids[row], index)

    def _role(self, row: int, kind: str) -> int:
        if kind == "branch_summary":
            return _SUMMARY
        return place(self.session.role_of(row)) if kind == "message" else _USER

    def _cut(self, index: int, row: int, kind: str) -> None:
        named = self.session.body(row).get("firstKeptEntryId")
        self.kept = self.first_of.get(named, index) if isinstance(named, str) else index
        self.cut, self.compaction = index, row
        self.now = [sums[index] - sums[self.kept] for sums in self.sums]
        for at, tokens in self.change.items():
            if self.kept <= at < index:
                self.now[self._role_at(at)] += tokens
        if kind == "compaction":
            self.now[_SUMMARY] += self.counts.tokens[row]
            for role, tokens in self.counts.tails.get(row, ()):
                self.now[place(role)] += tokens

    def _edit(self, row: int) -> None:
        body = self.session.body(row)
        target = body.get("targetId")
        found = self.session.row_of(target) if isinstance(target, str) else None
        at = self.index_of.get(found) if found is not None else None
        if found is None or at is None or self.session.type_of(found) not in SENDING:
            return
        before = self.counts.tokens[found]
        removed = body.get("replacement") is None
        after = 0 if removed else self.counts.edits.get(row, before)
        change = after - before
        if at < len(self.sums[0]) - 1 and at >= self.kept:  # it is in the context already
            self.now[self._role_at(at)] += change - self.change.get(at, 0)
        self.change[at] = change

    def _role_at(self, at: int) -> int:
        row = self.path[at]
        return self._role(row, self.session.type_of(row))
