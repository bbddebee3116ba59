"""The branches of a session by name, and what some entries say about others: labels, and summaries of a left branch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from core.messages import Json
from core.session import Session
from core.tree import GROUPS, Tree

ParseBody = Callable[[int], Json]


@dataclass(frozen=True, slots=True)
class Branch:
    """A branch by its `leaf`. `requests`: model calls from the root to it. `entries`: of its path; `own`: of those,
    how many lie behind its last fork. `said`: the row whose title names it: its first own user message, else its first
    own entry. `main`: the branch that the file itself calls active."""

    leaf: int
    requests: int
    entries: int
    own: int
    said: int
    main: bool


def branches(session: Session, tree: Tree, limit: int = 200) -> tuple[Branch, ...]:
    """All ends of the graph as branches, the main one first, then the newest `limit` in reverse file order.

    The active leaf counts even where entries follow it: the user went back to it (session formats 1.5).
    """
    active = session.active_leaf
    ends = tree.ends[-limit:][::-1].tolist()
    leaves = [active] if active is not None else []
    leaves += [end for end in ends if end != active]
    if not leaves:
        return ()
    calls = np.zeros(len(tree), dtype=np.int64)
    calls[list(session.request_rows)] = 1
    requests, entries = tree.sums_to_root(calls), tree.sums_to_root(np.ones(len(tree), dtype=np.int64))
    found = []
    for leaf in leaves:
        start = tree.own_start(leaf)
        said = _first_said(tree, start, leaf)
        own = int(entries[leaf] - entries[start]) + 1
        found.append(Branch(leaf, int(requests[leaf]), int(entries[leaf]), own, said, leaf == active))
    return tuple(found)


def branch_count(session: Session, tree: Tree) -> int:
    """How many branches `branches` would find without a limit."""
    active = session.active_leaf
    ends = tree.ends
    extra = active is not None and not bool(np.isin(active, ends))
    return len(ends) + extra


def _first_said(tree: Tree, start: int, leaf: int) -> int:
    """The first user message among the entries from `start` to `leaf`, which lie on one branch; else `start`."""
    user = GROUPS.index("user")
    row, first = leaf, start
    for _ in range(5_000):
        if tree.group[row] == user:
            first = row
        if row == start:
            break
        row = int(tree.parent[row])
    return first


def labels(session: Session, tree: Tree, body: ParseBody) -> Iterator[tuple[int, str]]:
    """(row, label) in file order, "" where a label is cleared: of several for one row the last one holds.

    Each step parses one entry, so that a caller may stop between two.
    """
    for row in tree.of_kind("label").tolist():
        entry = body(row)
        target = entry.get("targetId") if isinstance(entry, dict) else None
        at = session.row_of(target) if isinstance(target, str) else None
        if at is not None:
            text = entry.get("label")
            yield at, text.strip() if isinstance(text, str) else ""


def joins(session: Session, tree: Tree, body: ParseBody) -> Iterator[tuple[int, int]]:
    """(row of a branch summary, row of the end of the branch that it tells about), in file order.

    `fromId` names the entry that was left. Where it names an entry above the summary (the fork) or none that is in the
    file, the branch left is taken to be the one written just before the summary, if that hangs from the same fork.
    """
    for row in tree.of_kind("branch_summary").tolist():
        entry = body(row)
        named = entry.get("fromId") if isinstance(entry, dict) else None
        left = session.row_of(named) if isinstance(named, str) else None
        parent = int(tree.parent[row])
        if left is None or left >= row or left == parent or _above(tree, left, parent):
            left = row - 1 if row and parent >= 0 and row - 1 != parent and _above(tree, parent, row - 1) else None
        if left is not None:
            yield row, tree.leaf_below(left)


def _above(tree: Tree, ancestor: int, row: int) -> bool:
    """`ancestor` lies on the path to `row`, above it. Looks up at most 5,000 entries."""
    for _ in range(5_000):
        if row <= ancestor:
            return False
        row = int(tree.parent[row])
        if row == ancestor:
            return True
    return False


def labels_of(found: Mapping[int, str]) -> dict[int, str]:
    """The labels that hold, from all (row, label) in file order."""
    return {row: text for row, text in found.items() if text}
