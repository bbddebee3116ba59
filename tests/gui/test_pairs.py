"""Before ⇄ after: two columns of a step or of all steps, what is open, boxed, folded, found, copied, said."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gui.pair_page import AFTER, BEFORE, PairPage
from gui.prompt_rows import Kind
from gui.state import State
from gui.theme import Look
from gui.views.prompt import PromptView
from tests.gui.prompt_session import LONG, POLICY, Json, call, reply, result, state_of, talk, user, write_session


@pytest.fixture
def state(tmp_path: Path) -> State:
    found = state_of(write_session(tmp_path / "s.jsonl", talk()), 2)
    found.go(request=None)
    found.choose(POLICY)
    return found


@pytest.fixture
def show(qtbot: QtBot) -> Callable[[State], PromptView]:
    def make(state: State) -> PromptView:
        view = PromptView(Look("light"))
        qtbot.addWidget(view)
        view.resize(816, 598)
        view.show_state(state)
        view.show()
        view.flush()
        return view

    return make


Show = Callable[[State], PromptView]


def press(view: PromptView, *keys: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    shown = view.pairs.list if view.comparing else view.list
    for key in keys:
        QTest.keyClick(shown, key, held)
        view.flush()


def page(view: PromptView) -> PairPage:
    assert view.pairs.pairs is not None
    return view.pairs.pairs


def drawn(view: PromptView) -> str:
    """`(2) 2~2 h f h`: a run of two, a replaced pair, its hunks and folds."""
    pieces = []
    for row in view.pairs.list.rows:
        pair = page(view).rows[row.first]
        if row.kind is Kind.RUN:
            count = row.last - row.first + 1
            pieces.append(f"[{count}]" if row.open else f"({count})")
        elif row.kind is Kind.PAIR:
            sign = {"same": "=", "replaced": "~", "dropped": "-", "inserted": "+", "moved": ">"}[pair.kind]
            pieces.append(
                f"{'' if pair.before is None else pair.before}{sign}{'' if pair.after is None else pair.after}"
            )
        else:
            pieces.append("h" if row.kind is Kind.HUNK else "f")
    return " ".join(pieces)


def test_one_step(show: Show, state: State) -> None:
    """D shows what the guard did: equal blocks folded, the cut result open with a fold of lines, the cut boxed."""
    view = show(state)
    state.go(step="guard_context")
    press(view, Qt.Key.Key_D)
    assert view.comparing
    assert drawn(view) == "(2) 2~2 f h h (5)"
    one, other, _ = page(view).texts(2)
    assert one.text == LONG
    assert page(view).first_place is not None
    index, place = page(view).first_place
    assert (index, one.text[:place]) == (2, other.text[:place])
    assert one.text[place] != other.text[place]
    sides = [page(view).sides(2, row.part) for row in view.pairs.list.rows if row.kind is Kind.HUNK]
    boxes = [
        (left.document.text[left.boxed], right.document.text[right.boxed])
        for left, right in sides
        if left.boxed is not None and right.boxed is not None
    ]
    assert boxes == [(one.text[place], other.text[place])]
    assert view.pairs.strip.title == "Guard: whole context"
    assert f"First difference: block 3, character {place + 1:,}" in view.pairs.strip.note
    assert view.pairs.heads.heads[0][0] == "Before"
    view.grab()
    press(view, Qt.Key.Key_D)
    assert not view.comparing
    assert view.list.isVisible()


def test_all_steps(show: Show, state: State) -> None:
    """From step 0 to what is sent. Details, which nobody sends, are no difference; merged and added messages are."""
    view = show(state)
    view.compare(True)
    assert page(view).before is state.assembled.blocks
    assert page(view).after is state.shown.blocks
    assert drawn(view) == "(2) 2~2 f h h 3~3 h 4- (2) +6 7=7"
    state.go(step="strip_details")
    view.flush()
    assert drawn(view) == "(9)"
    assert view.pairs.strip.note == "1 difference · what is sent stays the same"


def test_where_nothing_changed_it_says_why(show: Show, state: State) -> None:
    """The step's own reason; step 0 has nothing before it; no step at all has another sentence."""
    view = show(state)
    view.compare(True)
    state.go(step="replay_filter")
    view.flush()
    assert view.pairs.list.empty == "This step changed nothing. No mirrors, heartbeats or empty messages."
    assert not view.pairs.strip.isVisible()
    state.go(step="session_context")
    view.flush()
    assert view.pairs.list.empty.startswith("This step makes the messages out of the session.")
    state.choose("none")
    state.go(step=None)
    view.flush()
    assert view.pairs.list.empty == "No step changed a block: what is sent is what the session holds."
    view.grab()


def test_keyboard_walks_pairs_runs_and_folded_lines(show: Show, state: State) -> None:
    """J and K stop at what can be opened; the state follows, as far as the block is in the prompt after."""
    view = show(state)
    view.compare(True)
    press(view, Qt.Key.Key_J)
    assert state.cursor.block == 0
    press(view, Qt.Key.Key_J)
    assert (state.cursor.block, view.pairs.list.current) == (2, 1)
    press(view, Qt.Key.Key_J)
    assert view.pairs.list.rows[view.pairs.list.current or 0].kind is Kind.SAME
    press(view, Qt.Key.Key_Return)
    assert drawn(view).startswith("(2) 2~2 h h 3~3")
    press(view, Qt.Key.Key_K, Qt.Key.Key_K, Qt.Key.Key_F)
    assert drawn(view).startswith("[2] 0=0 1=1 2~2")
    press(view, Qt.Key.Key_End)
    assert state.cursor.block == 7
    press(view, Qt.Key.Key_Home)
    press(view, Qt.Key.Key_F, held=Qt.KeyboardModifier.ShiftModifier)
    assert "(" not in drawn(view)
    press(view, Qt.Key.Key_F, held=Qt.KeyboardModifier.ShiftModifier)
    assert drawn(view).startswith("(2)")


def test_a_dropped_block_moves_the_cursor_to_its_entry(show: Show, state: State) -> None:
    view = show(state)
    view.compare(True)
    at = next(i for i, row in enumerate(page(view).rows) if row.kind == "dropped")
    row = next(i for i, found in enumerate(view.pairs.list.rows) if found.kind is Kind.PAIR and found.first == at)
    view.pairs.pick(row)
    view.flush()
    assert (state.cursor.block, state.cursor.entry) == (None, 4)
    assert view.pairs.list.current == row
    assert "dropped" in view.pairs.list.accessibleDescription()
    view.pairs.toggle(row)
    assert view.pairs.list.rows[row + 1].kind is Kind.HUNK
    view.grab()


def test_the_state_moves_the_columns(show: Show, state: State) -> None:
    """A block chosen elsewhere has the cursor here; in a fold, its run has it."""
    view = show(state)
    view.compare(True)
    state.go(block=1)
    view.flush()
    assert view.pairs.list.current == 0
    state.go(block=3)
    view.flush()
    current = view.pairs.list.rows[view.pairs.list.current or 0]
    assert page(view).rows[current.first].after == 3


def test_copy_takes_one_column(show: Show, state: State) -> None:
    """A drag stays in the column where it began; without a selection it is the text of that column."""
    view = show(state)
    state.go(step="guard_context")
    view.compare(True)
    shown = view.pairs.list
    state.go(block=2)
    view.flush()
    assert view.copied() == page(view).document(2, AFTER).text
    shown.take_side(BEFORE)
    assert view.copied() == LONG
    view._commands["select_all"]()
    view.copy()
    assert QGuiApplication.clipboard().text() == LONG
    places = shown.places
    assert places is not None
    hunk = next(i for i, row in enumerate(shown.rows) if row.kind is Kind.HUNK)
    y = places.tops[hunk] + places.head(hunk) - shown.scroll + 4
    left = shown.text_x()
    QTest.mousePress(shown.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(left + 1, y))
    QTest.mouseMove(shown.viewport(), QPoint(left + 60, y + 60))
    QTest.mouseRelease(shown.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(left + 60, y + 60))
    part = view.copied()
    assert part
    assert part in LONG
    assert shown.side == BEFORE
    view.grab()


def test_find_in_both_columns(show: Show, state: State) -> None:
    """What is on both sides counts once where blocks are the same; a hit in folded lines opens them."""
    view = show(state)
    view.compare(True)
    view.find()
    view.finder.field.setText("line 399 ")
    view.finder.wanted.emit("line 399 ")
    hits = view.pairs.list.hits
    assert [(hit.block, hit.side) for hit in hits] == [(2, BEFORE)]
    view.finder.wanted.emit("line 2 ")
    assert [(hit.block, hit.side) for hit in view.pairs.list.hits] == [(2, BEFORE), (2, AFTER)]
    assert drawn(view).startswith("(2) 2~2 h h")
    assert view.finder._count.text() == "1 of 2"
    view.next_hit(1)
    assert view.finder._count.text() == "2 of 2"
    view.finder.wanted.emit("Find it")
    assert drawn(view).startswith("[2] 0=0 h 1=1")
    view.grab()
    press(view, Qt.Key.Key_Escape)
    assert view.pairs.list.hits == ()
    press(view, Qt.Key.Key_Escape)
    assert not view.comparing


def test_clicks_fold_and_open(show: Show, state: State) -> None:
    view = show(state)
    view.compare(True)
    shown = view.pairs.list
    places = shown.places
    assert places is not None
    QTest.mouseClick(shown.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(120, places.tops[0] + 8))
    assert drawn(view).startswith("[2]")
    shown.card.drop()
    view._card_by_key()
    shown.asked.emit(3, QPoint(10, 10))
    assert any("Guard" in line for line in shown.card.lines)
    shown.card.drop()


def test_three_thousand_blocks_show_only_what_is_in_sight(show: Show, qtbot: QtBot, tmp_path: Path) -> None:
    """Texts are laid out where one looks; the rows of what is the same are one."""
    said: list[Json] = [user("Go.")]
    for turn in range(1_500):
        id = {"id": f"call{turn}"}
        said += [reply(f"Step {turn}.", call("exec") | id), result("exec", LONG[:2_000], toolCallId=f"call{turn}")]
    found = state_of(write_session(tmp_path / "s.jsonl", said, gap_s=1), None)
    found.choose(POLICY)
    view = show(found)
    qtbot.waitUntil(lambda: found.stage is not None and not found.stale, timeout=20_000)
    view.compare(True)
    view.flush()
    assert page(view).changed > 1_000
    read = len(view._texts._documents)
    assert read < 60
    bar = view.pairs.list.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    view.grab()
    assert len(view._texts._documents) < read + 60


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize("zoom", [80, 200])
def test_all_looks_paint(qtbot: QtBot, state: State, language: str, zoom: int) -> None:
    from gui import translation

    translation.use(language)
    try:
        view = PromptView(Look("dark", zoom))
        qtbot.addWidget(view)
        view.resize(700, 500)
        view.show_state(state)
        view.show()
        view.flush()
        view.compare(True)
        view.grab()
        view.look.set_zoom(100)
        view.flush()
        view.grab()
        assert view.pairs.heads.heads[0][0] == ("Before" if language == "en" else "之前")
    finally:
        translation.use("en")
