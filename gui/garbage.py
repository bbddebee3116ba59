"""When Python looks for garbage: never in the middle of an answer to a hand.

A full collection walks through everything that is alive, and an open session is a hundred thousand objects and more
without a single cycle among them: 30 to 100 ms, measured, at moments that nobody chose. So collections come later than
Python has it, and what was loaded is taken out of the walk as soon as the window is still. When a session is closed,
everything is looked through once and put aside again.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

from gui.sessions import Sessions
from gui.state import State

THRESHOLDS = (20_000, 20, 100)
"""Objects made before the young are walked through (some ms), and how many such walks before the next older ones."""
STILL = 400
"""Milliseconds after which the window is taken to have shown what was loaded."""


class Garbage(QObject):
    """Holds from its making until `close`: both concern the whole process."""

    def __init__(self, sessions: Sessions, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._before = gc.get_threshold()
        self._closed = self._ended = False
        gc.set_threshold(*THRESHOLDS)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(STILL)
        self._later.timeout.connect(self._put_aside)
        sessions.opened.connect(self._opened)
        self._later.start()

    def _opened(self, state: State) -> None:
        state.destroyed.connect(self._gone)
        self._later.start()

    def _gone(self) -> None:
        if not self._ended:
            self._closed = True
            self._later.start()

    def _put_aside(self) -> None:
        if self._closed:
            self._closed = False
            gc.unfreeze()
            gc.collect()
        gc.freeze()

    def close(self) -> None:
        """As Python has it."""
        self._ended = True
        self._later.stop()
        gc.unfreeze()
        gc.set_threshold(*self._before)
