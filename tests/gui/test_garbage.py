"""Garbage is looked for from the event loop alone; nothing of that outlives the program."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Signal
from pytestqt.qtbot import QtBot

from gui.garbage import MANY, YOUNG, Garbage


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
    """Python begins no collection by itself while it lives; afterwards all is as it was."""
    gc.enable()
    try:
        made = Garbage(sessions)  # type: ignore[arg-type]
        assert not gc.isenabled()
        assert gc.get_freeze_count() > 0
        made.close()
        assert gc.isenabled()
        assert gc.get_freeze_count() == 0
    finally:
        gc.disable()


def test_cycles_go_from_the_event_loop_only(qtbot: QtBot, garbage: Garbage, sessions: Sessions) -> None:
    """However many objects are made in one turn, a dropped cycle stays until the loop comes round."""
    one = Kept()
    one.owner = one
    gone = weakref.ref(one)
    del one
    many = [[] for _ in range(3 * YOUNG)]
    assert gone() is not None
    qtbot.waitUntil(lambda: gone() is None)
    assert many


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


def test_what_a_long_session_brings_is_not_walked_through(qtbot: QtBot, garbage: Garbage, sessions: Sessions) -> None:
    """So many objects at once are taken out of the walk, and come back into it when a session was closed."""
    one = Kept()
    one.owner = one
    gone = weakref.ref(one)
    del one
    before = gc.get_freeze_count()
    many = [[] for _ in range(MANY + YOUNG)]
    garbage.look()
    assert gc.get_freeze_count() > before + MANY
    garbage.look()
    assert gone() is not None
    garbage.collect()
    assert gone() is None
    assert many


def test_nothing_is_looked_for_after_the_end(qtbot: QtBot, sessions: Sessions) -> None:
    """A session that goes later than the program starts nothing."""
    made = Garbage(sessions)  # type: ignore[arg-type]
    state = State()
    sessions.opened.emit(state)
    made.close()
    state.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert not made._later.isActive()
