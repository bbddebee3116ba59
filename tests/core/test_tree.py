"""The shape of a session as arrays, held against the plain walk over parents."""

from __future__ import annotations

import pickle

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.tree import Tree
from tests.core.drawn import shaped

parents_of = st.lists(st.integers(-2, 1_000), min_size=1, max_size=40).map(
    lambda drawn: [parent % (row + 2) - 2 if row else -1 for row, parent in enumerate(drawn)]
)


def path(parents: list[int], row: int) -> list[int]:
    found = []
    while row >= 0:
        found.append(row)
        row = parents[row]
    return found[::-1]


@given(parents_of, st.data())
def test_sums_to_root(parents: list[int], data: st.DataObject) -> None:
    """Law: the sum on the path of every row."""
    values = data.draw(st.lists(st.integers(-5, 99), min_size=len(parents), max_size=len(parents)))
    sums = Tree(shaped(parents)).sums_to_root(np.array(values))
    assert sums.tolist() == [sum(values[at] for at in path(parents, row)) for row in range(len(parents))]


@given(parents_of)
def test_children_forks_and_ends(parents: list[int]) -> None:
    """Law: children in file order, the newest of them, the end it leads to, and the nearest fork above."""
    tree = Tree(shaped(parents))
    children = {row: [child for child, parent in enumerate(parents) if parent == row] for row in range(len(parents))}
    assert tree.ends.tolist() == [row for row, found in children.items() if not found]
    for row in range(len(parents)):
        assert tree.children(row) == tuple(children[row])
        end = row
        while children[end]:
            end = children[end][-1]
        assert tree.leaf_below(row) == end
        forks = [at for at in path(parents, row) if len(children[at]) > 1]
        assert tree.fork_above(row) == (forks[-1] if forks else None)
        own = [at for at in path(parents, row)[:-1] if len(children[at]) > 1]
        assert tree.own_start(row) == path(parents, row)[path(parents, row).index(own[-1]) + 1 if own else 0]


def test_control_entries_are_no_children() -> None:
    """A `leaf` entry hangs from the entry after which it was written, but does not continue it (case 29)."""
    tree = Tree(shaped([-1, 0, 1, 2, 3], "uaual"))
    assert tree.ends.tolist() == [3]
    assert tree.leaf_below(0) == 3
    assert tree.children(3) == ()


def test_edges_upwards_are_cut() -> None:
    """A parent that stands later in the file (a repeated id): the entry is drawn as a root."""
    tree = Tree(shaped([2, -1, 1]))
    assert tree.parent.tolist() == [-2, -1, 1]


def test_nothing() -> None:
    """An empty file has no ends and no sums."""
    tree = Tree(shaped([]))
    assert tree.ends.tolist() == []
    assert tree.sums_to_root(np.zeros(0, dtype=np.int64)).tolist() == []


def test_another_process_gets_the_same() -> None:
    """What was computed on demand is computed again there."""
    tree = Tree(shaped((-1, 0, 1, 1, -2, 4), "uaralC"))
    tree.ends  # noqa: B018
    again = pickle.loads(pickle.dumps(tree))
    for name in ("parent", "group", "control", "degree", "newest", "ends"):
        assert (getattr(again, name) == getattr(tree, name)).all()
        assert getattr(again, name).dtype == getattr(tree, name).dtype
    assert again.of_kind("leaf").tolist() == tree.of_kind("leaf").tolist()
