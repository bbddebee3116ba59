"""The open sessions: opening, another leaf, another counter, closing. Each has one State; the worker does the work."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from core.errors import Problem
from core.phrase import Phrase, phrase
from gui import worker
from gui.jobs import Jobs
from gui.problem_strip import Notice
from gui.state import State
from gui.worker import Failure, Loaded


class Sessions(QObject):
    """Opened states by path, in the order of opening. Nothing here touches a widget."""

    opened = Signal(object)
    """State: newly opened, or read again."""
    failed = Signal(object, str)
    """Notice, path."""

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._states: dict[str, State] = {}

    @property
    def states(self) -> tuple[State, ...]:
        return tuple(self._states.values())

    def open(self, path: str, request: int | None = None, counter: str | None = None) -> None:
        """Read `path` in the worker; `opened` or `failed` follows. `request`: where the cursor shall stand."""
        place = str(Path(path).absolute())
        self._jobs.run(
            "open",
            worker.load,
            place,
            counter,
            None,
            done=lambda loaded: self._arrived(place, loaded, request),
            failed=lambda failure: self.failed.emit(_notice(place, failure), place),
        )

    def _arrived(self, place: str, loaded: Loaded, request: int | None) -> None:
        self.adopt(place, loaded, request)

    def adopt(self, place: str, loaded: Loaded, request: int | None) -> State:
        """Make the State of what was loaded; a session that was open already is replaced."""
        old = self._states.pop(place, None)
        state = State(loaded.session, loaded.timeline, loaded.counts, self)
        state.wanted_leaf = lambda leaf: self.show(state, leaf, state.counts.counter)
        last = len(loaded.timeline.summaries)
        state.go(request=(request if request is not None and 1 <= request <= last else last) or None, remember=False)
        self._states[place] = state
        self.opened.emit(state)
        if old is not None:
            old.deleteLater()
        return state

    def show(self, state: State, leaf: int | None, counter: str) -> None:
        """Another leaf or another counter of an open session."""
        place = self.path_of(state)
        self._jobs.run(
            "show",
            worker.show,
            place,
            counter,
            leaf,
            done=lambda loaded: state.show_timeline(loaded.timeline, loaded.counts),
            failed=lambda failure: self.failed.emit(_notice(place, failure), place),
        )

    def path_of(self, state: State) -> str:
        return next((path for path, held in self._states.items() if held is state), state.session.path)

    def close(self, state: State) -> State | None:
        """Close it; the state to show next, if any."""
        order = list(self._states.values())
        at = order.index(state)
        self._states = {path: held for path, held in self._states.items() if held is not state}
        state.deleteLater()
        rest = list(self._states.values())
        return rest[min(at, len(rest) - 1)] if rest else None


def _notice(place: str, failure: Failure) -> Notice:
    return Notice(failure.said, "error", report=f"{place}\n{failure.said}\n{failure.trace}".strip())


def first_notice(problems: tuple[Problem, ...]) -> Notice | None:
    """What the strip says about a session just opened: its gravest problem, notes are left to the status bar."""
    for severity in ("error", "warning"):
        for problem in problems:
            if problem.severity == severity:
                said: Phrase = phrase("window.problem", what=problem.message, hint=problem.hint)
                return Notice(said, severity, problem)
    return None
