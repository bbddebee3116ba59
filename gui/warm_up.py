"""Loads what the first session needs while the window has nothing to do: the plots, layers, engines, policies.

All at once they would hold the window up for half a second when the first session is shown. Of the plots most is the
import of pyqtgraph, and half of that is its look at every name of Qt, which makes a type of each that was not used yet:
these are made before, a few in a turn. What is left of it is one piece that cannot be divided.
"""

from __future__ import annotations

import pkgutil
import time
from collections.abc import Callable, Generator, Iterator
from importlib import import_module

from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtCore import QObject, QTimer

import core.layers
from core.engine import engines
from core.layer import layers
from core.profile import policies

PAUSE = 10
"""Milliseconds between two turns: whatever the person does comes first."""
SLICE = 0.006
"""Seconds of types in one turn."""


class WarmUp(QObject):
    """Starts by itself; made by the application once its first window is on screen.

    `awaited`: a session is being read already, and the plots are loaded in the first turn: nobody uses the start page,
    and it would only have to be done when the session comes."""

    def __init__(self, parent: QObject | None = None, *, awaited: bool = False) -> None:
        super().__init__(parent)
        if awaited:
            QTimer.singleShot(0, self, _plots)
        self._work = _work()
        self._timer = QTimer(self)
        self._timer.setInterval(PAUSE)
        self._timer.timeout.connect(self._turn)
        self._timer.start()

    @property
    def done(self) -> bool:
        return not self._timer.isActive()

    def _turn(self) -> None:
        step = next(self._work, None)
        if step is None:
            self._timer.stop()
        else:
            step()


def _types() -> Generator[None]:
    """Makes the types of Qt, one after another."""
    for module in (QtCore, QtGui, QtWidgets):
        for name in dir(module):
            getattr(module, name)
            yield


def _plots() -> None:
    import_module("gui.request_plot")


def _work() -> Iterator[Callable[[], object]]:
    types = _types()

    def some() -> None:
        end = time.perf_counter() + SLICE
        while time.perf_counter() < end and next(types, types) is None:
            pass

    while types.gi_frame is not None:
        yield some
    yield _plots
    yield engines
    for found in pkgutil.iter_modules(core.layers.__path__):
        if not found.name.startswith("_"):
            yield lambda name=found.name: import_module(f"core.layers.{name}")
    yield layers
    yield policies
