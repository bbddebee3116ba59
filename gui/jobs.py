"""The only module that starts a thread or a process: one pre-warmed worker process, and one thread that waits for it.

A job belongs to a lane. Of one lane only the newest counts: a newer job cancels the running one and replaces the
waiting one, and what an outdated job still sends is dropped. Measured before the build: Python work in a thread costs
the window gaps of 74–198 ms, in a process none.
"""

from __future__ import annotations

import itertools
import multiprocessing
import shutil
import tempfile
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
    part: Done | None = None
    behind: bool = False


class Jobs(QObject):
    """Runs tasks of `gui.worker` (module-level functions whose last argument is `report`) in the worker process.

    `at_once` False: the process is started by `warm`, or by the first job: two processes that start together both come
    up later."""

    busy = Signal(str, object, object)
    """lane, Phrase, share: a running job told how far it is."""
    idle = Signal()
    """Nothing runs and nothing waits."""
    ended = Signal()
    """No job will run any more."""
    _message = Signal(object)

    def __init__(self, parent: QObject | None = None, *, at_once: bool = True) -> None:
        super().__init__(parent)
        self._numbers = itertools.count(1)
        self._waiting: list[_Job] = []
        self._running: list[_Job] = []
        self._outdated: set[int] = set()
        self._closed = False
        self._message.connect(self._receive)
        self._folder = tempfile.mkdtemp(prefix="stratascope-")
        self._alive = self._answered = self._begun = False
        if at_once:
            self._start()

    def warm(self) -> None:
        """Start the process, if it was not yet."""
        if not self._begun and not self._closed:
            self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._cancelled = context.Array("q", 2, lock=False)
        self._process = context.Process(
            target=worker.serve, args=(theirs, self._cancelled, self._folder), name="stratascope worker", daemon=True
        )
        self._process.start()
        theirs.close()
        self._thread = threading.Thread(target=self._wait, args=(self._pipe,), name="stratascope jobs", daemon=True)
        self._thread.start()
        self._alive, self._answered, self._begun = True, False, True

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
        part: Done | None = None,
        behind: bool = False,
    ) -> None:
        """Queue `task(*arguments, report)`; of its lane it is now the only job that counts. Nothing runs once closed.

        `part` gets what the task hands over before its end (`report.part`). A task that runs `behind` lets others go
        first whenever it reports: for work that takes long and has time.
        """
        if self._closed:
            return
        job = _Job(next(self._numbers), lane, task, arguments, done, failed, progress, part, behind)
        self._waiting = [other for other in self._waiting if other.lane != lane]
        for running in self._running:
            if running.lane == lane:
                self._outdated.add(running.number)
                self._cancelled[running.behind] = running.number
        self._waiting.append(job)
        self._next()

    def cancel(self, lane: str | None = None) -> bool:
        """Ask the running job (of `lane`) to stop; what it has so far still arrives. True if there was one."""
        self._waiting = [other for other in self._waiting if lane is not None and other.lane != lane]
        asked = [job for job in self._running if lane is None or job.lane == lane]
        for job in asked:
            self._cancelled[job.behind] = job.number
        return bool(asked)

    def give_up(self) -> None:
        """The worker does not answer: end it and start another; its jobs fail."""
        if self._begun:
            self._process.kill()

    def only(self, lane: str) -> bool:
        """Does a job of this lane run, and no other?"""
        return bool(self._running) and all(job.lane == lane for job in self._running)

    def busy_with(self, lane: str) -> bool:
        """Does a job of this lane run or wait?"""
        return any(job.lane == lane for job in (*self._running, *self._waiting))

    @property
    def working(self) -> bool:
        return bool(self._running or self._waiting)

    def _next(self) -> None:
        """Send the next job; one that is in a hurry also while another runs behind."""
        in_front = any(not job.behind for job in self._running)
        if in_front or not self._waiting:
            return
        if not self._alive:
            self._start()
        job = next((job for job in self._waiting if not job.behind), None)
        if job is None:
            if self._running:
                return
            job = self._waiting[0]
        self._waiting.remove(job)
        self._running.append(job)
        try:
            self._pipe.send((job.number, job.behind, job.task, job.arguments))
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
        job = next((job for job in self._running if job.number == number), None)
        if job is None:
            return
        outdated = number in self._outdated
        if kind == "progress":
            if not outdated:
                said, share = value
                self.busy.emit(job.lane, said, share)
                if job.progress is not None:
                    job.progress(said, share)
            return
        if kind == "part":
            if not outdated and job.part is not None:
                job.part(value)
            return
        self._running.remove(job)
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
        jobs, self._running = self._running, []
        self._pipe.close()
        if self._process.is_alive():
            self._process.terminate()
        self._process.join(2)
        if self._answered:
            self._start()
        else:
            self._alive = False  # it died before it did anything: another would too, so wait until one is needed
        for job in jobs:
            if job.number not in self._outdated and job.failed is not None:
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
        self.ended.emit()
        for job in self._running:
            self._cancelled[job.behind] = job.number
        if self._begun:
            self._process.terminate()
            self._process.join(5)
            self._thread.join(5)
            self._pipe.close()
            self._process.close()
        shutil.rmtree(self._folder, ignore_errors=True)
