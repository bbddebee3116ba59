"""A table over records: sorted by any column, copied as tab-separated text, one row the inspection point."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QItemSelectionModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from gui.icons import qicon
from gui.paint import focus_ring
from gui.request_columns import Column, number_of
from gui.theme import ICON_SMALL, Look

ROW = 26
Index = QModelIndex | QPersistentModelIndex
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class RecordModel(QAbstractTableModel):
    """Rows in any order; a value of None comes last however one sorts."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.records: Sequence[Any] = ()
        self.columns: Sequence[Column] = ()
        self._order: list[int] = []
        self._place: dict[int, int] = {}
        self._sorted: tuple[int, Qt.SortOrder] | None = None

    def show_records(self, records: Sequence[Any], columns: Sequence[Column]) -> None:
        self.beginResetModel()
        self.records, self.columns = records, columns
        self._arrange()
        self.endResetModel()

    def record(self, row: int) -> Any:
        return self.records[self._order[row]]

    def row_of(self, number: int) -> int | None:
        """Row of a request, as the table stands."""
        return self._place.get(number)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._order)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        column = self.columns[index.column()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            text = column.text(self.record(index.row()))
            return f"{column.head}: {text}" if role == Qt.ItemDataRole.AccessibleTextRole else text
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if column.numeric else LEFT
        if role == Qt.ItemDataRole.DecorationRole:
            cause = column.cause(self.record(index.row()))
            theme = self._look.theme
            return qicon(theme.cause_icon(cause), theme.px(ICON_SMALL), theme.diff) if cause else None
        return None

    def headerData(self, section: int, side: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if side == Qt.Orientation.Horizontal and 0 <= section < len(self.columns):
            if role == Qt.ItemDataRole.DisplayRole:
                return self.columns[section].head
            if role == Qt.ItemDataRole.TextAlignmentRole:
                return RIGHT if self.columns[section].numeric else LEFT
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self.layoutAboutToBeChanged.emit()
        held = self.persistentIndexList()
        meant = [(self._order[index.row()], index.column()) for index in held]
        self._sorted = (column, order) if column >= 0 else None
        self._arrange()
        places = {record: row for row, record in enumerate(self._order)}
        self.changePersistentIndexList(held, [self.index(places[record], at) for record, at in meant])
        self.layoutChanged.emit()

    def _arrange(self) -> None:
        rows = range(len(self.records))
        self._order = list(rows)
        if self._sorted is not None and self._sorted[0] < len(self.columns):
            column, order = self.columns[self._sorted[0]], self._sorted[1]
            keys = [column.value(record) for record in self.records]
            known = [row for row in rows if keys[row] is not None]
            known.sort(key=keys.__getitem__, reverse=order == Qt.SortOrder.DescendingOrder)
            self._order = known + [row for row in rows if keys[row] is None]
        self._place = {number_of(self.records[record]): row for row, record in enumerate(self._order)}

    def tabbed(self, rows: Sequence[int]) -> str:
        """These rows with their heads as tab-separated lines."""
        lines = ["\t".join(column.head for column in self.columns)]
        for row in rows:
            lines.append("\t".join(_cell(column.plain(self.record(row))) for column in self.columns))
        return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.split())  # a tab or line end inside a cell would start another


class RecordTable(QTableView):
    """`picked`: a request whose row was clicked or reached by key."""

    picked = Signal(int)

    def __init__(
        self, look: Look, name: str, parent: QWidget | None = None, model: type[RecordModel] = RecordModel
    ) -> None:
        super().__init__(parent)
        self._look = look
        self._by_key = False
        self._following = False
        self.records = model(look, self)
        self.setModel(self.records)
        self.setAccessibleName(name)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.verticalHeader().hide()
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setResizeContentsPrecision(60)
        head.setSectionsMovable(True)
        self.selectionModel().currentChanged.connect(self._went)
        self.restyle()

    def show_records(self, records: Sequence[Any], columns: Sequence[Column], sort: tuple[int, Qt.SortOrder]) -> None:
        """New content; the order that the person chose stays, else it is `sort` = (column, order)."""
        self._following = True
        try:
            self.records.show_records(records, columns)
            if not self.isSortingEnabled():
                self.horizontalHeader().setSortIndicator(*sort)
                self.setSortingEnabled(True)
            self._fit()
        finally:
            self._following = False

    def restyle(self) -> None:
        theme = self._look.theme
        self.setFont(theme.font("secondary"))
        self.setStyleSheet(f"QTableView::item {{ padding: 0 {theme.px(8)}px; }}")
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setMinimumSectionSize(theme.px(ROW))
        self.verticalHeader().setDefaultSectionSize(theme.px(ROW))
        self._fit()

    def _fit(self) -> None:
        self.resizeColumnsToContents()

    def show_request(self, number: int) -> None:
        """Make the row of a request the current one; the table scrolls only if it is out of sight."""
        row = self.records.row_of(number)
        if row is None or self.currentIndex().row() == row:
            if row is None:
                self.clearSelection()
            return
        self._following = True
        try:
            column = max(0, self.currentIndex().column())
            index = self.records.index(row, column)
            flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
            self.selectionModel().setCurrentIndex(index, flags)
            across = self.horizontalScrollBar().value()
            self.scrollTo(index)
            self.horizontalScrollBar().setValue(across)
        finally:
            self._following = False

    def _went(self, now: QModelIndex, before: QModelIndex) -> None:
        if not self._following and now.isValid() and now.row() != before.row():
            self.picked.emit(number_of(self.records.record(now.row())))

    def text(self) -> str:
        """The selected rows, or all if there is at most one, as tab-separated lines."""
        rows = sorted({index.row() for index in self.selectionModel().selectedRows()})
        return self.records.tabbed(rows if len(rows) > 1 else range(self.records.rowCount()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._by_key = True
        if event.modifiers() & Qt.KeyboardModifier.AltModifier:
            event.ignore()  # Alt with arrows walks the history of the window
            return
        super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._by_key = event.reason() != Qt.FocusReason.MouseFocusReason
        super().focusInEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus() and self._by_key:
            painter = QPainter(self.viewport())
            focus_ring(painter, self.viewport().rect().toRectF(), self._look.theme, gap=-3)
            painter.end()
