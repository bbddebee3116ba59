"""The prompt as it stands between two layers, and what the recorded usage says of it.

assembled (step 0, recorded cache state)      a  b  c  d  e
stage after step k                            a  b' d  +  e      read, written … come along with each block
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from core.assembled import Assembled
from core.difference import sources
from core.pipeline import Edit, Sizes, Step, Trace
from core.prompt import Blocks


@dataclass(frozen=True, eq=False)
class Stage:
    """`step`: the one that was applied last; None = all of them. `number`: its place in the trace.

    `before`: the blocks that came into the step, or those of step 0 when all steps are applied; `blocks`: what it left.
    Sizes and sources are computed when they are first asked for.
    """

    trace: Trace
    step: Step | None
    number: int
    before: Blocks
    blocks: Blocks
    assembled: Assembled
    sizes: Sizes

    @cached_property
    def tokens(self) -> tuple[int, ...]:
        """Of each of `blocks`, by the counter in use."""
        return tuple(map(self.sizes.tokens, self.blocks))

    @cached_property
    def tokens_before(self) -> tuple[int, ...]:
        """Of each of `before`."""
        return tuple(map(self.sizes.tokens, self.before))

    @property
    def edits(self) -> tuple[Edit, ...]:
        """What the step did; empty when all steps are applied (then every step has its own)."""
        return self.step.edits if self.step is not None else ()

    @cached_property
    def source(self) -> tuple[int | None, ...]:
        """For each block the index of the assembled block that it stands for; None = a layer made it."""
        return tuple(sources(self.assembled.blocks, self.blocks))

    @cached_property
    def shown(self) -> Assembled:
        """The stage in the form of the assembled prompt, recorded cache states brought along with their blocks.

        A block that a layer made takes the state of the block before it."""
        recorded = self.assembled
        if self.blocks is recorded.blocks:
            return replace(recorded, tokens=self.tokens)
        states = []
        state = recorded.states[0] if recorded.states else recorded.unrecorded_state
        cached = None
        for index, at in enumerate(self.source):
            if at is not None:
                state = recorded.states[at]
                if cached is None and recorded.cached_blocks is not None and at >= recorded.cached_blocks:
                    cached = index
            states.append(state)
        if recorded.cached_blocks is not None and cached is None:
            cached = len(self.blocks)
        return replace(recorded, blocks=self.blocks, tokens=self.tokens, states=tuple(states), cached_blocks=cached)


def stage_of(trace: Trace, name: str | None, assembled: Assembled, sizes: Sizes) -> Stage:
    """The stage after the instance `name`; None, or a name that the profile does not have = all steps applied."""
    for number, step in enumerate(trace.steps):
        if step.instance == name:
            before = step.before if number else step.after
            return Stage(trace, step, number, before, step.after, assembled, sizes)
    last = len(trace.steps) - 1
    return Stage(trace, None, last, trace.steps[0].after, trace.blocks, assembled, sizes)
