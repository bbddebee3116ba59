"""One block of ours against one recorded message: is the same sent of both?

Texts that a layer put in (notices, placeholders, results for calls without one) are compared by their length where only
that is known of the agent's (recorded cases, symbols): there they count as any text of as many UTF-16 units.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from core import javascript, pairing, sanitizing
from core.messages import Message, Part
from core.prompt import Block
from core.segments import common_prefix
from core.sent import call_text, sent
from core.text import Text

Verdict = Literal["equal", "differs", "not_comparable"]


class Likeness(NamedTuple):
    """`text`: which of the block's parts parts ways, `unit`: at which UTF-16 unit; both None where role, ids or the
    number of parts do."""

    verdict: Verdict
    text: int | None = None
    unit: int | None = None


EQUAL, NOT_COMPARABLE, DIFFERS = Likeness("equal"), Likeness("not_comparable"), Likeness("differs")

OURS = frozenset({pairing.MISSING_RESULT, sanitizing.IMAGE_MARKER, sanitizing.GOOGLE_BOOTSTRAP})
"""Whole texts of which the agent's own wording is known by its length only."""
_CUT_END = 64
"""What a lossy trace may write behind a text that it cut, in UTF-16 units."""


def likeness(block: Block, theirs: Message, lossy: bool) -> Likeness:
    """`lossy`: values of the recorded one may have been cut."""
    ours = block.message
    if ours.role != theirs.role or _names(ours) != _names(theirs):
        return DIFFERS
    if block.first.message.role in ("compactionSummary", "branchSummary"):
        return _summary(block.first.message, ours, theirs, lossy)
    if ours.role not in ("user", "assistant", "toolResult"):
        one, other = sent(ours).texts, sent(theirs).texts
        return EQUAL if one == other else NOT_COMPARABLE if lossy else DIFFERS
    mine, recorded = ours.parts, theirs.parts
    hidden = False
    for at, (part, other_part) in enumerate(zip(mine, recorded, strict=False)):
        found = _parts(part, other_part, lossy)
        if found.verdict == "differs":
            return Likeness("differs", at, found.unit)
        hidden = hidden or found.verdict == "not_comparable"
    if len(mine) != len(recorded):
        return (
            NOT_COMPARABLE
            if lossy and len(recorded) < len(mine)
            else Likeness("differs", min(len(mine), len(recorded)))
        )
    return NOT_COMPARABLE if hidden else EQUAL


def _names(message: Message) -> tuple[object, ...]:
    if message.role != "toolResult":
        return ()
    return message.get("toolCallId"), message.get("toolName"), bool(message.get("isError"))


def _parts(ours: Part, theirs: Part, lossy: bool) -> Likeness:
    if ours.kind != theirs.kind:
        return DIFFERS
    if ours.text is not None and theirs.text is not None:
        return _texts(ours.text, theirs.text.units, lossy)
    if ours.kind == "toolCall":
        if ours.get("id") == theirs.get("id") and call_text(ours) == call_text(theirs):
            return EQUAL
        return NOT_COMPARABLE if lossy else DIFFERS
    if ours.raw == theirs.raw:
        return EQUAL
    return NOT_COMPARABLE if lossy or ours.kind == "image" else DIFFERS  # pictures are often left out of a log


def _texts(ours: Text, theirs: str, lossy: bool) -> Likeness:
    mine = ours.units
    if mine == theirs:
        return EQUAL
    if len(mine) == len(theirs) and (str(ours) in OURS or _kept_alike(ours, theirs)):
        return EQUAL
    unit = common_prefix(mine, theirs)
    if lossy and len(theirs) < len(mine) and unit >= max(1, len(theirs) - _CUT_END):
        return NOT_COMPARABLE
    return Likeness("differs", None, unit)


def _kept_alike(ours: Text, theirs: str) -> bool:
    """Do the kept spans stand in the other text at the same places? What was inserted between counts by its length."""
    at, kept = 0, 0
    for piece in ours.pieces:
        if isinstance(piece, str):
            at += len(piece)
            continue
        size = piece.end - piece.start
        if ours.source.units[piece.start : piece.end] != theirs[at : at + size]:
            return False
        at, kept = at + size, kept + size
    return kept > 0 and not ours.whole


def _summary(summary: Message, ours: Message, theirs: Message, lossy: bool) -> Likeness:
    """Before conversion the summary itself; behind it the summary inside an introduction whose words are ours."""
    said = summary.get("summary")
    text = said if isinstance(said, str) else ""
    if theirs.role == summary.role:
        other = theirs.get("summary")
        if other == said:
            return EQUAL
        return NOT_COMPARABLE if lossy else Likeness("differs", 0, _unit(text, other if isinstance(other, str) else ""))
    recorded = theirs.text()
    if text in recorded and javascript.length(recorded) == javascript.length(ours.text()):
        return EQUAL
    return NOT_COMPARABLE if lossy else Likeness("differs", 0, _unit(ours.text(), recorded))


def _unit(one: str, other: str) -> int:
    return common_prefix(javascript.units(one), javascript.units(other))
