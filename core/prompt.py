"""What stands in a prompt: Blocks in cache order (tools, system, messages).

A Block is a message (or the tools, or a part of the system prompt) at one stage of the pipeline. It knows where it
comes from and which block it replaced, so that the "before" of any cut is there for free.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from core.context import Context, Origin
from core.messages import Message

Section = Literal["tools", "system", "messages"]
Part = Literal["stable", "dynamic"]
"""Of the system prompt: above or below the cache boundary."""
State = Literal["read", "written", "uncached", "unknown"]
"""What the recorded usage tells of a block's place in the cache."""
SENT_FIRST = Origin((), "system_prompt")
"""Where tools and system prompt come from: no entry of the session."""


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """`key`: 16-byte digest of the message's canonical JSON; equal keys = equal bytes for the model.

    `before`: the block this one replaced (None = as it came in). Two blocks are equal when key and origin are."""

    key: bytes
    section: Section
    message: Message
    origin: Origin
    before: Block | None = None

    @classmethod
    def of(cls, message: Message, origin: Origin, before: Block | None = None) -> Block:
        return cls(message.key(), "messages", message, origin, before)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Block) and self.key == other.key and self.origin == other.origin)

    def __hash__(self) -> int:
        return hash(self.key) ^ hash(self.origin.rows)  # a session may hold one message a thousand times

    @property
    def first(self) -> Block:
        """The block as it came in, before any layer."""
        block = self
        while block.before is not None:
            block = block.before
        return block


Blocks = tuple[Block, ...]


def blocks_of(context: Context, block: Callable[[Message, Origin], Block] = Block.of) -> Blocks:
    """The messages of step 0 as blocks. `block` may give those of an earlier request."""
    return tuple(map(block, context.messages, context.origins))
