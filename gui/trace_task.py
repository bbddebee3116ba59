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
from core.named_sources import Named, named, with_workspace
from core.phrase import phrase
from core.prompt_source import NOTHING
from core.recorded_prompt import EMPTY, RecordedPrompt, recorded_prompt
from core.trace_calls import Recorded, recordings
from core.trace_findings import Finding, all_findings
from gui.opened import opened, show

KEPT = 4


@dataclass(frozen=True, slots=True)
class _Known:
    """The traces of one file as it stood; `file` is the very object that holds its rows."""

    file: object
    rows: int
    paths: tuple[str, ...]
    counter: Counter
    recordings: tuple[Recorded, ...]
    named: Named
    findings: tuple[tuple[str, Finding], ...]


_known: OrderedDict[str, _Known] = OrderedDict()


def _told(report: Any, done: int, size: int) -> bool:
    """Lets what is in a hurry go first. Another request in focus does not end the reading: it needs the trace too."""
    report(phrase("trace.reading", share=done / size), done / size)
    return True


def recorded_request(
    path: str, leaf: int | None, counter: str, number: int | None, paths: tuple[str, ...], report: Any
) -> RecordedPrompt | None:
    """What traces tell of request `number` of the path to `leaf` (None: of what would be sent next). `paths`: what a
    person named (core/named_sources.py); without traces among them, those that lie beside the file. None: there is no
    source at all."""
    file = opened(path, report)
    known = _known.pop(path, None)
    same = known is not None and (known.file, known.rows, known.paths) == (file, len(file.session), paths)
    if known is None or not same or known.counter.id != counter:
        before = {one.trace.path: one.trace for one in known.recordings} if known is not None else {}
        by_hand = named(paths)
        found = recordings(file.session, by_hand.traces, before, lambda done, size: _told(report, done, size))
        made = counting.make(counter, file.session)
        known = _Known(file, len(file.session), paths, made, found, by_hand, all_findings(found))
    _known[path] = known
    while len(_known) > KEPT:
        _known.popitem(last=False)
    by_hand = known.named
    if not known.recordings and by_hand.given == NOTHING and not by_hand.folder:
        return None
    loaded = show(path, counter, leaf, report)
    if number is not None and number > len(loaded.timeline.summaries):
        return EMPTY
    given = by_hand.given
    if by_hand.folder:
        context = build(file.session, loaded.timeline.path)
        given, _ = with_workspace(given, by_hand.folder, known.recordings, loaded.told.key, context)
    known_of_all = (file.session, loaded.timeline, loaded.counts, known.counter)
    return recorded_prompt(*known_of_all, number, known.recordings, known.findings, given, loaded.told)
