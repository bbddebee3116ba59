"""The Truncation tab: what a truncation of the file takes out, row beside row, before anything is written.

A dry run is looked at first; one button writes, to a new file or in place with an archive. Looking and writing happen
in the worker: whoever binds the view (gui/truncation_binding.py) hears what is wanted and brings the answers.
"""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakKeyDictionary

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from core.errors import UsageError
from core.phrase import Phrase
from core.settings import change as changed_settings
from core.truncation import ID, SAFE, Settings
from core.truncation_sources import Sources
from gui.state import Change, State
from gui.theme import Look
from gui.truncation_bars import Controls, Head, Sides, Verdicts
from gui.truncation_bytes import PAGES, BytesPage
from gui.truncation_facts import Facts, Wish
from gui.truncation_table import TruncationTable
from gui.truncation_words import details, headline, verdicts
from gui.view import View

SOON_MS = 120
"""A dry run is asked for when leaf or settings have rested so long."""
SHORT = 430
BESIDE, OVERLAY, BYTES = range(len(PAGES))


class TruncationView(View):
    """`path_of`: set by the binder: the path of a State as the worker knows it. `look_wanted(wish)`,
    `weigh_wanted(wish)`, `write_wanted(wish)`, `replace_wanted(wish)`, `undo_wanted(path, archive)`: for the worker."""

    ID = "truncation"
    look_wanted = Signal(object)
    weigh_wanted = Signal(object)
    write_wanted = Signal(object)
    replace_wanted = Signal(object)
    undo_wanted = Signal(str, str)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self.path_of: Callable[[State], str] = lambda state: state.session.path
        self.facts: Facts | None = None
        self.said: Phrase | None = None
        self.page = BESIDE
        self.found: Sources | None = None
        self._weighed: Wish | None = None
        self._asked: Wish | None = None
        self._settings: WeakKeyDictionary[State, Settings] = WeakKeyDictionary()
        self._archives: dict[str, str] = {}
        self.head, self.sides, self.table = Head(look), Sides(look), TruncationTable(look)
        self.verdicts, self.controls = Verdicts(look), Controls(look)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        rows = QWidget()
        beside = QVBoxLayout(rows)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.setSpacing(0)
        beside.addWidget(self.sides)
        beside.addWidget(self.table, 1)
        self.bytes = BytesPage(look)
        self.stack = QStackedWidget()
        self.stack.addWidget(rows)
        self.stack.addWidget(self.bytes)
        for widget in (self.head, self.stack, self.verdicts, self.controls):
            column.addWidget(widget, int(widget is self.stack))
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self._ask)
        self.head.turned.connect(self.turn)
        self.table.picked.connect(self._pick)
        self.controls.changed.connect(self.change_setting)
        self.controls.written.connect(self._write)
        self.controls.undone.connect(self._undo)
        self.setFocusProxy(self.table)
        self.show_facts()

    # projecting the state

    def show_state(self, state: State | None) -> None:
        if state is not self.state:
            self._soon.stop()
            self.facts = self.said = self._asked = self.found = self._weighed = None
        super().show_state(state)

    @property
    def settings(self) -> Settings:
        """Each session keeps its own while it is open."""
        return self._settings.get(self.state, SAFE) if self.state is not None else SAFE

    @property
    def settling(self) -> bool:
        waiting = self._asked is not None and self.facts is None and self.said is None
        return self._soon.isActive() or waiting or (self._weighed is not None and self.found is None)

    def _wish(self) -> Wish | None:
        state = self.state
        if state is None:
            return None
        return Wish(self.path_of(state), state.timeline.leaf, self.settings, len(state.session))

    def refresh(self, change: Change) -> None:
        if self._wish() != self._asked and self.state is not None and self.isVisible():
            self._soon.start(SOON_MS)
        if change & ~(Change.TRACE | Change.COMPACTION | Change.CURSOR):
            self.show_facts()
        elif change & Change.CURSOR and self.state is not None:
            self.table.show_entry(self.state.cursor.entry, scroll=True)

    def _ask(self) -> None:
        wish = self._wish()
        if wish is not None and wish != self._asked:
            self._asked = wish
            self.look_wanted.emit(wish)
        self._weigh()

    def _weigh(self) -> None:
        """Where the bytes come from is looked for when somebody wants to see it: every line is read for it."""
        wish = self._wish()
        if self.page == BYTES and wish is not None and wish != self._weighed:
            self._weighed, self.found = wish, None
            self.weigh_wanted.emit(wish)

    # what the worker brings

    def take(self, wish: Wish, facts: Facts) -> None:
        if wish == self._asked:
            self.facts, self.said = facts, None
            self.show_facts()

    def take_sources(self, wish: Wish, found: Sources) -> None:
        if wish == self._weighed:
            self.found = found
            self.show_facts()

    def fail(self, wish: Wish, said: Phrase) -> None:
        if wish in (self._asked, self._weighed):
            self.facts, self.said, self._weighed = None, said, None
            self.show_facts()

    def give_up(self) -> None:
        """What was asked for will not come: it was stopped before it began."""
        if self._asked is not None and self.facts is None and self.said is None:
            self._asked = None
        if self.found is None:
            self._weighed = None

    def keep_archive(self, path: str, archive: str) -> None:
        """The archive that a truncation of this file left, or "" when it was put back."""
        self._archives[path] = archive
        self.show_facts()

    # what is on screen

    def show_facts(self) -> None:
        state, facts = self.state, self.facts
        archive = self._archives.get(self.path_of(state), "") if state is not None else ""
        self.head.show_words(headline(facts, self.said, archive), self.page)
        self.stack.setCurrentIndex(int(self.page == BYTES))
        self.bytes.show_sources(self.found)
        self.sides.show_facts(facts)
        self.table.show_rows(state, facts.rows if facts is not None else (), self.page == OVERLAY)
        self.table.show_entry(state.cursor.entry if state is not None else None, scroll=False)
        self.verdicts.show_verdicts(verdicts(facts))
        self._show_verdicts()
        self.controls.show_facts(facts, self.settings, details(facts), archive)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_verdicts()

    def _show_verdicts(self) -> None:
        """Where there is little height, the rows need it more: what the verdicts say stands in the headline, too."""
        self.verdicts.setVisible(bool(self.verdicts.verdicts) and self.height() >= self.look.theme.px(SHORT))

    # what a person does

    def turn(self, page: int) -> None:
        """Side by side, both in one column, or where the bytes come from."""
        self.page = page
        self._weigh()
        self.show_facts()

    def change_setting(self, field: str, value: object) -> None:
        state = self.state
        if state is None:
            return
        try:
            self._settings[state] = changed_settings(self.settings, ID, {field: value})
        except UsageError:  # out of its range: it is shown as it was
            self.show_facts()
            return
        self.show_facts()
        self._soon.start(SOON_MS)

    def _pick(self, row: int) -> None:
        if self.state is not None:
            self.state.go(entry=row)

    def _write(self, in_place: bool) -> None:
        wish = self._asked
        if wish is not None and wish == self._wish() and self.facts is not None:
            (self.replace_wanted if in_place else self.write_wanted).emit(wish)

    def _undo(self) -> None:
        if self.state is not None and (archive := self._archives.get(self.path_of(self.state))):
            self.undo_wanted.emit(self.path_of(self.state), archive)
