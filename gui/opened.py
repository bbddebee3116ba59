"""The worker's side of the open files: what is read, followed and counted stays here by path. No Qt in here.

    load     rows, as Parts while they are read ─▶ counts and timeline, at once for a small file
    show     counts and timeline of a leaf, by a counter
    follow   what an agent has appended since, as a Part

A file is read in the time that its bytes need; counting its tokens takes many times that. So a large file is shown as
soon as there are rows, and its numbers come when they come.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import Any, Literal

from core import counter as counting
from core import counts as tables
from core import timeline as timelines
from core.beside import told_of
from core.counter import Counter
from core.counts import Counts
from core.duplicates import duplicate_keys
from core.errors import Problem
from core.following import Following
from core.format import recognised
from core.lines import RecordedFile
from core.measure import measured, sized
from core.part import Part, grown
from core.phrase import phrase
from core.session import Session
from core.session_key import NOTHING, Told
from core.timeline import Timeline
from gui.ahead import Ahead, lay_out

SMALL = 2 << 20
"""Bytes up to which counts and timeline come with the rows: nobody sees the difference."""
SOON = 0.1
"""Seconds after which the rows of a file that is still being read are shown; then as often as showing them is cheap."""
OFTEN = 0.15
A_ROW = 2e-6
"""Seconds more between two Parts for every row that there is: the window copies them all."""
_PIECE = 1 << 20
_OPEN, _COUNTED, _SHOWN = 6, 8, 2


@dataclass(frozen=True, slots=True)
class Loaded:
    """What the window needs to show a session. `session` None: it has the rows already."""

    session: Session | None
    timeline: Timeline
    counts: Counts
    arranged: Ahead | None = None
    """Graph and plot of a long session, laid out."""
    told: Told = NOTHING
    """What stands beside the file."""


@dataclass(frozen=True, slots=True)
class Followed:
    """`state`: "same", "grew" (`part` holds what came), or "other": the file must be read again."""

    state: Literal["same", "grew", "other"]
    part: Part | None = None


class Opened:
    """One file: its session, its reading if it can be followed, its token counts by counter."""

    def __init__(self, session: Session, following: Following | None) -> None:
        self.session = session
        self.following = following
        self._counts: OrderedDict[str, tuple[Counter, Counts, int]] = OrderedDict()
        self._shown: list[tuple[tuple[object, ...], Loaded]] = []

    def sized(self, report: Any) -> Session:
        """The session as it stands now, with its sizes; the file may go on growing while they are measured."""
        session = self.session
        rows = max(1, len(session))
        made = measured(session, lambda row: bool(report(phrase("job.measuring", n=row, rows=rows), row / rows)))
        chars = made.columns.chars
        if made is not session:
            since = self.session.columns.chars
            self.session = sized(self.session, chars + since[len(chars) :] if len(since) > len(chars) else chars)
        return made

    def counted(self, session: Session, name: str, report: Any) -> Counts:
        """By the counter `name`. Of a file that grows, what came is counted by what the counter learned before; it
        learns again when the file is a tenth longer."""
        rows = max(1, len(session))

        def go_on(row: int) -> bool:
            return bool(report(phrase("job.counting", n=row, rows=rows), row / rows))

        counter, counts, learned = self._counts.get(name, (None, None, 0))
        if counter is None or counts is None or rows > learned * 1.1 + 200:
            counter = counting.make(name, session)
            counts, learned = tables.count(session, counter, go_on), rows
        elif len(counts.tokens) < rows:
            counts = tables.continued(counts, session, counter, go_on)
        self._counts[name] = counter, counts, learned
        while len(self._counts) > _COUNTED:
            self._counts.popitem(last=False)
        return counts

    def known(self, asked: tuple[object, ...]) -> Loaded | None:
        """What was made of the very same before: every look at a request of a path asks for its timeline."""
        return next((loaded for key, loaded in self._shown if _same(key, asked)), None)

    def keep(self, asked: tuple[object, ...], loaded: Loaded) -> None:
        held = [item for item in self._shown if item[0][0] is asked[0]]  # nothing of a file that has grown since
        self._shown = [*held[1 - _SHOWN :], (asked, loaded)]


def _same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    """Session and counts by identity, the rest by value."""
    return one[0] is other[0] and one[1] is other[1] and one[2:] == other[2:]


_open: OrderedDict[str, Opened] = OrderedDict()


def _keep(path: str, opened: Opened) -> Opened:
    _open[path] = opened
    _open.move_to_end(path)
    while len(_open) > _OPEN:
        _open.popitem(last=False)
    return opened


def session_of(path: str, report: Any) -> Session:
    """The session of a file; read, if it is not open."""
    return opened(path, report).session


def opened(path: str, report: Any) -> Opened:
    found = _open.get(path)
    return found if found is not None else _read(path, report, None)


def _read(path: str, report: Any, show: _Showing | None) -> Opened:
    source = RecordedFile.at(path)
    format = recognised(source)

    def progress(done: int, whole: int, entries: int) -> bool:
        said = phrase("job.reading", size=whole, entries=entries, share=done / whole if whole else 1.0)
        return bool(report(said, done / whole if whole else None))

    if not hasattr(format, "Reading"):
        return _keep(path, Opened(format.read(source, progress), None))
    following = Following(format.Reading(source))
    for _ in following.read(_PIECE, progress):
        if show is not None:
            show.perhaps(following)
    session = following.session()
    session.active_leaf  # noqa: B018  a body may have to be read for it; the window must never wait for that
    found = _keep(path, Opened(session, following))
    if show is not None and (show.begun or source.size > SMALL):
        show.now(following)
    else:
        following.tell_all()
    return found


class _Showing:
    """Sends the rows of a file while it is read, at first soon, then as often as it does not slow the reading down."""

    def __init__(self, send: Any) -> None:
        self._send = send
        self._next = time.monotonic() + SOON
        self.begun = False

    def perhaps(self, following: Following) -> None:
        now = time.monotonic()
        if now >= self._next:
            self.now(following)
            took = time.monotonic() - now
            self._next = now + max(OFTEN, 12 * took, following.sent * A_ROW)

    def now(self, following: Following) -> None:
        self._send(following.part())
        self.begun = True


def load(path: str, counter: str | None, leaf: int | None, report: Any, window: int | None = None) -> Loaded | None:
    """Read a file from the start and compute the timeline of `leaf` (None = the active one). None where `report` takes
    Parts and the file is large: its rows went there, and `show` gives the rest."""
    send = getattr(report, "part", None)
    showing = _Showing(send) if send is not None else None
    _read(path, report, showing)
    if showing is not None and showing.begun:
        return None
    return _counted(_open[path], counter, leaf, report, window)


def show(path: str, counter: str | None, leaf: int | None, report: Any, window: int | None = None) -> Loaded:
    """The timeline of a leaf (None = the active one), by a counter (None = the default one), of a file whose rows are
    known already."""
    found = _counted(opened(path, report), counter, leaf, report, window)
    return found if getattr(report, "part", None) is None else replace(found, session=None)


def _counted(found: Opened, counter: str | None, leaf: int | None, report: Any, window: int | None) -> Loaded:
    session = found.sized(report)
    counts = found.counted(session, counter or default_counter(session), report)
    wanted = session.active_leaf if leaf is None else leaf
    asked = (session, counts, wanted, window)
    known = found.known(asked)
    if known is not None:
        return replace(known, told=told_of(session))  # what stands beside the file may have changed
    timeline = timelines.build(
        session, wanted, counts, window, lambda share: bool(report(phrase("job.timeline", share=share), share))
    )
    ahead = lay_out(session, timeline, lambda: report(phrase("job.timeline", share=1.0), 1.0))
    loaded = Loaded(session, timeline, counts, ahead, told_of(session))
    if timeline.leaf == wanted:  # it was not stopped
        found.keep(asked, loaded)
    return loaded


def check(path: str, report: Any) -> tuple[Problem, ...]:
    """Keys that stand twice: it takes a look at everything, so it comes last."""
    session = opened(path, report).session
    rows = max(1, len(session))
    return duplicate_keys(session, lambda row: bool(report(phrase("job.checking", n=row, rows=rows), row / rows)))


def default_counter(session: Session) -> str:
    """`recorded` where usage is recorded, else `bpe` (the command line's own rule)."""
    return "recorded" if session.request_rows else "bpe"


def follow(path: str, report: Any) -> Followed:
    """What came since. Raises UnreadableFile when the file is gone."""
    found = _open.get(path)
    if found is None or found.following is None:
        return Followed("same")
    state = found.following.look()
    if state != "grew":
        return Followed(state)
    for _ in found.following.read(_PIECE, lambda done, whole, entries: True):
        pass
    part = found.following.part()
    found.session = grown(found.session, part)
    return Followed("grew", part)


def forget(path: str, report: Any) -> None:
    """The file was closed."""
    _open.pop(path, None)
