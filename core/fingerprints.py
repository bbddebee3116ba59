"""Fingerprints of a request: SHA-256 of its system prompt, the part above the boundary, its tools and its blocks.

    tools  system  stable  block 1  block 2 …          equal digests = equal bytes, without keeping the bytes

The digests are the agent's own (agent pipeline 4), so that they can be held against those of a trace.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from core import boundary, javascript
from core.messages import Json
from core.prompt import Block, Blocks
from core.system_prompt import SystemPrompt
from core.trace_records import json_digest, text_digest

Place = Literal["tools", "stable", "dynamic", "messages"]
"""Where a request can differ, in the order in which a cache reads it."""


@dataclass(frozen=True, slots=True)
class Fingerprints:
    """Hexadecimal. `stable`, `dynamic`: the parts of the system prompt as they are sent; without a boundary all of it
    is stable and `dynamic` is None. `tools`: the definitions in their order; `names`: only the tools' names, in any
    order, which is all that the agent compares. None = not known. `blocks`: one per message."""

    system: str | None
    stable: str | None
    dynamic: str | None
    tools: str | None
    names: str | None
    blocks: tuple[str, ...]


def fingerprints(
    system: SystemPrompt | None, tools: Sequence[Json] | None, blocks: Blocks, known: dict[bytes, str] | None = None
) -> Fingerprints:
    """`known`: digests by block key, filled on the way: neighbouring requests hold mostly the same blocks."""
    table = known if known is not None else {}
    halves = boundary.split(system.text) if system is not None else None
    text = system.text if system is not None else None
    stable = halves.stable if halves is not None else text
    return Fingerprints(
        system=_digest(text),
        stable=_digest(stable),
        dynamic=_digest(halves.dynamic if halves is not None else None),
        tools=None if tools is None else text_digest(javascript.json_text(list(tools))),
        names=None if tools is None else names_digest(tool_names(tools)),
        blocks=tuple(_fingerprint(block, table) for block in blocks),
    )


def _digest(text: str | None) -> str | None:
    return None if text is None else text_digest(text)


def _fingerprint(block: Block, table: dict[bytes, str]) -> str:
    found = table.get(block.key)
    if found is None:
        found = table[block.key] = json_digest(block.message.json())
    return found


def tool_names(tools: Iterable[Json]) -> tuple[str, ...]:
    """Trimmed, in their order; tools without a name are left out (recorded cases of layer f)."""
    names = (tool.get("name") if isinstance(tool, dict) else None for tool in tools)
    return tuple(trimmed for name in names if isinstance(name, str) and (trimmed := javascript.trim(name)))


def names_digest(names: Iterable[str]) -> str:
    """Of the names sorted by code unit, each as often as it comes."""
    ordered = sorted(names, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
    return text_digest(javascript.json_text(ordered))


def first_change(before: Fingerprints, after: Fingerprints) -> tuple[Place, int] | None:
    """(the first place in cache order that is not the same, index of the block there, 0 but for messages).

    None where all that is known of both is the same. More messages behind the same ones are no change: a cache reads
    on; fewer are none either, what was there is still the beginning."""
    places: tuple[tuple[Place, str | None, str | None], ...] = (
        ("tools", before.tools, after.tools),
        ("stable", before.stable, after.stable),
        ("dynamic", before.dynamic, after.dynamic),
    )
    for place, one, other in places:
        if one is not None and other is not None and one != other:
            return place, 0
    if (before.dynamic is None) != (after.dynamic is None) and before.system is not None and after.system is not None:
        return "dynamic", 0
    for index, (old, new) in enumerate(zip(before.blocks, after.blocks, strict=False)):
        if old != new:
            return "messages", index
    return None
