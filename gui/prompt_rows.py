"""The rows of the prompt list, from the assembled prompt and what is folded. Integers and keys only, no pixels, no Qt.

UNRECORDED   tools and system prompt, by difference         RUN    blocks 2 – 83, folded (or the head of an open run)
ASSUMED      CACHE BOUNDARY, assumed                        CACHED CACHED UP TO HERE
LEADING      tools, or a part of the system prompt          DIFFERENCE  FIRST DIFFERENCE
BOUNDARY     CACHE BOUNDARY
BLOCK        one message                                    NOTE   3 messages fell out …
PAIR         a block before and after                       LOST   one of them
HUNK         lines of a PAIR side by side                   SAME   lines of it that are the same, folded
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from itertools import groupby

from core.assembled import Assembled, State
from core.fate import Loss
from gui.differs import LEADING


class Kind(Enum):
    """What a row shows."""

    UNRECORDED = "unrecorded"
    ASSUMED = "assumed"
    LEADING = "leading"
    BOUNDARY = "boundary"
    DIFFERENCE = "difference"
    CACHED = "cached"
    BLOCK = "block"
    RUN = "run"
    NOTE = "note"
    LOST = "lost"
    RAW = "raw"
    PAIR = "pair"
    HUNK = "hunk"
    SAME = "same"


def leading_index(first: int) -> int:
    """Index into `Assembled.leading` of what a LEADING or BOUNDARY row is about."""
    return first - LEADING


@dataclass(frozen=True, slots=True)
class Row:
    """`first`, `last`: blocks of a BLOCK or RUN, both included; of a LOST row the entry's row of the session; side by
    side the places in the alignment; of a LEADING row, and of a BOUNDARY below one, its index from LEADING on.

    `open`: the text of a BLOCK or RAW is shown; a RUN or NOTE is unfolded. `told`: a second line tells what was removed
    from a BLOCK. `part`: which hunk of the pair a HUNK or SAME row is.
    """

    kind: Kind
    first: int = -1
    last: int = -1
    open: bool = False
    told: bool = False
    part: int = -1

    @property
    def reachable(self) -> bool:
        """Whether the keyboard stops here."""
        return self.kind in (Kind.BLOCK, Kind.LEADING, Kind.RUN, Kind.NOTE, Kind.LOST, Kind.PAIR, Kind.SAME)

    @property
    def folds_at_once(self) -> bool:
        """Whether a click anywhere folds or unfolds."""
        return self.kind in (Kind.RUN, Kind.NOTE, Kind.SAME)

    @property
    def has_text(self) -> bool:
        """Whether a text belongs to the row, shown or not."""
        return self.kind in (Kind.BLOCK, Kind.LEADING, Kind.RAW, Kind.HUNK)


MIN_RUN = 4
"""Fewer blocks than this are not worth a fold."""
KEPT_AT_END = 6
"""Newest blocks that never fold by themselves: what was added last is what one looks for."""
AROUND = 2
"""Blocks shown on both sides of a block that something outside the list points at."""


@dataclass
class Folds:
    """What the person folded and unfolded. Texts are remembered by message key, so they stay open in other requests.

    `woven`: of those, the ones shown with what was removed from them."""

    opened: set[bytes] = field(default_factory=set)
    woven: set[bytes] = field(default_factory=set)
    unfolded: list[tuple[int, int]] = field(default_factory=list)
    revealed: set[int] = field(default_factory=set)
    lost_open: bool = False
    all_runs: bool = False

    def unfolds(self, first: int, last: int) -> bool:
        return self.all_runs or any(a <= last and first <= b for a, b in self.unfolded)

    def reveal(self, block: int) -> None:
        self.revealed.update(range(block - AROUND, block + AROUND + 1))

    def toggle_run(self, first: int, last: int) -> None:
        if self.unfolds(first, last):
            self.unfolded = [(a, b) for a, b in self.unfolded if b < first or last < a]
            self.revealed -= set(range(first, last + 1))
            self.all_runs = False
        else:
            self.unfolded.append((first, last))

    def everything(self, is_open: bool) -> None:
        """Unfold every run, or fold runs and close texts."""
        self.all_runs = is_open
        if not is_open:
            self.unfolded.clear()
            self.revealed.clear()
            self.opened.clear()
            self.woven.clear()
            self.lost_open = False


def runs(assembled: Assembled) -> tuple[tuple[int, int], ...]:
    """Stretches [first, last] that fold by themselves: blocks of one cache state, but the first and the newest ones."""
    return _runs(assembled.states, assembled.cached_blocks or 0, assembled.context.compaction is not None)


@lru_cache(8)
def _runs(states: tuple[State, ...], edge: int, compacted: bool) -> tuple[tuple[int, int], ...]:
    found: list[tuple[int, int]] = []
    count = len(states)
    at = 0
    sides = [(index >= edge, state) for index, state in enumerate(states)]
    for (_, state), group in groupby(sides):
        length = len(list(group))
        first, last = at, at + length - 1
        at += length
        if first == 0:
            first = 1 + (1 if compacted and count > 1 else 0)
        if last == count - 1:
            last -= KEPT_AT_END if state != "read" else 0
        if last - first + 1 >= MIN_RUN:
            found.append((first, last))
    return tuple(found)


NO_LOSSES: Mapping[int, Loss] = {}
REMOVED = ("cut", "emptied")


def rows_of(
    assembled: Assembled,
    folds: Folds,
    losses: Mapping[int, Loss] = NO_LOSSES,
    kept: frozenset[int] = frozenset(),
    differs: int | None = None,
    until: int | None = None,
) -> list[Row]:
    """The rows from top to bottom. `losses`: what happened to blocks; `kept`: blocks that no run hides. `differs`: the
    block, or `Row.first` of the LEADING row, at which the prompt first differs from the other one. `until`: it differs
    nowhere, and the other one is the same up to this block."""
    rows = [*_head(assembled, folds)]
    stretches = iter(runs(assembled))
    stretch = next(stretches, None)
    lost = assembled.context.fell_out
    summary = assembled.context.compaction is not None and bool(assembled.blocks)
    if lost and not summary:
        rows.extend(_lost(lost, folds))
    at, count = 0, len(assembled.blocks)
    told = 0 < len(assembled.leading) > assembled.cached_leading  # the rule stands further up
    while at < count:
        if at == assembled.cached_blocks and not told:
            rows.append(Row(Kind.CACHED))
        if stretch is not None and at == stretch[0]:
            rows.extend(_run(*stretch, assembled, folds, losses, kept))
            at = stretch[1] + 1
            stretch = next(stretches, None)
            continue
        rows.append(_block(at, assembled, folds, losses))
        if at == 0 and lost and summary:
            rows.extend(_lost(lost, folds))
        at += 1
    if assembled.cached_blocks is not None and assembled.cached_blocks >= count and not told:
        rows.append(Row(Kind.CACHED))
    if differs is not None:
        _mark_difference(rows, differs)
    elif until is not None and not _mark_difference(rows, until):
        rows.append(Row(Kind.DIFFERENCE))
    return rows


def _head(assembled: Assembled, folds: Folds) -> Iterable[Row]:
    """What stands above the messages: tools and system prompt with the rules between them, or one block for both."""
    cached = assembled.cached_blocks is not None
    if not assembled.leading:
        yield Row(Kind.UNRECORDED)
        if assembled.request is not None and (cached or "written" in assembled.states):
            yield Row(Kind.ASSUMED)
        return
    for index, item in enumerate(assembled.leading):
        if cached and index == assembled.cached_leading:
            yield Row(Kind.CACHED)
        yield Row(Kind.LEADING, LEADING + index, LEADING + index, item.block.key in folds.opened)
        if item.part == "stable":
            yield Row(Kind.BOUNDARY, LEADING + index, LEADING + index)


def _mark_difference(rows: list[Row], differs: int) -> bool:
    """The rule goes before the row that shows the block; False where none does."""
    for place, row in enumerate(rows):
        if (
            row.kind in (Kind.LEADING, Kind.BLOCK, Kind.RUN)
            and row.first <= differs <= row.last
            and not (row.kind is Kind.RUN and row.open)
        ):
            rows.insert(place, Row(Kind.DIFFERENCE))
            return True
    return False


def _block(index: int, assembled: Assembled, folds: Folds, losses: Mapping[int, Loss]) -> Row:
    return _row(index, assembled.blocks[index].key in folds.opened, losses.get(index) in REMOVED)


@lru_cache(40_000)
def _row(index: int, is_open: bool, told: bool) -> Row:
    """Rows are values: the same one each time is not made again, and is found equal at a glance."""
    return Row(Kind.BLOCK, index, index, is_open, told)


def _lost(lost: Sequence[int], folds: Folds) -> Iterable[Row]:
    yield Row(Kind.NOTE, open=folds.lost_open)
    if folds.lost_open:
        for entry in lost:
            yield Row(Kind.LOST, entry, entry)


def _run(
    first: int, last: int, assembled: Assembled, folds: Folds, losses: Mapping[int, Loss], kept: frozenset[int]
) -> Iterable[Row]:
    """A run as one row; unfolded, as its head and all blocks; or cut in two around blocks that are pointed at."""
    if folds.unfolds(first, last):
        yield Row(Kind.RUN, first, last, open=True)
        for index in range(first, last + 1):
            yield _block(index, assembled, folds, losses)
        return
    seen = {index for index in (*folds.revealed, *kept) if first <= index <= last}
    if not seen:
        yield Row(Kind.RUN, first, last)
        return
    for hidden, group in groupby(range(first, last + 1), lambda index: index not in seen):
        members = list(group)
        if hidden and len(members) >= MIN_RUN:
            yield Row(Kind.RUN, members[0], members[-1])
        else:
            for index in members:
                yield _block(index, assembled, folds, losses)


def row_of_block(rows: Sequence[Row], block: int | None) -> int | None:
    """Place of the row that shows `block`: its own, or the folded run that holds it."""
    if block is None:
        return None
    held = None
    for place, row in enumerate(rows):
        if row.kind is Kind.BLOCK and row.first == block:
            return place
        if row.kind is Kind.RUN and row.first <= block <= row.last and not row.open:
            held = place
    return held


def hidden(rows: Sequence[Row], block: int) -> bool:
    """Whether a folded run hides the block."""
    place = row_of_block(rows, block)
    return place is not None and rows[place].kind is Kind.RUN


def shown_blocks(rows: Sequence[Row]) -> int:
    """How many blocks have a row of their own."""
    return sum(row.kind is Kind.BLOCK for row in rows)
