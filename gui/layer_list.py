"""The steps as a list: a model of LayerRows, its painter, and the gestures on it.

gesture ─▶ chosen / stood / toggled / dragged ─▶ LayersView ─▶ State
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QWidget

from gui.layer_delegate import LayerDelegate
from gui.layer_rows import LayerRow
from gui.theme import Look

Index = QModelIndex | QPersistentModelIndex


class LayerModel(QAbstractListModel):
    """Rows of the list; one row is `LayerRow`, its text the words for screen readers."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows: tuple[LayerRow, ...] = ()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return row.words()
        if role == Qt.ItemDataRole.CheckStateRole and not row.locked:
            return Qt.CheckState.Checked if row.on else Qt.CheckState.Unchecked
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def show_rows(self, rows: Sequence[LayerRow]) -> bool:
        """True when heights changed, so that the list must be laid out anew."""
        old, self.rows = self.rows, tuple(rows)
        if len(old) != len(self.rows):
            self.beginResetModel()
            self.endResetModel()
            return True
        for at, (was, now) in enumerate(zip(old, self.rows, strict=True)):
            if was != now:
                self.dataChanged.emit(self.index(at), self.index(at))
        return [row.tall for row in old] != [row.tall for row in self.rows]


class LayerList(QListView):
    """`stale`: what is shown is being computed anew, and dimmed. `movable`: rows can be dragged to another place."""

    chosen = Signal(str)
    """The selected row, by its instance."""
    stood = Signal(str)
    """Stand behind this step."""
    toggled = Signal(str, bool)
    dragged = Signal(str, int)
    """An instance to another place among the instances (0 = first)."""
    refused = Signal()
    """Somebody tried to move a row where the order is fixed."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.look = look
        self.stale = False
        self.movable = False
        self.by_key = False
        self.layers = LayerModel(self)
        self.setModel(self.layers)
        self._delegate = LayerDelegate(look, self)
        self.setItemDelegate(self._delegate)
        self._grip: tuple[int, int] | None = None
        self.gap: int | None = None
        """Where a dragged row would come to stand: before the row of this number."""
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setMouseTracking(True)
        self.setUniformItemSizes(False)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, False)

    # content

    def show_rows(self, rows: Sequence[LayerRow], current: str | None) -> None:
        if self.layers.show_rows(rows):
            self.scheduleDelayedItemsLayout()
        at = next((i for i, row in enumerate(rows) if row.instance == current), -1)
        if at >= 0 and self.currentIndex().row() != at:
            self.setCurrentIndex(self.layers.index(at))
            self.keep_in_sight()

    def keep_in_sight(self) -> None:
        """The selected row whole, after rows or height became others."""
        self.executeDelayedItemsLayout()
        self.scrollTo(self.currentIndex())

    def dataChanged(self, first: QModelIndex, last: QModelIndex, roles: Sequence[int] = ()) -> None:
        """Only the changed rows: Qt would lay out and paint the whole list, each time a threshold moves a bit."""
        for at in range(first.row(), last.row() + 1):
            self.update(self.layers.index(at))

    @property
    def content_height(self) -> int:
        """Pixels that all rows take."""
        return sum(self._delegate.height(row) for row in self.layers.rows)

    @property
    def current_row(self) -> LayerRow | None:
        at = self.currentIndex().row()
        return self.layers.rows[at] if 0 <= at < len(self.layers.rows) else None

    # painting

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.gap is not None:
            painter = QPainter(self.viewport())
            last = len(self.layers.rows) - 1
            if self.gap <= last:
                y = self.visualRect(self.layers.index(self.gap)).top()
            else:
                y = self.visualRect(self.layers.index(last)).bottom() + 1
            painter.fillRect(0, y - 1, self.viewport().width(), 2, self.look.theme.accent)
            painter.end()

    # gestures

    def _pick(self, at: int) -> None:
        if 0 <= at < len(self.layers.rows):
            self.setCurrentIndex(self.layers.index(at))
            self.chosen.emit(self.layers.rows[at].instance)

    def _toggle(self, at: int) -> None:
        row = self.layers.rows[at]
        if not row.locked:
            self.toggled.emit(row.instance, not row.on)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        self.by_key = False
        if not index.isValid() or event.button() != Qt.MouseButton.LeftButton:
            return
        if self._delegate.on_box(self.visualRect(index), event.position()):
            self._toggle(index.row())
            return
        self._pick(index.row())
        self._grip = (index.row(), round(event.position().y()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grip is None or not event.buttons() & Qt.MouseButton.LeftButton:
            return
        at, start = self._grip
        y = event.position().y()
        if self.layers.rows[at].locked or (self.gap is None and abs(y - start) < self.look.theme.px(6)):
            return
        if not self.movable:
            self._grip = None
            self.refused.emit()
            return
        self.gap = self._gap_at(y)
        self.viewport().update()

    def _gap_at(self, y: float) -> int:
        """The row before which a row that is dropped at `y` comes to stand; never before a locked first row."""
        movable = [i for i, row in enumerate(self.layers.rows) if not row.locked]
        for at in movable:
            if y < self.visualRect(self.layers.index(at)).center().y():
                return at
        return movable[-1] + 1

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        grip, gap = self._grip, self.gap
        self._grip = self.gap = None
        if grip is not None and gap is not None:
            self.viewport().update()
            self._drop(grip[0], gap)

    def _drop(self, at: int, gap: int) -> None:
        to = gap - 1 if gap <= at else gap - 2  # row 0 is no instance; behind itself everything moves up by one
        if to != at - 1:
            self.dragged.emit(self.layers.rows[at].instance, to)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and not self._delegate.on_box(self.visualRect(index), event.position()):
            self.stood.emit(self.layers.rows[index.row()].instance)
        elif index.isValid():
            self._toggle(index.row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        at, last = self.currentIndex().row(), len(self.layers.rows) - 1
        self.by_key = True
        key, alt = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        if alt and key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._shift(at, -1 if key == Qt.Key.Key_Up else 1)
        elif alt or event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_J):
            self._pick(min(at + 1, last))
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_K):
            self._pick(max(at - 1, 0))
        elif key == Qt.Key.Key_Home:
            self._pick(0)
        elif key == Qt.Key.Key_End:
            self._pick(last)
        elif key == Qt.Key.Key_Space and 0 <= at <= last:
            self._toggle(at)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and 0 <= at <= last:
            self.stood.emit(self.layers.rows[at].instance)
        else:
            event.ignore()
        self.viewport().update()

    def _shift(self, at: int, by: int) -> None:
        """Move the selected row up or down, where the profile allows it."""
        to = at + by
        rows = self.layers.rows
        if not self.movable:
            self.refused.emit()
        elif 0 <= at < len(rows) and not rows[at].locked and 0 <= to < len(rows) and not rows[to].locked:
            self.dragged.emit(rows[at].instance, to - 1)
