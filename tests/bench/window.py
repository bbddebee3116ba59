"""The real window in this process, without a screen, and hands for it; it sees when the window is still.

open, press …     ask, then wait until every view has shown the answer and nothing more is painted
run(until)        the window's own event loop, for measuring how long it is deaf (Ticks)
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QEvent, QEventLoop, QObject, QSettings, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gui.app import App
from gui.garbage import Garbage
from gui.main_window import MainWindow
from gui.memory import Memory
from gui.state import State
from gui.warm_up import WarmUp
from tests.bench.figure import Figure, Taken, Yardstick

SIZE = (1600, 1000)
CALM = 0.03
"""Seconds without painting and without pending work after which the window is still."""
BUSY = 0.002
"""Seconds from which on a turn of the event loop did something, whether it painted or not."""
PATIENCE = 120.0
TICK = 5
"""Milliseconds between two ticks of an idle window."""


class Stuck(RuntimeError):
    """The window did not come to rest."""


class Painted(QObject):
    """Counts the repaints of a window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.count = 0
        window.installEventFilter(self)

    def eventFilter(self, window: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.UpdateRequest, QEvent.Type.Paint):
            self.count += 1
        return False


@dataclass(frozen=True, slots=True)
class Took:
    """How long something took, in ms: on the clock, and of the window's own work. On a machine that does other things
    too the first grows and the second hardly does."""

    clock: float
    own: float


class Ticks(QObject):
    """The gaps between the ticks of a timer of 5 ms: what lies above 5 is time in which the window was deaf."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._gaps: list[Took] = []
        self._last = (0.0, 0.0)
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK)
        self._timer.timeout.connect(self._tick)

    def start(self) -> None:
        self._gaps = []
        self._last = (time.perf_counter(), time.thread_time())
        self._timer.start()

    def stop(self) -> tuple[Took, ...]:
        """The gaps since the start, the unfinished one included."""
        self._tick()
        self._timer.stop()
        return tuple(self._gaps)

    def _tick(self) -> None:
        now, before = (time.perf_counter(), time.thread_time()), self._last
        self._gaps.append(Took((now[0] - before[0]) * 1000, (now[1] - before[1]) * 1000))
        self._last = now


class Pauses:
    """Milliseconds of each garbage collection of this process since `clear`."""

    def __init__(self) -> None:
        self.found: list[float] = []
        self._began = 0.0
        gc.callbacks.append(self._note)

    def _note(self, phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            self._began = time.perf_counter()
        else:
            self.found.append((time.perf_counter() - self._began) * 1000)

    def close(self) -> None:
        gc.callbacks.remove(self._note)


class Desk:
    """A window with settings of its own. `folder`: where those are kept. Close it, or use `desk()`."""

    def __init__(self, folder: Path) -> None:
        self.qt = QApplication.instance() or QApplication(["stratascope"])
        settings = QSettings(str(folder / "window.ini"), QSettings.Format.IniFormat)
        settings.clear()
        self.app = App(self.qt, Memory(settings))
        self._garbage = Garbage(self.app.sessions)  # as the program does, and the warming up below
        self.window = self.app.window
        self.window.resize(*SIZE)
        self.window.show()
        warm = WarmUp(self.app)
        self._painted = Painted(self.window)
        self.pauses = Pauses()
        self.ticks = Ticks(self.window)
        self.run(lambda: warm.done)
        self.settle()

    @property
    def state(self) -> State:
        assert self.window.state is not None
        return self.window.state

    def close(self) -> None:
        self.pauses.close()
        self._garbage.close()
        self.app.close()

    # asking

    def open(self, file: Path) -> Took:
        """From asking for a file until its session is on the screen."""
        return self.timed(lambda: self.window.open(str(file)))

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> Took:
        """From a key to the last view's answer on the screen."""
        target = self.window.focusWidget() or self.window
        return self.timed(lambda: QTest.keyClick(target, key, modifier))

    def timed(self, ask: Callable[[], object]) -> Took:
        """From asking until all views have painted the answer; the window was still before. What idle hands add later
        (the judge, the neighbours' steps, comparisons) is waited for, but not counted."""
        self.settle()
        self.run(self._alone, 5.0)
        self.settle()
        began = time.perf_counter(), time.thread_time()
        ask()
        ended = self.settle()
        return Took((ended[0] - began[0]) * 1000, (ended[1] - began[1]) * 1000)

    def _alone(self) -> bool:
        """No idle hand is at work, or it may not: a threshold is being dragged."""
        state = self.window.state
        return state is None or state.grasped or not state.comparing

    def settle(self) -> tuple[float, float]:
        """Wait until the window is still. The answer: when it had nothing to do for the first time and the last
        painting before that was done (perf_counter, thread_time)."""
        last, own = time.perf_counter(), time.thread_time()
        answered: tuple[float, float] | None = None
        given_up = last + PATIENCE
        while True:
            before, began = self._painted.count, time.perf_counter()
            self.qt.processEvents()
            now = time.perf_counter()
            if now - began > BUSY or self._painted.count != before:
                last, own = now, time.thread_time()
            elif self._waits():
                last, own = now, time.thread_time()
                time.sleep(0.0005)  # the worker needs the processor more
            else:
                answered = answered or (last, own)
                if now - last > CALM:
                    return answered
                time.sleep(0.0005)
            if now > given_up:
                raise Stuck("the window is not still after two minutes")

    def _waits(self) -> bool:
        """Something is under way that the views will show."""
        window = self.window
        if window.jobs.working or (window.state is not None and window.state.stale):
            return True
        return any(view._pending and view.isVisible() for view in window.views)

    # living

    def run(self, until: Callable[[], bool], at_most: float = PATIENCE) -> None:
        """The event loop as the program runs it, until `until` (asked at every tick of 5 ms) or `at_most` seconds."""
        loop = QEventLoop()
        end = time.perf_counter() + at_most
        asked = QTimer()
        asked.setInterval(TICK)
        asked.timeout.connect(lambda: (until() or time.perf_counter() > end) and loop.quit())
        asked.start()
        loop.exec()

    def idle_gaps(self, seconds: float = 1.5) -> tuple[Took, ...]:
        """Gaps while nobody asks for anything."""
        self.settle()
        self.ticks.start()
        self.run(lambda: False, seconds)
        return self.ticks.stop()

    def gaps_while(self, ask: Callable[[], object], seconds: float = 0.3) -> tuple[Took, ...]:
        """Gaps from asking until the window has been still for `seconds`."""
        self.settle()
        seen, still_since = self._painted.count, time.perf_counter()

        def still() -> bool:
            nonlocal seen, still_since
            now = time.perf_counter()
            if self._painted.count != seen or self.window.jobs.working:
                seen, still_since = self._painted.count, now
            return now - still_since > seconds

        self.ticks.start()
        QTimer.singleShot(0, ask)
        self.run(still)
        return self.ticks.stop()


@contextmanager
def desk(folder: Path) -> Iterator[Desk]:
    """A window that is closed, with its worker, whatever happens."""
    made = Desk(folder)
    try:
        yield made
    finally:
        made.close()


def longest(gaps: Sequence[Took]) -> Took:
    """The longest gap on the clock, and the one with most work of our own; they need not be the same."""
    return Took(max(gap.clock for gap in gaps), max(gap.own for gap in gaps))


def both(name: str, took: Sequence[Took], taken: Taken, limit: float | None, yardstick: Yardstick) -> list[Figure]:
    """Two figures: on the clock, and of own work alone. The limit holds for both."""
    return [
        Figure(name, tuple(t.clock for t in took), taken, limit, yardstick),
        Figure("  … own work alone", tuple(t.own for t in took), taken, limit),
    ]


def idle(seen: Desk, taken: Taken = "max") -> Yardstick:
    """The gaps of this window while nobody asks for anything."""
    return Yardstick("idle gap", Figure("", tuple(gap.clock for gap in seen.idle_gaps()), taken).value)
