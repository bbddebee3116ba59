"""The real window in this process, without a screen, and hands for it; it sees when the window is still.

open, press …     ask, then wait until every view has shown the answer and nothing more is painted
run(until)        the window's own event loop, for measuring how long it is deaf (Ticks)
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QElapsedTimer, QEvent, QEventLoop, QObject, QSettings, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gui.app import App
from gui.main_window import MainWindow
from gui.memory import Memory
from gui.state import State

SIZE = (1600, 1000)
CALM = 0.03
"""Seconds without painting and without pending work after which the window is still."""
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


class Ticks(QObject):
    """The gaps between the ticks of a timer of 5 ms, in ms: what lies above 5 is time in which the window was deaf."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._gaps: list[float] = []
        self._clock = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK)
        self._timer.timeout.connect(self._tick)

    def start(self) -> None:
        self._gaps = []
        self._clock.start()
        self._timer.start()

    def stop(self) -> tuple[float, ...]:
        """The gaps since the start, the unfinished one included."""
        self._tick()
        self._timer.stop()
        return tuple(self._gaps)

    def _tick(self) -> None:
        self._gaps.append(self._clock.nsecsElapsed() / 1_000_000)
        self._clock.start()


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
        self.window = self.app.window
        self.window.resize(*SIZE)
        self.window.show()
        self._painted = Painted(self.window)
        self.pauses = Pauses()
        self.ticks = Ticks(self.window)
        self.settle()

    @property
    def state(self) -> State:
        assert self.window.state is not None
        return self.window.state

    def close(self) -> None:
        self.pauses.close()
        self.app.close()

    # asking

    def open(self, file: Path) -> float:
        """Milliseconds from asking for a file until its session is on the screen."""
        return self.timed(lambda: self.window.open(str(file)))

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> float:
        """Milliseconds from a key to the last view's answer on the screen."""
        target = self.window.focusWidget() or self.window
        return self.timed(lambda: QTest.keyClick(target, key, modifier))

    def timed(self, ask: Callable[[], object]) -> float:
        """Milliseconds from asking until the last painting that it led to; the window was still before."""
        self.settle()
        began = time.perf_counter()
        ask()
        return (self.settle() - began) * 1000

    def settle(self) -> float:
        """Wait until the window is still; the moment (perf_counter) at which the last painting was done."""
        window, last = self.window, time.perf_counter()
        given_up = last + PATIENCE
        while True:
            before = self._painted.count
            self.qt.processEvents()
            now = time.perf_counter()
            if self._painted.count != before or any(view._pending and view.isVisible() for view in window.views):
                last = now
            elif window.jobs.working:
                last = now
                time.sleep(0.0005)  # the worker needs the processor more
            elif now - last > CALM:
                return last
            else:
                time.sleep(0.0005)
            if now > given_up:
                raise Stuck("the window is not still after two minutes")

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

    def idle_gaps(self, seconds: float = 1.5) -> tuple[float, ...]:
        """Gaps while nobody asks for anything."""
        self.settle()
        self.ticks.start()
        self.run(lambda: False, seconds)
        return self.ticks.stop()

    def gaps_while(self, ask: Callable[[], object], seconds: float = 0.3) -> tuple[float, ...]:
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
