"""When Python looks for garbage: from the event loop, never in the middle of an answer to a hand.

Left alone, Python begins a collection whenever some number of objects was made, wherever that happens to be. In a
paint event that is fatal: a widget that somebody dropped in a cycle is destroyed while Qt paints, and the process ends
(seen). A full collection walks through all that is alive, Qt's and our modules and a hundred thousand objects
for each open session: 30 to 300 ms, at moments that nobody chose. So Python's own beginning is switched off; a timer
walks through the young objects when enough were made, and through those that outlived some walks while they are few;
what is there before the first session, and what a long session brought at once, is taken out of the walk; and
everything is walked through when a session was closed, or while another program has the keyboard.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication

from gui.sessions import Sessions
from gui.state import State
from gui.view import View

YOUNG, MIDDLE, OLD = 20_000, 4, 100
"""Objects made before the young are walked through (2 ms), and how many such walks before the next older ones."""
MANY = 200_000
"""Objects made since the last look: those of a session that was read, of which nearly all stay."""
CALM = 0.06
"""Seconds since a view had much to do."""
EVERY = 250
"""Milliseconds between two looks at the counts."""
STILL = 400
"""Milliseconds after which the window is taken to show what comes after a closed session."""


class Garbage(QObject):
    """Holds from its making until `close`; both concern the whole process."""

    def __init__(self, sessions: Sessions, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._enabled = gc.isenabled()
        self._ended = False
        self._held = False
        """Objects that came with sessions were taken out of the walk."""
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(STILL)
        self._later.timeout.connect(self.collect)
        self._often = QTimer(self)
        self._often.setInterval(EVERY)
        self._often.timeout.connect(self.look)
        self._often.start()
        sessions.opened.connect(self._opened)
        gc.disable()
        gc.freeze()

    def look(self) -> None:
        """Collect as far as the counts ask for it; of the oldest only while nobody works in the window."""
        young, middle, old = gc.get_count()
        if young < 4 * YOUNG and View.since() < CALM:
            return  # somebody is at work, and the next look is soon
        if old > OLD and QGuiApplication.applicationState() != Qt.ApplicationState.ApplicationActive:
            self.collect()
        elif young > MANY:
            gc.freeze()
            self._held = True
        elif middle > MIDDLE:
            gc.collect(1)
        elif young > YOUNG:
            gc.collect(0)

    def collect(self) -> None:
        """Walk through everything."""
        if self._held:
            gc.unfreeze()
        gc.collect()
        if self._held:
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
        self._often.stop()
        gc.unfreeze()
        if self._enabled:
            gc.enable()
