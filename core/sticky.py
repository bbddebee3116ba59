"""Cuts that stay: a tool result that was sent in a shortened form is sent in the same bytes from then on.

    request 1   r1 r2 r3        r1 is cut          r1' r2 r3       carried: r1 → r1'
    request 2   r1 r2 r3 r4     r1' is put back    r1' r2 r3 r4    then new cuts, of others only

A cut is forgotten when its result is no longer in the context (a compaction or a reset took it). Source: reports of
2026.9 (agent pipeline 3), no recorded case.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from core.context import Origin
from core.layer import StepContext
from core.pairing import result_id
from core.prompt import Block, Blocks

Identity = tuple[Origin, bytes]
"""A result in all requests: where it comes from, and the digest of the message as it came in."""


def identity(block: Block) -> Identity:
    """A made-up result bears the time of its request, so that only the call it answers tells which one it is."""
    first = block.first
    if first.origin.rows:
        return first.origin, first.key
    return first.origin, (result_id(first.message) or "").encode("utf-8", "surrogatepass")


@dataclass(frozen=True, slots=True)
class Cuts:
    """`sent`: what stands for a result since it was cut. Never changed; requests without new cuts share one."""

    sent: Mapping[Identity, Block] = field(default_factory=dict)

    def __reduce__(self) -> tuple[Any, ...]:
        """To another process go the cuts alone, not the texts that they were cut from."""
        light = {name: Block(cut.key, cut.section, cut.message, cut.origin) for name, cut in self.sent.items()}
        return Cuts, (light,)


NONE = Cuts()


def put_back(context: StepContext, blocks: Blocks, cuts: Cuts) -> tuple[Blocks, frozenset[int]]:
    """The blocks with earlier cuts in place, and the indices of those; the very blocks when there are none."""
    if not cuts.sent:
        return blocks, frozenset()
    after: list[Block] | None = None
    held: list[int] = []
    for index, block in enumerate(blocks):
        cut = cuts.sent.get(identity(block)) if block.message.role == "toolResult" else None
        if cut is None:
            continue
        held.append(index)
        if cut.key != block.key:
            after = after if after is not None else list(blocks)
            after[index] = cut if cut.before is block else _made(context, block, cut)
    return tuple(after) if after is not None else blocks, frozenset(held)


def _made(context: StepContext, block: Block, cut: Block) -> Block:
    return context.made(block, ("sticky", cut.key), lambda: cut.message)


def carried(cuts: Cuts, blocks: Blocks, held: Iterable[int], new: Iterable[int]) -> Cuts:
    """The cuts of the next request: the earlier ones that are still there (`held`), and `new` ones, by index of
    `blocks` as they are sent."""
    held, new = list(held), list(new)
    if not new and len(held) == len(cuts.sent):
        return cuts
    return Cuts({identity(blocks[index]): blocks[index] for index in (*held, *new)})
