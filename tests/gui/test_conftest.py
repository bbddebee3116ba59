"""The check of tests/gui/conftest.py for things left running must itself be able to fail."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import QPropertyAnimation, QThread, QTimer

from tests.gui import conftest


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(conftest, "PATIENCE", 0.0)


def left(before=frozenset()):
    return conftest._survivors(set(before) or set(threading.enumerate()), set())


def test_notes_a_running_timer(qtbot, impatient):
    """An active QTimer is named; a stopped one is not."""
    timer = QTimer(objectName="blink")
    timer.start(10_000)
    assert any("blink" in name for name in left())
    timer.stop()
    assert left() == []


def test_notes_a_running_qt_thread(qtbot, impatient):
    """A QThread is named until it has ended."""
    thread = QThread(objectName="loader")
    thread.start()
    assert any("loader" in name for name in left())
    thread.quit()
    assert thread.wait(3000)
    assert left() == []


def test_notes_a_running_animation(qtbot, impatient):
    """So is an animation, which keeps a hidden timer."""
    animation = QPropertyAnimation()
    animation.setObjectName("fade")
    animation.setLoopCount(-1)
    animation.setDuration(10_000)
    animation.setStartValue(0)
    animation.setEndValue(1)
    target = QTimer()
    animation.setTargetObject(target)
    animation.setPropertyName(b"interval")
    animation.start()
    assert any("fade" in name for name in left())
    animation.stop()
    assert left() == []


def test_notes_a_python_thread(impatient):
    """A Python thread that started during the test is named; one that ran before it is not."""
    before, release = set(threading.enumerate()), threading.Event()
    thread = threading.Thread(target=release.wait, name="reader")
    thread.start()
    assert left(before) == ["thread reader"]
    assert left(threading.enumerate()) == []
    release.set()
    thread.join()
    assert left(before) == []


def test_garbage_is_no_leak(qtbot, impatient):
    """A timer that only a reference cycle keeps is collected, not reported."""
    timer = QTimer()
    timer.own = [timer]
    timer.start(10_000)
    del timer
    assert left() == []
