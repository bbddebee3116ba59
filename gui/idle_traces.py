"""Traces that nobody waits for: another request's, or what an alternative would send. One layer at a time, when the
window has nothing better to do; a newer wish takes the place of an older one of the same name."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer

from core.pipeline import Trace

SLICE = 0.006
PAUSE = 25
"""Milliseconds between two turns, so that what a person does always comes first."""
CALM = 60
"""Milliseconds from a wish to its first turn: whoever walks through the requests has gone on by then."""

Work = Iterator[tuple[str, Trace]]


@dataclass(slots=True)
class _Wish:
    name: str
    begin: Callable[[], Work]
    done: Callable[[Trace], None]
    work: Work | None = None
    trace: Trace | None = None


class IdleTraces(QObject):
    """`busy()`: whether something more urgent is under way; then the wishes wait until `wake`."""

    def __init__(self, busy: Callable[[], bool], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._busy = busy
        self._wishes: list[_Wish] = []
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._turn)

    def want(self, name: str, begin: Callable[[], Work], done: Callable[[Trace], None]) -> None:
        """Run `begin()` to its end some time and hand over its last trace."""
        self.drop(name)
        self._wishes.append(_Wish(name, begin, done))
        self.wake()

    def drop(self, name: str | None = None) -> None:
        """What is no longer wanted; without a name everything."""
        self._wishes = [wish for wish in self._wishes if name is not None and wish.name != name]
        if not self._wishes:
            self._timer.stop()

    def wake(self) -> None:
        """Something urgent ended."""
        self._wait(CALM)

    def _wait(self, pause: int) -> None:
        if self._wishes and not self._busy():
            self._timer.start(pause)

    @property
    def waiting(self) -> bool:
        return bool(self._wishes)

    def _turn(self) -> None:
        if self._busy() or not self._wishes:
            return
        wish = self._wishes[0]
        if wish.work is None:
            wish.work = wish.begin()
        end = time.perf_counter() + SLICE
        while time.perf_counter() < end:
            step = next(wish.work, None)
            if step is None:
                self._wishes.remove(wish)
                if wish.trace is not None:
                    wish.done(wish.trace)
                break
            wish.trace = step[1]
        self._wait(PAUSE)
