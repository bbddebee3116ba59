"""The replay filter over a growing history, as four stages that touch different parts of it: what it leaves out, ids,
images, thinking (core/appended.py)."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import Any

from core import call_ids, heartbeat, sanitizing
from core.flow import Each, Flow, Stage, Whole, replaced
from core.layer import StepContext
from core.layers import replay_filter
from core.messages import Message, Shape
from core.pairing import failed
from core.prompt import Block, Blocks
from core.transcript_policy import transcript_policy


def filtered(settings: Any, context: StepContext) -> list[Stage]:
    """Its stages under these settings, for the provider that is asked."""
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
        return replaced(blocks, messages)


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
        return replaced(blocks, sanitizing.without_old_thinking([block.message for block in blocks]))


def _speaks(message: Message) -> bool:
    return message.role == "assistant" and message.shape is Shape.LIST
