"""`stratascope shot FILE --output PICTURE.png`: a picture of the window, or of one view, without a display.

It fails (exit code 1) when a character that is shown has no glyph on this machine, naming the characters.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QSettings, QTemporaryDir
from PySide6.QtWidgets import QApplication, QWidget

from core import verb, workspace
from core.errors import RequestError, StratascopeError, UsageError
from core.lines import RecordedFile
from core.named_sources import Kind, NamedPath, Sources, named
from core.phrase import Phrase, phrase, render
from core.pipeline import SESSION_CONTEXT
from core.profile import Profile
from gui import glyphs, translation, worker
from gui.jobs import Jobs
from gui.main_window import MainWindow
from gui.memory import Memory
from gui.sessions import Sessions, first_notice
from gui.tabs import tabs
from gui.theme import Look

VIEWS = ("main", "prompt", "layers", "requests", "session", "start")
TABS = (
    "lifecycle",
    "compare",
    "sweep",
    "compaction",
    "truncation",
    "lessons",
    "margins",
    "shuffle",
    "fill",
    "thresholds",
)
"""Tabs of the centre; those that are not there yet are refused by name."""


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="stratascope shot", description="A picture of the window or of one view.")
    made.add_argument("file", nargs="?", help="session file (none: the start page)")
    made.add_argument("--view", default="main", choices=(*VIEWS, *TABS))
    made.add_argument("--size", default="1600x1000", metavar="WxH")
    made.add_argument("--theme", default="light", choices=("light", "dark"))
    made.add_argument("--lang", default="en", choices=translation.LANGUAGES)
    made.add_argument("--zoom", type=int, default=100, metavar="PERCENT")
    made.add_argument("--leaf", metavar="ID")
    made.add_argument("--request", metavar="N|last|next")
    made.add_argument("--counter", metavar="NAME")
    made.add_argument("--policy", metavar="NAME")
    made.add_argument("--set", metavar="LAYER.FIELD=VALUE", action="append", default=[])
    made.add_argument("--step", metavar="INSTANCE", help="stand behind this step (none: all steps applied)")
    made.add_argument("--before-after", action="store_true", help="the Prompt tab as Before ⇄ after")
    made.add_argument("--count", default="tokens", choices=("tokens", "guard"), help="what headline and plot count")
    made.add_argument("--window", type=int, metavar="TOKENS")
    made.add_argument("--trace", metavar="FILE", action="append", default=[], help="a trace of the session")
    made.add_argument("--system", metavar="FILE", help="a system prompt as plain text")
    made.add_argument("--tools", metavar="FILE", help="tool definitions as JSON")
    made.add_argument("--workspace", metavar="DIR", help="folder to build the system prompt from")
    made.add_argument("--output", required=True, metavar="PNG")
    made.set_defaults(engine=None)
    return made


def run(argv: Sequence[str]) -> int:
    """The verb; returns the exit code."""
    try:
        wanted = parser().parse_args(list(argv))
    except SystemExit as stop:
        return int(stop.code or 0)
    try:
        width, height = _size(wanted.size)
        if wanted.view in TABS and wanted.view not in {tab.id for tab in tabs()}:
            raise StratascopeError(phrase("shot.later", view=wanted.view))
        if wanted.before_after and (wanted.view not in ("main", "prompt") or not wanted.file):
            raise UsageError(phrase("shot.before_after"))
        return _take(wanted, width, height)
    except UsageError as error:
        return _refuse(error.phrase, 2)
    except StratascopeError as error:
        return _refuse(error.phrase)


def _refuse(said: Phrase, code: int = 1) -> int:
    print(f"stratascope: {render(said, 'en')}", file=sys.stderr)
    return code


def _size(text: str) -> tuple[int, int]:
    parts = text.lower().split("x")
    if len(parts) != 2 or not all(part.isdigit() and 200 <= int(part) <= 8000 for part in parts):
        raise StratascopeError(phrase("shot.size", size=text))
    return int(parts[0]), int(parts[1])


def _take(wanted: argparse.Namespace, width: int, height: int) -> int:
    asked = _asked(wanted) if wanted.file else None
    qt = QApplication.instance() or QApplication(["stratascope"])
    glyphs.watch()
    translation.use(wanted.lang)
    look = Look(wanted.theme, wanted.zoom)
    look.apply(qt)
    look.set_animated(False)
    aside = QTemporaryDir()  # a picture leaves no trace in what the window remembers
    settings = QSettings(aside.filePath("shot.ini"), QSettings.Format.IniFormat)
    jobs = Jobs()
    window = MainWindow(look, jobs, Sessions(jobs), Memory(settings))
    try:
        window.resize(width, height)
        if asked is not None:
            _adopt(window, wanted, asked)
        window.show()
        if wanted.view in window.tabs.ids and wanted.file:
            window.tabs.show_tab(wanted.view)
        _settle(window)
        if wanted.before_after:
            window.prompt.compare(True)
            _settle(window)
        target = _target(window, wanted.view)
        if target is not window and not window.isAncestorOf(target):
            raise StratascopeError(phrase("shot.later", view=wanted.view))
        picture = target.grab()
        absent = glyphs.missing(glyphs.written(target), look.theme.font("body"))
        if not picture.save(wanted.output):
            raise StratascopeError(phrase("shot.cannot_write", path=wanted.output))
        if absent:
            return _refuse(phrase("shot.glyphs", characters=absent[:40], n=len(absent)))
        return 0
    finally:
        window.close()
        window.show_state(None)
        jobs.close()
        window.deleteLater()  # one that stays would be dressed again by the next picture of this process
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What the picture is to show. `request`: None for what would be sent next."""

    place: str
    loaded: worker.Loaded
    request: int | None
    base: Profile
    profile: Profile
    sources: Sources


def _sources(wanted: argparse.Namespace) -> Sources:
    """Of tools and system prompt. What cannot be read is said before there is a window."""
    alone: tuple[tuple[Kind, str | None], ...] = (
        ("system", wanted.system),
        ("tools", wanted.tools),
        ("workspace", wanted.workspace),
    )
    found = (
        *(NamedPath("trace", path) for path in wanted.trace),
        *(NamedPath(kind, path) for kind, path in alone if path),
    )
    by_hand = named(found)
    for path in by_hand.traces:
        RecordedFile.at(path)
    if by_hand.folder:
        workspace.read(by_hand.folder)
    return found


def _asked(wanted: argparse.Namespace) -> _Asked:
    """Loaded in this process: a picture has no window that could freeze. What is not there is said before one is made;
    a step or setting that the policy does not have is wrong usage, as for the other verbs."""
    place = str(Path(wanted.file).absolute())

    def report(said: Phrase, share: float | None) -> bool:
        return True

    loaded = worker.load(place, wanted.counter, None, report, wanted.window)
    if wanted.leaf is not None:
        leaf = loaded.session.row_of(wanted.leaf)
        if leaf is None:
            raise StratascopeError(phrase("shot.no_leaf", leaf=wanted.leaf))
        loaded = worker.show(place, wanted.counter, leaf, report, wanted.window)
    count = len(loaded.timeline.summaries)
    request = wanted.request or "last"
    if request.isdigit() and not 1 <= int(request) <= count:
        raise StratascopeError(phrase("shot.no_request", request=request, n=count))
    if not request.isdigit() and request not in ("last", "next"):
        raise StratascopeError(phrase("shot.no_request", request=request, n=count))
    number = int(request) if request.isdigit() else count or None
    base = verb.policy_of(wanted, loaded.session.format)
    profile = verb.profile_of(wanted, loaded.session.format)
    if wanted.step not in (None, SESSION_CONTEXT):
        try:
            profile.instance(wanted.step)
        except RequestError as error:
            raise UsageError(error.phrase) from error
    return _Asked(place, loaded, None if request == "next" else number, base, profile, _sources(wanted))


def _adopt(window: MainWindow, wanted: argparse.Namespace, asked: _Asked) -> None:
    problems = asked.loaded.session.problems
    state = window.sessions.adopt(asked.place, asked.loaded, asked.request)
    state.go(request=asked.request)
    state.choose(asked.base)
    state.change(lambda _: asked.profile)
    state.go(step=wanted.step)
    if asked.sources:
        state.traced.name(asked.sources)
    window.prompt.count(wanted.count == "guard")
    window.strip.show_notice(first_notice(problems), len(problems))


def _target(window: MainWindow, view: str) -> QWidget:
    if view in window.tabs.ids and view != "prompt":
        return window.tabs.view(view)
    named: dict[str, QWidget] = {
        "main": window,
        "start": window,
        "prompt": window.prompt,
        "requests": window.docks.requests,
        "layers": window.docks.layers,
        "session": window.docks.session,
    }
    return named[view]


PATIENCE_S = 120
"""How long a picture waits for what a view has asked the worker for."""


def _settle(window: MainWindow) -> None:
    """Let layouts and pending refreshes come to rest, and what the worker was asked for arrive."""
    end = time.monotonic() + PATIENCE_S
    _rest(window)
    while _unsettled(window) and time.monotonic() < end:
        while _unsettled(window) and time.monotonic() < end:
            QCoreApplication.processEvents()
            time.sleep(0.005)
        _rest(window)  # what has arrived may ask for more
    for judging in (window.prompt, window.layers.verdict):  # they would wait until the person rests
        judging.judge_now()
    _rest(window)


def _unsettled(window: MainWindow) -> bool:
    state = window.prompt.state
    if state is not None and (state.stale or state.carried.unsettled):
        return True
    return any(view.settling for view in window.views if view.isVisible())


def _rest(window: MainWindow) -> None:
    for _ in range(4):
        QCoreApplication.processEvents()
        for view in window.views:
            view.flush()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
