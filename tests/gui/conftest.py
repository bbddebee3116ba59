"""What every test of the window gets: empty settings, and a check that it left nothing running.

A thread, process, timer or animation that outlives its test makes another test fail at random, so the test
that started it fails instead. What ran before the test (a module's shared worker) is not its business.
"""

from __future__ import annotations

import gc
import itertools
import multiprocessing
import threading
import time
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import (
    QAbstractAnimation,
    QCoreApplication,
    QEvent,
    QSettings,
    QThread,
    QThreadPool,
    QTimer,
)
from shiboken6 import isValid

from gui import live_trace

# Seconds a thread or process that was told to stop gets to do so.
PATIENCE = 3.0

# A collection that Python begins by itself may fall into a paint event and destroy widgets there, which ends the
# process. So it is off for the window's tests, and done between two of them.
gc.disable()
COLLECT_EVERY = 8
_tests = itertools.count(1)

# Everything started during this test: Qt has no list of its timers and threads, so each start is noted.
_started: list[weakref.ref[QTimer | QThread | QAbstractAnimation]] = []


def _note_starts(kind: type) -> None:
    original = kind.start

    def start(self: object, *arguments: object, **named: object) -> object:
        _started.append(weakref.ref(self))
        return original(self, *arguments, **named)

    kind.start = start


for _kind in (QTimer, QThread, QAbstractAnimation):
    _note_starts(_kind)


@pytest.fixture(autouse=True)
def empty_settings(tmp_path_factory: pytest.TempPathFactory, home: Path) -> Path:
    """QSettings live in a fresh folder: no test sees another's layout or recent files."""
    folder = tmp_path_factory.mktemp("settings")
    for form in (QSettings.Format.NativeFormat, QSettings.Format.IniFormat):
        for scope in (QSettings.Scope.UserScope, QSettings.Scope.SystemScope):
            QSettings.setPath(form, scope, str(folder / scope.name))
    return folder


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is, the steps of a small prompt are computed before anything is painted. Tests of what
    takes longer put their own limits."""
    monkeypatch.setattr(live_trace, "AT_ONCE", 5.0)
    monkeypatch.setattr(live_trace, "AT_ONCE_NEW", 5.0)


@pytest.fixture(autouse=True)
def nothing_left_running() -> Iterator[None]:
    """Fails a test that leaves a thread, process, timer, animation or pool job behind."""
    threads, processes = set(threading.enumerate()), set(multiprocessing.active_children())
    _started.clear()
    yield
    left = _survivors(threads, processes)
    if next(_tests) % COLLECT_EVERY == 0:
        gc.collect()
    assert not left, f"left running: {', '.join(left)}"


def _survivors(threads: set[threading.Thread], processes: set[object]) -> list[str]:
    if QCoreApplication.instance() is not None:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    if _running_objects():
        gc.collect()  # a window in a reference cycle is garbage, not a leak
    end = time.monotonic() + PATIENCE
    pool = QThreadPool.globalInstance()
    while True:
        left = [f"thread {thread.name}" for thread in _python_threads() - threads]
        left += [f"process {child.name}" for child in set(multiprocessing.active_children()) - processes]
        left += _running_objects()
        if pool.activeThreadCount():
            left.append(f"{pool.activeThreadCount()} jobs of the thread pool")
        if not left or time.monotonic() > end:
            return left
        time.sleep(0.01)


def _python_threads() -> set[threading.Thread]:
    # A dummy stands for a Qt thread that once ran Python; it stays in the list after that thread has ended.
    return {t for t in threading.enumerate() if not isinstance(t, threading._DummyThread)}


def _running_objects() -> list[str]:
    found = []
    for reference in _started:
        thing = reference()
        if thing is None or not isValid(thing):
            continue
        if isinstance(thing, QTimer):
            running = thing.isActive()
        elif isinstance(thing, QThread):
            running = thing.isRunning()
        else:
            running = thing.state() == QAbstractAnimation.State.Running
        if running:
            found.append(f"{type(thing).__name__} {thing.objectName()!r} of {thing.parent()!r}")
    return found
