"""What fills the window: the prompt as pieces, which `core.window_areas` groups into areas of a treemap.

    pieces    read: schema · system: safety · AGENTS.md · user text · call read a.py · result of it · …

Tokens are those of the blocks, shared among their pieces in proportion to their characters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Literal

from core import boundary, image, javascript
from core.leading import Leading
from core.messages import Json, Message
from core.messages import Part as Content
from core.prompt import Block, Blocks, Part
from core.sent import THINKING, call_text, sent
from core.system_prompt import SystemPrompt

Section = Literal["tools", "system", "messages"]
Role = Literal["tools", "system", "user", "assistant", "toolResult", "summary"]
What = Literal["schema", "section", "text", "thinking", "call", "result", "image", "summary", "unrecorded"]

PATHS = ("path", "file_path", "filePath")
"""Arguments in which tools name their file."""
PER_TOKEN = 4
"""Characters that a token of an image weighs against text."""


@dataclass(frozen=True, slots=True)
class FillPiece:
    """A part of the prompt. `block`: index in prompt order, leading blocks counted; `part`: of its content, None = the
    whole block. `row`: of the entry it came from, None = none. `name`: of a section of the system prompt, which stands
    on a `side` of the boundary. `tool`, `file`: whose schema, call or result it is, and which file it is about; "" =
    none."""

    section: Section
    role: Role
    what: What
    tokens: int
    chars: int
    block: int
    part: int | None = None
    row: int | None = None
    name: str = ""
    tool: str = ""
    file: str = ""
    side: Part | None = None


def pieces(
    leading: Sequence[Leading],
    system: SystemPrompt | None,
    blocks: Blocks,
    tokens: Sequence[int],
    unrecorded: int | None = None,
) -> tuple[FillPiece, ...]:
    """In prompt order. `system`: the prompt that `leading` was made of. `tokens`: per block of `blocks`. `unrecorded`:
    tokens of tools and system prompt by difference, told only where there is no `leading`."""
    return tuple(piece for found in piecing(leading, system, blocks, tokens, unrecorded) for piece in found)


def first_of(leading: Sequence[Leading]) -> int:
    """Index in prompt order of the first message: behind tools and system prompt, or behind the dotted block."""
    return len(leading) or 1


def piecing(
    leading: Sequence[Leading],
    system: SystemPrompt | None,
    blocks: Blocks,
    tokens: Sequence[int],
    unrecorded: int | None = None,
) -> Iterator[tuple[FillPiece, ...]]:
    """The same, a block at a time: a window does not wait for megabytes."""
    if not leading and unrecorded:
        yield (FillPiece("system", "system", "unrecorded", unrecorded, 0, 0),)
    for index, item in enumerate(leading):
        yield tuple(_tools(item, index) if item.section == "tools" else _system(item, index, system))
    calls: dict[Json, tuple[str, str]] = {}
    for index, (block, size) in enumerate(zip(blocks, tokens, strict=True), first_of(leading)):
        yield tuple(_message(block, size, index, calls))


def system_of(leading: Sequence[Leading]) -> SystemPrompt | None:
    """The system prompt that stands in them, cut at its headings; None where they hold none."""
    texts = {item.part: item.raw for item in leading if item.section == "system" and isinstance(item.raw, str)}
    if not texts:
        return None
    whole = texts[None] if None in texts else boundary.join(texts.get("stable", ""), texts.get("dynamic", ""))
    return SystemPrompt.of_text(whole, "recorded")


def _tools(item: Leading, block: int) -> Iterator[FillPiece]:
    definitions = item.raw if isinstance(item.raw, list) else [item.raw]
    sizes = [javascript.json_length(raw) for raw in definitions]
    for raw, size, tokens in zip(definitions, sizes, shares(item.tokens, sizes), strict=True):
        yield FillPiece("tools", "tools", "schema", tokens, size, block, tool=tool_name(raw))


def _system(item: Leading, block: int, system: SystemPrompt | None) -> Iterator[FillPiece]:
    side = item.part or "stable"
    sections = [section for section in system.sections if section.part == side] if system is not None else []
    if not sections:
        yield FillPiece("system", "system", "section", item.tokens, item.chars, block, name=side, side=item.part)
        return
    sizes = [javascript.length(section.text) for section in sections]
    for section, size, tokens in zip(sections, sizes, shares(item.tokens, sizes), strict=True):
        name, file = section.title or section.id, section.source
        yield FillPiece("system", "system", "section", tokens, size, block, name=name, file=file, side=item.part)


def _message(block: Block, tokens: int, index: int, calls: dict[Json, tuple[str, str]]) -> Iterator[FillPiece]:
    message, role = block.message, _role(block)
    row = block.origin.rows[0] if block.origin.rows else None
    tool = file = ""
    if message.role == "toolResult":
        known = calls.get(_hashable(message.get("toolCallId")), ("", ""))
        tool, file = _text(message.get("toolName")) or known[0], known[1]
    if not message.parts:
        size = sum(map(javascript.length, sent(message).texts))
        what: What = "summary" if role == "summary" else "text"
        yield FillPiece("messages", role, what, tokens, size, index, None, row, tool=tool, file=file)
        return
    sizes = [_chars(part) for part in message.parts]
    weights = [
        PER_TOKEN * image.tokens(part.raw) if part.kind == "image" else size
        for part, size in zip(message.parts, sizes, strict=True)
    ]
    for at, (part, size, share) in enumerate(zip(message.parts, sizes, shares(tokens, weights), strict=True)):
        named = (tool, file)
        if part.kind == "toolCall":
            named = _called(part)
            calls[_hashable(part.get("id"))] = named
        yield FillPiece("messages", role, _what(message, role, part), share, size, index, at, row, "", *named)


def _role(block: Block) -> Role:
    """By what it came in as: a summary stays one when it is sent as a user message."""
    role = block.first.message.role
    if role in ("compactionSummary", "branchSummary") or block.origin.made_by == "summary":
        return "summary"
    if role == "toolResult":
        return "toolResult"
    return "assistant" if role == "assistant" else "user"


def _what(message: Message, role: Role, part: Content) -> What:
    if part.kind == "image":
        return "image"
    if part.kind == "toolCall":
        return "call"
    if part.kind in THINKING:
        return "thinking"
    if message.role == "toolResult":
        return "result"
    return "summary" if role == "summary" else "text"


def _chars(part: Content) -> int:
    if part.text is not None:
        return len(part.text)
    if part.kind == "image":
        return 0
    return javascript.length(call_text(part)) if part.kind == "toolCall" else javascript.json_length(part.raw)


def _called(part: Content) -> tuple[str, str]:
    arguments = part.get("arguments")
    told = arguments if isinstance(arguments, dict) else {}
    return _text(part.get("name")), next((path for key in PATHS if (path := _text(told.get(key)))), "")


def _hashable(value: Json) -> Json:
    return value if isinstance(value, str) else None


def _text(value: Json) -> str:
    return javascript.trim(value) if isinstance(value, str) else ""


def tool_name(raw: Json) -> str:
    """Of a definition, in any provider's form; "" where it has none."""
    named = raw if isinstance(raw, dict) else {}
    inner = named.get("function")
    return _text(named.get("name")) or (_text(inner.get("name")) if isinstance(inner, dict) else "")


def shares(total: int, weights: Sequence[int]) -> list[int]:
    """`total` in whole numbers, in proportion to the weights (evenly where all are 0); their sum is `total`."""
    heavy = weights if any(weights) else [1] * len(weights)
    whole = sum(heavy)
    ends = [total * part // whole for part in accumulate(heavy, initial=0)] if whole else [0]
    return [end - start for start, end in pairwise(ends)]
