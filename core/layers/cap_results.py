"""One tool result may have as many characters as the window's tier allows: what is over is cut, before every call.

From reading 2026.9 (section 12 of the recorded cases' description): 16,000 characters, 32,000 from a window of 100,000
tokens, 64,000 from 200,000, never over 30 % of the window. The same result is cut alike at every request.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.cutting import result_cap
from core.layer import Gauge, Outcome, StepContext
from core.phrase import Phrase, phrase
from core.projection import chars, shortened
from core.prompt import Block, Blocks
from core.settings import number

ID = "cap_results"
TITLE = phrase("layer.cap_results.title")
MARK = "request"


@dataclass(frozen=True, slots=True)
class Settings:
    """Weighted characters by tier of the window."""

    small: int = number(16_000, 500, 1_000_000, unit="chars", step=500, gauge="largest_weighted")
    medium: int = number(32_000, 500, 1_000_000, unit="chars", step=500, gauge="largest_weighted")
    large: int = number(64_000, 500, 1_000_000, unit="chars", step=500, gauge="largest_weighted")


def cap_of(settings: Settings, window: float) -> tuple[int, str]:
    """(characters, the setting that gives them)."""
    tier = "large" if window >= 200_000 else "medium" if window >= 100_000 else "small"
    return max(0, result_cap(window, getattr(settings, tier))), tier


def apply(blocks: Blocks, settings: Settings, context: StepContext) -> Outcome:
    cap, tier = cap_of(settings, context.window)
    largest = 0
    after: list[Block] | None = None
    reasons: dict[Block, Phrase] = {}
    first: tuple[int, int] | None = None
    for index, block in enumerate(blocks):
        if block.message.role != "toolResult":
            continue
        size = chars(context, block)
        largest = max(largest, size)
        cut = shortened(context, block, cap)
        if cut is block:
            continue
        after = after if after is not None else list(blocks)
        after[index] = cut
        kept = chars(context, cut)
        first = first or (size, kept)
        reasons[block] = phrase("layer.cap_results.cut", before=size, after=kept, cap=cap)
    gauge = Gauge("largest_weighted", largest, cap, "chars", tier)
    notes = (phrase("layer.from_reports"),)
    said = {"largest": largest, "cap": cap}
    if after is None or first is None:
        short = phrase("layer.cap_results.quiet_short", **said)
        return Outcome(blocks, phrase("layer.cap_results.quiet", **said), short, (gauge,), notes=notes)
    why = phrase("layer.cap_results.fired", n=len(reasons), before=first[0], after=first[1], cap=cap)
    return Outcome(tuple(after), why, None, (gauge,), reasons, notes=notes)
