"""Runs layer instances one after another, compares before and after, and writes down what each did: the Trace.

blocks ─▶ layer ─▶ blocks ─▶ layer ─▶ blocks      Step = one application · Trace = the steps of one request
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Literal

from core.context import Context
from core.difference import sources
from core.layer import NO_REASONS, Gauge, Outcome, StepContext, layers
from core.matching import in_order
from core.phrase import Phrase, phrase
from core.profile import Instance, Profile
from core.prompt import Block, Blocks

EditKind = Literal["replaced", "dropped", "inserted", "moved"]


@dataclass(frozen=True, slots=True)
class Edit:
    """What a step did to one block. `index`: where it stands after the step (dropped: where it stood before).

    Sizes in UTF-16 units of text and in tokens of the counter; `reason` None when the layer gave none."""

    kind: EditKind
    index: int
    before: Block | None
    after: Block | None
    chars_before: int
    chars_after: int
    tokens_before: int
    tokens_after: int
    reason: Phrase | None


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


@dataclass(frozen=True, slots=True)
class Trace:
    """`steps` in order; `overflow`: some step would raise the agent's overflow error. `blocks`: what is sent."""

    policy: str
    steps: tuple[Step, ...]
    blocks: Blocks
    overflow: bool


Size = Callable[[Block], int]
"""Size of one block in some unit; the pipeline asks for every block once, whoever gives the answer may remember it."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """`chars`: UTF-16 units of text that is sent. `tokens`: by the counter in use."""

    chars: Size
    tokens: Size


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

    With `previous` (a Trace of the same request under nearly the same profile) the steps before index `start` (0 =
    session context) are taken over and only the rest is run.
    """
    known = layers()
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
        done = _apply(known.get(instance.layer), instance, blocks, replace(step, carry=carry), sizes, chars, tokens)
        steps.append(done)
        blocks, chars, tokens = done.after, done.chars_after, done.tokens_after
        overflow = overflow or done.overflow
    return Trace(profile.id, tuple(steps), blocks, overflow)


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
) -> Step:
    failed = ""
    edits: tuple[Edit, ...] = ()
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
            edits = compare(blocks, outcome.blocks, outcome.reasons, sizes)
            failed = outcome.failed
        except Exception as error:
            failed = f"{type(error).__name__}: {error}"
            outcome = Outcome(blocks, phrase("layer.failed", error=failed))
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
        chars_after=chars + sum(edit.chars_after - edit.chars_before for edit in edits),
        tokens_before=tokens,
        tokens_after=tokens + sum(edit.tokens_after - edit.tokens_before for edit in edits),
        first_touched=first_difference(blocks, outcome.blocks),
        overflow=outcome.overflow,
        notes=outcome.notes,
        carry=outcome.carry,
        failed=failed,
    )


def _numbered(title: Phrase, name: str) -> Phrase:
    """`repair_pairs#2` is "Repair pairs (2nd)"."""
    _, mark, number = name.partition("#")
    if not mark:
        return title
    return phrase("layer.second", title=title) if number == "2" else phrase("layer.again", title=title, number=number)


def first_difference(before: Blocks, after: Blocks) -> int | None:
    """Index of the first block that is not the same; None when all are."""
    if before is after:
        return None
    for index, (old, new) in enumerate(zip(before, after, strict=False)):
        if old is not new and old.key != new.key:
            return index
    return None if len(before) == len(after) else min(len(before), len(after))


def compare(before: Blocks, after: Blocks, reasons: Mapping[Block, Phrase], sizes: Sizes) -> tuple[Edit, ...]:
    """The edits that lead from `before` to `after`, in the order of the prompt, dropped ones where they stood."""
    if before is after:
        return ()
    source = sources(before, after)
    stay = in_order([at for at in source if at is not None])
    place = set(range(len(before))).difference(at for at in source if at is not None)
    edits: list[tuple[float, Edit]] = []
    for index, (block, at) in enumerate(zip(after, source, strict=True)):
        if at is None:
            edits.append((index, _edit("inserted", index, None, block, reasons, sizes)))
        elif block is not before[at] and block.key != before[at].key:
            edits.append((index, _edit("replaced", index, before[at], block, reasons, sizes)))
        elif at not in stay:
            edits.append((index, _edit("moved", index, before[at], block, reasons, sizes)))
    if place:
        position = {at: index for index, at in enumerate(source) if at is not None}
        behind = 0.0
        for at, block in enumerate(before):
            if at in position:
                behind = position[at] + 0.5
            elif at in place:
                edits.append((behind, _edit("dropped", at, block, None, reasons, sizes)))
        edits.sort(key=lambda found: found[0])
    return tuple(edit for _, edit in edits)


def _edit(
    kind: EditKind, index: int, old: Block | None, new: Block | None, reasons: Mapping[Block, Phrase], sizes: Sizes
) -> Edit:
    reason = None
    if reasons is not NO_REASONS:
        reason = reasons.get(old) if old is not None else None
        if reason is None and new is not None:
            reason = reasons.get(new)
    return Edit(
        kind,
        index,
        old,
        new,
        sizes.chars(old) if old is not None else 0,
        sizes.chars(new) if new is not None else 0,
        sizes.tokens(old) if old is not None else 0,
        sizes.tokens(new) if new is not None else 0,
        reason,
    )
