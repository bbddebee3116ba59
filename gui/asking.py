"""What an open session has the worker find out about its requests, each in a lane of its own: the newest counts.

carry     what earlier requests hand to one               traced    what traces tell of all requests of the path
trace     what traces tell of one                         differ    where one differs from any other
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from core.profile import Profile
from gui.against import Wanted
from gui.carried import FOCUS, OTHER
from gui.differs import Against
from gui.jobs import Jobs
from gui.live_trace import Key
from gui.problem_strip import Notice
from gui.state import State
from gui.worker import Failure, Task

if TYPE_CHECKING:
    from core.named_sources import Sources
    from core.recorded_facts import RecordedPrompt
    from core.replay import Carries
    from core.traced_path import TracedPath


CARRIES, AGAINST = Task("gui.carry_task", "carries"), Task("gui.differ_task", "against")
REQUEST, PATH = Task("gui.trace_task", "recorded_request"), Task("gui.trace_task", "recorded_path")


class Asking:
    """`place`: path of a state; `holds`: whether it is still open; `tell`: where a notice about its file goes."""

    def __init__(
        self,
        jobs: Jobs,
        place: Callable[[State], str],
        holds: Callable[[State], bool],
        tell: Callable[[State, Notice], None],
    ) -> None:
        self._jobs, self._place, self._holds, self._tell = jobs, place, holds, tell

    def lend(self, state: State) -> None:
        """From now on the state asks here."""
        state.carried.ask = partial(self._carry, state)
        state.traced.ask = partial(self._trace, state)
        state.traced.ask_path = partial(self._trace_path, state)
        state.against.ask = partial(self._differ, state)

    def leave(self, place: str) -> None:
        """Nobody waits for an answer any more."""
        for lane in (f"carry {FOCUS}", f"carry {OTHER}", "trace", "traced", "differ"):
            self._jobs.cancel(f"{lane} {place}")

    def _carry(
        self, state: State, key: Key, profile: Profile, done: Callable[[Carries | None], None], lane: str
    ) -> None:
        """Have worked out what earlier requests hand to one."""
        place = self._place(state)

        def take(found: Carries | None) -> None:
            if self._holds(state):
                done(found)

        arguments = (place, key[0], state.counts.counter, key[1], profile, state.told)
        give_up = lambda _: take(None)  # noqa: E731
        self._jobs.run(f"carry {lane} {place}", CARRIES, *arguments, done=take, failed=give_up, behind=True)

    def _trace(self, state: State, key: Key, paths: Sources, done: Callable[[RecordedPrompt | None], None]) -> None:
        """Have traces looked at for what they tell of a request."""
        place = self._place(state)

        def take(found: RecordedPrompt | None) -> None:
            if self._holds(state):
                done(found)

        def failed(failure: Failure) -> None:
            state.traced.refused()
            self._tell(state, notice_of(place, failure))

        arguments = (place, key[0], state.counts.counter, key[1], paths)
        self._jobs.run(f"trace {place}", REQUEST, *arguments, done=take, failed=failed, behind=True)

    def _trace_path(
        self, state: State, leaf: int | None, paths: Sources, done: Callable[[TracedPath | None], None]
    ) -> None:
        """Have traces looked at for what they tell of all requests of the path."""
        place = self._place(state)

        def take(found: TracedPath | None) -> None:
            if self._holds(state):
                done(found)

        arguments = (place, leaf, state.counts.counter, paths)
        give_up = lambda _: take(None)  # noqa: E731
        self._jobs.run(f"traced {place}", PATH, *arguments, done=take, failed=give_up, behind=True)

    def _differ(self, state: State, wanted: Wanted, there: Key, done: Callable[[Against | None], None]) -> None:
        """Have the request in focus held against another one. A `there` without a leaf is on the path in view."""
        place = self._place(state)
        here, profile, paths = wanted

        def take(found: Against | None) -> None:
            if self._holds(state):
                done(found)

        def failed(failure: Failure) -> None:
            take(None)
            self._tell(state, notice_of(place, failure))

        other = (here[0] if there[0] is None else there[0], there[1])
        arguments = (place, here, other, state.counts.counter, profile, state.told, paths)
        self._jobs.run(f"differ {place}", AGAINST, *arguments, done=take, failed=failed, behind=True)


def notice_of(place: str, failure: Failure) -> Notice:
    """What the strip says of a task that failed."""
    return Notice(failure.said, "error", report=f"{place}\n{failure.said}\n{failure.trace}".strip())
