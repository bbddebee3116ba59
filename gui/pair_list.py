"""The list of two columns: before and after, rows aligned by block, one scroll bar. Selection stays in one column."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QMouseEvent, QPainter

from gui.pair_blocks import PairPainter
from gui.pair_geometry import Columns, PairGeometry
from gui.pair_page import AFTER, NOTHING, PairPage
from gui.palette import mixed
from gui.prompt_geometry import Geometry, Place
from gui.prompt_layout import Mark, Stroke
from gui.prompt_list import Hit, PromptList
from gui.prompt_rows import Kind, Row
from gui.prompt_rules import Stand
from gui.prompt_text import Document
from gui.theme import Look


class PairList(PromptList):
    """Blocks are places in the alignment here; `side` is the column that selection and copy are of."""

    def __init__(self, look: Look, parent: object = None) -> None:
        super().__init__(look, parent)  # type: ignore[arg-type]
        self.pairs: PairPage | None = None
        self.side = AFTER
        self._painter: PairPainter | None = None

    def show_pairs(self, pairs: PairPage | None, rows: Sequence[Row], *, keep: bool = True) -> None:
        """Show other rows. `keep`: the pair at the top of the viewport stays there."""
        self.pairs = pairs
        self.show_rows(None, rows, keep=keep)

    # content

    def document(self, block: int) -> Document:
        """The text of a pair in the column in use."""
        return self.pairs.document(block, self.side) if self.pairs is not None else NOTHING

    def text_x(self) -> int:
        return self._columns().texts[self.side]

    def _columns(self) -> Columns:
        return Columns.of(self.width(), self.look.theme)

    def _painter_of(self, pairs: PairPage, columns: Columns) -> PairPainter:
        return PairPainter(pairs, columns, self.look.theme)

    def _geometry(self) -> Geometry | None:
        theme = self.look.theme
        if self.pairs is None or not self.rows:
            self._painter = None
            return None
        columns = self._columns()
        painter = self._painter = self._painter_of(self.pairs, columns)
        places = PairGeometry(self.pairs, self.rows, painter.height, self._bodies, columns, theme)
        places.side = self.side
        return places

    def take_side(self, side: int) -> None:
        """Another column; what was selected in the other one is let go."""
        if side != self.side:
            self.side = side
            self.select(None)
        if isinstance(self.places, PairGeometry):
            self.places.side = side

    # paint

    def _paint_row(self, painter: QPainter, index: int, top: int, bottom: int) -> None:
        places, row = self.places, self.rows[index]
        if not isinstance(places, PairGeometry) or self._painter is None:
            return
        theme = self.look.theme
        rect = QRectF(0, places.tops[index] - self.scroll, self.width(), places.head(index))
        current = index == self.current
        covered = self.width() - self.viewport().width()
        stand = Stand(current, current and self.hasFocus(), index == self._hovered, False, covered)
        self._painter.paint(painter, row, rect, stand, self.side if self._whole(row) else None)
        if row.kind is not Kind.HUNK:
            return
        bottom_of_row = places.tops[index + 1] - self.scroll
        painter.fillRect(QRectF(round(places.columns.middle), rect.top(), 1, bottom_of_row - rect.top()), theme.line)
        start = places.tops[index] + places.head(index)
        for side, body in enumerate(places.bodies(row)):
            found, grounds, strokes = self._marks_of(row, side)
            x = places.columns.texts[side]
            span = (top - start, bottom - start)
            body.paint(painter, x, start - self.scroll, *span, found, grounds, strokes)

    def _whole(self, row: Row) -> bool:
        if self.selection is None or self.selection.empty or row.kind not in (Kind.PAIR, Kind.RUN) or row.open:
            return False
        low, high = self.selection.ordered()
        return low[0] <= row.last and row.first <= high[0]

    def _marks_of(self, row: Row, side: int) -> tuple[list[Mark], list[Mark], list[Stroke]]:
        """(other colours, grounds, strokes) of one column of a hunk."""
        theme, pairs = self.look.theme, self.pairs
        assert pairs is not None
        column = pairs.sides(row.first, row.part)[side]
        hunk = pairs.hunks(row.first)[row.part]
        start, end = hunk.after if side == AFTER else hunk.before
        strokes: list[Stroke] = []
        for low, high in column.marked:
            if side == AFTER:
                strokes.append(Stroke(low, high, "under", theme.ink))
            else:
                strokes.append(Stroke(low, high, "through", theme.diff, theme.diff_tint))
        if column.boxed is not None:
            at = column.boxed
            strokes.append(Stroke(at, min(at + 1, len(column.document)), "around", theme.diff))
            strokes.sort(key=lambda stroke: stroke.start)
        grounds: list[Mark] = []
        found: list[Mark] = []
        current = self.hits[self.hit] if 0 <= self.hit < len(self.hits) else None
        for hit in self._hits_of.get(row.first, ()):
            if hit.side != side or hit.end <= start or hit.start >= end:
                continue
            span = max(0, hit.start - start), hit.end - start
            if hit == current:
                found.append((*span, theme.accent, theme.onaccent))
            else:
                grounds.append((*span, theme.warning_tint, None))
        if self.selection is not None and side == self.side:
            chosen = self.selection.span(row.first, len(pairs.document(row.first, side)))
            if chosen is not None and chosen[0] < end and chosen[1] > start:
                span = max(chosen[0], start) - start, min(chosen[1], end) - start
                found.append((*span, mixed(theme.accent, 0.28), None))
        return found, grounds, strokes

    # pointer

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.take_side(self._columns().side_at(event.position().x()))
        super().mousePressEvent(event)

    def _in_text(self, index: int, point: QPointF) -> bool:
        return self.rows[index].kind is Kind.HUNK

    def _on_told(self, index: int, point: QPointF) -> bool:
        return False

    def show_hit(self, hit: Hit) -> None:
        """Bring a hit in sight."""
        if isinstance(self.places, PairGeometry):
            self.places.side = hit.side
        self.show_place(self.place_of(hit))
        if isinstance(self.places, PairGeometry):
            self.places.side = self.side

    def place_of(self, hit: Hit) -> Place:
        return hit.block, hit.start
