"""The session as a graph: every entry a row with its lane, the inspection point, and what is in its request.

filter, folds ─▶ Items ─▶ DagModel ─▶ DagTable        gestures ─▶ state.go(…)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from core.branches import branches
from core.phrase import phrase
from core.rows import HEADER, Filter
from gui.dag_bars import DagColumns, DagFoot, DagHeading
from gui.dag_items import MANY, Items
from gui.dag_menu import entry_menu
from gui.dag_model import DagModel
from gui.dag_search import DagSearch
from gui.dag_table import DagTable
from gui.dag_words import branch_words, card_lines, counts, request_words, rows_shown
from gui.state import Change, State
from gui.theme import Look
from gui.translation import say
from gui.view import View

MARKS_AT_ONCE = 400
"""Labels and branch summaries read before the window gets its turn again."""
COPIED = 1_000_000
"""Characters of an entry's text that are copied at most."""


class DagView(View):
    """`searcher(text)`: set by the window; searches the bodies and answers through `show_hits`."""

    ID = "session"

    raw_wanted = Signal(int)
    """Show the recorded JSON of a row."""
    hits_changed = Signal(int, int, bool)
    """(which hit the cursor is on, from 1, or 0; how many; whether the search is complete)."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self.searcher: Callable[[str], None] | None = None
        self.items: Items | None = None
        self.model = DagModel(self)
        self.table = DagTable(look, self.model, self)
        self.columns = DagColumns(look, self.table, self)
        self.foot = DagFoot(look, self)
        self._heading = DagHeading(look)
        self._wanted: int | None = None
        self._focus: tuple[int | None, int | None] = (None, None)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.columns)
        column.addWidget(self.table, 1)
        column.addWidget(self.foot)
        self.setFocusProxy(self.table)
        self._marks = QTimer(self)
        self._marks.setSingleShot(True)
        self._marks.setInterval(0)
        self._marks.timeout.connect(self._read_marks)
        self.search = DagSearch(self.model, self)
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
        self.setAccessibleName(say(phrase("dag.title")))
        self.table.setAccessibleName(say(phrase("dag.accessible")))

    def heading(self) -> QWidget:
        """The title row of the dock."""
        return self._heading

    # projecting the state

    def show_state(self, state: State | None) -> None:
        if state is not self.state:
            self._wanted = None
            self._marks.stop()
            self.search.stop()
        super().show_state(state)

    def refresh(self, change: Change) -> None:
        state = self.state
        if change & Change.LOOK:
            self.table.restyle()
            self.foot.restyle()
            self._heading.restyle()
            self.model.forget_titles()
            self.columns.update()
        if state is None:
            self.items = None
            self.model.show(None)
            self._tell()
            return
        if self.items is None or self.items.state is not state or change & Change.SESSION:
            self._take_session(state)
        elif change & Change.TIMELINE:
            self.items.take_timeline()
            self.items.take_cursor()
            self.model.forget_titles()
            self._relay(self.items.lay_out)
        elif change & Change.CURSOR:
            self._take_cursor()
        self._follow_cursor()
        self._tell()
        if change & Change.TIMELINE and self._wanted is not None:
            row, self._wanted = self._wanted, None
            if self.items is not None and self.items.on_path[row]:
                self.inspect(row)

    def _take_session(self, state: State) -> None:
        self.items = Items(state)
        self._focus = (None, None)
        self.model.query = ""
        self.model.show(self.items)
        self.columns.update()
        if not self.items.read_marks(MARKS_AT_ONCE):
            self._relay(self.items.lay_out)
        else:
            self._marks.start()

    def _read_marks(self) -> None:
        if self.items is not None and self.items.read_marks(MARKS_AT_ONCE):
            self._marks.start()
        elif self.items is not None:
            self._relay(self.items.lay_out)

    def _take_cursor(self) -> None:
        items = self.items
        assert items is not None
        if items.take_cursor():
            hidden = items.point is not None and items.folded_away(items.point)
            if hidden or len(items.tree) < MANY:
                self._relay(items.lay_out)
        self.table.viewport().update()

    def _follow_cursor(self) -> None:
        """The entry in focus is the current row; scroll only when it is another one and out of sight."""
        items = self.items
        assert items is not None
        cursor = items.state.cursor
        focus = (cursor.entry, items.point)
        moved, self._focus = focus != self._focus, focus
        row = cursor.entry if cursor.entry is not None else items.point
        if row is None or row >= len(items.tree):
            return
        if moved and items.folded_away(row):
            self._relay(lambda: items.reveal(row))
        at = items.shown.index_of(row)
        if at is not None and (moved or self.table.item < 0):
            self.table.show_item(at, scroll=moved)

    def _relay(self, change: Callable[[], object]) -> None:
        """Change the rows; what is in sight keeps its place."""
        self.table.keep_place(change)
        self._tell()

    def _tell(self) -> None:
        """Heading and foot."""
        items = self.items
        if items is None:
            self._heading.tell("", filtered=False, folding=False)
            self.foot.tell("", "", None, marked=False)
            return
        self._heading.tell(counts(items), filtered=not items.chosen.all, folding=items.folding)
        self.foot.tell(*request_words(items), rows_shown(items), marked=items.sent > 0)

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
