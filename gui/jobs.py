"""The only module that starts a thread or a process: one pre-warmed worker process, and one thread that waits for it.

A job belongs to a lane. Of one lane only the newest counts: a newer job cancels the running one and replaces the
waiting one, and what an outdated job still sends is dropped. Measured before the build: Python work in a thread costs
the window gaps of 74–198 ms, in a process none.
"""

from __future__ import annotations

import itertools
import multiprocessing
import threading
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from PySide6.QtCore import QObject, Signal

from core.phrase import Phrase, phrase
from gui import worker
from gui.worker import Failure

Done = Callable[[Any], None]


@dataclass
class _Job:
    number: int
    lane: str
    task: Callable[..., Any]
    arguments: tuple[Any, ...]
    done: Done
    failed: Callable[[Failure], None] | None
    progress: Callable[[Phrase, float | None], None] | None


class Jobs(QObject):
    """Runs tasks of `gui.worker` (module-level functions whose last argument is `report`) in the worker process."""

    busy = Signal(str, object, object)
    """lane, Phrase, share: a running job told how far it is."""
    idle = Signal()
    """Nothing runs and nothing waits."""
    _message = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._numbers = itertools.count(1)
        self._waiting: list[_Job] = []
        self._running: _Job | None = None
        self._outdated: set[int] = set()
        self._closed = False
        self._message.connect(self._receive)
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._cancelled = context.Value("q", 0, lock=False)
        self._process = context.Process(
            target=worker.serve, args=(theirs, self._cancelled), name="stratascope worker", daemon=True
        )
        self._process.start()
        theirs.close()
        self._thread = threading.Thread(target=self._wait, args=(self._pipe,), name="stratascope jobs", daemon=True)
        self._thread.start()
        self._alive, self._answered = True, False

    def _wait(self, pipe: Connection) -> None:
        """The thread's whole work: wait, hand over. Qt delivers the signal in the window's thread."""
        while True:
            try:
                message = pipe.recv()
            except (EOFError, OSError):
                message = None
            if self._closed:
                return
            try:
                self._message.emit((pipe, message))
            except RuntimeError:  # the window went away while we waited
                return
            if message is None:
                return

    def run(
        self,
        lane: str,
        task: Callable[..., Any],
        *arguments: Any,
        done: Done,
        failed: Callable[[Failure], None] | None = None,
        progress: Callable[[Phrase, float | None], None] | None = None,
    ) -> None:
        """Queue `task(*arguments, report)`; of its lane it is now the only job that counts. Nothing runs once closed."""
        if self._closed:
            return
        job = _Job(next(self._numbers), lane, task, arguments, done, failed, progress)
        self._waiting = [other for other in self._waiting if other.lane != lane]
        if self._running is not None and self._running.lane == lane:
            self._outdated.add(self._running.number)
            self._cancelled.value = self._running.number
        self._waiting.append(job)
        self._next()

    def cancel(self, lane: str | None = None) -> bool:
        """Ask the running job (of `lane`) to stop; what it has so far still arrives. True if there was one."""
        self._waiting = [other for other in self._waiting if lane is not None and other.lane != lane]
        if self._running is None or (lane is not None and self._running.lane != lane):
            return False
        self._cancelled.value = self._running.number
        return True

    @property
    def working(self) -> bool:
        return self._running is not None or bool(self._waiting)

    def _next(self) -> None:
        if self._running is not None or not self._waiting:
            return
        if not self._alive:
            self._start()
        self._running = self._waiting.pop(0)
        try:
            self._pipe.send((self._running.number, self._running.task, self._running.arguments))
        except (BrokenPipeError, OSError):
            self._lost()

    def _receive(self, delivered: tuple[Connection, Any]) -> None:
        pipe, message = delivered
        if self._closed or pipe is not self._pipe:
            return
        if message is None:
            self._lost()
            return
        kind, number, value = message
        self._answered = True
        job = self._running
        if job is None or job.number != number:
            return
        outdated = number in self._outdated
        if kind == "progress":
            if not outdated:
                said, share = value
                self.busy.emit(job.lane, said, share)
                if job.progress is not None:
                    job.progress(said, share)
            return
        self._running = None
        self._outdated.discard(number)
        if not outdated:
            if kind == "done":
                job.done(value)
            elif job.failed is not None:
                job.failed(value)
        self._next()
        if not self.working:
            self.idle.emit()

    def _lost(self) -> None:
        """The worker died (killed, out of memory): say so for the job it had, and start another."""
        job, self._running = self._running, None
        self._pipe.close()
        if self._process.is_alive():
            self._process.terminate()
        self._process.join(2)
        if self._answered:
            self._start()
        else:
            self._alive = False  # it died before it did anything: another would too, so wait until one is needed
        if job is not None and job.number not in self._outdated and job.failed is not None:
            job.failed(Failure(phrase("job.worker_lost")))
        self._next()
        if not self.working:
            self.idle.emit()

    def close(self) -> None:
        """End the worker; called once, when the window goes."""
        if self._closed:
            return
        self._closed = True
        self._waiting.clear()
        if self._running is not None:
            self._cancelled.value = self._running.number
        self._process.terminate()
        self._process.join(5)
        self._thread.join(5)
        self._pipe.close()
        self._process.close()
