"""Sums of recorded usage and money, of a path or of a whole file.

A recorded cost is preferred; else it is computed from dated prices. Calls that are no requests (a title, the call that
made a compaction's summary) count toward the sums, but are no turn and no break (session formats 1.5).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from core import models
from core.messages import Usage
from core.session import NO_TIME, Request, Session


@dataclass(frozen=True, slots=True)
class Totals:
    """`requests` and `others`: how many calls. `usage`: their sum, tokens; its own `cost` stays None.

    `cost`: US dollars of all calls whose cost is recorded or can be computed; `unpriced`: how many are missing from it.
    """

    requests: int
    others: int
    usage: Usage
    cost: Decimal
    unpriced: int

    @property
    def hit_rate(self) -> float | None:
        """Share of all prompt tokens that were read from the cache, 0…1; None when there are none."""
        return self.usage.read / self.usage.prompt if self.usage.prompt else None


def cost_of(request: Request) -> Decimal | None:
    """US dollars: as recorded, else by the prices of that day; None when neither is known."""
    return _cost(request.usage, request.model, request.start if request.start is not None else request.end)


def totals(
    session: Session, path: Sequence[int] | None = None, costs: Mapping[int, Decimal | None] | None = None
) -> Totals:
    """Of the rows on `path`, or of the whole file. `costs`: of the requests by their entry, where they are at hand."""
    requests = session.requests(path)
    calls = [(request.usage, costs[request.entry] if costs is not None else cost_of(request)) for request in requests]
    others = [(usage, _cost(usage, model, time)) for usage, model, time in _others(session, path)]
    every = calls + others
    usage = Usage(
        input=sum(used.input for used, _ in every),
        output=sum(used.output for used, _ in every),
        read=sum(used.read for used, _ in every),
        write=sum(used.write for used, _ in every),
        write_1h=sum(used.write_1h for used, _ in every),
        total=sum(used.prompt + used.output for used, _ in every),
        reasoning=sum(used.reasoning for used, _ in every),
    )
    known = [cost for _, cost in every if cost is not None]
    return Totals(len(calls), len(others), usage, sum(known, Decimal(0)), len(every) - len(known))


_KINDS = ("usage", "compaction", "branch_summary")


def _others(session: Session, path: Sequence[int] | None) -> Iterator[tuple[Usage, str, int | None]]:
    """(usage, model, epoch ms) of `usage` entries and of compactions and branch summaries that record theirs."""
    wanted = {index for index, kind in enumerate(session.columns.kinds) if kind in _KINDS}
    if not wanted:
        return
    kinds = session.columns.kind
    rows = range(len(session)) if path is None else path
    for place, row in enumerate(rows):
        if kinds[row] not in wanted:
            continue
        body = session.body(row)
        usage = Usage.of(body.get("usage"))
        if usage is not None and usage.any:
            named = body.get("model")
            time = session.columns.time[row]
            model = named if isinstance(named, str) else _model_before(session, rows, place)
            yield usage, model, None if time == NO_TIME else time


def _model_before(session: Session, rows: Sequence[int], place: int) -> str:
    """The model of the last reply before a place in `rows`, mirrors left out."""
    for at in range(place - 1, -1, -1):
        if session.role_of(rows[at]) == "assistant":
            reply = session.reply(rows[at])
            if reply is not None and not reply.mirror:
                return reply.model
    return ""


def _cost(usage: Usage, model: str, time: int | None) -> Decimal | None:
    return usage.cost if usage.cost is not None else models.cost(model, usage, time)
