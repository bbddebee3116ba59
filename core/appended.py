"""Steps over a history that grows at its end: only what is new is looked at.

    request 1    u a r             fixed  u a r
    request 2    u a r a r         fixed  + a r
    request 3    u a r a r a       fixed  +         loose  a        an open call: what comes next decides
    compaction   S a r u           anew

A `Stage` gives of each Flow what its layer would give of all blocks up to there; after any Flow, everything fixed so
far and what is loose are what `apply` makes of the whole (a law, tested). A layer that nothing is known of runs over
all blocks each time; what follows still sees only what changed.

Made-up messages (a missing result, a first user) carry the time of the request at which they were first made up.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, replace
from operator import is_
from types import ModuleType
from typing import Any, Protocol

from core import call_ids, heartbeat, sanitizing
from core.layer import Outcome, StepContext, layers
from core.layers import (
    context_engine,
    guard_single,
    limit_history,
    repair_inputs,
    repair_pairs,
    replay_filter,
    strip_details,
    validate_turns,
)
from core.messages import Message, Shape
from core.pairing import calls, failed
from core.profile import Instance
from core.prompt import Block, Blocks
from core.transcript_policy import transcript_policy


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


class Quick:
    """Stages that look at new blocks only; from a fault on (the layer itself decides what becomes of it) the layer over
    all blocks, until a history begins anew."""

    def __init__(self, layer: ModuleType, settings: Any) -> None:
        self._layer, self._settings = layer, settings
        self._given: list[Block] = []
        self._stages: list[Stage] = []
        self._whole: Whole | None = None

    @property
    def overflow(self) -> bool:
        return self._whole is not None and self._whole.overflow

    @property
    def carry(self) -> object:
        """As of Whole."""
        wholes = [stage for stage in (*self._stages, self._whole) if isinstance(stage, Whole)]
        return next((stage.carry for stage in wholes if stage.carry is not None), None)

    def take(self, flow: Flow, context: StepContext) -> Flow:
        if flow.anew or not self._given:
            carry = self.carry
            self._given.clear()
            self._stages = stages(self._layer, self._settings, context)
            self._whole = None
            for stage in self._stages:
                if isinstance(stage, Whole):
                    stage.carry = carry
        self._given += flow.fixed
        if self._whole is not None:
            return self._whole.take(flow, context)
        try:
            found = flow
            for stage in self._stages:
                found = stage.take(found, context)
            return found
        except Exception:
            self._whole = Whole(self._layer, self._settings)
            return self._whole.take(Flow(tuple(self._given), flow.loose, True), context)


def stage(instance: Instance) -> Stage:
    """The stage of one instance of a profile."""
    layer = layers().get(instance.layer)
    if layer is None or not instance.on:
        return Through()
    return Quick(layer, instance.settings) if layer in QUICK else Whole(layer, instance.settings)


def stages(layer: ModuleType, settings: Any, context: StepContext) -> list[Stage]:
    """The quick stages that together are a layer under these settings."""
    if layer is replay_filter:
        return _filtered(settings, context)
    if layer is repair_pairs:
        return [Pairs(settings)]
    if layer is validate_turns:
        return [Turns(settings)]
    if layer is limit_history:
        return [Through()] if not limit_history.limit_of(settings, context)[0] > 0 else [Whole(layer, settings)]
    if layer is context_engine:
        return [Through()] if settings.engine == "legacy" else [Whole(layer, settings)]
    return [Each(layer, settings)]


QUICK = frozenset(
    {
        context_engine,
        guard_single,
        limit_history,
        repair_inputs,
        repair_pairs,
        replay_filter,
        strip_details,
        validate_turns,
    }
)
"""The very modules, so that a plug-in of the same id is not taken for one of them."""


class Each:
    """A layer that looks at one block at a time."""

    def __init__(self, layer: ModuleType, settings: Any) -> None:
        self._layer, self._settings = layer, settings

    def take(self, flow: Flow, context: StepContext) -> Flow:
        return Flow(self._made(flow.fixed, context), self._made(flow.loose, context), flow.anew)

    def _made(self, blocks: Blocks, context: StepContext) -> Blocks:
        made: Blocks = self._layer.apply(blocks, self._settings, context).blocks if blocks else blocks
        return made


# the replay filter, as four stages: what it leaves out, ids, images, thinking (the last three touch different parts)


def _filtered(settings: Any, context: StepContext) -> list[Stage]:
    policy = transcript_policy(context.target.api, context.target.model)
    ids, thinking = settings.ids, settings.old_thinking
    ids = policy.call_ids or "repeated" if ids == "by_provider" else ids
    drops = policy.drop_thinking if thinking == "by_provider" else thinking == "drop"
    found: list[Stage] = [LeftOut(settings)]
    if ids != "keep":
        found.append(Ids(ids, settings.native_ids))
    if settings.old_images:
        found.append(Images(settings))
    if drops:
        found.append(Thinking())
    return found


class LeftOut:
    """Mirrors, heartbeat pairs, empty replies, hidden commands. A heartbeat question waits for what follows it."""

    def __init__(self, settings: Any) -> None:
        only = replace(settings, ids="keep", old_images=False, old_thinking="keep")
        self._each = Each(replay_filter, only)
        self._pairs: bool = settings.heartbeats
        self._held: Blocks = ()

    def take(self, flow: Flow, context: StepContext) -> Flow:
        blocks = flow.fixed if flow.anew else (*self._held, *flow.fixed)
        cut = self._parted(blocks, context) if self._pairs else len(blocks)
        self._held = blocks[cut:]
        return self._each.take(Flow(blocks[:cut], (*self._held, *flow.loose), flow.anew), context)

    @staticmethod
    def _parted(blocks: Blocks, context: StepContext) -> int:
        """A place that no pair reaches across: behind a block that surely stays and asks nothing."""
        prompt = context.extra.get("heartbeat_prompt", heartbeat.DEFAULT_PROMPT)
        for index in range(len(blocks) - 1, -1, -1):
            message = blocks[index].message
            if message.role not in ("assistant", "bashExecution") and not heartbeat.is_question(message, prompt):
                return index + 1
        return 0


class Ids:
    """Ids made safe and distinct, one after another; "repeated": only from the first message on that calls twice under
    one id, and then for everything before it too."""

    def __init__(self, mode: str, native: bool) -> None:
        self._mode, self._native = mode, native
        self._on = self._renaming = mode != "repeated"
        self._names = self._fresh()
        self._given: list[Block] = []

    def _fresh(self) -> call_ids.Names:
        return call_ids.Names("strict9" if self._mode == "strict9" else "strict", self._native)

    def take(self, flow: Flow, context: StepContext) -> Flow:
        if not self._on:
            self._given += flow.fixed
            self._on = replay_filter.repeated_ids(flow.fixed)
            renames = self._on or replay_filter.repeated_ids(flow.loose)
            if renames != self._renaming:
                self._renaming, self._names = renames, self._fresh()
                flow = Flow(tuple(self._given), flow.loose, True)
        if not self._renaming:
            return flow
        fixed = self._renamed(flow.fixed, self._names)
        loose = self._renamed(flow.loose, deepcopy(self._names)) if flow.loose else ()
        return Flow(fixed, loose, flow.anew)

    def _renamed(self, blocks: Blocks, names: call_ids.Names) -> Blocks:
        """A failed reply takes no part, as in the layer."""
        alive = [index for index, block in enumerate(blocks) if not failed(block.message)]
        messages = [block.message for block in blocks]
        again = call_ids.distinct([messages[index] for index in alive], names.mode, names.native, names)
        for index, message in zip(alive, again, strict=True):
            messages[index] = message
        return _replaced(blocks, messages)


class Images:
    """Old images are taken out as turns are completed: while there are any, the layer itself looks at all blocks."""

    def __init__(self, settings: Any) -> None:
        off = dict.fromkeys(("mirrors", "heartbeats", "empty_assistants", "excluded_commands"), False)
        self._settings = replace(settings, **off, ids="keep", old_thinking="keep")
        self._given: list[Block] = []
        self._whole: Whole | None = None

    def take(self, flow: Flow, context: StepContext) -> Flow:
        if self._whole is None:
            blocks = (*flow.fixed, *flow.loose)
            if not any(part.kind == "image" for block in blocks for part in block.message.parts):
                self._given += flow.fixed
                return flow
            self._whole = Whole(replay_filter, self._settings, tuple(self._given))
        return self._whole.take(flow, context)


class Thinking:
    """Thinking goes from all assistants but the last, which waits for the next one."""

    def __init__(self) -> None:
        self._held: Blocks = ()

    def take(self, flow: Flow, context: StepContext) -> Flow:
        blocks = flow.fixed if flow.anew else (*self._held, *flow.fixed)
        spoken = [index for index, block in enumerate(blocks) if _speaks(block.message)]
        cut = spoken[-1] if spoken else len(blocks)
        older = self._thoughtless(blocks[: cut + 1])[:cut]
        self._held = blocks[cut:]
        return Flow(older, self._thoughtless((*self._held, *flow.loose)), flow.anew)

    @staticmethod
    def _thoughtless(blocks: Blocks) -> Blocks:
        return _replaced(blocks, sanitizing.without_old_thinking([block.message for block in blocks]))


def _speaks(message: Message) -> bool:
    return message.role == "assistant" and message.shape is Shape.LIST


def _replaced(blocks: Blocks, messages: Any) -> Blocks:
    """The very blocks where the message is the same."""
    return tuple(
        [
            block if message is block.message else Block.of(message, block.origin, block)
            for block, message in zip(blocks, messages, strict=True)
        ]
    )


# pairs and turns


class Pairs:
    """Calls and results. What lies behind the last assistant with calls waits for its results.

    The agent returns its very input until something changes, and from then on its own list: both are kept."""

    def __init__(self, settings: Any) -> None:
        self._settings = settings
        self._walk = repair_pairs.Repair()
        self._closed: list[Block] = []
        self._held: Blocks = ()
        self._own = False
        """Whether what was sent on is the list of the walk, not the input."""

    def take(self, flow: Flow, context: StepContext) -> Flow:
        blocks = (*self._held, *flow.fixed)
        cut = next((i for i in range(len(blocks) - 1, -1, -1) if blocks[i].message.role == "assistant"), None)
        end = cut if cut is not None and calls(blocks[cut].message) else len(blocks)
        walk, known = self._walk, len(self._walk.out)
        repair_pairs.repair(blocks[:end], self._settings, context, walk)
        self._closed += blocks[:end]
        self._held = blocks[end:]
        rest = (*self._held, *flow.loose)
        tail = repair_pairs.Repair(seen=set(walk.seen), changed=walk.changed)
        repair_pairs.repair(rest, self._settings, context, tail)
        new = tuple(walk.out[known:]) if tail.changed else blocks[:end]
        loose = tuple(tail.out) if tail.changed else rest
        anew = flow.anew
        if self._own != tail.changed:
            self._own = tail.changed
            if len(walk.out) != len(self._closed) or not all(map(is_, walk.out, self._closed)):
                anew, new = True, tuple(walk.out if tail.changed else self._closed)
        return Flow(new, loose, anew)


class Turns:
    """Merged turns. A run of users and assistants waits until something else, or an assistant after a user, ends it."""

    def __init__(self, settings: Any) -> None:
        self._first = settings
        self._later = replace(settings, first="never")  # only the very first message needs a user in front
        self._held: Blocks = ()
        self._begun = False

    def take(self, flow: Flow, context: StepContext) -> Flow:
        blocks = (*self._held, *flow.fixed)
        cut = next((i for i in range(len(blocks), 0, -1) if self._ends(blocks, i)), 0)
        self._held = blocks[cut:]
        fixed = self._made(blocks[:cut], context)
        self._begun = self._begun or cut > 0
        return Flow(fixed, self._made((*self._held, *flow.loose), context), flow.anew)

    def _made(self, blocks: Blocks, context: StepContext) -> Blocks:
        if not blocks:
            return blocks
        return validate_turns.apply(blocks, self._later if self._begun else self._first, context).blocks

    @staticmethod
    def _ends(blocks: Blocks, index: int) -> bool:
        """Whether nothing before `index` can be merged with anything from there on."""
        before = blocks[index - 1].message
        if not before.is_object or not before.role:
            return False
        if before.role not in ("user", "assistant"):
            return True
        after = blocks[index].message if index < len(blocks) else None
        return before.role == "user" and after is not None and after.is_object and after.role == "assistant"
