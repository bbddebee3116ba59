"""The tool-result guard of OpenClaw: its limits, what counts how much, and how one result is shortened.

Source: recorded cases of layer b (section 4 of their description), versions 2026.3.24, 2026.4.5, 2026.4.14. The guard
counts characters, a tool result double (`core.estimate.guard_chars`); it never counts system prompt and tools. The
budget pass over all results: `core.guard_budget`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from core import cutting
from core.estimate import guard_chars, is_tool_result
from core.layer import StepContext
from core.messages import Message
from core.prompt import Block, Blocks

LEAST = 1_024
"""No limit is below this."""


def chars(context: StepContext, block: Block) -> int:
    """Guard characters of a block, measured once."""
    return context.measure("guard", block, guard_chars)


def sizes(context: StepContext, blocks: Blocks) -> Sequence[int]:
    """Guard characters of every block, in order."""
    return context.each("guard", blocks, guard_chars)


def total(context: StepContext, blocks: Blocks) -> int:
    return sum(sizes(context, blocks))


def results(context: StepContext, blocks: Blocks) -> Sequence[bool]:
    """Of every block whether it is a tool result in the guard's eyes."""
    return context.each("guard.result", blocks, is_result_message)


def is_result(block: Block) -> bool:
    """A tool result in the guard's eyes (a message of role user never is)."""
    return is_result_message(block.message)


def is_result_message(message: Message) -> bool:
    """The same of a message."""
    role = message.role
    return role == "toolResult" or (role not in ("user", "assistant") and is_tool_result(message))


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
