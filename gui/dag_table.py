"""The list of the session graph: keys, pointer, hover card; it shows and asks, the view answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from gui.dag_delegate import DagDelegate
from gui.dag_model import DagModel
from gui.hover_card import HoverCard
from gui.theme import ROW_DAG, Look

CALM = 150
"""Milliseconds for which rows stay in sight before pictures of them are made."""
_MOVES = {Qt.Key.Key_J: 1, Qt.Key.Key_K: -1}


class DagTable(QTableView):
    """Signals carry items (row numbers of the model), `wanted` the name of what a key asks for."""

    picked = Signal(int)
    """An item became the current one, by pointer or key."""
    activated_item = Signal(int)
    wanted = Signal(str)
    asked = Signal(int)
    """The pointer rests on an item: whoever knows more fills `card`."""
    menu = Signal(int, QPoint)

    def __init__(self, look: Look, model: DagModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._look, self._model = look, model
        self.letters = True
        """Whether single letters are keys (they can be switched off)."""
        self.setModel(model)
        self.delegate = DagDelegate(look, model, self)
        self.setItemDelegate(self.delegate)
        self.horizontalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setShowGrid(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setAutoScroll(False)  # it would also scroll when rows are laid out anew and nobody has moved
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, False)
        self.setMouseTracking(True)
        self.card = HoverCard(self)
        self.card.rested.connect(self._rested)
        self._under = -1
        self._quiet = False
        # Titles that one painting had no time for are made by the next.
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.timeout.connect(self.viewport().update)
        # Pictures of rows that are new in sight are made when they have stayed there.
        self._calm = QTimer(self)
        self._calm.setSingleShot(True)
        self._calm.setInterval(CALM)
        self._calm.timeout.connect(self.viewport().update)
        self.selectionModel().currentRowChanged.connect(self._moved)
        self.doubleClicked.connect(lambda index: self.activated_item.emit(index.row()))
        self.restyle()

    def restyle(self) -> None:
        height = self._look.theme.px(ROW_DAG)
        self.verticalHeader().setMinimumSectionSize(height)
        self.verticalHeader().setDefaultSectionSize(height)
        self.verticalScrollBar().setSingleStep(height)
        self.viewport().update()

    def sizeHint(self) -> QSize:
        return QSize(self._look.theme.px(404), self._look.theme.px(500))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._look.theme.px(240), self._look.theme.px(80))

    # the current item

    @property
    def item(self) -> int:
        """-1 for none."""
        return self.currentIndex().row()

    def show_item(self, item: int, *, scroll: bool) -> None:
        """Make an item the current one without telling anybody; `scroll` only if it is out of sight, by the least."""
        self._quiet = True
        try:
            index = self._model.index(item, 0)
            self.setCurrentIndex(index)
            if scroll:
                self.scrollTo(index, QAbstractItemView.ScrollHint.EnsureVisible)
        finally:
            self._quiet = False

    def _moved(self, current: QModelIndex, _: QModelIndex) -> None:
        if not self._quiet and current.isValid():
            self.scrollTo(current)
            self.picked.emit(current.row())

    def items_in_sight(self) -> range:
        height = max(1, self.rowHeight(0)) if self._model.rowCount() else 1
        first = self.verticalScrollBar().value() // height
        count = self.viewport().height() // height + 2
        return range(first, min(self._model.rowCount(), first + count))

    def keep_place(self, change: Callable[[], object]) -> None:
        """Let `change` lay out other rows. The current row, if it is in sight, or else the first one in sight stays
        where it is, and the current entry stays the current one."""
        items, bar = self._model.items, self.verticalScrollBar()
        assert items is not None
        height = max(1, self.verticalHeader().defaultSectionSize())
        in_sight = self.items_in_sight()
        held = self.item if self.item in in_sight else in_sight.start
        row = items.row(held) if held < len(items.shown) else None
        current = items.row(self.item) if 0 <= self.item < len(items.shown) else None
        offset = held * height - bar.value()
        change()
        self._model.reset()
        self.executeDelayedItemsLayout()  # or the scroll bar would still have the old range
        at = items.shown.index_of(row) if row is not None else None
        if at is not None:
            bar.setValue(at * height - offset)
        now = items.shown.index_of(current) if current is not None else None
        if now is not None:
            self.show_item(now, scroll=False)

    def move_by(self, by: int) -> None:
        """The item so many below."""
        last = self._model.rowCount() - 1
        if last >= 0:
            to = max(0, min(last, self.item + by if self.item >= 0 else 0))
            self.setCurrentIndex(self._model.index(to, 0))

    # events

    def paintEvent(self, event: QPaintEvent) -> None:
        """The rows in sight, without the view's way through indexes and style options: it takes as long as the rows."""
        self._model.begin()
        self.executeDelayedItemsLayout()
        painter = QPainter(self.viewport())
        height, width = max(1, self.verticalHeader().defaultSectionSize()), self.viewport().width()
        top, area, current = self.verticalScrollBar().value(), event.rect(), self.item
        first, last = (top + area.top()) // height, (top + area.bottom()) // height
        for item in range(first, min(self._model.rowCount(), last + 1)):
            place = QRectF(0, item * height - top, width, height)
            here, hovered = item == current, item == self._under
            self.delegate.paint_item(painter, place, item, here=here, hovered=hovered)
        painter.end()
        if self._model.late:
            self._late.start(0)
        if self.delegate.take_fresh():
            self._calm.start()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, shift = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        plain = not event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier)
        if plain and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self.item >= 0:
                self.activated_item.emit(self.item)
        elif plain and self.letters and key in _MOVES:
            self.move_by(_MOVES[Qt.Key(key)])
        elif plain and self.letters and key == Qt.Key.Key_F:
            self.wanted.emit("fold_all" if shift else "fold")
        elif plain and self.letters and key == Qt.Key.Key_B:
            self.wanted.emit("branch")
        elif plain and self.letters and key == Qt.Key.Key_R:
            self.wanted.emit("raw")
        elif key == Qt.Key.Key_Escape and self.card.isVisible():
            self.card.drop()
        elif key == Qt.Key.Key_Menu or (key == Qt.Key.Key_F10 and shift):
            place = self.visualRect(self.currentIndex()).bottomLeft() + QPoint(self._look.theme.px(40), 0)
            self.menu.emit(self.item, self.viewport().mapToGlobal(place))
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Typed letters are keys, never a jump to a title that begins with them."""

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu.emit(self.indexAt(event.pos()).row(), event.globalPos())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        under = self.indexAt(event.position().toPoint()).row()
        if under != self._under:
            self._under = under
            self.viewport().update()
            self.card.drop()
        if under >= 0 and not self.card.isVisible():
            self.card.wait()

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            return True  # the hover card stands in for Qt's tool tips
        if event.type() in (QEvent.Type.Leave, QEvent.Type.Wheel, QEvent.Type.MouseButtonPress):
            self._under = -1
            self.card.drop()
            self.viewport().update()
        return bool(super().viewportEvent(event))

    def hideEvent(self, event: QHideEvent) -> None:
        self.card.drop()
        super().hideEvent(event)

    def _rested(self) -> None:
        if self._under >= 0 and self.isVisible():
            self.asked.emit(self._under)

    def tell(self, lines: Sequence[str], item: int) -> None:
        """Show the hover card of an item; none without lines."""
        if not lines:
            return
        rect = self.visualRect(self._model.index(item, 0))
        place = self.viewport().mapToGlobal(QPoint(rect.left() + self._look.theme.px(100), rect.center().y()))
        self.card.tell(lines, place, self._look.theme)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.viewport().update()
