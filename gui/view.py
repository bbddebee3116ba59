"""The contract of a view: a widget that projects one State. Implementations: `gui/views/`, one each.

    class PromptView(View):
        ID, TITLE
        def refresh(self, change: Change) -> None     reads self.state, idempotent, cheap

A view never knows another view. It is told of changes at most once per turn of the event loop, and only while it can be
seen; what it missed while hidden is made up when it is shown.
"""

from __future__ import annotations

from time import perf_counter

from PySide6.QtCore import QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from gui.state import Change, State
from gui.theme import Look

LARGE = Change.SESSION | Change.TIMELINE
"""Changes after which a view may have much to do."""
AT_HAND = Change.PROFILE | Change.TRACE
"""What a dragged threshold changes."""
LONG, APART = 0.004, 0.001
"""Seconds: a view that took LONG has a turn of the event loop for itself. Turns are told apart by the time between."""


class View(QWidget):
    """Base of all views. `state` is None until a session is shown; `look` gives theme, fonts and zoom."""

    ID = ""
    _ended = 0.0
    """When the last view that took long was done, of all there are."""
    _painting = False
    """It was not painted yet."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.look = look
        self.state: State | None = None
        self._pending = Change(0)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._turn)
        look.changed.connect(self._look_changed)  # a method: Qt drops the connection with the view

    @staticmethod
    def since() -> float:
        """Seconds since a view last had much to do."""
        return perf_counter() - View._ended

    def show_state(self, state: State | None) -> None:
        """Project another session (None = none)."""
        if self.state is not None:
            self.state.changed.disconnect(self._note)
        self.state = state
        if state is not None:
            state.changed.connect(self._note)
        self._note(Change.ALL)

    GROWS = False
    """Whether more rows of the session, before their numbers are known, change what it shows."""

    def _look_changed(self) -> None:
        self._note(Change.LOOK)

    def _note(self, change: Change) -> None:
        if change & Change.GROWTH and not self.GROWS and change != Change.ALL:
            change &= ~(Change.GROWTH | Change.PROBLEMS)
        if not change:
            return
        self._pending |= change
        if self.isVisible():
            if self.state is not None and self.state.grasped and not change & ~AT_HAND:
                self.flush()  # under the mouse: what it moves is painted with the answer, not before it
            else:
                self._timer.start()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._pending:
            self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing runs for a view that cannot be seen; what was interrupted begins anew when it is shown."""
        super().hideEvent(event)
        running = [timer for timer in self.findChildren(QTimer) if timer.isActive()]
        for timer in running:
            timer.stop()
        if running:
            self._pending |= Change.ALL

    def _turn(self) -> None:
        """What all views have to lay out anew is laid out view by view, and painted in between: all of it together
        would make the window deaf for as long as it takes."""
        began = perf_counter()
        if self._pending & LARGE and (View._painting or began - View._ended < APART):
            if began - View._ended >= APART:  # the turn in which the last one was painted
                View._painting, View._ended = False, began
            self._timer.start()
            return
        self.flush()
        ended = perf_counter()
        if ended - began > LONG:
            View._painting, View._ended = True, ended

    def flush(self) -> None:
        """Apply what is pending now (tests and screenshots need not wait for the event loop)."""
        self._timer.stop()
        change, self._pending = self._pending, Change(0)
        if change:
            self.refresh(change)

    @property
    def settling(self) -> bool:
        """Whether something is still on its way that a picture should wait for."""
        return False

    def refresh(self, change: Change) -> None:
        raise NotImplementedError
