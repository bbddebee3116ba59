"""Lanes of the session graph, drawn: `o` on the active path, `x` elsewhere, `|` a passing lane, `:` a dashed one."""

from __future__ import annotations

from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.graph import ACTIVE, BRANCH, JOIN, LANES, Layout, lay_out
from core.rows import Filter, Folding, Visible, kept_rows, visible
from core.tree import Tree
from tests.core.drawn import picture, shaped


def drawn(parents: list[int], leaf: int, joins: dict[int, int] | None = None) -> str:
    session = shaped(parents)
    shown = visible(Tree(session))
    return picture(shown, lay_out(shown, session.path_to(leaf), joins))


def text(drawing: str) -> str:
    return dedent(drawing).strip("\n")


def test_a_straight_session_has_one_lane() -> None:
    """The session itself stands above its first entry."""
    assert drawn([-1, 0, 1], leaf=2) == text("""
        o
        o
        o
        o""")


def test_a_left_branch_stands_beside_the_path_and_its_lane_ends_with_it() -> None:
    """2-3 was left, 4-5 goes on: the active path keeps lane 0."""
    assert drawn([-1, 0, 1, 2, 1, 4], leaf=5) == text("""
        o
        o
        o  0>1
        |x
        |x
        o
        o""")


def test_a_branch_summary_looks_back_to_the_end_that_was_left() -> None:
    """Dashed from the end of the branch to the summary, right below it or further down."""
    assert drawn([-1, 0, 1, 2, 1, 4], leaf=5, joins={4: 3}) == text("""
        o
        o
        o  0>1
        |x
        |x 1~0
        o
        o""")
    assert drawn([-1, 0, 0, 2, 3], leaf=4, joins={4: 1}) == text("""
        o
        o  0>1
        |x
        o:
        o: 1~0
        o""")


def test_the_lane_of_a_look_back_is_free_again_below_the_summary() -> None:
    """Lane 1 is taken anew by 4, which was left later."""
    assert drawn([-1, 0, 0, 2, 3, 3], leaf=5, joins={3: 1}) == text("""
        o
        o  0>1
        |x
        o: 1~0
        o  0>1
        |x
        o""")


def test_what_follows_the_active_leaf_hangs_from_it_directly() -> None:
    """The user went back to 0; 1 needs no waiting lane."""
    assert drawn([-1, 0], leaf=0) == text("""
        o
        o  0>1
         x""")


def test_the_path_of_an_earlier_branch_keeps_lane_0_and_later_children_wait_in_one_lane() -> None:
    """The user looks at branch 1-2; 3, 4 and 5 are later children of 0 and share one waiting lane."""
    assert drawn([-1, 0, 1, 0, 0, 0], leaf=2) == text("""
        o
        o   0>1
        o|
        o|  1>2
         |x 1>2
         |x
         x""")


def test_a_lane_is_used_again_when_its_branch_has_ended() -> None:
    """Two left branches one after the other need one lane."""
    assert drawn([-1, 0, 0, 0], leaf=3) == text("""
        o
        o  0>1
        |x 0>1
        |x
        o""")


def test_forks_within_a_left_branch_lean_away_from_it() -> None:
    """The newest child goes on in its parent's lane."""
    assert drawn([-1, 0, 1, 1, 0], leaf=4) == text("""
        o
        o   0>1
        |x  1>2
        ||x
        |x
        o""")


def test_an_unknown_parent_begins_a_root_without_a_line() -> None:
    """Entry 1 names a parent that is not in the file."""
    assert drawn([-1, -2, 1, 0], leaf=3) == text("""
        o
        o
        |x
        |x
        o""")
    assert drawn([-2, 0], leaf=1) == text("""
        o
        o
        o""")


def test_a_second_root_begins_at_the_session() -> None:
    """Two entries without a parent: the first message was sent anew."""
    assert drawn([-1, 0, -1, 2], leaf=3) == text("""
        o  0>1
        |x
        |x
        o
        o""")


def test_a_folded_run_is_one_item() -> None:
    """Ten entries in a row, the first ones and the end stay open."""
    session = shaped([-1, *range(20)], "u")
    shown = visible(Tree(session), None, Folding())
    assert shown.count.tolist() == [1, 1, 1, 1, 1, 1, 15, 1]
    assert picture(shown, lay_out(shown, session.path_to(20))) == "\n".join("o" * 8)


def test_no_session_no_lanes() -> None:
    """An empty file still has the session's own item; an empty filter result has nothing."""
    session = shaped([])
    assert drawn([], leaf=-1) == "o"
    shown = visible(Tree(session), kept_rows(Tree(session), Filter(path_only=True), (), (), ()))
    assert len(shown) == 0
    assert lay_out(shown, ()).gaps(0, 3) == [(), (), ()]


def test_more_branches_than_anybody_can_follow() -> None:
    """Every second entry forks off a chain in reverse order: lanes are numbered on, lines stop at LANES."""
    count = 100
    parents = [-1, *range(count - 1), *range(count - 2, -1, -1)]
    session = shaped(parents)
    shown = visible(Tree(session))
    layout = lay_out(shown, session.path_to(count - 1))
    assert layout.width > LANES
    assert max(len(gap) for gap in layout.gaps(0, len(shown))) <= LANES + 2


@pytest.mark.parametrize("size", [1, 255, 256, 257, 1000])
def test_windows_across_checkpoints_agree_with_the_whole(size: int) -> None:
    """A branch that waits for hundreds of items is found from any window."""
    parents = [-1, *range(size), 0, *range(size + 1, size + 9)]
    session = shaped(parents)
    shown = visible(Tree(session))
    layout = lay_out(shown, session.path_to(size))
    whole = layout.gaps(0, len(shown))
    for start in range(0, len(shown), 37):
        assert layout.gaps(start, start + 40) == [*whole[start : start + 40], *[()] * (start + 40 - len(whole))][:40]


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[int], int, dict[int, int]]:
    """(parents, active leaf, joins): mostly chains, with forks, roots and unknown parents; any entry may be active."""
    size = draw(st.integers(1, 40))
    parents = []
    for row in range(size):
        near = st.integers(max(0, row - 4), max(0, row - 1))
        kind = draw(st.sampled_from(["on", "on", "on", "near", "any", "root", "unknown"]))
        if row == 0 or kind in ("root", "unknown"):
            parents.append(-2 if kind == "unknown" else -1)
        else:
            parents.append(row - 1 if kind == "on" else draw(near if kind == "near" else st.integers(0, row - 1)))
    joins = draw(st.dictionaries(st.integers(0, size - 1), st.integers(0, size - 1), max_size=4))
    return parents, draw(st.integers(0, size - 1)), joins


def check_lines(shown: Visible, layout: Layout, parents_drawn: bool = True) -> None:
    """Every item with a shown ancestor hangs from it by an unbroken line that passes through no other item."""
    gaps = layout.gaps(-1, len(shown))
    for item in range(len(shown)):
        parent = int(shown.parent[item])
        arriving = [s for s in gaps[item] if s[1] == layout.lane[item] and s[2] != JOIN]
        if parent < 0:
            assert not arriving or layout.lane[item] == 0
            continue
        assert len(arriving) == 1
        lane, at = arriving[0][0], item - 1
        while at > parent:
            assert layout.lane[at] != lane, f"the line to {item} runs through {at}"
            lane = next(above for above, below, style in gaps[at] if below == lane and style != JOIN)
            at -= 1
        assert layout.lane[parent] == lane


@given(graphs())
def test_every_item_hangs_from_its_ancestor(graph: tuple[list[int], int, dict[int, int]]) -> None:
    """Law: lines are unbroken, and none runs through an item that it does not belong to."""
    parents, leaf, joins = graph
    session = shaped(parents)
    shown = visible(Tree(session))
    check_lines(shown, lay_out(shown, session.path_to(leaf), joins))


@given(graphs(), st.data())
def test_filtered_items_hang_from_the_nearest_shown_ancestor(
    graph: tuple[list[int], int, dict[int, int]], data: st.DataObject
) -> None:
    """Law: the same holds for any choice of rows."""
    parents, leaf, joins = graph
    session = shaped(parents)
    tree = Tree(session)
    hits = data.draw(st.sets(st.integers(0, len(parents) - 1)))
    shown = visible(tree, kept_rows(tree, Filter(hits_only=True), (), (), hits))
    assert shown.first.tolist() == sorted(hits)
    for item, row in enumerate(shown.first.tolist()):
        ancestor = int(tree.parent[row])
        while ancestor >= 0 and ancestor not in hits:
            ancestor = int(tree.parent[ancestor])
        assert shown.parent[item] == (shown.index_of(ancestor) if ancestor >= 0 else -1)
    check_lines(shown, lay_out(shown, session.path_to(leaf), joins))


@given(graphs())
def test_no_two_lines_share_a_lane(graph: tuple[list[int], int, dict[int, int]]) -> None:
    """Law: in a gap each lane is arrived at once, but for a summary's look back that ends at a node; and a straight
    piece is the only one of its lane."""
    parents, leaf, joins = graph
    session = shaped(parents)
    shown = visible(Tree(session))
    layout = lay_out(shown, session.path_to(leaf), joins)
    for gap, segments in enumerate(layout.gaps(0, len(shown))):
        own = [below for above, below, style in segments if style != JOIN]
        assert len(own) == len(set(own))
        straight = [above for above, below, style in segments if above == below]
        assert len(straight) == len(set(straight))
        for above, below, style in segments:
            if style == JOIN and above != below:
                assert layout.lane[gap + 1] == below


@given(graphs())
def test_the_active_path_is_lane_0_and_nothing_else_is(graph: tuple[list[int], int, dict[int, int]]) -> None:
    """Law: an item is in lane 0 if and only if it is on the active path (or the session itself)."""
    parents, leaf, joins = graph
    session = shaped(parents)
    shown = visible(Tree(session))
    layout = lay_out(shown, session.path_to(leaf), joins)
    path = set(session.path_to(leaf)) | {-1}
    for item, row in enumerate(shown.first.tolist()):
        assert (layout.lane[item] == 0) == (row in path) == bool(layout.active[item])
    styles = {style for gap in layout.gaps(0, len(shown)) for above, below, style in gap if above == below == 0}
    assert styles <= {ACTIVE}
    others = {style for gap in layout.gaps(0, len(shown)) for above, below, style in gap if below}
    assert others <= {BRANCH, JOIN}


@given(graphs(), st.booleans())
def test_folding_keeps_lines_whole(graph: tuple[list[int], int, dict[int, int]], on: bool) -> None:
    """Law: folds hide entries but no fork, end or root, and every entry is in exactly one item."""
    parents, leaf, joins = graph
    parents = [*parents, *range(len(parents) - 1, len(parents) + 19)]
    session = shaped(parents)
    tree = Tree(session)
    shown = visible(tree, None, Folding(on, point=leaf))
    rows = [
        row
        for first, last in zip(shown.first.tolist(), shown.last.tolist(), strict=True)
        for row in range(first, last + 1)
    ]
    assert rows == list(range(-1, len(parents)))
    assert sum(shown.count.tolist()) == len(parents) + 1
    for item, row in enumerate(shown.first.tolist()):
        if shown.folded(item):
            span = range(row, int(shown.last[item]) + 1)
            assert all(tree.degree[inner] == 1 for inner in span)
            assert all(tree.parent[inner] == inner - 1 for inner in span)
            assert leaf not in span
    check_lines(shown, lay_out(shown, session.path_to(leaf), joins))
