"""What became of each block up to a step: cut, emptied, merged, inserted, rewritten, and by which steps.

    step 0   a      b        c           d
    step k   a      b'       c' (+ d)    +e
    fate            cut      merged      inserted

A block knows what it replaced, so most of this is read off the block itself, without looking through the trace.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.javascript import joined
from core.messages import Message, Part
from core.pipeline import Edit, Step, Trace
from core.prompt import Block
from core.text import Span, Text

Loss = Literal["cut", "emptied", "inserted", "merged"]
Kind = Literal["cut", "emptied", "inserted", "merged", "moved", "converted", "rewritten", "fields"]
"""cut: part of its text is gone. emptied: all of it, a notice stands there. merged: made of several messages. moved: at
another place. converted: sent under another role. rewritten: other words. fields: the same words, but not what stands
beside them (ids, details)."""

FROM_FILE = frozenset({"", "summary", "retained_tail", "context_edit"})
"""`Origin.made_by` of blocks of step 0."""


def loss_of(block: Block) -> Loss | None:
    """The four fates that a reader should know of at once, read off the block alone; None for every other block."""
    if block.before is None:
        return None if block.origin.made_by in FROM_FILE else "inserted"
    first = block.first
    if first.origin.made_by not in FROM_FILE:
        return "inserted"
    if len(block.origin.rows) > len(first.origin.rows):
        return "merged"
    return None if block.message.parts is first.message.parts else cut_of(block.message)


def cut_of(message: Message) -> Literal["cut", "emptied"] | None:
    """Whether text of its sources is missing in a message: some of it, or all. None when nothing is."""
    short = kept = False
    for part in message.parts:
        text = part.text
        if text is None or text.whole:
            continue
        held = _held(text)
        kept = kept or held > 0
        short = short or held < len(text.source)
    if not short:
        return None
    others = (part.text for part in message.parts if part.text is not None)
    return "cut" if kept or any(text.whole and len(text) for text in others) else "emptied"


def _held(text: Text) -> int:
    """Units of its source that are still in a text."""
    return sum(piece.end - piece.start for piece in text.pieces if isinstance(piece, Span))


def kept_line(message: Message, most: int = 200) -> tuple[str, int]:
    """(the last line kept before the first cut, how many units of the sources are missing in all)."""
    line, missing = "", 0
    for part in message.parts:
        text = part.text
        if text is None:
            continue
        gone = len(text.source) - _held(text)
        if gone > 0 and not missing:
            ends = [piece.end for piece in text.pieces if isinstance(piece, Span) and piece.start == 0]
            units = text.source.units[max(0, ends[0] - most) : ends[0]] if ends else ""
            line = next((said for said in reversed(units.split("\n")) if said.strip()), "")
        missing += max(0, gone)
    return joined(line), missing


# with the steps that did it


@dataclass(frozen=True, slots=True)
class Deed:
    """One edit of a block and the step that made it."""

    step: Step
    edit: Edit


@dataclass(frozen=True, slots=True)
class Fate:
    """`before`, `after`: UTF-16 units of text as it came in and as it stands. `deeds`: oldest first, never empty."""

    kind: Kind
    before: int
    after: int
    deeds: tuple[Deed, ...]

    @property
    def removed(self) -> bool:
        """Is there text of the original that can be read again?"""
        return self.kind in ("cut", "emptied")


class EditIndex:
    """The edits of steps by the block that they made, kept for as long as this lives: a trace shares most of its steps
    with the one before it."""

    KEPT = 64

    def __init__(self) -> None:
        self._known: dict[int, tuple[Step, dict[int, Edit]]] = {}

    def of(self, step: Step) -> dict[int, Edit]:
        """By identity of `Edit.after`."""
        found = self._known.get(id(step))
        if found is None:
            while len(self._known) >= self.KEPT:
                del self._known[next(iter(self._known))]
            made = {id(edit.after): edit for edit in step.edits if edit.after is not None}
            found = self._known[id(step)] = (step, made)
        return found[1]


class Fates:
    """The fates of the blocks of one trace, looked up block by block."""

    def __init__(self, trace: Trace, until: int, since: int = 0, index: EditIndex | None = None) -> None:
        """`since`, `until`: numbers of the first and last step whose edits count, both included."""
        self._steps = [step for step in trace.steps[since : until + 1] if step.edits]
        self._index = index or EditIndex()

    def of(self, block: Block) -> Fate | None:
        """None for a block that stands as it came in."""
        deeds: list[Deed] = []
        earlier: Block | None = block
        steps = [(step, self._index.of(step)) for step in self._steps]
        while earlier is not None and steps:
            for step, made in reversed(steps):
                edit = made.get(id(earlier))
                if edit is not None:
                    deeds.append(Deed(step, edit))
            earlier = earlier.before
        if not deeds:
            return None
        deeds.reverse()
        before, after = deeds[0].edit.chars_before, deeds[-1].edit.chars_after
        return Fate(_kind(block, deeds), before, after, tuple(deeds))


def _kind(block: Block, deeds: list[Deed]) -> Kind:
    if deeds[0].edit.kind == "inserted":
        return "inserted"
    if all(deed.edit.kind == "moved" for deed in deeds):
        return "moved"
    first = deeds[0].edit.before or block.first
    if len(block.origin.rows) > len(first.origin.rows):
        return "merged"
    how = cut_of(block.message)
    if how is not None and (cut_of(first.message) is None or _kept(block.message) < _kept(first.message)):
        return how
    if first.message.role != block.message.role:
        return "converted"
    return "fields" if same_words(first.message, block.message) else "rewritten"


def _kept(message: Message) -> int:
    return sum(_held(part.text) for part in message.parts if part.text is not None)


def same_words(one: Message, other: Message) -> bool:
    """Is the same said, whatever stands beside it?"""
    if one.parts is other.parts:
        return True
    beside = ("summary", "command", "output")
    return (
        len(one.parts) == len(other.parts)
        and all(map(_same_part, one.parts, other.parts))
        and all(one.get(key) == other.get(key) for key in beside)
    )


def _same_part(one: Part, other: Part) -> bool:
    if one is other:
        return True
    if one.kind != other.kind or one.text != other.text:
        return False
    return one.text is not None or all(one.get(key) == other.get(key) for key in ("name", "arguments", "data"))
