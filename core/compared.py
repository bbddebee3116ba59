"""Two profiles on one request: what each empties and cuts, where the two prompts first differ, what that costs.

    A    a   b   C   d   e            C: cut            first difference: block 2
    B    a   b   c   D   –            D: emptied        behind it: what a change from A to B would write again

Blocks belong together when they go back to the same message of step 0. The price is that of writing instead of reading
(prompt cache 1): had A been sent so far and were B sent now, the cache would hold the prompts' common beginning only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeVar

from core import models
from core.difference import FirstDifference, Row, align, alike, first_difference
from core.fate import cut_of, kept_line, loss_of
from core.pipeline import Trace
from core.prompt import Block, Blocks
from core.sizes import message_chars

Found = TypeVar("Found")
EVERY = 128
"""Blocks between two pieces of the work."""


@dataclass(frozen=True, slots=True)
class Sent:
    """What one profile sends. `tokens`: of each block. `cut`, `emptied`: indices of results that lost text to it.
    `dropped`: messages of step 0 that stand in no block. `hidden`: UTF-16 units of tool results that are not sent."""

    blocks: Blocks
    tokens: tuple[int, ...]
    cut: tuple[int, ...]
    emptied: tuple[int, ...]
    dropped: int
    hidden: int

    @property
    def total(self) -> int:
        return sum(self.tokens)


@dataclass(frozen=True, slots=True)
class Compared:
    """`rows`: A before, B after; what makes no difference for the model counts as the same. `first`: where they first
    differ for it, None = nowhere. `behind`: tokens of A and of B from that block on. `cost`: US dollars of writing
    those of B rather than reading them, None where the price is not known."""

    a: Sent
    b: Sent
    rows: tuple[Row, ...]
    first: FirstDifference | None
    behind: tuple[int, int]
    cost: Decimal | None

    @property
    def different(self) -> int:
        """How many rows are not the same."""
        return sum(row.kind != "same" for row in self.rows)


def sent(trace: Trace, tokens: Callable[[Block], int]) -> Sent:
    """`tokens`: of a block, by the counter in use."""
    return _last(_sending(trace, tokens))


def _sending(trace: Trace, tokens: Callable[[Block], int]) -> Iterator[Sent | None]:
    blocks, came = trace.blocks, trace.steps[0].after
    cut: list[int] = []
    emptied: list[int] = []
    counted: list[int] = []
    hidden = 0
    for index, block in enumerate(blocks):
        if index % EVERY == 0:
            yield None
        counted.append(tokens(block))
        if block.before is None or block.message.role != "toolResult" or loss_of(block) == "inserted":
            continue
        how = cut_of(block.message)
        if how is None:
            continue
        first = block.first.message
        if cut_of(first) != how:
            (cut if how == "cut" else emptied).append(index)
        hidden += max(0, kept_line(block.message, 0)[1] - kept_line(first, 0)[1])
    yield None
    gone = _left_out(blocks, came)
    hidden += sum(message_chars(block.message) for block in gone if block.message.role == "toolResult")
    yield Sent(blocks, tuple(counted), tuple(cut), tuple(emptied), len(gone), hidden)


def _left_out(blocks: Blocks, came: Blocks) -> list[Block]:
    """Blocks of step 0 that no block goes back to, and that were not merged into one."""
    roots = {id(block.first) for block in blocks}
    missing = [block for block in came if id(block) not in roots]
    if not missing:
        return []
    equal = {block.first for block in blocks}
    joined = {row for block in blocks if len(block.origin.rows) > 1 for row in block.origin.rows}
    return [block for block in missing if block not in equal and joined.isdisjoint(block.origin.rows)]


def compared(
    a: Trace, b: Trace, tokens: Callable[[Block], int], model: str = "", when: int | None = None, prompt: int = 0
) -> Compared:
    """A and B are Traces of one request. `model`, `when` (epoch ms), `prompt` (tokens) decide the price."""
    return _last(comparing(a, b, tokens, model, when, prompt))


def comparing(
    a: Trace, b: Trace, tokens: Callable[[Block], int], model: str = "", when: int | None = None, prompt: int = 0
) -> Iterator[Compared | None]:
    """The same in pieces: None while it goes on, at last the answer."""
    sides: list[Sent] = []
    for trace in (a, b):
        for side in _sending(trace, tokens):
            yield None
            if side is not None:
                sides.append(side)
    one, other = sides
    found = common(one.blocks, other.blocks)
    yield None
    rows: list[Row] = []
    for at, row in enumerate(align(one.blocks, other.blocks, found)):
        if at % EVERY == 0:
            yield None
        same = _alike(one.blocks, other.blocks, row)
        rows.append(Row("same", row.before, row.after) if same else row)
    yield None
    first = first_difference(one.blocks, other.blocks)
    if first is None:
        yield Compared(one, other, tuple(rows), None, (0, 0), Decimal(0))
        return
    behind = sum(one.tokens[first.block :]), sum(other.tokens[first.block :])
    price = models.price_at(model, when, prompt)
    cost = None if price is None else behind[1] * (price.write - price.read) / 1_000_000
    yield Compared(one, other, tuple(rows), first, behind, cost)


def _last(work: Iterator[Found | None]) -> Found:
    """The answer of work that is done in pieces."""
    found = None
    for found in work:  # noqa: B007
        pass
    assert found is not None
    return found


def _alike(before: Blocks, after: Blocks, row: Row) -> bool:
    if row.kind != "replaced" or row.before is None or row.after is None:
        return False
    return alike(before[row.before], after[row.after])


def common(before: Blocks, after: Blocks) -> Sequence[int | None]:
    """For each block of `after` the index in `before` of the one that goes back to the same message."""
    places: dict[int, list[int]] = {}
    for index in range(len(before) - 1, -1, -1):
        places.setdefault(id(before[index].first), []).append(index)
    found: list[int | None] = []
    for block in after:
        left = places.get(id(block.first))
        found.append(left.pop() if left else None)
    if None in found:
        _equal(before, after, found)
    return found


def _equal(before: Blocks, after: Blocks, found: list[int | None]) -> None:
    """Messages that a step made in both are equal, not the same."""
    used = set(found)
    left: dict[Block, list[int]] = {}
    for index in range(len(before) - 1, -1, -1):
        if index not in used:
            left.setdefault(before[index].first, []).append(index)
    for index, at in enumerate(found):
        same = left.get(after[index].first) if at is None and left else None
        if same:
            found[index] = same.pop()
