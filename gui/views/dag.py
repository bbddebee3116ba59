"""The session as a graph: every entry a row with its lane, the inspection point, and what is in its request.

filter, folds ─▶ Items ─▶ DagModel ─▶ DagTable        gestures ─▶ state.go(…)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from core.branches import branches
from core.rows import HEADER, Filter
from gui.dag_menu import entry_menu
from gui.dag_panel import DagPanel
from gui.dag_words import branch_words, card_lines
from gui.theme import Look

COPIED = 1_000_000
"""Characters of an entry's text that are copied at most."""


class DagView(DagPanel):
    """`searcher(text)`: set by the window; searches the bodies and answers through `show_hits`."""

    ID = "session"

    raw_wanted = Signal(int)
    """Show the recorded JSON of a row."""
    hits_changed = Signal(int, int, bool)
    """(which hit the cursor is on, from 1, or 0; how many; whether the search is complete)."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self.searcher: Callable[[str], None] | None = None
        self.search.ask.connect(self._search_bodies)
        self.search.found.connect(self._take_hits)
        self.search.told.connect(self.hits_changed)
        self.table.picked.connect(self._picked)
        self.table.activated_item.connect(self.activate)
        self.table.wanted.connect(self._key)
        self.table.asked.connect(self._tell_card)
        self.table.menu.connect(self._show_menu)
        self.foot.show_all.connect(self.show_all)
        self._heading.menu.chosen.connect(self.set_filter)
        self._heading.menu.aboutToShow.connect(self._fill_menu)
        self._heading.fold.clicked.connect(self.fold_all)

    # what the user asks for

    def _picked(self, item: int) -> None:
        if self.items is not None and self.state is not None and not self.items.shown.folded(item):
            row = self.items.row(item)
            if row != HEADER:
                self._focus = (row, self.items.point)
                self.state.go(entry=row)

    def activate(self, item: int) -> None:
        """Double click or Enter: unfold a run, make an entry the inspection point."""
        if self.items is None:
            return
        if self.items.shown.folded(item):
            self.fold(item)
        elif self.items.row(item) != HEADER:
            self.inspect(self.items.row(item))

    def inspect(self, row: int) -> None:
        """Make `row` the inspection point: the request it answers, else the next one that it is in. An entry of
        another branch first asks for the newest branch that goes through it."""
        if self.items is None or self.state is None:
            return
        if not self.items.on_path[row]:
            self._wanted = row
            self.state.go(leaf=self.items.tree.leaf_below(row))
        else:
            self.state.go(request=self.items.request_for(row), entry=row)

    def fold(self, item: int) -> None:
        """Unfold the run at `item`, or fold the run around it."""
        items = self.items
        if items is not None and 0 <= item < len(items.shown):
            self._relay(lambda: items.toggle(item))

    def fold_all(self) -> None:
        if self.items is not None:
            self._relay(self.items.fold_all)

    def show_all(self) -> None:
        """No filter, no folds."""
        if self.items is not None:
            self._relay(self.items.show_all)

    def set_filter(self, chosen: Filter) -> None:
        items = self.items
        if items is not None:
            self._relay(lambda: items.set_filter(chosen))

    def _fill_menu(self) -> None:
        if self.items is not None:
            self._heading.menu.show_filter(self.items.chosen, bool(self.items.problems), bool(self.items.hits))

    def next_branch(self) -> None:
        row = self._row()
        if self.items is not None and self.state is not None and row is not None:
            to = self.items.next_branch(row)
            if to is not None:
                self.state.go(entry=to)

    def branches(self, limit: int = 40) -> list[tuple[int, str, int]]:
        """(leaf row, words, requests) of the branches to choose from: the main one first, then the newest."""
        if self.items is None or self.state is None:
            return []
        found = branches(self.state.session, self.items.tree, limit)
        return [(one.leaf, branch_words(self.items, one), one.requests) for one in found]

    def _row(self) -> int | None:
        """The entry of the current row."""
        if self.items is None or not 0 <= self.table.item < len(self.items.shown):
            return None
        row = self.items.row(self.table.item)
        return row if row != HEADER else None

    def _key(self, wanted: str) -> None:
        row = self._row()
        if wanted == "fold":
            self.fold(self.table.item)
        elif wanted == "fold_all":
            self.fold_all()
        elif wanted == "branch":
            self.next_branch()
        elif wanted == "raw" and row is not None:
            self.raw_wanted.emit(row)

    def copy(self) -> None:
        """The text of the current entry to the clipboard; its title where it has no text."""
        row = self._row()
        if row is None or self.state is None:
            return
        message = self.state.message(row)
        text = message.text()[:COPIED] if message is not None else ""
        QGuiApplication.clipboard().setText(text or self.model.words(self.table.item))

    def copy_id(self) -> None:
        row = self._row()
        if row is not None and self.state is not None:
            QGuiApplication.clipboard().setText(self.state.session.columns.ids[row])

    def _show_menu(self, item: int, place: QPoint) -> None:
        if self.items is None or not 0 <= item < len(self.items.shown):
            return
        self.table.show_item(item, scroll=False)
        self._picked(item)
        self._menu(item).popup(place)

    def _menu(self, item: int) -> QMenu:
        """What can be done with an item."""
        assert self.items is not None
        row = self.items.row(item)
        if self.items.shown.folded(item):
            return entry_menu(self, ("dag.unfold", lambda: self.fold(item)))
        if row == HEADER:
            return entry_menu(self, ("dag.show_all", self.show_all))
        return entry_menu(
            self,
            ("dag.inspect", lambda: self.inspect(row)),
            ("dag.fold", lambda: self.fold(item)),
            ("", None),
            ("dag.copy_text", self.copy),
            ("dag.copy_id", self.copy_id),
            ("dag.raw", lambda: self.raw_wanted.emit(row)),
        )

    def _tell_card(self, item: int) -> None:
        if self.items is not None and item < len(self.items.shown):
            self.table.tell(card_lines(self.items, item, self.model.words(item)), item)

    # search

    def set_search(self, text: str) -> None:
        """Search for `text`: titles in sight at once, bodies when typing stops."""
        self.search.set_text(text, self.table.items_in_sight(), self.searcher is not None)

    def show_hits(self, rows: Sequence[int], complete: bool) -> None:
        """Rows that the searcher found for the last text; more may come unless `complete`."""
        self.search.take(rows, complete)

    def _search_bodies(self, text: str) -> None:
        if self.searcher is not None:
            self.searcher(text)

    def _take_hits(self, rows: set[int]) -> None:
        items = self.items
        if items is None:
            return
        items.hits = frozenset(rows)
        if items.chosen.hits_only:
            self._relay(items.lay_out)
        self.table.viewport().update()
        self.search.tell(self._row())

    def next_hit(self, by: int) -> None:
        """Move the cursor to the next hit (+1) or the previous one (-1), around the end."""
        if self.items is None or self.state is None:
            return
        row = self._row()
        to = self.items.hit_from(row if row is not None else -1, by)
        if to is not None:
            self.state.go(entry=to)
            self.flush()
            self.search.tell(to)
