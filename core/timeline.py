"""The Timeline: every request of a path with its recorded usage, its budget by role, its break and its cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from core import models
from core.budget import ROLES as ROLES
from core.budget import budgets
from core.cache import Break, Note, breaks, notes
from core.counts import Counts
from core.evidence import gather
from core.messages import Usage
from core.session import Request, Session
from core.totals import Totals, cost_of, totals


@dataclass(frozen=True, slots=True)
class RequestSummary:
    """One request on the path.

    `tokens`: estimated tokens by ROLES, same order, of the messages of step 0. `unrecorded`: recorded prompt size
    minus their sum, at least 0: tools and system prompt, which are not in the file. `compaction`: row of the
    compaction that applies to this request, None without one. `cost`: recorded if present, else computed from dated
    prices (`cost_recorded` tells), None if neither. `total_cost`: running sum on the path, of requests only.
    """

    request: Request
    tokens: tuple[int, ...]
    unrecorded: int
    compaction: int | None
    broke: Break | None
    cost: Decimal | None
    cost_recorded: bool
    total_cost: Decimal
    note: Note = ""
    """Why nothing was read although it is no break: "first", "below_minimum" (the prompt is too short to be cached)
    or "nothing_before" (the previous prompt was), "" otherwise."""

    @property
    def messages(self) -> int:
        return sum(self.tokens)


@dataclass(frozen=True, slots=True)
class Timeline:
    """All requests of the path to `leaf`, in order. `window`: tokens; `window_known`: a model or the person named it.

    `next_tokens`: budget by ROLES of what would be sent now (the path to its leaf, no usage yet).
    `breaks`: those of the path, in order (found by at least one detector).
    """

    leaf: int | None
    path: tuple[int, ...]
    counter: str
    window: int
    window_known: bool
    summaries: tuple[RequestSummary, ...]
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


def build(session: Session, leaf: int | None, counts: Counts, window: int | None = None) -> Timeline:
    """The timeline of the path to `leaf` (None: an empty path). `window`: tokens, overrides what the model says.

    Time and memory grow with the length of the file, not with path times requests.
    """
    path = session.path_to(leaf)
    requests = session.requests(path)
    evidence = gather(session)
    everywhere = {item.entry: item for item in breaks(session, session.requests(), evidence)}
    broke = {
        request.number: replace(everywhere[request.entry], request=request.number)
        for request in requests
        if request.entry in everywhere
    }
    why_cold = notes(requests, evidence)
    costs = {request.entry: cost_of(request) for request in session.requests()}
    budget = budgets(session, path, [request.entry for request in requests], counts)
    summaries: list[RequestSummary] = []
    spent = Decimal(0)
    for request, (tokens, compaction) in zip(requests, budget.requests, strict=True):
        cost = costs[request.entry]
        spent += cost or 0
        summaries.append(
            RequestSummary(
                request,
                tokens,
                max(0, request.usage.prompt - sum(tokens)),
                compaction,
                broke.get(request.number),
                cost,
                request.usage.cost is not None,
                spent,
                why_cold[request.entry],
            )
        )
    size, known = window_of(session, path, requests, window)
    whole = totals(session, None, costs)
    return Timeline(
        leaf,
        path,
        counts.counter,
        size,
        known,
        tuple(summaries),
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
