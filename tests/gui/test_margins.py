"""The page on token estimates: asked of the worker, one scale, the answer from the session's own record."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core import replay
from core.estimators import Explained, margins
from core.phrase import phrase
from core.profile import policy
from core.session_key import NOTHING
from gui import margin_rows, margin_task, translation
from gui.margin_task import explain
from gui.opened import load
from gui.state import State
from gui.theme import Look
from gui.views.margins import MarginsView
from tests.gui.guard_answers import SAMPLES
from tests.gui.layer_session import settle
from tests.gui.prompt_session import long_session, state_of

FLAKY = str(SAMPLES / "flaky-test.jsonl")
OURS = policy("openclaw-2026.4.5")


def go_on(*_: object) -> bool:
    return True


@pytest.fixture(scope="module")
def found() -> Explained:
    loaded = load(FLAKY, None, None, go_on)
    assert loaded is not None
    return explain(FLAKY, loaded.timeline.leaf, loaded.counts.counter, 23, OURS, NOTHING, go_on)


@pytest.fixture
def state(qtbot: QtBot, tmp_path: Path) -> State:
    made = state_of(long_session(tmp_path / "s.jsonl", 4), 3)
    settle(made)
    return made


@pytest.fixture
def view(qtbot: QtBot, state: State) -> Iterator[MarginsView]:
    made = MarginsView(Look("light"))
    qtbot.addWidget(made)
    made.resize(816, 560)
    made.show_state(state)
    made.show()
    made.flush()
    yield made
    made.show_state(None)
    made.flush()


# the worker


def test_what_is_sent_is_measured(found: Explained) -> None:
    """The messages of the request after the steps of the profile, and what the provider counted of them."""
    loaded = load(FLAKY, None, None, go_on)
    assert loaded is not None
    session, timeline, counts = loaded.session, loaded.timeline, loaded.counts
    start, trace = replay.trace(session, timeline, counts, 23, OURS)
    prompt = timeline.summaries[22].request.usage.prompt
    expected = margins(trace.blocks, bpe=None, prompt=prompt, unrecorded=start.assembled.unrecorded)
    known = {item.id: item for item in found.margins.estimates}
    assert {item.id: item for item in expected.estimates}.items() <= known.items()
    assert known["bpe"].tokens > 0
    assert len(found.coverage) == 6


def test_the_session_is_read_once(found: Explained, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another request of it asks for itself alone, and each message is put through the tokenizer once."""
    loaded = load(FLAKY, None, None, go_on)
    assert loaded is not None
    leaf, counter = loaded.timeline.leaf, loaded.counts.counter
    explain(FLAKY, leaf, counter, 22, OURS, NOTHING, go_on)
    monkeypatch.setattr(margin_task, "coverage", lambda *a, **n: pytest.fail("read again"))
    again = explain(FLAKY, leaf, counter, 21, OURS, NOTHING, go_on)
    assert again.coverage == found.coverage
    assert again.margins != found.margins


def test_what_would_be_sent_next() -> None:
    """Nothing is recorded of it."""
    loaded = load(FLAKY, None, None, go_on)
    assert loaded is not None
    next_ = explain(FLAKY, loaded.timeline.leaf, loaded.counts.counter, None, OURS, NOTHING, go_on)
    assert next_.margins.prompt is None
    assert all(item.id != "recorded" and item.ratio is None for item in next_.margins.estimates)


# rows


def test_rows(found: Explained) -> None:
    """A row an estimate, marked as what it is; the recorded size is the line over all of them."""
    figures = margin_rows.figures(found)
    rows = {row.id: row for row in figures.rows}
    assert list(rows) == ["quarter", "results", "headroom", "pi", "safety", "bpe", "recorded"]
    recorded = next(item for item in found.margins.estimates if item.id == "recorded")
    assert figures.line == recorded.tokens
    assert rows["recorded"].values[0].text == f"●\u202f{recorded.tokens:,}"
    assert all(row.values[0].text.startswith("≈") for id, row in rows.items() if id != "recorded")
    assert sum(piece.size for piece in rows["quarter"].bars[0]) == pytest.approx(
        found.margins.estimates[0].tokens, abs=3
    )
    assert rows["quarter"].values[1].tone == "diff_text"
    assert rows["results"].values[1].tone == "ink"
    assert "enough for" in rows["safety"].words


def test_columns_that_nothing_is_known_of(found: Explained) -> None:
    """Without a record neither a share of it nor a line; without evidence no coverage."""
    bare = Explained(margins((), bpe=None, prompt=None, unrecorded=None), ())
    figures = margin_rows.figures(bare)
    assert [column.title for column in figures.columns] == ["tokens"]
    assert figures.line is None
    assert all(len(row.values) == 1 and not row.note for row in figures.rows)


def test_what_a_margin_adds(found: Explained) -> None:
    """Told against the estimate it stands on."""
    items = {item.id: item for item in found.margins.estimates}
    title, words = margin_rows.detail(items["results"], found)
    assert title == "Tool results / 2"
    assert f"+{items['results'].margin:,}" in words
    assert "Characters / 4" in words
    assert f"{found.margins.prompt:,}" in margin_rows.detail(items["recorded"], found)[1]


# the page


def test_it_asks_and_shows(view: MarginsView, state: State, found: Explained) -> None:
    """One request at a time; what comes for another is dropped, and what is out of date is dimmed."""
    asked: list[object] = []
    view.wanted.connect(lambda: asked.append(view.wish))
    assert view.pages.currentWidget() is view.pages.empty
    wish = view.wish
    assert wish == ((state.timeline.leaf, 3), state.profile)
    view.take(wish, found)
    assert view.answer.text.startswith("Too coarse here: a quarter of the characters was 32")
    assert not view.list.stale
    state.go(request=2)
    view.flush()
    assert view.list.stale
    assert len(asked) == 1
    view.take(wish, found)
    assert view.list.stale
    view.take(view.wish, found)
    assert not view.list.stale
    settle(state)


def test_a_failure_is_told(view: MarginsView) -> None:
    view.fail(view.wish, phrase("job.no_memory"))
    assert view.pages.empty.text() == str(phrase("job.no_memory"))


def test_the_row_in_focus_is_explained(view: MarginsView, found: Explained) -> None:
    view.take(view.wish, found)
    QTest.keyClick(view.list, Qt.Key.Key_Down)
    assert view.detail.title.text() == "Tool results / 2"


def test_without_a_session(view: MarginsView) -> None:
    view.show_state(None)
    view.flush()
    assert view.pages.empty.text() == "No session open."


@pytest.mark.parametrize(("theme", "language"), [("light", "en"), ("dark", "zh_CN")])
def test_it_can_be_painted(qtbot: QtBot, state: State, found: Explained, theme: str, language: str) -> None:
    translation.use(language)
    try:
        made = MarginsView(Look(theme))
        qtbot.addWidget(made)
        made.resize(816, 560)
        made.show_state(state)
        made.flush()
        made.take(made.wish, found)
        made.grab()
        assert ("字符数" in made.answer.text) == (language == "zh_CN")
        made.show_state(None)
        made.flush()
    finally:
        translation.use("en")
