"""One tool result may fill at most half the window: what is over is cut, before every model call.

Source: recorded cases of layer b (section 4). The limit is compared with the doubled count, so in 2026.4.5 a result may
hold at most a quarter of the window's characters; 2026.3.24 cuts the text to the whole limit and so lets it count up to
twice that. Article 1 keeps head and tail here; the recorded cases keep the head only, and the step says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import compress

from core import cutting, guard
from core.layer import Gauge, Outcome, StepContext
from core.phrase import Phrase, phrase
from core.prompt import Block, Blocks
from core.settings import choice, number

ID = "guard_single"
TITLE = phrase("layer.guard_single.title")
MARK = "request"


@dataclass(frozen=True, slots=True)
class Settings:
    """`share`: of the window, at two characters a token. `cut`: how (see core.guard.shorten)."""

    share: float = number(0.5, 0.01, 1.0, unit="share", step=0.01, gauge="largest")
    cut: str = choice("head", "head", "head_full", "head_counting", "head_tail")


def apply(blocks: Blocks, settings: Settings, context: StepContext) -> Outcome:
    limit = guard.single_limit(context.window, settings.share)
    sizes, results = guard.sizes(context, blocks), guard.results(context, blocks)
    largest = max(compress(sizes, results), default=0)
    after: list[Block] | None = None
    reasons: dict[Block, Phrase] = {}
    shortest: tuple[int, int] | None = None
    over = [index for index, size in enumerate(sizes) if size > limit and results[index]] if largest > limit else ()
    for index in over:
        block, size = blocks[index], sizes[index]
        after = after if after is not None else list(blocks)
        after[index] = context.made(
            block, (ID, limit, settings.cut), partial(guard.shorten, block.message, limit, settings.cut)
        )
        kept = guard.chars(context, after[index])
        reasons[block] = phrase("layer.guard_single.cut", before=size, after=kept, limit=limit)
        shortest = shortest or (size, kept)
    gauge = Gauge("largest", largest, limit, "guard_chars", "share")
    notes = (phrase("layer.guard_single.article"),) if settings.cut == "head_tail" else ()
    if after is None or shortest is None:
        why = phrase("layer.guard_single.quiet", largest=largest, limit=limit)
        short = phrase("layer.guard_single.quiet_short", largest=largest, limit=limit)
        return Outcome(blocks, why, short, (gauge,), notes=notes)
    if all(cutting.result_text(after[index].message) == cutting.result_text(blocks[index].message) for index in over):
        # The count doubles a result, the cut measures its text: over the one limit, it may be within the other.
        why = phrase("layer.guard_single.fits", largest=largest, limit=limit)
        short = phrase("layer.guard_single.fits_short", largest=largest, limit=limit)
        return Outcome(tuple(after), why, short, (gauge,), notes=notes)
    why = phrase("layer.guard_single.fired", n=len(reasons), before=shortest[0], after=shortest[1], limit=limit)
    return Outcome(tuple(after), why, None, (gauge,), reasons, notes=notes)
