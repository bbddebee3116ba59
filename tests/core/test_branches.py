"""Branches by name, labels, and the branch that a summary tells about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from core.branches import branch_count, branches, joins, labels
from core.session import Session
from core.tree import Tree
from tests.core.drawn import opened, said

USAGE = {"usage": {"input": 5, "output": 5, "totalTokens": 10}, "provider": "p", "model": "m", "stopReason": "stop"}


def forked(tmp_path: Path, *more: dict[str, Any]) -> Session:
    """e0 ─ e1 ─┬─ e2 ─ e3 (left)
    └─ e4 ─ e5 ─ e6
    """
    return opened(
        said("user", "first"),
        said("assistant", "answer", **USAGE),
        said("user", "one way"),
        said("assistant", "tried", **USAGE),
        {**said("assistant", "thinking aloud", **USAGE), "parentId": "e1"},
        said("user", "another way"),
        said("assistant", "done", **USAGE),
        *more,
        tmp_path=tmp_path,
    )


def test_branches_are_named_by_their_first_own_user_message(tmp_path: Path) -> None:
    """The main branch first; requests and entries are counted from the root."""
    session = forked(tmp_path)
    found = branches(session, Tree(session))
    assert [(b.leaf, b.requests, b.entries, b.own, b.said, b.main) for b in found] == [
        (6, 3, 5, 3, 5, True),
        (3, 2, 4, 2, 2, False),
    ]
    assert branch_count(session, Tree(session)) == 2


def test_the_active_leaf_is_a_branch_although_entries_follow_it(tmp_path: Path) -> None:
    """A `leaf` entry names e1: three ends to choose from."""
    session = forked(tmp_path, {"type": "leaf", "targetId": "e1"})
    found = branches(session, Tree(session))
    assert [(b.leaf, b.main) for b in found] == [(1, True), (6, False), (3, False)]
    assert branch_count(session, Tree(session)) == 3


def test_a_limit_keeps_the_newest(tmp_path: Path) -> None:
    """The main branch always stays."""
    session = forked(tmp_path, {"type": "leaf", "targetId": "e3"})
    assert [b.leaf for b in branches(session, Tree(session), limit=1)] == [3, 6]


def test_labels_the_last_one_holds(tmp_path: Path) -> None:
    """Cleared labels are told as empty, labels of nothing not at all."""
    session = forked(
        tmp_path,
        {"type": "label", "targetId": "e0", "label": "start"},
        {"type": "label", "targetId": "e1", "label": " keep "},
        {"type": "label", "targetId": "e0"},
        {"type": "label", "targetId": "gone", "label": "x"},
        {"type": "label", "targetId": 7, "label": "x"},
    )
    assert list(labels(session, Tree(session), session.body)) == [(0, "start"), (1, "keep"), (0, "")]


def test_a_branch_summary_looks_back_to_the_end_of_what_was_left(tmp_path: Path) -> None:
    """`fromId` names the end, or an entry of the branch; an entry that was never left says nothing by itself."""

    def looked_back(**named: Any) -> list[tuple[int, int]]:
        session = forked(tmp_path, {"type": "branch_summary", "summary": "s", **named})
        return list(joins(session, Tree(session), session.body))

    assert looked_back(fromId="e3", parentId="e6") == [(7, 3)]
    assert looked_back(fromId="e2", parentId="e6") == [(7, 3)]
    # The fork itself: the branch that was written last is the one that was left.
    assert looked_back(fromId="e1", parentId="e1") == [(7, 6)]
    assert looked_back(fromId="root", parentId="e1") == [(7, 6)]
    assert looked_back(fromId="e6", parentId="e6") == []
    assert looked_back(parentId=None) == []
