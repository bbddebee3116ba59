"""Follows the open files while an agent writes them. It only asks the worker, so a file that hangs hangs no window.

each POLL    same: nothing     grew: rows at once, counts and timeline behind     other: rewritten
gone         said once; it is looked for again, and read when it is back
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal

from core.phrase import phrase
from core.summaries import Summaries
from gui import worker
from gui.jobs import Jobs
from gui.problem_strip import Notice
from gui.slices import Slices
from gui.state import State
from gui.worker import Failure, Followed, Loaded

POLL_MS = 250
"""After the worker has answered. A file that is gone is looked for more rarely."""
GONE_MS = 3_000
PATIENCE_MS = 20_000
"""A worker that does not answer for so long waits for a disk that is not there."""
PATIENT = 4
"""A timeline of what came is computed when so many times the time has passed that the last one took."""


@dataclass
class _Followed:
    place: str
    state: State
    gone: bool = False
    next_count: float = 0.0
    uncounted: bool = False
    making: Slices | None = None


class Follower(QObject):
    """`follow` begins, `leave` ends."""

    rewritten = Signal(object)
    """State: something else stands in its file."""
    noted = Signal(object, object)
    """State, Notice."""

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._followed: list[_Followed] = []
        self._at = 0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._poll)
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(PATIENCE_MS)
        self._patience.timeout.connect(self._hangs)
        self._asked: _Followed | None = None
        jobs.ended.connect(self._stop)

    def _stop(self) -> None:
        self._followed.clear()
        self._timer.stop()
        self._patience.stop()

    def follow(self, place: str, state: State) -> None:
        """From now on; another state of the same file is left."""
        self._followed = [one for one in self._followed if one.place != place]
        self._followed.append(_Followed(place, state))
        if self._asked is None and not self._timer.isActive():
            self._timer.start(POLL_MS)

    def leave(self, state: State) -> None:
        self._followed = [one for one in self._followed if one.state is not state]
        if not self._followed:
            self._timer.stop()

    def _poll(self) -> None:
        if not self._followed:
            return
        self._at = (self._at + 1) % len(self._followed)
        one = self._asked = self._followed[self._at]
        self._patience.start()
        self._jobs.run(
            "follow",
            worker.follow,
            one.place,
            done=lambda answer: self._answered(one, answer),
            failed=lambda failure: self._failed(one, failure),
        )

    def _again(self) -> None:
        self._asked = None
        self._patience.stop()
        if self._followed:
            gone = all(one.gone for one in self._followed)
            self._timer.start(GONE_MS if gone else max(20, POLL_MS // len(self._followed)))

    def _answered(self, one: _Followed, answer: Followed) -> None:
        if one in self._followed:
            one.gone = False
            if answer.part is not None:
                one.state.take(answer.part, lambda: self._grew(one))
            elif answer.state == "other":
                self._followed.remove(one)
                self.noted.emit(one.state, Notice(phrase("follow.rewritten"), "note"))
                self.rewritten.emit(one.state)
            self._count(one)
        self._again()

    def _grew(self, one: _Followed) -> None:
        if one in self._followed:
            one.uncounted = True
            self._count(one)

    def _failed(self, one: _Followed, failure: Failure) -> None:
        if one in self._followed and not one.gone:
            one.gone = True
            of_file = not failure.trace and not failure.said.id.startswith("job.")  # else the worker is in trouble
            said = phrase("follow.gone") if of_file else failure.said
            self.noted.emit(one.state, Notice(said, "warning"))
        self._again()

    def _hangs(self) -> None:
        """The worker waits for a file that does not answer: it is given up, and so is following that file."""
        one = self._asked
        if not self._jobs.only("follow"):  # it waits for other work, not for a disk
            self._patience.start()
        elif one is not None and one in self._followed:
            self._followed.remove(one)
            self.noted.emit(one.state, Notice(phrase("follow.hangs"), "warning"))
            self._jobs.give_up()

    # counts and timeline of what came

    def _count(self, one: _Followed) -> None:
        state, now = one.state, time.monotonic()
        lane = f"show {one.place}"
        if not one.uncounted or now < one.next_count or self._jobs.busy_with(lane):
            return
        one.uncounted = False

        def done(loaded: Loaded) -> None:
            took = time.monotonic() - now
            one.next_count = time.monotonic() + PATIENT * took
            if one in self._followed:
                self._made(one, loaded)

        leaf = followed_leaf(state)
        self._jobs.run(lane, worker.show, one.place, state.counts.counter or None, leaf, done=done, behind=True)

    def _made(self, one: _Followed, loaded: Loaded) -> None:
        """What all views would ask for at once is made before, in slices."""
        summaries = loaded.timeline.summaries

        def show() -> None:
            if one in self._followed:
                one.state.follow_timeline(loaded.timeline, loaded.counts, loaded.arranged)

        if one.making is not None:
            one.making.cancel()
            one.making.deleteLater()
        work = summaries.making() if isinstance(summaries, Summaries) else iter(())
        one.making = Slices(work, show, self)


def followed_leaf(state: State) -> int | None:
    """The leaf whose timeline is shown once a file has grown: the new end where the session just went on from the leaf
    that is shown, else that leaf; someone who looks at another branch stays there."""
    shown, active = state.timeline.leaf, state.session.active_leaf
    if shown is None or active is None:
        return active
    parent = state.session.columns.parent
    row = active
    while row > shown:
        row = parent[row]
    return active if row == shown else shown
