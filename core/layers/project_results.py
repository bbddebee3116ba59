"""All tool results together may have twice the window in characters: what is over is cut, then emptied, oldest first.

From reading 2026.9 (section 12 of the recorded cases' description; agent pipeline 3): the budget is the larger of four
caps and two characters a token; what the last answer asked for is not touched; what was cut once is sent in the same
bytes until a compaction takes it.
"""

from __future__ import annotations

from dataclasses import dataclass

from core import sticky
from core.layer import Gauge, Outcome, StepContext
from core.persistence import cap_by_window
from core.phrase import Phrase, phrase
from core.projection import budget, project
from core.prompt import Block, Blocks
from core.settings import number, switch

ID = "project_results"
TITLE = phrase("layer.project_results.title")
MARK = "request"


@dataclass(frozen=True, slots=True)
class Settings:
    """`budget`: weighted characters, 0 = by the window. `sticky`: cuts stay."""

    budget: int = number(0, 0, 10_000_000, unit="chars", step=1_000, gauge="results_weighted")
    sticky: bool = switch(True)


@dataclass(frozen=True, slots=True)
class Carry:
    cuts: sticky.Cuts = sticky.NONE


def carries(settings: Settings, context: StepContext) -> bool:
    return settings.sticky


def apply(blocks: Blocks, settings: Settings, context: StepContext) -> Outcome:
    carry = context.carry if isinstance(context.carry, Carry) else Carry()
    before, held = blocks, frozenset[int]()
    if settings.sticky:
        blocks, held = sticky.put_back(context, before, carry.cuts)
    limit = settings.budget or budget(context.window, max(0, cap_by_window(context.window)))
    found = project(context, blocks, limit, held)
    new = sorted(found.sizes)
    cuts = sticky.carried(carry.cuts, found.blocks, held, new) if settings.sticky else sticky.NONE
    reasons: dict[Block, Phrase] = {
        before[i]: phrase("layer.project_results.held") for i in held if found.blocks[i] is not before[i]
    }
    emptied = set(found.emptied)
    for index, (was, now) in found.sizes.items():
        name = "layer.project_results.emptied" if index in emptied else "layer.project_results.cut"
        reasons[before[index]] = phrase(name, before=was, after=now)
    gauge = Gauge("results_weighted", found.total, limit, "chars", "budget")
    said = {"total": found.total, "limit": limit, "after": found.after}
    notes = (phrase("layer.from_reports"),)
    if new:
        why = phrase("layer.project_results.fired", n=len(new), emptied=len(found.emptied), **said)
    else:
        why = phrase(f"layer.project_results.{'quiet' if found.total <= limit else 'protected'}", **said)
    again = len(reasons) - len(new)
    if again:
        why = phrase("layer.also", first=why, second=phrase("layer.project_results.held_part", n=again))
    short = None if reasons else phrase("layer.project_results.quiet_short", **said)
    return Outcome(found.blocks, why, short, (gauge,), reasons, Carry(cuts), notes=notes)
