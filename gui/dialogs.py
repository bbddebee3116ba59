"""Small windows: the command palette, the list of keys, go to. All are lists or one field, all closed by Esc."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QSortFilterProxyModel, QStringListModel, Qt, QTimer
from PySide6.QtGui import QAction, QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHeaderView,
    QLabel,
    QLineEdit,
    QListView,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from gui.theme import Look


class Palette(QDialog):
    """Every action with its key; typing filters, Enter runs it."""

    def __init__(self, look: Look, actions: Sequence[QAction], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Find every action"))
        self._actions = [action for action in actions if action.isEnabled() and action.text()]
        names = [_row(action) for action in self._actions]
        self._model = QStringListModel(names, self)
        self._proxy = QSortFilterProxyModel(self)
        self._proxy.setSourceModel(self._model)
        self._proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.field = QLineEdit(self)
        self.field.setPlaceholderText(self.tr("Type a word of the action"))
        self.field.textChanged.connect(self._filter)
        self.field.installEventFilter(self)
        self.list = QListView(self)
        self.list.setModel(self._proxy)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.activated.connect(self._run)
        layout = QVBoxLayout(self)
        layout.addWidget(self.field)
        layout.addWidget(self.list)
        self.resize(look.theme.px(520), look.theme.px(420))
        self._filter("")

    def _filter(self, text: str) -> None:
        self._proxy.setFilterFixedString(text)
        self.list.setCurrentIndex(self._proxy.index(0, 0))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrow keys in the field move in the list, Enter runs."""
        if watched is self.field and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            row = self.list.currentIndex().row()
            if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
                step = 1 if event.key() == Qt.Key.Key_Down else -1
                row = max(0, min(self._proxy.rowCount() - 1, row + step))
                self.list.setCurrentIndex(self._proxy.index(row, 0))
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._run()
                return True
        return super().eventFilter(watched, event)

    def _run(self) -> None:
        index = self._proxy.mapToSource(self.list.currentIndex())
        if index.isValid():
            self.accept()
            QTimer.singleShot(0, self._actions[index.row()].trigger)


def _row(action: QAction) -> str:
    keys = [key.toString() for key in action.shortcuts()]
    return action.text().replace("&", "") + ("    " + "  ".join(keys) if keys else "")


class Keys(QDialog):
    """All keys, as a table."""

    def __init__(self, look: Look, rows: Sequence[tuple[str, str]], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Keys"))
        model = QStandardItemModel(len(rows), 2, self)
        for number, (words, keys) in enumerate(rows):
            for column, text in enumerate((keys, words)):
                item = QStandardItem(text)
                item.setEditable(False)
                model.setItem(number, column, item)
        table = QTableView(self)
        table.setModel(model)
        table.verticalHeader().hide()
        table.horizontalHeader().hide()
        table.setShowGrid(False)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        table.horizontalHeader().setStretchLastSection(True)
        table.setAccessibleName(self.tr("Keys"))
        layout = QVBoxLayout(self)
        layout.addWidget(table)
        self.resize(look.theme.px(620), look.theme.px(640))


class GoTo(QDialog):
    """One field: an entry id, a request number or a line. `find` returns whether it went there."""

    def __init__(self, look: Look, find: Callable[[str], bool], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Go to"))
        self._find = find
        hint = QLabel(self.tr("A request number (23), an entry id, or a line of the file (L118)"), self)
        hint.setProperty("tone", "quiet")
        self.field = QLineEdit(self)
        self.field.returnPressed.connect(self._go)
        self._answer = QLabel(self)
        self._answer.setTextFormat(Qt.TextFormat.PlainText)
        self._answer.setProperty("tone", "error")
        layout = QVBoxLayout(self)
        for widget in (hint, self.field, self._answer):
            layout.addWidget(widget)
        self.resize(look.theme.px(420), self.sizeHint().height())

    def _go(self) -> None:
        text = self.field.text().strip()
        if text and self._find(text):
            self.accept()
        else:
            self._answer.setText(self.tr("Nothing in this session is called that."))
