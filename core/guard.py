"""The tool-result guard of OpenClaw: its limits, and the two passes that its layers are made of.

Source: recorded cases of layer b (section 4 of their description), versions 2026.3.24, 2026.4.5, 2026.4.14. The guard
counts characters, a tool result double (`core.estimate.guard_chars`); it never counts system prompt and tools.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core import cutting
from core.estimate import guard_chars, is_tool_result
from core.layer import StepContext
from core.messages import Message
from core.prompt import Block, Blocks
from core.text import Text

LEAST = 1_024
"""No limit is below this."""
PLACEHOLDER_CHARS = 48
"""A result that counts no more than this is not worth emptying."""
PARTIAL_LEAST = 192
PARTIAL_KEEP = 96
PREEMPTIVE_NOTICE = "[tool output shortened here to make it fit; ask]"
"""Stands under a partly cut result; known by its length only (48 units): wording ours."""


def chars(context: StepContext, block: Block) -> int:
    """Guard characters of a block, measured once."""
    return context.measure("guard", block, guard_chars)


def total(context: StepContext, blocks: Blocks) -> int:
    return sum([chars(context, block) for block in blocks])


def is_result(block: Block) -> bool:
    """A tool result in the guard's eyes (a message of role user never is)."""
    role = block.message.role
    return role == "toolResult" or (role not in ("user", "assistant") and is_tool_result(block.message))


def window_of(window: float) -> int:
    return max(1, math.floor(window))


def budget_limit(window: float, share: float) -> int:
    """Guard characters that all messages together may count."""
    return max(LEAST, math.floor(window_of(window) * 4 * share))


def single_limit(window: float, share: float) -> int:
    """Guard characters that one result may count: two characters a token."""
    return max(LEAST, math.floor(window_of(window) * 2 * share))


def overflow_limit(window: float, share: float) -> int:
    return max(LEAST, math.floor(window_of(window) * 4 * share))


# the single-result pass


def shorten(message: Message, limit: int, cut: str) -> Message:
    """A result over `limit` as the agent sends it. `cut`: "head" (4.5: half the limit in text), "head_full" (3.24: the
    whole limit), "head_counting" (4.14), "head_tail" (article 1: 70 % + 30 % when the tail matters, of the whole limit:
    it reads 128k characters for a window of 128k tokens, and never speaks of a doubled count)."""
    text = cutting.result_text(message)
    size = len(text)
    if cut == "head_full":
        if size == 0:
            return cutting.with_text(message, text.cut(cutting.CONTEXT_LIMIT_NOTICE))
        return cutting.with_text(message, cutting.cut_head(text, limit))
    half = limit // 2
    if cut == "head_counting":
        if size == 0:
            over = max(guard_chars(message) - limit, 1)
            return cutting.with_text(message, text.cut(cutting.more_characters(math.floor(over / 2))))
        return cutting.with_text(message, cutting.cut_head_counting(text, half))
    if size == 0:
        return cutting.with_text(message, text.cut(cutting.CONTEXT_LIMIT_NOTICE))
    if cut == "head_tail":
        return cutting.with_text(message, cutting.cut_result(text, limit))
    return cutting.with_text(message, cutting.cut_head(text, half))


# the budget pass


@dataclass(frozen=True, slots=True)
class Budget:
    """What the budget pass gave: the blocks, how many results were cut in part and emptied, what is still too much."""

    blocks: Blocks
    cut: int
    emptied: int
    missing: int


def order(blocks: Blocks, name: str) -> Sequence[int]:
    """Indices of the tool results in the order in which they are given up.

    `second_newest`: from the second newest back to the oldest, then the newest (2026.4.5). `oldest`: oldest first
    (2026.3.24, article 2). `newest`: newest first (article 1)."""
    found = [index for index, block in enumerate(blocks) if is_result(block)]
    if name == "oldest":
        return found
    found.reverse()
    return found[1:] + found[:1] if name == "second_newest" else found


def spend(context: StepContext, blocks: Blocks, need: int, direction: str, first: str) -> Budget:
    """Give up results in `direction` until `need` guard characters are saved. `first`: "partial" cuts as little as
    is needed before anything is emptied (2026.4.5), "placeholder" empties at once (2026.3.24)."""
    after = list(blocks)
    indices = order(blocks, direction)
    reduced = 0
    cut = emptied = 0
    if first == "partial":
        for index in indices:
            if reduced >= need:
                break
            before = chars(context, after[index])
            if before <= PLACEHOLDER_CHARS:
                continue
            target = max(PARTIAL_LEAST, before - (need - reduced))
            block = _partial(context, after[index], before, target)
            if chars(context, block) >= before:
                block = emptied_block(context, after[index])
            if block is not after[index]:
                hollow = _is_placeholder(block)
                emptied, cut = emptied + hollow, cut + (not hollow)
            after[index] = block
            reduced += max(0, before - chars(context, block))
    for index in indices:
        if reduced >= need:
            break
        before = chars(context, after[index])
        if before <= PLACEHOLDER_CHARS:
            continue
        was_cut = after[index] is not blocks[index] and not _is_placeholder(after[index])
        block = emptied_block(context, after[index])
        if not _is_placeholder(after[index]):
            emptied, cut = emptied + 1, cut - was_cut
        after[index] = block
        reduced += max(0, before - chars(context, block))
    return Budget(tuple(after), cut, emptied, max(0, need - reduced))


def _partial(context: StepContext, block: Block, before: int, target: int) -> Block:
    if before <= target:
        return block
    return context.made(block, ("guard_partial", target), lambda: _cut_to(block.message, target))


def _cut_to(message: Message, target: int) -> Message:
    text = cutting.result_text(message)
    if len(text) == 0:
        return cutting.with_text(message, text.cut(cutting.PLACEHOLDER))
    suffix = "\n" + PREEMPTIVE_NOTICE
    return cutting.with_text(message, cutting.cut_result(text, max(PARTIAL_KEEP, target // 2), suffix, PARTIAL_KEEP))


def emptied_block(context: StepContext, block: Block) -> Block:
    """The result with the placeholder instead of its content."""

    def make() -> Message:
        return cutting.with_text(block.message, cutting.result_text(block.message).cut(cutting.PLACEHOLDER))

    return context.made(block, ("guard_placeholder",), make)


def _is_placeholder(block: Block) -> bool:
    parts = block.message.parts
    return len(parts) == 1 and isinstance(parts[0].text, Text) and parts[0].text.pieces == (cutting.PLACEHOLDER,)


def latest_read(blocks: Blocks) -> int | None:
    """Index of the newest tool result if it came from the tool `read`, else None (2026.4.5's latest-read rule)."""
    for index in _backwards(blocks):
        name = blocks[index].message.get("toolName")
        if not isinstance(name, str) or not name.strip():
            name = blocks[index].message.get("tool_name")
        return index if name == "read" else None
    return None


def _backwards(blocks: Blocks) -> Iterator[int]:
    return (index for index in range(len(blocks) - 1, -1, -1) if is_result(blocks[index]))
