"""Which entries are shown: filters, folds and what keeps a run open."""

from __future__ import annotations

from core.rows import (
    AFTER_POINT,
    AFTER_TURN,
    BEFORE_POINT,
    HEADER,
    SHORTEST,
    START,
    Filter,
    Folding,
    kept_rows,
    soft_stretch,
    visible,
)
from core.tree import GROUPS, Tree
from tests.core.drawn import shaped


def folds(said: str, folding: Folding | None = None, parents: list[int] | None = None) -> str:
    """The items of a chain: letters, and `[n]` for a fold."""
    session = shaped(parents or list(range(-1, len(said) - 1)), said)
    shown = visible(Tree(session), None, folding or Folding())
    pieces = []
    for first, count in zip(shown.first.tolist(), shown.count.tolist(), strict=True):
        pieces.append("" if first == HEADER else f"[{count}]" if count > 1 else said[first])
    return "".join(pieces)


def test_runs_fold_between_user_messages() -> None:
    """The start, the first answer of each turn and the end stay open."""
    assert (START, AFTER_TURN, SHORTEST) == (5, 2, 4)
    assert folds("u" + "ar" * 8 + "u" + "ar" * 8) == "uarar[12]uar[13]r"


def test_short_runs_stay() -> None:
    """Three entries are not worth a fold."""
    assert folds("uarar" + "ara" + "u") == "uarararau"
    assert folds("uarar" + "arar" + "u") == "uarar[4]u"


def test_summaries_labels_and_problems_stay() -> None:
    """A compaction is an anchor with its neighbours below, a kept row is one by itself."""
    assert folds("u" + "ar" * 6 + "C" + "ar" * 6) == "uarar[8]Car[9]r"
    assert folds("u" + "ar" * 10, Folding(kept=(12,))) == "uarar[7]r[7]r"


def test_the_surroundings_of_the_inspection_point_stay() -> None:
    """Six rows before it, three after."""
    assert (BEFORE_POINT, AFTER_POINT) == (6, 3)
    assert folds("u" + "ar" * 20, Folding(point=21)) == "uarar[10]" + "arararararar"[:6] + "arar" + "[15]r"


def test_spans_opened_and_closed_by_hand() -> None:
    """Opened rows stay open; closed ones fold although they would stay open; opened wins."""
    said = "u" + "ar" * 10
    assert folds(said, Folding(opened=((5, 19),))) == said
    assert folds(said, Folding(closed=((0, 20),))) == "u[19]r"
    assert folds(said, Folding(opened=((1, 4),), closed=((0, 20),))) == "uarar[15]r"


def test_no_folding() -> None:
    """Off is off, and hard stretches are still told for a fold by hand."""
    said = "u" + "ar" * 10
    assert folds(said, Folding(on=False)) == said
    tree = Tree(shaped(list(range(-1, 20)), said))
    assert soft_stretch(tree, None, Folding(on=False), 3) == (1, 19)
    assert soft_stretch(tree, None, Folding(point=10), 3) == (1, 9)
    assert soft_stretch(tree, None, Folding(), 0) is None


def test_forks_and_branches_stay() -> None:
    """4 is a fork, 5 and 10 begin its branches, 9 ends one: none of them folds."""
    parents = [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 4, *range(10, 30)]
    said = "a" * len(parents)
    assert folds(said, Folding(closed=((0, 40),)), parents) == "aaaaa" + "aaaaa" + "a" + "[19]a"


def test_groups_are_told_by_type_and_role() -> None:
    """Each entry belongs to one group."""
    tree = Tree(shaped([-1] * 8, "uarCBLlc"))
    assert [GROUPS[group] for group in tree.group.tolist()] == [
        *("user", "assistant", "results", "summaries", "summaries"),
        *("settings", "settings", "settings"),
    ]


def test_filters_combine() -> None:
    """What is shown passes all of them; the default leaves nothing out."""
    tree = Tree(shaped([-1, 0, 1, 2, 1], "uaraa"))
    assert kept_rows(tree, Filter(), (), (), ()) is None

    def rows(chosen: Filter) -> list[int]:
        keep = kept_rows(tree, chosen, path=(0, 1, 4), problems=(2, 4), hits=(0, 3))
        assert keep is not None
        return [row for row, kept in enumerate(keep.tolist()) if kept]

    assert rows(Filter(groups=frozenset({"assistant"}))) == [1, 3, 4]
    assert rows(Filter(groups=frozenset({"assistant"}), path_only=True)) == [1, 4]
    assert rows(Filter(problems_only=True)) == [2, 4]
    assert rows(Filter(problems_only=True, path_only=True)) == [4]
    assert rows(Filter(hits_only=True)) == [0, 3]
    assert rows(Filter(groups=frozenset())) == []


def test_items_are_found_by_row() -> None:
    """Folded rows are found in their fold, filtered ones not at all."""
    tree = Tree(shaped(list(range(-1, 30)), "u"))
    shown = visible(tree, None, Folding())
    assert shown.index_of(HEADER) == 0
    assert shown.index_of(0) == 1
    assert shown.index_of(10) == shown.index_of(20) == 6
    assert shown.folded(6)
    assert shown.index_of(99) is None
    keep = kept_rows(tree, Filter(hits_only=True), (), (), (3, 7))
    shown = visible(tree, keep)
    assert [shown.index_of(row) for row in (3, 7, 5, HEADER)] == [0, 1, None, None]
    assert shown.indexes_of([7, 5, 3, 7]).tolist() == [1, 0, 1]
    assert (shown.shown, shown.total) == (2, 31)
