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

from core import difference
from core.difference import FirstDifference
from core.difference import Row as Pair
from core.fate import Fate, Fates
from core.pipeline import SESSION_CONTEXT
from core.prompt import Block, Blocks
from core.segments import Segment, Segments
from gui import prompt_changes
from gui.prompt_changes import Hunk, Range, hunks, inside, segments_of, slice_of, with_folds
from gui.prompt_page import Page
from gui.prompt_rows import Kind, Row
from gui.prompt_text import Document
from gui.stage import Stage

BEFORE, AFTER = 0, 1
MIN_SAME = 2
"""So many blocks in a row that are the same fold."""
OPENED, OPENED_CHARACTERS = 12, 200_000
"""Changed blocks that are open from the beginning: so many, with so many characters together."""

NOTHING = Document("", ())


@dataclass
class PairFolds:
    """What the person folded and unfolded. Texts are remembered by message key; runs and lines for one alignment."""

    opened: set[bytes] = field(default_factory=set)
    closed: set[bytes] = field(default_factory=set)
    runs: set[int] = field(default_factory=set)
    """Unfolded runs, by their first place."""
    all_runs: bool = False
    lines: set[tuple[int, int]] = field(default_factory=set)
    """Unfolded equal lines: (place in the alignment, character before at which they begin)."""

    def forget(self) -> None:
        """Another alignment."""
        self.runs.clear()
        self.lines.clear()
        self.all_runs = False


@dataclass(frozen=True, slots=True)
class Side:
    """One column of a hunk: its lines, what of them is gone or new, and the character that differs first."""

    document: Document
    marked: tuple[Range, ...] = ()
    boxed: int | None = None


@dataclass(eq=False)
class PairPage:
    """`before`, `after` with their tokens. `page`: the prompt they belong to. `folds`: kept by the view."""

    page: Page
    before: Blocks
    after: Blocks
    tokens: tuple[Sequence[int], Sequence[int]]
    folds: PairFolds
    _texts: dict[int, tuple[Document, Document, Segments]] = field(default_factory=dict)
    _hunks: dict[int, tuple[Hunk, ...]] = field(default_factory=dict)
    _sides: dict[tuple[int, int], tuple[Side, Side]] = field(default_factory=dict)

    @classmethod
    def of(cls, page: Page, stage: Stage, folds: PairFolds) -> PairPage:
        """The step in focus, or all of them."""
        return cls(page, stage.before, stage.blocks, (stage.tokens_before, stage.tokens), folds)

    @cached_property
    def rows(self) -> tuple[Pair, ...]:
        return difference.align(self.before, self.after)

    @cached_property
    def first(self) -> FirstDifference | None:
        """Where the two prompts first differ for the model."""
        return difference.first_difference(self.before, self.after)

    @property
    def changed(self) -> int:
        """How many rows are not the same."""
        return sum(row.kind != "same" for row in self.rows)

    @property
    def all_steps(self) -> bool:
        return self.page.step is None

    @property
    def from_nothing(self) -> bool:
        """Step 0: nothing stands before it."""
        return self.page.step is not None and self.page.step.instance == SESSION_CONTEXT

    # blocks

    def block(self, index: int, side: int) -> Block | None:
        row = self.rows[index]
        at = row.before if side == BEFORE else row.after
        return None if at is None else (self.before, self.after)[side][at]

    def key(self, index: int) -> bytes:
        """What open texts are remembered by."""
        block = self.block(index, AFTER) or self.block(index, BEFORE)
        return block.key if block is not None else b""

    @cached_property
    def _fates(self) -> Fates | None:
        stage = self.page.stage
        if stage is None:
            return None
        return Fates(stage.trace, stage.number, stage.number if stage.step is not None else 0)

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
        """Open unless the person closes them: the first replaced blocks whose words differ."""
        found: list[int] = []
        characters = 0
        for index, row in enumerate(self.rows):
            if row.kind != "replaced":
                continue
            one, other, _ = self.texts(index)
            characters += len(one) + len(other)
            if characters > OPENED_CHARACTERS and found:
                break
            if one.text != other.text:
                found.append(index)
            if len(found) >= OPENED:
                break
        return frozenset(found)

    # texts

    def document(self, index: int, side: int) -> Document:
        block = self.block(index, side)
        return self.page.texts.document(block) if block is not None else NOTHING

    def texts(self, index: int) -> tuple[Document, Document, Segments]:
        """(before, after, what of them is kept, removed, inserted)."""
        found = self._texts.get(index)
        if found is None:
            one, other = self.document(index, BEFORE), self.document(index, AFTER)
            found = self._texts[index] = (one, other, self._segments(index, one, other))
        return found

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
        self._sides = {key: side for key, side in self._sides.items() if key[0] != index}

    def sides(self, index: int, part: int) -> tuple[Side, Side]:
        """The two columns of a hunk."""
        found = self._sides.get((index, part))
        if found is None:
            one, other, segments = self.texts(index)
            hunk = self.hunks(index)[part]
            removed = inside((each.before for each in segments if each.kind == "removed"), hunk.before)
            inserted = inside((each.after for each in segments if each.kind == "inserted"), hunk.after)
            found = self._sides[index, part] = (
                Side(slice_of(one, hunk.before), tuple(removed), self._box(index, hunk.before, len(one))),
                Side(slice_of(other, hunk.after), tuple(inserted), self._box(index, hunk.after, len(other))),
            )
        return found

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
            if row.kind == "same":
                continue
            if row.kind != "replaced":
                return index, 0
            one, other, _ = self.texts(index)
            at = prompt_changes.first_difference(one, other)
            if at is not None:
                return index, at
        return None


def rows_of(page: PairPage) -> list[Row]:
    """The rows from top to bottom: runs of what is the same, pairs, and the lines of the open ones."""
    found: list[Row] = []
    runs = {first: last for first, last in difference.folded(page.rows) if last - first + 1 >= MIN_SAME}
    index, size = 0, len(page.rows)
    while index < size:
        last = runs.get(index)
        if last is not None:
            is_open = page.folds.all_runs or index in page.folds.runs
            found.append(Row(Kind.RUN, index, last, is_open))
            if is_open:
                for inner in range(index, last + 1):
                    found.extend(_pair(page, inner))
            index = last + 1
        else:
            found.extend(_pair(page, index))
            index += 1
    return found


def _pair(page: PairPage, index: int) -> list[Row]:
    is_open = page.is_open(index)
    found = [Row(Kind.PAIR, index, index, is_open)]
    if is_open:
        for part, hunk in enumerate(page.hunks(index)):
            kind = Kind.SAME if hunk.kind == "fold" else Kind.HUNK
            found.append(Row(kind, index, index, kind is Kind.HUNK, part=part))
    return found


def row_of(rows: Sequence[Row], index: int) -> int | None:
    """The row of a place in the alignment: its own, or the folded run that holds it."""
    held = None
    for at, row in enumerate(rows):
        if row.kind is Kind.PAIR and row.first == index:
            return at
        if row.kind is Kind.RUN and row.first <= index <= row.last and not row.open:
            held = at
    return held
