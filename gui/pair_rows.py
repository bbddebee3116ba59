"""The rows of two columns, from the aligned prompts and what is folded. No Qt in here.

RUN   78 blocks the same          PAIR  a block before and after
HUNK  its lines side by side      SAME  lines of it that are the same, folded
"""

from __future__ import annotations

from collections.abc import Sequence

from gui.pair_page import PairPage
from gui.prompt_rows import Kind, Row

MIN_SAME = 2
"""So many blocks in a row that are the same fold."""


def rows_of(page: PairPage) -> list[Row]:
    """The rows from top to bottom: runs of what is the same, pairs, and the lines of the open ones."""
    found: list[Row] = []
    runs = {first: last for first, last in page.stretches() if last - first + 1 >= MIN_SAME}
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
