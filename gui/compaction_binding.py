"""Between the Compaction tab and the worker: cuts, runs, audits, and the new file that is written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from core.phrase import phrase
from core.summarizing import Call
from gui.compaction_desk import Run
from gui.compaction_facts import By, Facts, Wish
from gui.compaction_task import append, carry, look
from gui.problem_strip import Notice
from gui.translation import say
from gui.views.compaction import CompactionView
from gui.worker import Failure

if TYPE_CHECKING:
    from gui.main_window import MainWindow

LOOK, RUN, APPEND = "compaction look", "compaction run", "compaction append"


class CompactionRuns(QObject):
    """One for a window. Of looks only the newest counts; a run goes on until it is done or stopped."""

    def __init__(self, window: MainWindow, view: CompactionView) -> None:
        super().__init__(view)
        self._window, self._view, self._jobs = window, view, window.jobs
        view.path_of = window.sessions.path_of
        view.look_wanted.connect(self._look)
        view.run_wanted.connect(self._run)
        view.stop_wanted.connect(self._stop)
        view.append_wanted.connect(self._append)
        window.jobs.idle.connect(view.give_up)

    def _look(self, wish: Wish) -> None:
        view = self._view
        self._jobs.run(
            LOOK,
            look,
            wish,
            part=lambda facts: view.take_facts(wish, facts),
            done=lambda answer: view.take(wish, None, answer),
            failed=lambda failure: self._failed(wish, failure),
            progress=lambda said, share: view.tell(said),
            behind=True,
        )

    def _run(self, wish: Wish, by: By) -> None:
        view = self._view
        self._jobs.cancel(LOOK)

        def part(value: Any) -> None:
            if isinstance(value, Facts):
                view.take_facts(wish, value)
            elif isinstance(value, Call):
                view.take_call(by, value)

        self._jobs.run(
            RUN,
            carry,
            wish,
            by,
            part=part,
            done=lambda answer: view.take(wish, by, answer),
            failed=lambda failure: self._failed(wish, failure),
            progress=lambda said, share: view.tell(said),
            behind=True,
        )

    def _failed(self, wish: Wish, failure: Failure) -> None:
        if failure.trace:
            report = f"{wish.path}\n{failure.said}\n{failure.trace}"
            self._window.strip.show_notice(Notice(failure.said, "error", report=report))
        self._view.fail(wish, failure.said)

    def _stop(self) -> None:
        if not (self._jobs.cancel(RUN) or self._jobs.cancel(LOOK)):
            self._view.give_up()

    def choose(self, suggested: str) -> str:
        """Where the new file shall stand; "" = nowhere. An existing file is never written over."""
        title = say(phrase("compaction_tab.save"))
        options = QFileDialog.Option.DontConfirmOverwrite
        return QFileDialog.getSaveFileName(self._window, title, suggested, "*.jsonl", options=options)[0]

    def _append(self, run: Run | None) -> None:
        if run is None or run.outcome.summary is None:
            return
        path = Path(run.wish.path)
        target = self.choose(str(path.with_name(f"{path.stem}-compacted.jsonl")))
        if not target:
            return
        strip = self._window.strip

        def done(size: int) -> None:
            strip.show_notice(Notice(phrase("compaction_tab.saved", path=target, size=size), "note"))

        def failed(failure: Failure) -> None:
            strip.show_notice(Notice(failure.said, "error"))

        self._jobs.run(APPEND, append, run.wish, run.outcome.summary, target, done=done, failed=failed)


def bind(window: MainWindow, view: CompactionView) -> None:
    """A view that was made is connected to the worker."""
    CompactionRuns(window, view)
