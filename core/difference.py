"""Before and after side by side: which block of one prompt stands for which of the other, and where they first differ.

    before   a b c d e          rows    a a same · b – dropped · c C replaced · – x inserted · d d same
    after    a C x d  (e gone)

Blocks belong together by identity, then along what a block replaced (`Block.before`), then by key and origin.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from core import javascript
from core.matching import in_order
from core.messages import Json, Message
from core.prompt import Block, Blocks
from core.segments import common_prefix
from core.sent import sent

Kind = Literal["same", "replaced", "dropped", "inserted", "moved"]


@dataclass(frozen=True, slots=True)
class Row:
    """`before`, `after`: index of the block on each side, None = nothing stands there.

    dropped and inserted have one side. A moved block has two rows, each with one side; `other` is its index on the
    other side (None for all other rows)."""

    kind: Kind
    before: int | None
    after: int | None
    other: int | None = None


def sources(before: Blocks, after: Blocks) -> list[int | None]:
    """For each block of `after` the index in `before` of the one that it is or stands for; no index comes twice."""
    if _in_place(before, after):
        return list(range(len(before)))
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


def _in_place(before: Blocks, after: Blocks) -> bool:
    """Does each block stand where it or what it replaced stood? So it is after most layers."""
    return before is after or (
        len(before) == len(after)
        and all(new is old or new.before is old for old, new in zip(before, after, strict=True))
    )


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


def align(before: Blocks, after: Blocks) -> tuple[Row, ...]:
    """The rows from top to bottom. Read on one side alone, they are that side's blocks in order, each once."""
    found = sources(before, after)
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
            flush(at, index)
            same = before[at] is after[index] or before[at].key == after[index].key
            rows.append(Row("same" if same else "replaced", at, index))
            old, new = at + 1, index + 1
    flush(len(before), len(after))
    return tuple(rows)


def folded(rows: Sequence[Row]) -> list[tuple[int, int]]:
    """Stretches [first, last] of rows that are the same on both sides."""
    found: list[tuple[int, int]] = []
    for index, row in enumerate(rows):
        if row.kind == "same":
            if found and found[-1][1] == index - 1:
                found[-1] = (found[-1][0], index)
            else:
                found.append((index, index))
    return found


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


def _in_message(block: int, old: Message, new: Message) -> FirstDifference | None:
    one, other = sent(old), sent(new)
    for index, (a, b) in enumerate(zip(one.texts, other.texts, strict=False)):
        if a != b:
            return FirstDifference(block, index, unit_of_difference(a, b))
    if len(one.texts) != len(other.texts):
        return FirstDifference(block, min(len(one.texts), len(other.texts)), 0)
    if one == other and _names(old) == _names(new):
        return None
    return FirstDifference(block)


def unit_of_difference(one: str, other: str) -> int:
    """The UTF-16 unit at which two different texts part; the length of the shorter when the other begins with it."""
    return common_prefix(javascript.units(one), javascript.units(other))


def _names(message: Message) -> tuple[Json, ...]:
    """What is sent beside texts and images: role, tool, ids and signatures."""
    parts = tuple((part.kind, part.get("id"), part.get("thinkingSignature")) for part in message.parts)
    return message.role, message.get("toolName"), message.get("toolCallId"), message.get("isError"), parts
