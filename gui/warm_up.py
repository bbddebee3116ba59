"""Loads what the first replay needs while the window has nothing to do: layers, engines, policies, one a turn.

All at once they would hold the window up for a few tenths of a second when the first session is shown.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator
from importlib import import_module

from PySide6.QtCore import QObject, QTimer

import core.layers
from core.engine import engines
from core.layer import layers
from core.profile import policies

PAUSE = 10
"""Milliseconds between two turns: whatever the person does comes first."""


class WarmUp(QObject):
    """Starts by itself; made by the application once its first window is on screen."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
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


def _work() -> Iterator[Callable[[], object]]:
    yield engines
    for found in pkgutil.iter_modules(core.layers.__path__):
        if not found.name.startswith("_"):
            yield lambda name=found.name: import_module(f"core.layers.{name}")
    yield layers
    yield policies
