"""All requests of a path as the guard counts, under one profile.

    step 0 ─▶ steps before the guard ─▶ door ─▶ single result ─▶ whole context ─▶ overflow
              only what is new               only what is new   only where the sum is over its limit

The same numbers as the Trace of each request has them (a law, tested), without a Trace of each request.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import ModuleType

from core import appended, guard
from core.appended import Flow, Stage, Through, applied
from core.arrivals import Arrival
from core.counts import Counts
from core.guard_limits import is_guard, stops_at
from core.guarded import Counted, Guarded, Tally, moved, row_of
from core.layer import StepContext, layers
from core.layers import guard_context, guard_overflow, guard_single
from core.passage import Passage
from core.profile import Instance, Profile
from core.prompt import Block, Blocks
from core.session import Session
from core.session_key import NOTHING, Told
from core.steps import Memory
from core.timeline import Timeline

EVERY = 8
"""Requests between two reports."""


@dataclass(frozen=True, slots=True)
class Door:
    """What came to the first guard at one request. `stop`: a step before it that would have stopped the request."""

    arrival: Arrival
    flow: Flow
    stop: str


@dataclass(slots=True)
class Past:
    """What outlives a change of a threshold: sizes, edited blocks, and what came to the guard at each request.

    One for a session and a path; a change of a step before the guard, or of the window, replaces what came there."""

    session: Session
    timeline: Timeline
    told: Told = NOTHING
    memory: Memory = field(default_factory=Memory)
    key: object = None
    doors: list[Door] = field(default_factory=list)

    def tell(self, told: Told) -> None:
        """What is known beside the file; what came to the guard may be another then."""
        if told != self.told:
            self.told, self.key = told, None

    BOUND = 200_000_000
    """Bytes of a session up to which what came to the guard is kept."""


def replay(
    past: Past,
    counts: Counts,
    profile: Profile,
    window: int | None = None,
    report: Callable[[int], bool] = lambda done: True,
) -> Guarded:
    """All requests of the timeline under `profile`. `report(requests done)` says whether to go on.

    `window`: tokens, wins over the profile's and the timeline's (as in `core.steps.run`)."""
    run = _Run(past, counts, profile, window)
    names = tuple(instance.name for instance in profile.instances)
    table = array("q")
    for done, counted in enumerate(run.all()):
        table.extend(row_of(counted, names))
        if done % EVERY == 0 and not report(done):
            break
    return Guarded(table, names)


class _Run:
    """One pass over the requests under one profile."""

    def __init__(self, past: Past, counts: Counts, profile: Profile, window: int | None) -> None:
        self._past = past
        last = max((i for i, made in enumerate(profile.instances) if is_guard(made)), default=None)
        instances = profile.instances[: last + 1] if last is not None else _spoken(profile.instances)
        first = next((i for i, made in enumerate(instances) if is_guard(made)), len(instances))
        quick = next((i for i in range(first, len(instances)) if not _is_quick(instances[i])), len(instances))
        before, self._quick, self._plain = instances[:first], instances[first:quick], instances[quick:]
        self._asking = any(map(_is_plugin, self._plain))
        """Some step behind the first guard may ask for anything about its request."""
        self._passage = Passage(
            past.session,
            past.timeline,
            counts,
            profile,
            before,
            asking=self._asking,
            window=window,
            memory=past.memory,
            told=past.told,
        )
        self._key = (before, profile.family, self._passage.window, window)

    def all(self) -> Iterator[Counted]:
        behind = _Behind(self._quick, self._plain, self._passage.window)
        for door, context in self._doors():
            yield behind.count(door.flow, context, door.stop)

    def _doors(self) -> Iterator[tuple[Door, StepContext]]:
        """What comes to the first guard; taken from the past where nothing before it is another (and where the steps
        behind it ask for no more than the guard does)."""
        past = self._past
        if past.key == self._key and not self._asking:
            for door in past.doors:
                yield door, self._passage.light(door.arrival)
            return
        past.key, past.doors = None, []
        keep = past.session.size <= past.BOUND and not self._asking
        found: list[Door] = []
        for arrival, context in self._passage.all():
            door = Door(arrival, *self._passage.through(arrival, context))
            if keep:
                found.append(door)
            yield door, context
        if keep:
            past.key, past.doors = self._key, found


def _is_quick(instance: Instance) -> bool:
    layer = layers().get(instance.layer)
    return not instance.on or layer is None or layer is guard_single


def _is_plugin(instance: Instance) -> bool:
    """A step behind the first guard that runs as a whole and may ask for anything."""
    return instance.on and layers().get(instance.layer) not in (guard_single, guard_context, guard_overflow, None)


def _spoken(instances: tuple[Instance, ...]) -> tuple[Instance, ...]:
    """Without a guard: the steps before the messages become the provider's."""
    end = next((i for i, made in enumerate(instances) if made.layer == "provider_messages"), len(instances))
    return instances[:end]


class _Behind:
    """From the first guard to the last: first those that look at one result at a time, then those that see all."""

    def __init__(self, quick: tuple[Instance, ...], plain: tuple[Instance, ...], window: int) -> None:
        self._quick: list[tuple[Instance, Stage, Tally]] = [(made, appended.stage(made), Tally()) for made in quick]
        self._plain = [(made, layers().get(made.layer)) for made in plain if made.on]
        self._door = Tally()
        self._blocks: list[Block] = []
        self._window = window

    def count(self, flow: Flow, context: StepContext, stop: str) -> Counted:
        self._door.take(flow, context)
        sizes, cut = self._door.sizes, 0
        for _, stage, tally in self._quick:
            flow = stage.take(flow, context)
            if isinstance(stage, Through):
                continue
            tally.take(flow, context)
            cut += sum(sizes) - sum(tally.sizes)
            sizes = tally.sizes
        if flow.anew:
            self._blocks.clear()
        self._blocks += flow.fixed
        blocks: Blocks | None = None
        for instance, layer in self._plain:
            if layer is None or self._rests(layer, instance, sum(sizes)):
                continue
            if layer is guard_overflow:
                stop = stop or instance.name
                continue
            blocks = blocks if blocks is not None else (*self._blocks, *flow.loose)
            outcome = applied(layer, instance.settings, blocks, context)
            if outcome is None:
                continue
            stop = stop or (instance.name if outcome.overflow else "")
            if outcome.blocks is not blocks:
                left = moved(sizes, blocks, outcome.blocks, context)
                cut += sum(sizes) - sum(left) if is_guard(instance) else 0
                sizes, blocks = left, outcome.blocks
        return Counted(self._door.sizes, sizes, cut, self._door.largest, stop)

    def _rests(self, layer: ModuleType, instance: Instance, total: int) -> bool:
        """Whether the sum alone says that the layer does nothing."""
        if layer is guard_context:
            return total <= guard.budget_limit(self._window, instance.settings.share)
        if layer is guard_overflow:
            return not instance.settings.raises or total <= stops_at(instance.settings, self._window)
        return False
