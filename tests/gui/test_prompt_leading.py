"""Tools and system prompt in the Prompt tab: rows, rules, the first difference, and where the cursor may stand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.recorded_prompt import EMPTY, RecordedPrompt
from gui import opened, prompt_card, translation
from gui.prompt_leading import pins
from gui.prompt_rows import LEADING, Kind
from gui.state import State
from gui.theme import Look
from gui.trace_note import trace_note
from gui.trace_task import recorded_request
from gui.traced import Traced
from gui.translation import say
from gui.views.prompt import PromptView
from tests.gui.prompt_session import reply, state_of, user, write_session
from tests.resources.test_samples import FOLDER

SAMPLE = str(FOLDER / "traced-session.jsonl")


def told(number: int | None) -> RecordedPrompt:
    found = recorded_request(SAMPLE, None, "recorded", number, (), lambda *_: True)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def answers() -> dict[int | None, RecordedPrompt]:
    """What the worker says of some requests, in this process."""
    made = {number: told(number) for number in (3, 8, 12, 15, None)}
    opened.forget(SAMPLE, None)
    return made


@pytest.fixture
def show(qtbot: QtBot, answers: dict[int | None, RecordedPrompt]) -> Callable[[int | None], PromptView]:
    """The sample at a request, with what its trace tells."""

    def make(number: int | None) -> PromptView:
        loaded = opened.load(SAMPLE, None, None, lambda *_: True)
        assert loaded is not None
        state = State(loaded.session, loaded.timeline, loaded.counts)
        state.traced.ask = lambda key, paths, done: done(answers.get(key[1], EMPTY))
        state.go(request=number)
        view = PromptView(Look("light"))
        qtbot.addWidget(view)
        view.resize(816, 598)
        view.show_state(state)
        view.show()
        state.traced.look()
        view.flush()
        return view

    return make


def kinds(view: PromptView) -> list[Kind]:
    return [row.kind for row in view.list.rows]


Show = Callable[[int | None], PromptView]


def test_sections_in_order(show: Show) -> None:
    """Tools, stable part, boundary, dynamic part, then the messages; nothing is dotted."""
    view = show(3)
    assert kinds(view)[:5] == [Kind.LEADING, Kind.LEADING, Kind.BOUNDARY, Kind.LEADING, Kind.BLOCK]
    assert Kind.UNRECORDED not in kinds(view)
    assert Kind.ASSUMED not in kinds(view)


def test_a_read_that_ends_at_the_boundary(show: Show) -> None:
    """Request 15 read tools and stable part: both rules, then the first difference, above the dynamic part."""
    view = show(15)
    assert kinds(view)[:6] == [
        *(Kind.LEADING, Kind.LEADING, Kind.BOUNDARY),
        *(Kind.CACHED, Kind.DIFFERENCE, Kind.LEADING),
    ]
    assert kinds(view).count(Kind.CACHED) == 1


@pytest.mark.parametrize(("number", "leading", "unit"), [(8, 0, 2325), (12, 1, 2026), (15, 2, 154)])
def test_the_first_difference(show: Show, number: int, leading: int, unit: int) -> None:
    """Part, character and cause stand in the rule; both texts in its card."""
    view = show(number)
    page = view._page
    assert page is not None
    assert page.differs is not None
    assert (page.differs.leading, page.differs.unit) == (leading, unit)
    place = kinds(view).index(Kind.DIFFERENCE)
    assert view.list.rows[place + 1].first == LEADING + leading
    card = prompt_card.lines(page, view.list.rows[place])
    assert f"{unit + 1:,}" in card[0]
    assert card[1] != card[2]
    below = view.list.rows[place + 1]  # where the keyboard stops
    assert prompt_card.lines(page, below)[-len(card) :] == card
    assert card[2] in prompt_card.spoken(page, below)


def test_the_rule_leads_to_the_character(show: Show) -> None:
    """A click opens the part with the very character in sight and boxed."""
    view = show(12)
    place = kinds(view).index(Kind.DIFFERENCE)
    view._pick(place)
    page = view._page
    assert page is not None
    row = view.list.rows[place + 1]
    assert (row.kind, row.open) == (Kind.LEADING, True)
    at = page.difference_at(row.first)
    text = page.document(row.first).text
    assert at is not None
    assert text[at - 14 : at + 6] == "2026-04-08T09:58:30Z"
    assert view.list.current == place + 1
    y = view.list.places.y_of((row.first, at))  # type: ignore[union-attr]
    assert view.list.scroll <= y < view.list.scroll + view.list.viewport().height()


def test_keys_walk_over_the_parts(show: Show) -> None:
    """Home, down, return: the cursor stands on tools and system prompt as on any block; Ctrl+C takes their text."""
    view = show(3)
    QTest.keyClick(view.list, Qt.Key.Key_Home)
    view.flush()
    assert view.list.current == 0
    QTest.keyClick(view.list, Qt.Key.Key_Down)
    view.flush()
    assert view.list.rows[view.list.current].first == LEADING + 1  # type: ignore[index]
    assert view.copied().startswith("You are Pilot")
    QTest.keyClick(view.list, Qt.Key.Key_Return)
    view.flush()
    assert view.list.rows[1].open
    assert "stable part" in view.list.accessibleDescription()


def test_pins_and_budget(show: Show) -> None:
    """Marks stand at the end of the stable part and of the last message; the bar knows tools from system."""
    view = show(3)
    page = view._page
    assert page is not None
    leading = page.assembled.leading
    whole = sum(item.tokens for item in leading) + sum(page.assembled.tokens)
    assert pins(page) == (sum(item.tokens for item in leading[:2]), whole)
    budget = view.head.budget.shown
    assert [role for role, _ in budget.leading] == ["system", "tools"]  # type: ignore[union-attr]
    assert whole == budget.total  # type: ignore[union-attr]


def test_status_note(show: Show) -> None:
    """How much equals the trace; of what was never sent only the source is told."""
    assert say(trace_note(show(3).state)).startswith("● 6 of 6 blocks")  # type: ignore[arg-type]
    assert "traced-session" in say(trace_note(show(None).state))  # type: ignore[arg-type]


@pytest.mark.parametrize("language", translation.LANGUAGES)
def test_words(show: Show, language: str) -> None:
    """Every row paints and tells itself in both languages."""
    translation.use(language)
    try:
        view = show(15)
        page = view._page
        assert page is not None
        view.grab()
        for row in view.list.rows:
            for line in (*prompt_card.lines(page, row), prompt_card.spoken(page, row)):
                assert "prompt." not in line
    finally:
        translation.use("en")


def test_a_session_without_a_trace(qtbot: QtBot, tmp_path: Path) -> None:
    """It stays a dotted block, whose right end asks for a trace."""
    path = write_session(tmp_path / "s.jsonl", [user("a"), reply("b", write=900)])
    assert recorded_request(str(path), None, "recorded", 1, (), lambda *_: True) is None
    opened.forget(str(path), None)
    view = PromptView(Look("light"))
    qtbot.addWidget(view)
    view.resize(816, 598)
    view.show_state(state_of(path, 1))
    view.show()
    view.flush()
    assert kinds(view)[0] is Kind.UNRECORDED
    middle = view.list.places.head(0) // 2  # type: ignore[union-attr]
    with qtbot.waitSignal(view.trace_wanted, timeout=500):
        QTest.mouseClick(view.list.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(view.list.width() - 40, middle))


def test_asked_once(qtbot: QtBot) -> None:
    """A session without a trace is asked once; naming a trace asks anew."""
    asked: list[tuple[str, ...]] = []
    traced = Traced(lambda: (1, len(asked)))
    traced.ask = lambda key, paths, done: (asked.append(paths), done(None))
    traced.look()
    traced.look()
    assert asked == [()]
    traced.name(("t.jsonl",))
    assert asked == [(), ("t.jsonl",)]


def test_find_looks_at_the_parts_too(show: Show) -> None:
    """Words of the system prompt and of tools are found, and the part is opened at the hit."""
    view = show(3)
    view.find()
    view._search("chart datum")
    assert [hit.block for hit in view.list.hits[:2]] == [LEADING, LEADING + 1]
    while view.list.hit != 0:
        view.next_hit(1)
    assert [row.open for row in view.list.rows[:2]] == [True, False]
    view.next_hit(1)
    assert [row.open for row in view.list.rows[:2]] == [False, True]
    view.grab()


def test_raw_of_a_part(show: Show) -> None:
    """Tools are the JSON list of their definitions."""
    view = show(3)
    QTest.keyClick(view.list, Qt.Key.Key_Home)
    view.show_raw(True)
    assert view.list.raw is not None
    assert [tool["name"] for tool in json.loads(view.list.raw.text)][:2] == ["read", "write"]
    assert "traced-session.trajectory.jsonl" in view.list.accessibleDescription()


def test_sources_named_by_a_person(tmp_path: Path) -> None:
    """Tools from a JSON file, a system prompt from a text, or built from a workspace: each with its source."""
    path = str(write_session(tmp_path / "s.jsonl", [user("a"), reply("b", write=900)]))
    tools, text, agents = tmp_path / "tools.json", tmp_path / "prompt.txt", tmp_path / "AGENTS.md"
    tools.write_text('[{"name": "read"}]')
    text.write_text("You are.")
    agents.write_text("Be exact.")
    for named, sources in (((tools, text), ["recorded", "recorded"]), ((agents,), ["built", "built"])):
        found = recorded_request(path, None, "recorded", 1, tuple(map(str, named)), lambda *_: True)
        assert found is not None
        assert [item.source for item in found.leading] == sources
    opened.forget(path, None)
