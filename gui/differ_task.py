"""The worker's side of comparing a prompt with that of any other request, of this branch or another. No Qt in here.

there   T S│D m m m          the other request stays as it is, its steps run under the same profile
here    T S│D m m m' m m     └ where this one first differs from it
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from core import steps
from core.assembled import assemble
from core.context import Origin, message_of
from core.difference import first_difference
from core.leading import Leading, leading_of
from core.messages import Message
from core.named_sources import Sources
from core.pipeline import Trace
from core.profile import Profile
from core.prompt import Block
from core.prompt_source import resolve
from core.recorded_prompt import parts_of
from core.session import Session
from core.session_key import Told
from core.steps import Memory
from gui.carry_task import carries
from gui.differs import Against, of_leading, of_messages
from gui.opened import opened, show
from gui.trace_task import given_of, known_traces

At = tuple[int | None, int | None]
"""(leaf, request), request None: what would be sent next."""


@dataclass(frozen=True, slots=True)
class _Side:
    number: int | None
    trace: Trace
    leading: Sequence[Leading]


class _Shared:
    """What both prompts have in common is read, counted and edited once, and is then the very same block."""

    def __init__(self, session: Session) -> None:
        self.session, self.memory = session, Memory()
        self.body = cache(session.body)
        self.message = cache(lambda row: message_of(session, row, self.body(row)))
        self._blocks: dict[tuple[int, Origin], Block] = {}

    def block(self, message: Message, origin: Origin) -> Block:
        key = (id(message), origin)  # messages are kept as long as this is
        found = self._blocks.get(key)
        if found is None or found.message is not message:
            found = self._blocks[key] = Block.of(message, origin)
        return found


def against(
    path: str, here: At, there: At, counter: str, profile: Profile, told: Told, paths: Sources, report: Any
) -> Against | None:
    """`there`: a request beyond the last one of its path counts as the last. None: there is no such request, or it was
    stopped. `paths`: traces that a person named."""
    shared = _Shared(opened(path, report).session)
    one = _side(path, there, counter, profile, told, paths, shared, report)
    other = _side(path, here, counter, profile, told, paths, shared, report) if one is not None else None
    if one is None or other is None:
        return None
    known = bool(one.leading) and [item.section for item in one.leading] == [item.section for item in other.leading]
    old, new = one.trace.blocks, other.trace.blocks
    differs = of_leading(parts_of(one.leading, other.leading)) or of_messages(one.trace, other.trace)
    first = first_difference(old, new)
    return Against(one.number, differs, len(old) if first is None else first.block, len(old), known)


def _side(
    path: str,
    at: At,
    counter: str,
    profile: Profile,
    told: Told,
    paths: Sources,
    shared: _Shared,
    report: Any,
) -> _Side | None:
    session = shared.session
    leaf, number = at
    loaded = show(path, counter, leaf, report)
    timeline = loaded.timeline
    if number is not None:
        number = min(number, len(timeline.summaries))
        if number < 1:
            return None
    handed = carries(path, leaf, counter, number, profile, told, report)
    if handed is None:
        return None
    assembled = assemble(
        session, timeline, loaded.counts, number, message=shared.message, body=shared.body, block=shared.block
    )
    start = steps.begin(session, timeline, loaded.counts, assembled, profile, memory=shared.memory, told=told)
    trace = steps.run(start, profile, carries=handed)
    known = known_traces(path, counter, paths, report)
    leading: Sequence[Leading] = ()
    if not known.silent:
        row = timeline.summaries[number - 1].request.entry if number is not None else None
        source = resolve(session, timeline.path, row, known.recordings, given_of(known, loaded))
        leading = leading_of(source, lambda _: 0)
    return _Side(number, trace, leading)
