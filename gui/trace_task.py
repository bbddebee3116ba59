"""The worker's side of traces: the recorded calls of the open files stay here, a request's share goes to the window.

No Qt in here.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from core import counter as counting
from core.context import build
from core.counter import Counter
from core.named_sources import Named, Sources, named, with_workspace
from core.phrase import phrase
from core.prompt_source import NOTHING, Given
from core.recorded_prompt import EMPTY, RecordedPrompt, recorded_prompt
from core.trace_calls import Recorded, recordings
from core.trace_findings import Finding, all_findings
from core.traced_path import TracedPath, traced_path
from gui.opened import Loaded, Opened, opened, show

KEPT = 4


@dataclass(frozen=True, slots=True)
class Known:
    """The traces of one file as it stood; `file` is the very object that holds its rows."""

    file: Opened
    rows: int
    paths: Sources
    counter: Counter
    recordings: tuple[Recorded, ...]
    named: Named
    findings: tuple[tuple[str, Finding], ...]

    @property
    def silent(self) -> bool:
        """There is no source at all."""
        return not self.recordings and self.named.given == NOTHING and not self.named.folder


_known: OrderedDict[str, Known] = OrderedDict()


def _told(report: Any, done: int, size: int) -> bool:
    """Lets what is in a hurry go first. Another request in focus does not end the reading: it needs the trace too."""
    report(phrase("trace.reading", share=done / size), done / size)
    return True


def known_traces(path: str, counter: str, paths: Sources, report: Any) -> Known:
    """The traces of an open file as it stands, read when they are asked for first; `paths`: what a person named
    (core/named_sources.py); without traces among them, those that lie beside the file."""
    file = opened(path, report)
    known = _known.pop(path, None)
    same = known is not None and (known.file, known.rows, known.paths) == (file, len(file.session), paths)
    if known is None or not same or known.counter.id != counter:
        before = {one.trace.path: one.trace for one in known.recordings} if known is not None else {}
        by_hand = named(paths)
        found = recordings(file.session, by_hand.traces, before, lambda done, size: _told(report, done, size))
        made = counting.make(counter, file.session)
        known = Known(file, len(file.session), paths, made, found, by_hand, all_findings(found))
    _known[path] = known
    while len(_known) > KEPT:
        _known.popitem(last=False)
    return known


def given_of(known: Known, loaded: Loaded) -> Given:
    """What a person gave beside traces, with the workspace built as the agent builds it."""
    by_hand = known.named
    if not by_hand.folder:
        return by_hand.given
    context = build(known.file.session, loaded.timeline.path)
    return with_workspace(by_hand.given, by_hand.folder, known.recordings, loaded.told.key, context)[0]


def recorded_request(
    path: str, leaf: int | None, counter: str, number: int | None, paths: Sources, report: Any
) -> RecordedPrompt | None:
    """What traces tell of request `number` of the path to `leaf` (None: of what would be sent next). None: there is no
    source at all."""
    known = known_traces(path, counter, paths, report)
    if known.silent:
        return None
    loaded = show(path, counter, leaf, report)
    if number is not None and number > len(loaded.timeline.summaries):
        return EMPTY
    known_of_all = (known.file.session, loaded.timeline, loaded.counts, known.counter)
    given = given_of(known, loaded)
    return recorded_prompt(*known_of_all, number, known.recordings, known.findings, given, loaded.told)


def recorded_path(path: str, leaf: int | None, counter: str, paths: Sources, report: Any) -> TracedPath | None:
    """What traces tell of all requests of the path to `leaf`. None: there is no source at all."""
    known = known_traces(path, counter, paths, report)
    if known.silent:
        return None
    loaded = show(path, counter, leaf, report)
    given = given_of(known, loaded)
    return traced_path(known.file.session, loaded.timeline, known.counter, known.recordings, known.findings, given)
