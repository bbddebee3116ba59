"""Runs layer instances one after another, compares before and after, and writes down what each did: the Trace.

blocks ─▶ layer ─▶ blocks ─▶ layer ─▶ blocks      Step = one application · Trace = the steps of one request
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from operator import is_
from types import ModuleType

from core.context import Context
from core.edits import Edit as Edit
from core.edits import Size as Size
from core.edits import Sizes as Sizes
from core.edits import compare as compare
from core.edits import compare_again, deltas, deltas_again
from core.edits import first_difference as first_difference
from core.layer import Gauge, Outcome, StepContext, layers
from core.phrase import Phrase, phrase
from core.profile import Instance, Profile
from core.prompt import Blocks


@dataclass(frozen=True, slots=True)
class Step:
    """One application of one instance (`guard_context`, `repair_pairs#2`).

    `on`: switched on in the profile. `failed`: the layer raised; its input was passed on (the text of the fault).
    `first_touched`: index (before the step) of the first block that is not the same after it, None = nothing changed.
    """

    instance: str
    layer: str
    title: Phrase
    mark: str
    on: bool
    fired: bool
    why: Phrase
    short: Phrase | None
    gauges: tuple[Gauge, ...]
    edits: tuple[Edit, ...]
    before: Blocks
    after: Blocks
    chars_before: int
    chars_after: int
    tokens_before: int
    tokens_after: int
    first_touched: int | None
    overflow: bool
    notes: tuple[Phrase, ...]
    carry: object = None
    failed: str = ""
    settings: object = None
    """What it ran with, and `carried`: what the previous request had handed over."""
    carried: object = None


@dataclass(frozen=True, slots=True)
class Trace:
    """`steps` in order; `overflow`: some step would raise the agent's overflow error. `blocks`: what is sent."""

    policy: str
    steps: tuple[Step, ...]
    blocks: Blocks
    overflow: bool


SESSION_CONTEXT = "session_context"


def run(
    context: Context,
    blocks: Blocks,
    profile: Profile,
    step: StepContext,
    sizes: Sizes,
    carries: Mapping[str, object] | None = None,
    previous: Trace | None = None,
    start: int = 0,
) -> Trace:
    """The steps of one request. `blocks`: step 0 of `context`. `carries`: by instance, from the previous request.

    With `previous` (a Trace of the same request, with the same `step` and `sizes`, under nearly the same profile) the
    steps before index `start` (0 = session context) are taken over; of the rest, those that get what they got before
    under the same settings are taken over too.
    """
    known = layers()
    priors = previous.steps if previous is not None and start > 0 else ()
    if previous is not None and start > 0:
        steps = list(previous.steps[:start])
        blocks = steps[-1].after
        instances = profile.instances[start - 1 :]
    else:
        steps = [_session_context(context, blocks, sizes)]
        instances = profile.instances
    overflow = any(done.overflow for done in steps)
    chars, tokens = steps[-1].chars_after, steps[-1].tokens_after
    for instance in instances:
        carry = (carries or {}).get(instance.name)
        prior = priors[len(steps)] if len(steps) < len(priors) else None
        if prior is not None and prior.before is blocks and _same(prior, instance, carry):
            done = prior
        else:
            layer, given = known.get(instance.layer), replace(step, carry=carry)
            done = _apply(layer, instance, blocks, given, sizes, chars, tokens, prior)
            if prior is not None and _the_same(prior.after, done.after):
                done = replace(done, after=prior.after)  # the steps below may see that nothing is new
        steps.append(done)
        blocks, chars, tokens = done.after, done.chars_after, done.tokens_after
        overflow = overflow or done.overflow
    return Trace(profile.id, tuple(steps), blocks, overflow)


def _the_same(before: Blocks, after: Blocks) -> bool:
    """Other tuples of the very same blocks."""
    return before is not after and len(before) == len(after) and all(map(is_, before, after))


def _same(prior: Step, instance: Instance, carry: object) -> bool:
    made_by = (prior.instance, prior.layer, prior.on, prior.settings, prior.carried)
    return made_by == (instance.name, instance.layer, instance.on, instance.settings, carry) and not prior.failed


def _session_context(context: Context, blocks: Blocks, sizes: Sizes) -> Step:
    """Step 0, always on: what the compaction rule made of the path."""
    chars, tokens = sum(map(sizes.chars, blocks)), sum(map(sizes.tokens, blocks))
    replaced, lost = len(context.summarised), len(context.fell_out)
    if context.compaction is None:
        why = phrase("layer.session_context.whole", n=len(blocks))
    else:
        why = phrase("layer.session_context.compacted", n=replaced, messages=len(blocks))
    if lost:
        why = phrase("layer.session_context.lost", what=why, n=lost)
    return Step(
        SESSION_CONTEXT,
        SESSION_CONTEXT,
        phrase("layer.session_context.title"),
        "request",
        True,
        context.compaction is not None,
        why,
        None,
        (),
        (),
        (),
        blocks,
        0,
        chars,
        0,
        tokens,
        None,
        False,
        (),
    )


def _apply(
    layer: ModuleType | None,
    instance: Instance,
    blocks: Blocks,
    step: StepContext,
    sizes: Sizes,
    chars: int,
    tokens: int,
    prior: Step | None = None,
) -> Step:
    """`prior`: what stood in this place before a threshold was moved."""
    failed = ""
    edits: tuple[Edit, ...] = ()
    touched: Sequence[int] | None = ()
    title = layer.TITLE if layer is not None else phrase("layer.unknown", name=instance.layer)
    outcome = Outcome(blocks, phrase("layer.off"), phrase("layer.off_short"))
    if layer is None:
        failed = f"no layer is called {instance.layer}"
        outcome = Outcome(blocks, phrase("layer.missing", name=instance.layer))
    elif instance.on:
        try:
            outcome = layer.apply(blocks, instance.settings, step)
            if not isinstance(outcome, Outcome) or not isinstance(outcome.blocks, tuple):
                raise TypeError("a layer returns an Outcome with a tuple of blocks")
            touched = step.touched(blocks, outcome.blocks) if outcome.blocks is not blocks else ()
            edits = _edits(blocks, outcome, sizes, touched, instance, prior)
            failed = outcome.failed
        except Exception as error:
            failed = f"{type(error).__name__}: {error}"
            outcome, edits = Outcome(blocks, phrase("layer.failed", error=failed)), ()
    more_chars, more_tokens = _deltas(edits, prior)
    return Step(
        instance=instance.name,
        layer=instance.layer,
        title=_numbered(title, instance.name),
        mark=layer.MARK if layer is not None else "request",
        on=instance.on,
        fired=bool(edits) or outcome.overflow,
        why=outcome.why,
        short=outcome.short,
        gauges=outcome.gauges,
        edits=edits,
        before=blocks,
        after=outcome.blocks,
        chars_before=chars,
        chars_after=chars + more_chars,
        tokens_before=tokens,
        tokens_after=tokens + more_tokens,
        first_touched=first_difference(blocks, outcome.blocks, touched),
        overflow=outcome.overflow,
        notes=outcome.notes,
        carry=outcome.carry,
        failed=failed,
        settings=instance.settings,
        carried=step.carry,
    )


def _edits(
    blocks: Blocks,
    outcome: Outcome,
    sizes: Sizes,
    touched: Sequence[int] | None,
    instance: Instance,
    prior: Step | None,
) -> tuple[Edit, ...]:
    """What the step did; of nearly the same blocks as before, only where it did something else than before."""
    after = outcome.blocks
    if prior is not None and prior.layer == instance.layer and not outcome.reasons:
        past = prior.before, prior.after
        again = compare_again(prior.edits, past, blocks, after, sizes, outcome.each, outcome.reason)
        if again is not None:
            return again
    return compare(blocks, after, outcome.reasons, sizes, touched, outcome.reason, outcome.each)


def _deltas(edits: tuple[Edit, ...], prior: Step | None) -> tuple[int, int]:
    if prior is None:
        return deltas(edits)
    known = prior.chars_after - prior.chars_before, prior.tokens_after - prior.tokens_before
    return deltas_again(edits, prior.edits, known)


def _numbered(title: Phrase, name: str) -> Phrase:
    """`repair_pairs#2` is "Repair pairs (2nd)"."""
    _, mark, number = name.partition("#")
    if not mark:
        return title
    return phrase("layer.second", title=title) if number == "2" else phrase("layer.again", title=title, number=number)
