"""What stands before the messages: the tools, and the system prompt in one part or two, wherever they come from.

    tools            ┐
    system, stable   │ sized by the counter, stretched to what the recorded usage leaves for them
    ── BOUNDARY ──   │
    system, dynamic  ┘
    messages …

Without any source there is none of them: the assembled prompt then has one block, sized by difference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Literal

from core import boundary, javascript
from core.messages import Json, Message, Usage
from core.prompt import SENT_FIRST, Block, Part, Section, State

if TYPE_CHECKING:
    from core.prompt_source import PartSource, PromptSource


STRETCH = 2.0
"""Counted and recorded size may differ by this factor; beyond it the source is not what was sent, and stays as is."""

Shown = Literal["recorded", "built", "assumed"]


@dataclass(frozen=True, slots=True)
class Leading:
    """`block`: its text as a message, of role "tools" or "system"; `raw`: as the provider gets it, a list of tool
    definitions or a text. `part`: of the system prompt, None where it has no boundary and for tools. `chars`: UTF-16
    units, of tools those of their JSON. `tokens`: estimated."""

    section: Section
    part: Part | None
    block: Block
    raw: Json
    chars: int
    tokens: int
    state: State
    origin: PartSource

    @property
    def source(self) -> Shown:
        return self.origin.source


def leading_of(source: PromptSource, count: Callable[[Message], int]) -> tuple[Leading, ...]:
    """In the order in which they are sent. Of a part that no source tells there is none."""
    found: list[Leading] = []
    if source.tools is not None and source.tools_from is not None:
        raw = list(source.tools)
        texts = [{"type": "text", "text": javascript.json_text(tool)} for tool in raw]
        found.append(_made("tools", None, raw, texts, source.tools_from, count))
    if source.system is not None and source.system_from is not None:
        halves = boundary.split(source.system.text) if source.system.bounded else None
        parts: list[tuple[Part | None, str]] = [(None, source.system.text)]
        if halves is not None:
            parts = [("stable", halves.stable), ("dynamic", halves.dynamic)]
        origin = source.system_from
        kept = replace(origin, added=False)  # an engine adds below the boundary
        found += [
            _made("system", part, text, text, kept if part == "stable" else origin, count)
            for part, text in parts
            if text
        ]
    return tuple(found)


def _made(
    section: Section, part: Part | None, raw: Json, content: Json, origin: PartSource, count: Callable[[Message], int]
) -> Leading:
    message = Message.of({"role": section, "content": content})
    tokens = count(Message.of({"role": "user", "content": content}))
    block = Block(message.key(), section, message, SENT_FIRST)
    chars = javascript.length(raw) if isinstance(raw, str) else javascript.json_length(raw)
    return Leading(section, part, block, raw, chars, tokens, "unknown", origin)


@dataclass(frozen=True, slots=True)
class Sized:
    """`read`: how many of them lie wholly inside the recorded read."""

    leading: tuple[Leading, ...]
    read: int


def sized(leading: Sequence[Leading], room: int | None, usage: Usage | None, whole: bool) -> Sized:
    """Sizes and cache states by the recorded usage. `room`: tokens that the messages leave for them, None = unknown.
    `whole`: the read goes on behind them."""
    tokens = stretched([item.tokens for item in leading], room)
    read = 0
    if usage is not None and usage.read:
        places = list(accumulate(tokens, initial=0))
        end = places[-1]
        scale = room / end if room and end else 1.0
        read = len(leading) if whole else _nearest([place * scale for place in places], usage.read)
    states: list[State] = []
    for at in range(len(leading)):
        if usage is None:
            states.append("unknown")
        else:
            states.append("read" if at < read else "written" if usage.write else "uncached")
    made = zip(leading, tokens, states, strict=True)
    return Sized(tuple(replace(item, tokens=size, state=state) for item, size, state in made), read)


def stretched(tokens: Sequence[int], room: int | None) -> list[int]:
    """Counts in proportion, so that they fill the room to the token; as they are where they do not fit at all."""
    total = sum(tokens)
    if not room or not total or not 1 / STRETCH <= room / total <= STRETCH:
        return list(tokens)
    ends = [part * room // total for part in accumulate(tokens, initial=0)]
    return [after - before for before, after in pairwise(ends)]


def _nearest(places: Sequence[float], read: int) -> int:
    """The place that the read ended at: marks stand only where blocks end, estimates are a little off."""
    return min(range(1, len(places)), key=lambda at: abs(places[at] - read), default=0)


@dataclass(frozen=True, slots=True)
class Boundary:
    """The cache boundary: `block`: index of the last block above it; `chars` (UTF-16 units), `tokens`: of everything
    above it, tools included, None where nothing is recorded of it; `source`: how it is known."""

    block: int
    chars: int | None
    tokens: int | None
    source: Shown


def boundary_of(leading: Sequence[Leading], unrecorded: int | None, cached: bool) -> Boundary | None:
    """None where the system prompt is known and has none, or nothing tells that the prompt was cached at all."""
    for at, item in enumerate(leading):
        if item.part == "stable":
            above = leading[: at + 1]
            return Boundary(at, sum(one.chars for one in above), sum(one.tokens for one in above), item.source)
    if leading and any(item.section == "system" for item in leading):
        return None
    return Boundary(max(0, len(leading) - 1), None, unrecorded, "assumed") if cached else None
