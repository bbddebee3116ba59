"""The Timeline: every request of a path with its recorded usage, its budget by role, its break and its cost."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from typing import Any

import numpy as np

from core import models
from core.budget import ROLES as ROLES
from core.budget import budgets
from core.cache import Break as Break
from core.cache import breaks, notes
from core.counts import Counts
from core.evidence import gather
from core.messages import Usage
from core.packing import packed, unpacked
from core.session import Request, Session
from core.summaries import RequestSummary as RequestSummary
from core.summaries import summaries_of
from core.totals import Totals, cost_of, totals


@dataclass(frozen=True, slots=True)
class Timeline:
    """All requests of the path to `leaf`, in order. `path`: rows, root first (an array where the timeline came from
    another process). `window`: tokens; `window_known`: a model or the person named it.

    `next_tokens`: budget by ROLES of what would be sent now (the path to its leaf, no usage yet).
    `breaks`: those of the path, in order (found by at least one detector).
    """

    leaf: int | None
    path: Sequence[int]
    counter: str
    window: int
    window_known: bool
    summaries: Sequence[RequestSummary]
    breaks: tuple[Break, ...]
    next_tokens: tuple[int, ...]
    session_cost: Decimal
    """Of all requests of the file, other branches included, and of the calls that are no requests."""
    totals: Totals
    """Of the path."""
    session_totals: Totals
    """Of the file: `session_cost` is its cost."""
    session_lost: Decimal
    """Money lost to breaks in the whole file, as far as prices are known."""

    def __reduce__(self) -> tuple[Any, ...]:
        """To another process: the path as a column."""
        values = [getattr(self, one.name) for one in fields(self)]
        return _timeline, (packed(array("q", self.path)), *(values[:1] + values[2:]))


def _timeline(path: array[int], leaf: int | None, *rest: Any) -> Timeline:
    return Timeline(leaf, unpacked(path), *rest)


def build(
    session: Session,
    leaf: int | None,
    counts: Counts,
    window: int | None = None,
    go_on: Callable[[float], bool] = lambda share: True,
) -> Timeline:
    """The timeline of the path to `leaf` (None: an empty path). `window`: tokens, overrides what the model says.

    `go_on(share done, 0…1)` is asked now and then; False ends it, and an `uncounted` timeline is what there is then.
    Time and memory grow with the length of the file, not with path times requests.
    """
    try:
        return _built(session, leaf, counts, window, _Steps(3 * len(session), go_on))
    except _Stopped:
        return uncounted(counts.counter, window)


class _Stopped(Exception):
    """Nobody waits for it any more."""


class _Steps:
    """Asks whether to go on, every so many of the rows that are looked at."""

    EVERY = 2_048

    def __init__(self, all: int, go_on: Callable[[float], bool]) -> None:
        self._all, self._go_on, self._done = max(1, all), go_on, 0

    def __call__(self) -> None:
        self._done += 1
        if self._done % self.EVERY == 0:
            self.ask()

    def ask(self) -> None:
        """At once."""
        if not self._go_on(min(1.0, self._done / self._all)):
            raise _Stopped


def _built(session: Session, leaf: int | None, counts: Counts, window: int | None, step: _Steps) -> Timeline:
    path = session.path_to(leaf)
    for _ in session.making_requests():
        step.ask()
    requests = session.requests(path)
    evidence = gather(session, step)
    everywhere = {item.entry: item for item in breaks(session, session.requests(), evidence, step=step)}
    broke = {
        request.number: replace(everywhere[request.entry], request=request.number)
        for request in requests
        if request.entry in everywhere
    }
    why_cold = notes(requests, evidence)
    step.ask()
    costs = {}
    for request in session.requests():
        costs[request.entry] = cost_of(request)
        if request.number % step.EVERY == 0:
            step.ask()
    entries = [request.entry for request in requests]
    budget = budgets(session, path, entries, counts, step)
    replies = session.columns.replies
    places = np.searchsorted(np.asarray(replies.entry, dtype=np.int64), np.array(entries, dtype=np.int64))
    summaries = summaries_of(
        replies.taken(places),
        budget.requests,
        [costs[entry] for entry in entries],
        [why_cold[entry] for entry in entries],
        {number - 1: found for number, found in broke.items()},
    )
    step.ask()
    size, known = window_of(session, path, requests, window)
    whole = totals(session, None, costs)
    return Timeline(
        leaf,
        path,
        counts.counter,
        size,
        known,
        summaries,
        tuple(broke.values()),
        budget.next,
        whole.cost,
        totals(session, path, costs),
        whole,
        sum((item.cost for item in everywhere.values() if item.cost is not None), Decimal(0)),
    )


def window_of(
    session: Session, path: Sequence[int], requests: Sequence[Request], wanted: int | None = None
) -> tuple[int, bool]:
    """(tokens, whether it is known): what the person says, else the window of the model that would answer next, the
    larger one if a recorded prompt shows that it was in use; else what agents assume (200,000)."""
    if wanted is not None:
        return wanted, True
    name = _model_on(session, path)
    model = models.find(name) if name is not None else None
    if model is None:
        return models.DEFAULT_WINDOW, False
    largest = max((request.usage.prompt for request in requests if request.model == name), default=0)
    size = model.context if largest <= model.context else model.context_max
    return size, largest <= size


def _model_on(session: Session, path: Sequence[int]) -> str | None:
    """The model named last on the path, by a change or by an answer; mirrors name none."""
    for row in reversed(path):
        reply = session.reply(row)
        if reply is not None and not reply.mirror:
            return reply.model
        if session.type_of(row) == "model_change":
            name = session.body(row).get("modelId")
            return name if isinstance(name, str) else None
    return None


def uncounted(counter: str = "", window: int | None = None) -> Timeline:
    """The timeline of a session whose rows are known and whose requests are not counted yet: an empty path."""
    nothing = Totals(0, 0, Usage(), Decimal(0), 0)
    size = window if window is not None else models.DEFAULT_WINDOW
    budget = (0,) * len(ROLES)
    return Timeline(
        None, (), counter, size, window is not None, (), (), budget, Decimal(0), nothing, nothing, Decimal(0)
    )
