"""Cache-TTL pruning: old tool results lose their middle, then their content, once the provider's cache has lapsed.

    soft trim     head ⏎...⏎ tail + note       every prunable result, above 30 % of the window
    hard clear    [placeholder]                oldest first, above 50 %, until below

Source: recorded cases of layer d (section 6 of their description) and their pins in n, OpenClaw 2026.3.24 and
2026.4.5. Sizes are the agent's pruning estimate (`core.estimate.pruning_chars`), the window counts four of them a
token. Protected: what stands before the first user message, and everything from the k-th assistant from the end on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from core import javascript, sanitizing
from core.estimate import pruning_chars, weighted_length
from core.layer import StepContext
from core.messages import Message, Part, Shape
from core.prompt import Block, Blocks
from core.text import Text
from core.tool_names import tool_rule

PLACEHOLDER = "[Old tool result content cleared]"
IMAGE_MARKER = "[image left out of older tool results]"
"""Stands for an image in a trimmed result; known by its length only (38 units): wording ours."""
CHARS_PER_TOKEN = 4
_GAP = "\n...\n"


@dataclass(frozen=True, slots=True)
class Rules:
    """The thresholds as the agent holds them. Ratios are shares of the window's characters, the rest are counts.

    `ttl_ms`: how long after the last touch the cache counts as lapsed (not looked at by `prune`, see the layer).
    `weighted` False: the sizes of 2026.3.24. `whole_characters`: a slice never splits a surrogate pair (2026.9).
    `thinking_dropped`: the first sum is that of the messages without old thinking.
    """

    ttl_ms: int = 300_000
    keep_last_assistants: int = 3
    soft_ratio: float = 0.3
    hard_ratio: float = 0.5
    min_prunable: int = 50_000
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    max_chars: int = 4_000
    head: int = 1_500
    tail: int = 1_500
    hard_clear: bool = True
    placeholder: str = PLACEHOLDER
    image_marker: str = IMAGE_MARKER
    weighted: bool = True
    whole_characters: bool = False
    thinking_dropped: bool = False


@dataclass(frozen=True, slots=True)
class Pruned:
    """`blocks`: the very input when nothing was replaced. `trimmed`, `cleared`: indices (a cleared one is in both if
    it had been trimmed). `sizes`: index -> pruning characters before and after, of those. `total`, `after`: of all
    messages before and after. `protected`: why no result could be given up at all ("assistants": fewer than are kept,
    "users": no user message), "" otherwise. `too_little`: the prunable results together were not worth clearing; None
    when that was not asked, else their sum.
    """

    blocks: Blocks
    trimmed: tuple[int, ...]
    cleared: tuple[int, ...]
    sizes: Mapping[int, tuple[int, int]]
    total: int
    after: int
    protected: str = ""
    too_little: int | None = None


def _untouched(blocks: Blocks, total: int, protected: str = "") -> Pruned:
    return Pruned(blocks, (), (), {}, total, total, protected)


def prune(
    context: StepContext, blocks: Blocks, rules: Rules, window: float, held: Collection[int] = frozenset()
) -> Pruned:
    """`pruneContextMessages`. `window`: tokens. `held`: indices of results that must stay as they are (sticky cuts)."""
    if not window > 0:
        return _untouched(blocks, 0)
    room = window * CHARS_PER_TOKEN
    measured = [chars(context, block, rules) for block in blocks]
    before = sum(measured) - (_old_thinking(blocks, measured, rules) if rules.thinking_dropped else 0)
    end = cutoff(blocks, rules.keep_last_assistants)
    if end is None:
        return _untouched(blocks, before, "assistants")
    if before / room < rules.soft_ratio:
        return _untouched(blocks, before)
    start = next((index for index, block in enumerate(blocks) if block.message.role == "user"), None)
    prunable = _prunable(blocks, start, end, rules, held)
    after = list(blocks)
    sizes: dict[int, tuple[int, int]] = {}
    for index in prunable:
        block = soft_trimmed(context, blocks[index], rules)
        if block is not blocks[index]:
            after[index] = block
            sizes[index] = measured[index], chars(context, block, rules)
    trimmed = tuple(sizes)
    total = before + sum(now - was for was, now in sizes.values())
    left = {index: sizes[index][1] if index in sizes else measured[index] for index in prunable}
    cleared: list[int] = []
    worth: int | None = None
    if total / room >= rules.hard_ratio and rules.hard_clear:
        worth = sum(left.values())
        if worth >= rules.min_prunable:
            worth = None
            empty = weighted_length(rules.placeholder) if rules.weighted else javascript.length(rules.placeholder)
            for index in prunable:
                if total / room < rules.hard_ratio:
                    break
                after[index] = hard_cleared(context, blocks[index], rules)
                sizes[index] = measured[index], empty
                total += empty - left[index]
                cleared.append(index)
    return Pruned(
        tuple(after) if sizes else blocks,
        trimmed,
        tuple(cleared),
        sizes,
        before,
        total,
        "users" if start is None else "",
        worth,
    )


def chars(context: StepContext, block: Block, rules: Rules) -> int:
    """Pruning characters of a block, measured once."""
    if rules.weighted:
        return context.measure("pruning", block, pruning_chars)
    return context.measure("pruning_plain", block, _plain_chars)


def _plain_chars(message: Message) -> int:
    return pruning_chars(message, weighted=False)


def _old_thinking(blocks: Blocks, measured: Sequence[int], rules: Rules) -> int:
    """Pruning characters of the thinking that is left out of older replies."""
    before = [block.message for block in blocks]
    after = sanitizing.without_old_thinking(before)
    return sum(
        size - pruning_chars(new, weighted=rules.weighted)
        for size, old, new in zip(measured, before, after, strict=True)
        if new is not old
    )


def cutoff(blocks: Blocks, keep: int) -> int | None:
    """Index of the `keep`-th assistant from the end: nothing from there on is touched. None when there are fewer."""
    if keep <= 0:
        return len(blocks)
    left = keep
    for index in range(len(blocks) - 1, -1, -1):
        if blocks[index].message.role == "assistant":
            left -= 1
            if left == 0:
                return index
    return None


def _prunable(blocks: Blocks, start: int | None, end: int, rules: Rules, held: Collection[int]) -> list[int]:
    if start is None:
        return []
    may = tool_rule(rules.allow, rules.deny)
    return [
        index
        for index in range(start, end)
        if blocks[index].message.role == "toolResult" and index not in held and may(blocks[index].message)
    ]


# the two cuts


def soft_trimmed(context: StepContext, block: Block, rules: Rules) -> Block:
    """The result with head, tail and a note; the very block when it is short enough. May grow where the note is
    longer than what it stands for."""
    if _is_short(block.message, rules):
        return block
    how = ("soft_trim", rules.max_chars, rules.head, rules.tail, rules.image_marker, rules.whole_characters)
    return context.made(block, how, lambda: soft_trim(block.message, rules))


def hard_cleared(context: StepContext, block: Block, rules: Rules) -> Block:
    """The result with the placeholder alone. May grow where it was shorter than that."""
    return context.made(block, ("hard_clear", rules.placeholder), lambda: hard_clear(block.message, rules.placeholder))


def _pieces(message: Message, marker: str) -> tuple[list[Text | str], bool]:
    """Texts of the content in order, with the marker for each image; whether there is an image."""
    found: list[Text | str] = []
    images = False
    for part in message.parts if message.shape is Shape.LIST else ():
        if part.kind == "text" and part.text is not None:
            found.append(part.text)
        elif part.kind == "image":
            found.append(marker)
            images = True
    return found, images


def _raw(pieces: Sequence[Text | str]) -> int:
    return sum(len(piece) for piece in pieces) + max(0, len(pieces) - 1)


def _is_short(message: Message, rules: Rules) -> bool:
    pieces, images = _pieces(message, rules.image_marker)
    raw = _raw(pieces)
    return not images and (raw <= rules.max_chars or max(0, rules.head) + max(0, rules.tail) >= raw)


def soft_trim(message: Message, rules: Rules) -> Message:
    """`softTrim`: one text block of head, tail and note; images become the marker even where the text is short."""
    pieces, images = _pieces(message, rules.image_marker)
    raw = _raw(pieces)
    head, tail = max(0, rules.head), max(0, rules.tail)
    short = raw <= rules.max_chars or head + tail >= raw
    if short and not images:
        return message
    whole = pieces[0] if len(pieces) == 1 and isinstance(pieces[0], Text) else _joined(pieces)
    if short:
        return with_block(message, whole)
    first, last = head, raw - tail
    if rules.whole_characters:
        first, last = _between(whole.units, first, -1), _between(whole.units, last, 1)
    note = trim_note(head, tail, raw)
    return with_block(message, whole.cut(*whole.part(0, first), _GAP, *whole.part(last, raw), note))


def _between(units: str, at: int, step: int) -> int:
    """`at`, or one further in the direction of `step` where it would split a surrogate pair."""
    inside = 0 < at < len(units) and "\ud800" <= units[at - 1] <= "\udbff" and "\udc00" <= units[at] <= "\udfff"
    return at + step if inside else at


def _joined(pieces: Iterable[Text | str]) -> Text:
    return Text.of("\n".join(piece if isinstance(piece, str) else piece.units for piece in pieces))


def trim_note(head: int, tail: int, raw: int) -> str:
    """The end of a trimmed result: 69 units and the digits of the three numbers. Wording ours."""
    return f"\n\n[Tool result, shortened: first {head} and last {tail} of {raw} characters are kept.]"


def hard_clear(message: Message, placeholder: str) -> Message:
    pieces, _ = _pieces(message, "")
    texts = [piece for piece in pieces if isinstance(piece, Text)]
    source = texts[0] if len(texts) == 1 else Text.of("\n".join(text.units for text in texts))
    return with_block(message, source.cut(placeholder))


def with_block(message: Message, text: Text) -> Message:
    """One text block instead of the content; every other key of the message stays."""
    fields = {key: value for key, value in message.fields.items() if key != "content"}
    return replace(message, shape=Shape.LIST, parts=(Part.plain(text),), fields=fields)
