"""The main window: a dock per view, menus, tool bar, problem strip, status bar. It arranges; the State decides.

┌ menu · tool bar · problem strip ───────────────┐
│ Session │ Prompt (tabs)                        │
│  (DAG)  ├──────────────────────────────────────┤
│         │ Requests                             │
└ status bar ────────────────────────────────────┘
"""

from __future__ import annotations

import time
from importlib import import_module
from pathlib import Path
from typing import cast

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QFileDialog,
    QLineEdit,
    QMainWindow,
    QMenu,
    QPlainTextEdit,
    QProgressBar,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from core.labels import session_name
from core.phrase import Phrase, phrase
from gui import samples, worker
from gui.actions import Actions
from gui.branches import branch_name
from gui.commands import Commands
from gui.docks import Docks
from gui.guard_replays import GuardReplays
from gui.jobs import Jobs
from gui.memory import Memory
from gui.problem_strip import Notice, ProblemStrip
from gui.request_heading import GUARD, TOKENS
from gui.sessions import Sessions, first_notice
from gui.state import Change, State
from gui.status_bar import StatusBar
from gui.tabs import CentreTabs, Tab
from gui.theme import Look
from gui.tool_bar import ToolBar
from gui.trace_note import trace_note
from gui.translation import language, say
from gui.view import View
from gui.views.dag import DagView
from gui.views.folder import FolderView
from gui.views.layers import LayersView
from gui.views.prompt import PromptView
from gui.views.requests import RequestsView
from gui.views.start import StartView


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
        self.commands = Commands(self)
        self._build_views()
        self._build_bars()
        self._build_menus()
        self.commands.connect_all()
        self._connect()
        self.docks.begin()
        self.commands.mark_theme()
        letters = self.memory.flag("letters", True)
        for name, on in (("letters", letters), ("motion", True)):
            self.actions_[name].setChecked(on)
        self.actions_.use_letters(letters)
        self.show_state(None)

    # building

    def _build_views(self) -> None:
        self.dag, self.requests = DagView(self.look), RequestsView(self.look)
        self.layers = LayersView(self.look)
        self.start = StartView(self.look)
        self.tabs = CentreTabs(self.look, self._bind)
        self.prompt = cast(PromptView, self.tabs.view("prompt"))
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.hide()
        centre = QWidget()
        column = QVBoxLayout(centre)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.progress)
        self.folder = FolderView(self.look)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.start)
        self.stack.addWidget(self.tabs)
        self.stack.addWidget(self.folder)
        column.addWidget(self.stack)
        self.setCentralWidget(centre)
        self.docks = Docks(self)
        self.dag.searcher = self.commands.search_bodies

    @property
    def views(self) -> tuple[View, ...]:
        return (self.dag, self.requests, self.layers, *self.tabs.views)

    def _bind(self, tab: Tab, view: View) -> None:
        """A tab that was looked at for the first time shows what the others show."""
        if tab.bind:
            import_module(tab.bind).bind(self, view)
        if self.state is not None:
            view.show_state(self.state)

    def _build_bars(self) -> None:
        self.bar = ToolBar(self.look, self.memory.folder / "policies", self)
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
        for dock in self.docks.all:
            view.addAction(dock.toggleViewAction())
        view.addSeparator()
        themes = QMenu(self.tr("Theme"), self)
        themes.addActions(acts.menu("theme"))
        for action in acts.menu("view"):
            if action is acts["presenter"]:
                view.addMenu(themes)
            view.addAction(action)
        bar.addMenu(self.tr("&Layers")).addActions(acts.menu("layers"))
        help_menu = bar.addMenu(self.tr("&Help"))
        help_menu.addActions(acts.menu("help"))

    def _connect(self) -> None:
        self.bar.profile.told.connect(self.strip.show_notice)
        # One switch in two places: tokens, or as the guard counts.
        self.requests.axis_shown.connect(lambda axis: self.prompt.count(axis == GUARD))
        self.prompt.count_shown.connect(lambda guard: self.requests.show_axis(GUARD if guard else TOKENS))
        self.prompt.trace_wanted.connect(self.choose_trace)
        self.requests.table_shown.connect(self.actions_["data_table"].setChecked)
        GuardReplays(self.jobs, self.sessions, self.requests, self)
        self.folder.opened.connect(self.open)
        self.folder.cancelled.connect(lambda: self.jobs.cancel("look"))
        self.folder.left.connect(self.show_start)
        self.sessions.opened.connect(self._opened)
        self.sessions.completed.connect(self._completed)
        self.sessions.noted.connect(self._noted)
        self.sessions.failed.connect(self._failed)
        self.jobs.busy.connect(self._busy)
        self.jobs.idle.connect(self._idle)
        self.look.changed.connect(self._restyle)
        self._failed_path: str | None = None
        self._busy_since: float | None = None
        self.docks.session.installEventFilter(self)

    # opening

    def open(self, path: str, request: int | None = None) -> None:
        """A session file, or a folder, whose sessions are listed. What it is, the worker finds out: a folder of a
        network may not answer."""
        self.strip.show_notice(None)
        self.sessions.open(path, samples.request_of(path) if request is None else request)

    def open_folder(self, path: str) -> None:
        """List the sessions in a folder."""
        self.show_state(None)
        self.stack.setCurrentWidget(self.folder)
        self.folder.show_folder(path)
        self.folder.setFocus()
        first = True

        def part(value: object) -> None:
            nonlocal first
            (self.folder.show_found if first else self.folder.show_read)(value)  # type: ignore[operator]
            first = False

        def failed(failure: worker.Failure) -> None:
            self.folder.finished()
            self.strip.show_notice(Notice(failure.said, "error"))

        done = lambda _: self.folder.finished()  # noqa: E731
        self.jobs.run("look", worker.look_in, path, time.time(), part=part, done=done, failed=failed, behind=True)

    def choose_file(self) -> None:
        names = self.tr("Agent sessions") + " (*.jsonl *.jsonl.zst);;" + self.tr("All files") + " (*)"
        paths, _ = QFileDialog.getOpenFileNames(self, self.tr("Open file"), "", names)
        for path in paths:
            self.open(path)

    def choose_trace(self) -> None:
        """Name a source of tools and system prompt: a trace, tools as JSON, a text, a file of the workspace."""
        known = self.tr("Traces, tools, system prompts") + " (*.jsonl *.json *.txt *.md)"
        names = f"{known};;{self.tr('All files')} (*)"
        paths, _ = QFileDialog.getOpenFileNames(self, self.tr("Add a trace"), "", names)
        if paths and self.state is not None:
            self.state.traced.name(tuple(paths))

    def _opened(self, state: State) -> None:
        path = self.sessions.path_of(state)
        self.memory.opened(path)
        self.show_state(state)
        self.dag.setFocus(Qt.FocusReason.OtherFocusReason)

    def _completed(self, state: State) -> None:
        if state is self.state and self.strip.notice is None:
            self.strip.show_notice(first_notice(state.session.problems), len(state.session.problems))

    def _noted(self, state: State, notice: Notice) -> None:
        if state is self.state:
            self.strip.show_notice(notice)

    def _failed(self, notice: Notice, path: str) -> None:
        if notice.said.id == "file.directory":
            self.open_folder(path)
            return
        self._failed_path = path
        self.strip.show_notice(notice)

    def try_again(self) -> None:
        if self._failed_path is not None:
            self.open(self._failed_path)

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
        self.bar.profile.show_state(state)
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
        self.docks.show(on)

    # what the bars show

    def _refresh(self, change: Change) -> None:
        state = self.state
        if state is None:
            self.status.show_problems(0, "")
            self.status.show_note(self.tr("No session open"), "")
            return
        if not change & ~(Change.PROFILE | Change.TRACE) and state.grasped:
            return  # a dragged threshold changes nothing of what the bars show
        self.bar.show_request(state.cursor.request, len(state.timeline.summaries))
        if change & (Change.SESSION | Change.TIMELINE):
            count = len(self.sessions.states)
            note = self.tr("{count} open").replace("{count}", str(count)) if count > 1 else ""
            name = session_name(state.session) or Path(state.session.path).stem
            self.bar.session.show_names(name, branch_name(state), note)
            self.setWindowTitle(f"{name} — Stratascope")
        if change & (Change.SESSION | Change.TIMELINE | Change.PROBLEMS | Change.CURSOR | Change.TRACE):
            problems = len(state.session.problems)
            self.status.show_problems(problems, say(phrase("window.problems", n=problems)))
            counted = phrase("window.counting") if self.sessions.counting(state) else _counter_note(state)
            self.status.show_note(say(trace_note(state)), say(counted))

    def _busy(self, lane: str, said: Phrase, share: float | None) -> None:
        now = time.monotonic()
        self._busy_since = self._busy_since or now
        if now - self._busy_since > 0.3:
            self.status.show_job(say(said))
            self.progress.setUpdatesEnabled(False)  # it would paint at once, and the whole window with it
            self.progress.setRange(0, 0 if share is None else 1000)
            self.progress.setValue(0 if share is None else round(share * 1000))
            self.progress.setUpdatesEnabled(True)
            self.progress.show()

    def _idle(self) -> None:
        self._busy_since = None
        self.status.show_job(None)
        self.progress.hide()

    def _restyle(self) -> None:
        self.bar.restyle()
        self.strip.restyle()
        self.status.restyle()
        self.commands.mark_theme()

    # events

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The left part of the bar follows its dock; single letters reach a view only while they are switched on.

        The whole program is watched only while they are off: a look at every event is a tenth of each answer to a key.
        """
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide) and watched is self.docks.session:
            beside = not self.docks.session.isHidden() and not self.docks.session.isFloating()
            self.bar.align(self.docks.session.width() if beside else 0)
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
                self.jobs.cancel()
            elif self.strip.isVisible():
                self.strip.dismiss()
            return
        super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.docks.restore()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        for path in _files(event.mimeData()):
            QTimer.singleShot(0, lambda p=path: self.open(p))
        event.acceptProposedAction()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.docks.keep()
        self.bar.search.clear()
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
