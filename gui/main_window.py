"""The main window: a dock per view, menus, tool bar, problem strip, status bar. It arranges; the State decides.

┌ menu · tool bar · problem strip ───────────────┐
│ Session │ Prompt (tabs)                        │
│  (DAG)  ├──────────────────────────────────────┤
│         │ Requests                             │
└ status bar ────────────────────────────────────┘
"""

from __future__ import annotations

import time
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDockWidget,
    QFileDialog,
    QLineEdit,
    QMainWindow,
    QMenu,
    QMessageBox,
    QPlainTextEdit,
    QProgressBar,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from core.errors import Problem
from core.labels import session_name
from core.phrase import Phrase, phrase
from gui import worker
from gui.actions import Actions
from gui.branches import branch_name
from gui.dialogs import GoTo, Keys, Palette
from gui.jobs import Jobs
from gui.memory import Memory
from gui.problem_strip import Notice, ProblemList, ProblemStrip
from gui.sessions import Sessions, first_notice
from gui.state import Change, State
from gui.status_bar import StatusBar
from gui.theme import Look
from gui.tool_bar import ToolBar, popup
from gui.translation import language, say
from gui.view import View
from gui.views.dag import DagView
from gui.views.prompt import PromptView
from gui.views.requests import RequestsView
from gui.views.start import StartView

LAYOUT_VERSION = 1


class MainWindow(QMainWindow):
    """One window; it can show one of several open sessions at a time."""

    language_wanted = Signal(str)

    def __init__(self, look: Look, jobs: Jobs, sessions: Sessions, memory: Memory) -> None:
        super().__init__()
        self.look, self.jobs, self.sessions, self.memory = look, jobs, sessions, memory
        self.state: State | None = None
        self.setWindowTitle("Stratascope")
        self.setObjectName("main_window")
        self.setAcceptDrops(True)
        self.setMinimumSize(800, 520)
        self.actions_ = Actions(self)
        self._build_views()
        self._build_bars()
        self._build_menus()
        self._connect()
        self._restore()
        self.show_state(None)

    # building

    def _build_views(self) -> None:
        for left in (Qt.Corner.TopLeftCorner, Qt.Corner.BottomLeftCorner):
            self.setCorner(left, Qt.DockWidgetArea.LeftDockWidgetArea)
        for right in (Qt.Corner.TopRightCorner, Qt.Corner.BottomRightCorner):
            self.setCorner(right, Qt.DockWidgetArea.RightDockWidgetArea)
        self.setDockOptions(QMainWindow.DockOption.AllowNestedDocks | QMainWindow.DockOption.AllowTabbedDocks)
        self.dag, self.prompt, self.requests = DagView(self.look), PromptView(self.look), RequestsView(self.look)
        self.start = StartView(self.look)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(self.prompt, self.tr("Prompt"))
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.hide()
        centre = QWidget()
        column = QVBoxLayout(centre)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.progress)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.start)
        self.stack.addWidget(self.tabs)
        column.addWidget(self.stack)
        self.setCentralWidget(centre)
        self.session_dock = self._dock(
            "session_dock", self.tr("Session"), self.dag, Qt.DockWidgetArea.LeftDockWidgetArea
        )
        self.requests_dock = self._dock(
            "requests_dock", self.tr("Requests"), self.requests, Qt.DockWidgetArea.BottomDockWidgetArea
        )
        self.dag.searcher = self._search_bodies

    def _dock(self, name: str, title: str, view: View, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(title, self)
        dock.setObjectName(name)
        dock.setWidget(view)
        dock.setTitleBarWidget(view.heading())
        self.addDockWidget(area, dock)
        return dock

    @property
    def views(self) -> tuple[View, ...]:
        return (self.dag, self.prompt, self.requests)

    def _build_bars(self) -> None:
        self.bar = ToolBar(self.look, self)
        self.addToolBar(Qt.ToolBarArea.TopToolBarArea, self.bar)
        self.addToolBarBreak(Qt.ToolBarArea.TopToolBarArea)
        self.strip = ProblemStrip(self.look, self)
        self.addToolBar(Qt.ToolBarArea.TopToolBarArea, self.strip)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.status = StatusBar(self.look, language(), self)
        self.setStatusBar(self.status)

    def _build_menus(self) -> None:
        bar, acts = self.menuBar(), self.actions_
        file = bar.addMenu(self.tr("&File"))
        for action in acts.menu("file"):
            file.addAction(action)
        edit = bar.addMenu(self.tr("&Edit"))
        edit.addActions(acts.menu("edit"))
        go = bar.addMenu(self.tr("&Go"))
        go.addActions(acts.menu("go"))
        view = bar.addMenu(self.tr("&View"))
        for dock in (self.session_dock, self.requests_dock):
            view.addAction(dock.toggleViewAction())
        view.addSeparator()
        themes = QMenu(self.tr("Theme"), self)
        themes.addActions(acts.menu("theme"))
        for action in acts.menu("view"):
            if action is acts["presenter"]:
                view.addMenu(themes)
            view.addAction(action)
        help_menu = bar.addMenu(self.tr("&Help"))
        help_menu.addActions(acts.menu("help"))

    def _connect(self) -> None:
        run = self.actions_.connect_to
        run(open=self.choose_file, open_recent=self._recent_menu, start=self.show_start, close=self.close_session)
        run(quit=self.close, copy=self._copy, find_session=self._find_session, find_prompt=self._find_prompt)
        run(next_hit=lambda: self._hit(1), previous_hit=lambda: self._hit(-1))
        run(previous_request=lambda: self._ask(lambda s: s.step_request(-1)))
        run(next_request=lambda: self._ask(lambda s: s.step_request(1)))
        run(previous_break=lambda: self._ask(lambda s: s.step_break(-1)))
        run(next_break=lambda: self._ask(lambda s: s.step_break(1)))
        run(first_request=lambda: self._ask(lambda s: s.go(request=1)))
        run(unsent=lambda: self._ask(lambda s: s.go(request=None)))
        run(go_to=self._go_to, back=lambda: self._ask(State.back), forward=lambda: self._ask(State.forward))
        run(next_pane=lambda: self._pane(1), previous_pane=lambda: self._pane(-1), next_session=self._next_session)
        run(tab_prompt=lambda: self._tab(0), data_table=self.requests.show_table)
        run(zoom_in=self.look.zoom_in, zoom_out=self.look.zoom_out, zoom_reset=lambda: self.look.set_zoom(100))
        run(theme_system=lambda on: on and self._theme("system"), theme_light=lambda on: on and self._theme("light"))
        run(theme_dark=lambda on: on and self._theme("dark"), presenter=self._present, letters=self._letters)
        run(motion=self.look.set_animated, reset_layout=self.reset_layout, palette=self._palette, keys=self._keys)
        run(about=self._about)
        self.bar.open.connect(self.choose_file)
        self.bar.sessions.connect(self._session_menu)
        self.bar.previous.connect(self.actions_["previous_request"].trigger)
        self.bar.next.connect(self.actions_["next_request"].trigger)
        self.bar.number.connect(self._go_to)
        self.bar.toggle_theme.connect(lambda: self._theme("light" if self.look.theme.dark else "dark"))
        self.bar.search.textChanged.connect(self.dag.set_search)
        self.bar.search.step.connect(self.dag.next_hit)
        self.bar.search.left.connect(self.dag.setFocus)
        self.dag.raw_wanted.connect(self._show_raw)
        self.dag.hits_changed.connect(self._count_hits)
        self.start.opened.connect(self.open)
        self.start.open_dialog.connect(self.choose_file)
        self.start.look_for.connect(self._look_for)
        self.status.problems.connect(self._problems)
        self.status.cancel.connect(self._cancel)
        self.status.zoom.connect(self.look.set_zoom)
        self.status.language.connect(self.language_wanted.emit)
        self.strip.show_problem.connect(self._show_problem)
        self.strip.show_all.connect(self._problems)
        self.strip.retry.connect(lambda: self._failed_path and self.open(self._failed_path))
        self.strip.copy_report.connect(lambda text: QGuiApplication.clipboard().setText(text))
        self.sessions.opened.connect(self._opened)
        self.sessions.failed.connect(self._failed)
        self.jobs.busy.connect(self._busy)
        self.jobs.idle.connect(self._idle)
        self.look.changed.connect(self._restyle)
        self._failed_path: str | None = None
        self._busy_since: float | None = None
        QApplication.instance().installEventFilter(self)

    # opening

    def open(self, path: str, request: int | None = None) -> None:
        """A session file, or a folder, which is listed on the start page."""
        if Path(path).is_dir():
            self.show_start()
            self.start.show_found((), looking=True)
            self.jobs.run("look", worker.look_in, path, time.time(), done=self.start.show_found)
            return
        self.strip.show_notice(None)
        self.sessions.open(path, request)

    def choose_file(self) -> None:
        names = self.tr("Agent sessions") + " (*.jsonl);;" + self.tr("All files") + " (*)"
        paths, _ = QFileDialog.getOpenFileNames(self, self.tr("Open file"), "", names)
        for path in paths:
            self.open(path)

    def _opened(self, state: State) -> None:
        path = self.sessions.path_of(state)
        self.memory.opened(path)
        self.show_state(state)
        self.strip.show_notice(first_notice(state.session.problems), len(state.session.problems))
        self.dag.setFocus(Qt.FocusReason.OtherFocusReason)

    def _failed(self, notice: Notice, path: str) -> None:
        self._failed_path = path
        self.strip.show_notice(notice)

    def close_session(self) -> None:
        if self.state is not None:
            self.show_state(self.sessions.close(self.state))

    def show_start(self) -> None:
        self.start.show_recent(self.memory.recent())
        self.stack.setCurrentWidget(self.start)
        self._show_parts(False)
        self.start.focus_first()

    def show_state(self, state: State | None) -> None:
        """Project another open session; None = the start page."""
        if self.state is not None:
            self.state.changed.disconnect(self._refresh)
        self.state = state
        for view in self.views:
            view.show_state(state)
        if state is None:
            self.show_start()
        else:
            state.changed.connect(self._refresh)
            self.stack.setCurrentWidget(self.tabs)
            self._show_parts(True)
        self._refresh(Change.ALL)

    def _show_parts(self, on: bool) -> None:
        """The start page stands alone: docks and tool bar are for a session."""
        self.bar.setVisible(on)
        if not on:
            self.strip.hide()
        for dock in (self.session_dock, self.requests_dock):
            if on and dock.property("was_closed"):
                continue
            dock.setVisible(on)

    # what the bars show

    def _refresh(self, change: Change) -> None:
        state = self.state
        if state is None:
            self.status.show_problems(0, "")
            self.status.show_note(self.tr("No session open"), "")
            return
        self.bar.show_request(state.cursor.request, len(state.timeline.summaries))
        if change & (Change.SESSION | Change.TIMELINE):
            count = len(self.sessions.states)
            note = self.tr("{count} open").replace("{count}", str(count)) if count > 1 else ""
            name = session_name(state.session) or Path(state.session.path).stem
            self.bar.session.show_names(name, branch_name(state), note)
            self.setWindowTitle(f"{name} — Stratascope")
            problems = len(state.session.problems)
            self.status.show_problems(problems, say(phrase("window.problems", n=problems)))
            self.status.show_note(self.tr("No trace, no system prompt in the file"), say(_counter_note(state)))

    def _busy(self, lane: str, said: Phrase, share: float | None) -> None:
        now = time.monotonic()
        self._busy_since = self._busy_since or now
        if now - self._busy_since > 0.3:
            self.status.show_job(say(said))
            self.progress.setRange(0, 0 if share is None else 1000)
            self.progress.setValue(0 if share is None else round(share * 1000))
            self.progress.show()

    def _idle(self) -> None:
        self._busy_since = None
        self.status.show_job(None)
        self.progress.hide()

    def _cancel(self) -> None:
        self.jobs.cancel()

    def _restyle(self) -> None:
        self.bar.restyle()
        self.strip.restyle()
        self.status.restyle()
        self._mark_theme()

    # menus and dialogs

    def _session_menu(self, place: QPoint) -> None:
        menu = QMenu(self)
        for state in self.sessions.states:
            action = menu.addAction(session_name(state.session) or Path(state.session.path).name)
            action.setCheckable(True)
            action.setChecked(state is self.state)
            action.triggered.connect(lambda _=False, s=state: self.show_state(s))
        if self.state is not None:
            menu.addSection(self.tr("Branches"))
            for leaf, words, _ in self.dag.branches():
                action = menu.addAction(words)
                action.setCheckable(True)
                action.setChecked(leaf == self.state.timeline.leaf)
                action.triggered.connect(lambda _=False, row=leaf: self._ask(lambda s: s.go(leaf=row)))
        popup(menu, place)

    def _recent_menu(self) -> None:
        menu = QMenu(self)
        for path in self.memory.recent():
            menu.addAction(path).triggered.connect(lambda _=False, p=path: self.open(p))
        if menu.isEmpty():
            menu.addAction(self.tr("Nothing opened yet.")).setEnabled(False)
        popup(menu, self.mapToGlobal(self.rect().center()))

    def _go_to(self) -> None:
        if self.state is not None:
            GoTo(self.look, self.find_place, self).open()

    def find_place(self, text: str) -> bool:
        """`23`, an entry id, or `L118`: move the cursor there. False when there is no such place."""
        state = self.state
        if state is None:
            return False
        row = state.session.row_of(text)
        if row is None and text[:1] in "Ll" and text[1:].isdigit():
            row = state.session.row_at_line(int(text[1:]))
        if row is not None:
            state.go(entry=row)
            return True
        if text.isdigit() and 1 <= int(text) <= len(state.timeline.summaries):
            state.go(request=int(text))
            return True
        return False

    def _palette(self) -> None:
        extra: list[QAction] = [self.session_dock.toggleViewAction(), self.requests_dock.toggleViewAction()]
        dialog = Palette(self.look, [*self.actions_, *extra], self)
        dialog.open()
        dialog.field.setFocus()

    def _keys(self) -> None:
        Keys(self.look, self.actions_.keys(), self).open()

    def _problems(self) -> None:
        if self.state is not None and self.state.session.problems:
            ProblemList(self.look, self.state.session.problems, self).open()

    def _show_problem(self, problem: Problem | None) -> None:
        if problem is None or self.state is None:
            return
        row = self.state.session.row_of(problem.entry) if problem.entry else None
        if row is None and problem.line is not None:
            row = self.state.session.row_at_line(problem.line)
        if row is not None:
            self.state.go(entry=row)
            self.dag.setFocus()

    def _about(self) -> None:
        box = QMessageBox(self)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setWindowTitle(self.tr("About Stratascope"))
        box.setText(
            self.tr("Stratascope shows what the model really saw.")
            + "\n"
            + self.tr("MIT licence. Icons: Lucide (ISC). Nothing leaves this machine.")
        )
        box.open()

    # searching

    def _find_session(self) -> None:
        self.bar.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.bar.search.selectAll()

    def _find_prompt(self) -> None:
        self.prompt.find()

    def _hit(self, by: int) -> None:
        if self.prompt.finding and self.prompt.isAncestorOf(self.focusWidget() or self):
            self.prompt.next_hit(by)
        else:
            self.dag.next_hit(by)

    def _search_bodies(self, text: str) -> None:
        if self.state is not None:
            path = self.sessions.path_of(self.state)
            self.jobs.run("search", worker.search, path, text, done=lambda rows: self.dag.show_hits(list(rows), True))

    def _count_hits(self, at: int, total: int, complete: bool) -> None:
        """Beside the word that is looked for: which hit of how many, and whether the search still runs."""
        words = "" if not self.bar.search.text() else f"{at:,} / {total:,}" + ("" if complete else " …")
        self.bar.search.show_count(words)

    def _show_raw(self, row: int) -> None:
        self._ask(lambda state: state.go(entry=row))
        self._tab(0)
        self.prompt.show_raw(True)

    def _look_for(self) -> None:
        self.start.show_found(None, looking=True)
        self.jobs.run("look", worker.look_around, str(Path.home()), time.time(), done=self.start.show_found)

    # small things

    def _ask(self, question: object) -> None:
        if self.state is not None:
            question(self.state)  # type: ignore[operator]

    def _copy(self) -> None:
        widget = self.focusWidget()
        if isinstance(widget, QLineEdit | QPlainTextEdit):
            widget.copy()
        elif widget is not None and self.requests.isAncestorOf(widget):
            self.requests.copy()
        elif widget is not None and self.dag.isAncestorOf(widget):
            self.dag.copy()
        else:
            self.prompt.copy()

    def _pane(self, by: int) -> None:
        panes: list[QWidget] = [self.bar.session, self.dag, self.prompt, self.requests]
        panes = [pane for pane in panes if pane.isVisible()]
        if not panes:
            return
        focus = self.focusWidget()
        at = next((i for i, pane in enumerate(panes) if focus is pane or (focus and pane.isAncestorOf(focus))), -1)
        panes[(at + by) % len(panes)].setFocus(Qt.FocusReason.TabFocusReason)

    def _tab(self, index: int) -> None:
        if self.state is not None:
            self.tabs.setCurrentIndex(index)
            self.tabs.currentWidget().setFocus()

    def _next_session(self) -> None:
        states = self.sessions.states
        if self.state in states and len(states) > 1:
            self.show_state(states[(states.index(self.state) + 1) % len(states)])

    def _theme(self, mode: str) -> None:
        self.look.set_mode(mode)  # type: ignore[arg-type]
        self.memory.keep("theme", mode)
        self._mark_theme()

    def _mark_theme(self) -> None:
        for mode in ("system", "light", "dark"):
            action = self.actions_[f"theme_{mode}"]
            action.blockSignals(True)
            action.setChecked(self.look.mode == mode)
            action.blockSignals(False)

    def _letters(self, on: bool) -> None:
        self.actions_.use_letters(on)
        self.prompt.letters = self.dag.table.letters = on
        self.memory.keep("letters", on)

    def _present(self, on: bool) -> None:
        """Session dock and menus away, text larger."""
        self.menuBar().setVisible(not on)
        self.session_dock.setVisible(not on and self.state is not None)
        self.look.set_zoom(150 if on else 100)

    # layout

    def _restore(self) -> None:
        self.resize(1600, 1000)
        self.resizeDocks([self.session_dock], [self.look.theme.px(404)], Qt.Orientation.Horizontal)
        self.resizeDocks([self.requests_dock], [self.look.theme.px(300)], Qt.Orientation.Vertical)
        geometry, state = self.memory.layout()
        if geometry is not None:
            self.restoreGeometry(geometry)
        if state is not None:
            self.restoreState(state, LAYOUT_VERSION)
        self._mark_theme()
        for name, on in (("letters", self.memory.flag("letters", True)), ("motion", True)):
            self.actions_[name].setChecked(on)
        self.actions_.use_letters(self.memory.flag("letters", True))

    def reset_layout(self) -> None:
        self.memory.forget_layout()
        for dock, area in (
            (self.session_dock, Qt.DockWidgetArea.LeftDockWidgetArea),
            (self.requests_dock, Qt.DockWidgetArea.BottomDockWidgetArea),
        ):
            dock.setFloating(False)
            self.addDockWidget(area, dock)
            dock.setVisible(self.state is not None)
        self.resizeDocks([self.session_dock], [self.look.theme.px(404)], Qt.Orientation.Horizontal)
        self.resizeDocks([self.requests_dock], [self.look.theme.px(300)], Qt.Orientation.Vertical)

    def keep_layout(self) -> None:
        showing = self.state is not None
        self.memory.keep_layout(self.saveGeometry(), self.saveState(LAYOUT_VERSION) if showing else None)
        self.memory.keep("zoom", self.look.zoom)
        self.memory.sync()

    # events

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Single letters reach a view only while they are switched on; the left part of the bar follows its dock."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide) and watched is self.session_dock:
            beside = not self.session_dock.isHidden() and not self.session_dock.isFloating()
            self.bar.align(self.session_dock.width() if beside else 0)
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and not self.actions_["letters"].isChecked()
        ):
            typing = isinstance(QApplication.focusWidget(), QLineEdit | QPlainTextEdit | QComboBox | QAbstractSpinBox)
            plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)
            if plain and not typing and len(event.text()) == 1 and event.text().isalpha():
                return True
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            if self.bar.search.text():
                self.bar.search.clear()
            elif self.jobs.working:
                self._cancel()
            elif self.strip.isVisible():
                self.strip.dismiss()
            return
        super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        for path in _files(event.mimeData()):
            QTimer.singleShot(0, lambda p=path: self.open(p))
        event.acceptProposedAction()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.keep_layout()
        QApplication.instance().removeEventFilter(self)
        super().closeEvent(event)


def _files(data: QMimeData) -> list[str]:
    return [url.toLocalFile() for url in data.urls() if url.isLocalFile()]


def _counter_note(state: State) -> Phrase:
    """How tokens are estimated, with the error where it is known."""
    counts = state.counts
    if counts.error is None:
        return phrase("window.counter", counter=phrase(f"counter.{counts.counter}"))
    return phrase("window.counter_error", counter=phrase(f"counter.{counts.counter}"), median=counts.error[0])
