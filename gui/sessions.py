"""The open sessions: opening, another leaf, another counter, closing. Each has one State; the worker does the work.

open ─▶ rows (Parts) ─▶ opened ─▶ counts and timeline, behind ─▶ completed         a large file
open ─▶ everything   ─▶ opened, completed                                          a small one
then, now and then:  follow ─▶ more rows ─▶ their counts and timeline, behind      gui/follower.py
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from core import engine_far
from core.counts import Counts
from core.duplicates import checked
from core.errors import Problem
from core.part import Part, grown
from core.phrase import Phrase, phrase
from core.timeline import uncounted
from gui import worker
from gui.asking import Asking, notice_of
from gui.engine_guard import elsewhere
from gui.fetching import Fetched, fetch, local
from gui.follower import Follower
from gui.jobs import Jobs
from gui.problem_strip import Notice
from gui.slices import Slices
from gui.state import State
from gui.worker import Failure, Loaded


class Sessions(QObject):
    """Opened states by path, in the order of opening. Nothing here touches a widget."""

    opened = Signal(object)
    """State: there is something to show of it."""
    completed = Signal(object)
    """State: all its rows, counts and its timeline are there."""
    failed = Signal(object, str)
    """Notice, path."""
    noted = Signal(object, object)
    """State, Notice: something happened to its file."""

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        engine_far.use(elsewhere)
        self._jobs = jobs
        self._states: dict[str, State] = {}
        self._growing: dict[str, State] = {}
        self._reading: dict[str, tuple[Slices, State]] = {}
        """Prompts that are being parsed before they are shown, by path."""
        holds = lambda state: any(held is state for held in self._states.values())  # noqa: E731
        self._asking = Asking(jobs, self.path_of, holds, self.noted.emit)
        self.follower = Follower(jobs, self)
        self.follower.rewritten.connect(self._read_again)
        self.follower.noted.connect(self.noted.emit)

    @property
    def states(self) -> tuple[State, ...]:
        return tuple(self._states.values())

    def counting(self, state: State) -> bool:
        """Its rows are shown while its tokens are still being counted."""
        return any(held is state for held in self._growing.values())

    def open(self, path: str, request: int | None = None, counter: str | None = None, entry: str | None = None) -> None:
        """Read `path` in the worker; `opened` or `failed` follows. `request`, or the id of an `entry`: where the cursor
        shall stand."""
        place = str(Path(path).absolute())
        self._growing.pop(place, None)
        self._leave(place)
        self._jobs.run(
            f"open {place}",
            worker.load,
            place,
            counter,
            None,
            part=lambda part: self._part(place, part),
            done=lambda loaded: self._arrived(place, loaded, request, counter, entry),
            failed=lambda failure: self._refused(place, failure),
        )

    def _part(self, place: str, part: Part) -> None:
        """Rows of a large file, while it is read."""
        state = self._growing.get(place)
        if state is None:
            session = grown(None, part)
            state = State(session, uncounted(), Counts("", session.columns.chars[:0]), self)
            self._growing[place] = state
            self._hold(place, state)
            self.opened.emit(state)
        else:
            state.take(part)

    def _arrived(
        self, place: str, loaded: Loaded | None, request: int | None, counter: str | None, entry: str | None
    ) -> None:
        if loaded is not None:
            self._growing.pop(place, None)
            state = self._made(loaded, request)
            self._read(
                place, state, loaded, state.cursor.request, lambda: self._stand(self._shown(place, state), entry)
            )
            return
        state = self._growing.get(place)
        if state is not None:
            state.after_parts(lambda: self._all_rows(place, state, request, counter, entry))

    def _all_rows(self, place: str, state: State, request: int | None, counter: str | None, entry: str | None) -> None:
        """Everything of a large file is shown but its numbers."""
        if self._growing.get(place) is state:
            self.follower.follow(place, state)
            self._count(place, state, request, counter, entry)

    def _count(self, place: str, state: State, request: int | None, counter: str | None, entry: str | None) -> None:
        def done(loaded: Loaded) -> None:
            last = len(loaded.timeline.summaries)
            shown = request if request is not None and 1 <= request <= last else last or None
            self._read(place, state, loaded, shown, lambda: show(loaded))

        def show(loaded: Loaded) -> None:
            if self._growing.pop(place, None) is state:
                state.told = loaded.told
                state.show_timeline(loaded.timeline, loaded.counts, loaded.arranged)
                last = len(loaded.timeline.summaries)
                if request is not None and 1 <= request <= last:
                    state.go(request=request, remember=False)
                self._stand(state, entry)
                self.completed.emit(state)
                self._check(state)

        def failed(failure: Failure) -> None:
            self._growing.pop(place, None)
            self.failed.emit(notice_of(place, failure), place)

        self._jobs.run(f"show {place}", worker.show, place, counter, None, done=done, failed=failed, behind=True)

    def _check(self, state: State) -> None:
        """What only a look at everything shows."""
        place = self.path_of(state)

        def done(found: tuple[Problem, ...]) -> None:
            if found and self._states.get(place) is state:
                state.grow(checked(state.session, found))

        self._jobs.run(f"check {place}", worker.check, place, done=done, behind=True)

    def _refused(self, place: str, failure: Failure) -> None:
        self._growing.pop(place, None)
        self.failed.emit(notice_of(place, failure), place)

    def _stand(self, state: State, entry: str | None) -> None:
        row = state.session.row_of(entry) if entry is not None else None
        if row is not None:
            state.go(entry=row, remember=False)

    def adopt(self, place: str, loaded: Loaded, request: int | None) -> State:
        """Make the State of what was loaded; a session that was open already is replaced."""
        return self._shown(place, self._made(loaded, request))

    def _made(self, loaded: Loaded, request: int | None) -> State:
        assert loaded.session is not None
        state = State(loaded.session, loaded.timeline, loaded.counts, self)
        self._lend(state, loaded.session.path)
        state.told = loaded.told
        last = len(loaded.timeline.summaries)
        state.go(request=(request if request is not None and 1 <= request <= last else last) or None, remember=False)
        return state

    def _read(self, place: str, state: State, loaded: Loaded, request: int | None, done: Callable[[], object]) -> None:
        """Parse the prompt that will be shown first, in slices, and go on. A newer wish for the file takes over."""
        self._leave(place)
        reading = Slices(state.reading(loaded.timeline, loaded.counts, request), done, self)
        if reading.running:
            self._reading[place] = reading, state

    def _leave(self, place: str) -> None:
        reading, state = self._reading.pop(place, (None, None))
        if reading is None or state is None:
            return
        if reading.running and all(held is not state for held in self._states.values()):
            state.deleteLater()  # it was never shown
        reading.cancel()
        reading.deleteLater()

    def _shown(self, place: str, state: State) -> State:
        old = self._hold(place, state)
        self.follower.follow(place, state)
        self.opened.emit(state)
        self.completed.emit(state)
        state.traced.stir()
        self._check(state)
        if old is not None:
            old.deleteLater()
        return state

    def _hold(self, place: str, state: State) -> State | None:
        """Keep the state under its path; the one that was kept there."""
        old = self._states.pop(place, None)
        state.wanted_leaf = lambda leaf: self.show(state, leaf, state.counts.counter)
        self._lend(state, place)
        self._asking.lend(state)
        self._states[place] = state
        return old

    def _lend(self, state: State, place: str) -> None:
        """From now on the worker reads what the state must not wait for."""
        state.desk.fetch, state.desk.local = partial(self._fetch, state), local(place)

    def _fetch(self, state: State, rows: tuple[int, ...]) -> None:
        """Have bodies read that the window must not wait for."""
        place = self.path_of(state)

        def take(found: tuple[Fetched, ...]) -> None:
            if any(known is state for known in (*self._states.values(), *(s for _, s in self._reading.values()))):
                state.take_bodies(found)

        def failed(failure: Failure) -> None:
            state.desk.done(again=False)
            self.noted.emit(state, notice_of(place, failure))

        self._jobs.run(
            f"bodies {place}", fetch, place, rows, part=take, done=lambda _: state.desk.done(), failed=failed
        )

    def _read_again(self, state: State) -> None:
        """Another file stands where this one was read from."""
        place = self.path_of(state)
        row = state.cursor.entry
        entry = state.session.columns.ids[row] if row is not None and row < len(state.session) else None
        self.open(place, state.cursor.request, state.counts.counter or None, entry)

    def show(self, state: State, leaf: int | None, counter: str) -> None:
        """Another leaf or another counter of an open session."""
        place = self.path_of(state)
        self._jobs.run(
            f"show {place}",
            worker.show,
            place,
            counter or None,
            leaf,
            done=lambda loaded: self._read(
                place,
                state,
                loaded,
                len(loaded.timeline.summaries) or None,
                lambda: state.show_timeline(loaded.timeline, loaded.counts, loaded.arranged),
            ),
            failed=lambda failure: self.failed.emit(notice_of(place, failure), place),
        )

    def path_of(self, state: State) -> str:
        return next((path for path, held in self._states.items() if held is state), state.session.path)

    def close_all(self) -> None:
        """When the program ends."""
        for state in self.states:
            self.close(state)

    def close(self, state: State) -> State | None:
        """Close it; the state to show next, if any."""
        order = list(self._states.values())
        at = order.index(state)
        place = self.path_of(state)
        self.follower.leave(state)
        self._leave(place)
        self._jobs.cancel(f"open {place}")
        self._jobs.cancel(f"show {place}")
        self._jobs.cancel(f"check {place}")
        self._jobs.cancel(f"bodies {place}")
        self._asking.leave(place)
        self._states = {path: held for path, held in self._states.items() if held is not state}
        self._growing.pop(place, None)
        self._jobs.run(f"forget {place}", worker.forget, place, done=lambda _: None)
        state.deleteLater()
        rest = list(self._states.values())
        return rest[min(at, len(rest) - 1)] if rest else None


def first_notice(problems: tuple[Problem, ...]) -> Notice | None:
    """What the strip says about a session just opened: its gravest problem, notes are left to the status bar."""
    for severity in ("error", "warning"):
        for problem in problems:
            if problem.severity == severity:
                said: Phrase = phrase("window.problem", what=problem.message, hint=problem.hint)
                return Notice(said, severity, problem)
    return None
