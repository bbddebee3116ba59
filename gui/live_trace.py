"""Keeps the steps of one request in step with the profile, without ever holding the window up.

    profile moved ─▶ from the moved instance down ─┬ predicted under 12 ms: at once
                                                   └ else: layer by layer, a few ms each turn of the event loop,
                                                     or by `compute`, if set; the trace at hand is *stale* till then

Newest wins: what was begun for an older profile is dropped. How long a layer takes is measured each time it runs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, QTimer, Signal

from core.pipeline import SESSION_CONTEXT, Trace
from core.profile import Profile, index_of_change

AT_ONCE = 0.025
"""Seconds: what is predicted to take less is computed before anything is painted: painting what is out of date, and
again what is not, takes longer."""
SLICE = 0.008
"""Seconds of one turn of the event loop that are spent on layers; the last layer of a turn may take longer."""
AT_ONCE_NEW = 0.040
"""The same for the first trace of another request: nothing of it is on screen yet that could be dimmed."""
KEPT, LEAST, HELD = 24, 4, 40_000
"""Finished traces of other requests that are remembered: where one came from, the neighbours. Fewer where prompts are
long: the least, and those with so many blocks together."""
GUESS = 5e-6
"""Seconds per block and layer, until the first run was measured."""

Run = Callable[[Profile, Trace | None, int], Trace]
"""(profile, previous trace, from which step on) -> trace, of one request."""
Key = tuple[int | None, int | None]
"""(leaf, request) of the trace."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """What running the layers of one request needs. `size`: blocks at step 0, for the first prediction."""

    run: Run
    size: int


def stepwise(run: Run, profile: Profile, previous: Trace | None, start: int) -> Iterator[tuple[str, Trace]]:
    """The trace grown by one step at a time: (name of the instance that ran last, trace so far). What `previous` knows
    of the steps that are still to run goes along: one that gets what it got before is taken over."""
    trace = previous
    for end in range(start, len(profile.instances) + 1):
        if trace is not None and previous is not None:
            trace = replace(trace, steps=(*trace.steps[:end], *previous.steps[end:]))
        trace = run(replace(profile, instances=profile.instances[:end]), trace, end)
        yield (profile.instances[end - 1].name if end else SESSION_CONTEXT), trace


def restart(old: Profile, new: Profile) -> int | None:
    """The first step that must run again when `old` became `new`; None = every step stays as it is."""
    if old.window != new.window or old.family != new.family:
        return 0
    index = index_of_change(old, new)
    return None if index is None else index + 1


class LiveTrace(QObject):
    """`prepare(key)` gives what one request needs; `changed` tells that trace or staleness is another."""

    changed = Signal()

    def __init__(
        self,
        prepare: Callable[[Key, Profile], Prepared],
        clock: Callable[[], float] = time.perf_counter,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._prepare, self._clock = prepare, clock
        self.compute: Callable[[Key, Profile, Callable[[Trace], None]], None] | None = None
        """May be set: computes a whole trace elsewhere and hands it to the callback."""
        self._key: Key | None = None
        self._profile: Profile | None = None
        self._prepared: Prepared | None = None
        self._window: int | None = None
        self._trace: Trace | None = None
        self._done: tuple[Key, Profile] | None = None
        """What `_trace` was computed for."""
        self._work: Iterator[tuple[str, Trace]] | None = None
        self._kept: list[tuple[Key, Profile, Trace]] = []
        self._asked = 0
        self._rate = GUESS
        self._costs: dict[str, float] = {}
        """Seconds each instance took last."""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._turn)

    # what is wanted, what there is

    def want(self, key: Key, profile: Profile) -> None:
        """The trace of this request under this profile is wanted from now on; it is begun at the next turn."""
        if (key, profile) == (self._key, self._profile):
            return
        if self._done is not None and self._trace is not None and key != self._done[0]:
            self.keep(*self._done, self._trace)
        if key != self._key or self._prepared is None or profile.window != self._window:
            self._prepared, self._window = None, profile.window
        self._key, self._profile = key, profile
        self._work = None
        self._asked += 1
        found = self.kept(key, profile)
        if found is None:
            self._timer.start()
        else:
            self._trace, self._done = found, (key, profile)
            self._timer.stop()

    def keep(self, key: Key, profile: Profile, trace: Trace) -> None:
        """A finished trace that may be wanted soon."""
        self._kept = [held for held in self._kept if held[0] != key]
        self._kept.append((key, profile, trace))
        blocks = sum(len(held[2].blocks) for held in self._kept)
        while len(self._kept) > KEPT or (len(self._kept) > LEAST and blocks > HELD):
            blocks -= len(self._kept.pop(0)[2].blocks)

    def kept(self, key: Key, profile: Profile) -> Trace | None:
        """What was kept of this request under this very profile."""
        return next((trace for at, made, trace in self._kept if at == key and made == profile), None)

    def unkeep(self, key: Key) -> None:
        """What was kept of a request is not what it would be now."""
        self._kept = [held for held in self._kept if held[0] != key]

    def forget(self) -> None:
        """Session, path or counts are others: nothing at hand holds."""
        self._key = self._profile = self._prepared = self._done = self._trace = self._work = None
        self._costs.clear()
        self._kept.clear()
        self._asked += 1
        self._timer.stop()

    def renew(self) -> None:
        """What earlier requests hand on is another: every step behind step 0 is looked at again."""
        if self._done is not None:
            self._done = (self._done[0], replace(self._done[1], instances=()))
            self._work = None
            self._asked += 1
            self._timer.start()

    @property
    def trace(self) -> Trace | None:
        """The newest trace there is; up to date unless `stale`. None before the first one."""
        self.soon()
        return self._trace

    def soon(self) -> bool:
        """Bring the trace up to date if that is quick; whether it is."""
        if self.stale and self._work is None and self._soon:
            self._timer.stop()
            self._finish()
        return not self.stale

    @property
    def key(self) -> Key | None:
        """Which request `trace` is of."""
        return self._done[0] if self._done is not None else None

    @property
    def stale(self) -> bool:
        """Whether `trace` is not (yet) what is wanted."""
        return self._key is not None and self._done != (self._key, self._profile)

    @property
    def predicted(self) -> float:
        """Seconds that bringing the trace up to date is expected to take."""
        assert self._profile is not None
        start = self._start()
        if start is None:
            return 0.0
        guess = self._rate * self._now().size
        names = [SESSION_CONTEXT, *(instance.name for instance in self._profile.instances)]
        return sum(self._costs.get(name, guess) for name in names[start:])

    @property
    def _soon(self) -> bool:
        """Whether it is quick enough to be done before anything is painted."""
        new = self._done is None or self._done[0] != self._key
        return self.predicted < (AT_ONCE_NEW if new else AT_ONCE)

    def _now(self) -> Prepared:
        if self._prepared is None:
            assert self._key is not None
            assert self._profile is not None
            self._prepared = self._prepare(self._key, self._profile)
            self._costs.clear()
        return self._prepared

    def _start(self) -> int | None:
        """The step to begin with; None = nothing to run."""
        assert self._profile is not None
        if self._done is None or self._trace is None or self._done[0] != self._key:
            return 0
        return restart(self._done[1], self._profile)

    # running

    def _turn(self) -> None:
        """One turn of the event loop."""
        if not self.stale:
            return
        if self._work is None and self._soon:
            self._finish()
            self.changed.emit()
            return
        if self._work is None:
            if self.compute is not None:
                self._ask()
                return
            self._work = self._steps()
            self.changed.emit()  # stale from here on: views dim what they show
        end = self._clock() + SLICE
        while self._clock() < end:
            if next(self._work, None) is None:
                self.changed.emit()
                return
        self._timer.start()

    def _finish(self) -> None:
        for _ in self._steps():
            pass

    def _steps(self) -> Iterator[bool]:
        """Run what is missing, one layer per item; the last item comes before the trace is taken over."""
        assert self._key is not None
        assert self._profile is not None
        key, profile, start = self._key, self._profile, self._start()
        if start is None:
            assert self._trace is not None
            self._trace, self._done = replace(self._trace, policy=profile.id), (key, profile)
            return
        trace: Trace | None = self._trace if start else None
        run = self._now().run
        for name, grown in self._timed(stepwise(run, profile, trace, start)):
            trace = grown
            yield bool(name)
        if start == 0 and self._costs:
            self._rate = sum(self._costs.values()) / len(self._costs) / max(1, self._now().size)
        self._trace, self._done, self._work = trace, (key, profile), None

    def _timed(self, work: Iterator[tuple[str, Trace]]) -> Iterator[tuple[str, Trace]]:
        """The same, noting what each instance took; time between two items (other turns of the loop) is not counted."""
        while True:
            before = self._clock()
            item = next(work, None)
            if item is None:
                return
            self._costs[item[0]] = self._clock() - before
            yield item

    def _ask(self) -> None:
        assert self.compute is not None
        assert self._key is not None
        assert self._profile is not None
        asked, key, profile = self._asked, self._key, self._profile

        def take(trace: Trace) -> None:
            if asked == self._asked:
                self._trace, self._done = trace, (key, profile)
                self.changed.emit()

        self.compute(key, profile, take)
        self.changed.emit()
