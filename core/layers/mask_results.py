"""Only the newest tool results are sent; of older ones a mask says that there was one.

Observation masking, a simple rule that several agents use; with `every` it moves in steps, so that the cached prompt
breaks once in so many results instead of at each (prompt cache 5: "keeps n to n + k"). Ours, not recorded.

    every 1    r1 r2 r3 | r4 r5 r6          every 3    r1 r2 r3 | r4 r5 r6 r7 r8          keep 3
               masked     kept                          masked     kept, 3 to 5
"""

from __future__ import annotations

from dataclasses import dataclass

from core import cutting
from core.estimate import guard_content_chars
from core.layer import Gauge, Outcome, StepContext
from core.messages import Message
from core.phrase import Phrase, phrase
from core.prompt import Block, Blocks
from core.pruning import with_block
from core.settings import number, patterns
from core.tool_names import tool_rule

ID = "mask_results"
TITLE = phrase("layer.mask_results.title")
MARK = "request"

MASK = "[Old tool result left out]"


@dataclass(frozen=True, slots=True)
class Settings:
    """`keep`: newest results sent whole. `every`: the mask moves on by so many at once. `never`: tools not masked;
    their results do not count."""

    keep: int = number(10, 0, 1_000, unit="count", gauge="results")
    every: int = number(1, 1, 200, unit="count")
    never: tuple[str, ...] = patterns()


def masked(results: int, keep: int, every: int) -> int:
    """How many of so many results are masked, oldest first."""
    return max(0, results // every * every - keep)


def apply(blocks: Blocks, settings: Settings, context: StepContext) -> Outcome:
    counts = tool_rule((), settings.never)
    results = [i for i, block in enumerate(blocks) if block.message.role == "toolResult" and counts(block.message)]
    old = results[: masked(len(results), settings.keep, settings.every)]
    gauge = Gauge("results", len(results), settings.keep, "count", "keep")
    after: list[Block] | None = None
    reasons: dict[Block, Phrase] = {}
    for index in old:
        block = blocks[index]
        size = context.measure("content", block, guard_content_chars)
        if size <= len(MASK):
            continue
        after = after if after is not None else list(blocks)
        after[index] = context.made(block, (ID,), lambda message=block.message: mask(message))  # type: ignore[misc]
        reasons[block] = phrase("layer.mask_results.masked", chars=size)
    next = (settings.keep // settings.every + 1) * settings.every
    said = {"kept": len(results) - len(old), "results": len(results), "next": next}
    if after is None:
        name = "short" if old else "quiet"
        short = phrase(f"layer.mask_results.{name}_short", **said)
        return Outcome(blocks, phrase(f"layer.mask_results.{name}", n=len(old), **said), short, (gauge,))
    name = "fired" if len(reasons) == len(old) else "fired_some"
    why = phrase(f"layer.mask_results.{name}", n=len(reasons), old=len(old), **said)
    return Outcome(tuple(after), why, None, (gauge,), reasons)


def mask(message: Message) -> Message:
    return with_block(message, cutting.result_text(message).cut(MASK))
