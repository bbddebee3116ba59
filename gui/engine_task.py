"""The worker's side of engines of installed packages: what one answered at a request, for the window. No Qt here.

The window never runs their code (`core.engine_host.not_here`). What earlier requests hand on is worked out here anyway
(`gui.carry_task`); the answer of the request in focus goes with it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from core.assembled import assemble
from core.counts import Counts
from core.engine import built_in
from core.engine_host import hearing
from core.engine_memory import Remembered
from core.engine_store import ForkedStore
from core.profile import Instance, Profile
from core.replay import Carries
from core.session import Session
from core.session_key import Told
from core.steps import begin, run
from core.timeline import Timeline

LAYER = "context_engine"


def with_answers(
    session: Session,
    timeline: Timeline,
    counts: Counts,
    number: int | None,
    profile: Profile,
    carries: Carries,
    told: Told,
) -> Carries:
    """`carries` with what the engines of the profile answer at this very request."""
    last = max((at for at, made in enumerate(profile.instances) if _foreign(made)), default=None)
    if last is None:
        return carries
    shorter = replace(profile, instances=profile.instances[: last + 1])
    start = begin(session, timeline, counts, assemble(session, timeline, counts, number), shorter, told=told)
    found: dict[str, Any] = dict(carries)
    with hearing() as heard:
        for at, made in enumerate(shorter.instances):
            if not _foreign(made):
                continue
            heard.clear()
            run(start, replace(shorter, instances=shorter.instances[: at + 1]), carries=found)
            past = found.get(made.name)
            if not isinstance(past, Remembered) or past.engine != made.settings.engine:
                past = Remembered(made.settings.engine, ForkedStore())
            found[made.name] = replace(past, answer=heard[-1] if heard else None)
    return found


def _foreign(made: Instance) -> bool:
    return made.on and made.layer == LAYER and not built_in(made.settings.engine)
