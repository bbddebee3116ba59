"""Between the requests dock and the worker: counts the requests as the guard does when the dock asks for it."""

from __future__ import annotations

from PySide6.QtCore import QObject

from gui.jobs import Jobs
from gui.sessions import Sessions
from gui.views.requests import RequestsView
from gui.worker import Task

LANE = "guard"
COUNT = Task("gui.guard_task", "count_requests")


class GuardReplays(QObject):
    """One for a window. Newest wins: a threshold that moved again makes the count under way worthless."""

    def __init__(self, jobs: Jobs, sessions: Sessions, view: RequestsView, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs, self._sessions, self._view = jobs, sessions, view
        view.guard_wanted.connect(self._ask)

    def _ask(self) -> None:
        view, state = self._view, self._view.state
        if state is None:
            return
        guard, ask = view.guard, view.guard.asked(state)

        def tell(wanted: bool) -> None:
            if wanted:
                view.show_counts()

        self._jobs.run(
            LANE,
            COUNT,
            self._sessions.path_of(state),
            state.timeline.leaf,
            state.counts.counter,
            state.profile,
            state.told,
            done=lambda found: tell(guard.take(ask, found)),
            failed=lambda failure: tell(guard.fail(ask, failure.said)),
            progress=lambda said, share: tell(guard.progress(ask, said)),
            behind=True,
        )
