"""The cap that the agent puts on a tool result when it writes it: for good, so it stands in the file, not in a request.

As a step this is a what-if: what would be sent had this version written the file. In a file that it did write, the
results are capped already and the step finds nothing to do. Source: recorded cases of layer a (`capToolResultSize`);
the cap by window is from reading 2026.9, and the step says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from core import cutting, persistence
from core.layer import Gauge, Outcome, StepContext
from core.phrase import Phrase, phrase
from core.prompt import Block, Blocks
from core.settings import choice, number, switch

ID = "hard_cap"
TITLE = phrase("layer.hard_cap.title")
MARK = "file"


@dataclass(frozen=True, slots=True)
class Settings:
    """`most`: characters of one result. `by_window`: 2026.9's tiers instead. `notice`: a fixed one, or one that counts
    (2026.4.14). `min_keep`: what every text block keeps at least."""

    most: int = number(40_000, 1_000, 2_000_000, unit="chars", step=1_000, gauge="largest_text")
    by_window: bool = switch(False)
    notice: str = choice("plain", "plain", "count")
    min_keep: int = number(cutting.MIN_KEEP, 0, 100_000, unit="chars", step=100)


def cap_of(settings: Settings, window: float) -> int:
    """Characters that one result may have."""
    return persistence.cap_by_window(window) if settings.by_window else settings.most


def suffix_of(settings: Settings) -> cutting.Suffix:
    return cutting.more_characters if settings.notice == "count" else persistence.GUARD_SUFFIX


def apply(blocks: Blocks, settings: Settings, context: StepContext) -> Outcome:
    most, suffix = cap_of(settings, context.window), suffix_of(settings)
    largest = still_over = 0
    first: tuple[int, int] | None = None
    after: list[Block] | None = None
    reasons: dict[Block, Phrase] = {}
    for index, block in enumerate(blocks):
        if block.message.role != "toolResult":
            continue
        size = context.measure("result_text", block, persistence.text_chars)
        largest = max(largest, size)
        if size <= most:
            continue
        how = (ID, most, settings.notice, settings.min_keep)
        cut = context.made(block, how, partial(persistence.hard_cap, block.message, most, suffix, settings.min_keep))
        if cut.key == block.key:
            continue
        kept = context.measure("result_text", cut, persistence.text_chars)
        after = after if after is not None else list(blocks)
        after[index] = cut
        first = first or (size, kept)
        still_over += kept > most
        reasons[block] = phrase(f"layer.hard_cap.{'still_over' if kept > most else 'cut'}", before=size, after=kept)
    gauge = Gauge("largest_text", largest, most, "chars", "" if settings.by_window else "most")
    notes = (phrase("layer.from_reports"),) if settings.by_window else ()
    if after is None or first is None:
        why = phrase("layer.hard_cap.quiet", largest=largest, most=most)
        return Outcome(
            blocks, why, phrase("layer.hard_cap.quiet_short", largest=largest, most=most), (gauge,), notes=notes
        )
    why = phrase("layer.hard_cap.fired", n=len(reasons), before=first[0], after=first[1], most=most)
    if still_over:
        why = phrase("layer.also", first=why, second=phrase("layer.hard_cap.over_part", n=still_over))
    if settings.notice == "plain":
        notes = (*notes, phrase("layer.wording_ours"))
    return Outcome(tuple(after), why, None, (gauge,), reasons, notes=notes)
