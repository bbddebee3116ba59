"""Menus of the session graph: what is shown, and what can be done with a row."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from core.phrase import phrase
from core.rows import Filter
from core.tree import GROUPS
from gui.translation import say


def entry_menu(parent: QWidget, *entries: tuple[str, Callable[[], None] | None]) -> QMenu:
    """(id of the sentence, what it does) each; without a deed a separator. It deletes itself when closed."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for id, run in entries:
        if run is None:
            menu.addSeparator()
        else:
            menu.addAction(say(phrase(id))).triggered.connect(lambda _=False, go=run: go())
    return menu


class FilterMenu(QMenu):
    """What the rows are chosen by; `chosen` tells every change."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._groups = {name: self._switch("dag.group_" + name) for name in GROUPS}
        self.addSeparator()
        self._path = self._switch("dag.path_only")
        self._problems = self._switch("dag.problems_only")
        self._hits = self._switch("dag.hits_only")
        self.addSeparator()
        self.all = self.addAction(say(phrase("dag.show_all")))
        self.all.triggered.connect(lambda: self.chosen.emit(Filter()))

    def _switch(self, id: str) -> QAction:
        action = self.addAction(say(phrase(id)))
        action.setCheckable(True)
        action.triggered.connect(lambda: self.chosen.emit(self._read()))
        return action

    def _read(self) -> Filter:
        return Filter(
            frozenset(name for name, action in self._groups.items() if action.isChecked()),
            self._path.isChecked(),
            self._problems.isChecked(),
            self._hits.isChecked(),
        )

    def show_filter(self, chosen: Filter, problems: bool, hits: bool) -> None:
        """Check what holds. Filters that would find nothing cannot be switched on."""
        for name, action in self._groups.items():
            action.setChecked(name in chosen.groups)
        for action, on, there in (
            (self._path, chosen.path_only, True),
            (self._problems, chosen.problems_only, problems),
            (self._hits, chosen.hits_only, hits),
        ):
            action.setChecked(on)
            action.setEnabled(there or on)
