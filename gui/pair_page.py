"""Two prompts side by side: which blocks stand beside each other, what of their texts is shown, what differs first.

    before                          after
    81  … 78 blocks the same        81  … 78 blocks the same
    85  Tool result                 85  Tool result  ✂ cut 6,096 → 2,410 chars
        def f():                        def f():
        ~~long body~~                   [cut]
    86  ~~dropped~~

Places in the alignment (`index`) are those of `rows`; no Qt in here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from core import difference
from core.difference import FirstDifference
from core.difference import Row as Pair
from core.fate import Fate, Fates, same_words
from core.pipeline import SESSION_CONTEXT
from core.prompt import Block, Blocks
from core.segments import Segment, Segments
from gui import prompt_changes
from gui.pair_texts import PairFolds, PairKey, PairTexts, Side
from gui.prompt_changes import Hunk, Range, hunks, inside, segments_of, slice_of, with_folds
from gui.prompt_page import Page
from gui.prompt_text import Document
from gui.stage import Stage

BEFORE, AFTER = 0, 1
OPENED, OPENED_CHARACTERS = 12, 200_000
"""Changed blocks that are open from the beginning: so many, with so many characters together."""

NOTHING = Document("", ())


@dataclass(eq=False)
class PairPage:
    """`before`, `after` with their tokens. `page`: the prompt they belong to. `folds`: kept by the view."""

    OURS: ClassVar[int] = AFTER
    """The side that is the prompt of the state."""

    page: Page
    before: Blocks
    after: Blocks
    tokens: tuple[Sequence[int], Sequence[int]]
    folds: PairFolds
    known: PairTexts
    _hunks: dict[int, tuple[Hunk, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, page: Page, stage: Stage, folds: PairFolds, known: PairTexts) -> PairPage:
        """The step in focus, or all of them."""
        return cls(page, stage.before, stage.blocks, (stage.tokens_before, stage.tokens), folds, known)

    @cached_property
    def rows(self) -> tuple[Pair, ...]:
        """With all steps applied, what is not sent makes no difference either."""
        found = difference.align(self.before, self.after)
        return tuple(map(self._for_model, found)) if self.all_steps else found

    def _for_model(self, row: Pair) -> Pair:
        if row.kind != "replaced" or row.before is None or row.after is None:
            return row
        old, new = self.before[row.before], self.after[row.after]
        same = self.known.same(self.known.sent, old, new, difference.alike)
        return Pair("same", row.before, row.after) if same else row

    @cached_property
    def first(self) -> FirstDifference | None:
        """Where the two prompts first differ for the model."""
        return difference.first_difference(self.before, self.after)

    @cached_property
    def changed(self) -> int:
        """How many differences there are: one for each edit. A moved block has two rows."""
        return sum([row.kind != "same" and (row.kind != "moved" or row.after is not None) for row in self.rows])

    @property
    def all_steps(self) -> bool:
        return self.page.step is None

    @property
    def from_nothing(self) -> bool:
        """Step 0: nothing stands before it."""
        return self.page.step is not None and self.page.step.instance == SESSION_CONTEXT

    @cached_property
    def quiet(self) -> tuple[bool, ...]:
        """By row: whether the same is said on both sides; what stands beside the words (ids, details) may differ."""
        return tuple(row.kind == "same" or self._same_words(row) for row in self.rows)

    def _same_words(self, row: Pair) -> bool:
        if row.kind != "replaced" or row.before is None or row.after is None:
            return False
        old, new = self.before[row.before], self.after[row.after]
        return self.known.same(self.known.said, old, new, _same_words)

    def stretches(self) -> list[tuple[int, int]]:
        """Runs [first, last] of quiet rows."""
        found: list[tuple[int, int]] = []
        for index, quiet in enumerate(self.quiet):
            if not quiet:
                continue
            if found and found[-1][1] == index - 1:
                found[-1] = (found[-1][0], index)
            else:
                found.append((index, index))
        return found

    # blocks

    def block(self, index: int, side: int) -> Block | None:
        row = self.rows[index]
        at = row.before if side == BEFORE else row.after
        return None if at is None else (self.before, self.after)[side][at]

    def ours(self, index: int) -> int | None:
        """The block of the prompt of the state that stands in a row."""
        row = self.rows[index]
        return row.after if self.OURS == AFTER else row.before

    def key(self, index: int) -> bytes:
        """What open texts are remembered by."""
        block = self.block(index, AFTER) or self.block(index, BEFORE)
        return block.key if block is not None else b""

    @cached_property
    def _fates(self) -> Fates | None:
        stage = self.page.stage
        if stage is None:
            return None
        since = stage.number if stage.step is not None else 0
        return Fates(stage.trace, stage.number, since, self.page.texts.edits)

    def fate(self, index: int) -> Fate | None:
        """What the step (or all of them) did to the block after."""
        block = self.block(index, AFTER)
        if self._fates is None or block is None or self.rows[index].kind == "same":
            return None
        return self._fates.of(block)

    def is_open(self, index: int) -> bool:
        key = self.key(index)
        return key in self.folds.opened or (index in self._open_first and key not in self.folds.closed)

    def toggle(self, index: int) -> None:
        """Open or close the texts of a pair."""
        key, is_open = self.key(index), self.is_open(index)
        self.folds.opened.discard(key)
        self.folds.closed.discard(key)
        (self.folds.closed if is_open else self.folds.opened).add(key)

    @cached_property
    def _open_first(self) -> frozenset[int]:
        """Open unless the person closes them: where the prompts first differ, and the first replaced blocks."""
        found: list[int] = [self.first_place[0]] if self.first_place is not None else []
        characters = 0
        for index, row in enumerate(self.rows):
            if row.kind != "replaced" or self.quiet[index]:
                continue
            one, other, _ = self.texts(index)
            characters += len(one) + len(other)
            if characters > OPENED_CHARACTERS and found:
                break
            if one.text != other.text and index not in found:
                found.append(index)
            if len(found) >= OPENED:
                break
        return frozenset(found)

    # texts

    def document(self, index: int, side: int) -> Document:
        block = self.block(index, side)
        return self.page.texts.document(block) if block is not None else NOTHING

    def _pair_key(self, index: int) -> PairKey:
        before, after = self.block(index, BEFORE), self.block(index, AFTER)
        return (before.key if before is not None else None, after.key if after is not None else None)

    def texts(self, index: int) -> tuple[Document, Document, Segments]:
        """(before, after, what of them is kept, removed, inserted)."""
        return self.known.texts(self._pair_key(index), lambda: self._read(index))

    def _read(self, index: int) -> tuple[Document, Document, Segments]:
        one, other = self.document(index, BEFORE), self.document(index, AFTER)
        return one, other, self._segments(index, one, other)

    def _segments(self, index: int, one: Document, other: Document) -> Segments:
        if self.block(index, BEFORE) is None:
            return (Segment("inserted", (0, 0), (0, len(other))),)
        if self.block(index, AFTER) is None:
            return (Segment("removed", (0, len(one)), (0, 0)),)
        return segments_of(one, other)

    def hunks(self, index: int) -> tuple[Hunk, ...]:
        """The lines of a pair side by side, long equal stretches folded."""
        found = self._hunks.get(index)
        if found is None:
            one, other, segments = self.texts(index)
            found = hunks(segments, one.text, other.text)
            if self.rows[index].kind != "same":
                opened = frozenset(at for place, at in self.folds.lines if place == index)
                found = with_folds(found, one.text, opened)
            found = self._hunks[index] = found or (Hunk("same", (0, 0), (0, 0)),)
        return found

    def unfold_lines(self, index: int, part: int) -> None:
        """Show lines that are the same."""
        self.folds.lines.add((index, self.hunks(index)[part].before[0]))
        self._hunks.pop(index, None)

    def sides(self, index: int, part: int) -> tuple[Side, Side]:
        """The two columns of a hunk."""
        one, other, _ = self.texts(index)
        hunk = self.hunks(index)[part]
        boxes = self._box(index, hunk.before, len(one)), self._box(index, hunk.after, len(other))
        key = (self._pair_key(index), hunk.before, hunk.after, boxes)
        return self.known.sides(key, lambda: self._cut_out(index, hunk, boxes))

    def _cut_out(self, index: int, hunk: Hunk, boxes: tuple[int | None, int | None]) -> tuple[Side, Side]:
        one, other, segments = self.texts(index)
        removed = inside((each.before for each in segments if each.kind == "removed"), hunk.before)
        inserted = inside((each.after for each in segments if each.kind == "inserted"), hunk.after)
        return (
            Side(slice_of(one, hunk.before), tuple(removed), boxes[BEFORE]),
            Side(slice_of(other, hunk.after), tuple(inserted), boxes[AFTER]),
        )

    def _box(self, index: int, part: Range, size: int) -> int | None:
        """The character that differs first, if it stands in this part, counted from its beginning."""
        if self.first_place is None or self.first_place[0] != index:
            return None
        at = self.first_place[1]
        return at - part[0] if part[0] <= at < part[1] or (at == size == part[1] and size > 0) else None

    @cached_property
    def first_place(self) -> tuple[int, int] | None:
        """(place in the alignment, character of its texts) that differs first; None when nothing that is said does."""
        for index, row in enumerate(self.rows):
            if self.quiet[index]:
                continue
            if row.kind != "replaced":
                return index, 0
            one, other, _ = self.texts(index)
            at = prompt_changes.first_difference(one, other)
            if at is not None:
                return index, at
        return None


def _same_words(old: Block, new: Block) -> bool:
    return old.message.role == new.message.role and same_words(old.message, new.message)
