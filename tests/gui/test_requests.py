"""The requests dock: one cursor for plots, tables and the rest of the window; mouse, keys, words, empty states."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QWheelEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gui import translation, worker
from gui.request_plot import RequestPlot
from gui.state import State
from gui.theme import Look
from gui.views.requests import BREAKS, PLOT, TABLE, RequestsView
from tests.gui.request_timeline import broken, request, sample_state, timeline

LEFT, RIGHT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton
CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    translation.use("en")
    yield
    translation.use("en")


@pytest.fixture
def look(qapp: QApplication) -> Look:
    return Look("light", 100)


def shown(look: Look, qtbot: QtBot, state: State | None, size: tuple[int, int] = (816, 300)) -> RequestsView:
    """The view under its heading, as the dock stacks them."""
    view = RequestsView(look)
    box = QWidget()
    qtbot.addWidget(box)
    view.dock = box  # type: ignore[attr-defined]  # whoever holds the view holds its window
    column = QVBoxLayout(box)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addWidget(view.heading())
    column.addWidget(view, 1)
    box.resize(*size)
    box.show()
    view.show_state(state)
    view.flush()
    return view


@pytest.fixture
def view(look: Look, qtbot: QtBot) -> RequestsView:
    return shown(look, qtbot, sample_state())


def plot_of(view: RequestsView) -> RequestPlot:
    assert view.plot is not None
    return view.plot


def state_of(view: RequestsView) -> State:
    assert view.state is not None
    return view.state


def bar(view: RequestsView, number: float) -> QPoint:
    """A place on the bar of a request, near its foot."""
    plot = plot_of(view)
    return QPoint(round(plot.x_of(number)), round(plot.budget.box.geometry().bottom()) - 3)


def drag(qtbot: QtBot, view: RequestsView, first: float, last: float, button: Qt.MouseButton = LEFT) -> None:
    target = plot_of(view).viewport()
    qtbot.mousePress(target, button, pos=bar(view, first))
    for step in (0.3, 0.6, 1.0):
        qtbot.mouseMove(target, bar(view, first + (last - first) * step))
    qtbot.mouseRelease(target, button, pos=bar(view, last))


def wheel(view: RequestsView, number: float, turn: int, modifiers: Qt.KeyboardModifier) -> None:
    plot, place = plot_of(view), QPointF(bar(view, number))
    event = QWheelEvent(
        place,
        plot.mapToGlobal(place),
        QPoint(),
        QPoint(0, turn * 120),
        Qt.MouseButton.NoButton,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(plot.viewport(), event)


# one cursor


def test_a_click_on_a_bar_moves_the_cursor(view: RequestsView, qtbot: QtBot) -> None:
    """A spike is an answer: clicking it takes every view to that request."""
    qtbot.mouseClick(plot_of(view).viewport(), LEFT, pos=bar(view, 12))
    assert state_of(view).cursor.request == 12


def test_the_cursor_moves_the_line(view: RequestsView) -> None:
    """Whoever moves it: the accent line and the pill follow."""
    state_of(view).go(request=30)
    view.flush()
    plot = plot_of(view)
    assert plot.axis.number == 30
    left, right = plot.front.spans["point"]
    assert left <= plot.x_of(30) <= right
    assert "Request 30 of 46" in plot.accessibleDescription()


def test_a_cursor_move_rebuilds_nothing(view: RequestsView, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the line and the pill are painted anew: arrays stay the very same objects."""
    plot = plot_of(view)
    before = plot.series
    monkeypatch.setattr(plot, "show_series", lambda *a: pytest.fail("rebuilt"))
    state_of(view).go(request=5)
    view.flush()
    assert plot.series is before


def test_what_would_be_sent_next_is_a_place_too(view: RequestsView, qtbot: QtBot) -> None:
    """The hollow bar at the end stands for the request that was not sent yet."""
    qtbot.mouseClick(plot_of(view).viewport(), LEFT, pos=bar(view, 47))
    view.flush()
    assert state_of(view).cursor.request is None
    assert plot_of(view).axis.number == 47


def test_a_click_beside_the_plots_asks_for_nothing(view: RequestsView, qtbot: QtBot) -> None:
    """The margins are no requests."""
    state_of(view).go(request=9)
    for x in (5, 810):
        qtbot.mouseClick(plot_of(view).viewport(), LEFT, pos=QPoint(x, 60))
    assert state_of(view).cursor.request == 9


def test_a_mark_is_easy_to_hit(look: Look, qtbot: QtBot) -> None:
    """Where bars are a pixel wide, a click on a triangle finds its break, not the pixel beside it."""
    path = [request(n, 1_000, 10) for n in range(1, 2_001)]
    path[999] = broken(path[999], "ttl_expired", 900)
    state = sample_state()
    view = shown(look, qtbot, state)
    state.show_timeline(timeline(path), state.counts)
    view.flush()
    plot = plot_of(view)
    lane = plot.lane.box.geometry()
    plot.grab()
    qtbot.mouseClick(plot.viewport(), LEFT, pos=QPoint(round(plot.x_of(1_000)) + 4, round(lane.bottom()) - 4))
    assert state.cursor.request == 1_000


# keys


def test_keys_step_through_the_requests(view: RequestsView, qtbot: QtBot) -> None:
    """← and → one by one, Home and End to the ends; the end is what would be sent next."""
    plot, state = plot_of(view), state_of(view)
    state.go(request=23)
    seen = []
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Home, Qt.Key.Key_Left, Qt.Key.Key_End):
        qtbot.keyClick(plot, key)
        seen.append(state.cursor.request)
    assert seen == [24, 25, 24, 1, 1, None]


def test_alt_with_arrows_belongs_to_the_window(view: RequestsView, qtbot: QtBot) -> None:
    """Alt+← walks the history of the cursor: the plot must leave it alone."""
    state_of(view).go(request=23)
    qtbot.keyClick(plot_of(view), Qt.Key.Key_Left, ALT)
    assert state_of(view).cursor.request == 23


def test_keys_zoom_and_fit(view: RequestsView, qtbot: QtBot) -> None:
    """+ comes closer around the inspection point, which stays in sight; 0 shows everything again."""
    plot = plot_of(view)
    state_of(view).go(request=40)
    view.flush()
    whole = (plot.low, plot.high)
    for _ in range(4):
        qtbot.keyClick(plot, Qt.Key.Key_Plus)
    assert plot.high - plot.low < (whole[1] - whole[0]) / 2
    assert plot.low <= 40 <= plot.high
    qtbot.keyClick(plot, Qt.Key.Key_Minus)
    qtbot.keyClick(plot, Qt.Key.Key_0)
    assert (plot.low, plot.high) == whole


def test_a_range_can_be_made_by_keys(view: RequestsView, qtbot: QtBot) -> None:
    """Nothing needs a pointer: Shift with the arrows grows a range from the inspection point, and lets it shrink."""
    plot = plot_of(view)
    state_of(view).go(request=20)
    view.flush()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left):
        qtbot.keyClick(plot, key, SHIFT)
    assert plot.chosen == (20, 21)
    for _ in range(3):
        qtbot.keyClick(plot, Qt.Key.Key_Left, SHIFT)
    assert plot.chosen == (18, 20)
    assert state_of(view).cursor.request == 20, "the inspection point stays"


def test_the_focus_is_seen_when_it_came_by_key(view: RequestsView, qtbot: QtBot) -> None:
    """F6 sets the focus with a ring; a click needs none."""
    plot = plot_of(view)
    view.setFocus(Qt.FocusReason.TabFocusReason)
    assert plot.hasFocus()
    assert plot.front.focused
    qtbot.mouseClick(plot.viewport(), LEFT, pos=bar(view, 3))
    assert not plot.front.focused


# the hand


def test_a_drag_selects_a_range_and_says_what_it_cost(view: RequestsView, qtbot: QtBot) -> None:
    """The heading speaks of the range: its cost, its breaks, its tokens, each as recorded."""
    drag(qtbot, view, 23, 30)
    chosen = state_of(view).timeline.summaries[22:30]
    said = view.heading().legend.said
    cost = sum(summary.cost or 0 for summary in chosen)
    assert said.startswith("Requests 23 – 30: ")
    assert f"${cost:.2f}" in said
    assert f"{sum(s.broke is not None for s in chosen)} breaks" in said
    assert f"{sum(s.request.usage.prompt for s in chosen) / 1e6:.2f}" in said


def test_a_drag_does_not_move_the_cursor(view: RequestsView, qtbot: QtBot) -> None:
    """Selecting is not pointing."""
    state_of(view).go(request=5)
    drag(qtbot, view, 23, 30)
    assert state_of(view).cursor.request == 5


@pytest.mark.parametrize("way", ["escape", "click", "another path"])
def test_a_range_ends(view: RequestsView, qtbot: QtBot, way: str) -> None:
    """Esc, a click, or another path: the legend comes back."""
    drag(qtbot, view, 23, 30)
    plot = plot_of(view)
    if way == "escape":
        qtbot.keyClick(plot, Qt.Key.Key_Escape)
    elif way == "click":
        qtbot.mouseClick(plot.viewport(), LEFT, pos=bar(view, 3))
    else:
        state_of(view).show_timeline(timeline([request(1, 5, 5)]), state_of(view).counts)
        view.flush()
    assert plot.chosen is None
    assert view.heading().legend.said == ""
    assert "range" not in plot.back.spans


def test_a_range_holds_only_what_was_sent(view: RequestsView, qtbot: QtBot) -> None:
    """Dragged beyond the end, it stops at the last request: what was not sent has no cost."""
    drag(qtbot, view, 40, 60)
    assert plot_of(view).chosen == (40, 46)


def test_the_wheel_zooms_around_the_pointer(view: RequestsView) -> None:
    """Ctrl+wheel: the request under the pointer stays under it."""
    plot = plot_of(view)
    for turn in (1, 1, 1, -1):
        before = plot.number_at(bar(view, 30).x())
        x = bar(view, 30).x()
        wheel(view, 30, turn, CTRL)
        assert abs(plot.number_at(x) - before) < 0.05


def test_panning_stops_at_the_ends(view: RequestsView, qtbot: QtBot) -> None:
    """Shift+wheel and middle drag move what is in sight, never beyond the first or the last."""
    plot = plot_of(view)
    plot.show_x(10, 30)
    wheel(view, 20, -1, SHIFT)
    assert (plot.low > 10, plot.high - plot.low) == (True, 20)
    drag(qtbot, view, 15, 20, MIDDLE)
    assert plot.chosen is None
    for _ in range(40):
        wheel(view, plot.low + 1, 1, SHIFT)
    assert plot.low == 0.5
    for _ in range(40):
        wheel(view, plot.low + 1, -1, SHIFT)
    assert plot.high == pytest.approx(47.5)


def test_a_double_click_on_the_axis_fits(view: RequestsView, qtbot: QtBot) -> None:
    """On the bars it is a click; on the axis it shows everything."""
    plot = plot_of(view)
    plot.show_x(10, 20)
    qtbot.mouseDClick(plot.viewport(), LEFT, pos=bar(view, 15))
    assert plot.high - plot.low == pytest.approx(10)
    qtbot.mouseDClick(plot.viewport(), LEFT, pos=QPoint(bar(view, 15).x(), plot.height() - 8))
    assert (plot.low, plot.high) == (0.5, 47.5)


def test_the_point_is_brought_into_sight_by_the_least_move(view: RequestsView) -> None:
    """A view scrolls only when the cursor left it, and then no more than needed."""
    plot = plot_of(view)
    plot.show_x(10, 20)
    state_of(view).go(request=15)
    view.flush()
    assert (plot.low, plot.high) == (10, 20)
    state_of(view).go(request=25)
    view.flush()
    assert plot.high == pytest.approx(25.5)
    state_of(view).go(request=3)
    view.flush()
    assert plot.low == pytest.approx(2.5)


def test_the_card_tells_what_the_bar_cannot(view: RequestsView, qtbot: QtBot) -> None:
    """After a rest: tokens, cache, the break with its cause, cost; gone when the pointer leaves."""
    plot = plot_of(view)
    qtbot.mouseMove(plot.viewport(), bar(view, 12))
    qtbot.waitUntil(lambda: bool(plot.card.lines), timeout=3_000)
    said = " ".join(plot.card.lines)
    summary = state_of(view).timeline.summaries[11]
    assert "Request 12" in plot.card.lines[0]
    assert f"{summary.request.usage.prompt:,} tokens" in said
    assert "TTL expired" in said
    assert plot.hovered == 12
    plot._hover(None)
    assert not plot.card.lines
    assert "hover" not in plot.front.spans


def test_every_request_of_the_sample_has_a_card_of_at_most_six_lines(view: RequestsView) -> None:
    """The card drops lines beyond its six; none may be the cost."""
    for number in range(1, 48):
        lines = view._card(number)
        assert 2 <= len(lines) <= 6
        assert number == 47 or "so far" in lines[-1]


# forms


def test_the_table_is_the_plot_in_words(view: RequestsView, qtbot: QtBot) -> None:
    """Ctrl+T: a real table of all requests; a click in it moves the cursor, and the cursor its row."""
    with qtbot.waitSignal(view.table_shown) as told:
        view.show_table(True)
    assert told.args == [True]
    state_of(view).go(request=23)
    view.flush()
    table = view.table
    assert table.isVisible()
    assert table.records.record(table.currentIndex().row()).request.number == 23
    cell = table.visualRect(table.records.index(table.currentIndex().row() - 1, 2)).center()
    qtbot.mouseClick(table.viewport(), LEFT, pos=cell)
    assert state_of(view).cursor.request == 22
    view.show_table(False)
    assert plot_of(view).isVisible()


def test_the_breaks_stand_dearest_first_and_lead_to_their_request(view: RequestsView, qtbot: QtBot) -> None:
    """The heading's switch: the first row is the break that cost most, its click goes there."""
    view.heading().modes.chosen.emit(BREAKS)
    table = view.breaks
    dearest = max(state_of(view).timeline.breaks, key=lambda b: b.cost or 0)
    assert table.records.record(0) is dearest
    qtbot.mouseClick(table.viewport(), LEFT, pos=table.visualRect(table.records.index(0, 1)).center())
    assert state_of(view).cursor.request == dearest.request


def test_showing_a_table_moves_no_cursor(view: RequestsView) -> None:
    """Filling, sorting and selecting rows by ourselves is no gesture of the person."""
    state_of(view).go(request=7)
    view.flush()
    for mode in (TABLE, BREAKS, PLOT, TABLE):
        view.show_mode(mode)
        view.flush()
    view.table.sortByColumn(2, Qt.SortOrder.DescendingOrder)
    assert state_of(view).cursor.request == 7


def test_copy_follows_what_is_shown(view: RequestsView, qtbot: QtBot) -> None:
    """Plots: the range, or all; breaks: the breaks. Always lines with heads."""
    clipboard = QGuiApplication.clipboard()
    view.copy()
    assert len(clipboard.text().splitlines()) == 48
    drag(qtbot, view, 23, 30)
    view.copy()
    lines = clipboard.text().splitlines()
    assert lines[0].startswith("Request\t")
    assert [line.split("\t")[0] for line in lines[1:]] == [str(n) for n in range(23, 31)]
    view.show_mode(BREAKS)
    view.copy()
    assert len(clipboard.text().splitlines()) == 1 + len(state_of(view).timeline.breaks)


# empty states and looks


def test_without_a_session_it_says_how_to_get_one(look: Look, qtbot: QtBot) -> None:
    """No session: a sentence, no plot, and no crash whatever is asked."""
    view = shown(look, qtbot, None)
    assert view._empty.isVisible()
    assert "Ctrl+O" in view._empty.text()
    view.copy()
    view.show_table(True)
    view.show_table(False)
    assert view.plot is None


def test_a_session_may_come_and_go(look: Look, qtbot: QtBot) -> None:
    """Shown, taken away, shown again: the same plot is used."""
    view = shown(look, qtbot, sample_state())
    plot = plot_of(view)
    view.show_state(None)
    view.flush()
    assert view._empty.isVisible()
    view.show_state(sample_state())
    view.flush()
    assert view.plot is plot
    assert plot.isVisible()


def test_a_branch_without_usage_shows_what_would_be_sent(look: Look, qtbot: QtBot, tmp_path: Path) -> None:
    """No model call is recorded: a sentence, and the hollow bar of the messages alone."""
    file = tmp_path / "new.jsonl"
    file.write_text(
        '{"type":"session","version":3,"id":"s","timestamp":"2026-04-07T14:00:00.000Z","cwd":"/w"}\n'
        '{"type":"message","id":"e1","parentId":null,"timestamp":"2026-04-07T14:00:01.000Z",'
        '"message":{"role":"user","content":[{"type":"text","text":"' + "hello " * 200 + '"}]}}\n'
    )
    loaded = worker.load(str(file), "chars", None, lambda said, share: True)
    state = State(loaded.session, loaded.timeline, loaded.counts)
    view = shown(look, qtbot, state)
    plot = plot_of(view)
    assert plot.margins.facts is not None
    assert plot.margins.facts.said == "No usage is recorded in this branch; sizes are estimated."
    assert plot.series is not None
    assert plot.series.next[-1] == sum(state.timeline.next_tokens) > 0
    assert plot.axis.number == 1
    view.show_mode(BREAKS)
    assert view._empty.text() == "No cache break is recorded in this branch."
    qtbot.keyClick(plot, Qt.Key.Key_Right)
    qtbot.keyClick(plot, Qt.Key.Key_Right, SHIFT)
    assert plot.chosen is None
    plot.grab()


def test_bars_are_painted_where_the_requests_are(view: RequestsView) -> None:
    """One bar per request: tool results at its foot, the ground between two bars."""
    plot, theme = plot_of(view), view.look.theme
    state_of(view).go(request=2)
    view.flush()
    picture = plot.grab().toImage()
    y = round(plot.budget.box.geometry().bottom()) - 4
    for number in range(10, 30):
        assert picture.pixelColor(round(plot.x_of(number)) - 1, y) == theme.role("toolResult").fill, number
        assert picture.pixelColor(round(plot.x_of(number + 0.5)) - 1, y) == theme.panel, number


@pytest.mark.parametrize(("dark", "zoom"), [(True, 100), (False, 150), (True, 200)])
def test_the_look_changes_without_another_plot(look: Look, qtbot: QtBot, dark: bool, zoom: int) -> None:
    """Theme and zoom repaint and lay out anew; arrays, range and place stay."""
    view = shown(look, qtbot, sample_state(), (1_200, 600))
    plot = plot_of(view)
    arrays = plot.series
    plot.show_x(10, 30)
    look.set_mode("dark" if dark else "light")
    look.set_zoom(zoom)
    view.flush()
    assert view.plot is plot
    assert plot.series is arrays
    assert (plot.low, plot.high) == (10, 30)
    assert view.heading().sizeHint().height() == look.theme.px(36)
    assert plot.budget.box.geometry().left() == look.theme.px(62)
    picture = plot.grab().toImage()
    assert picture.pixelColor(2, plot.height() - 2) == look.theme.panel


@pytest.mark.parametrize("language", translation.LANGUAGES)
@pytest.mark.parametrize("width", [500, 816, 1_400])
def test_nothing_is_cut_off(look: Look, qtbot: QtBot, language: str, width: int) -> None:
    """From a narrow window on, the heading fits and the plots keep their margins."""
    translation.use(language)
    view = shown(look, qtbot, sample_state(), (width, 300))
    heading = view.heading()
    assert heading.minimumSizeHint().width() <= width
    assert heading.modes.geometry().right() < width
    box = plot_of(view).budget.box.geometry()
    assert (box.left(), box.right()) == (62, width - 70)
    assert heading.legend.geometry().right() <= width - 16


def test_names_for_those_who_do_not_see(view: RequestsView) -> None:
    """Plot, tables and switch have names; the plot says where the inspection point is."""
    state_of(view).go(request=12)
    view.flush()
    assert plot_of(view).accessibleName()
    assert view.table.accessibleName()
    assert view.breaks.accessibleName()
    assert view.heading().modes.accessibleName()
    said = plot_of(view).accessibleDescription()
    assert said.startswith("Request 12 of 46")
    assert "TTL expired" in said


def test_the_start_page_does_not_pay_for_the_plots() -> None:
    """pyqtgraph takes up to a second to import: only the first session may need it."""
    code = "import sys, gui.views.requests; print([m for m in ('pyqtgraph',) if m in sys.modules])"
    root = Path(__file__).parents[2]
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, timeout=60, check=True
    )
    assert found.stdout.strip() == "[]"


def test_a_program_that_showed_plots_ends_well() -> None:
    """Scenes that outlive the application crash at exit: quitting with a session open gives exit code 0."""
    code = (
        "import sys\n"
        "from PySide6.QtCore import QTimer\n"
        "from PySide6.QtWidgets import QApplication\n"
        "app = QApplication([])\n"
        "from tests.gui.request_timeline import sample_state\n"
        "from gui.theme import Look\n"
        "from gui.views.requests import RequestsView\n"
        "view = RequestsView(Look('light', 100))\n"
        "view.show()\n"
        "view.show_state(sample_state())\n"
        "QTimer.singleShot(50, app.quit)\n"
        "sys.exit(app.exec())\n"
    )
    root = Path(__file__).parents[2]
    found = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, timeout=120)
    assert found.returncode == 0, found.stderr


def test_the_card_opens_by_key(view: RequestsView, qtbot: QtBot) -> None:
    """Ctrl+I: the card of the inspection point; Esc closes it before it drops a range."""
    plot = plot_of(view)
    state_of(view).go(request=23)
    view.flush()
    drag(qtbot, view, 3, 6)
    qtbot.keyClick(plot, Qt.Key.Key_I, CTRL)
    assert plot.card.lines[0].startswith("Request 23")
    qtbot.keyClick(plot, Qt.Key.Key_Escape)
    assert not plot.card.lines
    assert plot.chosen == (3, 6)
    qtbot.keyClick(plot, Qt.Key.Key_Escape)
    assert plot.chosen is None
