"""The list of the prompt's rows: paints what is in sight, with what the search found and what is selected.

What the pointer does there: `gui/prompt_pointer.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from gui.paint import focus_ring
from gui.palette import mixed
from gui.prompt_changes import Range
from gui.prompt_layout import Mark, Stroke
from gui.prompt_page import Page
from gui.prompt_pointer import PointedArea
from gui.prompt_rows import Kind, Row
from gui.prompt_rules import Stand
from gui.theme import Look, Theme

STALE = 0.55
"""How much is seen of a prompt that is not up to date."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A place that the search found: characters [start, end) of a block's document; side by side, in which column."""

    block: int
    start: int
    end: int
    side: int = 1


def strokes_of(removed: Sequence[Range], inserted: Sequence[Range], theme: Theme) -> list[Stroke]:
    """Removed text is struck, inserted text underlined."""
    found = [Stroke(start, end, "through", theme.diff, theme.diff_tint) for start, end in removed]
    found += [Stroke(start, end, "under", theme.ink) for start, end in inserted]
    return sorted(found, key=lambda stroke: stroke.start)


class PromptList(PointedArea):
    """`current`: the row with the cursor. `hits`, `hit`: what the search found, and which of it is in focus."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self.current: int | None = None
        self.empty = ""
        self._dimmed = False
        self.hits: Sequence[Hit] = ()
        self.hit = -1
        self._hits_of: dict[int, list[Hit]] = {}
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def show_rows(self, page: Page | None, rows: Sequence[Row], *, keep: bool = True) -> None:
        self._hovered = None
        self.card.drop()
        super().show_rows(page, rows, keep=keep)

    def show_hits(self, hits: Sequence[Hit], hit: int) -> None:
        """Mark what was found; `hit` is in focus (-1 = none)."""
        if hits is not self.hits:
            self._hits_of = {}
            for found in hits:
                self._hits_of.setdefault(found.block, []).append(found)
        self.hits, self.hit = hits, hit
        self.viewport().update()

    def dim(self, on: bool) -> None:
        """Paint faintly what is out of date."""
        if on != self._dimmed:
            self._dimmed = on
            self.viewport().update()

    def set_current(self, index: int | None) -> None:
        if index != self.current:
            self.current = index
            self.viewport().update()

    # paint

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self.look.theme
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), theme.panel)
        if self.places is None or not self.rows:
            self._paint_empty(painter)
            return
        if self._dimmed:
            painter.setOpacity(STALE)
        top, bottom = event.rect().top() + self.scroll, event.rect().bottom() + 1 + self.scroll
        for index in self.places.rows_between(top, bottom):
            self._paint_row(painter, index, top, bottom)
        if self.hasFocus() and self.current is None:
            focus_ring(painter, QRectF(self.viewport().rect()), theme, gap=-2)

    def _paint_row(self, painter: QPainter, index: int, top: int, bottom: int) -> None:
        places, row, rows = self.places, self.rows[index], self.painter_of_rows
        assert places is not None
        start = places.tops[index] + places.head(index)
        rect = QRectF(0, places.tops[index] - self.scroll, self.width(), places.head(index))
        if rows is not None:
            current = index == self.current
            covered = self.width() - self.viewport().width()
            stand = Stand(current, current and self.hasFocus(), index == self._hovered, self._whole(row), covered)
            rows.paint(painter, row, rect, stand)
            if row.kind in (Kind.BLOCK, Kind.LEADING):
                rows.rail(painter, row, rect.top(), places.tops[index + 1] - self.scroll)
        body = places.body(row)
        if body is not None:
            found, grounds, strokes = self._marks(row.first)
            span = (top - start, bottom - start)
            body.paint(painter, self.text_x(), start - self.scroll, *span, found, grounds, strokes)

    def _whole(self, row: Row) -> bool:
        """Whether the selection holds a block whose text is not shown."""
        if self.selection is None or self.selection.empty or row.kind not in (Kind.BLOCK, Kind.RUN) or row.open:
            return False
        low, high = self.selection.ordered()
        return low[0] <= row.last and row.first <= high[0]

    def _marks(self, block: int) -> tuple[list[Mark], list[Mark], list[Stroke]]:
        """(what is written in other colours, what lies behind the text, lines over it) of a block."""
        theme = self.look.theme
        found: list[Mark] = []
        current = self.hits[self.hit] if 0 <= self.hit < len(self.hits) else None
        grounds: list[Mark] = [(hit.start, hit.end, theme.warning_tint, None) for hit in self._hits_of.get(block, ())]
        strokes = strokes_of(*self.page.changes(block), theme) if self.page is not None else []
        at = self.page.difference_at(block) if self.page is not None else None
        if at is not None:
            strokes = sorted([*strokes, Stroke(at, at + 1, "around", theme.diff)], key=lambda stroke: stroke.start)
        if current is not None and current.block == block:
            found.append((current.start, current.end, theme.accent, theme.onaccent))
        if self.selection is not None:
            span = self.selection.span(block, len(self.document(block)))
            if span is not None:
                found.append((*span, mixed(theme.accent, 0.28), None))
        return found, grounds, strokes

    def _paint_empty(self, painter: QPainter) -> None:
        theme = self.look.theme
        painter.setPen(theme.ink2)
        painter.setFont(theme.font("body"))
        inset = theme.px(48)
        area = self.viewport().rect().adjusted(inset, theme.px(40), -inset, -theme.px(16))
        flags = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop
        painter.drawText(area, int(flags), self.empty)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.card.drop()
        self.viewport().update()
