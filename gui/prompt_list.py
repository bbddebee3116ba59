"""The virtual list of the prompt's rows: paints and lays out only what is in sight, selects text, tells what was hit.

prompt.show_rows(page, rows)      new content; the row at the top of the viewport stays where it is
picked / toggled / moved          signals: a row was clicked, wants to fold or unfold, another part came in sight
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QWidget

from gui.hover_card import HoverCard
from gui.palette import mixed
from gui.prompt_blocks import TEXT_X, Look, Page, RowPainter
from gui.prompt_geometry import RAW, Bodies, Geometry, Place, Selection
from gui.prompt_layout import Mark
from gui.prompt_rows import Kind, Row
from gui.prompt_text import Document
from gui.theme import INSET, RAIL
from gui.theme import Look as Theming

CHEVRON_ZONE = (24, 60)
"""Where a click on a block's row folds it instead of selecting it."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A place that the search found: characters [start, end) of a block's document."""

    block: int
    start: int
    end: int


class PromptList(QAbstractScrollArea):
    """Rows of a prompt, or (a RAW row) one long text."""

    picked = Signal(int)
    toggled = Signal(int)
    moved = Signal()
    selected = Signal()
    asked = Signal(int, object)
    """The pointer rests on a row: whoever knows more fills `card`."""

    def __init__(self, theming: Theming, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theming = theming
        self.page: Page | None = None
        self.raw: Document | None = None
        self.rows: Sequence[Row] = ()
        self.current: int | None = None
        self.selection: Selection | None = None
        self.hits: Sequence[Hit] = ()
        self.hit: int = -1
        self.empty = ""
        self._bodies = Bodies()
        self._geometry: Geometry | None = None
        self._painter: RowPainter | None = None
        self._hovered: int | None = None
        self._pressed: QPointF | None = None
        self._toggled_by_press = False
        self._drag = QTimer(self)
        self._drag.setInterval(40)
        self._drag.timeout.connect(self._drag_on)
        self.card = HoverCard(self)
        self.card.rested.connect(self._rested)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, False)
        self.viewport().setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    # content

    def show_rows(self, page: Page | None, rows: Sequence[Row], *, keep: bool = True) -> None:
        """Show other rows. `keep`: the block at the top of the viewport stays where it is, else scroll to the top."""
        anchor = self._anchor() if keep else None
        self.page, self.rows = page, rows
        self._hovered = None
        self.card.drop()
        self._rebuild(anchor)

    def document(self, block: int) -> Document:
        """The text of a block; of the raw JSON for RAW."""
        if block == RAW:
            return self.raw or Document("", ())
        assert self.page is not None
        return self.page.texts.document(self.page.assembled.blocks[block])

    def _rebuild(self, anchor: tuple[int, int] | None) -> None:
        theme = self._theming.theme
        if self.page is None and self.raw is None:
            self._geometry = self._painter = None
            self.verticalScrollBar().setRange(0, 0)
            self.viewport().update()
            return
        if self.page is not None:
            self._painter = RowPainter(self.page, theme)
        margin = INSET if self.raw is not None else TEXT_X
        width = self.width() - theme.px(margin) - theme.px(INSET)
        height = self._painter.height if self._painter is not None else lambda _: theme.px(8)
        self._geometry = Geometry(self.rows, height, self.document, self._bodies, max(60, width), theme)
        self._settle()
        if anchor is not None:
            index = self._geometry.index_of(anchor[0])
            if index is not None:
                self.verticalScrollBar().setValue(self._geometry.tops[index] + anchor[1])
                self._settle()
        elif anchor is None:
            self.verticalScrollBar().setValue(min(self.verticalScrollBar().value(), self.verticalScrollBar().maximum()))
        self.viewport().update()
        self.moved.emit()

    def _anchor(self) -> tuple[int, int] | None:
        """(block, how far it is scrolled past the top) of the first block in sight."""
        geometry = self._geometry
        if geometry is None or self.scroll == 0:
            return None
        for index in geometry.rows_between(self.scroll, self.scroll + self.viewport().height()):
            if geometry.rows[index].kind is Kind.BLOCK:
                return geometry.rows[index].first, self.scroll - geometry.tops[index]
        return None

    @property
    def geometry_of_rows(self) -> Geometry | None:
        return self._geometry

    @property
    def scroll(self) -> int:
        return self.verticalScrollBar().value()

    def _settle(self) -> None:
        """Lay out what is in sight; the scroll bar learns the true height."""
        geometry = self._geometry
        if geometry is None:
            return
        bar = self.verticalScrollBar()
        height = self.viewport().height()
        for _ in range(4):
            changed = geometry.settle(self.scroll, self.scroll + height)
            bar.setRange(0, max(0, geometry.height - height))
            if not changed:
                break
        bar.setPageStep(height)
        bar.setSingleStep(self._theming.theme.line_height("content"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._rebuild(self._anchor())
        else:
            self._settle()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self._settle()
        self.card.drop()
        self.viewport().update()
        self.moved.emit()

    # in sight

    def show_row(self, index: int) -> None:
        """Scroll by the least amount that brings the row in sight; not at all when its head is."""
        geometry = self._geometry
        if geometry is None or not 0 <= index < len(self.rows):
            return
        top, height = geometry.tops[index], self.viewport().height()
        bottom = top + geometry.head(index)
        if top < self.scroll:
            self.verticalScrollBar().setValue(top)
        elif bottom > self.scroll + height:
            whole = geometry.tops[index + 1]
            self.verticalScrollBar().setValue(min(top, whole - height))

    def show_place(self, place: Place) -> None:
        """Scroll so that a place of a text is in sight, with some lines around it."""
        for _ in range(3):  # laying out what comes in sight can move it
            y = self._geometry.y_of(place) if self._geometry is not None else None
            if y is None:
                return
            height, line = self.viewport().height(), self._theming.theme.line_height("content")
            if self.scroll + line <= y <= self.scroll + height - 2 * line:
                return
            self.verticalScrollBar().setValue(max(0, y - height // 3))

    def span(self) -> tuple[float, float]:
        """The part of the rows in sight, as (first, last) row with fractions."""
        geometry = self._geometry
        if geometry is None or not self.rows:
            return 0.0, 0.0
        return self._row_fraction(self.scroll), self._row_fraction(self.scroll + self.viewport().height())

    def _row_fraction(self, y: int) -> float:
        geometry = self._geometry
        assert geometry is not None
        if y >= geometry.height:
            return float(len(self.rows))
        index = geometry.row_at(max(0, y)) or 0
        top, bottom = geometry.tops[index], geometry.tops[index + 1]
        return index + (y - top) / max(1, bottom - top)

    def scroll_to_row(self, fraction: float) -> None:
        """Bring a row (with fraction) to the top, as far as the scroll range allows."""
        geometry = self._geometry
        if geometry is None or not self.rows:
            return
        index = min(max(0, int(fraction)), len(self.rows) - 1)
        top, bottom = geometry.tops[index], geometry.tops[index + 1]
        self.verticalScrollBar().setValue(round(top + (fraction - index) * (bottom - top)))

    def set_current(self, index: int | None) -> None:
        """The row that carries the cursor."""
        self.current = index
        self.viewport().update()

    # paint

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theming.theme
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), theme.panel)
        geometry = self._geometry
        if geometry is None or not self.rows:
            self._paint_empty(painter)
            return
        top = event.rect().top() + self.scroll
        bottom = event.rect().bottom() + 1 + self.scroll
        for index in geometry.rows_between(top, bottom):
            self._paint_row(painter, index, top, bottom)
        if self.hasFocus() and self.current is None:
            painter.setPen(theme.accent)
            painter.drawRect(self.viewport().rect().adjusted(0, 0, -1, -1))

    def _paint_row(self, painter: QPainter, index: int, top: int, bottom: int) -> None:
        theme, geometry, row = self._theming.theme, self._geometry, self.rows[index]
        assert geometry is not None
        y = geometry.tops[index] - self.scroll
        rect = QRectF(0, y, self.width(), geometry.head(index))
        current = index == self.current
        whole = self._whole(row)
        if whole and row.kind is Kind.BLOCK:
            painter.fillRect(rect, theme.accentbg)
        if self._painter is not None:
            covered = self.width() - self.viewport().width()
            look = Look(current, current and self.hasFocus(), index == self._hovered, covered)
            self._painter.paint(painter, row, rect, look)
            if row.kind is Kind.BLOCK:
                self._painter.rail(painter, row, y, geometry.tops[index + 1] - self.scroll)
        body = geometry.body(row)
        if body is None:
            return
        start = geometry.tops[index] + geometry.head(index)
        body.paint(painter, self._text_x(), start - self.scroll, top - start, bottom - start, self._marks(row.first))

    def _text_x(self) -> int:
        return self._theming.theme.px(INSET if self.raw is not None else TEXT_X)

    def _whole(self, row: Row) -> bool:
        """Whether the selection holds a block whose text is not shown."""
        if self.selection is None or row.open or not row.has_text:
            return False
        low, high = self.selection.ordered()
        return low[0] <= row.first <= high[0] and not self.selection.empty

    def _marks(self, block: int) -> list[Mark]:
        theme = self._theming.theme
        marks: list[Mark] = []
        for number, hit in enumerate(self.hits):
            if hit.block == block:
                ground = theme.accent if number == self.hit else theme.warning_tint
                marks.append((hit.start, hit.end, ground, theme.onaccent if number == self.hit else theme.warning))
        if self.selection is not None:
            span = self.selection.span(block, len(self.document(block)))
            if span is not None:
                marks.append((*span, mixed(theme.accent, 0.28), None))
        return marks

    def _paint_empty(self, painter: QPainter) -> None:
        theme = self._theming.theme
        painter.setPen(theme.ink2)
        painter.setFont(theme.font("body"))
        inset = theme.px(48)
        area = self.viewport().rect().adjusted(inset, theme.px(40), -inset, -theme.px(16))
        flags = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop
        painter.drawText(area, int(flags), self.empty)

    # pointer

    def _place(self, point: QPointF) -> Place | None:
        if self._geometry is None:
            return None
        return self._geometry.place_at(point.x() - self._text_x(), point.y() + self.scroll)

    def _in_text(self, index: int, point: QPointF) -> bool:
        geometry = self._geometry
        return geometry is not None and point.y() + self.scroll >= geometry.tops[index] + geometry.head(index)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or self._geometry is None:
            return super().mousePressEvent(event)
        self.card.drop()
        self._toggled_by_press = False
        index = self._geometry.row_at(event.position().y() + self.scroll)
        place = self._place(event.position())
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and self.selection is not None and place is not None:
            self._select(Selection(self.selection.anchor, place))
            return None
        self._select(None)
        if index is None:
            return None
        row = self.rows[index]
        theme = self._theming.theme
        on_chevron = theme.px(CHEVRON_ZONE[0]) <= event.position().x() < theme.px(CHEVRON_ZONE[1])
        if row.kind in (Kind.RUN, Kind.NOTE) or (
            row.kind is Kind.BLOCK and on_chevron and not self._in_text(index, event.position())
        ):
            self._toggled_by_press = True
            self.toggled.emit(index)
            return None
        self._pressed = event.position()
        self.picked.emit(index)
        return None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is not None and event.buttons() & Qt.MouseButton.LeftButton:
            far = (event.position() - self._pressed).manhattanLength() >= QApplication.startDragDistance()
            if self.selection is not None or far:
                self._extend(event.position())
            return
        self._hover(event.position())

    def _extend(self, point: QPointF) -> None:
        assert self._pressed is not None
        anchor = self.selection.anchor if self.selection is not None else self._place(self._pressed)
        head = self._place(point)
        if anchor is not None and head is not None:
            self._select(Selection(anchor, head))
        outside = point.y() < 0 or point.y() > self.viewport().height()
        if outside and not self._drag.isActive():
            self._drag.start()
        elif not outside:
            self._drag.stop()

    def _drag_on(self) -> None:
        """While the pointer is held above or below the list, it scrolls."""
        point = QPointF(self.viewport().mapFromGlobal(self.cursor().pos()))
        over = point.y() if point.y() < 0 else max(0.0, point.y() - self.viewport().height())
        self.verticalScrollBar().setValue(self.scroll + round(over / 2))
        self._extend(point)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._pressed = None
        self._drag.stop()
        super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self._geometry is None or event.button() != Qt.MouseButton.LeftButton or self._toggled_by_press:
            return
        index = self._geometry.row_at(event.position().y() + self.scroll)
        if index is None:
            return
        if self._in_text(index, event.position()):
            place = self._place(event.position())
            if place is not None and place[1] is not None:
                self._select(word_at(self.document(place[0]).text, place))
        elif self.rows[index].kind is Kind.BLOCK:
            self.toggled.emit(index)

    def _select(self, selection: Selection | None) -> None:
        if selection != self.selection:
            self.selection = selection
            self.viewport().update()
            self.selected.emit()

    def select_all(self, block: int) -> None:
        self._select(Selection((block, 0), (block, len(self.document(block)))))

    def _hover(self, point: QPointF) -> None:
        geometry = self._geometry
        index = geometry.row_at(point.y() + self.scroll) if geometry is not None else None
        text = index is not None and self._in_text(index, point) and self.rows[index].open
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor if text else Qt.CursorShape.ArrowCursor)
        if index != self._hovered:
            self._hovered = index
            self.card.drop()
            self.viewport().update()
        if index is not None and not text and not self.card.isVisible():
            self.card.wait()

    def _rested(self) -> None:
        if self._hovered is not None:
            self.asked.emit(self._hovered, self.cursor().pos())

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self._hovered = None
            self.card.drop()
            self.viewport().update()
        return super().viewportEvent(event)

    def focusInEvent(self, event: QEvent) -> None:
        super().focusInEvent(event)  # type: ignore[arg-type]
        self.viewport().update()

    def focusOutEvent(self, event: QEvent) -> None:
        super().focusOutEvent(event)  # type: ignore[arg-type]
        self.card.drop()
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys belong to the view around the list."""
        event.ignore()


def word_at(text: str, place: Place) -> Selection:
    """The word around a place: letters, digits and underscores, or the one other character there."""
    block, at = place
    assert at is not None
    start = end = min(at, max(0, len(text) - 1))
    while start > 0 and _joins(text[start - 1]) and _joins(text[start]):
        start -= 1
    while end < len(text) and _joins(text[end]) and end - start < 10_000:
        end += 1
    return Selection((block, start), (block, max(end, start + 1 if text else start)))


def _joins(character: str) -> bool:
    return character.isalnum() or character == "_"


RAIL_END = INSET + RAIL
