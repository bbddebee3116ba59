"""A truncation as rows: what shares a fate is folded, and both sides know who hangs from whom."""

from __future__ import annotations

from pathlib import Path

import pytest

from core import truncation_rows
from core.session import Session
from core.truncation import Settings, plan
from core.truncation_rows import Row, rows
from tests.core.test_truncation import MODEL, _talk, answer, ask, compaction


def drawn(found: tuple[Row, ...]) -> list[str]:
    """`x` goes, `o` stays; indented by its lane; how many entries; the row it hangs from before and after."""
    lines = []
    for row in found:
        sign = "x" if row.gone else "o"
        hung = "" if row.hung is None else f" -> {row.hung or 'root'}"
        lines.append(f"{'  ' * row.lane}{sign}{row.count} {row.parent},{row.above}{hung}")
    return lines


def rows_of(session: Session, settings: Settings | None = None) -> tuple[Row, ...]:
    return rows(session, plan(session, session.active_leaf, settings or Settings()))


def test_stretches_are_folded(tmp_path: Path) -> None:
    """The first of a stretch has a row of its own, the others one together; three and fewer are not folded."""
    talk = [ask() for _ in range(6)]
    session = _talk(tmp_path, MODEL, *talk, compaction(None), ask(), answer())
    assert drawn(rows_of(session)) == [
        "o1 -1,-1",
        "x1 0,0",
        "x5 1,1",
        "o1 2,0 -> e0",
        "o1 3,3",
        "o1 4,4",
    ]


def test_branches_have_lanes(tmp_path: Path) -> None:
    """e1 ─ e2 ─ C ─ e9        two branches leave e1 one after the other: the second takes the lane that is free again
    ├─ e4 ─ e5
    └─ e6"""
    session = _talk(
        tmp_path,
        MODEL,
        ask(),
        answer(),
        compaction(None),
        answer("first", parentId="e1"),
        ask(),
        answer("second", parentId="e1"),
        ask("on", parentId="e3"),
    )
    assert drawn(rows_of(session)) == [
        "o1 -1,-1",
        "x1 0,0",
        "x1 1,1",
        "o1 2,0 -> e0",
        "  o1 1,0 -> e0",
        "  o1 4,4",
        "  o1 1,0 -> e0",
        "o1 3,3",
    ]


def test_what_is_held_has_a_row_of_its_own(tmp_path: Path) -> None:
    """A labelled entry in the middle of what goes."""
    label = {"type": "label", "targetId": "e3", "label": "x"}
    session = _talk(tmp_path, MODEL, ask(), ask(), ask(), ask(), label, compaction(None), ask())
    found = rows_of(session)
    assert [row.kept_for for row in found if row.kept_for] == ["labelled"]
    assert drawn(found)[3] == "o1 2,0 -> e0"


def test_settings_between_many_messages_are_folded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A marker after every turn: beyond a few rows, one stretch tells how many stay of it."""
    marker = {"type": "custom", "customType": "openclaw.cache-ttl"}
    turns = [entry for _ in range(5) for entry in (ask(), answer(), marker)]
    session = _talk(tmp_path, MODEL, *turns, compaction(None), ask())
    assert len(rows_of(session)) == 18
    monkeypatch.setattr(truncation_rows, "FEW", 5)
    found = rows_of(session)
    assert [(row.count, row.stay) for row in found] == [(16, 6), (1, 1), (1, 1)]
    assert drawn(found)[1] == "o1 0,0"


def test_nothing_to_do_is_no_rows(tmp_path: Path) -> None:
    assert rows_of(_talk(tmp_path, MODEL, ask())) == ()
