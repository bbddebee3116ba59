"""What becomes of what fills the window: tools used and never used, pictures and their price, thinking and its fate.

read    1,240 tokens of schema   12 calls   results 48,000 tokens
canvas    980 tokens of schema    never used: paid for with every request
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core import image
from core.difference import sources
from core.javascript import trim
from core.messages import Json, Part
from core.prompt import Block, Blocks
from core.sent import THINKING
from core.window_fill import FillPiece

ThinkingFate = Literal["sent", "as_text", "dropped", "left_out"]
"""sent: it reaches the model. as_text: it was another model's and is sent as plain text. dropped: its message is sent
without it. left_out: its message is not sent at all."""


@dataclass(frozen=True, slots=True)
class ToolUse:
    """Tokens and counts in one prompt. `defined`: it is in the roster; one that is called and is not was taken out
    since, or the roster is not known. `schema`: tokens of its definition. `calls`, `results`: how many there are."""

    name: str
    defined: bool
    schema: int
    calls: int
    call_tokens: int
    results: int
    result_tokens: int

    @property
    def used(self) -> bool:
        return self.calls > 0 or self.results > 0

    @property
    def tokens(self) -> int:
        return self.schema + self.call_tokens + self.result_tokens


def tool_uses(given: Sequence[FillPiece]) -> tuple[ToolUse, ...]:
    """Tools in the order of the roster, then others as they come. Names are told apart by letter case."""
    names = dict.fromkeys(piece.tool for piece in given if piece.tool)
    schema: Counter[str] = Counter()
    calls: Counter[str] = Counter()
    call_tokens: Counter[str] = Counter()
    result_tokens: Counter[str] = Counter()
    answers: dict[str, set[int]] = {}
    defined = set()
    for piece in given:
        if not piece.tool:
            continue
        if piece.what == "schema":
            defined.add(piece.tool)
            schema[piece.tool] += piece.tokens
        elif piece.what == "call":
            calls[piece.tool] += 1
            call_tokens[piece.tool] += piece.tokens
        else:
            answers.setdefault(piece.tool, set()).add(piece.block)
            result_tokens[piece.tool] += piece.tokens
    return tuple(
        ToolUse(
            name,
            name in defined,
            schema[name],
            calls[name],
            call_tokens[name],
            len(answers.get(name, ())),
            result_tokens[name],
        )
        for name in names
    )


@dataclass(frozen=True, slots=True)
class Picture:
    """An image. `block`, `part`: where it stands in the prompt, `row`: of its entry. `size`: width and height in
    pixels, None where its bytes do not tell. `tokens`: estimated by its area (`core.image`)."""

    block: int
    part: int
    row: int | None
    media: str
    size: tuple[int, int] | None
    tokens: int


def pictures(blocks: Blocks, first: int = 1) -> tuple[Picture, ...]:
    """`first`: index of the first of `blocks` in prompt order."""
    return tuple(
        Picture(index, at, _row(block), _media(part.raw), image.size_of(part.raw), image.tokens(part.raw))
        for index, block in enumerate(blocks, first)
        for at, part in enumerate(block.message.parts)
        if part.kind == "image"
    )


def _row(block: Block) -> int | None:
    return block.origin.rows[0] if block.origin.rows else None


def _media(raw: Json) -> str:
    source = raw.get("source") if isinstance(raw, dict) else None
    holder = source if isinstance(source, dict) else raw
    told = (holder.get(key) for key in ("mimeType", "mediaType", "media_type")) if isinstance(holder, dict) else ()
    return next((name for name in told if isinstance(name, str)), "")


@dataclass(frozen=True, slots=True)
class Thinking:
    """Thinking of one message, as it was recorded. `block`: index of the message among those of step 0; `sent_as`:
    among those that are sent, None = none of them. `chars`: UTF-16 units that can be read. `hidden`: only encrypted.
    `signed`: the provider can check that it is its own."""

    block: int
    row: int | None
    sent_as: int | None
    parts: int
    chars: int
    hidden: bool
    signed: bool
    fate: ThinkingFate


def thinking(recorded: Blocks, sent: Blocks) -> tuple[Thinking, ...]:
    """What became of all thinking between step 0 and what is sent."""
    to = {at: index for index, at in enumerate(sources(recorded, sent)) if at is not None}
    found = []
    for at, block in enumerate(recorded):
        held = [part for part in block.message.parts if part.kind in THINKING]
        if block.message.role == "assistant" and held:
            place = to.get(at)
            fate: ThinkingFate = "left_out" if place is None else _fate(held, sent[place].message.parts)
            chars = sum(len(part.text) for part in held if part.text is not None)
            signed = any(bool(part.get("thinkingSignature") or part.get("signature")) for part in held)
            hidden = all(part.kind == "redacted_thinking" or not chars for part in held)
            found.append(Thinking(at, _row(block), place, len(held), chars, hidden, signed, fate))
    return tuple(found)


def _fate(held: Sequence[Part], parts: Sequence[Part]) -> ThinkingFate:
    """Of a message that is sent. Some of its thinking may go and some stay: what stays decides."""
    if any(part.kind in THINKING for part in parts):
        return "sent"
    texts = {str(part.text) for part in held if part.text is not None and trim(str(part.text))}
    plain = {str(part.text) for part in parts if part.kind == "text" and part.text is not None}
    return "as_text" if texts & plain else "dropped"
