"""Garbage is looked for when a session was closed and the window is still; nothing of that outlives the program."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Signal
from pytestqt.qtbot import QtBot

from gui.garbage import THRESHOLDS, Garbage


class Sessions(QObject):
    """Stands in for the open sessions: only what is told of them."""

    opened = Signal(object)


class State(QObject):
    """An opened session with a cycle through it, as closures make them."""

    def __init__(self) -> None:
        super().__init__()
        self.mine = Kept()
        self.mine.owner = self


class Kept:
    owner: object = None


@pytest.fixture
def sessions() -> Sessions:
    return Sessions()


@pytest.fixture
def garbage(qapp: object, sessions: Sessions) -> Iterator[Garbage]:
    made = Garbage(sessions)  # type: ignore[arg-type]
    yield made
    made.close()


def test_the_process_is_left_as_it_was(qapp: object, sessions: Sessions) -> None:
    """Rarer collections while it lives, and what was there before stays aside; afterwards all is as Python has it."""
    before = gc.get_threshold()
    made = Garbage(sessions)  # type: ignore[arg-type]
    assert gc.get_threshold() == THRESHOLDS
    assert gc.get_freeze_count() > 0
    made.close()
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


def test_a_closed_session_is_freed(qtbot: QtBot, garbage: Garbage, sessions: Sessions) -> None:
    """Although it holds itself in a cycle, and nothing else asks for a collection."""
    state = State()
    sessions.opened.emit(state)
    gone = weakref.ref(state.mine)
    state.deleteLater()
    del state
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert gone() is not None, "it held no cycle, the test shows nothing"
    qtbot.waitUntil(lambda: gone() is None)


def test_nothing_is_looked_for_after_the_end(qtbot: QtBot, sessions: Sessions) -> None:
    """A session that goes later than the program starts nothing."""
    made = Garbage(sessions)  # type: ignore[arg-type]
    state = State()
    sessions.opened.emit(state)
    made.close()
    state.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert not made._later.isActive()
