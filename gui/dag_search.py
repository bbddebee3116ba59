"""Search in the session graph: titles at hand at once, bodies by somebody else when typing stops."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject, QTimer, Signal

from gui.dag_model import DagModel

SEARCH_AFTER = 200
"""Milliseconds without another key before the bodies are searched."""


class DagSearch(QObject):
    """`ask(text)`: search the bodies. `found`: the hits are others. `told`: (which hit, from 1, or 0; how many;
    complete?)."""

    ask = Signal(str)
    found = Signal(object)
    told = Signal(int, int, bool)

    def __init__(self, model: DagModel, parent: QObject) -> None:
        super().__init__(parent)
        self._model = model
        self._complete = True
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SEARCH_AFTER)
        self._timer.timeout.connect(lambda: self._model.query and self.ask.emit(self._model.query))

    def stop(self) -> None:
        self._timer.stop()

    def set_text(self, text: str, in_sight: Iterable[int], bodies: bool) -> None:
        """`in_sight`: items whose titles are read for it; `bodies`: whether somebody can search those."""
        query = text.strip().lower()
        self._timer.stop()
        self._model.query = query
        self._complete = not query or not bodies
        items = self._model.items
        if items is None:
            return
        if query:
            self._model.begin()
            for item in in_sight:
                if not items.shown.folded(item):
                    self._model.title(item)
            if bodies:
                self._timer.start()
        self.found.emit(self._model.titles_with(query) if query else set())

    def take(self, rows: Iterable[int], complete: bool) -> None:
        """Rows that were found in bodies, for the text searched last."""
        items, query = self._model.items, self._model.query
        if items is not None and query:
            self._complete = complete
            there = {row for row in rows if 0 <= row < len(items.tree)}
            self.found.emit(there | self._model.titles_with(query))

    def tell(self, row: int | None) -> None:
        """Say where `row` stands among the hits."""
        items = self._model.items
        if items is not None:
            at = sorted(items.hits).index(row) + 1 if row in items.hits else 0
            self.told.emit(at, len(items.hits), self._complete)
