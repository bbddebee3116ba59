"""The application: fonts, theme, language, exception hook, first window.

Where there are files the worker process is started, and told to read them, before the window is even imported: both
take a while, and neither needs the other. Without files it is started when the window is on the screen.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QMessageBox

from gui import samples, translation
from gui.garbage import Garbage
from gui.jobs import Jobs
from gui.memory import Memory
from gui.sessions import Sessions
from gui.theme import Look

if TYPE_CHECKING:
    from gui.main_window import MainWindow


AFTER = 50
"""Milliseconds from the first turn of the event loop, in which the window is painted, to the start of the worker where
no file waits for it."""


class App(QObject):
    """Owns what outlives a window: jobs, sessions, look, memory. A language switch builds the window anew.

    `files` are asked for before there is a window; what comes of them is told when the event loop runs."""

    def __init__(
        self, qt: QApplication, memory: Memory | None = None, jobs: Jobs | None = None, files: Sequence[str] = ()
    ) -> None:
        super().__init__()
        self.jobs = jobs or Jobs(at_once=bool(files))
        self.sessions = Sessions(self.jobs)
        for path in files:
            self.sessions.open(path, samples.request_of(path))
        self.memory = memory or Memory()
        translation.use(self.memory.text("language", translation.system_language()))
        mode = self.memory.text("theme", "system")
        self.look = Look(mode if mode in ("light", "dark") else "system", self.memory.number("zoom", 100))
        self.look.apply(qt)
        self.window = self._make_window()
        QTimer.singleShot(AFTER, self, self.jobs.warm)

    def _make_window(self) -> MainWindow:
        from gui.main_window import MainWindow

        window = MainWindow(self.look, self.jobs, self.sessions, self.memory)
        window.language_wanted.connect(self._switch)
        return window

    def _switch(self, language: str) -> None:
        if language == translation.language():
            return
        old = self.window
        state, place = old.state, old.saveGeometry()
        old.docks.keep()
        old.show_state(None)
        translation.use(language)
        self.memory.keep("language", language)
        self.window = self._make_window()
        self.window.restoreGeometry(place)
        self.window.show_state(state)
        self.window.show()
        old.close()
        old.deleteLater()

    def close(self) -> None:
        self.window.close()
        self.jobs.close()


class CrashReport:
    """sys.excepthook of the window: one dialog, for the first fault only, with the report to copy."""

    def __init__(self) -> None:
        self.reports: list[str] = []

    def __call__(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        report = "".join(traceback.format_exception(kind, error, trace))
        sys.stderr.write(report)
        self.reports.append(report)
        if issubclass(kind, KeyboardInterrupt):
            QApplication.quit()
        elif len(self.reports) == 1 and QApplication.instance() is not None:
            QTimer.singleShot(0, self._show)

    def _show(self) -> None:
        box = QMessageBox(QApplication.activeWindow())
        box.setTextFormat(box.textFormat().PlainText)
        box.setWindowTitle("Stratascope")
        box.setText(
            QGuiApplication.translate("app", "Something went wrong inside Stratascope. Your files are unchanged.")
        )
        box.setDetailedText(self.reports[0])
        copy = box.addButton(QGuiApplication.translate("app", "Copy report"), QMessageBox.ButtonRole.ActionRole)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.reports[0]))
        box.addButton(QMessageBox.StandardButton.Close)
        box.open()


def run(files: Sequence[str]) -> int:
    """Open the window, with `files`; returns the exit code."""
    qt = QApplication.instance() or QApplication(sys.argv[:1])
    qt.setApplicationName("Stratascope")
    qt.setOrganizationName("Stratascope")
    qt.setApplicationDisplayName("Stratascope")
    sys.excepthook = CrashReport()
    app = App(qt, files=files)
    garbage = Garbage(app.sessions)
    app.window.show()
    from gui.warm_up import WarmUp

    WarmUp(app, awaited=bool(files))
    try:
        return qt.exec()
    finally:
        garbage.close()
        app.close()
