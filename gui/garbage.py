"""When Python looks for garbage: never in the middle of an answer to a hand.

A full collection walks through everything that is alive: Qt's and our modules, and for each open session a hundred
thousand objects and more without a single cycle among them; measured 30 to 100 ms, at moments that nobody chose. So
what is there before the first session is taken out of the walk for good, older objects are walked through much later
than Python has it, and when a session was closed what it held is looked for once, as soon as the window is still.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

from gui.sessions import Sessions
from gui.state import State

THRESHOLDS = (20_000, 50, 100)
"""Objects made before the young are walked through (2 ms), and how many such walks before the next older ones."""
STILL = 400
"""Milliseconds after which the window is taken to show what comes after a closed session."""


class Garbage(QObject):
    """Holds from its making until `close`; both concern the whole process."""

    def __init__(self, sessions: Sessions, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._before = gc.get_threshold()
        self._ended = False
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(STILL)
        self._later.timeout.connect(gc.collect)
        sessions.opened.connect(self._opened)
        gc.set_threshold(*THRESHOLDS)
        gc.freeze()

    def _opened(self, state: State) -> None:
        state.destroyed.connect(self._gone)

    def _gone(self) -> None:
        if not self._ended:
            self._later.start()

    def close(self) -> None:
        """As Python has it."""
        self._ended = True
        self._later.stop()
        gc.unfreeze()
        gc.set_threshold(*self._before)
