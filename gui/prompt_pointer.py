"""What the pointer does in the list of the prompt's rows: picks, folds, selects text, rests for the hover card.

picked / toggled     a row was clicked, wants to fold or unfold
removed_toggled      the text that was cut out of a block is to be shown or hidden
linked               the link at the right end of a row was pressed
asked                the pointer rests on a row: whoever knows more fills `card`
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget

from gui.hover_card import HoverCard
from gui.prompt_blocks import TOLD_ROW
from gui.prompt_geometry import Place, Selection, word_at
from gui.prompt_rows import Kind
from gui.prompt_rules import LINK_ZONE
from gui.row_area import RowArea
from gui.theme import Look

FOLD_ZONE = (24, 60)
"""Where a click on a block's head folds it instead of selecting it, in pixels at 100 %."""


class PointedArea(RowArea):
    """`selection`: of text, in one block or over several."""

    picked = Signal(int)
    toggled = Signal(int)
    removed_toggled = Signal(int)
    asked = Signal(int, object)
    linked = Signal(int)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self.selection: Selection | None = None
        self._hovered: int | None = None
        self._pressed: QPointF | None = None
        self._toggled_by_press = False
        self._drag = QTimer(self)
        self._drag.setInterval(40)
        self._drag.timeout.connect(self._drag_on)
        self.card = HoverCard(self)
        self.card.rested.connect(self._rested)
        self.viewport().setMouseTracking(True)

    def _place(self, point: QPointF) -> Place | None:
        if self.places is None:
            return None
        return self.places.place_at(point.x() - self.text_x(), point.y() + self.scroll)

    def _index(self, point: QPointF) -> int | None:
        return self.places.row_at(point.y() + self.scroll) if self.places is not None else None

    def _in_text(self, index: int, point: QPointF) -> bool:
        places = self.places
        return places is not None and point.y() + self.scroll >= places.tops[index] + places.head(index)

    def _on_told(self, index: int, point: QPointF) -> bool:
        """Is this the line that tells what was removed?"""
        places = self.places
        if places is None or not self.rows[index].told or self._in_text(index, point):
            return False
        head = places.tops[index] + places.head(index) - self.scroll
        return point.x() >= self.text_x() and point.y() >= head - self.look.theme.px(TOLD_ROW)

    def _on_link(self, index: int, point: QPointF) -> bool:
        """Is this the right end of the dotted block, where a trace can be added, or of the first difference, where
        another request can be chosen?"""
        zone = LINK_ZONE.get(self.rows[index].kind)
        return zone is not None and point.x() >= self.width() - self.look.theme.px(zone)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or self.places is None:
            return super().mousePressEvent(event)
        self.card.drop()
        self._toggled_by_press = False
        point = event.position()
        index, place = self._index(point), self._place(point)
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and self.selection is not None and place is not None:
            self.select(Selection(self.selection.anchor, place))
            return None
        self.select(None)
        if index is None:
            return None
        row, theme = self.rows[index], self.look.theme
        folds = theme.px(FOLD_ZONE[0]) <= point.x() < theme.px(FOLD_ZONE[1]) and not self._in_text(index, point)
        if row.folds_at_once or (row.kind in (Kind.BLOCK, Kind.LEADING, Kind.PAIR) and folds):
            self._toggled_by_press = True
            self.toggled.emit(index)
            return None
        if self._on_told(index, point):
            self._toggled_by_press = True
            self.removed_toggled.emit(index)
            return None
        if self._on_link(index, point):
            self.linked.emit(index)
            return None
        self._pressed = point
        self.picked.emit(index)
        return None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is not None and event.buttons() & Qt.MouseButton.LeftButton:
            far = (event.position() - self._pressed).manhattanLength() >= QApplication.startDragDistance()
            if self.selection is not None or far:
                self._extend(event.position())
        else:
            self._hover(event.position())

    def _extend(self, point: QPointF) -> None:
        assert self._pressed is not None
        anchor = self.selection.anchor if self.selection is not None else self._place(self._pressed)
        head = self._place(point)
        if anchor is not None and head is not None:
            self.select(Selection(anchor, head))
        if 0 <= point.y() <= self.viewport().height():
            self._drag.stop()
        elif not self._drag.isActive():
            self._drag.start()

    def _drag_on(self) -> None:
        """While the pointer is held above or below the list, it scrolls."""
        point = QPointF(self.viewport().mapFromGlobal(self.cursor().pos()))
        over = point.y() if point.y() < 0 else max(0.0, point.y() - self.viewport().height())
        self.verticalScrollBar().setValue(self.scroll + round(over / 2))
        if self._pressed is not None:
            self._extend(point)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._pressed = None
        self._drag.stop()
        super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        index = self._index(event.position())
        # The first click may have folded a run, so that another row stands under the second.
        if event.button() != Qt.MouseButton.LeftButton or index is None or self._toggled_by_press:
            return
        if self._in_text(index, event.position()):
            place = self._place(event.position())
            if place is not None and place[1] is not None:
                self.select(word_at(self.document(place[0]).text, place[0], place[1]))
        elif self.rows[index].kind in (Kind.BLOCK, Kind.LEADING, Kind.PAIR):
            self.toggled.emit(index)

    def select(self, selection: Selection | None) -> None:
        if selection != self.selection:
            self.selection = selection
            self.viewport().update()

    def select_all(self, block: int) -> None:
        self.select(Selection((block, 0), (block, len(self.document(block)))))

    def _hover(self, point: QPointF) -> None:
        index = self._index(point)
        text = index is not None and self.rows[index].open and self._in_text(index, point)
        told = index is not None and (self._on_told(index, point) or self._on_link(index, point))
        shape = Qt.CursorShape.PointingHandCursor if told else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor if text else shape)
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

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self.card.drop()
        super().scrollContentsBy(dx, dy)
