"""The answer first, under a profile: what would be sent, and what the layers did to it, in one or two sentences.

    "Sends ◇139,523 tokens (●139,774), 70 % of the window. The guard cut 3 results."
    "The guard counts ◇623,126 where 600,000 are allowed, so it cut 3 results. In tokens the prompt fills 70 % …"
    "After Repair pairs ◇124,257 tokens, 62 % of the window. 1 call had no result; added one."

◇ = what the replay gives; it never stands in one number with ● (recorded) or ≈ (estimated). Costs are not told here:
they need the cache of all requests before.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.fate import cut_of
from core.headline import recorded
from core.phrase import Phrase, phrase
from core.pipeline import SESSION_CONTEXT, Step, Trace
from core.prompt import Block

UNTOLD = frozenset({SESSION_CONTEXT, "provider_messages", "strip_details"})
"""Layers that leave the words of a prompt as they are: no news for a headline."""
GUARD = "guard_"


@dataclass(frozen=True, slots=True)
class Measured:
    """Numbers of a prompt. `tokens`: of all blocks, by the counter. `unrecorded`: of tools and system, None = unknown.

    `recorded`: the prompt that the provider counted, None where there was none. `window`: tokens; `window_known` False:
    nothing names it."""

    tokens: int
    unrecorded: int | None
    recorded: int | None
    window: int
    window_known: bool = True

    @property
    def share(self) -> Phrase:
        share = (self.tokens + (self.unrecorded or 0)) / self.window if self.window > 0 else 0.0
        if self.window_known:
            return phrase("headline.share", share=share)
        return phrase("headline.share_assumed", share=share, window=self.window)


def simulated(number: int) -> Phrase:
    """A number that the replay gives."""
    return phrase("headline.simulated", n=number)


def told(trace: Trace) -> tuple[Step, ...]:
    """The steps that changed what is said, or would stop the request."""
    return tuple(step for step in trace.steps if step.overflow or (step.edits and step.layer not in UNTOLD))


def sends(trace: Trace, measured: Measured) -> Phrase:
    """All steps applied, in tokens."""
    whole = simulated(measured.tokens + (measured.unrecorded or 0))
    over = _overflow(trace)
    if over is not None:
        return phrase("headline.overflow", **over, tokens=whole)
    if measured.unrecorded is None:
        first = phrase("headline.sends_messages", tokens=whole, share=measured.share)
    elif measured.recorded is None:
        first = phrase("headline.sends_next", tokens=whole, share=measured.share)
    else:
        first = phrase("headline.sends", tokens=whole, recorded=recorded(measured.recorded), share=measured.share)
    return phrase("headline.two", first=first, second=deeds(trace))


def stands(step: Step, measured: Measured) -> Phrase:
    """After one step, in tokens; with what it did, or why nothing."""
    whole = simulated(measured.tokens + (measured.unrecorded or 0))
    which = "stands_messages" if measured.unrecorded is None else "stands"
    first = phrase(f"headline.{which}", title=step.title, tokens=whole, share=measured.share)
    return phrase("headline.two", first=first, second=step.why)


def counts(trace: Trace, measured: Measured) -> Phrase:
    """All steps applied, as the guard counts."""
    second = phrase("headline.in_tokens", share=measured.share)
    over = _overflow(trace)
    if over is not None:
        return phrase("headline.two", first=phrase("headline.overflow_counted", **over), second=second)
    if trace.overflow:
        return phrase("headline.two", first=deeds(trace), second=second)
    budget = next((step for step in trace.steps if step.layer == "guard_context" and step.on and step.gauges), None)
    if budget is None:
        return phrase("headline.two", first=phrase("headline.no_guard"), second=second)
    gauge = budget.gauges[0]
    said = {"total": simulated(int(gauge.value)), "limit": int(gauge.threshold)}
    cut, emptied = _guarded(trace)
    if not budget.edits:
        which = "counts_single" if cut or emptied else "counts_nothing"
        first = phrase(f"headline.{which}", **said, n=cut + emptied)
    elif cut and emptied:
        first = phrase("headline.counts_both", **said, cut=cut, emptied=emptied)
    else:
        first = phrase("headline.counts_cut" if cut else "headline.counts_emptied", **said, n=cut or emptied)
    return phrase("headline.two", first=first, second=second)


def deeds(trace: Trace) -> Phrase:
    """What the layers did, the gravest first."""
    stopped = next((step for step in trace.steps if step.overflow), None)
    if stopped is not None:
        return phrase("headline.stopped", why=stopped.why)
    cut, emptied = _guarded(trace)
    if cut and emptied:
        return phrase("headline.guard_both", cut=cut, emptied=emptied)
    if cut or emptied:
        return phrase("headline.guard_cut" if cut else "headline.guard_emptied", n=cut or emptied)
    steps = told(trace)
    if not steps:
        return phrase("headline.untouched")
    if len(steps) == 1:
        return steps[0].why
    if len(steps) == 2:
        return phrase("headline.two_steps", first=steps[0].title, second=steps[1].title)
    return phrase("headline.steps", n=len(steps))


def _overflow(trace: Trace) -> dict[str, object] | None:
    """Total and limit of the last look before the call, where it stops the request; None where nothing or another
    layer does."""
    stopped = next((step for step in trace.steps if step.overflow), None)
    if stopped is None or stopped.layer != "guard_overflow" or not stopped.gauges:
        return None
    gauge = stopped.gauges[0]
    return {"total": simulated(int(gauge.value)), "limit": int(gauge.threshold)}


def _guarded(trace: Trace) -> tuple[int, int]:
    """(results that the guard cut in part, results that it emptied) as it leaves them."""
    touched: dict[int, Block] = {}
    for step in trace.steps:
        if step.layer.startswith(GUARD):
            for edit in step.edits:
                if edit.before is not None:
                    touched.pop(id(edit.before), None)
                if edit.after is not None:
                    touched[id(edit.after)] = edit.after
    left = [cut_of(block.message) for block in touched.values()]
    return left.count("cut"), left.count("emptied")
