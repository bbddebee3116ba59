"""The Compare tab: the request in focus under two profiles, what they do, where they part."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.profile import policies, policy
from gui import compare_rows, slices, translation
from gui.compare_page import ComparePage
from gui.pair_page import AFTER, BEFORE
from gui.prompt_rows import Kind
from gui.state import State
from gui.theme import Look
from gui.views.compare import CompareView, other_of
from tests.gui.layer_session import guarded_state, settle

ONE = replace(policy("article-1"), window=4_000)
TWO = replace(policy("article-2"), window=4_000).switch("replay_filter", False)
"""Without the filter of ids, which article 1 does not have: they would differ at the first call."""
Show = Callable[..., CompareView]


@pytest.fixture
def state(qtbot: QtBot, tmp_path: Path) -> State:
    """Eight results where the guard has room for six: article 1 empties the newest, article 2 the oldest."""
    made = guarded_state(tmp_path / "s.jsonl")
    made.choose(ONE)
    return made


@pytest.fixture
def show(qtbot: QtBot) -> Iterator[Show]:
    shown: list[CompareView] = []

    def make(state: State | None, size: QSize = QSize(816, 600), theme: str = "light") -> CompareView:  # noqa: B008
        view = CompareView(Look(theme))
        qtbot.addWidget(view)
        view.resize(size)
        view.show_state(state)
        view.show()
        if state is not None:
            view.other = TWO
        calm(view)
        shown.append(view)
        return view

    yield make
    for view in shown:
        view.show_state(None)
        view.flush()


def calm(view: CompareView) -> None:
    for _ in range(3):
        view.flush()
        if view.state is not None:
            settle(view.state)
        while view._comparing is not None and view._comparing.running:
            QApplication.processEvents()


def page(view: CompareView) -> ComparePage:
    found = view.pane.pairs
    assert isinstance(found, ComparePage)
    return found


def test_the_answer_first(show: Show, state: State) -> None:
    """One sentence: what each empties, from where on they differ, what going over would write again."""
    view = show(state)
    found = view.found
    assert found is not None
    assert found.a.emptied
    assert found.b.emptied
    assert found.first is not None
    assert found.first.block == 2
    text = view.answer.text
    assert text.startswith("Answers held fixed, A empties 2 results, B empties 2 results. From block 3 on")
    assert f"{found.behind[1]:,}" in text
    assert "$" in text


def test_numbers_of_both(show: Show, state: State) -> None:
    """A row a measure, with the difference; each has a scale of its own and is heard."""
    view = show(state)
    found = view.found
    assert found is not None
    rows = {row.id: row for row in view.list.figures.rows}
    assert list(rows) == ["tokens", "cut", "emptied", "hidden", "behind"]
    assert [value.text for value in rows["emptied"].values] == ["◇\u202f2", "◇\u202f2", "0"]
    assert view.list.figures.scale(rows["emptied"]) == 2
    assert rows["tokens"].words == f"Tokens sent: A {found.a.total:,}, B {found.b.total:,}"


def test_only_what_differs_has_a_row_of_its_own(show: Show, state: State) -> None:
    """Equal stretches are folded; texts are closed at first."""
    view = show(state)
    rows = view.pane.list.rows
    different = [row.first for row in rows if row.kind is Kind.PAIR and page(view).rows[row.first].kind != "same"]
    assert different == [2, 4, 14, 16]
    assert all(row.kind in (Kind.RUN, Kind.PAIR) and not row.open for row in rows)
    QTest.keyClick(view, Qt.Key.Key_F, Qt.KeyboardModifier.ShiftModifier)
    assert len([row for row in view.pane.list.rows if row.kind is Kind.PAIR]) == len(page(view).rows)


def test_fates_and_cache_on_both_sides(show: Show, state: State) -> None:
    """Each side tells what its own steps did; of B nothing is read from where it parts from A."""
    view = show(state)
    made = page(view)
    old, *_, new = (at for at, row in enumerate(made.rows) if row.kind == "replaced")
    assert made.fate_on(old, BEFORE) is None or made.fate_on(old, BEFORE).kind != "emptied"
    assert made.fate_on(old, AFTER).kind == "emptied"
    assert made.fate_on(new, BEFORE).kind == "emptied"
    assert made.parted == old
    assert made.state(0, BEFORE) == made.state(0, AFTER) == "read"
    assert made.state(old, BEFORE) == "read"
    assert {made.state(at, AFTER) for at in range(old, len(made.rows))} == {"written"}


def test_the_cursor_is_that_of_the_prompt(show: Show, state: State) -> None:
    """Block numbers are those of A, which the Prompt tab shows; a block that only B has leads to its entry."""
    view = show(state)
    at = next(i for i, row in enumerate(view.pane.list.rows) if row.kind is Kind.PAIR)
    view.pane.pick(at)
    assert state.cursor.block == page(view).rows[view.pane.list.rows[at].first].before
    QTest.keyClick(view, Qt.Key.Key_Down)
    QTest.keyClick(view, Qt.Key.Key_Up)
    assert state.cursor.block == 2


def test_another_request_and_another_profile(show: Show, state: State) -> None:
    """The page follows; while it is worked out the old one stays, dimmed."""
    view = show(state)
    before = view.found
    state.go(request=1)
    calm(view)
    assert view.found is not before
    assert view.found.first is None
    assert view.answer.text == "A and B send the same at this request."
    state.go(request=9)
    state.choose(TWO)
    calm(view)
    assert view.found.first is None
    view.compare_with(ONE)
    calm(view)
    assert view.found.first is not None


def test_a_pinned_profile(show: Show, state: State) -> None:
    """What is changed after pinning is told against it."""
    view = show(state)
    view.pin()
    calm(view)
    assert view.found.first is None
    state.set("guard_context", order="oldest")
    calm(view)
    assert view.found.first is not None
    assert view.sides[0].accessibleName() == "Profile in use, A: article-1 · 1 changed"
    assert view.sides[1].accessibleName() == "Compared with, B: article-1"


def test_the_menu_of_b(show: Show, state: State) -> None:
    """Every policy, and the profile in use."""
    view = show(state)
    actions = [action for action in view.sides[1].menu().actions() if not action.isSeparator()]
    assert len(actions) == len(policies()) + 1
    actions[0].trigger()
    calm(view)
    assert view.other == state.profile
    name = list(policies()).index("openclaw-2026.4.5")
    actions[1 + name].trigger()
    assert view.other == policy("openclaw-2026.4.5")
    calm(view)


@pytest.mark.parametrize("name", policies())
def test_the_first_other(name: str) -> None:
    """The articles stand against each other; nothing against itself."""
    assert other_of(policy(name)) != policy(name)
    assert other_of(policy("article-1")) == policy("article-2")


def test_without_a_session_and_without_messages(show: Show) -> None:
    assert show(None).pages.empty.text() == "No session open."


@pytest.mark.parametrize(("theme", "language", "wide"), [("dark", "zh_CN", 480), ("light", "en", 816)])
def test_it_can_be_painted(show: Show, state: State, theme: str, language: str, wide: int) -> None:
    """In both themes and languages, wide and narrow; the sides are named below the answer where there is no room."""
    translation.use(language)
    try:
        view = show(state, QSize(wide, 500), theme)
        picture = view.grab().toImage()
        colours = {picture.pixelColor(x, y).name() for x in range(0, wide, 3) for y in range(0, 500, 3)}
        assert view.look.theme.warning_tint.name() in colours
        below = view.sides[1].mapTo(view, QPoint(0, 0)).y() > view.answer.mapTo(view, QPoint(0, 0)).y() + 30
        assert below == (wide < 700)
    finally:
        translation.use("en")


def test_a_price_that_is_not_known(show: Show, state: State) -> None:
    """Then the tokens are told alone."""
    view = show(state)
    assert view.found is not None
    said = compare_rows.headline(replace(view.found, cost=None))
    assert "$" not in str(said)
    assert f"{view.found.behind[1]:,}" in str(said)


def test_a_long_prompt_is_compared_in_slices(show: Show, state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page stays as it is meanwhile; looking away ends the work, and looking again begins it anew."""
    view = show(state)
    monkeypatch.setattr(slices, "SLICE", -1)
    before = view.found
    view.compare_with(ONE)
    settle(state)
    assert view.settling
    assert view.found is before
    view.hide()
    assert view._comparing is None
    view.show()
    calm(view)
    assert view.found is not before
    assert not view.settling


def test_copy(show: Show, state: State) -> None:
    """The text of the row in focus, as side B sends it."""
    view = show(state)
    view.pane.pick(next(i for i, row in enumerate(view.pane.list.rows) if row.kind is Kind.PAIR))
    QGuiApplication.clipboard().clear()
    view.copy()
    assert QGuiApplication.clipboard().text().startswith("[compacted")
