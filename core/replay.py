"""What one request hands to the next: the requests of a path, folded in time order under one profile.

    request 1 ─▶ steps ─▶ carry ─┐
    request 2 ─▶ steps ◀─────────┘ ─▶ carry ─▶ …          carry: sticky cuts, when pruning touched the cache

Only the instances up to the last that carries anything run, and those before the first that does look at what is new
alone (`core.passage`). With the carry of a request its exact Trace is one run of the pipeline. Nothing is simulated of
what a compaction of ours would do: the path is the recorded one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from core.appended import applied
from core.assembled import assemble
from core.counter import Counter
from core.counts import Counts
from core.engine_memory import rewritten
from core.layer import layers, may_carry
from core.passage import Passage
from core.pipeline import Trace
from core.profile import Instance, Profile
from core.prompt import Block
from core.session import Session
from core.session_key import NOTHING, Told
from core.steps import Memory, Start, begin, run
from core.timeline import Timeline

Carries = Mapping[str, object]
"""What the request before handed over, by instance; instances that hand nothing over are not in it."""
NO_CARRIES: Carries = {}
EVERY = 8
"""Requests between two reports."""


def carrying(start: Start, profile: Profile) -> tuple[str, ...]:
    """The instances of the profile for which earlier requests matter at this one; () = its Trace stands alone."""
    known = layers()
    return tuple(
        made.name
        for made in profile.instances
        if made.on and may_carry(known.get(made.layer), made.settings, start.step)
    )


def hands_on(profile: Profile) -> tuple[Instance, ...]:
    """The instances up to the last that may hand anything on: what the carries of all requests depend on."""
    last = max((i for i, made in enumerate(profile.instances) if _hands_on(made)), default=-1)
    return profile.instances[: last + 1]


def _hands_on(made: Instance) -> bool:
    return made.on and hasattr(layers().get(made.layer), "carries")


def fold(
    session: Session,
    timeline: Timeline,
    counts: Counts,
    profile: Profile,
    *,
    window: int | None = None,
    memory: Memory | None = None,
    told: Told = NOTHING,
) -> Iterator[Carries]:
    """What comes to request 1, 2, … of the path, and at last to what would be sent next, each when it is asked for.

    `window`: tokens, as in `core.steps.begin`."""
    known, instances = layers(), hands_on(profile)
    first = next((i for i, made in enumerate(instances) if _hands_on(made)), len(instances))
    passage = Passage(session, timeline, counts, profile, instances[:first], window=window, memory=memory, told=told)
    blocks: list[Block] = []
    held: dict[str, object] = {}
    for arrival, context in passage.all():
        yield dict(held)
        flow, _ = passage.through(arrival, context)
        if flow.anew:
            blocks.clear()
        blocks += flow.fixed
        now = (*blocks, *flow.loose)
        for made in instances[first:]:
            layer = known.get(made.layer) if made.on else None
            if layer is None:
                continue
            outcome = applied(layer, made.settings, now, replace(context, carry=held.pop(made.name, None)))
            if outcome is None:
                continue
            now = outcome.blocks
            if outcome.carry is not None:
                held[made.name] = outcome.carry
        passage.rewrites = rewritten(held.values())


def carries_at(
    session: Session,
    timeline: Timeline,
    counts: Counts,
    number: int | None,
    profile: Profile,
    *,
    window: int | None = None,
    told: Told = NOTHING,
    report: Callable[[int], bool] = lambda done: True,
) -> Carries:
    """What comes to one request (None: to what would be sent next). `report(requests done)` says whether to go on; if
    not, nothing comes."""
    if not hands_on(profile):
        return NO_CARRIES
    last = number if number is not None else len(timeline.summaries) + 1
    for at, found in enumerate(fold(session, timeline, counts, profile, window=window, told=told), 1):
        if at == last:
            return found
        if at % EVERY == 0 and not report(at):
            break
    return NO_CARRIES


def trace(
    session: Session,
    timeline: Timeline,
    counts: Counts,
    number: int | None,
    profile: Profile,
    *,
    window: int | None = None,
    counter: Counter | None = None,
    told: Told = NOTHING,
    report: Callable[[int], bool] = lambda done: True,
) -> tuple[Start, Trace]:
    """The Trace of a request with what earlier ones handed on, and what it started from."""
    assembled = assemble(session, timeline, counts, number)
    start = begin(session, timeline, counts, assembled, profile, window=window, counter=counter, told=told)
    carries = NO_CARRIES
    if carrying(start, profile):
        carries = carries_at(session, timeline, counts, number, profile, window=window, told=told, report=report)
    return start, run(start, profile, carries=carries)
