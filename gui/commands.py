"""What the actions, bars and menus of the window do. Nothing here keeps a value: the State and the views do."""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast, runtime_checkable

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QInputDialog, QLineEdit, QMenu, QMessageBox, QPlainTextEdit, QWidget

from core.errors import Problem
from core.labels import session_name
from core.session_key import Told
from gui import worker
from gui.against_menu import next_branch, open_menu
from gui.dialogs import GoTo, Keys, Palette
from gui.problem_strip import ProblemList
from gui.state import State
from gui.tool_bar import popup

if TYPE_CHECKING:
    from gui.main_window import MainWindow
    from gui.online_counting import OnlineCounting
    from gui.views.compare import CompareView


@runtime_checkable
class Copying(Protocol):
    """A tab of the centre that puts its text on the clipboard."""

    def copy(self) -> None: ...


class Commands(QObject):
    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.window = window
        self._online: OnlineCounting | None = None
        """Made when it is asked for first: most people never do."""

    def connect_all(self) -> None:
        """Actions, bars and strip to what they do."""
        run = self.window.actions_.connect_to
        run(
            open=self.window.choose_file,
            open_recent=self.recent_menu,
            start=self.window.show_start,
            close=self.window.close_session,
        )
        run(quit=self.window.close, copy=self.copy, find_session=self.find_session, find_prompt=self.find_prompt)
        run(next_hit=lambda: self.hit(1), previous_hit=lambda: self.hit(-1))
        run(previous_request=lambda: self.ask(lambda s: s.step_request(-1)))
        run(next_request=lambda: self.ask(lambda s: s.step_request(1)))
        run(previous_break=lambda: self.ask(lambda s: s.step_break(-1)))
        run(next_break=lambda: self.ask(lambda s: s.step_break(1)))
        run(first_request=lambda: self.ask(lambda s: s.go(request=1)))
        run(unsent=lambda: self.ask(lambda s: s.go(request=None)))
        run(go_to=self.go_to, back=lambda: self.ask(State.back), forward=lambda: self.ask(State.forward))
        run(step_first=lambda: self.ask(State.step_first), step_last=lambda: self.ask(State.step_last))
        run(step_back=lambda: self.ask(lambda s: s.step_by(-1)), step_forward=lambda: self.ask(lambda s: s.step_by(1)))
        run(session_key=self.ask_key, count_online=self.count_online)
        run(before_after=self.compare, written=self.show_written)
        run(against=lambda: open_menu(self.window), against_branch=lambda: next_branch(self.window))
        self.window.prompt.against_wanted.connect(lambda place: open_menu(self.window, place))
        run(undo=lambda: self.ask(State.undo), redo=lambda: self.ask(State.redo))
        run(reset_profile=lambda: self.ask(State.reset), pin_profile=self.pin)
        run(next_pane=lambda: self.pane(1), previous_pane=lambda: self.pane(-1), next_session=self.next_session)
        run(data_table=self.window.requests.show_table)
        for tab in self.window.tabs.ids:
            run(**{f"tab_{tab}": lambda id=tab: self.tab(id)})
        run(
            zoom_in=self.window.look.zoom_in,
            zoom_out=self.window.look.zoom_out,
            zoom_reset=lambda: self.window.look.set_zoom(100),
        )
        run(theme_system=lambda on: on and self.theme("system"), theme_light=lambda on: on and self.theme("light"))
        run(theme_dark=lambda on: on and self.theme("dark"), presenter=self.present, letters=self.letters)
        run(
            motion=self.window.look.set_animated,
            reset_layout=self.window.docks.reset,
            palette=self.palette,
            keys=self.keys,
        )
        run(about=self.about)
        self.window.bar.open.connect(self.window.choose_file)
        self.window.bar.sessions.connect(self.session_menu)
        self.window.bar.previous.connect(self.window.actions_["previous_request"].trigger)
        self.window.bar.next.connect(self.window.actions_["next_request"].trigger)
        self.window.bar.number.connect(self.go_to)
        self.window.bar.toggle_theme.connect(lambda: self.theme("light" if self.window.look.theme.dark else "dark"))
        self.window.bar.search.textChanged.connect(self.window.dag.set_search)
        self.window.bar.search.step.connect(self.window.dag.next_hit)
        self.window.bar.search.left.connect(self.window.dag.setFocus)
        self.window.dag.raw_wanted.connect(self.show_raw)
        self.window.dag.hits_changed.connect(self.count_hits)
        self.window.start.opened.connect(self.window.open)
        self.window.start.open_dialog.connect(self.window.choose_file)
        self.window.start.look_for.connect(self.look_for)
        self.window.status.problems.connect(self.problems)
        self.window.status.cancel.connect(lambda: self.window.jobs.cancel())
        self.window.status.zoom.connect(self.window.look.set_zoom)
        self.window.status.language.connect(self.window.language_wanted.emit)
        self.window.strip.show_problem.connect(self.show_problem)
        self.window.strip.show_all.connect(self.problems)
        self.window.strip.retry.connect(self.window.try_again)
        self.window.strip.copy_report.connect(lambda text: QGuiApplication.clipboard().setText(text))

    def session_menu(self, place: QPoint) -> None:
        menu = QMenu(self.window)
        for state in self.window.sessions.states:
            action = menu.addAction(session_name(state.session) or Path(state.session.path).name)
            action.setCheckable(True)
            action.setChecked(state is self.window.state)
            action.triggered.connect(lambda _=False, s=state: self.window.show_state(s))
        if self.window.state is not None:
            menu.addSection(self.tr("Branches"))
            for leaf, words, _ in self.window.dag.branches():
                action = menu.addAction(words)
                action.setCheckable(True)
                action.setChecked(leaf == self.window.state.timeline.leaf)
                action.triggered.connect(lambda _=False, row=leaf: self.ask(lambda s: s.go(leaf=row)))
        popup(menu, place)

    def recent_menu(self) -> None:
        menu = QMenu(self.window)
        for path in self.window.memory.recent():
            menu.addAction(path).triggered.connect(lambda _=False, p=path: self.window.open(p))
        if menu.isEmpty():
            menu.addAction(self.tr("Nothing opened yet.")).setEnabled(False)
        popup(menu, self.window.mapToGlobal(self.window.rect().center()))

    def go_to(self) -> None:
        if self.window.state is not None:
            GoTo(self.window.look, self.find_place, self.window).open()

    def find_place(self, text: str) -> bool:
        """`23`, an entry id, or `L118`: move the cursor there. False when there is no such place."""
        state = self.window.state
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

    def palette(self) -> None:
        docks = [dock.toggleViewAction() for dock in self.window.docks.all]
        dialog = Palette(self.window.look, [*self.window.actions_, *docks], self.window)
        dialog.open()
        dialog.field.setFocus()

    def keys(self) -> None:
        Keys(self.window.look, self.window.actions_.keys(), self.window).open()

    def problems(self) -> None:
        if self.window.state is not None and self.window.state.session.problems:
            ProblemList(self.window.look, self.window.state.session.problems, self.window).open()

    def show_problem(self, problem: Problem | None) -> None:
        if problem is None or self.window.state is None:
            return
        row = self.window.state.session.row_of(problem.entry) if problem.entry else None
        if row is None and problem.line is not None:
            row = self.window.state.session.row_at_line(problem.line)
        if row is not None:
            self.window.state.go(entry=row)
            self.window.dag.setFocus()

    def about(self) -> None:
        box = QMessageBox(self.window)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setWindowTitle(self.tr("About Stratascope"))
        box.setText(
            self.tr("Stratascope shows what the model really saw.")
            + "\n"
            + self.tr("MIT licence. Icons: Lucide (ISC). Nothing leaves this machine unless you confirm it.")
        )
        box.open()

    def find_session(self) -> None:
        self.window.bar.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.window.bar.search.selectAll()

    def find_prompt(self) -> None:
        self.window.prompt.find()

    def hit(self, by: int) -> None:
        if self.window.prompt.finding and self.window.prompt.isAncestorOf(self.window.focusWidget() or self):
            self.window.prompt.next_hit(by)
        else:
            self.window.dag.next_hit(by)

    def search_bodies(self, text: str) -> None:
        if self.window.state is not None:
            path = self.window.sessions.path_of(self.window.state)
            self.window.jobs.run(
                "search", worker.search, path, text, done=lambda rows: self.window.dag.show_hits(list(rows), True)
            )

    def count_hits(self, at: int, total: int, complete: bool) -> None:
        """Beside the word that is looked for: which hit of how many, and whether the search still runs."""
        words = "" if not self.window.bar.search.text() else f"{at:,} / {total:,}" + ("" if complete else " …")
        self.window.bar.search.show_count(words)

    def compare(self) -> None:
        """Before ⇄ after in the Prompt tab, or the prompt again."""
        self.tab("prompt")
        self.window.prompt.compare(not self.window.prompt.comparing)

    def show_written(self) -> None:
        """What the agent would write of the tool result in focus."""
        self.tab("prompt")
        self.window.prompt.show_written()

    def count_online(self) -> None:
        """Have the provider count the request in focus, once a person has seen what would be sent."""
        if self._online is None:
            self._online = import_module("gui.online_counting").OnlineCounting(self.window)
        self._online.begin()

    def ask_key(self) -> None:
        """The agent's key of the session, from which the limit of its history follows."""
        state = self.window.state
        if state is None:
            return
        dialog = QInputDialog(self.window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(self.tr("Session key …").rstrip(" …"))
        dialog.setLabelText(self.tr("The agent's key, such as telegram:dm:42. It decides which limit of turns holds."))
        dialog.setTextValue(state.told.key)
        dialog.textValueSelected.connect(lambda key: state.tell(Told(key.strip(), "given", state.told.config)))
        dialog.open()

    def pin(self) -> None:
        """The profile in use becomes side B of the Compare tab."""
        if self.window.state is not None:
            cast("CompareView", self.window.tabs.show_tab("compare")).pin()

    def show_raw(self, row: int) -> None:
        self.ask(lambda state: state.go(entry=row))
        self.tab("prompt")
        self.window.prompt.show_raw(True)

    def look_for(self) -> None:
        self.window.start.show_found(None, looking=True)
        self.window.jobs.run(
            "look", worker.look_around, str(Path.home()), time.time(), done=self.window.start.show_found
        )

    def ask(self, question: Callable[[State], object]) -> None:
        if self.window.state is not None:
            question(self.window.state)

    def copy(self) -> None:
        widget = self.window.focusWidget()
        if isinstance(widget, QLineEdit | QPlainTextEdit):
            widget.copy()
        elif widget is not None and self.window.requests.isAncestorOf(widget):
            self.window.requests.copy()
        elif widget is not None and self.window.dag.isAncestorOf(widget):
            self.window.dag.copy()
        elif widget is not None and isinstance(page := self.window.tabs.page_of(widget), Copying):
            page.copy()
        else:
            self.window.prompt.copy()

    def pane(self, by: int) -> None:
        window = self.window
        panes: list[QWidget] = [
            *(window.bar.session, window.dag, window.tabs.currentWidget(), window.requests, window.layers)
        ]
        panes = [pane for pane in panes if pane.isVisible()]
        if not panes:
            return
        focus = self.window.focusWidget()
        at = next((i for i, pane in enumerate(panes) if focus is pane or (focus and pane.isAncestorOf(focus))), -1)
        panes[(at + by) % len(panes)].setFocus(Qt.FocusReason.TabFocusReason)

    def tab(self, id: str) -> None:
        if self.window.state is not None:
            self.window.tabs.show_tab(id)

    def next_session(self) -> None:
        states = self.window.sessions.states
        if self.window.state in states and len(states) > 1:
            self.window.show_state(states[(states.index(self.window.state) + 1) % len(states)])

    def theme(self, mode: str) -> None:
        self.window.look.set_mode(mode)  # type: ignore[arg-type]
        self.window.memory.keep("theme", mode)
        self.mark_theme()

    def mark_theme(self) -> None:
        for mode in ("system", "light", "dark"):
            action = self.window.actions_[f"theme_{mode}"]
            action.blockSignals(True)
            action.setChecked(self.window.look.mode == mode)
            action.blockSignals(False)

    def letters(self, on: bool) -> None:
        self.window.actions_.use_letters(on)
        app = QApplication.instance()
        (app.removeEventFilter if on else app.installEventFilter)(self.window)  # it holds letters back
        self.window.prompt.letters = self.window.dag.table.letters = on
        self.window.memory.keep("letters", on)

    def present(self, on: bool) -> None:
        """Session dock and menus away, text larger."""
        self.window.menuBar().setVisible(not on)
        self.window.docks.session.setVisible(not on and self.window.state is not None)
        self.window.look.set_zoom(150 if on else 100)
