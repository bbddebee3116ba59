"""The budget pass of the tool-result guard: which results give how much until all messages fit.

Source: recorded cases of layer b (section 4 of their description), versions 2026.3.24 and 2026.4.5; article 1 for the
order that begins with the newest. The limits and what counts how much: `core.guard`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from core import cutting
from core.guard import chars, results
from core.layer import StepContext
from core.messages import Message
from core.prompt import Block, Blocks
from core.text import Text

PLACEHOLDER_CHARS = 48
"""A result that counts no more than this is not worth emptying."""
HOLLOW = (2 * len(cutting.PLACEHOLDER), True)
"""What an emptied result counts, and that it is empty."""
PARTIAL_LEAST = 192
PARTIAL_KEEP = 96
PREEMPTIVE_NOTICE = "[tool output shortened here to make it fit; ask]"
"""Stands under a partly cut result; known by its length only (48 units): wording ours."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What the budget pass gave: the blocks, how many results were cut in part and emptied, what is still too much."""

    blocks: Blocks
    cut: int
    emptied: int
    missing: int


def order(context: StepContext, blocks: Blocks, name: str) -> Sequence[int]:
    """Indices of the tool results in the order in which they are given up.

    `second_newest`: from the second newest back to the oldest, then the newest (2026.4.5). `oldest`: oldest first
    (2026.3.24, article 2). `newest`: newest first (article 1)."""
    found = [index for index, result in enumerate(results(context, blocks)) if result]
    if name == "oldest":
        return found
    found.reverse()
    return found[1:] + found[:1] if name == "second_newest" else found


def spend(context: StepContext, blocks: Blocks, need: int, direction: str, first: str) -> Budget:
    """Give up results in `direction` until `need` guard characters are saved. `first`: "partial" cuts as little as
    is needed before anything is emptied (2026.4.5), "placeholder" empties at once (2026.3.24)."""
    ladder = context.whole(
        ("guard.spend", direction, first), blocks, lambda: _Ladder(blocks, order(context, blocks, direction), first)
    )
    return ladder.spend(context, need)


class _Ladder:
    """What becomes of the results one after another when much is needed: that does not depend on how much.

        first pass   r7 cut to the least · r6 cut to the least · …      second pass   r7 emptied · r6 emptied · …

    Only one result gives just enough (`_just_enough`); up to there it is a search. So moving the budget costs one cut.
    `saved[i]`: guard characters saved before rung i. `asks[i]`: the need from which on rungs up to i are taken in full.
    Rungs are worked out when a need first reaches them."""

    def __init__(self, blocks: Blocks, indices: Sequence[int], first: str) -> None:
        self._blocks, self._indices = blocks, indices
        self._cuts = len(indices) if first == "partial" else 0
        """Rungs of the first pass."""
        self._left: list[tuple[int, bool]] = []
        """What the result of each rung counts after it, and whether only the placeholder is left."""
        self._saved = [0]
        self._asks: list[int] = []
        self._counts = [(0, 0)]
        self._made: tuple[dict[int, Block], dict[int, Block]] = ({}, {})
        """Blocks after the first and after the second pass, by index; made when they are sent."""
        self._sent = list(blocks), 0
        """The blocks with the rungs up to a number of them taken in full: what the last need asked for."""

    def spend(self, context: StepContext, need: int) -> Budget:
        at = self._reach(context, need)
        after, until = self._sent
        for rung in range(until, at):
            self._take(context, after, rung)
        for rung in range(until - 1, at - 1, -1):
            self._give_back(after, rung)
        self._sent = after, at
        after = after.copy()
        (cut, emptied), saved = self._counts[at], self._saved[at]
        if saved < need and at < self._cuts:
            return _just_enough(context, self._blocks, after, self._indices, at, need, saved, cut, emptied)
        return Budget(tuple(after), cut, emptied, max(0, need - saved))

    def _take(self, context: StepContext, after: list[Block], rung: int) -> None:
        if rung < self._cuts:
            index = self._indices[rung]
            after[index] = self._made[0].get(index) or self._cut(context, index)
        else:  # the second pass begins with the same results
            place = rung - self._cuts
            index = self._indices[place]
            after[index] = self._made[1].get(index) or self._empty(context, place, index)

    def _give_back(self, after: list[Block], rung: int) -> None:
        """As it was before a rung that was taken."""
        index = self._indices[rung if rung < self._cuts else rung - self._cuts]
        after[index] = self._made[0][index] if rung >= self._cuts > 0 else self._blocks[index]

    def _cut(self, context: StepContext, index: int) -> Block:
        block = self._blocks[index]
        before = chars(context, block)
        found = block if before <= PLACEHOLDER_CHARS else _shrunk(context, block, before, PARTIAL_LEAST)
        self._made[0][index] = found
        return found

    def _empty(self, context: StepContext, place: int, index: int) -> Block:
        block = self._blocks[index]
        before = self._left[place][0] if self._cuts else chars(context, block)
        if before > PLACEHOLDER_CHARS:
            found = emptied_block(context, block)
        else:
            found = self._cut(context, index) if self._cuts else block
        self._made[1][index] = found
        return found

    def _reach(self, context: StepContext, need: int) -> int:
        """How many rungs are taken in full."""
        end = self._cuts + len(self._indices)
        while self._saved[-1] < need and len(self._left) < end and not (self._asks and self._asks[-1] > need):
            self._build(context)
        return min(bisect_left(self._saved, need), bisect_right(self._asks, need), len(self._left))

    def _build(self, context: StepContext) -> None:
        """The next rung, in numbers only."""
        rung = len(self._left)
        cut, emptied = self._counts[-1]
        asks = 0
        if rung < self._cuts:
            block = self._blocks[self._indices[rung]]
            before = chars(context, block)
            left, hollow = before, False
            if before > PLACEHOLDER_CHARS:
                left, hollow = context.measure("guard.least", block, _least) if before > PARTIAL_LEAST else HOLLOW
                if left >= before:
                    left, hollow = HOLLOW
                asks = self._saved[-1] + before - PARTIAL_LEAST
                cut, emptied = (cut, emptied + 1) if hollow else (cut + 1, emptied)
        else:
            block = self._blocks[self._indices[rung - self._cuts]]
            before, hollow = self._left[rung - self._cuts] if self._cuts else (chars(context, block), False)
            left = before
            if before > PLACEHOLDER_CHARS:
                hollow = hollow or (not self._cuts and _is_placeholder(block))
                cut, emptied = (cut, emptied) if hollow else (cut - (self._cuts > 0), emptied + 1)
                left, hollow = HOLLOW
        self._left.append((left, hollow))
        self._saved.append(self._saved[-1] + max(0, before - left))
        self._asks.append(max(asks, self._asks[-1] if self._asks else 0))
        self._counts.append((cut, emptied))


def _just_enough(
    context: StepContext,
    blocks: Blocks,
    after: list[Block],
    indices: Sequence[int],
    start: int,
    need: int,
    reduced: int,
    cut: int,
    emptied: int,
) -> Budget:
    """The rest of the first pass from the result `indices[start]` on, which gives only a part, and the second pass."""
    for index in indices[start:]:
        if reduced >= need:
            break
        before = chars(context, after[index])
        if before <= PLACEHOLDER_CHARS:
            continue
        after[index] = block = _shrunk(context, after[index], before, max(PARTIAL_LEAST, before - (need - reduced)))
        cut, emptied = _counted(cut, emptied, block)
        reduced += max(0, before - chars(context, block))
    for index in indices:
        if reduced >= need:
            break
        before = chars(context, after[index])
        if before <= PLACEHOLDER_CHARS:
            continue
        if not _is_placeholder(after[index]):
            emptied, cut = emptied + 1, cut - (after[index] is not blocks[index])
        after[index] = block = emptied_block(context, blocks[index])
        reduced += max(0, before - chars(context, block))
    return Budget(tuple(after), cut, emptied, max(0, need - reduced))


def _counted(cut: int, emptied: int, block: Block) -> tuple[int, int]:
    return (cut, emptied + 1) if _is_placeholder(block) else (cut + 1, emptied)


def _shrunk(context: StepContext, block: Block, before: int, target: int) -> Block:
    """The result cut to count `target`; emptied where that would not make it smaller."""
    new = block
    if before > target:
        new = context.made(block, ("guard_partial", target), lambda: _cut_to(block.message, target))
    return new if chars(context, new) < before else emptied_block(context, block)


def _cut_to(message: Message, target: int) -> Message:
    return cutting.with_text(message, _text_cut_to(cutting.result_text(message), target))


def _text_cut_to(text: Text, target: int) -> Text:
    if len(text) == 0:
        return text.cut(cutting.PLACEHOLDER)
    return cutting.cut_result(text, max(PARTIAL_KEEP, target // 2), "\n" + PREEMPTIVE_NOTICE, PARTIAL_KEEP)


def _least(message: Message) -> tuple[int, bool]:
    """What the result counts when it is cut as far as it can be, and whether that is the placeholder."""
    text = _text_cut_to(cutting.result_text(message), PARTIAL_LEAST)
    return 2 * len(text), text.pieces == (cutting.PLACEHOLDER,)


def emptied_block(context: StepContext, block: Block) -> Block:
    """The result with the placeholder instead of its content."""

    def make() -> Message:
        return cutting.with_text(block.message, cutting.result_text(block.message).cut(cutting.PLACEHOLDER))

    return context.made(block, ("guard_placeholder",), make)


def _is_placeholder(block: Block) -> bool:
    parts = block.message.parts
    return len(parts) == 1 and isinstance(parts[0].text, Text) and parts[0].text.pieces == (cutting.PLACEHOLDER,)


def latest_read(context: StepContext, blocks: Blocks) -> int | None:
    """Index of the newest tool result if it came from the tool `read`, else None (2026.4.5's latest-read rule)."""
    found = results(context, blocks)
    if True not in found:
        return None
    index = len(found) - 1 - found[::-1].index(True)
    name = blocks[index].message.get("toolName")
    if not isinstance(name, str) or not name.strip():
        name = blocks[index].message.get("tool_name")
    return index if name == "read" else None
