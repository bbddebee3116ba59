"""Where bodies are asked for that the worker reads: each once, many together, one question at a time."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from core.messages import Json
from core.phrase import phrase
from core.session import Session
from gui.fetching import NEAR, waiting
from gui.translation import say


class BodyDesk(QObject):
    """Of one open session. `at_hand(row)`: its body is there, wherever it came from."""

    def __init__(self, session: Callable[[], Session], at_hand: Callable[[int], bool], parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._at_hand = session, at_hand
        self.fetch: Callable[[tuple[int, ...]], None] | None = None
        """Set by whoever has a worker: reads these rows, brings them to the State, and calls `done`."""
        self.local = True
        """The file is on a disk of this machine."""
        self._wanted: dict[int, None] = {}
        self._asked = False
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._ask)

    def far(self, row: int) -> bool:
        """The window must not read it itself."""
        return self.fetch is not None and (not self.local or self._session().columns.size[row] > NEAR)

    def stand_in(self, row: int) -> Json:
        """What there is of a body until it has come; it is asked for."""
        if row not in self._wanted:
            self._wanted[row] = None
            self._soon.start()
        return waiting(self._session(), row, say(phrase("window.reading_entry")))

    def came(self, row: int) -> None:
        self._wanted.pop(row, None)

    def done(self, again: bool = True) -> None:
        """Whoever reads has brought what it could. `again`: and would go on."""
        self._asked = False
        if self._wanted and again:
            self._soon.start()

    def _ask(self) -> None:
        self._wanted = {row: None for row in self._wanted if not self._at_hand(row)}
        if self._wanted and not self._asked and self.fetch is not None:
            self._asked = True
            self.fetch(tuple(self._wanted))
