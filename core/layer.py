"""The contract of a layer. Implementations: `core/layers/`, one module each, or `stratascope.layers`.

    ID: str                                        "guard_single"
    TITLE: Phrase                                  its row on screen
    MARK: "request" | "file"                       this request only, or changes the file
    class Settings                                 its thresholds (core.settings)
    def apply(blocks, settings, context) -> Outcome
    def carries(settings, context) -> bool         optional: may what earlier requests handed on (`carry`) matter here?

A layer is a pure function. When it has nothing to do it returns the very `blocks` it got, and says why. It never tells
its own effect: the pipeline compares before and after and writes the Edits. A block that replaces another names it as
`before` and keeps its origin; one that a layer makes has that layer's id as `origin.made_by`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import compress
from operator import attrgetter, is_not
from types import ModuleType
from typing import Any, TypeVar

from core.messages import Json, Message
from core.phrase import Phrase
from core.plugins import discover
from core.prompt import Block, Blocks

Fact = TypeVar("Fact")
Whole = TypeVar("Whole")

MOST = 100_000
"""Blocks that are remembered, and facts beyond those of the prompt at hand."""

NO_REASONS: Mapping[Block, Phrase] = {}


@dataclass(frozen=True, slots=True)
class Target:
    """Whom the request goes to. `family`: "anthropic", "openai" or "google", decides what is a valid prompt."""

    provider: str
    api: str
    model: str
    family: str


@dataclass(frozen=True, slots=True)
class StepContext:
    """What a layer may know beside the blocks.

    `window`: tokens. `now`: epoch ms of the request's start, None if not recorded. `carry`: what this very instance
    handed over at the previous request, None at first. `session_key`: the agent's key of this session ("" = unknown).
    `extra`: data that a layer names in its docstring (heartbeat prompt, system prompt, allowed tools …). `tokens`: of a
    block, by the counter in use; None: a layer that works in tokens estimates them itself.

    What was worked out before is kept: `sizes`: facts of messages by name and block key, see `measure` and `each`;
    `memo`: blocks, so that the same edit of the same block under the same settings is the same object, see `made`;
    `latest`: values about whole prompts, see `whole`.
    """

    window: int
    target: Target
    now: int | None = None
    carry: object = None
    session_key: str = ""
    extra: Mapping[str, Json] = field(default_factory=dict)
    sizes: dict[object, dict[bytes, Any]] = field(default_factory=dict)
    memo: dict[tuple[object, ...], Block] = field(default_factory=dict)
    tokens: Callable[[Block], int] | None = None
    latest: dict[object, tuple[Blocks, Any]] = field(default_factory=dict)

    def measure(self, unit: str, block: Block, size: Callable[[Message], Fact]) -> Fact:
        """`size(block.message)`, computed once per unit and key for as long as the table lives."""
        table = self.sizes.get(unit)
        if table is None:
            table = self.sizes[unit] = {}
        found: Fact | None = table.get(block.key)
        if found is None:
            found = table[block.key] = size(block.message)
        return found

    def each(self, name: object, blocks: Blocks, fact: Callable[[Message], Fact]) -> Sequence[Fact]:
        """`fact(block.message)` of every block, in order, each computed once per name and key. A fact is never None.

        A layer that looks at facts first needs Python only for the blocks that concern it. Of a prompt that differs in
        few blocks from one of the last two (a cut, and the same cut moved), only those are looked at. Not to be
        changed."""
        table = self.sizes.get(name)
        if table is None:
            table = self.sizes[name] = {}
        recent = [known for known in (self.latest.get(("each", name)), self.latest.get(("other", name))) if known]
        for known in recent:
            if known[0] is blocks:
                kept: list[Fact] = known[1]
                return kept
        parent = next((known for known in recent if self._compared(known[0], blocks)), recent[0] if recent else None)
        places = self.touched(parent[0], blocks) if parent is not None else None
        found: list[Any]
        if parent is None or places is None or 2 * len(places) > len(blocks):
            found = list(map(table.get, map(_key, blocks)))
            places = [index for index, value in enumerate(found) if value is None] if None in found else ()
        else:
            found = parent[1].copy()
        if len(table) > 4 * len(blocks) + MOST:
            table.clear()
        for index in places:
            key = blocks[index].key
            value = table.get(key)
            if value is None:
                value = table[key] = fact(blocks[index].message)
            found[index] = value
        if recent:
            self.latest["other", name] = parent or recent[0]
        self.latest["each", name] = (blocks, found)
        return found

    def touched(self, before: Blocks, after: Blocks) -> Sequence[int] | None:
        """Indices at which two prompts do not hold the very same block; None when their lengths differ."""
        if len(before) != len(after):
            return None
        if not self._compared(before, after):
            places = list(compress(range(len(after)), map(is_not, before, after)))
            self.latest["touched"] = (after, (before, places))
        found: list[int] = self.latest["touched"][1][1]
        return found

    def _compared(self, before: Blocks, after: Blocks) -> bool:
        known = self.latest.get("touched")
        return known is not None and known[0] is after and known[1][0] is before

    def whole(self, name: object, blocks: Blocks, make: Callable[[], Whole]) -> Whole:
        """`make()` about this very prompt, until another one comes under the same name: what a drag asks again."""
        known = self.latest.get(name)
        if known is None or known[0] is not blocks:
            known = self.latest[name] = (blocks, make())
        value: Whole = known[1]
        return value

    def made(self, block: Block, how: tuple[object, ...], make: Callable[[], Message]) -> Block:
        """The block that stands for `block` after the edit `how` (any hashable description), made once.

        One that stands for another already is told by identity: equal ones may have come about in different ways, and
        what stands for it must lead back to the one that was given."""
        key = (block if block.before is None else id(block), *how)
        found = self.memo.get(key)
        if found is None:
            self._forget()
            found = self.memo[key] = Block.of(make(), block.origin, block)
        return found

    def added(self, block: Block, how: tuple[object, ...], make: Callable[[], Block]) -> Block:
        """A block that is new because of `block`: a result made up for its call, a merger with the next one."""
        key = (block if block.before is None else id(block), *how)
        found = self.memo.get(key)
        if found is None:
            self._forget()
            self.memo["owner", id(block)] = block  # so that no other block can have its identity
            found = self.memo[key] = make()
        return found

    def _forget(self) -> None:
        """A long drag makes many blocks that are never asked for again."""
        if len(self.memo) >= MOST:
            self.memo.clear()


_key = attrgetter("key")


@dataclass(frozen=True, slots=True)
class Gauge:
    """A measured value beside its threshold, in the layer's own unit. `setting`: the field that moves the threshold.

    `name` is a Phrase id (`gauge.LAYER.NAME`)."""

    name: str
    value: float
    threshold: float
    unit: str
    setting: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a layer gives back. `why`: why it did what it did, or why nothing.

    `short`: the same for the right end of a quiet row. `reasons`: why a block was replaced, dropped or moved (by the
    block that came in) or inserted (by the new block); `reason`: that of all others. `overflow`: the agent would
    raise its overflow error here.
    `notes`: oddities of the agent reproduced here ("rule from reports", "wording ours", "articles differ").
    `failed`: what went wrong inside, when the input is passed on because of that; "" = nothing.
    `each`: instead of `reasons`, why one block was replaced, told from it and from what stands for it *alone*; a layer
    that gives it always gives it. While its threshold is dragged, only what stands otherwise is asked again.
    """

    blocks: Blocks
    why: Phrase
    short: Phrase | None = None
    gauges: tuple[Gauge, ...] = ()
    reasons: Mapping[Block, Phrase] = field(default_factory=lambda: NO_REASONS)
    carry: object = None
    overflow: bool = False
    notes: tuple[Phrase, ...] = ()
    failed: str = ""
    reason: Phrase | None = None
    each: Callable[[Block, Block], Phrase] | None = None


def may_carry(layer: ModuleType | None, settings: Any, context: StepContext) -> bool:
    """Whether an instance of the layer must know what it did at earlier requests. A fault of it means no."""
    asked = getattr(layer, "carries", None)
    try:
        return asked is not None and bool(asked(settings, context))
    except Exception:
        return False


@cache
def layers() -> dict[str, ModuleType]:
    """Every layer by id; looked for once, since asking the installed packages is slow."""
    return discover("core.layers", ("TITLE", "MARK", "Settings", "apply"), "stratascope.layers")
