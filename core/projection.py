"""How 2026.9 keeps tool results small before a call: a cap for each by the window's tier, a budget for all of them.

From reading, no recorded case stands behind it (section 12 of the recorded cases' description; agent pipeline 3); where
that is silent the cuts are those of 2026.4.14. Sizes are weighted characters: Chinese, Japanese and Korean count 4, an
image 8,000.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from core import cutting
from core.estimate import IMAGE, pruning_chars, weighted_length
from core.layer import StepContext
from core.messages import TEXT_KEY, Message, Part, Shape
from core.prompt import Block, Blocks
from core.text import Text

LEAST = 2_000
"""Characters that a result keeps when it is only cut in part."""


def chars(context: StepContext, block: Block) -> int:
    """Weighted characters of a tool result, measured once."""
    return context.measure("pruning", block, pruning_chars)


def shortened(context: StepContext, block: Block, limit: int) -> Block:
    """The result with at most `limit` weighted characters of text beside its images; the very block when it fits."""
    if chars(context, block) <= limit:
        return block
    made = context.made(block, ("project", limit), lambda: shorten(block.message, limit))
    return made if chars(context, made) < chars(context, block) else block


def shorten(message: Message, limit: int) -> Message:
    """One text, its head with the notice that counts, and the images as they are."""
    images = tuple(part for part in message.parts if part.kind == "image")
    text = cutting.result_text(message)
    cut = cut_weighted(text, max(0, limit - IMAGE * len(images)))
    fields = {key: value for key, value in message.fields.items() if key not in ("details", "content")}
    part = Part("text", cut, {"type": "text", TEXT_KEY["text"]: ""})
    return replace(message, shape=Shape.LIST, parts=(part, *images), fields=fields)


def cut_weighted(text: Text, limit: int) -> Text:
    """The head of a text so that with its notice it weighs at most `limit`, as far as the notice allows."""
    weight = weighted_length(text)
    if weight <= limit:
        return text
    units = limit if weight == len(text) else _units_within(text, limit)
    return cutting.cut_head_counting(text, min(units, len(text) - 1))


def _units_within(text: Text, limit: int) -> int:
    """The most units whose beginning, notice included, weighs no more than `limit` (found by halving)."""
    low, high = 0, min(limit, len(text) - 1)
    while low < high:
        middle = (low + high + 1) // 2
        if weighted_length(cutting.cut_head_counting(text, middle)) <= limit:
            low = middle
        else:
            high = middle - 1
    return low


def emptied(context: StepContext, block: Block) -> Block:
    """The result with the placeholder alone."""

    def make() -> Message:
        return cutting.with_text(block.message, cutting.result_text(block.message).cut(cutting.PLACEHOLDER))

    return context.made(block, ("project_empty",), make)


def budget(window: float, cap: int) -> int:
    """Weighted characters that all results together may have."""
    return max(4 * cap, math.floor(2 * window))


def trailing(blocks: Blocks) -> int:
    """Index behind the last assistant: what stands from there on was just asked for and is not touched."""
    for index in range(len(blocks) - 1, -1, -1):
        if blocks[index].message.role == "assistant":
            return index + 1
    return 0


@dataclass(frozen=True, slots=True)
class Projected:
    """`cut`, `emptied`: indices; `sizes`: index -> weighted characters before and after, of those; `total`, `after`: of
    all results before and after."""

    blocks: Blocks
    cut: tuple[int, ...]
    emptied: tuple[int, ...]
    sizes: Mapping[int, tuple[int, int]]
    total: int
    after: int


def project(context: StepContext, blocks: Blocks, limit: int, held: frozenset[int]) -> Projected:
    """Results until all are within `limit`, oldest first: cut in part, then emptied. `held` stay as they are."""
    results = {i: chars(context, block) for i, block in enumerate(blocks) if block.message.role == "toolResult"}
    total = now = sum(results.values())
    if total <= limit:
        return Projected(blocks, (), (), {}, total, total)
    end = trailing(blocks)
    open_ = [index for index in results if index < end and index not in held]
    after = list(blocks)
    sizes: dict[int, tuple[int, int]] = {}
    for index in open_:
        if now <= limit:
            break
        size = results[index]
        after[index] = shortened(context, blocks[index], max(LEAST, size - (now - limit)))
        if after[index] is not blocks[index]:
            sizes[index] = size, chars(context, after[index])
            now -= size - sizes[index][1]
    gone: set[int] = set()
    for index in open_:
        if now <= limit:
            break
        size = sizes[index][1] if index in sizes else results[index]
        if size > len(cutting.PLACEHOLDER):
            after[index] = emptied(context, blocks[index])
            sizes[index] = results[index], len(cutting.PLACEHOLDER)
            now -= size - len(cutting.PLACEHOLDER)
            gone.add(index)
    if not sizes:
        return Projected(blocks, (), (), {}, total, total)
    cut = tuple(index for index in sizes if index not in gone)
    return Projected(tuple(after), cut, tuple(sorted(gone)), sizes, total, now)
