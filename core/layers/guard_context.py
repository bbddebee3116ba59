"""All messages together may fill three quarters of the window: what is over is taken from the tool results.

Source: recorded cases of layer b (section 4), articles 1 and 2. The three readings of *which results first*:

    second_newest   2026.4.5   second newest back to the oldest, the newest last; cut in part before emptied
    oldest          2026.3.24  oldest first, emptied at once (article 2)
    newest          article 1  newest first, emptied at once

2026.4.5's latest-read rule: when the newest result is of the tool `read`, fits by itself, and the older ones cannot pay
for it, the agent raises its overflow error rather than cut what was just asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial

from core import guard, guard_budget
from core.layer import Gauge, Outcome, StepContext
from core.phrase import Phrase, phrase
from core.prompt import Block, Blocks
from core.settings import choice, number, switch

ID = "guard_context"
TITLE = phrase("layer.guard_context.title")
MARK = "request"


@dataclass(frozen=True, slots=True)
class Settings:
    """`share`: of the window, at four characters a token. `single_share`: what "fits by itself" means to the rule."""

    share: float = number(0.75, 0.05, 1.0, unit="share", step=0.01, gauge="total")
    order: str = choice("second_newest", "second_newest", "oldest", "newest")
    first: str = choice("partial", "partial", "placeholder")
    protect_latest_read: bool = switch(True)
    single_share: float = number(0.5, 0.01, 1.0, unit="share", step=0.01)


def apply(blocks: Blocks, settings: Settings, context: StepContext) -> Outcome:
    limit = guard.budget_limit(context.window, settings.share)
    sum_ = context.whole("guard.total", blocks, lambda: guard.total(context, blocks))
    gauge = Gauge("total", sum_, limit, "guard_chars", "share")
    notes = (phrase("layer.guard_context.article_1"),) if settings.order == "newest" else ()
    results = sum_ > limit and any(guard.results(context, blocks))
    if sum_ <= limit or not results:
        name = "quiet" if sum_ <= limit else "no_results"
        short = phrase(f"layer.guard_context.{name}_short", total=sum_, limit=limit)
        return Outcome(
            blocks, phrase(f"layer.guard_context.{name}", total=sum_, limit=limit), short, (gauge,), notes=notes
        )
    spent = guard_budget.spend(context, blocks, sum_ - limit, settings.order, settings.first)
    newest = guard_budget.latest_read(context, blocks) if settings.protect_latest_read else None
    if newest is not None and _rule_applies(context, blocks, spent.blocks, newest, settings):
        why = phrase("layer.guard_context.latest_read", total=sum_, limit=limit)
        return Outcome(blocks, why, None, (gauge,), overflow=True, notes=notes)
    places = context.touched(blocks, spent.blocks)
    if not places:
        why = phrase("layer.guard_context.nothing_to_cut", total=sum_, limit=limit)
        return Outcome(
            blocks, why, phrase("layer.guard_context.quiet_short", total=sum_, limit=limit), (gauge,), notes=notes
        )
    did = "both" if spent.cut and spent.emptied else "emptied" if spent.emptied else "cut"
    said = {"total": sum_, "limit": limit, "n": len(places), "cut": spent.cut, "emptied": spent.emptied}
    why = phrase(f"layer.guard_context.{did}_{settings.order}", **said)
    if spent.cut:
        notes = (*notes, phrase("layer.wording_ours"))
    return Outcome(spent.blocks, why, None, (gauge,), notes=notes, each=partial(_cut, context))


def _cut(context: StepContext, before: Block, after: Block) -> Phrase:
    """Why a result was cut."""
    return _said(guard.chars(context, before), guard.chars(context, after))


@lru_cache(maxsize=16_384)
def _said(before: int, after: int) -> Phrase:
    return phrase("layer.guard_context.cut", before=before, after=after)


def _rule_applies(context: StepContext, before: Blocks, after: Blocks, newest: int, settings: Settings) -> bool:
    """The rule looks at the result as it came in: one that the single-result pass had to cut is not protected."""
    came_in = before[newest]
    single = guard.single_limit(context.window, settings.single_share)
    while came_in.before is not None and guard.is_result(came_in.before):
        came_in = came_in.before
        if guard.chars(context, came_in) > single:
            return False
    return after[newest] is not before[newest]
