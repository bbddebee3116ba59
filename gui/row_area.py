"""A scroll area over the rows of a prompt: where rows stand, what is in sight, scrolling by the least amount.

Texts are laid out when they come in sight (`settle`); the block at the top of the viewport stays where it is when
rows change above it.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from gui.prompt_blocks import TEXT_X, RowPainter
from gui.prompt_geometry import RAW, Bodies, Geometry, Place
from gui.prompt_page import Page
from gui.prompt_rows import Kind, Row
from gui.prompt_text import Document
from gui.theme import INSET, Look


class RowArea(QAbstractScrollArea):
    """Rows of `page`, or (one RAW row) the long text `raw`. Keys belong to the view around it."""

    moved = Signal()
    """Another part came in sight."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.look = look
        self.page: Page | None = None
        self.raw: Document | None = None
        self.rows: Sequence[Row] = ()
        self.places: Geometry | None = None
        """Where the rows stand; None without content."""
        self.painter_of_rows: RowPainter | None = None
        self._bodies = Bodies()
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        # Letters are commands here: an input method must not take them.
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, False)

    # content

    def show_rows(self, page: Page | None, rows: Sequence[Row], *, keep: bool = True) -> None:
        """Show other rows. `keep`: the block at the top of the viewport stays there."""
        anchor = self._anchor() if keep else None
        self.page, self.rows = page, rows
        self._rebuild(anchor)

    def document(self, block: int) -> Document:
        """The text of a block; of the raw JSON for RAW."""
        if block == RAW:
            return self.raw or Document("", ())
        assert self.page is not None
        return self.page.document(block)

    def text_x(self) -> int:
        """Left edge of texts, in pixels."""
        return self.look.theme.px(INSET if self.raw is not None else TEXT_X)

    def _rebuild(self, anchor: tuple[int, int] | None) -> None:
        self.places = self._geometry()
        if self.places is None:
            self.verticalScrollBar().setRange(0, 0)
        else:
            self._settle()
            index = self.places.index_of(anchor[0]) if anchor is not None else None
            if index is not None and anchor is not None:
                self.verticalScrollBar().setValue(self.places.tops[index] + anchor[1])
                self._settle()
        self.viewport().update()
        self.moved.emit()

    def _geometry(self) -> Geometry | None:
        """Where the rows stand; None without content."""
        theme = self.look.theme
        painter = self.painter_of_rows = RowPainter(self.page, theme) if self.page is not None else None
        if painter is None and self.raw is None:
            return None
        head = painter.height if painter is not None else lambda _: theme.px(8)
        # The width counts the scroll bar's: text is wrapped the same whether there is one or not.
        width = max(60, self.width() - self.text_x() - theme.px(INSET))
        return Geometry(self.rows, head, self.document, self._bodies, width, theme)

    def _anchor(self) -> tuple[int, int] | None:
        """(block, pixels it is scrolled past the top) of the first block in sight; None at the very top."""
        if self.places is None or self.scroll == 0:
            return None
        for index in self.places.rows_between(self.scroll, self.scroll + self.viewport().height()):
            row = self.places.rows[index]
            if row.kind in (Kind.BLOCK, Kind.PAIR):
                return row.first, self.scroll - self.places.tops[index]
        return None

    def _settle(self) -> None:
        """Lay out what is in sight; the scroll bar learns the true height."""
        if self.places is None:
            return
        bar, height = self.verticalScrollBar(), self.viewport().height()
        for _ in range(4):  # what is laid out can bring more in sight
            changed = self.places.settle(self.scroll, self.scroll + height)
            bar.setRange(0, max(0, self.places.height - height))
            if not changed:
                break
        bar.setPageStep(height)
        bar.setSingleStep(self.look.theme.line_height("content"))

    # in sight

    @property
    def scroll(self) -> int:
        """Pixels above the viewport."""
        return self.verticalScrollBar().value()

    def show_row(self, index: int) -> None:
        """Scroll by the least amount that brings the row's head in sight; not at all when it is."""
        if self.places is None or not 0 <= index < len(self.rows):
            return
        top, height = self.places.tops[index], self.viewport().height()
        if top < self.scroll:
            self.verticalScrollBar().setValue(top)
        elif top + self.places.head(index) > self.scroll + height:
            self.verticalScrollBar().setValue(min(top, self.places.tops[index + 1] - height))

    def show_place(self, place: Place) -> None:
        """Scroll so that a place of a text is in sight, with some lines around it."""
        for _ in range(3):  # laying out what comes in sight can move it
            y = self.places.y_of(place) if self.places is not None else None
            if y is None:
                return
            height, line = self.viewport().height(), self.look.theme.line_height("content")
            if self.scroll + line <= y <= self.scroll + height - 2 * line:
                return
            self.verticalScrollBar().setValue(max(0, y - height // 3))

    def span(self) -> tuple[float, float]:
        """The rows in sight as (first, last), with fractions."""
        return self._row_at(self.scroll), self._row_at(self.scroll + self.viewport().height())

    def _row_at(self, y: int) -> float:
        if self.places is None or not self.rows:
            return 0.0
        if y >= self.places.height:
            return float(len(self.rows))
        index = self.places.row_at(max(0, y)) or 0
        top, bottom = self.places.tops[index], self.places.tops[index + 1]
        return index + (y - top) / max(1, bottom - top)

    def scroll_to_row(self, fraction: float) -> None:
        """Bring a row (with fraction) to the top, as far as there is something to scroll."""
        if self.places is None or not self.rows:
            return
        index = min(max(0, int(fraction)), len(self.rows) - 1)
        top, bottom = self.places.tops[index], self.places.tops[index + 1]
        self.verticalScrollBar().setValue(round(top + (fraction - index) * (bottom - top)))

    # events

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._rebuild(self._anchor())
        else:
            self._settle()
            self.moved.emit()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self._settle()
        self.viewport().update()
        self.moved.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Over text, Ctrl+wheel makes it larger or smaller."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier and event.angleDelta().y():
            self.look.zoom_in() if event.angleDelta().y() > 0 else self.look.zoom_out()
            event.accept()
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.ignore()
