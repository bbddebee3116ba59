"""The page on break thresholds: candidates asked of the worker, three thresholds, what comes and goes for how much."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.break_thresholds import USUAL, Candidate, candidates
from core.phrase import phrase
from gui import threshold_task, translation
from gui.opened import load
from gui.state import State
from gui.theme import Look
from gui.threshold_binding import bind
from gui.threshold_rows import SPECS, values_of
from gui.threshold_task import candidates_of
from gui.views.thresholds import ThresholdsView
from gui.worker import Failure
from tests.gui.guard_answers import SAMPLES
from tests.gui.layer_session import settle
from tests.gui.prompt_session import long_session, reply, state_of, user, write_session

FLAKY = str(SAMPLES / "flaky-test.jsonl")


def go_on(*_: object) -> bool:
    return True


@pytest.fixture
def state(qtbot: QtBot, tmp_path: Path) -> State:
    """Reads 5,000, then 4,900 (ours only: 3.9 % of 5,100), then 3,000 (both), then all."""
    reads = ((0, 5_000), (5_000, 100), (4_900, 200), (3_000, 2_100), (5_100, 10))
    said = [part for read, write in reads for part in (user("go"), reply("ok", read=read, write=write))]
    made = state_of(write_session(tmp_path / "s.jsonl", said), 5)
    settle(made)
    return made


@pytest.fixture
def view(qtbot: QtBot, state: State) -> Iterator[ThresholdsView]:
    made = ThresholdsView(Look("light"))
    qtbot.addWidget(made)
    made.resize(816, 560)
    made.show_state(state)
    made.show()
    made.flush()
    made.take(state.timeline, found_in(state))
    yield made
    made.show_state(None)
    made.flush()
    settle(state)


def found_in(state: State) -> tuple[Candidate, ...]:
    return candidates(state.session, state.session.requests(state.session.path_to(state.timeline.leaf)))


def changes(view: ThresholdsView) -> dict[str, str]:
    return {row.id: row.values[2].text for row in view.list.figures.rows}


def test_the_worker_finds_what_the_core_finds() -> None:
    """By the path of a file; stopped, it tells of none."""
    loaded = load(FLAKY, None, None, go_on)
    assert loaded is not None
    session, leaf = loaded.session, loaded.timeline.leaf
    found = candidates_of(FLAKY, leaf, go_on)
    assert found == candidates(session, session.requests(session.path_to(leaf)))
    known = {broke.request: broke for broke in loaded.timeline.breaks}
    assert {one.found.request: one.found.cost for one in found if one.detectors(USUAL)} == {
        number: broke.cost for number, broke in known.items()
    }


def test_the_worker_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threshold_task, "EVERY", 4)
    assert candidates_of(FLAKY, None, lambda said, share: said.id != "thresholds.job") == ()


def test_the_usual_thresholds(view: ThresholdsView) -> None:
    """They stay; the answer has their number and what they cost; money and size of each."""
    assert view.answer.text.startswith("Under these thresholds 2 breaks cost ≈$")
    assert changes(view) == {"3": "stays", "4": "stays"}
    row = view.list.figures.rows[1]
    assert row.title == "Request 4 · messages changed" or row.title.startswith("Request 4 · ")
    assert row.note == "both · 3,000 of 5,100"
    assert row.values[0].text == "●\u202f2,100"
    assert row.values[1].text.startswith("≈\u202f$")


def test_they_come_and_go(view: ThresholdsView) -> None:
    """A stricter threshold lets one vanish, a looser one another appear: those stand first."""
    view.rows["ours"].slider.moved.emit(0.05)
    assert changes(view) == {"3": "vanishes", "4": "stays"}
    assert next(iter(changes(view))) == "3"
    assert ". 1 vanishes (≈$" in view.answer.text
    view.rows["share"].slider.moved.emit(0.99)
    view.rows["tokens"].slider.moved.emit(50)
    assert changes(view) == {"3": "stays", "4": "stays"}
    assert values_of(view.limits) == {"share": 0.99, "tokens": 50, "ours": 0.05}
    view.rows["tokens"].slider.moved.emit(50_000)
    view.rows["ours"].slider.moved.emit(0.6)
    assert set(changes(view).values()) == {"vanishes"}
    assert "2 vanish" in view.answer.text


def test_each_goes_back_to_its_default(view: ThresholdsView) -> None:
    view.rows["ours"].slider.moved.emit(0.3)
    view.rows["share"].slider.moved.emit(0.6)
    assert view.rows["ours"].restore.isVisible()
    for row in view.rows.values():
        row.restored.emit()
    assert view.limits == USUAL
    assert "come and go" in view.answer.text
    assert {field: spec.default for field, spec in SPECS.items()} == values_of(USUAL)


def test_the_row_in_focus(view: ThresholdsView, state: State) -> None:
    """It moves the request in focus, is measured on the tracks, and said in both detectors' numbers."""
    QTest.keyClick(view.list, Qt.Key.Key_Home)
    QTest.keyClick(view.list, Qt.Key.Key_Down)
    assert state.cursor.request == 4
    assert view.rows["tokens"].measured.text() == "●1,900 less"
    assert view.rows["tokens"].slider.measured == 1_900
    assert view.rows["share"].slider.measured is None
    assert "3,000, 61.2\u202f% of the 4,900 that were read before, 1,900 less" in view.detail.words.text()
    state.go(request=3)
    view.flush()
    assert view.list.current.id == "3"


def test_another_path_is_asked_for(view: ThresholdsView, state: State, tmp_path: Path) -> None:
    """What comes late, of another path, is dropped; a failure says so."""
    asked: list[bool] = []
    view.wanted.connect(lambda: asked.append(True))
    other = state_of(long_session(tmp_path / "t.jsonl", 4), 3)
    view.show_state(other)
    view.flush()
    assert asked == [True]
    assert view.settling
    view.take(state.timeline, found_in(state))
    assert view.pages.empty.text().startswith("Looking for")
    view.fail(other.timeline, phrase("fill.nothing"))
    assert not view.settling
    assert view.pages.empty.text().startswith("Nothing would")
    view.take(other.timeline, ())
    assert view.pages.empty.text().startswith("No request of this branch read less")


def test_the_worker_is_asked(qtbot: QtBot, state: State) -> None:
    """For the candidates of the path in sight; what it finds is shown, why it could not is said."""
    asked: list[tuple[Any, ...]] = []
    jobs = SimpleNamespace(run=lambda lane, task, *arguments, **how: asked.append((task, arguments, how)))
    window = SimpleNamespace(jobs=jobs, sessions=SimpleNamespace(path_of=lambda state: state.session.path))
    made = ThresholdsView(Look("light"))
    qtbot.addWidget(made)
    bind(window, made)  # type: ignore[arg-type]
    made.show_state(state)
    made.flush()
    [(task, arguments, how)] = asked
    assert (task, arguments) == (candidates_of, (state.session.path, state.timeline.leaf))
    how["failed"](Failure(phrase("fill.nothing"), ""))
    assert made.pages.empty.text().startswith("Nothing would")
    how["done"](candidates_of(*arguments, go_on))
    assert set(changes(made)) == {"3", "4"}
    made.show_state(None)
    made.flush()


def test_what_is_missing_is_said(view: ThresholdsView, tmp_path: Path) -> None:
    view.show_state(state_of(write_session(tmp_path / "u.jsonl", [user("hello")])))
    view.flush()
    assert view.pages.empty.text() == "No request on this branch."
    view.show_state(None)
    view.flush()
    assert view.pages.empty.text() == "No session open."


@pytest.mark.parametrize(("width", "language"), [(400, "zh_CN"), (500, "en"), (900, "en")])
def test_it_can_be_painted(qtbot: QtBot, state: State, width: int, language: str) -> None:
    translation.use(language)
    try:
        made = ThresholdsView(Look("dark"))
        qtbot.addWidget(made)
        made.resize(width, 500)
        made.show_state(state)
        made.flush()
        made.take(state.timeline, found_in(state))
        made.grab()
        assert made.rows["share"].help.isHidden() == (width < 620)
        assert ("中断" in made.answer.text) == (language == "zh_CN")
        made.show_state(None)
        made.flush()
    finally:
        translation.use("en")
