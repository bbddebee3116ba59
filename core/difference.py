"""Before and after side by side: which block of one prompt stands for which of the other, and where they first differ.

    before   a b c d e          rows    a a same · b – dropped · c C replaced · – x inserted · d d same
    after    a C x d  (e gone)

Blocks belong together by identity, then along what a block replaced (`Block.before`), then by key and origin.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress, count, islice
from operator import is_not
from typing import Literal, NamedTuple, TypeVar

from core import javascript
from core.matching import in_order
from core.messages import Json, Message
from core.prompt import Block, Blocks
from core.segments import common_prefix
from core.sent import sent

PLAIN = frozenset({"user", "assistant", "toolResult"})
"""Roles of which nothing but the content and what `_names` lists is sent."""

Kind = Literal["same", "replaced", "dropped", "inserted", "moved"]


class Row(NamedTuple):
    """`before`, `after`: index of the block on each side, None = nothing stands there.

    dropped and inserted have one side. A moved block has two rows, each with one side; `other` is its index on the
    other side (None for all other rows). A tuple, since ten thousand are made while a threshold is dragged."""

    kind: Kind
    before: int | None
    after: int | None
    other: int | None = None


def changed(before: Blocks, after: Blocks) -> list[int] | None:
    """Indexes at which another block stands; None where there are more or fewer: then any may be another. It costs a
    hundredth of looking at each block, which is what makes a drag over ten thousand blocks smooth."""
    if len(before) != len(after):
        return None
    return list(compress(range(len(after)), map(is_not, before, after)))


def ends(before: Sequence[object], after: Sequence[object]) -> tuple[int, int]:
    """How many items at the beginning, and at the end behind those, are the very same objects."""
    least = min(len(before), len(after))
    head = next(compress(count(), map(is_not, before, after)), least)
    backwards = map(is_not, islice(reversed(before), least - head), islice(reversed(after), least - head))
    return head, next(compress(count(), backwards), least - head)


Item = TypeVar("Item")


def middles(before: Sequence[Item], after: Sequence[Item]) -> tuple[Sequence[Item], Sequence[Item]]:
    """What is left of both without the very same items at the beginning and at the end."""
    head, tail = ends(before, after)
    return before[head : len(before) - tail], after[head : len(after) - tail]


def stems(block: Block, old: Block) -> bool:
    """Is it the old block, or made of it?"""
    if block is old:
        return True
    earlier = block.before
    while earlier is not None and earlier is not old:
        earlier = earlier.before
    return earlier is old


def sources(before: Blocks, after: Blocks) -> list[int | None]:
    """For each block of `after` the index in `before` of the one that it is or stands for; no index comes twice."""
    if before is after:
        return list(range(len(before)))
    head = tail = 0
    least = min(len(before), len(after))
    while head < least and stems(after[head], before[head]):
        head += 1
    while tail < least - head and stems(after[-1 - tail], before[-1 - tail]):
        tail += 1
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    inner: Sequence[int | None] | None = _left(old, new) if len(new) < len(old) else None
    if inner is None:
        inner = _sources(old, new)
    shifted = [at + head if at is not None else None for at in inner]
    return [*range(head), *shifted, *range(len(before) - tail, len(before))]


def _left(before: Blocks, after: Blocks) -> list[int] | None:
    """The same where blocks only went, as most steps have it; None where something else happened too. One walk along
    both costs a fraction of looking every block up."""
    found: list[int] = []
    at, size = 0, len(before)
    for block in after:
        while at < size and before[at] is not block and (block.before is None or not stems(block, before[at])):
            at += 1
        if at == size:
            return None
        found.append(at)
        at += 1
    return found


def _sources(before: Blocks, after: Blocks) -> list[int | None]:
    """The same where the ends do not match."""
    places: dict[int, list[int]] = {}
    for index in range(len(before) - 1, -1, -1):
        places.setdefault(id(before[index]), []).append(index)
    found = [_taken(places, block) for block in after]
    for index, block in enumerate(after):
        earlier = block.before
        while found[index] is None and earlier is not None:
            found[index] = _taken(places, earlier)
            earlier = earlier.before
    if None in found:
        _equal(before, after, found)
    return found


def _taken(places: Mapping[int, list[int]], block: Block) -> int | None:
    left = places.get(id(block))
    return left.pop() if left else None


def _equal(before: Blocks, after: Blocks, found: list[int | None]) -> None:
    """Layers of third parties may return equal copies: they are no edits."""
    used = set(found)
    left: dict[Block, list[int]] = {}
    for index in range(len(before) - 1, -1, -1):
        if index not in used:
            left.setdefault(before[index], []).append(index)
    for index, block in enumerate(after):
        earlier: Block | None = block
        while left and found[index] is None and earlier is not None:
            same = left.get(earlier)
            if same:
                found[index] = same.pop()
            earlier = earlier.before


def align(before: Blocks, after: Blocks, found: Sequence[int | None] | None = None) -> tuple[Row, ...]:
    """The rows from top to bottom. Read on one side alone, they are that side's blocks in order, each once.

    `found`: which blocks belong together, where `sources` would not know: none replaced the other."""
    found = sources(before, after) if found is None else found
    stay = in_order([at for at in found if at is not None])
    to = {at: index for index, at in enumerate(found) if at is not None}
    rows: list[Row] = []
    old = new = 0

    def flush(upto: int, until: int) -> None:
        """What stands on one side only: first what is gone, then what came."""
        for at in range(old, upto):
            rows.append(Row("moved", at, None, to[at]) if at in to else Row("dropped", at, None))
        for index in range(new, until):
            at_before = found[index]
            rows.append(Row("inserted", None, index) if at_before is None else Row("moved", None, index, at_before))

    for index, at in enumerate(found):
        if at is not None and at in stay:
            if at > old or index > new:
                flush(at, index)
            same = before[at] is after[index] or before[at].key == after[index].key
            rows.append(Row("same" if same else "replaced", at, index))
            old, new = at + 1, index + 1
    flush(len(before), len(after))
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class FirstDifference:
    """Where two prompts first differ for the model.

    `block`: index on both sides; the length of the shorter prompt when it is the beginning of the other. `text`: which
    of the block's sent texts (core.sent), `unit`: the UTF-16 unit in it, both None where the texts are the same and
    role, ids or images are not, or where one side has no such block."""

    block: int
    text: int | None = None
    unit: int | None = None


def first_difference(before: Blocks, after: Blocks) -> FirstDifference | None:
    """The first place at which what is sent is not the same; None when all is. What is never sent (details,
    timestamps, usage) makes no difference."""
    if before is after:
        return None
    for index, (old, new) in enumerate(zip(before, after, strict=False)):
        if old is not new and old.key != new.key:
            found = _in_message(index, old.message, new.message)
            if found is not None:
                return found
    if len(before) == len(after):
        return None
    return FirstDifference(min(len(before), len(after)))


def alike(old: Block, new: Block) -> bool:
    """Is the same sent of both? Keys may differ: details, timestamps and usage never reach a model."""
    if old is new or old.key == new.key:
        return True
    if old.message.parts is new.message.parts and old.message.role == new.message.role in PLAIN:
        return _names(old.message) == _names(new.message)
    return _names(old.message) == _names(new.message) and _in_message(0, old.message, new.message) is None


def _in_message(block: int, old: Message, new: Message) -> FirstDifference | None:
    if old.parts is new.parts and old.role == new.role in PLAIN and _names(old) == _names(new):
        return None
    one, other = sent(old), sent(new)
    for index, (a, b) in enumerate(zip(one.texts, other.texts, strict=False)):
        if a != b:
            return FirstDifference(block, index, unit_of_difference(a, b))
    if len(one.texts) != len(other.texts):
        return FirstDifference(block, min(len(one.texts), len(other.texts)), 0)
    if one.images == other.images and _names(old) == _names(new) and _marks(old) == _marks(new):
        return None
    return FirstDifference(block)


def unit_of_difference(one: str, other: str) -> int:
    """The UTF-16 unit at which two different texts part; the length of the shorter when the other begins with it."""
    return common_prefix(javascript.units(one), javascript.units(other))


def _names(message: Message) -> tuple[Json, ...]:
    """What is sent beside the content. Summaries, notes and commands are sent as user messages, whether they are ones
    already or become ones in a later step."""
    if message.role == "toolResult":
        known = message.fields.get  # a message with a role is an object
        return message.role, known("toolName"), known("toolCallId"), known("isError")
    return ("assistant",) if message.role == "assistant" else ("user",)


def _marks(message: Message) -> tuple[Json, ...]:
    """What is sent of the parts beside their texts: ids and signatures."""
    if message.role not in ("assistant", "toolResult"):
        return ()
    return tuple((part.kind, part.get("id"), part.get("thinkingSignature")) for part in message.parts)
