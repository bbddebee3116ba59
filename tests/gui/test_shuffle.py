"""The page of what-ifs for the cache."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.prompt_source import PartSource, PromptSource
from core.shuffle import KINDS, along
from core.system_prompt import SystemPrompt
from gui import numbers, shuffle_rows, slices, translation
from gui.numbers import Mark
from gui.state import Change, State
from gui.theme import Look
from gui.views.shuffle import ShuffleView
from tests.core.test_shuffle import SYSTEM, TOOLS
from tests.gui.layer_session import settle
from tests.gui.prompt_session import long_session, state_of, user, write_session


@pytest.fixture
def state(qtbot: QtBot, tmp_path: Path) -> State:
    """Request 9 read most of its prompt."""
    made = state_of(long_session(tmp_path / "s.jsonl", 12), 9)
    settle(made)
    return made


@pytest.fixture
def view(qtbot: QtBot, state: State) -> Iterator[ShuffleView]:
    made = ShuffleView(Look("light"))
    qtbot.addWidget(made)
    made.resize(816, 560)
    made.show_state(state)
    made.show()
    made.flush()
    yield made
    made.show_state(None)
    made.flush()


def test_the_answer_first(view: ShuffleView, state: State) -> None:
    """The dearest what-if with its tokens and its price."""
    read = state.summary.request.usage.read
    assert view.answer.text.startswith("A clock above the boundary: ")
    assert f"●{read:,}" in view.answer.text
    assert "$" in view.answer.text


def test_rows(view: ShuffleView, state: State) -> None:
    """Read and written parts of each add up to what was read; the price is of this request, and of all."""
    read = state.summary.request.usage.read
    rows = {row.id: row for row in view.list.figures.rows}
    assert list(rows) == list(KINDS)
    for row in rows.values():
        assert [piece.kind for piece in row.bars[0]] == ["read", "written"]
        assert sum(piece.size for piece in row.bars[0]) == read
    lost = view.shown.found[1].lost
    assert rows["time_above"].values[0].text == f"≈\u202f{lost:,}"
    assert rows["time_above"].values[1].text.startswith("≈\u202f+$")
    assert view.read is not None
    tokens, money = along(view.read, view.shown.found[1].kept)
    assert tokens > lost
    assert rows["time_above"].values[2].text == numbers.money(money, mark=Mark.ESTIMATED, signed=True)


def test_a_recorded_head_shows_where_they_part(view: ShuffleView, state: State, monkeypatch) -> None:
    """Both texts, the first character that differs boxed; without a record there is nothing to show."""
    assert not view.lines.isVisible()
    parts = {"system": SystemPrompt.of_text(SYSTEM, "recorded"), "tools": tuple(TOOLS)}
    here = PartSource("trace", "t")
    traced = state.assembled.with_source(PromptSource(**parts, system_from=here, tools_from=here), lambda message: 50)
    monkeypatch.setattr(State, "assembled", property(lambda self: traced))
    state.go(request=8)
    view.flush()
    assert view.lines.isVisible()
    (_, one, at), (_, other, _) = view.lines.lines
    assert one[:at] == other[:at]
    assert one[at] != other[at]
    assert one[at - 1] == "0"
    view.grab()
    for _ in KINDS:
        QTest.keyClick(view.list, Qt.Key.Key_Down)
    assert not view.lines.isVisible()  # of capabilities nothing is recorded, so nothing can be out of order
    settle(state)


def test_the_row_in_focus_is_explained(view: ShuffleView) -> None:
    QTest.keyClick(view.list, Qt.Key.Key_Home)
    assert view.detail.title.text() == "Tools in another order"
    assert "by difference" in view.detail.words.text()


def test_nothing_was_read(view: ShuffleView, state: State) -> None:
    """The first request has nothing to lose."""
    state.go(request=1)
    view.flush()
    assert view.answer.text == "This request read nothing from the cache: there is nothing to lose."
    assert all(row.values[0].text == "0" for row in view.list.figures.rows)
    settle(state)


def test_without_requests(qtbot: QtBot, view: ShuffleView, tmp_path: Path) -> None:
    """A page without data says what is missing."""
    view.show_state(None)
    view.flush()
    assert view.pages.empty.text() == "No session open."
    view.show_state(state_of(write_session(tmp_path / "t.jsonl", [user("hello")])))
    view.flush()
    assert view.pages.empty.text() == "No request on this branch."


@pytest.mark.parametrize(("theme", "language"), [("light", "en"), ("dark", "zh_CN")])
def test_it_can_be_painted(qtbot: QtBot, state: State, theme: str, language: str) -> None:
    translation.use(language)
    try:
        made = ShuffleView(Look(theme))
        qtbot.addWidget(made)
        made.resize(480, 500)
        made.show_state(state)
        made.flush()
        made.grab()
        assert ("边界之上" in made.answer.text) == (language == "zh_CN")
        made.show_state(None)
        made.flush()
    finally:
        translation.use("en")


def test_prices_that_are_not_known(state: State, monkeypatch) -> None:
    """Tokens are told alone; the column says that nothing is known."""
    monkeypatch.setattr("core.shuffle.extra", lambda spent: None)
    shown = shuffle_rows.shuffled(state)
    assert "$" not in str(shuffle_rows.headline(shown))
    values = [value.text for value in shuffle_rows.figures(shown, []).rows[0].values]
    assert values[1:] == ["–", "–"]


def test_many_requests_are_gathered_in_slices(view: ShuffleView, state: State, monkeypatch) -> None:
    """The window never waits for them; until they are there the column says so, and a hidden page stops."""
    monkeypatch.setattr(slices, "SLICE", -1)
    view._leave()
    view._note(Change.CURSOR)
    view.flush()
    assert view.read is None
    assert view.settling
    assert view.list.figures.rows[0].values[2].text == "…"
    view.hide()
    assert view._gathering is None
    view.show()
    view.flush()
    while view.read is None:
        QApplication.processEvents()
    assert view.list.figures.rows[0].values[2].text.startswith("≈")
    settle(state)
