"""The half of State that is about the replay: profile, steps of the request in focus, the stage one stands at.

set, switch, move, choose, reset, undo, redo ─▶ profile ─▶ trace ─▶ stage (cursor.step) ─▶ shown
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from PySide6.QtCore import QObject, Signal

from core import profile as profiles
from core.assembled import Assembled
from core.engine_memory import pending
from core.pipeline import SESSION_CONTEXT, Sizes, Trace
from core.profile import Profile
from gui.cursor import Change, Cursor
from gui.idle_traces import IdleTraces
from gui.live_trace import Key, LiveTrace, Prepared, restart, stepwise
from gui.profile_history import Chosen, ProfileHistory
from gui.stage import Stage, stage_of

AHEAD = "ahead "
"""Names of comparisons that are computed for the next key: what is not known yet of earlier requests comes with it."""


class Replayed(QObject):
    """Base of State. `changed` carries PROFILE when the profile is another, TRACE when its steps or their being up to
    date are."""

    changed = Signal(Change)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._cursor = Cursor()
        self._profiles: ProfileHistory | None = None
        self._live = LiveTrace(self._prepared, parent=self)
        self._live.changed.connect(self._traced)
        self._idle = IdleTraces(lambda: self.grasped or self._live.stale, self)
        self._fetching: dict[str, object] = {}
        """Comparisons that wait for what earlier requests hand on, by name."""
        self._ahead: tuple[Profile, int | None, tuple[int | None, ...]] | None = None
        self._changed: tuple[Chosen, tuple[str, ...]] | None = None
        self._stage: Stage | None = None
        self._stage_at: str | None = None

    # what State knows

    @property
    def assembled(self) -> Assembled:
        raise NotImplementedError

    def _prepared(self, key: Key, profile: Profile) -> Prepared:
        """What running the layers of one request needs."""
        raise NotImplementedError

    @property
    def _sizes(self) -> Sizes:
        """How blocks are measured."""
        raise NotImplementedError

    def _policy(self) -> Profile:
        """The policy that a session of this format begins with."""
        raise NotImplementedError

    def _key(self) -> Key:
        """The request in focus."""
        raise NotImplementedError

    # the profile

    @property
    def _history_of_profiles(self) -> ProfileHistory:
        if self._profiles is None:
            policy = self._policy()
            self._profiles = ProfileHistory(Chosen(policy, policy))
        return self._profiles

    @property
    def profile(self) -> Profile:
        """The policy in use with everything that was changed in it."""
        return self._history_of_profiles.now.profile

    @property
    def base(self) -> Profile:
        """The profile as it was chosen, before any change."""
        return self._history_of_profiles.now.base

    def changes(self) -> tuple[str, ...]:
        """`INSTANCE.FIELD` of every threshold that differs from the base, `INSTANCE` of every switch, "order"."""
        now = self._history_of_profiles.now
        if self._changed is None or self._changed[0] is not now:
            self._changed = (now, now.changes())
        return self._changed[1]

    def choose(self, policy: str | Profile) -> None:
        """Another policy, by its id or as it was read from a file. RequestError for an unknown id."""
        chosen = profiles.policy(policy) if isinstance(policy, str) else policy
        self._put(Chosen(chosen, chosen))

    def change(self, change: Callable[[Profile], Profile]) -> None:
        """Another profile made from the one in use; what it was chosen as stays what "changed" refers to."""
        self._put(Chosen(self.base, change(self.profile)))

    def set(self, instance: str, **values: object) -> None:
        """Thresholds of one instance; UsageError on a bad value, RequestError on an unknown instance."""
        self.change(lambda profile: profile.set(instance, **values))

    def switch(self, instance: str, on: bool) -> None:
        """An instance on or off; step 0 is always on."""
        if instance == SESSION_CONTEXT:
            return
        self.change(lambda profile: profile.switch(instance, on))

    def move(self, instance: str, to: int) -> None:
        """An instance to another place among the instances (0 = first); RequestError where the order is fixed."""
        self.change(lambda profile: profile.moved(instance, to))

    def reset(self, instance: str | None = None, field: str | None = None) -> None:
        """One setting, one instance, or (without a name) the whole profile as it was chosen."""
        self._put(self._history_of_profiles.now.reset(instance, field))

    def grasp(self, again: bool = False) -> None:
        """A gesture begins: until `let_go` its changes are one undo step; `again`: they join the last gesture."""
        self._history_of_profiles.grasp(again)

    def let_go(self) -> None:
        self._history_of_profiles.let_go()
        self._idle.wake()
        self.changed.emit(Change.TRACE)  # what waits for the end of a drag may be shown

    @property
    def grasped(self) -> bool:
        """Whether a threshold is being dragged."""
        return self._history_of_profiles.grasped

    @property
    def can_undo(self) -> bool:
        return self._history_of_profiles.can_undo

    @property
    def can_redo(self) -> bool:
        return self._history_of_profiles.can_redo

    def undo(self) -> None:
        """Take the last change of the profile back."""
        if self._history_of_profiles.undo():
            self._profile_changed()

    def redo(self) -> None:
        if self._history_of_profiles.redo():
            self._profile_changed()

    def _put(self, chosen: Chosen) -> None:
        if self._history_of_profiles.put(chosen):
            self._profile_changed()

    def _profile_changed(self) -> None:
        self._want()
        if self._cursor.step is not None and self._cursor.step not in self._names():
            self.go(step=None)
        if self.grasped and self._live.soon():
            self._follow_block()
            self.changed.emit(Change.PROFILE | Change.TRACE)
        else:
            self.changed.emit(Change.PROFILE)

    def _traced(self) -> None:
        self._follow_block()
        self._idle.wake()
        self.changed.emit(Change.TRACE)

    def _follow_block(self) -> None:
        """Other steps, other blocks: the block in focus stays with its entry."""
        raise NotImplementedError

    # other traces, for comparison

    def compare(
        self,
        name: str,
        done: Callable[[Trace], None],
        *,
        request: int | bool | None = True,
        profile: Profile | None = None,
    ) -> None:
        """Compute a trace in idle time and hand it over: of another request (True = the one in focus), under another
        profile (None = the one in use). `name`: of one name only the newest counts; any change of the state drops all.
        """
        key = self._key() if request is True else (self._key()[0], request)
        wanted = self.profile if profile is None else profile

        def begin() -> Iterator[tuple[str, Trace]]:
            mark = object()

            def again() -> None:
                if self._fetching.get(name) is mark:
                    del self._fetching[name]
                    self._idle.want(name, run, hand)

            self._fetching[name] = mark
            if not name.startswith(AHEAD) and self._lacks(key, wanted, again):
                return iter(())
            self._fetching.pop(name, None)
            return run()

        def run() -> Iterator[tuple[str, Trace]]:
            known = self._live.kept(key, wanted)
            if known is not None:
                return iter((("", known),))
            here = self._live.trace if key == self._live.key and not self._live.stale else None
            start = restart(self.profile, wanted) if here is not None else 0
            return stepwise(
                self._prepared(key, wanted).run, wanted, here, len(wanted.instances) if start is None else start
            )

        def hand(found: Trace) -> None:
            if not pending(step.carry for step in found.steps):
                done(found)

        self._fetching.pop(name, None)
        self._idle.want(name, begin, hand)

    def _lacks(self, key: Key, profile: Profile, came: Callable[[], None]) -> bool:
        """Whether what earlier requests hand to one is not known and has been asked for; then `came` is called once."""
        return False

    def look_ahead(self, requests: tuple[int | None, ...]) -> None:
        """Compute the traces of these requests in idle time and keep them: the next key asks for one of them."""
        ahead = (self.profile, self._key()[0], requests)
        if ahead == self._ahead:
            return
        for request in self._ahead[2] if self._ahead is not None else ():
            self._idle.drop(f"{AHEAD}{request}")
        self._ahead = ahead
        for request in requests:
            key = (ahead[1], request)
            if self._live.kept(key, ahead[0]) is None:
                self.compare(f"{AHEAD}{request}", partial(self._live.keep, key, ahead[0]), request=request)

    @property
    def comparing(self) -> bool:
        """Whether a trace for comparison is still to come."""
        return self._idle.waiting or bool(self._fetching)

    def drop_comparisons(self, name: str | None = None) -> None:
        """What is no longer wanted; without a name everything."""
        self._idle.drop(name)
        for each in [name] if name is not None else list(self._fetching):
            self._fetching.pop(each, None)
        self._ahead = None

    # the steps

    def _names(self) -> list[str]:
        return [SESSION_CONTEXT, *(instance.name for instance in self.profile.instances)]

    def _want(self) -> None:
        self._live.want(self._key(), self.profile)

    @property
    def trace(self) -> Trace | None:
        """The steps of the request in focus; while `stale`, those that were computed last (even of another request)."""
        self._want()
        return self._live.trace

    @property
    def trace_key(self) -> Key | None:
        """(leaf, request) that `trace` is of."""
        return self._live.key

    @property
    def stale(self) -> bool:
        """Whether the trace at hand is not yet that of request and profile: being computed, or an engine asked."""
        self._want()
        trace = None if self._live.stale else self._live.trace
        return trace is None or pending(step.carry for step in trace.steps)

    @property
    def stage(self) -> Stage | None:
        """The prompt after the step one stands at (`cursor.step`; None = all steps); None before the first trace."""
        trace = self.trace
        if trace is None or self._live.key != self._key():
            return None
        step = self._cursor.step
        known = self._stage
        if known is None or known.trace is not trace or self._stage_at != step or known.assembled is not self.assembled:
            self._stage = known = stage_of(trace, step, self.assembled, self._sizes, known)
            self._stage_at = step
        return known

    @property
    def shown(self) -> Assembled:
        """What the Prompt tab shows: the stage in focus with its recorded cache states; step 0 until there is one."""
        stage = self.stage
        return self.assembled if stage is None else stage.shown

    # standing between steps

    def go(self, *, remember: bool = True, **where: object) -> None:
        raise NotImplementedError

    def step_by(self, by: int) -> None:
        """One step forward (+1) or back (-1); behind the last one all steps are applied."""
        names = self._names()
        last = len(names) - 1
        at = names.index(self._cursor.step) if self._cursor.step in names else last
        to = max(0, min(at + by, last))
        self.go(step=None if to == last else names[to])

    def step_first(self) -> None:
        """Stand behind step 0."""
        self.go(step=SESSION_CONTEXT)

    def step_last(self) -> None:
        """All steps applied."""
        self.go(step=None)
