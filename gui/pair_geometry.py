"""Where rows of two columns stand, and which place of which text is under a point.

16           mid − 14   mid + 14        W − 16
├── before ──┤    =     ├── after ──────┤        texts begin TEXT_IN further right
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gui.pair_page import AFTER, BEFORE, PairPage
from gui.prompt_geometry import Bodies, Geometry, Place
from gui.prompt_layout import Body
from gui.prompt_rows import Kind, Row
from gui.theme import INSET, Theme

GUTTER = 28
TEXT_IN = 10


@dataclass(frozen=True, slots=True)
class Columns:
    """Left and right edge of each column, and where its texts begin, in pixels."""

    edges: tuple[tuple[int, int], tuple[int, int]]
    texts: tuple[int, int]

    @classmethod
    def of(cls, width: int, theme: Theme, rail: int = 0) -> Columns:
        """`width`: of the whole area; the scroll bar stands over its right inset. `rail`: pixels kept free at the left
        of each column."""
        middle, half, inset = width // 2, theme.px(GUTTER) // 2, theme.px(INSET)
        left, right = inset + rail, middle + half + rail
        edges = ((left, max(left + 40, middle - half)), (right, max(right + 40, width - inset)))
        return cls(edges, (edges[0][0] + theme.px(TEXT_IN), edges[1][0] + theme.px(TEXT_IN)))

    @property
    def width(self) -> int:
        """Of a text: the same on both sides, so that equal lines break alike."""
        return min(right - start for (_, right), start in zip(self.edges, self.texts, strict=True))

    @property
    def middle(self) -> float:
        return (self.edges[0][1] + self.edges[1][0]) / 2

    def side_at(self, x: float) -> int:
        return BEFORE if x < self.middle else AFTER


class PairGeometry(Geometry):
    """Rows of `page`; a place is (place in the alignment, character) on the side that is asked for."""

    def __init__(
        self,
        page: PairPage,
        rows: Sequence[Row],
        head: Callable[[Row], int],
        bodies: Bodies,
        columns: Columns,
        theme: Theme,
    ) -> None:
        self.page, self.columns = page, columns
        self.side = AFTER
        """Which column `place_at` and `y_of` speak of."""
        self._row_of: dict[int, int] = {}
        for at, row in enumerate(rows):
            if row.kind is Kind.PAIR:
                self._row_of[row.first] = at
        super().__init__(rows, head, lambda index: page.document(index, self.side), bodies, columns.width, theme)

    def bodies(self, row: Row) -> Sequence[Body]:
        if row.kind is not Kind.HUNK:
            return ()
        sides = self.page.sides(row.first, row.part)
        return tuple(self._bodies.of(side.document, self.width, self._theme) for side in sides)

    def _below(self, row: Row) -> int:
        return self._pad if row.part == len(self.page.hunks(row.first)) - 1 else 0

    def index_of(self, block: int) -> int | None:
        return self._row_of.get(block)

    def place_at(self, x: float, y: float) -> Place | None:
        """`x` from the left edge of the side's texts."""
        index = self.row_at(min(max(0.0, y), self.height - 1))
        if index is None:
            return None
        row = self.rows[index]
        page, side = self.page, self.side
        if row.kind is Kind.RUN:
            return (row.first if y < self.tops[index] + self.head(index) / 2 else row.last), None
        if row.kind is Kind.PAIR:
            return row.first, (0 if row.open else None)
        hunk = page.hunks(row.first)[row.part]
        start, end = hunk.before if side == BEFORE else hunk.after
        if row.kind is Kind.SAME:
            return row.first, start
        body = self.bodies(row)[side]
        return row.first, start + min(body.place_at(x, y - self.tops[index] - self.head(index)), end - start)

    def y_of(self, place: Place) -> int | None:
        index = self._row_of.get(place[0])
        if index is None:
            return None
        if place[1] is None or not self.rows[index].open:
            return self.tops[index]
        hunks = self.page.hunks(place[0])
        for part, hunk in enumerate(hunks):
            start, end = hunk.before if self.side == BEFORE else hunk.after
            if start <= place[1] < end or part == len(hunks) - 1:
                at = index + 1 + part
                row = self.rows[at]
                top = self.tops[at] + self.head(at)
                return top + self.bodies(row)[self.side].y_of(place[1] - start) if row.kind is Kind.HUNK else top
        return self.tops[index]

    def part_at(self, index: int, side: int, place: int) -> int | None:
        """The hunk of a pair that holds a character; None when no hunk does."""
        for part, hunk in enumerate(self.page.hunks(index)):
            start, end = hunk.before if side == BEFORE else hunk.after
            if start <= place < end:
                return part
        return None
