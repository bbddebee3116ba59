"""What a step did to each block, told by comparing what came in with what it left.

    before   a b c d        edits    b replaced by B · c dropped · x inserted · d moved
    after    d a B x

A layer never tells its own effect: whatever it does, the edits lead from before to after.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter, lt
from typing import Literal

from core.difference import changed, ends, middles, sources
from core.layer import NO_REASONS
from core.matching import in_order
from core.phrase import Phrase
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


Size = Callable[[Block], int]
"""Size of one block in some unit; the pipeline asks for every block once, whoever gives the answer may remember it."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """`chars`: UTF-16 units of text that is sent. `tokens`: by the counter in use. `edits`: made before, by the
    identities of the two blocks, so that an edit that stays the same is the same object."""

    chars: Size
    tokens: Size
    edits: dict[tuple[int, int], Edit] = field(default_factory=dict)

    MOST = 200_000
    """Edits that are remembered."""


def first_difference(before: Blocks, after: Blocks, touched: Sequence[int] | None = None) -> int | None:
    """Index of the first block that is not the same; None when all are. `touched`: see `compare`."""
    if before is after:
        return None
    if touched is not None:
        return next((index for index in touched if before[index].key != after[index].key), None)
    for index, (old, new) in enumerate(zip(before, after, strict=False)):
        if old is not new and old.key != new.key:
            return index
    return None if len(before) == len(after) else min(len(before), len(after))


def compare(
    before: Blocks,
    after: Blocks,
    reasons: Mapping[Block, Phrase],
    sizes: Sizes,
    touched: Sequence[int] | None = None,
    reason: Phrase | None = None,
    each: Each | None = None,
) -> tuple[Edit, ...]:
    """The edits that lead from `before` to `after`, in the order of the prompt, dropped ones where they stood.

    `reason`: of edits that `reasons` says nothing of. `each`: tells it of those that were replaced, instead.

    `touched`: indices at which they do not hold the very same block, where both are of one length."""
    if before is after:
        return ()
    if len(before) == len(after):
        if touched is None:
            touched = [index for index, (old, new) in enumerate(zip(before, after, strict=True)) if old is not new]
        if each is not None:
            reasons = {before[at]: each(before[at], after[at]) for at in touched if before[at].key != after[at].key}
        in_place = _in_place(before, after, reasons, sizes, touched, reason)
        if in_place is not None:
            return in_place
    head, tail = ends(before, after)
    if head + tail == len(after):  # a stretch is gone, nothing else
        gone = range(head, len(before) - tail)
        if reasons is NO_REASONS:
            return tuple(_dropped(gone, before, sizes, reason))
        return tuple([_edit("dropped", index, before[index], None, reasons, sizes, reason) for index in gone])
    inner = after[head : len(after) - tail]
    source = sources(before[head : len(before) - tail], inner)
    there = [at for at in source if at is not None]
    rising = all(map(lt, there, there[1:]))
    stay: Container[int] = range(len(before)) if rising else in_order(there)
    place = set(range(len(before) - head - tail)).difference(at for at in source if at is not None)
    edits: list[tuple[float, Edit]] = []
    for index, (block, at) in enumerate(zip(inner, source, strict=True)):
        if at is None:
            edits.append((index, _edit("inserted", head + index, None, block, reasons, sizes, reason)))
            continue
        old = before[head + at]
        if block is not old and block.key != old.key:
            edits.append((index, _edit("replaced", head + index, old, block, reasons, sizes, reason)))
        elif at not in stay:
            edits.append((index, _edit("moved", head + index, old, block, reasons, sizes, reason)))
    if place:
        position = {at: index for index, at in enumerate(source) if at is not None}
        behind = -1.0
        for at in range(len(before) - head - tail):
            if at in position:
                behind = position[at] + 0.5
            elif at in place:
                edits.append((behind, _edit("dropped", head + at, before[head + at], None, reasons, sizes, reason)))
        edits.sort(key=lambda found: found[0])
    return tuple(edit for _, edit in edits)


def deltas(edits: Sequence[Edit]) -> tuple[int, int]:
    """Characters and tokens that edits add."""
    return (
        sum([edit.chars_after - edit.chars_before for edit in edits]),
        sum([edit.tokens_after - edit.tokens_before for edit in edits]),
    )


def deltas_again(edits: Sequence[Edit], old: Sequence[Edit], known: tuple[int, int]) -> tuple[int, int]:
    """The same, where `old` edits are known to add `known`: most are the same ones while a threshold is dragged."""
    gone, came = middles(old, edits)
    if len(gone) + len(came) >= len(edits):
        return deltas(edits)
    less, more = deltas(gone), deltas(came)
    return known[0] - less[0] + more[0], known[1] - less[1] + more[1]


Each = Callable[[Block, Block], Phrase]
"""Why a block was replaced, told from it and what stands for it."""


def compare_again(
    old: Sequence[Edit],
    past: tuple[Blocks, Blocks],
    before: Blocks,
    after: Blocks,
    sizes: Sizes,
    each: Each | None,
    reason: Phrase | None,
) -> tuple[Edit, ...] | None:
    """The edits that lead from `before` to `after`, made from those (`old`) that led from one to the other block list
    of the `past`: what a moved threshold leaves as it was is not looked at. None where that cannot be told.

        past    a b c d e ─▶ a B c d  E     replaced in place, reasons told by `each`: only where other blocks stand
        now     a b c d e ─▶ a B C d' E     on one side or the other
        past    b c d e f ─▶     d e f      a stretch gone of the same blocks, all for one `reason`: only what is gone
        now     b c d e f ─▶   c d e f      now and was not, or the reverse
    """
    came, then = past
    if each is not None and len(came) == len(then) == len(before) == len(after):
        return _replaced_again(old, past, before, after, sizes, each)
    if each is None and came is before and len(then) < len(before) and len(after) < len(before):
        return _gone_again(old, before, then, after, sizes, reason)
    return None


_index = attrgetter("index")


def _replaced_again(
    old: Sequence[Edit], past: tuple[Blocks, Blocks], before: Blocks, after: Blocks, sizes: Sizes, each: Each
) -> tuple[Edit, ...] | None:
    others = changed(past[1], after) or []
    if past[0] is not before:
        others = sorted({*others, *(changed(past[0], before) or ())})
    if 2 * len(others) > len(after) or any(edit.kind != "replaced" for edit in (*old[:1], *old[-1:])):
        return None
    edits: list[Edit] = []
    at = 0
    for index in others:
        start = bisect_left(old, index, at, key=_index)
        edits += old[at:start]
        at = start + 1 if start < len(old) and old[start].index == index else start
        was, new = before[index], after[index]
        if new is was or new.key == was.key:
            continue
        if new.before is not was and new.before != was:
            return None
        edits.append(_made("replaced", index, was, new, sizes, each(was, new)))
    edits += old[at:]
    return tuple(edits)


def _gone_again(
    old: Sequence[Edit], before: Blocks, then: Blocks, after: Blocks, sizes: Sizes, reason: Phrase | None
) -> tuple[Edit, ...] | None:
    """Only where `old` is one stretch and the new one is one too."""
    if not old or len(then) + len(old) != len(before) or old[-1].index - old[0].index + 1 != len(old):
        return None
    if old[0].kind != "dropped" or old[-1].kind != "dropped" or not _equal(old[0].reason, reason):
        return None
    head, tail = ends(before, after)
    if head + tail != len(after):
        return None
    first, end = head, len(before) - tail
    low, high = max(first, old[0].index), min(end, old[-1].index + 1)
    if low >= high:
        return None
    made = [_dropped(gone, before, sizes, reason) for gone in (range(first, low), range(high, end))]
    kept = old[low - old[0].index : high - old[0].index]
    return (*made[0], *kept, *made[1])


def _dropped(gone: range, before: Blocks, sizes: Sizes, reason: Phrase | None) -> list[Edit]:
    """Of a stretch that is gone. They are not remembered one by one: a limit drops ten thousand at once, and
    `_gone_again` takes them over from the run before."""
    chars, tokens = sizes.chars, sizes.tokens
    blocks = before[gone.start : gone.stop]
    return [
        Edit("dropped", index, block, None, chars(block), 0, tokens(block), 0, reason)
        for index, block in zip(gone, blocks, strict=True)
    ]


def _in_place(
    before: Blocks,
    after: Blocks,
    reasons: Mapping[Block, Phrase],
    sizes: Sizes,
    touched: Sequence[int],
    reason: Phrase | None,
) -> tuple[Edit, ...] | None:
    """Where each block stands where the one stood that it replaces, as after most layers; None where not. Equal will
    do: what was made of a block at another request is made of this one too."""
    edits: list[Edit] = []
    known = sizes.edits
    said = {id(block): reason for block, reason in reasons.items()}.get  # hashing a block takes longer than all else
    for index in touched:
        old, new = before[index], after[index]
        if new.before is not old and new.before != old:
            return None
        if old.key != new.key:
            edit = known.get((id(old), id(new)))
            same = edit is not None and edit.kind == "replaced" and edit.index == index
            if edit is None or not same or edit.reason is None or edit.reason is not said(id(old), reason):
                edit = _edit("replaced", index, old, new, reasons, sizes, reason)
            edits.append(edit)
    return tuple(edits)


def _edit(
    kind: EditKind,
    index: int,
    old: Block | None,
    new: Block | None,
    reasons: Mapping[Block, Phrase],
    sizes: Sizes,
    reason: Phrase | None,
) -> Edit:
    if reasons is not NO_REASONS:
        own = reasons.get(old) if old is not None else None
        if own is None and new is not None:
            own = reasons.get(new)
        reason = own or reason
    return _made(kind, index, old, new, sizes, reason)


def _made(
    kind: EditKind, index: int, old: Block | None, new: Block | None, sizes: Sizes, reason: Phrase | None
) -> Edit:
    key = (id(old), id(new))
    known = sizes.edits.get(key)
    if known is not None and known.index == index and known.kind == kind and _equal(known.reason, reason):
        return known
    made = Edit(
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
    if len(sizes.edits) >= sizes.MOST:
        sizes.edits.clear()
    sizes.edits[key] = made
    return made


def _equal(one: Phrase | None, other: Phrase | None) -> bool:
    return one is other or one == other
