"""The Prompt tab as a whole: the linked cursor, folding, find, copy, raw JSON, empty states, hostile text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gui import translation
from gui.prompt_rows import Kind
from gui.state import State
from gui.theme import Look
from gui.views.prompt import PromptView
from tests.gui.prompt_session import (
    call,
    compaction,
    entry_id,
    long_session,
    reply,
    result,
    state_of,
    user,
    write_session,
)

Show = Callable[[State | None], PromptView]


@pytest.fixture
def show(qtbot: QtBot) -> Show:
    """A visible view of a state, 816 × 598 as in the design."""

    def make(state: State | None) -> PromptView:
        view = PromptView(Look("light"))
        qtbot.addWidget(view)
        view.resize(816, 598)
        view.show_state(state)
        view.show()
        view.flush()
        return view

    return make


@pytest.fixture
def state(tmp_path: Path) -> State:
    """21 requests; the last one reads 40 of its 41 messages."""
    return state_of(long_session(tmp_path / "s.jsonl"), 21)


def kinds(view: PromptView) -> str:
    """One letter per row, runs with their length."""
    letters = {
        Kind.UNRECORDED: "T",
        Kind.ASSUMED: "A",
        Kind.CACHED: "C",
        Kind.BLOCK: "b",
        Kind.NOTE: "N",
        Kind.LOST: "L",
    }
    return "".join(
        letters.get(row.kind) or (f"[{row.last - row.first + 1}]" if row.open else f"({row.last - row.first + 1})")
        for row in view.list.rows
    )


def press(view: PromptView, *keys: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    for key in keys:
        QTest.keyClick(view.list, key, held)
        view.flush()


def current(view: PromptView) -> tuple[Kind, int]:
    assert view.list.current is not None
    row = view.list.rows[view.list.current]
    return row.kind, row.first


# the prompt of a request


def test_read_part_folded_rule_and_what_is_new(show: Show, state: State) -> None:
    """As the design draws an untraced request: dotted block, boundary, first block, run, rule, new blocks."""
    view = show(state)
    assert re.fullmatch(r"TAb\(\d+\)Cb+", kinds(view))
    assert state.assembled.cached_blocks is not None
    edge = next(i for i, row in enumerate(view.list.rows) if row.kind is Kind.CACHED)
    assert view.list.rows[edge + 1].first == state.assembled.cached_blocks
    assert view.head.headline.text.startswith("Sent ●6,903 tokens")
    assert "of 41 blocks shown" in view.strip.note


def test_another_request_another_prompt(show: Show, state: State) -> None:
    """The list follows the state, wherever the request was changed."""
    view = show(state)
    state.go(request=3)
    view.flush()
    assert sum(row.last - row.first + 1 for row in view.list.rows if row.kind in (Kind.BLOCK, Kind.RUN)) == 5
    state.go(request=None)
    view.flush()
    assert view.head.headline.text.startswith("Would send ≈")
    assert "A" not in kinds(view)
    assert "C" not in kinds(view)


def test_messages_that_fell_out(show: Show, tmp_path: Path) -> None:
    """Two compactions, of which the second forgot what the first had kept: a note, unfolded to the entries."""
    said = [user("one"), reply("two", write=900), user("three"), reply("four", write=900)]
    said += [compaction("Early.", 2), user("five"), compaction("All.", 5), user("six"), reply("seven", write=900)]
    state = state_of(write_session(tmp_path / "s.jsonl", said), 3)
    assert state.assembled.context.fell_out == (2, 3)
    view = show(state)
    assert kinds(view) == "TAbNbb"
    press(view, Qt.Key.Key_J, Qt.Key.Key_J)
    assert current(view)[0] is Kind.NOTE
    press(view, Qt.Key.Key_Return)
    assert kinds(view) == "TAbNLLbb"
    press(view, Qt.Key.Key_J)
    assert state.cursor.entry == 2
    assert current(view) == (Kind.LOST, 2)
    assert state.cursor.block is None


# the linked cursor


def test_keyboard_moves_the_state(show: Show, state: State) -> None:
    """J, K and arrows go from row to row; a folded run is one row, and its first block the cursor."""
    view = show(state)
    press(view, Qt.Key.Key_J)
    assert state.cursor.block == 0
    assert state.cursor.entry == 0
    press(view, Qt.Key.Key_Down)
    assert current(view) == (Kind.RUN, 1)
    assert state.cursor.block == 1
    press(view, Qt.Key.Key_J)
    assert state.cursor.block == state.assembled.cached_blocks
    press(view, Qt.Key.Key_K, Qt.Key.Key_Up)
    assert state.cursor.block == 0
    press(view, Qt.Key.Key_End)
    assert state.cursor.block == 40
    press(view, Qt.Key.Key_Home)
    assert state.cursor.block == 0


def test_the_state_moves_the_view(show: Show, state: State) -> None:
    """A block that something else points at comes out of its fold and into sight; the rest stays folded."""
    view = show(state)
    state.go(entry=state.session.row_of(entry_id(20)))
    view.flush()
    assert current(view) == (Kind.BLOCK, 20)
    places, index = view.list.places, view.list.current
    assert places is not None
    assert index is not None
    assert view.list.scroll <= places.tops[index] < view.list.scroll + view.list.viewport().height()
    assert re.fullmatch(r"TAb\(\d+\)b{5}\(\d+\)Cb+", kinds(view))


def test_it_scrolls_only_when_the_cursor_left_the_viewport(show: Show, state: State) -> None:
    """Least amount: nothing while the row is in sight, then just as far as it takes."""
    view = show(state)
    view.resize(816, 320)
    view.toggle_everything()
    press(view, Qt.Key.Key_J, Qt.Key.Key_J)
    assert view.list.scroll == 0
    for _ in range(10):
        press(view, Qt.Key.Key_J)
    places = view.list.places
    assert places is not None
    assert view.list.current is not None
    bottom = places.tops[view.list.current + 1]
    assert view.list.scroll == bottom - view.list.viewport().height()


def test_hidden_views_do_nothing_until_shown(show: Show, state: State) -> None:
    """What changed while the tab was hidden is made up when it is shown."""
    view = show(state)
    view.hide()
    state.go(request=2)
    assert view.list.page is not None
    assert view.list.page.assembled.request is not None
    assert view.list.page.assembled.request.number == 21
    view.show()
    view.flush()
    assert view.list.page.assembled.request.number == 2


# folding


def test_a_click_unfolds_a_run_and_a_double_click_a_text(show: Show, state: State, qtbot: QtBot) -> None:
    """By mouse: run, chevron, double click. The row clicked stays under the pointer."""
    view = show(state)
    places = view.list.places
    assert places is not None
    run = next(i for i, row in enumerate(view.list.rows) if row.kind is Kind.RUN)
    qtbot.mouseClick(view.list.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(200, places.tops[run] + 10))
    assert view.list.rows[run].open
    first = next(i for i, row in enumerate(view.list.rows) if row.kind is Kind.BLOCK)
    middle = QPoint(300, view.list.places.tops[first] + 10)  # type: ignore[union-attr]
    qtbot.mouseClick(view.list.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    assert state.cursor.block == 0
    assert not view.list.rows[first].open
    qtbot.mouseDClick(view.list.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    assert view.list.rows[first].open
    qtbot.mouseClick(view.list.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(40, middle.y()))
    assert not view.list.rows[first].open


def test_fold_keys(show: Show, state: State) -> None:
    """F this, Shift+F everything; what is open stays open in the next request."""
    view = show(state)
    press(view, Qt.Key.Key_J, Qt.Key.Key_F)
    assert view.list.rows[view.list.current or 0].open
    state.go(request=20)
    view.flush()
    assert next(row for row in view.list.rows if row.kind is Kind.BLOCK).open
    press(view, Qt.Key.Key_F, held=Qt.KeyboardModifier.ShiftModifier)
    assert "of" not in view.strip.note
    press(view, Qt.Key.Key_F, held=Qt.KeyboardModifier.ShiftModifier)
    assert not any(row.open for row in view.list.rows)


def test_letters_can_be_switched_off(show: Show, state: State) -> None:
    """Then only keys that cannot be typed move anything."""
    view = show(state)
    view.letters = False
    press(view, Qt.Key.Key_J, Qt.Key.Key_R)
    assert state.cursor.block is None
    assert not view.raw
    press(view, Qt.Key.Key_Down)
    assert state.cursor.block == 0


# find


def search(view: PromptView, words: str) -> None:
    view.find()
    QTest.keyClicks(view.finder.field, words)
    view.finder.flush()


def test_find_opens_what_holds_the_hit(show: Show, state: State) -> None:
    """The hit comes into sight out of fold and closed text; the next one closes what only the search had opened."""
    view = show(state)
    search(view, "STEP_7(")
    assert view.finding
    assert [(hit.block, hit.end - hit.start) for hit in view.list.hits] == [(16, 7)]
    row = next(row for row in view.list.rows if row.first == 16)
    assert (row.kind, row.open) == (Kind.BLOCK, True)
    view.finder.field.clear()
    search(view, "step_1")
    assert len(view.list.hits) == 11
    view.next_hit(1)
    view.next_hit(1)
    assert sum(row.open for row in view.list.rows) == 1
    for _ in range(9):
        view.next_hit(1)
    assert view.list.hit == 0


def test_esc_closes_the_search_and_gives_the_keys_back(show: Show, state: State) -> None:
    """The text found last stays open; J and K work again."""
    view = show(state)
    search(view, "nowhere at all")
    assert view.list.hits == ()
    QTest.keyClick(view.finder.field, Qt.Key.Key_Escape)
    assert not view.finding
    press(view, Qt.Key.Key_J)
    assert state.cursor.block == 0


# copy


def test_copy_the_block_or_the_selection(show: Show, state: State, qtbot: QtBot) -> None:
    """Without a selection the text of the block in focus, else exactly what is selected; always plain text."""
    view = show(state)
    view.copy()
    assert view.copied() == ""
    state.go(block=2)
    view.flush()
    press(view, Qt.Key.Key_C, held=Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text().startswith("def step_0():\n")
    press(view, Qt.Key.Key_F)
    places, index = view.list.places, view.list.current
    assert places is not None
    assert index is not None
    y = places.tops[index] + places.head(index) + 8 - view.list.scroll
    area = view.list.viewport()
    qtbot.mousePress(area, Qt.MouseButton.LeftButton, pos=QPoint(view.list.text_x(), y))
    qtbot.mouseMove(area, QPoint(view.list.text_x() + 200, y))
    qtbot.mouseMove(area, QPoint(900, y))
    qtbot.mouseRelease(area, Qt.MouseButton.LeftButton, pos=QPoint(900, y))
    assert view.copied() == "def step_0():"
    assert QGuiApplication.clipboard().mimeData().formats() == ["text/plain"]
    press(view, Qt.Key.Key_Escape)
    assert view.list.selection is None


def test_select_all_takes_the_block(show: Show, state: State) -> None:
    """Ctrl+A means the block in focus, not the whole prompt."""
    view = show(state)
    state.go(block=0)
    view.flush()
    press(view, Qt.Key.Key_A, held=Qt.KeyboardModifier.ControlModifier)
    assert view.copied() == "Find the cause of the flaky test."


# raw JSON


def test_raw_json_of_the_block_in_focus(show: Show, state: State) -> None:
    """R shows the recorded entry, J the next one, the link the line itself, Esc the list again."""
    view = show(state)
    state.go(block=2)
    view.flush()
    press(view, Qt.Key.Key_R)
    assert view.raw
    assert json.loads(view.copied()) == state.session.body(2)
    assert "line 4" in view.strip.title
    press(view, Qt.Key.Key_J)
    assert json.loads(view.copied())["id"] == entry_id(3)
    view.strip.pressed.emit()
    assert view.copied() == state.session.line_bytes(3).decode()
    press(view, Qt.Key.Key_Escape)
    assert not view.raw
    assert view.list.raw is None
    assert state.cursor.block == 3


def test_find_in_raw_json(show: Show, state: State) -> None:
    """The search looks where one looks: at the raw text."""
    view = show(state)
    state.go(block=2)
    view.flush()
    view.show_raw(True)
    search(view, "toolCallId")
    assert len(view.list.hits) == 1
    view.show_raw(False)
    assert view.list.hits == ()


# empty states, hostile text, looks


def test_no_session(show: Show) -> None:
    """It says what is missing and how to get it; no key does anything."""
    view = show(None)
    assert "Ctrl+O" in view.list.empty
    assert not view.head.isVisible()
    press(view, Qt.Key.Key_J, Qt.Key.Key_R, Qt.Key.Key_F)
    view.find()
    assert not view.finding
    assert view.copied() == ""


def test_no_messages(show: Show, tmp_path: Path) -> None:
    """A branch of settings only."""
    said = [{"type": "model_change", "provider": "anthropic", "modelId": "m"}]
    view = show(state_of(write_session(tmp_path / "s.jsonl", said)))
    assert "no message" in view.list.empty


def test_no_model_call(show: Show, tmp_path: Path) -> None:
    """Messages without a call: what would be sent, and that nothing is recorded."""
    view = show(state_of(write_session(tmp_path / "s.jsonl", [user("Hello.")])))
    assert "No model call is recorded" in view.head.headline.text
    assert kinds(view) == "Tb"


def test_a_view_survives_its_session(show: Show, state: State, tmp_path: Path) -> None:
    """Another session starts unfolded state anew; none clears the view."""
    view = show(state)
    press(view, Qt.Key.Key_J, Qt.Key.Key_F)
    view.show_state(state_of(write_session(tmp_path / "t.jsonl", [user("Hello.")])))
    view.flush()
    assert not any(row.open for row in view.list.rows)
    view.show_state(None)
    view.flush()
    assert view.list.rows == ()


HOSTILE = [
    "<b>bold</b><img src='file:///x'>&lt;",
    "a\u202egpj.exe\u202c \u2066x\u2069 \u200b\u2060",
    "\x1b[31mred\x1b]8;;http://x\x07\x00\x7f\x9b",
    "\ud800 and \udc00 alone, 😀 whole",
    "W" * 1_000_000,
    "line\n" * 20_000,
    ("y" * 400_000 + "\n") * 2,
    "\u2028\u2029\x85 separators \r\r\n",
    "العربية and עברית",
    "",
]


@pytest.mark.parametrize("text", HOSTILE, ids=[ascii(text[:12]) for text in HOSTILE])
@pytest.mark.parametrize("kind", ["user", "assistant", "toolResult", "call"])
def test_hostile_text_is_painted_and_never_interpreted(show: Show, tmp_path: Path, kind: str, text: str) -> None:
    """Closed, open, found, raw, in the hover card: no crash, no rich text, what is copied is what is recorded."""
    made = {
        "user": user(text),
        "assistant": reply(text, write=100),
        "toolResult": result(text[:50] or "tool", text),
        "call": reply("", call(text[:60], path=text), write=100),
    }[kind]
    state = state_of(write_session(tmp_path / "s.jsonl", [made, reply("done", write=900)]), None)
    state.choose("none")  # a result without a call would be dropped
    view = show(state)
    state.go(block=0)
    view.flush()
    view.grab()
    press(view, Qt.Key.Key_F)
    view.grab()
    view.list.verticalScrollBar().setValue(view.list.verticalScrollBar().maximum())
    view.grab()
    view._card_by_key()
    view.list.card.grab()
    if kind in ("user", "toolResult"):
        recorded = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        assert view.copied() == recorded
    view.find()
    view.finder.field.setText(text[:3])
    view.finder.wanted.emit(text[:3])
    view.grab()
    view.show_raw(True)
    view.grab()
    assert view.toolTip() == ""


@pytest.mark.parametrize("language", translation.LANGUAGES)
@pytest.mark.parametrize("zoom", [80, 200])
def test_looks_and_languages(show: Show, state: State, language: str, zoom: int) -> None:
    """Dark, both languages, smallest and largest zoom, narrow: heights in step, no word missing."""
    translation.use(language)
    try:
        view = show(state)
        view.resize(400, 300)
        view.look.set_mode("dark")
        view.look.set_zoom(zoom)
        view.flush()
        view.grab()
        places = view.list.places
        assert places is not None
        block = next(i for i, row in enumerate(view.list.rows) if row.kind is Kind.BLOCK)
        assert places.head(block) == round(32 * zoom / 100)
        texts = [view.head.headline.text, view.strip.note, view.strip.link, view.list.accessibleName()]
        assert all(texts)
        assert not any("prompt." in text or "headline." in text for text in texts)
    finally:
        translation.use("en")


def test_the_card_tells_where_a_block_comes_from(show: Show, state: State) -> None:
    """Entry, line, tokens, cache state, and the first request that held it."""
    view = show(state)
    state.go(block=4)
    view.flush()
    press(view, Qt.Key.Key_I, held=Qt.KeyboardModifier.ControlModifier)
    lines = view.list.card.lines
    assert lines[0] == "Block 5: Tool result, entry 00000004"
    assert lines[1].startswith("Line 6 of the file, ")
    assert "read from the cache" in lines[2]
    assert lines[3] == "In the prompt since request 3"
    press(view, Qt.Key.Key_Escape)
    assert view.list.card.lines == ()
