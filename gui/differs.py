"""Where a prompt first differs from another one: in tools or system prompt, else in a message. No Qt in here.

request 22   T S│D m m m m          what only follows the end of the old prompt is no difference
request 23   T S│D m m m' m m m          └ block 85, character 2,363: the step that changed it
"""

from __future__ import annotations

from dataclasses import dataclass

from core.difference import first_difference
from core.phrase import Phrase, phrase
from core.pipeline import Trace
from core.recorded_facts import Parted
from core.sent import sent
from core.trace_findings import quoted

LEADING = -100
"""`Row.first` of the first of tools and parts of the system prompt: they come before block 0, in order."""


@dataclass(frozen=True, slots=True)
class Differs:
    """`leading`: index of the part of tools and system prompt, or `block`: of the message; `unit`: the UTF-16 unit in
    its text, None where role, ids or the number of parts differ; `text`: which of the message's texts. `why`: what made
    the difference, if it is known. `before`, `after`: both texts from there on, the beginning of them."""

    leading: int | None = None
    block: int | None = None
    unit: int | None = None
    text: int = 0
    why: Phrase | None = None
    before: str = ""
    after: str = ""

    @property
    def row(self) -> int:
        """`Row.first` of the row that shows it."""
        return LEADING + self.leading if self.leading is not None else self.block or 0


def of_leading(found: Parted | None) -> Differs | None:
    """From what traces tell."""
    if found is None:
        return None
    why = phrase(f"prompt.cause.{found.cause}") if found.cause is not None else None
    return Differs(leading=found.leading, unit=found.unit, why=why, before=found.before, after=found.after)


def of_messages(before: Trace, after: Trace) -> Differs | None:
    """Of what is sent in the end; None when one prompt is the beginning of the other."""
    found = first_difference(before.blocks, after.blocks)
    if found is None or found.block >= len(before.blocks) or found.block >= len(after.blocks):
        return None
    new = after.blocks[found.block]
    step = next((s for s in after.steps for e in s.edits if e.after is new), None)
    why = phrase("prompt.changed_by", title=step.title) if step is not None else None
    quotes = ["", ""]
    if found.text is not None and found.unit is not None:
        for side, block in enumerate((before.blocks[found.block], new)):
            texts = sent(block.message).texts
            quotes[side] = quoted(texts[found.text], found.unit) if found.text < len(texts) else ""
    return Differs(None, found.block, found.unit, found.text or 0, why, *quotes)


@dataclass(frozen=True, slots=True)
class Against:
    """One prompt against another, which stays the measure. `number`: of the request it was held against; `differs`:
    None where one prompt is the beginning of the other; `shared`: so many messages at the beginning are the same;
    `theirs`: messages of the other one. `leading`: tools and system prompt of both are known and could be compared."""

    number: int | None
    differs: Differs | None
    shared: int
    theirs: int
    leading: bool
