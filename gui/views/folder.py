"""A folder as a list of its sessions: project, age, size, requests, cost, problems. Enter opens one; columns sort."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from core.overview import Overview
from core.phrase import phrase
from core.places import Found
from gui.session_list import CHANGED, COLUMNS, PROJECT, SESSION, SessionList
from gui.theme import Look
from gui.translation import say
from gui.visible import visible_line

ROW = 28


class FolderView(QWidget):
    """Signals only: `opened` with a path, `cancelled` when the rest need not be read, `left` for the start page."""

    opened = Signal(str)
    cancelled = Signal()
    left = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._folder = ""
        self._reading = False
        self.model = SessionList(self)
        self._title, self._note = QLabel(self), QLabel(self)
        for label in (self._title, self._note):
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.stop = QPushButton(say(phrase("folder.stop")), self)
        self.stop.clicked.connect(self.cancelled.emit)
        self.back = QPushButton(say(phrase("folder.back")), self)
        self.back.clicked.connect(self.left.emit)
        self.table = _Table(self)
        self.table.setModel(self.model)
        self.table.setAccessibleName(say(phrase("folder.list")))
        self.table.chosen.connect(self._open)
        self.table.left.connect(self._escape)
        top = QHBoxLayout()
        top.addWidget(self._title, 1)
        top.addWidget(self._note)
        top.addWidget(self.stop)
        top.addWidget(self.back)
        column = QVBoxLayout(self)
        column.addLayout(top)
        column.addWidget(self.table, 1)
        self.setFocusProxy(self.table)
        look.changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        theme = self._look.theme
        edge = theme.px(16)
        layout = self.layout()
        assert layout is not None
        layout.setContentsMargins(edge, edge, edge, edge)
        self._title.setFont(theme.font("headline"))
        self._note.setFont(theme.font("secondary"))
        self._note.setStyleSheet(f"color: {theme.ink2.name()};")
        self.table.verticalHeader().setDefaultSectionSize(theme.px(ROW))
        header = self.table.horizontalHeader()
        for index in range(len(COLUMNS)):
            mode = QHeaderView.ResizeMode.Stretch if index == SESSION else QHeaderView.ResizeMode.Interactive
            header.setSectionResizeMode(index, mode)
            header.resizeSection(index, theme.px(200 if index == PROJECT else 104))

    def show_folder(self, folder: str) -> None:
        """Another folder: nothing is known of it yet."""
        self._folder, self._reading = folder, True
        self.model.show(())
        self._tell()

    def show_found(self, found: Sequence[Found]) -> None:
        """What lies there, by name."""
        self.model.show(found)
        self.table.horizontalHeader().setSortIndicator(CHANGED, Qt.SortOrder.AscendingOrder)
        if found:
            self.table.setCurrentIndex(self.model.index(0, 0))
        self._tell()

    def show_read(self, overviews: Sequence[Overview]) -> None:
        """What was read of some of them."""
        self.model.take(overviews)
        self._tell()

    def finished(self) -> None:
        """No more will be read."""
        self._reading = False
        self._tell()

    @property
    def note(self) -> str:
        return self._note.text()

    def _tell(self) -> None:
        count, read = self.model.rowCount(), self.model.read
        self._title.setText(visible_line(self._folder, 200))
        if self._reading:
            said = phrase("folder.reading", n=read, all=count)
        else:
            said = phrase("folder.sessions", n=count) if count else phrase("folder.empty")
        self._note.setText(say(said))
        self.stop.setVisible(self._reading)

    def _open(self, row: int) -> None:
        self.opened.emit(self.model.path(row))

    def _escape(self) -> None:
        if self._reading:
            self.cancelled.emit()
        else:
            self.left.emit()


class _Table(QTableView):
    chosen = Signal(int)
    left = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setSortingEnabled(True)
        self.setShowGrid(False)
        self.verticalHeader().hide()
        self.horizontalHeader().setHighlightSections(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.doubleClicked.connect(lambda index: self.chosen.emit(index.row()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens, Esc stops or leaves, J and K move, S sorts by the next column, Shift+S the other way round."""
        index = self.currentIndex()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and index.isValid():
            self.chosen.emit(index.row())
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in (Qt.Key.Key_J, Qt.Key.Key_K):
            self._move(1 if event.key() == Qt.Key.Key_J else -1)
        elif event.key() == Qt.Key.Key_S:
            self._sort(bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        else:
            super().keyPressEvent(event)

    def _move(self, by: int) -> None:
        row = max(0, min(self.model().rowCount() - 1, self.currentIndex().row() + by))
        index: QModelIndex = self.model().index(row, 0)
        self.setCurrentIndex(index)

    def _sort(self, turn: bool) -> None:
        header = self.horizontalHeader()
        column, order = header.sortIndicatorSection(), header.sortIndicatorOrder()
        if turn:
            down, up = Qt.SortOrder.DescendingOrder, Qt.SortOrder.AscendingOrder
            order = down if order == up else up
        else:
            column = (column + 1) % len(COLUMNS)
        self.sortByColumn(column, order)
