"""Two profiles on one request: what each empties and cuts, where the two prompts first differ, what that costs.

    A    a   b   C   d   e            C: cut            first difference: block 2
    B    a   b   c   D   –            D: emptied        behind it: what a change from A to B would write again

Blocks belong together when they go back to the same message of step 0. The price is that of writing instead of reading
(prompt cache 1): had A been sent so far and were B sent now, the cache would hold the prompts' common beginning only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from core import models
from core.difference import FirstDifference, Row, align, alike, first_difference
from core.fate import cut_of, kept_line, loss_of
from core.pipeline import Trace
from core.prompt import Block, Blocks
from core.sizes import message_chars


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
    blocks, came = trace.blocks, trace.steps[0].after
    roots = {block.first for block in blocks}
    cut: list[int] = []
    emptied: list[int] = []
    hidden = 0
    for index, block in enumerate(blocks):
        if block.message.role != "toolResult" or loss_of(block) == "inserted":
            continue
        how = cut_of(block.message)
        if how is not None and block.first is not block and cut_of(block.first.message) != how:
            (cut if how == "cut" else emptied).append(index)
        hidden += max(0, kept_line(block.message, 0)[1] - kept_line(block.first.message, 0)[1]) if how else 0
    joined = {row for block in blocks if len(block.origin.rows) > 1 for row in block.origin.rows}
    gone = [block for block in came if block not in roots and joined.isdisjoint(block.origin.rows)]
    hidden += sum(message_chars(block.message) for block in gone if block.message.role == "toolResult")
    counted = tuple(map(tokens, blocks))
    return Sent(blocks, counted, tuple(cut), tuple(emptied), len(gone), hidden)


def compared(
    a: Trace, b: Trace, tokens: Callable[[Block], int], model: str = "", when: int | None = None, prompt: int = 0
) -> Compared:
    """A and B are Traces of one request. `model`, `when` (epoch ms), `prompt` (tokens) decide the price."""
    one, other = sent(a, tokens), sent(b, tokens)
    rows = tuple(
        Row("same", row.before, row.after) if _alike(one.blocks, other.blocks, row) else row
        for row in align(one.blocks, other.blocks, common(one.blocks, other.blocks))
    )
    first = first_difference(one.blocks, other.blocks)
    if first is None:
        return Compared(one, other, rows, None, (0, 0), Decimal(0))
    behind = sum(one.tokens[first.block :]), sum(other.tokens[first.block :])
    price = models.price_at(model, when, prompt)
    cost = None if price is None else behind[1] * (price.write - price.read) / 1_000_000
    return Compared(one, other, rows, first, behind, cost)


def _alike(before: Blocks, after: Blocks, row: Row) -> bool:
    if row.kind != "replaced" or row.before is None or row.after is None:
        return False
    return alike(before[row.before], after[row.after])


def common(before: Blocks, after: Blocks) -> Sequence[int | None]:
    """For each block of `after` the index in `before` of the one that goes back to the same message."""
    places: dict[Block, list[int]] = {}
    for index in range(len(before) - 1, -1, -1):
        places.setdefault(before[index].first, []).append(index)
    found: list[int | None] = []
    for block in after:
        left = places.get(block.first)
        found.append(left.pop() if left else None)
    return found
