"""What flows through the steps over a growing history: what is new, what the next request may see otherwise.

A `Stage` takes one Flow for each request; those that are no layer's own stand here. The whole: core/appended.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import is_
from types import ModuleType
from typing import Any, Protocol

from core.layer import Outcome, StepContext
from core.messages import Message
from core.prompt import Block, Blocks


@dataclass(frozen=True, slots=True)
class Flow:
    """What reaches a stage at one request. `fixed`: new blocks that stay, behind those of earlier requests; with `anew`
    they take the place of all of those. `loose`: blocks behind them that the next request may see otherwise."""

    fixed: Blocks
    loose: Blocks = ()
    anew: bool = False


class Stage(Protocol):
    def take(self, flow: Flow, context: StepContext) -> Flow: ...


class Through:
    """A layer that does nothing: switched off, unknown, or set so."""

    def take(self, flow: Flow, context: StepContext) -> Flow:
        return flow


class Whole:
    """Any layer, run over all blocks as the pipeline runs it: a fault hands the blocks on as they came."""

    def __init__(self, layer: ModuleType, settings: Any, given: Blocks = ()) -> None:
        self._layer, self._settings = layer, settings
        self._given, self._sent = list(given), list(given)
        self.overflow = False
        self.carry: object = None
        """What it handed on at the last request."""

    def take(self, flow: Flow, context: StepContext) -> Flow:
        if flow.anew:
            self._given.clear()
            self._sent.clear()
        self._given += flow.fixed
        blocks = (*self._given, *flow.loose)
        outcome = applied(self._layer, self._settings, blocks, replace(context, carry=self.carry))
        self.overflow = outcome is not None and outcome.overflow
        self.carry = outcome.carry if outcome is not None else None
        after = outcome.blocks if outcome is not None else blocks
        # What stands for the loose blocks is taken to be as many; if not, the next comparison finds out.
        end = max(0, len(after) - len(flow.loose))
        known = len(self._sent)
        anew = flow.anew or end < known or not all(map(is_, after, self._sent))
        new = after[:end] if anew else after[known:end]
        if anew:
            self._sent.clear()
        self._sent += new
        return Flow(new, after[end:], anew)


def applied(layer: ModuleType, settings: Any, blocks: Blocks, context: StepContext) -> Outcome | None:
    """What the layer gives; None where the pipeline would say that it failed."""
    try:
        outcome = layer.apply(blocks, settings, context)
    except Exception:
        return None
    if not isinstance(outcome, Outcome) or not isinstance(outcome.blocks, tuple):
        return None
    if outcome.blocks is blocks or set(map(type, outcome.blocks)) <= {Block}:
        return outcome
    return None


class Each:
    """A layer that looks at one block at a time."""

    def __init__(self, layer: ModuleType, settings: Any) -> None:
        self._layer, self._settings = layer, settings

    def take(self, flow: Flow, context: StepContext) -> Flow:
        return Flow(self._made(flow.fixed, context), self._made(flow.loose, context), flow.anew)

    def _made(self, blocks: Blocks, context: StepContext) -> Blocks:
        made: Blocks = self._layer.apply(blocks, self._settings, context).blocks if blocks else blocks
        return made


def replaced(blocks: Blocks, messages: Sequence[Message]) -> Blocks:
    """The very blocks where the message is the same."""
    return tuple(
        [
            block if message is block.message else Block.of(message, block.origin, block)
            for block, message in zip(blocks, messages, strict=True)
        ]
    )
