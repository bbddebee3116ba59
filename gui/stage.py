"""The prompt as it stands between two layers, and what the recorded usage says of it.

assembled (step 0, recorded cache state)      a  b  c  d  e
stage after step k                            a  b' d  +  e      read, written … come along with each block
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from operator import is_
from typing import NamedTuple

from core.assembled import Assembled
from core.difference import changed, sources, stems
from core.pipeline import Edit, Sizes, Step, Trace
from core.prompt import Blocks


class Known(NamedTuple):
    """What was computed of a stage of the same prompt: blocks that stay are not looked at again."""

    blocks: Blocks
    tokens: tuple[int, ...]
    source: tuple[int | None, ...]
    shown: Assembled


@dataclass(frozen=True, eq=False)
class Stage:
    """`step`: the one that was applied last; None = all of them. `number`: its place in the trace.

    `before`: the blocks that came into the step, or those of step 0 when all steps are applied; `blocks`: what it left.
    Sizes and sources are computed when they are first asked for, and only for what is not as in `known`.
    """

    trace: Trace
    step: Step | None
    number: int
    before: Blocks
    blocks: Blocks
    assembled: Assembled
    sizes: Sizes
    known: Known | None = None

    @cached_property
    def _others(self) -> list[int] | None:
        """Indexes of blocks that are not those of `known`; None = all may be others."""
        if self.known is None:
            return None
        return [] if self.blocks is self.known.blocks else changed(self.known.blocks, self.blocks)

    @cached_property
    def tokens(self) -> tuple[int, ...]:
        """Of each of `blocks`, by the counter in use."""
        if self.known is None or self._others is None:
            return tuple(map(self.sizes.tokens, self.blocks))
        if not self._others:
            return self.known.tokens
        found = list(self.known.tokens)
        for index in self._others:
            found[index] = self.sizes.tokens(self.blocks[index])
        return tuple(found)

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
        if self.known is not None and self._others is not None and all(map(self._stays, self._others)):
            return self.known.source
        return tuple(sources(self.assembled.blocks, self.blocks))

    def _stays(self, index: int) -> bool:
        """Whether another block stands for the same assembled one as the block of `known` in its place."""
        assert self.known is not None
        at = self.known.source[index]
        return at is not None and stems(self.blocks[index], self.assembled.blocks[at])

    @cached_property
    def shown(self) -> Assembled:
        """The stage in the form of the assembled prompt, recorded cache states brought along with their blocks."""
        recorded = self.assembled
        if self.blocks is recorded.blocks:
            return replace(recorded, tokens=self.tokens)
        known = self.known
        if known is not None and self.blocks is known.blocks and self.source is known.source:
            return known.shown
        if known is not None and self.source is known.source:
            return replace(known.shown, blocks=self.blocks, tokens=self.tokens)
        return recorded.staged(self.blocks, self.tokens, self.source)


def tells_the_same(old: Stage | None, new: Stage | None) -> bool:
    """Whether two stages of one prompt have the same blocks, made by the same edits: only numbers of the steps, which
    a dragged threshold moves all the time, may be others."""
    if old is None or new is None:
        return old is new
    if old.blocks is not new.blocks or old.before is not new.before or old.number != new.number:
        return False
    return all(map(_same_edits, old.trace.steps, new.trace.steps)) and len(old.trace.steps) == len(new.trace.steps)


def _same_edits(one: Step, other: Step) -> bool:
    mine, theirs = one.edits, other.edits
    return mine is theirs or (len(mine) == len(theirs) and all(map(is_, mine, theirs)))


def known_of(stage: Stage | None, assembled: Assembled, sizes: Sizes) -> Known | None:
    """What a stage of `assembled` computed, if it was asked for all of it."""
    if stage is None or stage.assembled is not assembled or stage.sizes is not sizes:
        return None
    computed = stage.__dict__  # where cached properties are kept
    if not {"shown", "source"} <= computed.keys():
        return None
    return Known(stage.blocks, stage.tokens, stage.source, stage.shown)


def stage_of(trace: Trace, name: str | None, assembled: Assembled, sizes: Sizes, before: Stage | None = None) -> Stage:
    """The stage after the instance `name`; None, or a name that the profile does not have = all steps applied.
    `before`: the stage that was shown last, for what stays as it was."""
    known = known_of(before, assembled, sizes)
    for number, step in enumerate(trace.steps):
        if step.instance == name:
            came = step.before if number else step.after
            return Stage(trace, step, number, came, step.after, assembled, sizes, known)
    last = len(trace.steps) - 1
    return Stage(trace, None, last, trace.steps[0].after, trace.blocks, assembled, sizes, known)
