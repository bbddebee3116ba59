"""The axis "as the guard counts": exact bars, three lines that can be moved by hand and by key, what is old dimmed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QGuiApplication, QMouseEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.guard_limits import limits
from core.phrase import phrase
from gui import translation
from gui.guard_replays import GuardReplays
from gui.jobs import Jobs
from gui.request_heading import GUARD, TOKENS
from gui.request_plot import RequestPlot
from gui.sessions import Sessions
from gui.state import State
from gui.theme import Look
from gui.views.requests import BREAKS, PLOT, TABLE, RequestsView
from tests.gui.guard_answers import OURS, SAMPLES, answer, counted, guard_state
from tests.gui.request_timeline import sample_state
from tests.gui.test_requests import drag as drag_range
from tests.gui.test_requests import shown

LEFT = Qt.MouseButton.LeftButton
ALT = Qt.KeyboardModifier.AltModifier
NO_KEY = Qt.KeyboardModifier.NoModifier


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    translation.use("en")
    yield
    translation.use("en")


@pytest.fixture
def look(qapp: QApplication) -> Look:
    return Look("light", 100)


@pytest.fixture
def view(look: Look, qtbot: QtBot) -> RequestsView:
    """The sample in which the guard cuts, counted, at request 24."""
    state = guard_state()
    state.choose(OURS)
    made = shown(look, qtbot, state)
    state.go(request=24)
    made.show_axis(GUARD)
    answer(made)
    settle(made)
    return made


def settle(view: RequestsView) -> None:
    """Until the trace is up to date and the view has seen it."""
    for _ in range(200):
        QApplication.processEvents()
        if view.state is None or not view.state.stale:
            break
    view.flush()


def plot_of(view: RequestsView) -> RequestPlot:
    assert view.plot is not None
    return view.plot


def state_of(view: RequestsView) -> State:
    assert view.state is not None
    return view.state


def share(view: RequestsView, instance: str = "guard_context") -> float:
    return float(state_of(view).profile.instance(instance).settings.share)


def on_line(view: RequestsView, chars: float, request: float = 3) -> QPoint:
    plot = plot_of(view)
    return QPoint(round(plot.x_of(request)), round(plot.margins.y_of(chars)))


def pull(qtbot: QtBot, view: RequestsView, chars: float, to: float, key: Qt.KeyboardModifier = NO_KEY) -> None:
    """Drag the line at `chars` to `to`, without letting go."""
    target, start, end = plot_of(view).viewport(), on_line(view, chars), on_line(view, to)
    qtbot.mousePress(target, LEFT, key, start)
    for part in (0.5, 1.0):
        place = QPoint(start.x(), round(start.y() + (end.y() - start.y()) * part))
        _move(view, place, key)
        settle(view)


def _move(view: RequestsView, place: QPoint, key: Qt.KeyboardModifier) -> None:
    target = plot_of(view).viewport()
    event = QMouseEvent(QEvent.Type.MouseMove, QPointF(place), target.mapToGlobal(place), LEFT, LEFT, key)
    QApplication.sendEvent(target, event)


def drop(qtbot: QtBot, view: RequestsView, at: float) -> None:
    qtbot.mouseRelease(plot_of(view).viewport(), LEFT, pos=on_line(view, at))
    settle(view)


# what stands there


def test_bars_are_what_the_guard_counts(view: RequestsView) -> None:
    """Every request: what is left by role, and on top what was cut away; nothing of it is recorded."""
    guard = plot_of(view).guard
    assert guard is not None
    assert guard.series is not None
    assert not guard.stale
    found = counted(id(state_of(view).timeline), state_of(view).profile)
    for number, one in enumerate(found, 1):
        tops = guard.tops(number)
        assert tops is not None
        assert tops.tolist()[3:] == [one.left, one.left + one.cut]
    assert sum(one.cut > 0 for one in found) > 5


def test_three_lines_and_the_window_are_named_at_their_places(view: RequestsView) -> None:
    """Left what they stand at, right what they are; accent marks the ones a person sets."""
    lines = [(line.left.replace("\u202f", " "), line.right, line.mine) for line in plot_of(view).lines]
    assert lines == [
        ("100 %", "800k", False),
        ("90 %", "720k error", True),
        ("75 %", "600k cuts", True),
        ("50 %", "200k each", True),
    ]


@pytest.mark.parametrize("language", translation.LANGUAGES)
@pytest.mark.parametrize("zoom", [100, 150])
def test_names_of_the_lines_fit_into_the_margin(qtbot: QtBot, language: str, zoom: int) -> None:
    """Nothing is cut off at the right edge of the dock."""
    from gui.paint import width_of

    translation.use(language)
    look = Look("light", zoom)
    state = guard_state()
    made = shown(look, qtbot, state, (816 * zoom // 100, 300 * zoom // 100))
    made.show_axis(GUARD)
    answer(made)
    plot, theme = plot_of(made), look.theme
    room = plot.width() - plot.budget.box.geometry().right() - theme.px(7) - theme.px(2)
    for line in plot.lines:
        assert width_of(line.right, theme.font("chart")) <= room + 1, line.right


def test_the_bar_in_the_picture_is_as_high_as_its_number(view: RequestsView) -> None:
    """Pixels: results at the foot in their colour; the red outline of what was cut ends where the sum ends."""
    plot, theme = plot_of(view), view.look.theme
    found = counted(id(state_of(view).timeline), state_of(view).profile)
    number = next(n for n, one in enumerate(found, 1) if one.cut > 150_000 and n != 24)
    picture = plot.grab().toImage()
    x = round(plot.x_of(number))
    top = round(plot.margins.y_of(found[number - 1].total))
    reds = [y for y in range(top - 3, top + 4) if picture.pixelColor(x, y) == theme.diff]
    assert reds, "the hollow bar ends here"
    low = round(plot.margins.y_of(found[number - 1].after[0] / 2))
    assert found[number - 1].after[0] == 0 or picture.pixelColor(x, low) == theme.role("toolResult").fill


def test_the_switch_goes_there_and_back(view: RequestsView, qtbot: QtBot) -> None:
    """The axis in tokens is the one that was there before; rings belong to the guard's."""
    plot = plot_of(view)
    assert all(ring.isVisible() for ring in plot.limits.rings.values())
    view.heading().axis.chosen.emit(TOKENS)
    assert plot.guard is None
    assert [line.right for line in plot.lines] == ["window", "− reserve"]
    assert not any(ring.isVisible() for ring in plot.limits.rings.values())
    assert "tokens recorded" in plot.accessibleDescription()
    view.heading().axis.chosen.emit(GUARD)
    assert plot.guard is not None


def test_the_cursor_goes_on_as_before(view: RequestsView, qtbot: QtBot) -> None:
    """A click on a bar, keys, a range: the axis changes the unit, not the gestures."""
    plot, state = plot_of(view), state_of(view)
    place = QPoint(round(plot.x_of(12)), round(plot.budget.box.geometry().bottom()) - 3)
    qtbot.mouseClick(plot.viewport(), LEFT, pos=place)
    assert state.cursor.request == 12
    qtbot.keyClick(plot, Qt.Key.Key_Right)
    assert state.cursor.request == 13
    drag_range(qtbot, view, 3, 9)
    assert plot.chosen == (3, 9)
    assert view.heading().legend.said.startswith("Requests 3 – 9")


def test_the_card_speaks_the_unit_of_the_axis(view: RequestsView) -> None:
    """What came, by role, what was cut, the largest; at most six lines, every one simulated or a name."""
    found = counted(id(state_of(view).timeline), state_of(view).profile)
    for number, one in enumerate(found, 1):
        lines = view._card(number)
        assert 2 <= len(lines) <= 6
        text = " ".join(lines)
        assert f"{one.total:,} of 600,000" in text
        assert "●" not in text
        assert (f"{one.cut:,} cut away" in text) == (one.cut > 0)
        assert ("compacts and tries again" in text) == bool(one.stop)


def test_the_table_tells_the_same(view: RequestsView) -> None:
    """Ctrl+T in this axis: guard characters; copied as numbers; the other axis brings its own columns back."""
    view.show_mode(TABLE)
    table = view.table
    heads = [table.records.headerData(i, Qt.Orientation.Horizontal) for i in range(table.records.columnCount())]
    assert heads[2:6] == ["To the guard ◇", "Cut away ◇", "Left ◇", "Stopped by"]
    found = counted(id(state_of(view).timeline), state_of(view).profile)
    view.copy()
    lines = [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()[1:]]
    assert [(int(line[2]), int(line[3]), int(line[4])) for line in lines] == [
        (one.total, max(0, one.cut), one.left) for one in found
    ]
    view.show_axis(TOKENS)
    assert table.records.headerData(2, Qt.Orientation.Horizontal) == "Total ●"
    view.show_mode(BREAKS)
    assert not view.heading().axis.isVisible()
    view.show_mode(PLOT)
    assert view.heading().axis.isVisible()


# why there is nothing


@pytest.mark.parametrize(
    ("policy", "words"), [("pi", "pi 0.65 has no guard"), ("none", "has no guard"), ("off", "are switched off")]
)
def test_without_a_guard_it_says_why(view: RequestsView, policy: str, words: str) -> None:
    """Never an empty plot without a reason; nothing is asked of the worker; the lower plots stay."""
    state, plot, asked = state_of(view), plot_of(view), []
    view.guard_wanted.connect(lambda: asked.append(1))
    if policy == "off":
        for name in ("guard_single", "guard_context", "guard_overflow"):
            state.switch(name, False)
        asked.clear()
    else:
        state.choose(policy)
    view.flush()
    asked_after = len(asked)
    view.show_counts()
    assert plot.empty.isVisible()
    assert words in plot.empty.text()
    assert words in plot.accessibleDescription()
    assert not any(ring.isVisible() for ring in plot.limits.rings.values())
    assert plot.lines == () or not plot.margins.lines
    assert len(asked) == asked_after == 0
    state.choose(OURS)
    view.flush()
    assert not plot.empty.isVisible()


# what is old


def test_what_is_old_is_dimmed_and_the_request_in_focus_is_new(view: RequestsView, qtbot: QtBot) -> None:
    """Never blank, never blocked: old bars, the words in the corner, the inspection point as its trace has it."""
    state, plot = state_of(view), plot_of(view)
    before = plot.guard
    assert before is not None
    with qtbot.waitSignal(view.guard_wanted):
        state.set("guard_context", share=0.5)
        view.flush()
    settle(view)
    guard = plot.guard
    assert guard is not None
    assert guard.stale
    assert guard.series is before.series
    wanted = counted(id(state.timeline), state.profile)
    assert guard.current == (24, wanted[23])
    assert guard.said == "Updating"
    ask = view.guard.asked(state)
    assert view.guard.progress(ask, phrase("guard_axis.job", n=23, all=46))
    view.show_counts()
    assert plot.guard is not None
    assert plot.guard.said == "Updating 23 of 46"
    dim = plot.grab().toImage()
    answer(view)
    clear = plot.grab().toImage()
    x, y = round(plot.x_of(12)), round(plot.budget.box.geometry().bottom()) - 4
    colour = view.look.theme.role("toolResult").fill
    assert clear.pixelColor(x, y) == colour
    assert dim.pixelColor(x, y) != colour
    assert plot.guard.said == ""


def test_an_answer_to_an_older_question_is_not_shown_but_kept(view: RequestsView) -> None:
    """Newest wins; undo finds the older one without asking again."""
    state, plot = state_of(view), plot_of(view)
    state.set("guard_context", share=0.5)
    view.flush()
    old = view.guard.asked(state)
    state.set("guard_context", share=0.4)
    view.flush()
    assert not view.guard.take(old, counted(id(state.timeline), old.profile))
    view.show_counts()
    assert plot.guard is not None
    assert plot.guard.stale
    asked = []
    view.guard_wanted.connect(lambda: asked.append(1))
    state.undo()
    view.flush()
    assert not plot.guard.stale
    assert asked == []


def test_stopped_work_says_how_far_it_came(view: RequestsView) -> None:
    """Esc: what was counted is shown, the rest stays old, and the words say so; the switch asks again."""
    state, plot = state_of(view), plot_of(view)
    state.set("guard_context", share=0.3)
    view.flush()
    ask, whole = view.guard.asked(state), counted(id(state.timeline), state.profile)
    part = type(whole)(whole.table[: 17 * whole.WIDTH], whole.names)
    assert view.guard.take(ask, part)
    view.show_counts()
    assert plot.guard is not None
    assert plot.guard.said == f"Stopped: 17 of {len(whole)} are up to date"
    assert plot.guard.stale
    tops = plot.guard.tops(17)
    assert tops is not None
    assert tops[-1] == whole[16].left + max(0, whole[16].cut)
    asked = []
    view.guard_wanted.connect(lambda: asked.append(1))
    view.show_counts()
    assert asked == []
    view.show_axis(TOKENS)
    view.show_axis(GUARD)
    assert asked == [1]


def test_another_session_begins_with_nothing(view: RequestsView) -> None:
    """Counts of one session are never shown for another."""
    view.show_state(sample_state())
    view.flush()
    plot = plot_of(view)
    assert plot.guard is not None
    assert plot.guard.series is None
    assert plot.guard.stale
    plot.grab()
    answer(view)
    assert plot.guard.series is not None


# moving a line by hand


def test_a_drag_of_a_line_sets_the_threshold(view: RequestsView, qtbot: QtBot) -> None:
    """The same value as the slider in the Layers dock; the whole drag is one step of undo."""
    state = state_of(view)
    pull(qtbot, view, 600_000, 480_000)
    assert state.grasped
    moved = share(view)
    assert moved == pytest.approx(0.6, abs=0.011)  # to the pixel
    drop(qtbot, view, 480_000)
    assert not state.grasped
    assert limits(state.profile, 200_000)[1].chars == round(moved * 800_000)
    state.undo()
    assert share(view) == 0.75


def test_a_drag_tells_its_consequence(view: RequestsView, qtbot: QtBot) -> None:
    """Beside the ring: the value, and what becomes of the request in focus; gone when the line is let go."""
    plot = plot_of(view)
    pull(qtbot, view, 600_000, 400_000)
    said = plot.limits.words.said.replace("\u202f", " ")
    assert said.partition(" ")[0] in ("49", "50", "51")
    assert "more result" in said
    assert plot.limits.words.isVisible()
    assert said.partition("→ ")[2] in plot.limits.rings["cuts"].accessibleDescription().replace("\u202f", " ")
    drop(qtbot, view, 400_000)
    assert not plot.limits.words.isVisible()


def test_a_drag_snaps_to_where_it_came_from_unless_alt_is_held(view: RequestsView, qtbot: QtBot) -> None:
    """Within six pixels of the value that the profile was chosen with."""
    plot = plot_of(view)
    state_of(view).set("guard_context", share=0.5)
    view.flush()
    near = (plot.budget.box.geometry().bottom() - plot.margins.y_of(600_000) - 4) / plot.budget.box.geometry().height()
    target = near * plot.full
    pull(qtbot, view, 400_000, target)
    assert share(view) == 0.75
    drop(qtbot, view, target)
    state_of(view).set("guard_context", share=0.5)
    view.flush()
    pull(qtbot, view, 400_000, target, ALT)
    assert share(view) != 0.75
    drop(qtbot, view, target)


def test_the_error_line_stops_at_the_budget_that_it_cannot_go_below(view: RequestsView, qtbot: QtBot) -> None:
    """The ring never leaves its line: below the floor the limit would not follow."""
    pull(qtbot, view, 720_000, 300_000)
    assert share(view, "guard_overflow") == 0.75
    drop(qtbot, view, 300_000)


def test_the_axis_does_not_flee_from_the_pointer(view: RequestsView, qtbot: QtBot) -> None:
    """Pulled to the upper edge the scale stands still until the line is let go."""
    plot = plot_of(view)
    full = plot.full
    pull(qtbot, view, 720_000, full * 2)
    assert plot.full == full
    assert share(view, "guard_overflow") > 1.0
    drop(qtbot, view, full)
    assert plot.held_full is None


def test_a_double_click_brings_the_default_back(view: RequestsView, qtbot: QtBot) -> None:
    """On the line; on a bar it stays a click."""
    state_of(view).set("guard_context", share=0.5)
    view.flush()
    qtbot.mouseDClick(plot_of(view).viewport(), LEFT, pos=on_line(view, 400_000))
    assert share(view) == 0.75


def test_a_press_beside_a_line_is_a_click_on_a_bar(view: RequestsView, qtbot: QtBot) -> None:
    """Five pixels belong to a line, no more; the pointer shows it."""
    plot = plot_of(view)
    assert plot.limits.hit(on_line(view, 600_000).toPointF()) == "cuts"
    beside = on_line(view, 600_000).toPointF()
    beside.setY(beside.y() + 8)
    assert plot.limits.hit(beside) is None
    plot.limits.point_at(on_line(view, 600_000).toPointF())
    assert plot.viewport().cursor().shape() == Qt.CursorShape.SizeVerCursor
    plot.limits.point_at(beside)
    assert plot.viewport().cursor().shape() != Qt.CursorShape.SizeVerCursor


def test_a_line_that_goes_away_while_it_is_held_is_let_go(view: RequestsView, qtbot: QtBot) -> None:
    """Another policy by key in the middle of a drag: no gesture stays open."""
    pull(qtbot, view, 600_000, 500_000)
    state_of(view).choose("pi")
    view.flush()
    assert plot_of(view).limits.held is None
    assert not state_of(view).grasped


# moving a line by key


def test_tab_leads_through_the_lines_and_arrows_move_them(view: RequestsView, qtbot: QtBot) -> None:
    """Nothing needs a pointer: the rings from the top down; 1 step, 10 steps, the ends, the default."""
    plot = plot_of(view)
    rings = plot.limits.rings
    plot.setFocus(Qt.FocusReason.TabFocusReason)
    seen = []
    for _ in range(3):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        seen.append(next((kind for kind, ring in rings.items() if ring.hasFocus()), None))
    assert seen == ["stops", "cuts", "single"]
    cuts = rings["cuts"]
    cuts.setFocus(Qt.FocusReason.TabFocusReason)
    found = []
    for key in (
        *(Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_PageDown, Qt.Key.Key_Home, Qt.Key.Key_End),
        Qt.Key.Key_Delete,
    ):
        qtbot.keyClick(cuts, key)
        view.flush()
        found.append(share(view))
    assert found == [0.76, 0.75, 0.74, 0.64, 0.05, 1.0, 0.75]
    assert state_of(view).cursor.request == 24, "the arrows moved the line, not the inspection point"


def test_each_key_is_one_step_of_undo(view: RequestsView, qtbot: QtBot) -> None:
    """As with the sliders."""
    cuts = plot_of(view).limits.rings["cuts"]
    for _ in range(3):
        qtbot.keyClick(cuts, Qt.Key.Key_Down)
    assert not state_of(view).grasped
    assert share(view) == 0.72
    state_of(view).undo()
    assert share(view) == 0.73


# for those who do not see


def test_rings_are_sliders_with_names_and_values(view: RequestsView) -> None:
    """A screen reader meets three sliders; each says what it moves, its share and what that is in guard characters."""
    for kind, words in (("stops", "Overflow error above"), ("cuts", "Results are cut above"), ("single", "One result")):
        ring = plot_of(view).limits.rings[kind]  # type: ignore[index]
        spoken = QAccessible.queryAccessibleInterface(ring)
        assert spoken.role() == QAccessible.Role.Slider
        assert spoken.text(QAccessible.Text.Name).startswith(words)
        assert "guard characters" in spoken.text(QAccessible.Text.Description)
    assert "75" in plot_of(view).limits.rings["cuts"].accessibleDescription()


def test_the_inspection_point_is_told_in_the_unit_of_the_axis(view: RequestsView) -> None:
    """What came to the guard, its limit, what was cut; and what would be sent next, with its error."""
    state, plot = state_of(view), plot_of(view)
    found = counted(id(state.timeline), state.profile)
    assert plot.accessibleDescription().startswith(f"Request 24 of {len(found) - 1}: {found[23].total:,} of 600,000")
    assert f"{found[23].cut:,} cut away" in plot.accessibleDescription()
    state.go(request=None)
    settle(view)
    assert plot.accessibleDescription().startswith("What would be sent next")
    assert ("overflow error" in plot.accessibleDescription()) == bool(found[len(found) - 1].stop)


@pytest.mark.parametrize("language", translation.LANGUAGES)
@pytest.mark.parametrize("width", [520, 816, 1_400])
def test_the_heading_gives_way(look: Look, qtbot: QtBot, language: str, width: int) -> None:
    """Narrow: "guard" instead of "as the guard counts"; nothing reaches beyond the dock, nothing is covered."""
    translation.use(language)
    made = shown(look, qtbot, guard_state(), (width, 300))
    heading = made.heading()
    assert heading.minimumSizeHint().width() <= width
    edges = [(part.geometry().left(), part.geometry().right()) for part in (heading.title, heading.axis, heading.modes)]
    assert all(right < left for (_, right), (left, _) in pairwise(edges))
    assert edges[-1][1] <= width
    assert heading.sizeHint().height() == heading.height() == look.theme.px(36)


# through the worker


def test_the_worker_counts_and_the_dock_shows(look: Look, qtbot: QtBot) -> None:
    """From the switch to exact bars, through the other process."""
    jobs = Jobs()
    try:
        sessions = Sessions(jobs)
        sessions.open(str(SAMPLES / "guard.jsonl"))
        qtbot.waitUntil(lambda: bool(sessions.states) and bool(sessions.states[0].timeline.summaries), timeout=60_000)
        state = sessions.states[0]
        made = shown(look, qtbot, state)
        bridge = GuardReplays(jobs, sessions, made)
        made.show_axis(GUARD)
        plot = plot_of(made)
        qtbot.waitUntil(lambda: plot.guard is not None and not plot.guard.stale, timeout=60_000)
        assert plot.guard is not None
        assert plot.guard.series is not None
        assert plot.guard.series.count == len(state.timeline.summaries)
        state.set("guard_context", share=0.4)
        made.flush()
        assert plot.guard.stale
        qtbot.waitUntil(lambda: plot.guard is not None and not plot.guard.stale, timeout=60_000)
        current = made.guard.counted(state, 24)
        assert current is not None
        assert current.cut > 0
        assert bridge is not None
        qtbot.waitUntil(lambda: not state.carried.unsettled, timeout=10_000)  # the answer may come sooner
    finally:
        jobs.close()
