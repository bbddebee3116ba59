"""What a step did, counted and in words: beside its numbers, during a drag, and against an alternative."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from core.difference import first_difference, middles
from core.phrase import Phrase, phrase
from core.pipeline import Edit, Step, Trace
from core.prompt import Block, Blocks
from core.text import Span

MANY = 4
"""Blocks that a sentence names one by one at most."""
NEAR = 1_500
"""Places to either side at which a block is looked for in another step's blocks."""
KINDS = ("emptied", "cut", "dropped", "inserted", "changed", "moved")


def fate(edit: Edit) -> str:
    """emptied: only a notice is left · cut: a result lost text · changed: replaced otherwise · dropped …

    The same words as `core.fate` has for the Prompt tab, told from less: this runs while a threshold is dragged."""
    if edit.kind != "replaced":
        return edit.kind
    assert edit.after is not None
    assert edit.before is not None
    if edit.after.message.role != "toolResult" or edit.after.message.parts is edit.before.message.parts:
        return "changed"
    if _hollow(edit.after) and (edit.before.before is None or not _hollow(edit.before)):  # from the file: never
        return "emptied"
    return "cut" if edit.chars_after < edit.chars_before else "changed"


def _hollow(block: Block) -> bool:
    """Only what a layer wrote is left of the text of a block."""
    found = False
    for part in block.message.parts:
        text = part.text
        if text is not None:
            found = True
            for piece in text.pieces:
                if type(piece) is Span:
                    return False
    return found


@dataclass(frozen=True, slots=True)
class Effects:
    """Rising places of the edits, by KINDS (same order): where blocks stand after the step, dropped ones before it."""

    places: tuple[tuple[int, ...], ...]
    overflow: bool
    chars: int
    tokens: int

    def count(self, kind: str) -> int:
        return len(self.places[KINDS.index(kind)])


_known: list[tuple[Step, Effects]] = []
"""The last few steps. While a threshold is dragged one step is asked for in several sentences, and most edits of the
next one are the very same."""
KEPT = 6
NOWHERE: tuple[tuple[int, ...], ...] = ((),) * len(KINDS)


def effects(step: Step) -> Effects:
    found = next((told for known, told in _known if known is step), None)
    if found is None:
        before = next((known for known in reversed(_known) if known[0].instance == step.instance), None)
        places = _moved(before[1].places, before[0].edits, step.edits) if before else _moved(NOWHERE, (), step.edits)
        chars, tokens = step.chars_after - step.chars_before, step.tokens_after - step.tokens_before
        found = Effects(places, step.overflow, chars, tokens)
        _known.append((step, found))
        del _known[:-KEPT]
    return found


def _moved(
    places: tuple[tuple[int, ...], ...], then: Sequence[Edit], now: Sequence[Edit]
) -> tuple[tuple[int, ...], ...]:
    """`places` of the edits `then`, brought to those that there are `now`: most are the same ones."""
    gone, came = middles(then, now)
    if not gone and not came:
        return places
    if len(gone) + len(came) >= len(now):
        places, gone, came = NOWHERE, (), now
    found = [list(known) for known in places]
    for edit in gone:
        held = found[KINDS.index(fate(edit))]
        del held[bisect_left(held, edit.index)]
    for edit in came:
        found[KINDS.index(fate(edit))].append(edit.index)
    return tuple([tuple(sorted(held)) for held in found])


def _joined(parts: list[Phrase]) -> Phrase:
    """One list of clauses, at most three."""
    said = parts[0]
    for more in parts[1:3]:
        said = phrase("dock.also", first=said, second=more)
    return said


def place_of(block: Block, index: int, shown: Blocks) -> int:
    """Where a block that stood at `index` stands in what is shown, under the number that a reader sees beside it; where
    it stood, when it is not there. Later steps shift blocks by a few places: it is looked for near by, no further than
    a drag leaves time for."""
    first = block.first
    for away in range(min(NEAR, max(index, len(shown) - index)) + 1):
        for at in (index - away, index + away):
            if 0 <= at < len(shown) and shown[at].first is first:
                return at
    return index


def blocks_named(places: tuple[int, ...]) -> Phrase:
    """ "blocks 3 and 5", or how many and which is the first."""
    if len(places) > MANY:
        return phrase("dock.blocks.many", n=len(places), a=min(places) + 1)
    numbers = [place + 1 for place in sorted(places)]
    if len(numbers) == 1:
        return phrase("dock.blocks.one", a=numbers[0])
    names = dict(zip("abcd", numbers, strict=False))
    return phrase(f"dock.blocks.these_{len(numbers)}", **names)


def _shown(step: Step, places: tuple[int, ...], shown: Blocks | None) -> tuple[int, ...]:
    """Places of a step as they are numbered in what is shown: all that are named one by one, else the first."""
    if shown is None or shown is step.after:
        return places
    named = len(places) if len(places) <= MANY else 1
    ordered = sorted(places)
    seen = [place_of(step.after[place], place, shown) for place in ordered[:named]]
    return tuple(seen + [place + len(shown) for place in ordered[named:]])


def done(step: Step, shown: Blocks | None = None) -> Phrase:
    """The whole effect: "cuts blocks 85, 86 and 88", as they are numbered in `shown` (None: in what the step left).
    What was dropped is in neither: it has the number it came in with."""
    found = effects(step)
    parts = [
        phrase(f"dock.did.{kind}", what=blocks_named(places if kind == "dropped" else _shown(step, places, shown)))
        for kind, places in zip(KINDS, found.places, strict=True)
        if places
    ]
    if found.overflow:
        parts.insert(0, phrase("dock.did.overflow"))
    return _joined(parts) if parts else phrase("dock.did.nothing")


def consequence(now: Step, then: Step, overflow_now: bool, overflow_then: bool) -> Phrase:
    """What moving a threshold from `then` to `now` changes: "empties 3 more results"."""
    new, old = effects(now), effects(then)
    parts: list[Phrase] = []
    if overflow_now != overflow_then:
        parts.append(phrase("dock.drag.overflow" if overflow_now else "dock.drag.no_overflow"))
    for kind in KINDS:
        more = new.count(kind) - old.count(kind)
        if more:
            parts.append(phrase(f"dock.drag.{kind}_{'more' if more > 0 else 'fewer'}", n=abs(more)))
    if parts:
        return _joined(parts[:2])
    if new.tokens != old.tokens:
        name = "takes_more" if new.tokens < old.tokens else "takes_less"
        return phrase(f"dock.drag.{name}", n=abs(new.tokens - old.tokens))
    return phrase("dock.drag.same")


def first_rewritten(now: Step, before: Step | None) -> int | None:
    """Index of the first block that this step makes another than it was at the previous request; None = none.

    A cached prefix is lost from there on, unless an earlier step had made a difference before that place already.
    """
    if before is None:
        return None
    after = _parted(before.after, now.after)
    came_in = _parted(before.before, now.before)
    if after is None or (came_in is not None and came_in <= after):
        return None
    return after


def _parted(old: Blocks, new: Blocks) -> int | None:
    """Where `new` stops to begin with `old`, as far as the model sees it; None when it begins with all of it."""
    found = first_difference(old, new)
    return None if found is None or found.block >= len(old) else found.block


def against(here: Trace, there: Trace, number: int, now: int, until: int = -1) -> Phrase:
    """What an alternative would send instead. `number`: the step that was changed; `now`: tokens that are sent. Blocks
    are numbered as after the step `until` (-1: the last one)."""
    step, other = here.steps[number], there.steps[number]
    if first_difference(here.blocks, there.blocks) is None:
        same = phrase("dock.instead.same")
        return same if here.overflow == there.overflow else _overflow(same, there.overflow)
    sent = there.steps[-1].tokens_after
    then, mine_shown = there.steps[until].after, here.steps[until].after
    said = phrase("dock.instead.effect", what=done(other, then), sent=sent, now=now)
    if not other.on:  # what a step does that is switched off is no news
        said = phrase("dock.instead.sent", sent=sent, now=now)
    first, mine = other.first_touched, step.first_touched
    if first is not None and mine is not None and first != mine:
        a = place_of(other.before[first], first, then) if first < len(other.before) else first
        b = place_of(step.before[mine], mine, mine_shown) if mine < len(step.before) else mine
        said = phrase("dock.two", first=said, second=phrase("dock.instead.touched", a=a + 1, b=b + 1))
    return said if here.overflow == there.overflow else _overflow(said, there.overflow)


def _overflow(said: Phrase, overflow: bool) -> Phrase:
    return phrase("dock.two", first=said, second=phrase("dock.instead.overflow" if overflow else "dock.instead.fits"))
