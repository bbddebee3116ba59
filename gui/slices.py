"""Work of this process that is too long for one turn of the event loop and too short to send to the worker: in slices.

What is parsed here stays here: sending a prompt of five megabytes over from the worker costs more than reading it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from PySide6.QtCore import QObject, QTimer

from core.errors import StratascopeError

SLICE = 0.006
"""Seconds of work in one turn."""


class Slices(QObject):
    """Runs `work` to its end and then calls `done`, unless it is cancelled before. The first slice runs at once: short
    work is done when the constructor returns."""

    def __init__(
        self,
        work: Iterator[object],
        done: Callable[[], object],
        parent: QObject | None = None,
        clock: Callable[[], float] = time.perf_counter,
        *,
        now: bool = True,
    ) -> None:
        """`now`: False leaves the first slice, too, to a turn of its own."""
        super().__init__(parent)
        self._work, self._done, self._clock = work, done, clock
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._turn)
        self._timer.start()
        if now:
            self._turn()

    @property
    def running(self) -> bool:
        return self._timer.isActive()

    def cancel(self) -> None:
        """Leave it there: `done` is not called any more."""
        self._timer.stop()

    def _turn(self) -> None:
        end = self._clock() + SLICE
        try:
            for _ in self._work:
                if self._clock() > end:
                    return
        except StratascopeError:
            pass  # the file went away: whoever shows it says so
        self._timer.stop()
        self._done()
