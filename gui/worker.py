"""The worker process's side: a loop that runs one task after another, and the tasks themselves. No Qt in here.

    window ── (number, task, arguments) ──▶ serve() ── ("progress" | "done" | "failed", number, value) ──▶ window

Sessions stay open in the worker by path, so that another leaf, another counter or a search sends nothing over twice.
"""

from __future__ import annotations

import gc
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from core import engine_far, places, spool
from core.errors import StratascopeError
from core.format import formats
from core.overview import Overview, overview
from core.phrase import Phrase, phrase
from core.places import Found
from gui.engine_guard import guarded
from gui.opened import Followed as Followed
from gui.opened import Loaded as Loaded
from gui.opened import check as check
from gui.opened import follow as follow
from gui.opened import forget as forget
from gui.opened import load as load
from gui.opened import session_of
from gui.opened import show as show

Report = Callable[[Phrase, float | None], bool]
"""Tell the window how far a task is (sentence, share 0…1 or None); the answer says whether to go on."""


@dataclass(frozen=True, slots=True)
class Task:
    """A task by the name of its module and its own: whoever hands it over need not import what it runs."""

    module: str
    name: str

    def __call__(self, *arguments: Any) -> Any:
        return getattr(import_module(self.module), self.name)(*arguments)


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a task failed: a sentence, and the traceback where it was our own fault."""

    said: Phrase
    trace: str = ""


def search(path: str, text: str, report: Report) -> tuple[int, ...]:
    """Rows whose recorded content holds `text`, case folded, in file order. Cancelled: those found so far."""
    session = session_of(path, report)
    wanted = text.casefold()
    found: list[int] = []
    for row in range(len(session)):
        if wanted in _words(session.body(row)).casefold():
            found.append(row)
        if row % 200 == 0 and not report(phrase("job.searching", n=row), row / max(1, len(session))):
            break
    return tuple(found)


def look_around(home: str, now: float, report: Report) -> tuple[Found, ...]:
    """Session files in the usual folders of known agents, by name only."""
    return places.find(Path(home), now, lambda n: report(phrase("job.looking", n=n), None))


def look_in(folder: str, now: float, report: Any) -> None:
    """The session files in one folder: all of them by name as the first part, then Overviews as they are read, the
    newest files first. Stopping keeps what was read."""
    report(phrase("job.looking", n=0), None)
    found = places.in_folder(Path(folder), now)
    report.part(found)
    ready: list[Overview] = []
    last = time.monotonic()
    for number, one in enumerate(found, 1):
        said = phrase("job.listing", n=number, all=len(found))
        going = report(said, number / len(found))
        if going:
            read = overview(one.path, lambda done, whole, entries, said=said: report(said, None))
            going = read.complete
            if read.complete:
                ready.append(read)
        if ready and (not going or number == len(found) or time.monotonic() - last > _OFTEN):
            report.part(tuple(ready))
            ready.clear()
            last = time.monotonic()
        if not going:
            break


_OFTEN = 0.15
"""Seconds between two pieces of a list."""


def _words(value: Any) -> str:
    """All strings of a JSON value, keys and encoded images left out."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        skip = ("data", "thinkingSignature", "textSignature") if "type" in value else ()
        return "\n".join(_words(v) for k, v in value.items() if k not in skip and not isinstance(v, int | float))
    if isinstance(value, list):
        return "\n".join(map(_words, value))
    return ""


THRESHOLDS = (100_000, 50, 100)
"""When Python looks for garbage here: sessions are a million objects without a cycle, and walking through them all
again and again took an eighth of the time."""


def warm_up() -> None:
    """What the first file would have to wait for."""
    formats()


TOLD = 0.05
"""Seconds between two messages on how far a task is: each costs the window a turn, and nobody reads faster."""


class Reporter:
    """A task's line to the window: call it with how far the task is, hand over `part`s of its answer. While the window
    has a quick task, one that may be interrupted waits in here."""

    def __init__(self, pipe: Connection, cancelled: Any, number: int, behind: bool) -> None:
        self._pipe, self._cancelled, self._number, self._behind = pipe, cancelled, number, behind
        self._told = 0.0

    def __call__(self, said: Phrase, share: float | None) -> bool:
        now = time.monotonic()
        if now - self._told > TOLD:
            self._told = now
            self._pipe.send(("progress", self._number, (said, share)))
        while self._behind and self._pipe.poll():
            number, _, task, arguments = self._pipe.recv()
            self._pipe.send(_run(Reporter(self._pipe, self._cancelled, number, False), number, task, arguments))
        return bool(self._cancelled[self._behind] != self._number)

    def part(self, value: Any) -> None:
        """A piece of the answer, ahead of its end."""
        self._pipe.send(("part", self._number, value))


def serve(pipe: Connection, cancelled: Any, folder: str) -> None:
    """Run tasks until the pipe closes. `cancelled[behind]` is the number of the task of its kind that should stop;
    `folder` takes what is unpacked."""
    spool.use(folder)
    engine_far.use(guarded)
    warm_up()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    while True:
        try:
            number, behind, task, arguments = pipe.recv()
        except (EOFError, OSError, KeyboardInterrupt):
            return
        try:
            pipe.send(_run(Reporter(pipe, cancelled, number, behind), number, task, arguments))
        except (BrokenPipeError, EOFError, OSError):
            return


def _run(report: Reporter, number: int, task: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    try:
        return ("done", number, task(*arguments, report))
    except StratascopeError as error:
        return ("failed", number, Failure(error.phrase))
    except MemoryError:
        return ("failed", number, Failure(phrase("job.no_memory")))
    except (BrokenPipeError, EOFError, ConnectionError):  # the window is gone
        raise
    except Exception as error:  # a fault of ours: the window says so and offers the report
        said = phrase("job.failed", error=f"{type(error).__name__}: {error}")
        return ("failed", number, Failure(said, traceback.format_exc()))
