"""The worker process's side: a loop that runs one task after another, and the tasks themselves. No Qt in here.

    window ── (number, task, arguments) ──▶ serve() ── ("progress" | "done" | "failed", number, value) ──▶ window

Sessions stay open in the worker by path, so that another leaf, another counter or a search sends nothing over twice.
"""

from __future__ import annotations

import traceback
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from core import counter as counting
from core import counts as tables
from core import places
from core import timeline as timelines
from core.counts import Counts
from core.errors import StratascopeError
from core.format import open_session
from core.phrase import Phrase, phrase
from core.places import Found
from core.session import Session
from core.timeline import Timeline

Report = Callable[[Phrase, float | None], bool]
"""Tell the window how far a task is (sentence, share 0…1 or None); the answer says whether to go on."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """What the window needs to show a session."""

    session: Session
    timeline: Timeline
    counts: Counts


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a task failed: a sentence, and the traceback where it was our own fault."""

    said: Phrase
    trace: str = ""


_open: OrderedDict[str, Session] = OrderedDict()
_counts: OrderedDict[tuple[str, str], Counts] = OrderedDict()


def load(path: str, counter: str | None, leaf: int | None, report: Report, window: int | None = None) -> Loaded:
    """Read a file from the start and compute the timeline of `leaf` (None = the active one)."""

    def progress(done: int, whole: int, entries: int) -> bool:
        said = phrase("job.reading", size=whole, entries=entries, share=done / whole if whole else 1.0)
        return report(said, done / whole if whole else None)

    session = open_session(path, progress)
    _open[path] = session
    _open.move_to_end(path)
    while len(_open) > 4:
        _open.popitem(last=False)
    for key in [key for key in _counts if key[0] == path]:
        del _counts[key]
    return show(path, counter, session.active_leaf if leaf is None else leaf, report, window)


def show(path: str, counter: str | None, leaf: int | None, report: Report, window: int | None = None) -> Loaded:
    """The timeline of another leaf, or by another counter, of a file that was read before."""
    session = _open.get(path)
    if session is None:
        return load(path, counter, leaf, report, window)
    name = counter or default_counter(session)
    table = _counts.get((path, name))
    if table is None:
        rows = max(1, len(session))
        table = tables.count(
            session,
            counting.make(name, session),
            lambda row: report(phrase("job.counting", n=row, rows=rows), row / rows),
        )
        _counts[path, name] = table
        while len(_counts) > 8:
            _counts.popitem(last=False)
    return Loaded(session, timelines.build(session, leaf, table, window), table)


def default_counter(session: Session) -> str:
    """`recorded` where usage is recorded, else `bpe` (the command line's own rule)."""
    return "recorded" if session.requests() else "bpe"


def search(path: str, text: str, report: Report) -> tuple[int, ...]:
    """Rows whose recorded content holds `text`, case folded, in file order. Cancelled: those found so far."""
    session = _open.get(path) or open_session(path)
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


def look_in(folder: str, now: float, report: Report) -> tuple[Found, ...]:
    """Session files in one folder."""
    report(phrase("job.looking", n=0), None)
    return places.in_folder(Path(folder), now)


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


def serve(pipe: Connection, cancelled: Any) -> None:
    """Run tasks until the pipe closes. `cancelled.value` is the number of the task that should stop."""
    while True:
        try:
            number, task, arguments = pipe.recv()
        except (EOFError, OSError, KeyboardInterrupt):
            return
        try:
            pipe.send(_run(pipe, cancelled, number, task, arguments))
        except (BrokenPipeError, OSError):
            return


def _run(pipe: Connection, cancelled: Any, number: int, task: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    def report(said: Phrase, share: float | None) -> bool:
        pipe.send(("progress", number, (said, share)))
        return bool(cancelled.value != number)

    try:
        return ("done", number, task(*arguments, report))
    except StratascopeError as error:
        return ("failed", number, Failure(error.phrase))
    except MemoryError:
        return ("failed", number, Failure(phrase("job.no_memory")))
    except Exception as error:  # a fault of ours: the window says so and offers the report
        said = phrase("job.failed", error=f"{type(error).__name__}: {error}")
        return ("failed", number, Failure(said, traceback.format_exc()))
