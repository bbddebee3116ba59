"""Pairs and turns over a growing history: what an open call, or an open turn, holds back until more comes
(core/appended.py)."""

from __future__ import annotations

from dataclasses import replace
from operator import is_
from typing import Any

from core.flow import Flow
from core.layer import StepContext
from core.layers import repair_pairs, validate_turns
from core.pairing import calls
from core.prompt import Block, Blocks


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
