"""The budget pass of the tool-result guard: which results give how much until all messages fit.

Source: recorded cases of layer b (section 4 of their description), versions 2026.3.24 and 2026.4.5; article 1 for the
order that begins with the newest. The limits and what counts how much: `core.guard`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core import cutting
from core.difference import changed
from core.estimate import guard_chars
from core.guard import chars, results, sizes
from core.guard import is_result_message as _is_result
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
    name = ("guard.spend", direction, first)
    known = context.latest.get(name)
    if known is None or known[0] is not blocks:
        indices = order(context, blocks, direction)
        known = (blocks, _Ladder(context, blocks, indices, first, known[1] if known is not None else None))
        context.latest[name] = known
    ladder: _Ladder = known[1]
    return ladder.spend(context, need)


class _Ladder:
    """What becomes of the results one after another when much is needed: that does not depend on how much.

        first pass   r7 cut to the least · r6 cut to the least · …      second pass   r7 emptied · r6 emptied · …

    Only one result gives just enough (`_just_enough`); up to there it is a search. So moving the budget costs one cut.
    `saved[i]`: guard characters saved before rung i. `asks[i]`: the need from which on rungs up to i are taken in full.
    """

    def __init__(
        self, context: StepContext, blocks: Blocks, indices: Sequence[int], first: str, old: _Ladder | None = None
    ) -> None:
        """`old`: of nearly the same blocks: what it made of those that are the same is taken over."""
        self._blocks, self._indices = blocks, indices
        self._cuts = len(indices) if first == "partial" else 0
        """Rungs of the first pass."""
        self._work_out(context)
        self._made: tuple[dict[int, Block], dict[int, Block]] = ({}, {})
        """Blocks after the first and after the second pass, by index; made when they are sent."""
        self._sent = list(blocks), 0
        """The blocks with the rungs up to a number of them taken in full: what the last need asked for."""
        others = changed(old._blocks, blocks) if old is not None else None
        if old is not None and others is not None and (old._indices, old._cuts) == (indices, self._cuts):
            self._take_over(context, old, others)

    def _work_out(self, context: StepContext) -> None:
        """All rungs in numbers: the first pass, if there is one, and the second."""
        before = np.asarray(sizes(context, self._blocks), dtype=np.int64)[np.asarray(self._indices, dtype=np.intp)]
        hollow = np.zeros(len(before), dtype=bool)
        saves, asks, cut, emptied = [], [], [], []
        if self._cuts:
            least = context.each("guard.least", self._blocks, _least_of)
            facts = np.array([least[index] for index in self._indices], dtype=np.int64).reshape(-1, 2)
            over, worse = before > PLACEHOLDER_CHARS, facts[:, 0] >= before
            hollow = over & (worse | (facts[:, 1] > 0))
            left = np.where(over, np.where(worse, HOLLOW[0], facts[:, 0]), before)
            saves.append(np.maximum(0, before - left))
            above = np.cumsum(saves[0]) - saves[0]
            asks.append(np.where(over, above + before - PARTIAL_LEAST, 0))
            cut.append((over & ~hollow).astype(np.int64))
            emptied.append((over & hollow).astype(np.int64))
            before = left
        else:
            flat = context.each("guard.flat", self._blocks, _is_flat)
            hollow = np.array([flat[index] for index in self._indices], dtype=bool)
        self._left = before.tolist()
        """What the result of each rung counts before the second pass."""
        over = before > PLACEHOLDER_CHARS
        more = (over & ~hollow).astype(np.int64)
        saves.append(np.maximum(0, before - np.where(over, HOLLOW[0], before)))
        asks.append(np.zeros(len(before), dtype=np.int64))
        cut.append(-more if self._cuts else 0 * more)
        emptied.append(more)
        self._saved, self._cut_of, self._emptied_of = map(_sums, (saves, cut, emptied))
        self._asks = np.maximum.accumulate(np.concatenate(asks)) if asks else np.zeros(0, dtype=np.int64)

    def _take_over(self, context: StepContext, old: _Ladder, others: Sequence[int]) -> None:
        for mine, made in zip(self._made, old._made, strict=True):
            mine.update(made)
            for index in others:
                mine.pop(index, None)
        after, until = old._sent[0].copy(), old._sent[1]
        places = {index: place for place, index in enumerate(self._indices)}
        for index in others:
            after[index] = self._blocks[index]
            place = places.get(index, until)
            if self._cuts + place < until or place < min(until, self._cuts):
                self._take(context, after, place + self._cuts if self._cuts + place < until else place)
        self._sent = after, until

    def spend(self, context: StepContext, need: int) -> Budget:
        at = self._reach(need)
        after, until = self._sent
        for rung in range(until, at):
            self._take(context, after, rung)
        for rung in range(until - 1, at - 1, -1):
            self._give_back(context, after, rung)
        self._sent = after, at
        after = after.copy()
        cut, emptied, saved = int(self._cut_of[at]), int(self._emptied_of[at]), int(self._saved[at])
        if saved < need and at < self._cuts:
            return _just_enough(context, self._blocks, after, self._indices, at, need, saved, cut, emptied)
        return Budget(tuple(after), cut, emptied, max(0, need - saved))

    def _reach(self, need: int) -> int:
        """How many rungs are taken in full."""
        enough = int(np.searchsorted(self._saved, need, "left"))
        return min(enough, int(np.searchsorted(self._asks, need, "right")), len(self._asks))

    def _take(self, context: StepContext, after: list[Block], rung: int) -> None:
        if rung < self._cuts:
            index = self._indices[rung]
            after[index] = self._made[0].get(index) or self._cut(context, index)
        else:  # the second pass begins with the same results
            place = rung - self._cuts
            index = self._indices[place]
            after[index] = self._made[1].get(index) or self._empty(context, place, index)

    def _give_back(self, context: StepContext, after: list[Block], rung: int) -> None:
        """As it was before a rung that was taken."""
        index = self._indices[rung if rung < self._cuts else rung - self._cuts]
        if rung >= self._cuts > 0:
            after[index] = self._made[0].get(index) or self._cut(context, index)
        else:
            after[index] = self._blocks[index]

    def _cut(self, context: StepContext, index: int) -> Block:
        block = self._blocks[index]
        before = chars(context, block)
        found = block if before <= PLACEHOLDER_CHARS else _shrunk(context, block, before, PARTIAL_LEAST)
        self._made[0][index] = found
        return found

    def _empty(self, context: StepContext, place: int, index: int) -> Block:
        if self._left[place] > PLACEHOLDER_CHARS:
            found = emptied_block(context, self._blocks[index])
        else:
            found = self._cut(context, index) if self._cuts else self._blocks[index]
        self._made[1][index] = found
        return found


def _sums(parts: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Sums up to each place, from 0 on."""
    return np.concatenate(([0], np.cumsum(np.concatenate(parts))))


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


def _least_of(message: Message) -> tuple[int, bool]:
    """What the result counts when it is cut as far as it can be, and whether that is the placeholder."""
    if not _is_result(message) or guard_chars(message) <= PARTIAL_LEAST:
        return HOLLOW
    text = _text_cut_to(cutting.result_text(message), PARTIAL_LEAST)
    return 2 * len(text), text.pieces == (cutting.PLACEHOLDER,)


def emptied_block(context: StepContext, block: Block) -> Block:
    """The result with the placeholder instead of its content."""

    def make() -> Message:
        return cutting.with_text(block.message, cutting.result_text(block.message).cut(cutting.PLACEHOLDER))

    return context.made(block, ("guard_placeholder",), make)


def _is_placeholder(block: Block) -> bool:
    return _is_flat(block.message)


def _is_flat(message: Message) -> bool:
    """Nothing but the placeholder is in it."""
    parts = message.parts
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
