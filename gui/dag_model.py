"""The session graph as a table of one column: titles made when they are painted, words for screen readers."""

from __future__ import annotations

from collections import OrderedDict

from PySide6.QtCore import (
    QAbstractTableModel,
    QDateTime,
    QElapsedTimer,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from core.phrase import phrase
from core.rows import HEADER
from core.title import Title
from core.titles import LARGE, header_title, provisional, title
from gui.dag_items import Items
from gui.dag_words import spoken
from gui.translation import language, say
from gui.visible import visible_line

Index = QModelIndex | QPersistentModelIndex

KEPT_TITLES = 8_192
BUDGET_MS = 20
"""Titles made during one painting take no longer than this; the others follow in the next."""


class DagModel(QAbstractTableModel):
    """Row i is item i of `items`, which may be None. `late`: a title was wanted that there was no time for."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.items: Items | None = None
        self.query = ""
        self.late = False
        self._titles: OrderedDict[int, Title] = OrderedDict()
        self._spent = 0
        self._clock = QElapsedTimer()

    def rowCount(self, parent: Index | None = None) -> int:
        if self.items is None or (parent is not None and parent.isValid()):
            return 0
        return len(self.items.shown)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if self.items is None or not index.isValid() or index.row() >= len(self.items.shown):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.words(index.row())
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return spoken(self.items, index.row(), self.words(index.row()))
        return None

    def show(self, items: Items | None) -> None:
        """Another session, or none."""
        self.beginResetModel()
        self.items = items
        self._titles.clear()
        self.endResetModel()

    def reset(self) -> None:
        """The rows are others."""
        self.beginResetModel()
        self.endResetModel()

    def forget_provisional(self) -> None:
        """There are more rows: titles of those that were there stay."""
        self._titles.pop(HEADER, None)

    def forget_titles(self) -> None:
        """Token counts or the language changed: sentences are made anew."""
        self._titles.clear()

    # titles

    def begin(self) -> None:
        """A new budget: before the rows in sight are painted or searched."""
        self._spent = 0
        self.late = False

    def title(self, item: int) -> Title:
        """The title of an item that is no folded run; a provisional one when painting took too long already."""
        assert self.items is not None
        row = self.items.row(item)
        found = self._titles.get(row)
        if found is not None:
            self._titles.move_to_end(row)
            return found
        state = self.items.state
        if row == HEADER:
            made = header_title(state.session, self._opened_at())
        elif self._spent > BUDGET_MS * 1_000_000:
            self.late = True
            return provisional(state.session, row)
        elif not state.desk.local and state.session.columns.size[row] > LARGE:
            return provisional(state.session, row)  # its beginning would have to be read
        else:
            self._clock.start()
            made = title(state.session, row, state.body, state.counts.tokens)
            self._spent += self._clock.nsecsElapsed()
        if state.at_hand(row) or state.session.columns.size[row] > LARGE:
            self._titles[row] = made
        while len(self._titles) > KEPT_TITLES:
            self._titles.popitem(last=False)
        return made

    def words(self, item: int) -> str:
        """The whole line of an item, in the language in use."""
        assert self.items is not None
        if self.items.shown.folded(item):
            return say(phrase("dag.folded", n=int(self.items.shown.count[item])))
        return self.title(item).words(language())

    def _opened_at(self) -> str:
        assert self.items is not None
        header = self.items.state.session.header
        if header is None or header.time is None:
            return ""
        return QDateTime.fromMSecsSinceEpoch(header.time).toString("HH:mm")

    # search

    def matches(self, item: int) -> tuple[int, int] | None:
        """(start, length) of the words searched for in the title, in characters."""
        assert self.items is not None
        if not self.query or self.items.shown.folded(item):
            return None
        said = visible_line(self.title(item).words(language()))
        at = said.lower().find(self.query)
        return (at, len(self.query)) if at >= 0 else None

    def titles_with(self, words: str) -> set[int]:
        """Entries among those whose titles are at hand."""
        wanted = words.lower()
        kept = self._titles.items()
        return {row for row, made in kept if row != HEADER and wanted in made.words(language()).lower()}
