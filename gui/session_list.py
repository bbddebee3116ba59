"""The sessions of a folder as rows that can be sorted: names, ages and sizes at once, the rest as it is read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from core import numbers
from core.overview import Overview
from core.phrase import phrase
from core.places import Found
from gui.translation import language, say
from gui.visible import visible_line

Index = QModelIndex | QPersistentModelIndex
COLUMNS = ("project", "session", "changed", "size", "requests", "cost", "problems")
PROJECT, SESSION, CHANGED, SIZE, REQUESTS, COST, PROBLEMS = range(len(COLUMNS))
SORTED = Qt.ItemDataRole.UserRole
"""What a cell is sorted by; None comes last whichever way one sorts."""
_WAITING = "…"
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class SessionList(QAbstractTableModel):
    """`take` an Overview whenever one is ready. Rows keep the order of `show`; a sort is laid over them."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._found: tuple[Found, ...] = ()
        self._read: dict[str, Overview] = {}
        self._order: list[int] = []
        self._by: tuple[int, Qt.SortOrder] = (CHANGED, Qt.SortOrder.AscendingOrder)

    def show(self, found: Sequence[Found]) -> None:
        self.beginResetModel()
        self._found, self._read = tuple(found), {}
        self._arrange()
        self.endResetModel()

    def take(self, overviews: Sequence[Overview]) -> None:
        """The order changes with what came if one sorts by it; the current row goes along."""
        self._read.update((one.path, one) for one in overviews)
        if self._by[0] in (REQUESTS, COST, PROBLEMS, SESSION):
            self.sort(*self._by)
        elif self._order:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._order) - 1, len(COLUMNS) - 1))

    def path(self, row: int) -> str:
        return self._found[self._order[row]].path

    def refused(self, row: int) -> bool:
        read = self._read.get(self.path(row))
        return read is not None and read.refused is not None

    @property
    def read(self) -> int:
        """How many were read so far."""
        return len(self._read)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._order)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, side: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if side == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return say(phrase(f"folder.{COLUMNS[section]}"))
        if side == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole:
            return _LEFT if section <= SESSION else _RIGHT
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        found = self._found[self._order[index.row()]]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(found, index.column())
        if role == Qt.ItemDataRole.AccessibleTextRole:
            head = say(phrase(f"folder.{COLUMNS[index.column()]}"))
            return f"{head}: {self._text(found, index.column())}"
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _LEFT if index.column() <= SESSION else _RIGHT
        if role == SORTED:
            return self._value(found, index.column())
        return None

    def _text(self, found: Found, column: int) -> str:
        read = self._read.get(found.path)
        if column == PROJECT:
            return visible_line(found.project, 80)
        if column == SESSION:
            name = read.name if read is not None and read.name else Path(found.path).name
            return visible_line(name, 120)
        if column == CHANGED:
            return numbers.duration(found.age_s, language())
        if column == SIZE:
            return numbers.size(found.size)
        if read is None:
            return _WAITING
        if read.refused is not None:
            return say(phrase("folder.refused")) if column == PROBLEMS else "–"
        if column == REQUESTS:
            return numbers.whole(read.requests)
        if column == COST:
            return numbers.money(read.cost) if read.cost is not None else "–"
        return numbers.whole(read.problems) if read.problems else "–"

    def _value(self, found: Found, column: int) -> Any:
        read = self._read.get(found.path)
        if column == PROJECT:
            return found.project.casefold()
        if column == SESSION:
            return (read.name if read is not None and read.name else Path(found.path).name).casefold()
        if column == CHANGED:
            return found.age_s
        if column == SIZE:
            return found.size
        if read is None or read.refused is not None:
            return None
        return {REQUESTS: read.requests, COST: read.cost, PROBLEMS: read.problems}[column]

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self.layoutAboutToBeChanged.emit()
        held = self.persistentIndexList()
        meant = [(self._order[index.row()], index.column()) for index in held]
        self._by = column, order
        self._arrange()
        place = {found: row for row, found in enumerate(self._order)}
        self.changePersistentIndexList(held, [self.index(place[found], column) for found, column in meant])
        self.layoutChanged.emit()

    def _arrange(self) -> None:
        column, order = self._by
        values = [self._value(found, column) for found in self._found]
        known = [at for at, value in enumerate(values) if value is not None]
        known.sort(key=lambda at: values[at], reverse=order == Qt.SortOrder.DescendingOrder)
        self._order = known + [at for at, value in enumerate(values) if value is None]
