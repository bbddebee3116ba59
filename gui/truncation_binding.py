"""Between the Truncation tab and the worker: dry runs, the new file or the file itself, and the way back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from core.phrase import Phrase, phrase
from gui.problem_strip import Notice
from gui.translation import say
from gui.truncation_facts import Wish, Written
from gui.truncation_task import look, replace, restore, weigh, write
from gui.views.truncation import TruncationView
from gui.worker import Failure

if TYPE_CHECKING:
    from gui.main_window import MainWindow

LOOK, WEIGH, WRITE = "truncation look", "truncation weigh", "truncation write"


class Truncations(QObject):
    """One for a window. Of dry runs only the newest counts; a file is written by one job at a time."""

    def __init__(self, window: MainWindow, view: TruncationView) -> None:
        super().__init__(view)
        self._window, self._view, self._jobs = window, view, window.jobs
        view.path_of = window.sessions.path_of
        view.look_wanted.connect(self._look)
        view.weigh_wanted.connect(self._weigh)
        view.write_wanted.connect(self._write)
        view.replace_wanted.connect(self._replace)
        view.undo_wanted.connect(self._undo)
        window.jobs.idle.connect(view.give_up)

    def _look(self, wish: Wish) -> None:
        view = self._view
        self._jobs.run(
            LOOK,
            look,
            wish,
            done=lambda facts: view.take(wish, facts),
            failed=lambda failure: view.fail(wish, failure.said),
            behind=True,
        )

    def _weigh(self, wish: Wish) -> None:
        view = self._view
        self._jobs.run(
            WEIGH,
            weigh,
            wish.path,
            done=lambda found: view.take_sources(wish, found),
            failed=lambda failure: view.fail(wish, failure.said),
            behind=True,
        )

    def choose(self, suggested: str) -> str:
        """Where the new file shall stand; "" = nowhere. An existing file is never written over."""
        options = QFileDialog.Option.DontConfirmOverwrite
        title = say(phrase("truncation_tab.save"))
        return QFileDialog.getSaveFileName(self._window, title, suggested, "*.jsonl", options=options)[0]

    def _write(self, wish: Wish) -> None:
        path = Path(wish.path)
        target = self.choose(str(path.with_name(f"{path.stem}-truncated.jsonl")))
        if target and not self._jobs.busy_with(WRITE):
            self._jobs.run(WRITE, write, wish, target, done=self._written, failed=self._failed)

    def _replace(self, wish: Wish) -> None:
        if not self._jobs.busy_with(WRITE):
            self._jobs.run(WRITE, replace, wish, done=lambda done: self._written(done, wish.path), failed=self._failed)

    def _undo(self, path: str, archive: str) -> None:
        if not self._jobs.busy_with(WRITE):
            self._jobs.run(
                WRITE, restore, path, archive, done=lambda done: self._written(done, path), failed=self._failed
            )

    def _written(self, done: Written, path: str = "") -> None:
        id = "restored" if done.back else "replaced" if done.archive else "saved"
        said: Phrase = phrase(f"truncation_tab.{id}", path=done.target, size=done.size, archive=done.archive)
        self._window.strip.show_notice(Notice(said, "note"))
        if path:
            self._view.keep_archive(path, "" if done.back else done.archive)

    def _failed(self, failure: Failure) -> None:
        report = f"{failure.said}\n{failure.trace}" if failure.trace else ""
        self._window.strip.show_notice(Notice(failure.said, "error", report=report))


def bind(window: MainWindow, view: TruncationView) -> None:
    """A view that was made is connected to the worker."""
    Truncations(window, view)
