"""The Prompt tab follows the step: its blocks and sizes, chips, removed text, headline, budget, faults."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.prompt_budget import GuardBudget
from gui.budget_bar import Budget
from gui.prompt_chips import chips
from gui.prompt_page import Page
from gui.prompt_rows import Kind
from gui.state import State
from gui.theme import Look
from gui.views.prompt import PromptView
from tests.gui.prompt_session import LONG, POLICY, call, reply, result, state_of, talk, user, write_session

Show = Callable[[State], PromptView]


@pytest.fixture
def state(tmp_path: Path) -> State:
    """What would be sent next of the talk, under a policy that cuts its long result."""
    found = state_of(write_session(tmp_path / "s.jsonl", talk()), 2)
    found.go(request=None)
    found.choose(POLICY)
    return found


@pytest.fixture
def show(qtbot: QtBot) -> Show:
    def make(state: State) -> PromptView:
        view = PromptView(Look("light"))
        qtbot.addWidget(view)
        view.resize(816, 598)
        view.show_state(state)
        view.show()
        view.flush()
        return view

    return make


def page(view: PromptView) -> Page:
    assert view._page is not None
    return view._page


def said(view: PromptView, index: int) -> list[str]:
    """The chips of a block."""
    block = page(view).assembled.blocks[index]
    return [chip.text for chip in chips(page(view), index, page(view).texts.preview(block), block.message)]


def row(view: PromptView, block: int) -> int:
    return next(at for at, found in enumerate(view.list.rows) if found.kind is Kind.BLOCK and found.first == block)


def test_blocks_and_sizes_of_the_step_in_focus(show: Show, state: State) -> None:
    """Step 0 as the file has it; behind the guard the cut result with its size there; at the end what is sent."""
    view = show(state)
    state.go(step="session_context")
    view.flush()
    assert page(view).assembled.blocks == state.assembled.blocks
    assert not any(found.told for found in view.list.rows)
    whole = page(view).assembled.tokens[2]
    state.go(step="guard_context")
    view.flush()
    assert page(view).assembled.blocks is state.stage.blocks  # type: ignore[union-attr]
    assert page(view).assembled.tokens[2] < whole
    assert view.list.rows[row(view, 2)].told
    assert view.strip.column == "tokens ◇"
    state.step_last()
    view.flush()
    assert [block.message.role for block in page(view).assembled.blocks].count("user") == 2
    view.grab()


def test_chips_say_what_became_of_a_block(show: Show, state: State) -> None:
    """Cut with its sizes, merged, inserted; details are news only where one looks at the step that strips them."""
    view = show(state)
    after = page(view).assembled.blocks[2]
    text = after.message.parts[0].text
    assert text is not None
    assert said(view, 2) == [f"cut {len(LONG):,} → {len(text):,} chars", "exec"]
    assert said(view, 3) == ["merged"]
    assert said(view, 6) == ["inserted", "exec", "failed"]
    assert said(view, 0) == []
    state.go(step="strip_details")
    view.flush()
    assert said(view, 2) == ["same words", "exec"]
    state.go(step="validate_turns")
    view.flush()
    assert said(view, 2) == ["exec"]
    view.grab()


def test_removed_text_is_read_in_its_place(show: Show, state: State) -> None:
    """The second line tells what is gone; a click opens the text with it struck, another closes it again."""
    view = show(state)
    at = row(view, 2)
    places = view.list.places
    assert places is not None
    point = QPoint(200, places.tops[at] + places.head(at) - view.list.scroll - 8)
    QTest.mouseClick(view.list.viewport(), Qt.MouseButton.LeftButton, pos=point)
    removed, inserted = page(view).changes(2)
    shown = page(view).document(2).text
    assert len(removed) == 1
    assert shown[: removed[0][0]] + shown[slice(*removed[0])] == LONG[: removed[0][1]]
    assert inserted
    assert LONG in shown.replace(shown[slice(*inserted[0])], "")
    view.grab()
    view.find()
    view.finder.wanted.emit("line 399 ")
    assert [hit.block for hit in view.list.hits] == [2]
    view._close_find()
    QTest.keyClick(view.list, Qt.Key.Key_X)
    view.flush()
    state.go(block=2)
    view.flush()
    QTest.keyClick(view.list, Qt.Key.Key_X)
    view.flush()
    assert page(view).changes(2) == ((), ())


def test_folding_a_text_hides_what_was_removed_with_it(show: Show, state: State) -> None:
    view = show(state)
    state.go(block=2)
    view.flush()
    QTest.keyClick(view.list, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    view.flush()
    assert page(view).woven(2) is not None
    QTest.keyClick(view.list, Qt.Key.Key_Return)
    view.flush()
    assert page(view).woven(2) is None
    assert not view.list.rows[row(view, 2)].open
    QTest.keyClick(view.list, Qt.Key.Key_Return)
    view.flush()
    assert len(page(view).document(2)) < len(LONG)


def test_headline_and_budget_of_the_stage(show: Show, state: State) -> None:
    """All steps: what would be sent. One step: what it left, and why. The budget has the sizes of the same blocks."""
    view = show(state)
    assert "The guard cut 1 result." in view.head.headline.text
    assert "◇" in view.head.headline.text
    budget = view.head.budget.shown
    assert isinstance(budget, Budget)
    assert sum(budget.tokens) == sum(page(view).assembled.tokens)
    assert budget.window == 2_000
    state.go(step="repair_pairs")
    view.flush()
    assert view.head.headline.text.startswith("After Repair pairs ◇")
    assert view.head.headline.text.endswith("1 call had no result; added one.")
    larger = view.head.budget.shown
    assert isinstance(larger, Budget)
    assert sum(larger.tokens) > sum(budget.tokens)


def test_recorded_sentence_where_the_steps_change_nothing(show: Show, tmp_path: Path) -> None:
    """No step changed what is said: today's sentence, with what the file recorded."""
    said = [user("Hi."), reply("Hello.", write=900), user("More."), reply("Yes.", read=900, write=100)]
    state = state_of(write_session(tmp_path / "s.jsonl", said), 2)
    view = show(state)
    assert view.head.headline.text.startswith("Sent ●1,003 tokens")
    assert view.strip.column == "tokens ≈"
    state.set(state.profile.instances[0].name)
    instance = next(found for found in state.profile.instances if found.on)
    state.switch(instance.name, False)
    view.flush()
    assert view.head.headline.text.startswith("Sends ◇")


def test_as_the_guard_counts(show: Show, state: State) -> None:
    """G changes headline and bar to the guard's own unit, and back; a profile without a guard has no such unit."""
    view = show(state)
    QTest.keyClick(view.list, Qt.Key.Key_G)
    view.flush()
    assert view.head.headline.text.startswith("The guard counts ◇")
    budget = view.head.budget.shown
    assert isinstance(budget, GuardBudget)
    assert budget.cut > 0
    assert (budget.cuts, budget.window) == (6_000, 8_000)
    view.grab()
    QTest.mouseClick(view.head.counting, Qt.MouseButton.LeftButton)
    view.flush()
    assert isinstance(view.head.budget.shown, Budget)
    state.choose("none")
    view.flush()
    assert not view.head.counting.isVisible()


def test_what_a_provider_would_refuse(show: Show, state: State) -> None:
    """With no layer at work the open call is a fault: one line above, a chip on the block, and a way to it."""
    view = show(state)
    view.judge_now()
    assert view.faults == ()
    assert not view.head.fault.isVisible()
    state.choose("none")
    view.flush()
    assert not view.head.fault.isVisible()
    view.judge_now()
    assert view.head.fault.text.startswith("Anthropic would refuse this: The call c has no result right behind it.")
    assert "The call c has no result right behind it." in said(view, 5)
    QTest.mouseClick(view.head.fault, Qt.MouseButton.LeftButton)
    view.flush()
    assert state.cursor.block == 5
    assert "no result right behind it" in view.list.accessibleDescription()
    state.go(step="session_context")
    view.flush()
    assert view.faults == ()
    assert not view.head.fault.isVisible()
    view.grab()


def test_the_judge_waits_while_a_threshold_is_dragged(show: Show, state: State) -> None:
    view = show(state)
    state.choose("none")
    view.flush()
    state.grasp()
    view.judge_now()
    assert view.faults == ()
    state.let_go()
    view.judge_now()
    assert view.faults


def test_a_threshold_moves_the_prompt(show: Show, state: State) -> None:
    """Less room, less text; the same room again, the same blocks again."""
    view = show(state)
    before = page(view).assembled.blocks[2]
    state.set("guard_context", share=0.4)
    view.flush()
    smaller = page(view).assembled.blocks[2]
    assert len(page(view).texts.document(smaller)) < len(page(view).texts.document(before))
    state.undo()
    view.flush()
    assert page(view).assembled.blocks[2].key == before.key


def test_changed_blocks_are_not_folded_away(show: Show, tmp_path: Path) -> None:
    """In a long run of what was read from the cache, the cut results keep their rows; the run tells what it hides."""
    said = [user("Go.")]
    for turn in range(12):
        id = {"id": f"call{turn}"}
        said += [reply(f"Step {turn}.", call("exec") | id, read=900 if turn else 0, write=100 if turn else 900)]
        said += [result("exec", LONG[: 400 if turn % 4 else 2_000], toolCallId=f"call{turn}")]
    said.append(reply("Done.", read=2_100, write=10))
    state = state_of(write_session(tmp_path / "s.jsonl", said), 13)
    state.choose(POLICY)
    view = show(state)
    changed = {index for index, loss in page(view).losses.items() if loss != "inserted"}
    assert changed
    shown = {found.first for found in view.list.rows if found.kind is Kind.BLOCK}
    assert changed <= shown
    view.grab()
