"""The session graph's side that follows the state: rows, current row, heading and foot. Gestures: gui/views/dag.py."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.phrase import phrase
from gui.dag_bars import DagColumns, DagFoot, DagHeading
from gui.dag_items import MANY, Items
from gui.dag_model import DagModel
from gui.dag_search import DagSearch
from gui.dag_table import DagTable
from gui.dag_words import counts, request_words, rows_shown
from gui.slices import Slices
from gui.state import Change, State
from gui.theme import Look
from gui.translation import say
from gui.view import View

MARKS_AT_ONCE = 400
"""Labels and branch summaries read before the window gets its turn again."""

LATE_MS = 400
"""Rows that came are laid out no later than this after the last of them."""


class DagPanel(View):
    """`items` is None while there is no session."""

    GROWS = True

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self.items: Items | None = None
        self.model = DagModel(self)
        self.table = DagTable(look, self.model, self)
        self.columns = DagColumns(look, self.table, self)
        self.foot = DagFoot(look, self)
        self.search = DagSearch(self.model, self)
        self._heading = DagHeading(look)
        self._wanted: int | None = None
        self._unseen: int | None = None
        """The cursor's row, as long as the fold around it is being opened."""
        self._laying: Slices | None = None
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
        self._behind = QTimer(self)
        self._behind.setSingleShot(True)
        self._behind.timeout.connect(self._catch_up)
        self.setAccessibleName(say(phrase("dag.title")))
        self.table.setAccessibleName(say(phrase("dag.accessible")))

    def heading(self) -> QWidget:
        """The title row of the dock."""
        return self._heading

    def inspect(self, row: int) -> None:
        """Make `row` the inspection point: called again when the branch it lies on has come."""
        raise NotImplementedError

    def show_state(self, state: State | None) -> None:
        if state is not self.state:
            self._wanted = self._unseen = None
            self._stop_laying()
            self._marks.stop()
            self._behind.stop()
            self.search.stop()
        super().show_state(state)

    def refresh(self, change: Change) -> None:
        if not change & ~(Change.PROFILE | Change.TRACE):
            return  # the graph is that of the file, whatever the layers do
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
        elif change & Change.GROWTH:
            self._grow(change)
        elif change & Change.TIMELINE:
            if self.items.provisional_once():
                self.items.grow()
                self._marks.start()
            else:
                self.items.take_timeline()
                self.items.take_cursor()
            self.model.forget_titles()
            self._relay(self.items.lay_out)
        elif change & Change.CURSOR:
            self._take_cursor()
        if change & Change.COMPACTION:
            self.table.viewport().update()
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

    def _grow(self, change: Change) -> None:
        """More rows came. The more there are, the more rarely they are laid out: each time all of them are."""
        items = self.items
        assert items is not None
        if not change & Change.TIMELINE and items.waits and not items.provisional:
            return
        if change & Change.TIMELINE or items.due():
            self._behind.stop()
            items.grow()
            self.model.forget_provisional()
            self._relay(items.lay_out)
            if not items.provisional and items.read_marks(MARKS_AT_ONCE):
                self._marks.start()
        else:
            self._behind.start(LATE_MS)

    def _catch_up(self) -> None:
        """No more rows came for a while: those that were left out so far are laid out."""
        if self.items is not None:
            self._grow(Change.TIMELINE)

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
                self.table.keep_place(items.lay_out)
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
            self._unseen = row
            self._relay(lambda: items.reveal(row))
        at = items.shown.index_of(row)
        if at is not None and (moved or self.table.item < 0):
            self.table.show_item(at, scroll=moved)

    def _relay(self, change: Callable[[], object]) -> None:
        """Change the rows; what is in sight keeps its place. Where that takes long it is done in pieces, and the rows
        stay as they are until then."""
        items = self.items
        assert items is not None
        self._stop_laying()
        items.patient = True
        self.table.keep_place(change)
        self._tell()
        if items.waiting:
            self._laying = Slices(items.laying_out(), lambda: self._laid(items), self)

    def _laid(self, items: Items) -> None:
        if items is not self.items:
            return
        self.table.keep_place(items.take)
        self._tell()
        row, self._unseen = self._unseen, None
        at = items.shown.index_of(row) if row is not None else None
        if at is not None:
            self.table.show_item(at, scroll=True)

    def _stop_laying(self) -> None:
        if self._laying is not None:
            if self._laying.running and self.items is not None:
                self.items.waiting = True
            self._laying.cancel()
            self._laying.deleteLater()
            self._laying = None

    def _tell(self) -> None:
        """Heading and foot."""
        items = self.items
        if items is None:
            self._heading.tell("", filtered=False, folding=False)
            self.foot.tell("", "", None, marked=False)
            return
        self._heading.tell(counts(items), filtered=not items.chosen.all, folding=items.folding)
        self.foot.tell(*request_words(items), rows_shown(items), marked=items.sent > 0)
