"""What a provider's own context editing takes out of a prompt before the model reads it; the client keeps everything.

Source: prompt cache 3 (Anthropic `clear_tool_uses_20250919`, `clear_thinking_20251015`; OpenAI `truncation`), the
providers' documentation: nothing of it is recorded. Pure functions of blocks and numbers, so trigger, cleared set and
freed tokens are exact as far as the token counts are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial

from core import cutting, javascript, models
from core.layer import StepContext
from core.messages import Json, Message, Part, Shape
from core.pairing import calls, is_call, result_id
from core.prompt import Block, Blocks
from core.pruning import with_block
from core.tool_names import name_rule, tool_rule

CLEARED = "[Tool result cleared by the provider]"
"""Stands for a cleared result: wording ours."""
THINKING = frozenset({"thinking", "redacted_thinking"})

Tokens = Callable[[Block], int]

_VERSION = re.compile(r"(opus|sonnet|haiku|fable|mythos)-(\d+)(?:-(\d{1,2}))?(?![\d])")
_KEEPS_ALL = {"opus": (4, 5), "sonnet": (4, 6), "haiku": (4, 6), "fable": (5, 0), "mythos": (5, 0)}


@dataclass(frozen=True, slots=True)
class Cleared:
    """`blocks` with the edit; `indices` of what was replaced in them; `freed` tokens; `could_free`: what clearing
    would have freed (more than `freed` when it stayed below the least that is worth it)."""

    blocks: Blocks
    indices: tuple[int, ...]
    freed: int
    could_free: int = 0


def clear_tool_uses(
    context: StepContext,
    blocks: Blocks,
    tokens: Tokens,
    keep: int,
    at_least: int,
    exclude: Sequence[str],
    inputs: Sequence[str],
) -> Cleared:
    """Every tool use but the newest `keep` loses its result, and its input too where its tool is among `inputs`.

    Nothing at all when less than `at_least` tokens would come free. `exclude`: tools that are never cleared."""
    results = [index for index, block in enumerate(blocks) if block.message.role == "toolResult"]
    may = tool_rule((), exclude)
    old = [index for index in results[: max(0, len(results) - keep)] if may(blocks[index].message)]
    after = list(blocks)
    for index in old:
        block = blocks[index]
        after[index] = context.made(block, ("clear_tool_uses",), partial(_cleared, block.message))
    _clear_inputs(context, blocks, after, old, inputs)
    changed = tuple(i for i, (a, b) in enumerate(zip(blocks, after, strict=True)) if a is not b and a.key != b.key)
    freed = sum(tokens(blocks[index]) - tokens(after[index]) for index in changed)
    if not changed or freed < at_least:
        return Cleared(blocks, (), 0, freed)
    return Cleared(tuple(after), changed, freed, freed)


def _cleared(message: Message) -> Message:
    return with_block(message, cutting.result_text(message).cut(CLEARED))


def _clear_inputs(
    context: StepContext, blocks: Blocks, after: list[Block], old: Sequence[int], inputs: Sequence[str]
) -> None:
    fits = name_rule(inputs)
    if fits is None:
        return
    wanted = set(old)
    owners: dict[str, int] = {}
    emptied: dict[int, list[str]] = {}
    for index, block in enumerate(blocks):
        if block.message.role == "assistant":
            owners.update((call.id, index) for call in calls(block.message))
        elif index in wanted:
            id = result_id(block.message)
            if id is not None and id in owners:
                emptied.setdefault(owners[id], []).append(id)
    for owner, ids in emptied.items():
        block = blocks[owner]
        if any(_has_input(part, ids, fits) for part in block.message.parts):
            how = ("clear_inputs", *ids, None, *inputs)
            after[owner] = context.made(block, how, partial(_without_input, block.message, ids, fits))


def _has_input(part: Part, ids: Collection[str], fits: Callable[[str], bool]) -> bool:
    name = part.get("name")
    named = is_call(part) and part.get("id") in ids and isinstance(name, str) and fits(javascript.trim(name).lower())
    return named and bool(part.get("arguments") or part.get("input"))


def _without_input(message: Message, ids: Collection[str], fits: Callable[[str], bool]) -> Message:
    parts = tuple(_emptied(part) if _has_input(part, ids, fits) else part for part in message.parts)
    return replace(message, parts=parts)


def _emptied(part: Part) -> Part:
    given: dict[str, Json] = {key: {} for key in ("arguments", "input") if part.raw.get(key)}
    return replace(part, raw={**part.raw, **given})


def clear_thinking(context: StepContext, blocks: Blocks, tokens: Tokens, turns: int) -> Cleared:
    """Thinking goes from all assistant turns but the newest `turns` that have some. A turn is everything between two
    user messages: inside one tool loop thinking must stay whole."""
    thinking: list[list[int]] = []
    fresh = True
    for index, block in enumerate(blocks):
        if block.message.role == "user":
            fresh = True
        elif _thinks(block.message):
            if fresh:
                thinking.append([])
            fresh = False
            thinking[-1].append(index)
    old = [index for turn in thinking[: max(0, len(thinking) - turns)] for index in turn]
    if not old:
        return Cleared(blocks, (), 0)
    after = list(blocks)
    for index in old:
        message = blocks[index].message
        after[index] = context.made(blocks[index], ("clear_thinking",), partial(_unthinking, message))
    freed = sum(tokens(blocks[index]) - tokens(after[index]) for index in old)
    return Cleared(tuple(after), tuple(old), freed, freed)


def _thinks(message: Message) -> bool:
    return (
        message.role == "assistant"
        and message.shape is Shape.LIST
        and any(part.kind in THINKING for part in message.parts)
    )


def _unthinking(message: Message) -> Message:
    parts = tuple(part for part in message.parts if part.kind not in THINKING)
    return replace(message, parts=parts or (Part.plain(""),))


def keeps_all_thinking(model: str) -> bool:
    """Whether the provider keeps the thinking of every turn for this model unless told otherwise: Opus from 4.5,
    Sonnet from 4.6, Fable and Mythos from 5; of older ones and Haiku up to 4.5 only the last turn's."""
    found = _VERSION.search(models.plain_id(model))
    if found is None:
        return False
    return (int(found[2]), int(found[3] or 0)) >= _KEEPS_ALL[found[1]]


def truncate(blocks: Blocks, tokens: Tokens, over: int) -> Cleared:
    """Messages go from the start until `over` tokens are free, the last one excepted; a result whose call went goes
    too. `indices`: of the blocks that are gone."""
    freed = gone = 0
    while gone < len(blocks) - 1 and (freed < over or blocks[gone].message.role == "toolResult"):
        if over <= 0:
            break
        freed += tokens(blocks[gone])
        gone += 1
    return Cleared(blocks[gone:] if gone else blocks, tuple(range(gone)), freed, freed)
