"""A template: copy it, rename it without the underscore, and it is a layer. This one keeps the first lines of a result.

The module needs ID, TITLE, MARK, Settings and apply. An installed package offers one through the entry-point group
`stratascope.layers`, whose value names such a module; a policy then lists it by its ID.

    [project.entry-points."stratascope.layers"]
    first_lines = "my_package.first_lines"
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.layer import Gauge, Outcome, StepContext
from core.messages import Message
from core.phrase import Phrase, literal
from core.prompt import Block, Blocks
from core.settings import number, switch
from core.text import Text

ID = "first_lines"
TITLE = literal("First lines")
"""Its row on screen; `phrase("…")` once the catalogues know it."""
MARK = "request"


@dataclass(frozen=True, slots=True)
class Settings:
    """Each field becomes a slider, switch, choice or list of patterns; `setting.LAYER.FIELD` is its title."""

    lines: int = number(200, 1, 10_000, unit="count", gauge="longest")
    errors_too: bool = switch(False)


def apply(blocks: Blocks, settings: Settings, context: StepContext) -> Outcome:
    """Pure: the same blocks and settings give the same outcome. Nothing to do: the very `blocks`, and why."""
    reasons: dict[Block, Phrase] = {}
    after = list(blocks)
    longest = 0
    for index, block in enumerate(blocks):
        if block.message.role != "toolResult" or (block.message.get("isError") and not settings.errors_too):
            continue
        lines = context.measure("lines", block, _lines)  # remembered by the block's key
        longest = max(longest, lines)
        if lines > settings.lines:
            after[index] = context.made(block, (ID, settings.lines), lambda b=block: _cut(b.message, settings.lines))  # type: ignore[misc]
            reasons[block] = literal(f"{lines} lines, {settings.lines} kept")
    gauge = Gauge("longest", longest, settings.lines, "count", "lines")
    if not reasons:
        return Outcome(blocks, literal(f"Longest result {longest} of {settings.lines} lines."), None, (gauge,))
    return Outcome(tuple(after), literal(f"Cut {len(reasons)} results."), None, (gauge,), reasons)


def _lines(message: Message) -> int:
    return max((part.text.units.count("\n") + 1 for part in message.parts if part.text is not None), default=0)


def _cut(message: Message, lines: int) -> Message:
    """Texts are cut by spans: nothing is copied, and what was cut away stays readable in the block before."""
    parts = [replace(part, text=_head(part.text, lines)) if part.text is not None else part for part in message.parts]
    return replace(message, parts=tuple(parts))


def _head(text: Text, lines: int) -> Text:
    units, end = text.units, -1
    for _ in range(lines):
        end = units.find("\n", end + 1)
        if end < 0:
            return text
    return text.cut(*text.part(0, end), "\n…")
