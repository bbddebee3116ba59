"""What traces tell of the requests that were looked at: tools, system prompt, the recorded truth.

    request in focus ─▶ known? ─▶ else asked for, once the person rests ─▶ shown with its tools and system prompt

A session without a trace is asked once and then left in peace, until somebody names a trace.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from core.recorded_facts import EMPTY, RecordedPrompt
from gui.live_trace import Key

if TYPE_CHECKING:
    from core.named_sources import Sources
    from core.traced_path import TracedPath

    AskPath = Callable[[int | None, Sources, Callable[[TracedPath | None], None]], None]
    Ask = Callable[[Key, Sources, Callable[[RecordedPrompt | None], None]], None]

RESTS = 60
"""Milliseconds without another request before the worker is asked."""
KEPT = 24
"""Requests that are remembered."""


class Traced(QObject):
    """`now()`: the request in focus. `came`: key of a request of which more is known now."""

    came = Signal(object)
    path_came = Signal()
    """Of all requests of the path is known what traces tell."""

    def __init__(self, now: Callable[[], Key], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.ask: Ask | None = None
        """Set by the window: has the worker look, and hands its answer over."""
        self.ask_path: AskPath | None = None
        """The same for all requests of the path; asked as soon as a trace is known to be there."""
        self.path: TracedPath | None = None
        self.paths: Sources = ()
        """Traces and other sources that a person named."""
        self._now = now
        self._known: OrderedDict[Key, RecordedPrompt] = OrderedDict()
        self._asked: Key | None = None
        self._none = False
        self._path_asked: object = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(RESTS)
        self._timer.timeout.connect(self.look)

    @property
    def any(self) -> bool:
        """Whether the session has traces, as far as is known."""
        return any(found is not EMPTY and found.leading for found in self._known.values())

    @property
    def waiting(self) -> bool:
        """Whether the request in focus may still get tools and system prompt."""
        return self._asked is not None or self._timer.isActive() or (self._path_asked is not None and self.path is None)

    def of(self, key: Key) -> RecordedPrompt:
        return self._known.get(key, EMPTY)

    def name(self, paths: Sources) -> None:
        """Use these sources; traces among them instead of those beside the file."""
        self.paths = paths
        self.forget()
        self.path_came.emit()
        self.look()

    def forget(self, grown: bool = False) -> None:
        """Another path, other counts, other traces: everything is asked anew. `grown`: the same path is longer; what is
        known of all its requests holds till then."""
        self._known.clear()
        self._asked, self._none = None, False
        self._path_asked = None
        self.path = self.path if grown else None
        self._timer.stop()

    def stir(self) -> None:
        """The request may be another."""
        if self.ask is not None and not self._none and self._now() not in self._known:
            self._timer.start()

    def look(self) -> None:
        """Ask for the request in focus."""
        self._timer.stop()
        key = self._now()
        if self.ask is None or self._none or key in self._known or key == self._asked:
            return
        self._asked = key
        paths = self.paths
        self.ask(key, paths, lambda found: self._take(key, paths, found))

    def refused(self) -> None:
        """The worker could not read what it was asked for."""
        self._asked, self._none = None, True

    def _take(self, key: Key, paths: Sources, found: RecordedPrompt | None) -> None:
        if paths != self.paths:
            return
        if self._asked == key:
            self._asked = None
        self._none = found is None
        self._known[key] = found if found is not None else EMPTY
        while len(self._known) > KEPT:
            self._known.popitem(last=False)
        if found is not None:
            self.came.emit(key)
            self._look_along(key[0])

    def _look_along(self, leaf: int | None) -> None:
        """Ask for all requests of the path."""
        if self.ask_path is None or self._path_asked is not None:
            return
        self._path_asked = asked = object()

        def take(found: TracedPath | None) -> None:
            if self._path_asked is asked:
                self.path = found
                self._path_asked = None if found is None else asked
                self.path_came.emit()

        self.ask_path(leaf, self.paths, take)
