"""The window: one cursor seen by all views, everything by keyboard, and a layout that comes back."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QMimeData, QPointF, QSettings, Qt, QUrl
from PySide6.QtGui import QDropEvent, QFontInfo
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu

from gui import samples, translation, worker
from gui.against_words import against_words
from gui.app import App
from gui.dialogs import GoTo, Keys, Palette
from gui.jobs import Jobs
from gui.memory import Memory
from gui.problem_strip import ProblemList
from gui.prompt_rows import Kind
from gui.request_heading import GUARD, TOKENS

PATH = samples.first().path


def ended(made, jobs, qtbot) -> None:  # type: ignore[no-untyped-def]
    """The program is over, its jobs and widgets too."""
    made.window.close()
    made.window.show_state(None)
    jobs.cancel()
    made.sessions.close_all()
    qtbot.waitUntil(lambda: not jobs.working, timeout=20_000)
    # Widgets that stay alive are dressed anew by every later look: each test would be slower than the one before.
    made.window.deleteLater()
    made.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture(scope="module")
def loaded():
    return worker.load(PATH, None, None, lambda said, share: True)


@pytest.fixture(scope="module")
def jobs(qapp):
    """One worker for all tests: a fresh process each would take longer than all they do."""
    made = Jobs()
    yield made
    made.close()


@pytest.fixture
def app(qapp, qtbot, tmp_path, jobs):
    before = translation.language()
    settings = QSettings(str(tmp_path / "memory.ini"), QSettings.Format.IniFormat)
    settings.setValue("language", "en")
    made = App(qapp, Memory(settings), jobs)
    made.window.resize(1400, 900)
    yield made
    ended(made, jobs, qtbot)
    translation.use(before)
    made.look.set_zoom(100)


@pytest.fixture
def window(app, loaded, qtbot):
    app.sessions.adopt(PATH, loaded, 23)
    app.window.show()
    app.window.activateWindow()
    qtbot.waitUntil(app.window.isActiveWindow, timeout=5000)
    settle(app.window)
    return app.window


def settle(window):
    for _ in range(3):
        QApplication.processEvents()
        for view in window.views:
            view.flush()


def press(qtbot, window, key, modifier=Qt.KeyboardModifier.NoModifier, on=None):
    target = on or window.focusWidget() or window
    qtbot.keyClick(target, key, modifier)
    settle(window)


def test_start_page_first(app):
    """No session: the start page, nothing else."""
    app.window.show()
    assert app.window.stack.currentWidget() is app.window.start
    assert app.window.docks.session.isHidden()
    assert app.window.bar.isHidden()


def test_a_sample_opens_by_enter(app, qtbot):
    """The first sample has the focus; Enter opens it, in the worker."""
    app.window.show()
    with qtbot.waitSignal(app.sessions.opened, timeout=20_000):
        qtbot.keyClick(app.window.start.focusWidget(), Qt.Key.Key_Return)
    assert app.window.state.cursor.request == samples.first().request
    assert app.window.docks.session.isVisible()


def test_all_views_follow_one_cursor(window):
    """A new request shows in the tool bar, the graph, the prompt and the plot."""
    window.state.go(request=12)
    settle(window)
    assert window.bar.pill.text() == "12"
    entry = window.state.timeline.summaries[11].request.entry
    assert window.state.cursor.entry == entry
    assert window.state.assembled.request.number == 12


def test_brackets_move_between_requests(window, qtbot):
    """[ and ] and their twins; past the last request stands what would be sent now."""
    press(qtbot, window, Qt.Key.Key_BracketRight)
    assert window.state.cursor.request == 24
    press(qtbot, window, Qt.Key.Key_BracketLeft)
    press(qtbot, window, Qt.Key.Key_PageUp, Qt.KeyboardModifier.ControlModifier)
    assert window.state.cursor.request == 22
    last = len(window.state.timeline.summaries)
    window.state.go(request=last)
    press(qtbot, window, Qt.Key.Key_BracketRight)
    assert window.state.cursor.request is None
    assert window.bar.pill.text() == "next"
    press(qtbot, window, Qt.Key.Key_BracketRight)
    assert window.state.cursor.request is None


def test_braces_move_between_breaks(window):
    """{ and } go to the neighbouring recorded breaks, and stop at the ends."""
    numbers = [found.request for found in window.state.timeline.breaks]
    window.actions_["next_break"].trigger()
    assert window.state.cursor.request == min(n for n in numbers if n > 23)
    window.state.go(request=numbers[0])
    window.actions_["previous_break"].trigger()
    assert window.state.cursor.request == numbers[0]


def test_letters_are_typed_into_fields(window, qtbot):
    """While the search field has the focus, letters and brackets are text."""
    window.actions_["find_session"].trigger()
    assert window.focusWidget() is window.bar.search
    qtbot.keyClicks(window.bar.search, "jf[")
    assert window.bar.search.text() == "jf["
    assert window.state.cursor.request == 23


def test_letters_can_be_switched_off(window, qtbot):
    """Without single-letter keys, [ does nothing and Ctrl+PgUp still works."""
    window.actions_["letters"].setChecked(False)
    press(qtbot, window, Qt.Key.Key_BracketRight)
    assert window.state.cursor.request == 23
    press(qtbot, window, Qt.Key.Key_PageDown, Qt.KeyboardModifier.ControlModifier)
    assert window.state.cursor.request == 24


def test_back_and_forward(window):
    """Alt+Left and Alt+Right walk the history of the cursor."""
    window.state.go(request=5)
    window.state.go(request=9)
    window.actions_["back"].trigger()
    assert window.state.cursor.request == 5
    window.actions_["forward"].trigger()
    assert window.state.cursor.request == 9


def test_f6_walks_through_the_panes(window, qtbot):
    """Every pane can be reached by keyboard, and the round closes."""
    window.dag.setFocus()
    seen = []
    for _ in range(1 + len(window.views)):
        press(qtbot, window, Qt.Key.Key_F6)
        seen.append(next(p for p in (window.bar, *window.views) if p.isAncestorOf(window.focusWidget())))
    assert {id(pane) for pane in seen} == {id(pane) for pane in (window.bar, *window.views)}


@pytest.mark.parametrize("text", ["12", "L30", "an entry's id"])
def test_go_to(window, text):
    """A request number, a line, an entry id."""
    row = window.state.session.row_at_line(30)
    wanted = window.state.session.columns.ids[row] if text.startswith("an") else text
    assert window.commands.find_place(wanted)
    assert window.state.cursor.request == 12 if text == "12" else window.state.cursor.entry == row


@pytest.mark.parametrize("text", ["L1", "L99999", "4711", "no-such-id", ""])
def test_go_to_nowhere(window, text):
    """What is not there is said, and the cursor stays."""
    before = window.state.cursor
    assert not window.commands.find_place(text)
    assert window.state.cursor == before


def test_go_to_dialog(window, qtbot):
    """Ctrl+G, a wrong place says so, a right one closes."""
    window.actions_["go_to"].trigger()
    dialog = window.findChild(GoTo)
    qtbot.keyClicks(dialog.field, "zzz")
    qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
    assert dialog.isVisible()
    dialog.field.setText("7")
    qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
    assert not dialog.isVisible()
    assert window.state.cursor.request == 7


def test_palette_runs_what_is_typed(window, qtbot):
    """Ctrl+Shift+P finds every action by a word of it."""
    window.actions_["palette"].trigger()
    dialog = window.findChild(Palette)
    qtbot.keyClicks(dialog.field, "first request")
    qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.state.cursor.request == 1, timeout=2000)


def test_keys_dialog_lists_every_key(window):
    """F1 shows all keys, those of the views too."""
    window.actions_["keys"].trigger()
    dialog = window.findChild(Keys)
    assert dialog.isVisible()
    assert len(window.actions_.keys()) > 30
    dialog.close()


def test_problem_strip_leads_to_the_line(window, qtbot):
    """The strip names the line; Show moves the cursor there; the list has sentence and hint."""
    assert window.strip.isVisible()
    assert "118" in window.strip._words.text()
    window.strip.show_button.click()
    assert window.state.session.columns.line[window.state.cursor.entry] == 118
    window.status.problems.emit()
    dialog = window.findChild(ProblemList)
    assert dialog.isVisible()
    dialog.close()
    qtbot.waitUntil(lambda: not window.jobs.working, timeout=20_000)
    window.strip._close.click()
    assert not window.strip.isVisible()


def test_zoom_scales_fonts_and_rows(window):
    """150 % makes text and rows half again as large; 100 % brings them back."""
    before = QFontInfo(window.look.theme.font("body")).pixelSize()
    window.look.set_zoom(150)
    settle(window)
    assert QFontInfo(window.look.theme.font("body")).pixelSize() > before * 1.3
    window.actions_["zoom_reset"].trigger()
    assert window.look.theme.zoom == 100


def test_theme_is_remembered(window):
    """The choice goes to memory and to the menu's marks."""
    window.actions_["theme_dark"].trigger()
    assert window.look.theme.dark
    assert window.memory.text("theme", "") == "dark"
    assert not window.actions_["theme_light"].isChecked()
    window.actions_["theme_light"].trigger()


def test_layout_comes_back(app, loaded, qtbot):
    """Dock sizes are saved on closing and restored in the next window."""
    app.sessions.adopt(PATH, loaded, 23)
    window = app.window
    window.show()
    window.resizeDocks([window.docks.session], [520], Qt.Orientation.Horizontal)
    settle(window)
    width = window.docks.session.width()
    assert abs(width - 520) < 30
    window.docks.keep()
    again = app._make_window()
    again.resize(1400, 900)  # the offscreen screen is too small for the saved geometry
    again.show_state(app.sessions.states[0])
    again.show()
    settle(again)
    assert abs(again.docks.session.width() - width) < 4
    again.close()
    again.deleteLater()


def test_an_empty_strip_does_not_come_back(app, loaded):
    """Tool bars are saved with the docks; whether there is something to say is decided anew."""
    app.sessions.adopt(PATH, loaded, 23)
    app.window.show()
    settle(app.window)
    assert app.window.strip.isVisible()
    app.window.docks.keep()
    app.window.strip.dismiss()
    app.window.docks._saved = app.memory.layout()[1]
    app.window.docks.restore()
    assert not app.window.strip.isVisible()


def test_a_sample_opens_where_its_story_is(app, qtbot):
    """Also when it is named on the command line."""
    app.window.show()
    with qtbot.waitSignal(app.sessions.opened, timeout=20_000):
        app.window.open(PATH)
    assert app.window.state.cursor.request == samples.first().request


def test_one_switch_for_tokens_and_guard(window):
    """Whichever is used, headline and plot count alike."""
    window.prompt.count(True)
    assert window.requests.axis == GUARD
    window.requests.show_axis(TOKENS)
    assert not window.prompt.counted


def test_reset_layout(window):
    """Whatever was moved stands where it was drawn."""
    window.docks.session.setFloating(True)
    window.actions_["reset_layout"].trigger()
    settle(window)
    assert not window.docks.session.isFloating()
    assert abs(window.docks.session.width() - 404) < 30


def test_language_without_restart(app, loaded):
    """The same session, cursor and place, in Chinese."""
    app.sessions.adopt(PATH, loaded, 23)
    app.window.show()
    state = app.window.state
    app.window.status.language.emit("zh_CN")
    settle(app.window)
    assert app.window.state is state
    assert state.cursor.request == 23
    assert app.window.tabs.tabText(0) == "提示词"
    app.window.status.language.emit("en")


def test_a_bad_file_is_a_sentence_on_the_strip(app, qtbot, tmp_path):
    """No modal box, no traceback; the start page stays."""
    path = tmp_path / "picture.jsonl"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00\x00")
    app.window.show()
    with qtbot.waitSignal(app.sessions.failed, timeout=20_000):
        app.window.open(str(path))
    assert app.window.strip.isVisible()
    assert app.window.strip._words.text()
    assert app.window.state is None


def test_text_of_a_file_is_never_markup(app, qtbot, tmp_path):
    """A session name with tags stands as it is in title and button."""
    path = tmp_path / "s.jsonl"
    header = {"type": "session", "version": 3, "id": "x", "timestamp": "2026-01-05T10:00:00.000Z", "cwd": "/"}
    name = {"type": "session_info", "id": "00000001", "parentId": None, "name": "<b>bold</b>\u202e"}
    path.write_text("\n".join(map(json.dumps, (header, name))) + "\n")
    app.window.show()
    with qtbot.waitSignal(app.sessions.opened, timeout=20_000):
        app.window.open(str(path))
    assert "<b>bold</b>" in app.window.bar.session.name
    assert "\u202e" not in app.window.bar.session.name


def test_two_sessions(app, loaded, qtbot, tmp_path):
    """Ctrl+Tab goes to the next one; closing shows the other; the button says how many are open."""
    app.sessions.adopt(PATH, loaded, 23)
    other = samples.samples()[-1].path
    app.window.show()
    with qtbot.waitSignal(app.sessions.opened, timeout=20_000):
        app.window.open(other)
    assert app.window.bar.session.note == "2 open"
    second = app.window.state
    app.window.actions_["next_session"].trigger()
    assert app.window.state is not second
    app.window.actions_["close"].trigger()
    assert app.window.state is second
    app.window.actions_["close"].trigger()
    assert app.window.state is None


def test_a_dropped_file_opens(app, qtbot):
    """A file from anywhere onto the window."""
    app.window.show()
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(PATH)])
    event = QDropEvent(
        QPointF(10, 10),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    with qtbot.waitSignal(app.sessions.opened, timeout=20_000):
        app.window.dropEvent(event)
    assert app.memory.recent() == [PATH]


def test_another_branch_comes_from_the_worker(window, app, qtbot):
    """A leaf that is not on the path: its timeline is computed, then shown, the cursor at its last request."""
    with qtbot.waitSignal(app.sessions.opened, timeout=20_000):
        app.window.open(PATH, 23)
    state = app.window.state
    other = [row for row in state.session.leaves if row != state.timeline.leaf]
    leaf = next(row for row in other if state.session.requests(state.session.path_to(row)))
    state.go(leaf=leaf)
    qtbot.waitUntil(lambda: state.timeline.leaf == leaf, timeout=20_000)
    assert state.cursor.leaf == leaf


def test_search_finds_in_bodies(app, qtbot):
    """What stands deep in a tool result is found by the worker."""
    app.window.show()
    with qtbot.waitSignal(app.sessions.opened, timeout=20_000):
        app.window.open(PATH, 23)
    settle(app.window)
    app.window.actions_["find_session"].trigger()
    assert isinstance(app.window.focusWidget(), QLineEdit)
    app.window.bar.search.setText("PYTHONHASHSEED")
    count = app.window.bar.search._count
    qtbot.waitUntil(lambda: count.text() != "" and "…" not in count.text(), timeout=20_000)
    before = app.window.state.cursor.entry
    qtbot.keyClick(app.window.bar.search, Qt.Key.Key_Return)
    settle(app.window)
    assert app.window.state.cursor.entry != before


def test_the_other_request_by_keyboard(window, qtbot):
    """A asks which request the prompt is held against, in a menu; what is chosen stays and is named at the rule. Where
    there is one branch only, Shift+A says so."""
    state = window.state
    press(qtbot, window, Qt.Key.Key_A, on=window.prompt)
    menu = next(w for w in QApplication.topLevelWidgets() if isinstance(w, QMenu) and w.isVisible())
    assert [action.text() for action in menu.actions()][:2] == ["Request before (22)", "Keep request 23 as the measure"]
    menu.actions()[1].trigger()
    menu.close()
    assert state.against.chosen == (None, 23)
    state.go(request=24)
    qtbot.waitUntil(lambda: state.against.found is not None, timeout=20_000)
    settle(window)
    assert state.against.found.number == 23
    assert any(row.kind is Kind.DIFFERENCE for row in window.prompt.list.rows)
    assert against_words(state) == "against request 23"
    state.against.choose(None)
    assert against_words(state) == "against request 23"
    state.go(request=23)
    assert against_words(state) == "against request 22"


def test_closed_and_opened_again(window, app, qtbot):
    """What the views still hold of a session that is gone is not asked for anything when the next one is shown."""
    for _ in range(2):
        with qtbot.waitSignal(app.sessions.opened, timeout=20_000):
            app.window.open(PATH, 23)
        settle(app.window)
        app.window.close_session()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert app.window.state is None


def test_a_sample_named_at_the_start_stands_where_it_is_told(qapp, jobs, tmp_path, qtbot):
    """`make run` shows the first sample at the request that its story is about, as the start page does."""
    memory = Memory(QSettings(str(tmp_path / "memory.ini"), QSettings.Format.IniFormat))
    made = App(qapp, memory, jobs, [samples.first().path])
    try:
        qtbot.waitUntil(
            lambda: made.window.state is not None and bool(made.window.state.counts.counter), timeout=20_000
        )
        assert made.window.state.cursor.request == samples.first().request
    finally:
        ended(made, jobs, qtbot)
