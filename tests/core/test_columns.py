"""How entries become columns, and parents rows: hostile graphs included."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.columns import ColumnsBuilder
from core.problem_log import LISTED, ProblemLog
from core.session import DANGLING, NO_TIME, ROOT, Columns


def laid(*entries: tuple[str, str | None]) -> tuple[Columns, dict[str, list[int | None]]]:
    """Entries as (id, parent id), on the lines 2, 3, …; the columns, and code -> lines of the problems."""
    builder, problems = ColumnsBuilder(), ProblemLog()
    for line, (id, parent) in enumerate(entries, 2):
        builder.add(id=id, parent=parent, kind="message", role="", time=None, chars=0, offset=0, size=0, line=line)
    columns = builder.finish(problems)
    found: dict[str, list[int | None]] = {}
    for problem in problems.done():
        found.setdefault(problem.code, []).append(problem.line)
    return columns, found


def test_a_line():
    """a ─ b ─ c"""
    columns, problems = laid(("a", None), ("b", "a"), ("c", "b"))
    assert list(columns.parent) == [ROOT, 0, 1]
    assert problems == {}


def test_an_unknown_parent_makes_an_extra_root():
    """a     b(zz)"""
    columns, problems = laid(("a", None), ("b", "zz"))
    assert list(columns.parent) == [ROOT, DANGLING]
    assert columns.named_parent == {1: "zz"}
    assert problems == {"dangling_parent": [3]}


def test_a_parent_that_is_the_entry_itself_makes_a_root():
    columns, problems = laid(("a", "a"), ("b", "a"))
    assert list(columns.parent) == [DANGLING, 0]
    assert problems == {"self_parent": [2]}


def test_of_a_repeated_id_the_last_is_meant():
    """a(1) a(2) ─ b: the recorded agent's index keeps the last."""
    columns, problems = laid(("a", None), ("a", None), ("b", "a"))
    assert list(columns.parent) == [ROOT, ROOT, 1]
    assert problems == {"duplicate_id": [3]}


def test_a_circle_is_cut_at_its_first_entry():
    """
    x.parent = z, y.parent = x, z.parent = y         cut: x      z ─ w stays whole
    """
    columns, problems = laid(("x", "z"), ("y", "x"), ("z", "y"), ("w", "z"))
    assert list(columns.parent) == [DANGLING, 0, 1, 2]
    assert columns.named_parent == {0: "z"}
    assert problems == {"cycle": [2]}


def test_a_repeated_id_may_close_a_circle():
    """Case 44: same ─ e1 ─ same ─ e2, where the child of the first `same` names the second by its id."""
    columns, problems = laid(("same", None), ("e1", "same"), ("same", "e1"), ("e2", "same"))
    assert list(columns.parent) == [ROOT, DANGLING, 1, 2]
    assert problems == {"duplicate_id": [4], "cycle": [3]}


def test_an_empty_parent_is_none_but_is_remembered():
    columns, _ = laid(("a", ""), ("b", "a"))
    assert list(columns.parent) == [ROOT, 0]
    assert columns.named_parent == {0: ""}


def test_entries_without_id_do_not_meet():
    """Two of them are no duplicates, and no entry's parent."""
    columns, problems = laid(("", None), ("", ""), ("a", None))
    assert list(columns.parent) == [ROOT, ROOT, ROOT]
    assert problems == {}


def test_chain_and_roles():
    builder = ColumnsBuilder()
    for role in ("user", "hookMessage", "user"):
        builder.add(id="", parent=None, kind="message", role=role, time=None, chars=1, offset=0, size=0, line=1)
    builder.chain(["1", "2", "3"])
    builder.rename_role("hookMessage", "custom")
    columns = builder.finish(ProblemLog())
    assert [columns.roles[role] for role in columns.role] == ["user", "custom", "user"]
    assert list(columns.parent) == [ROOT, 0, 1]
    assert list(columns.time) == [NO_TIME] * 3


ids = st.sampled_from(["", "a", "b", "c", "d", "e"])


@given(st.lists(st.tuples(ids, st.none() | ids | st.just("zz")), max_size=14))
def test_no_graph_hangs(entries):
    """Whatever the ids and parents: every walk up ends, at a root, within the number of entries."""
    columns, _ = laid(*entries)
    for row in range(len(columns.ids)):
        steps, at = 0, row
        while columns.parent[at] >= 0:
            at = columns.parent[at]
            steps += 1
            assert steps <= len(columns.ids)


def test_problems_of_one_kind_are_listed_up_to_a_limit():
    """A million broken lines are not a million problems; the rest is counted."""
    log = ProblemLog()
    for line in range(1, LISTED + 51):
        log.add("bad_json", line, reason="x")
    log.add("header_missing")
    found = log.done()
    assert len(found) == LISTED + 2
    assert found[-1].code == "more_of_a_kind"
    assert dict(found[-1].values)["n"] == 50
    assert "50 more" in str(found[-1].message)
