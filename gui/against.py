"""Which request the prompt in focus is held against: the one before it, or one that a person chose and that stays.

nothing chosen    request 22 ─▶ 23 in focus         moves along with the inspection point
chosen            request 5, or one of another branch, whatever is in focus: compared in the worker
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

from core.named_sources import Sources
from core.profile import Profile
from gui.differs import Against
from gui.live_trace import Key

RESTS = 60
"""Milliseconds without another request or profile before the worker is asked."""

Wanted = tuple[Key, Profile, Sources]
"""The request in focus, the profile in use, the traces that a person named."""
Ask = Callable[[Wanted, Key, Callable[[Against | None], None]], None]


class Chosen(QObject):
    """`now()`: what is to be compared. `came`: another request was chosen, or more is known of it."""

    came = Signal()

    def __init__(self, now: Callable[[], Wanted], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.ask: Ask | None = None
        """Set by the window: has the worker compare."""
        self.chosen: Key | None = None
        """(leaf, request); leaf None: on the path in view. None: the request before the one in focus."""
        self._now = now
        self._known: tuple[Wanted, Key, Against | None] | None = None
        self._asked: tuple[Wanted, Key] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(RESTS)
        self._timer.timeout.connect(self.look)

    def choose(self, key: Key | None) -> None:
        """Hold the prompt against this request from now on; None: against the one before it."""
        if key != self.chosen:
            self.chosen = key
            self._asked = self._known = None
            self.stir()
            self.came.emit()

    @property
    def found(self) -> Against | None:
        """What is known of the request in focus; None until it is compared, or where it cannot be."""
        known = self._known
        return known[2] if known is not None and known[:2] == (self._now(), self.chosen) else None

    @property
    def waiting(self) -> bool:
        """Whether it is still to come."""
        return self.chosen is not None and (self._asked is not None or self._timer.isActive())

    def stir(self) -> None:
        """Request, profile or path may be others."""
        if self.chosen is None or self.ask is None:
            self._timer.stop()
        elif self._known is None or self._known[:2] != (self._now(), self.chosen):
            self._timer.start()

    def forget(self, moved: bool = False) -> None:
        """The file grew, or other counts came; `moved`: another path, on which the number is another request."""
        self._asked = self._known = None
        if moved:
            self.chosen = None
        self.stir()

    def look(self) -> None:
        """Ask for the request in focus."""
        self._timer.stop()
        if self.ask is None or self.chosen is None:
            return
        wanted, chosen = self._now(), self.chosen
        if self._asked == (wanted, chosen):
            return
        self._asked = wanted, chosen

        def take(found: Against | None) -> None:
            if self._asked == (wanted, chosen):
                self._asked, self._known = None, (wanted, chosen, found)
                self.came.emit()

        self.ask(wanted, chosen, take)
