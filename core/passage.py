"""From the path to one layer in the middle of a profile: what comes to it at each request, told as what is new.

    step 0 ─▶ the instances before it, by their stages ─▶ what comes to it
              only what is new

Shared by passes over all requests: as the guard counts (`core.guard_replay`), and what one request hands to the next
(`core.replay`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from core import appended, steps
from core.appended import Flow, Quick, Whole
from core.arrivals import Arrival, Sending, arrivals, assembled
from core.context import message_of
from core.counts import Counts
from core.engine_memory import rewritten
from core.engine_rewrite import amended
from core.layer import StepContext, Target
from core.messages import Message
from core.profile import Instance, Profile
from core.prompt import Block, Blocks
from core.session import Session
from core.session_key import NOTHING, Told
from core.steps import Memory, Start
from core.timeline import Timeline
from core.transcript_policy import TranscriptPolicy, transcript_policy


class Passage:
    """`before`: the instances that a request passes first. `asking`: what comes after them may ask for anything about
    its request. `window`: tokens, wins over those of profile and timeline. `told`: of the session beside its file."""

    def __init__(
        self,
        session: Session,
        timeline: Timeline,
        counts: Counts,
        profile: Profile,
        before: tuple[Instance, ...],
        *,
        asking: bool = True,
        window: int | None = None,
        memory: Memory | None = None,
        told: Told = NOTHING,
    ) -> None:
        self._session, self._timeline, self._counts, self._profile = session, timeline, counts, profile
        self._before, self._asking, self._wanted, self._told = before, asking, window, told
        self._memory = memory if memory is not None else Memory()
        own = profile.window if window is None else window
        self.window = own if own is not None else timeline.window
        self._sending = Sending(session, session.body, lambda row: message_of(session, row))
        self._policy: TranscriptPolicy | None = None
        self._begun: list[Block] = []
        self._stages = [appended.stage(made) for made in before]
        self._whole = any(isinstance(stage, Whole) for stage in self._stages)
        self.rewrites: Mapping[int, Message] = {}
        """What a context engine wants to stand in entries from the next request on (`core.engine_rewrite`), by row."""
        self._given: list[Block] = []
        self._used: Mapping[int, Message] = {}

    def all(self) -> Iterator[tuple[Arrival, StepContext]]:
        """Every request of the path, then what would be sent next, each with what its layers get to know."""
        for arrived in arrivals(self._session, self._timeline, self._sending):
            arrival = self._amended(arrived)
            if arrival.flow.anew:
                self._begun.clear()
            self._begun += arrival.flow.fixed
            yield arrival, self._context(arrival) if self._whole or self._asking else self.light(arrival)

    def _amended(self, arrival: Arrival) -> Arrival:
        """As the branch has it on which entries are rewritten; the very arrival as long as none is."""
        flow = arrival.flow
        if flow.anew:
            self._given.clear()
        self._given += flow.fixed
        if self.rewrites == self._used:
            if not self._used:
                return arrival
            return replace(arrival, flow=replace(flow, fixed=self._rewritten(flow.fixed)))
        self._used = self.rewrites
        return replace(arrival, flow=Flow(self._rewritten(self._given), (), True))

    def _rewritten(self, blocks: Sequence[Block]) -> Blocks:
        made = StepContext(self.window, Target("", "", "", ""), memo=self._memory.memo)
        return amended(tuple(blocks), self._used, made)

    def through(self, arrival: Arrival, context: StepContext) -> tuple[Flow, str]:
        """(what comes out of the instances before; the first of them that would have stopped the request, or "")."""
        flow = arrival.flow
        policy = transcript_policy(context.target.api, context.target.model)
        if policy != self._policy and self._policy is not None:
            flow = Flow(tuple(self._begun), (), True)  # another provider: every step begins again
        self._policy = policy
        stop = ""
        for instance, stage in zip(self._before, self._stages, strict=True):
            flow = stage.take(flow, context)
            if isinstance(stage, Whole | Quick):
                stop = stop or (instance.name if stage.overflow else "")
                if stage.carry is not None:
                    self.rewrites = rewritten((stage.carry,)) or self.rewrites
        return flow, stop

    def light(self, arrival: Arrival) -> StepContext:
        """As much as the layers ask for whose ways are known."""
        light = assembled(self._session, self._timeline, self._counts, arrival, (), self._sending)
        target = steps.target_of(self._session, self._timeline, light, self._profile.family)
        now = light.request.start if light.request is not None else None
        memory, told = self._memory, self._told
        extra = {} if told.config is None else {"config": told.config}
        return StepContext(
            self.window, target, now, session_key=told.key, extra=extra, sizes=memory.sizes, memo=memory.memo
        )

    def _context(self, arrival: Arrival) -> StepContext:
        """Everything that a layer may ask for, as `core.steps` has it; sizes in tokens only if one asks for them."""
        blocks = tuple(self._begun)
        tokens = _Tokens(lambda: self._begin(arrival, blocks).step.tokens)
        return replace(self._begin(arrival, ()).step, window=self.window, tokens=tokens)

    def _begin(self, arrival: Arrival, blocks: Blocks) -> Start:
        session, timeline, counts = self._session, self._timeline, self._counts
        found = assembled(session, timeline, counts, arrival, blocks, self._sending)
        return steps.begin(
            session,
            timeline,
            counts,
            found,
            self._profile,
            window=self._wanted,
            memory=self._memory,
            told=self._told,
        )


class _Tokens:
    """Tokens of a block; how they are measured is worked out when the first one is asked for."""

    def __init__(self, make: Callable[[], Callable[[Block], int] | None]) -> None:
        self._make = make
        self._measure: Callable[[Block], int] | None = None

    def __call__(self, block: Block) -> int:
        if self._measure is None:
            self._measure = self._make()
            assert self._measure is not None
        return self._measure(block)
