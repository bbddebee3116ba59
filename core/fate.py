"""What became of each block up to a step: cut, emptied, merged, inserted, rewritten, and by which steps.

step 0   a      b        c           d
step k   a      b'       c' (+ d)    +e
fates           cut      merged      inserted
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from core.javascript import joined
from core.messages import Message
from core.pipeline import Edit, Step, Trace
from core.prompt import Block, Blocks
from core.text import Span, Text

Kind = Literal["cut", "emptied", "inserted", "merged", "moved", "rewritten", "fields"]
"""cut: part of its text is gone. emptied: all of it, a notice stands there. merged: made of several messages. moved: at
another place. rewritten: other words. fields: the same words, but not what stands beside them (ids, details)."""


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


class Fates:
    """The fates of the blocks of one trace, looked up block by block."""

    def __init__(self, trace: Trace, until: int, since: int = 0) -> None:
        """`since`, `until`: numbers of the first and last step whose edits count, both included."""
        self._made: dict[int, Deed] = {}
        for step in trace.steps[since : until + 1]:
            for edit in step.edits:
                if edit.after is not None:
                    self._made[id(edit.after)] = Deed(step, edit)

    def of(self, block: Block) -> Fate | None:
        """None for a block that stands as it came in."""
        deeds: list[Deed] = []
        earlier: Block | None = block
        while earlier is not None and self._made:
            deed = self._made.get(id(earlier))
            if deed is not None:
                deeds.append(deed)
            earlier = earlier.before
        if not deeds:
            return None
        deeds.reverse()
        before, after = deeds[0].edit.chars_before, deeds[-1].edit.chars_after
        return Fate(_kind(block, deeds), before, after, tuple(deeds))

    def all(self, blocks: Blocks) -> Mapping[int, Fate]:
        """By index, those of `blocks` that something happened to."""
        found: dict[int, Fate] = {}
        if self._made:
            for index, block in enumerate(blocks):
                if block.before is not None or id(block) in self._made:
                    fate = self.of(block)
                    if fate is not None:
                        found[index] = fate
        return found


def _kind(block: Block, deeds: list[Deed]) -> Kind:
    if deeds[0].edit.kind == "inserted":
        return "inserted"
    if all(deed.edit.kind == "moved" for deed in deeds):
        return "moved"
    first = deeds[0].edit.before or block.first
    if len(block.origin.rows) > len(first.origin.rows):
        return "merged"
    how = cut_of(block.message)
    if how is not None and (_kept(block.message) < _kept(first.message) or cut_of(first.message) is None):
        return how
    return "fields" if _words(first.message) == _words(block.message) else "rewritten"


def cut_of(message: Message) -> Literal["cut", "emptied"] | None:
    """Whether text of its sources is missing in a message: some of it, or all. None when nothing is."""
    texts = [part.text for part in message.parts if part.text is not None and len(part.text.source)]
    if not any(_shortened(text) for text in texts):
        return None
    return "cut" if any(isinstance(piece, Span) for text in texts for piece in text.pieces) else "emptied"


def kept_line(message: Message, most: int = 200) -> tuple[str, int]:
    """(the last line kept before the first cut, how many units of the sources are missing in all)."""
    line, missing = "", 0
    for part in message.parts:
        text = part.text
        if text is None:
            continue
        spans = [piece for piece in text.pieces if isinstance(piece, Span)]
        gone = len(text.source) - sum(span.end - span.start for span in spans)
        if gone > 0 and not missing:
            ends = [span.end for span in spans if span.start == 0]
            units = text.source.units[max(0, ends[0] - most) : ends[0]] if ends else ""
            line = next((said for said in reversed(units.split("\n")) if said.strip()), "")
        missing += max(0, gone)
    return joined(line), missing


def _kept(message: Message) -> int:
    """Units of its sources that are still in a message."""
    return sum(_held(part.text) for part in message.parts if part.text is not None)


def _held(text: Text) -> int:
    return sum(piece.end - piece.start for piece in text.pieces if isinstance(piece, Span))


def _shortened(text: Text) -> bool:
    return _held(text) < len(text.source)


def _words(message: Message) -> tuple[object, ...]:
    """What is said, without ids and everything beside the content."""
    said: list[object] = [message.role]
    for part in message.parts:
        if part.text is not None:
            said.append((part.kind, part.text.source.key, part.text.pieces))
        else:
            said.append((part.kind, part.get("name"), part.get("arguments"), part.get("data")))
    return (*said, message.get("summary"), message.get("command"), message.get("output"))
