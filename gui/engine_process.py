"""Engines of installed packages in a process of their own, with a time limit. No Qt in here.

    worker, or a verb ──── question ───▶ child: core.engine_desk, one package's code at a time
                      ◀─── answer ─────  or none in time: the child is killed, and the request goes on without

Beside `gui.jobs` the only room that starts a process: the worker that computes steps must not be the one that hangs,
nor may a verb, which has no window and no Qt. A child that answered stays for the next question.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress

from core.engine_line import Line, refused
from core.engine_memory import Played, Question
from core.phrase import Phrase, literal, phrase

LIMIT = 5.0
"""Seconds that an engine may take for one request."""
READY = 30.0
"""Seconds that the child may take to come up, before any foreign code runs."""
MOST = 256 << 20
"""Bytes of an answer at most."""

_CODE = "from gui.engine_child import serve; serve()"


class Silent(Exception):
    """No answer; `said` is why."""

    def __init__(self, said: Phrase) -> None:
        super().__init__(str(said))
        self.said = said


class EngineProcess:
    """Ask it as `core.engine_host` does. `limit`: seconds for one request. Started by the first question."""

    def __init__(self, limit: float = LIMIT) -> None:
        self._limit = limit
        self._child: subprocess.Popen[bytes] | None = None
        self._line = Line(self._send)

    def __call__(self, question: Question) -> Played:
        if self._child is not None and self._child.poll() is not None:
            self.close()
            self._line.reset()
        try:
            return self._line.ask(question)
        except Silent as silent:
            return refused(question, silent.said)

    def close(self) -> None:
        """End the child, at once."""
        child, self._child = self._child, None
        if child is None:
            return
        child.kill()
        for stream in (child.stdin, child.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        child.wait(5)

    def _start(self) -> None:
        paths = os.pathsep.join(path or os.getcwd() for path in sys.path)
        try:
            self._child = subprocess.Popen(
                [sys.executable, "-P", "-c", _CODE],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": paths},
            )
        except OSError as error:
            raise Silent(phrase("engine.cannot_start", error=literal(str(error)))) from error
        self._within(READY, lambda: self._read(1))

    def _send(self, text: str) -> str:
        if self._child is None:
            self._start()
        data = text.encode("ascii")
        return self._within(self._limit, lambda: self._exchange(data)).decode("utf-8")

    def _exchange(self, data: bytes) -> bytes:
        child = self._child
        assert child is not None
        assert child.stdin is not None
        child.stdin.write(len(data).to_bytes(8, "big") + data)
        child.stdin.flush()
        size = int.from_bytes(self._read(8), "big")
        if size > MOST:
            raise Silent(phrase("engine.too_much", size=size))
        return self._read(size)

    def _read(self, size: int) -> bytes:
        child = self._child
        assert child is not None
        assert child.stdout is not None
        found = child.stdout.read(size)
        if len(found) < size:
            raise EOFError
        return found

    def _within(self, seconds: float, work: Callable[[], bytes]) -> bytes:
        """`work` in a thread, because reading from and writing to a child that hangs cannot be cut short; killing the
        child ends it."""
        found: list[bytes | BaseException] = []

        def run() -> None:
            try:
                found.append(work())
            except BaseException as error:
                found.append(error)

        thread = threading.Thread(target=run, name="stratascope engine", daemon=True)
        thread.start()
        thread.join(seconds)
        if thread.is_alive():
            if self._child is not None:
                self._child.kill()
            thread.join(5)
            self.close()
            raise Silent(phrase("engine.too_late", seconds=seconds))
        result = found[0]
        if isinstance(result, bytes):
            return result
        self.close()
        raise result if isinstance(result, Silent) else Silent(phrase("engine.ended")) from result
