"""The Layers dock: rows from the policy, selecting and standing, switches, drags with consequences, badge, page."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget
from pytestqt.qtbot import QtBot

from core.boundary import BOUNDARY
from core.phrase import LANGUAGES
from core.profile import Instance, said
from core.prompt_source import PartSource, PromptSource
from core.system_prompt import SystemPrompt
from gui import translation
from gui.explanation import fields, numbers, page
from gui.gauge_slider import GaugeSlider
from gui.layer_rows import SYSTEM_PROMPT
from gui.numbers import Mark
from gui.setting_rows import NumberRow
from gui.shapes import Fired
from gui.state import State
from gui.theme import STEP_LOW, STEP_TALL, TITLE_ROW, Look
from gui.translation import say
from gui.views.layers import LayersView
from tests.gui.layer_session import guarded_state, settle, small
from tests.gui.prompt_session import state_of, user, write_session

Show = Callable[..., LayersView]
ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def show(qtbot: QtBot) -> Iterator[Show]:
    """A visible dock of 380 × 900, everything computed."""
    shown: list[LayersView] = []

    def make(state: State | None, size: tuple[int, int] = (380, 900), zoom: int = 100) -> LayersView:
        view = LayersView(Look("light", zoom))
        qtbot.addWidget(view)
        view.resize(*size)
        view.show_state(state)
        view.show()
        view.flush()
        calm(view)
        shown.append(view)
        return view

    yield make
    for view in shown:
        view.show_state(None)


def calm(view: LayersView) -> None:
    view.flush()
    if view.state is not None:
        settle(view.state)
    view.flush()


@pytest.fixture
def state(qtbot: QtBot, tmp_path: Path) -> State:
    """The guard acts at the last request and at the one before, not at the first ones."""
    return guarded_state(tmp_path / "s.jsonl")


def names(view: LayersView) -> list[str]:
    return [row.instance for row in view.list.layers.rows]


def row(view: LayersView, name: str):  # type: ignore[no-untyped-def]
    return next(found for found in view.list.layers.rows if found.instance == name)


def slider(view: LayersView, field: str = "share") -> GaugeSlider:
    assert view.detail.form is not None
    found = view.detail.form.rows[field]
    assert isinstance(found, NumberRow)
    return found.slider


# rows


def test_rows_are_those_of_the_policy(show: Show, state: State) -> None:
    """Step 0, the instances in order, and the system prompt, of which only the size is known."""
    view = show(state)
    assert names(view) == ["session_context", *(made.name for made in state.profile.instances), SYSTEM_PROMPT]
    assert [found.number for found in view.list.layers.rows] == list(range(len(view.list.layers.rows)))
    assert row(view, SYSTEM_PROMPT).fired is Fired.UNKNOWN
    state.choose("none")
    calm(view)
    assert names(view) == ["session_context", *(made.name for made in state.profile.instances), SYSTEM_PROMPT]


def test_the_system_prompt_is_there(show: Show, state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    """From a trace: the row has fired, with its size as an estimate, says where it is from, and cannot be switched off;
    its detail says the same."""
    traced = PartSource("trace", "cache-trace.jsonl", 1)
    source = PromptSource(SystemPrompt.of_text(f"a{BOUNDARY}b", "recorded"), ({"name": "read"},), traced, traced)
    assembled = state.assembled.with_source(source, lambda message: 7)
    monkeypatch.setattr(State, "assembled", property(lambda self: assembled))
    view = show(state)
    found = row(view, SYSTEM_PROMPT)
    assert found.fired is Fired.FIRED
    assert found.why == "Tools, stable and dynamic part, from the trace."
    assert found.locked
    assert (found.mark, found.delta) == (Mark.ESTIMATED, sum(item.tokens for item in assembled.leading))
    view.select(SYSTEM_PROMPT)
    assert view.detail.why.text() == found.why


def test_fired_rows_have_size_and_reason(show: Show, state: State) -> None:
    """40 high with why on the second line; what did nothing is 28 high with a short reason and no size."""
    view = show(state)
    fired, quiet = row(view, "guard_context"), row(view, "limit_history")
    assert fired.fired is Fired.FIRED
    assert fired.size.startswith("−")
    assert "guard chars: cut" in fired.why
    assert quiet.fired is Fired.IDLE
    assert quiet.size == ""
    assert quiet.short == "no limit set; 1 turn"
    heights = [view.list.sizeHintForRow(i) for i in range(len(view.list.layers.rows))]
    at = names(view).index
    assert heights[at("guard_context")] == STEP_TALL
    assert heights[at("limit_history")] == STEP_LOW
    assert sum(heights) == view.list.content_height


def test_it_begins_with_the_step_that_changed_most(show: Show, state: State) -> None:
    """Whoever opens the dock sees what mattered."""
    assert show(state).current == "guard_context"


def test_an_overflow_is_flagged(show: Show, state: State) -> None:
    """Nothing of the messages may be cut, so the guard raises its error."""
    state.set("guard_context", order="oldest")
    state.switch("guard_context", False)
    state.set("guard_overflow", share=0.5, budget_share=0.5)
    view = show(state)
    assert row(view, "guard_overflow").trouble == "overflow"
    view.select("guard_overflow")
    assert view.detail.head.badge == "overflow"


def test_a_failed_step_says_so_and_passes_on(show: Show, state: State) -> None:
    """A layer that is not installed: its row is in trouble, those below still run."""
    broken = Instance("mine", "not_installed", True, state.profile.instances[0].settings)
    state.choose(replace(state.profile, instances=(broken, *state.profile.instances)))
    view = show(state)
    assert row(view, "mine").trouble == "failed"
    assert row(view, "guard_context").fired is Fired.FIRED
    view.select("mine")
    assert "not_installed" in view.detail.why.text()
    assert view.detail.head.badge == "failed, input passed on"


def test_sizes_before_and_after(show: Show, state: State) -> None:
    """Tools and system prompt belong to the whole, not to a single step."""
    view = show(state)
    trace = state.trace
    assert trace is not None
    whole = trace.steps[-1].tokens_after + (state.assembled.unrecorded or 0)
    assert view.controls.sizes.text() == f"◇{trace.steps[0].tokens_after:,} → ◇{whole:,}"
    state.go(step="guard_context")
    view.flush()
    step = next(found for found in trace.steps if found.instance == "guard_context")
    assert view.controls.sizes.text() == f"◇{step.tokens_before:,} → ◇{step.tokens_after:,}"


def test_screen_readers_hear_the_row(show: Show, state: State) -> None:
    """What is painted, in words: number, title, whether it fired, size, why, switch."""
    view = show(state)
    at = names(view).index("guard_context")
    words = str(view.list.layers.data(view.list.layers.index(at), Qt.ItemDataRole.AccessibleTextRole))
    assert words.startswith(f"Step {at}, Guard: whole context, fired, −")
    assert "simulated" in words
    assert words.endswith("on")
    list_of_rows = QAccessible.queryAccessibleInterface(view.list)
    assert list_of_rows.childCount() >= len(view.list.layers.rows)
    assert view.list.accessibleName()


# selecting and standing


def test_selecting_shows_the_detail_and_moves_nothing(show: Show, state: State) -> None:
    """While all steps are applied a click only chooses what the detail is about."""
    view = show(state)
    at = names(view).index("guard_single")
    QTest.mouseClick(
        view.list.viewport(),
        Qt.MouseButton.LeftButton,
        pos=view.list.visualRect(view.list.layers.index(at)).center() - QPoint(60, 0),
    )
    assert view.current == "guard_single"
    assert view.detail.head.title == "Guard: single result"
    assert state.cursor.step is None
    assert view.list.sizeHintForRow(at) == STEP_TALL


def test_keys_move_the_selection(show: Show, state: State) -> None:
    """Down, J, up, K, Home, End, within the list."""
    view = show(state)
    order = names(view)
    view.list.setFocus()
    for key, at in (
        (Qt.Key.Key_Home, 0),
        (Qt.Key.Key_Up, 0),
        (Qt.Key.Key_Down, 1),
        (Qt.Key.Key_J, 2),
        (Qt.Key.Key_K, 1),
        (Qt.Key.Key_End, len(order) - 1),
        (Qt.Key.Key_Down, len(order) - 1),
    ):
        QTest.keyClick(view.list, key)
        assert view.current == order[at]


def test_enter_stands_behind_a_step_and_leaves_it(show: Show, state: State) -> None:
    """The subtitle says where; what is not applied yet is marked; the selection is where one stands."""
    view = show(state)
    view.list.setFocus()
    view.select("repair_pairs")
    QTest.keyClick(view.list, Qt.Key.Key_Return)
    view.flush()
    assert state.cursor.step == "repair_pairs"
    number = names(view).index("repair_pairs")
    assert view._heading.where.text() == f"after step {number}"
    assert [found.beyond for found in view.list.layers.rows] == [i > number for i in range(len(names(view)))]
    QTest.keyClick(view.list, Qt.Key.Key_Down)
    assert state.cursor.step == names(view)[number + 1]
    QTest.keyClick(view.list, Qt.Key.Key_Return)
    view.flush()
    assert state.cursor.step is None
    assert view._heading.where.text() == "all steps applied"


def test_the_four_buttons(show: Show, state: State) -> None:
    """First, back, forward, last; those that lead nowhere are off."""
    view = show(state)
    buttons = view.controls.buttons
    assert [buttons[name].isEnabled() for name in ("first", "back", "forward", "last")] == [True, True, False, False]
    buttons["first"].click()
    view.flush()
    assert state.cursor.step == view.current == "session_context"
    assert [buttons[name].isEnabled() for name in ("first", "back", "forward", "last")] == [False, False, True, True]
    buttons["forward"].click()
    assert state.cursor.step == names(view)[1]
    buttons["last"].click()
    assert state.cursor.step is None


# switches and order


def test_space_and_the_box_switch_a_step(show: Show, state: State) -> None:
    """The selected row by key, any row by its box; step 0 is locked."""
    view = show(state)
    view.list.setFocus()
    view.select("guard_context")
    QTest.keyClick(view.list, Qt.Key.Key_Space)
    calm(view)
    assert not state.profile.instance("guard_context").on
    assert row(view, "guard_context").fired is Fired.IDLE
    assert row(view, "guard_context").changed
    assert view.detail.head.badge == "off"
    at = names(view).index("strip_details")
    place = view.list.visualRect(view.list.layers.index(at))
    box = QPoint(place.right() - 24, place.center().y())
    QTest.mouseClick(view.list.viewport(), Qt.MouseButton.LeftButton, pos=box)
    assert not state.profile.instance("strip_details").on
    assert view.current == "guard_context"
    QTest.keyClick(view.list, Qt.Key.Key_Home)
    QTest.keyClick(view.list, Qt.Key.Key_Space)
    view.toggle()
    assert len(state.changes()) == 2


def test_rows_can_be_dragged_only_where_the_order_is_free(show: Show, state: State) -> None:
    """By key and by pointer; a recorded order stays."""
    view = show(state)
    view.list.setFocus()
    view.select("guard_single")
    QTest.keyClick(view.list, Qt.Key.Key_Up, ALT)
    assert "order" not in state.changes()
    state.choose(replace(small(), reorder=True))
    calm(view)
    before = [made.name for made in state.profile.instances]
    at = before.index("guard_single")
    QTest.keyClick(view.list, Qt.Key.Key_Up, ALT)
    calm(view)
    after = [made.name for made in state.profile.instances]
    assert after.index("guard_single") == at - 1
    assert view.current == "guard_single"
    viewport = view.list.viewport()
    start = view.list.visualRect(view.list.layers.index(1)).center() - QPoint(60, 0)
    end = view.list.visualRect(view.list.layers.index(3)).bottomLeft() + QPoint(60, -2)
    QTest.mousePress(viewport, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(viewport, start + QPoint(0, 10))
    QTest.mouseMove(viewport, end)
    assert view.list.gap == 4
    QTest.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=end)
    calm(view)
    assert [made.name for made in state.profile.instances].index(after[0]) == 2
    assert names(view)[3] == after[0]


# settings


def test_a_drag_says_what_it_brings(show: Show, state: State) -> None:
    """While the ring is held its consequence stands beside it, told against what was sent before; one undo."""
    view = show(state)
    assert view.current == "guard_context"
    ring = slider(view)
    start = QPoint(round(ring.x_of(0.75)), 12)
    QTest.mousePress(ring, Qt.MouseButton.LeftButton, pos=start)
    for share in (0.7, 0.6, 0.55):
        QTest.mouseMove(ring, QPoint(round(ring.x_of(share)), 12))
        calm_steps(view)
    assert view.detail.form is not None
    found = view.detail.form.rows["share"]
    assert isinstance(found, NumberRow)
    assert found.value.text().startswith("55\u202f% → ")
    assert "more result" in found.value.text()
    QTest.mouseRelease(ring, Qt.MouseButton.LeftButton, pos=QPoint(round(ring.x_of(0.55)), 12))
    calm(view)
    assert found.value.text() == "55\u202f% of the window × 4"
    assert state.changes() == ("guard_context.share",)
    state.undo()
    calm(view)
    assert state.changes() == ()
    assert ring.threshold == 0.75


def calm_steps(view: LayersView) -> None:
    """The steps only: nothing is compared while the ring is held."""
    end = time.monotonic() + 5
    assert view.state is not None
    while view.state.stale and time.monotonic() < end:
        QApplication.processEvents()
    view.flush()


def test_no_widget_is_built_while_a_threshold_moves(show: Show, state: State) -> None:
    """Values are put into the widgets that are there."""
    view = show(state)
    before = view.detail.findChildren(QWidget)
    state.set("guard_context", share=0.6)
    calm(view)
    assert view.detail.findChildren(QWidget) == before


def test_reset_of_a_setting_and_of_the_step(show: Show, state: State) -> None:
    """The button beside the setting, and the one beside the title."""
    view = show(state)
    assert not view.detail.undo_all.isEnabled()
    state.set("guard_context", share=0.6, order="oldest")
    calm(view)
    assert view.detail.undo_all.isEnabled()
    assert row(view, "guard_context").changed
    assert view.detail.form is not None
    view.detail.form.rows["order"].restore.click()
    assert state.changes() == ("guard_context.share",)
    view.detail.undo_all.click()
    calm(view)
    assert state.changes() == ()
    assert not row(view, "guard_context").changed


# badge, alternative, explanation


def test_the_badge_is_computed_against_the_request_before(show: Show, state: State) -> None:
    """A cut of what the request before had sent whole rewrites the cache from there; an append is safe."""
    view = show(state)
    assert state.cursor.request == 9
    trace = state.trace
    assert trace is not None
    edits = next(step for step in trace.steps if step.instance == "guard_context").edits
    assert view.detail.head.badge == f"rewrites from block {edits[0].index + 1}"
    view.select("strip_details")
    assert view.detail.head.badge == "cache-safe"
    state.go(request=1)
    calm(view)
    assert view.detail.head.badge == "cache-safe"


def test_the_box_tells_the_nearest_alternative(show: Show, state: State) -> None:
    """Oldest first, run for this request: which blocks it takes from, what is sent then."""
    view = show(state)
    assert view.detail.box.isVisible()
    assert view.detail.box.title.text() == "Cut first: Oldest"
    words = view.detail.box.words.text()
    found = {}
    state.compare(
        "check", lambda trace: found.update(it=trace), profile=state.profile.set("guard_context", order="oldest")
    )
    calm(view)
    step = next(step for step in found["it"].steps if step.instance == "guard_context")
    assert f"block {step.first_touched + 1}" in words
    assert f"◇{found['it'].steps[-1].tokens_after:,} tokens" in words


def test_a_page_explains_the_step_with_its_numbers(show: Show, state: State) -> None:
    """By keyboard there and back; the formula holds the numbers of this request."""
    view = show(state)
    view.detail.ask.setFocus()
    QTest.keyClick(view.detail.ask, Qt.Key.Key_Space)
    assert view.pages.currentIndex() == 1
    words = "\n".join(text.text() for _, text in view.explanation._labels)
    assert "budget = 4,000 × 4 × 75\u202f% = 12,000" in words
    total = next(step for step in state.trace.steps if step.instance == "guard_context").gauges[0].value  # type: ignore[union-attr]
    assert f"messages = {round(total):,}" in words
    view.select("guard_overflow")
    assert view.explanation.title.text() == "Guard: overflow"
    QTest.keyClick(view.explanation.back, Qt.Key.Key_Space)
    assert view.pages.currentIndex() == 0
    assert view.window().focusWidget() is view.detail.ask


def test_the_selected_row_is_whole_in_a_low_window(show: Show, state: State) -> None:
    """A list that becomes lower, or its rows taller, still shows the selected row from top to bottom."""
    view = show(state)
    view.select("guard_context")
    for height in (420, 700, 380):
        view.resize(360, height)
        calm(view)
        box = view.list.visualRect(view.list.currentIndex())
        assert view.list.current_row is not None
        assert view.list.current_row.instance == "guard_context"
        assert box.top() >= 0
        assert box.bottom() <= view.list.viewport().height()


def test_a_page_ends_with_the_policy(show: Show, state: State) -> None:
    """Its source, its date and every oddity that is known of it: where the numbers are from."""
    view = show(state)
    state.choose("article-2")
    calm(view)
    view.explain(True)
    head, text = next(pair for pair in view.explanation._labels if pair[0].text() == "The policy in use")
    assert head.isVisible()
    for oddity in state.profile.oddities:
        assert f"· {say(said(oddity))}" in text.text()
    assert say(said(state.profile.source)) in text.text()
    state.choose("openclaw-2026.4.5")
    calm(view)
    assert "2026-04" in text.text()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_has_a_page_without_gaps(state: State, language: str) -> None:
    """What it does, a formula and a source for each; no name in braces is left unfilled."""
    settle(state)
    trace = state.trace
    assert trace is not None
    translation.use(language)
    try:
        for step in trace.steps:
            instance = next((made for made in state.profile.instances if made.name == step.instance), None)
            made = page(step, instance, state.profile, 200_000)
            assert len(made.parts) >= 3, step.instance
            assert not any("{" in text or "Phrase(" in text for _, text in made.parts), step.instance
            for part in ("what", "source"):
                assert fields(f"explain.{step.layer}.{part}") <= set(numbers(step, instance, state.profile, 1))
    finally:
        translation.use("en")


# states and sizes


def test_without_session_and_without_steps(show: Show, state: State, tmp_path: Path) -> None:
    """Says what is missing instead of an empty list."""
    view = show(None)
    assert view.empty.isVisible()
    assert view.empty.text() == "No session open."
    assert not view.list.isVisible()
    view.show_state(state)
    calm(view)
    assert view.list.isVisible()
    assert not view.empty.isVisible()
    view.show_state(state_of(write_session(tmp_path / "t.jsonl", [user("Hello.")]), None))
    calm(view)
    assert names(view)[0] == "session_context"


def test_what_takes_long_is_dimmed(show: Show, state: State) -> None:
    """After a moment of patience; the old steps stay in sight, and come back bright when they are up to date."""
    view = show(state)
    state._live._turn = lambda: None  # type: ignore[method-assign]
    state._live._timer.timeout.disconnect()
    state._live._costs = dict.fromkeys(state._live._costs, 60.0)
    state.set("guard_context", share=0.6)
    view.flush()
    assert not view.list.stale
    QTest.qWait(160)
    assert view.list.stale
    assert view._heading.stale.text() == "Updating"
    assert names(view)
    state._live._costs.clear()
    assert state.trace is not None
    view._show()
    assert not view.list.stale
    assert view._heading.stale.text() == ""


@pytest.mark.parametrize(("size", "zoom"), [((320, 700), 100), ((380, 900), 150), ((320, 320), 100)])
def test_narrow_low_and_large(show: Show, state: State, size: tuple[int, int], zoom: int) -> None:
    """Nothing sticks out to the right; the list leaves room for the detail."""
    view = show(state, size, zoom)
    view.select("guard_single")
    calm(view)
    assert view.width() == size[0]
    area = view.pages.currentWidget()
    assert view.detail.width() <= area.width()
    assert view.pages.height() > 0
    assert view.list.height() <= max(view.look.theme.px(140), round(0.62 * size[1]))
    assert view.minimumSizeHint().width() == view.look.theme.px(320)
    assert view.minimumSizeHint().height() < 520


def test_the_title_row_is_as_high_as_the_others(show: Show, state: State) -> None:
    """One line runs across the window: 36 pixels, which a dock asks for by the size hint."""
    view = show(state)
    assert view.heading().sizeHint().height() == view.heading().height() == TITLE_ROW


def test_everything_has_a_name_and_is_reached_by_tab(show: Show, state: State) -> None:
    """Buttons, slider, choices and fields: named, and none only for the pointer."""
    view = show(state)
    for widget in view.findChildren(QWidget):
        if isinstance(widget, QAbstractButton | GaugeSlider) and widget.isVisibleTo(view):
            assert widget.accessibleName() or getattr(widget, "text", str)(), widget
            assert widget.focusPolicy() & Qt.FocusPolicy.TabFocus, widget
