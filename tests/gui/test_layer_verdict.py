"""What the provider would answer to an order of the steps, in the Layers dock."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.profile import policy
from gui.layer_verdict import base_order
from gui.state import State
from gui.theme import Look
from gui.views.layers import LayersView
from tests.core.stepped import profile
from tests.gui.layer_session import settle, small
from tests.gui.prompt_session import reply, result, state_of, user, write_session

REPAIRS = profile("repair_inputs", "repair_pairs", "provider_messages", reorder=True)
"""A call without a usable name goes, and then the result that it leaves behind; the other way round that stays."""
ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def view(qtbot: QtBot, tmp_path: Path) -> Iterator[LayersView]:
    call = {"type": "toolCall", "id": "call-x", "name": "run it", "arguments": {}}
    said = [user("Go."), reply("I try.", call, write=900), {**result("x", "no such tool"), "toolCallId": "call-x"}]
    path = write_session(tmp_path / "s.jsonl", [*said, reply("Done.", read=900, write=300)])
    state = state_of(path)
    state.choose(small())
    made = LayersView(Look("light"))
    qtbot.addWidget(made)
    made.resize(380, 900)
    made.show_state(state)
    made.show()
    calm(made)
    yield made
    made.show_state(None)
    made.flush()


def calm(view: LayersView) -> None:
    view.flush()
    settle(view.state)
    view.flush()
    if view.state.profile.reorder:
        view.verdict.judge_now()
        settle(view.state)


def chosen(view: LayersView, wanted=REPAIRS) -> State:
    view.state.choose(wanted)
    calm(view)
    return view.state


def test_a_fixed_order_is_not_judged(view: LayersView) -> None:
    """The Prompt tab says what is wrong with a recorded order; here is no room for it."""
    assert not view.verdict.isVisible()


def test_the_order_as_chosen(view: LayersView) -> None:
    """The provider takes it, and nothing is compared."""
    chosen(view)
    assert view.verdict.isVisible()
    assert view.verdict.text == "Anthropic would take this."


def test_pairs_repaired_before_calls(view: LayersView) -> None:
    """A row moved by the keyboard: the stray result is refused, as it is not in the order as chosen. Undo, and redo."""
    state = chosen(view)
    view.select("repair_pairs")
    QTest.keyClick(view.list, Qt.Key.Key_Up, ALT)
    assert state.changes() == ("order",)
    calm(view)
    assert view.verdict.text.startswith("Anthropic would refuse this: The result ")
    assert view.verdict.text.endswith("In the order as chosen it would take it.")
    state.undo()
    calm(view)
    assert view.verdict.text == "Anthropic would take this."
    state.redo()
    calm(view)
    assert view.verdict.faults


def test_the_other_way_round(view: LayersView) -> None:
    """An order that is refused as chosen, mended by hand."""
    state = chosen(view, REPAIRS.ordered(["repair_pairs", "repair_inputs"]))
    assert view.verdict.faults
    state.move("repair_pairs", 1)
    calm(view)
    assert "Anthropic would take this. In the order as chosen it would refuse: " in view.verdict.text


def test_a_press_shows_the_block(view: LayersView) -> None:
    """Of the first fault, with all steps applied."""
    state = chosen(view, REPAIRS.ordered(["repair_pairs", "repair_inputs"]))
    state.go(step="repair_pairs")
    QTest.mouseClick(view.verdict, Qt.MouseButton.LeftButton)
    assert state.cursor.step is None
    assert state.cursor.block == next(f.index for f in view.verdict.faults if f.index is not None)


@pytest.mark.parametrize("how", ["key", "pointer"])
def test_a_row_that_stays_says_why(view: LayersView, how: str) -> None:
    """Trying to move a row of a recorded order changes nothing and names the way out."""
    state = view.state
    view.select("guard_single")
    if how == "key":
        QTest.keyClick(view.list, Qt.Key.Key_Up, ALT)
    else:
        place = view.list.visualRect(view.list.currentIndex()).center() - QPoint(60, 0)
        QTest.mousePress(view.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
        QTest.mouseMove(view.list.viewport(), place - QPoint(0, 30))
        QTest.mouseRelease(view.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert state.changes() == ()
    assert view.verdict.isVisible()
    assert view.verdict.text == "The order of openclaw-2026.4.5 is fixed. Copy the policy to change it."


def test_the_order_as_chosen_with_what_was_changed() -> None:
    """Thresholds stay changed, only the order goes back; None where it is as chosen or the steps are others."""
    base = policy("sliding-window-20")
    moved = base.set("sliding_window", messages=9).moved("repair_pairs", 0)
    assert base_order(moved, base) == base.set("sliding_window", messages=9)
    assert base_order(base.set("sliding_window", messages=9), base) is None
    assert base_order(moved, small()) is None


def test_marks(view: LayersView) -> None:
    """A step that changes the file says so in its row, for a screen reader too, and in its detail."""
    chosen(view, policy("openclaw-2026.9"))
    rows = {row.instance: row for row in view.list.layers.rows}
    assert rows["hard_cap"].file
    assert "changes the file" in rows["hard_cap"].words()
    assert not rows["repair_pairs"].file
    view.select("hard_cap")
    view.flush()
    assert view.detail.mark.text().startswith("Changes the file")
    view.select("repair_pairs")
    view.flush()
    assert view.detail.mark.text().startswith("Changes this request only")
