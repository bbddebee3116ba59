"""Only the newest messages are sent, whatever they are: the simplest way to forget, and the hardest on the cache.

    u1 a1 r1 a2 u2 a3 r3 a4          messages 4:   u1 | u2 a3 r3 a4          the first user message may stay

A window never begins with a result, whose call would be missing. Ours, not recorded; pairs are repaired behind it.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.layer import Gauge, Outcome, StepContext
from core.phrase import phrase
from core.prompt import Blocks
from core.settings import number, switch

ID = "sliding_window"
TITLE = phrase("layer.sliding_window.title")
MARK = "request"


@dataclass(frozen=True, slots=True)
class Settings:
    """`messages`: newest ones kept. `every`: the window moves on by so many at once. `keep_task`: the first user
    message stays. `keep_summary`: the summary of a compaction stays. What stays does not count."""

    messages: int = number(20, 1, 10_000, unit="messages", gauge="messages")
    every: int = number(1, 1, 1_000, unit="messages")
    keep_task: bool = switch(True)
    keep_summary: bool = switch(True)


def apply(blocks: Blocks, settings: Settings, context: StepContext) -> Outcome:
    stay = _stay(blocks, settings)
    counted = [index for index in range(len(blocks)) if index not in stay]
    left_out = max(0, len(counted) // settings.every * settings.every - settings.messages)
    gauge = Gauge("messages", len(counted), settings.messages, "messages", "messages")
    said = {"messages": len(counted), "limit": settings.messages}
    if not left_out:
        short = phrase("layer.sliding_window.quiet_short", **said)
        return Outcome(blocks, phrase("layer.sliding_window.quiet", **said), short, (gauge,))
    while left_out < len(counted) and blocks[counted[left_out]].message.role == "toolResult":
        left_out += 1
    gone = set(counted[:left_out])
    older = phrase("layer.sliding_window.older", limit=settings.messages)
    why = phrase("layer.sliding_window.fired", n=left_out, kept=len(counted) - left_out, stay=len(stay))
    after = tuple(block for index, block in enumerate(blocks) if index not in gone)
    return Outcome(after, why, None, (gauge,), reason=older)


def _stay(blocks: Blocks, settings: Settings) -> frozenset[int]:
    found = set()
    if settings.keep_task:
        found.update([next((i for i, block in enumerate(blocks) if block.message.role == "user"), -1)])
    if settings.keep_summary:
        found.update(i for i, block in enumerate(blocks) if block.message.role == "compactionSummary")
    return frozenset(found - {-1})
