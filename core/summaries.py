"""The requests of a path, one by one: what each was, what it held, what it cost. Kept as columns, made when asked for.

A long path has two hundred thousand of them. As objects they would weigh more than the session itself, and a window
would be deaf for seconds while they come over from the worker.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import islice
from typing import Any, overload

from core.budget import ROLES
from core.cache import Break, Note
from core.packing import packed, unpacked
from core.reply import Replies
from core.session import Request, request_of

NOTES: tuple[Note, ...] = ("", "first", "below_minimum", "nothing_before")
KEPT = 20_000
"""Requests up to which they are kept once all of them were made: a table asks for all again and again."""
_NONE = -1
_EVERY = 32
"""Requests between two sums that are kept."""
_TOGETHER = 512


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


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """`replies`: of the path, in its order. `tokens`: ROLES a request; `compaction`: row, or -1; `cost`: computed US
    dollars where none is recorded (NaN = none), and in `exact` those that are no float; `sums`: cost before every
    32nd; `notes`: index into NOTES; `broke`: by place, from 0."""

    replies: Replies
    tokens: array[int]
    compaction: array[int]
    cost: array[float]
    exact: Mapping[int, Decimal]
    sums: tuple[Decimal, ...]
    notes: bytes
    broke: Mapping[int, Break] = field(default_factory=dict)

    def __reduce__(self) -> tuple[Any, ...]:
        numbers = packed(self.tokens), packed(self.compaction)
        rest = self.cost, self.exact, self.sums, self.notes, self.broke
        return _table, (self.replies, *numbers, *rest)

    def made(self, start: int, stop: int) -> Iterator[RequestSummary]:
        """Those at the places start … stop - 1."""
        roles, replies = len(ROLES), self.replies
        first = start - start % _EVERY
        total = self.sums[first // _EVERY] if start < stop else Decimal(0)
        for at in range(first, start):
            total += self._cost(at, self._recorded(at)) or 0
        tokens = self.tokens[roles * start : roles * stop].tolist()
        compactions = self.compaction[start:stop].tolist()
        for at in range(start, stop):
            request = request_of(replies, at + 1, at)
            usage = request.usage
            held = tuple(tokens[roles * (at - start) : roles * (at - start + 1)])
            cost = self._cost(at, usage.cost)
            total += cost or 0
            applies = compactions[at - start]
            yield RequestSummary(
                request,
                held,
                max(0, usage.prompt - sum(held)),
                None if applies == _NONE else applies,
                self.broke.get(at),
                cost,
                usage.cost is not None,
                total,
                NOTES[self.notes[at]],
            )

    def _recorded(self, at: int) -> Decimal | None:
        cost = self.replies.cost[at]
        return None if math.isnan(cost) else Decimal(repr(cost))

    def _cost(self, at: int, recorded: Decimal | None) -> Decimal | None:
        if recorded is not None:
            return recorded
        cost = self.cost[at]
        return self.exact.get(at) if math.isnan(cost) else Decimal(repr(cost))


def _table(replies: Replies, tokens: array[int], compaction: array[int], *rest: Any) -> Table:
    return Table(replies, unpacked(tokens), unpacked(compaction), *rest)


class Summaries(Sequence[RequestSummary]):
    """The requests of a path in its order, or a stretch of them; numbers count from the start of the path."""

    __slots__ = ("_made", "_span", "table")

    def __init__(self, table: Table, span: range | None = None) -> None:
        self.table = table
        self._span = range(len(table.notes)) if span is None else span
        self._made: tuple[RequestSummary, ...] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Summaries, (self.table, self._span)

    @property
    def span(self) -> range:
        """Their places on the path."""
        return self._span

    def __len__(self) -> int:
        return len(self._span)

    @overload
    def __getitem__(self, at: int) -> RequestSummary: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[RequestSummary]: ...
    def __getitem__(self, at: int | slice) -> RequestSummary | Sequence[RequestSummary]:
        if self._made is not None:
            return self._made[at]
        if isinstance(at, slice):
            return Summaries(self.table, self._span[at])
        place = self._span[at]
        return next(self.table.made(place, place + 1))

    def __iter__(self) -> Iterator[RequestSummary]:
        if self._made is None and len(self) <= KEPT:
            self._made = tuple(self._each())
        return iter(self._made) if self._made is not None else self._each()

    def _each(self) -> Iterator[RequestSummary]:
        span = self._span
        if span.step != 1:
            for place in span:
                yield from self.table.made(place, place + 1)
            return
        for start in range(span.start, span.stop, _TOGETHER):
            yield from self.table.made(start, min(start + _TOGETHER, span.stop))

    def making(self) -> Iterator[None]:
        """Makes those that are kept, some at a time: for who must not be away for long."""
        if self._made is None and len(self) <= KEPT:
            made: list[RequestSummary] = []
            each = self._each()
            while some := tuple(islice(each, 64)):
                made += some
                yield
            self._made = tuple(made)

    @property
    def entries(self) -> array[int]:
        """Their rows."""
        every, span = self.table.replies.entry, self._span
        return every[span.start : span.stop] if span.step == 1 else array("q", map(every.__getitem__, span))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(other) == len(self) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Summaries({len(self)} requests)"


def with_breaks(summaries: Sequence[RequestSummary], broke: Mapping[int, Break]) -> Sequence[RequestSummary]:
    """The same requests with other breaks, by number."""
    if isinstance(summaries, Summaries):
        places = {number - 1: found for number, found in broke.items()}
        return Summaries(replace(summaries.table, broke=places), summaries.span)
    return tuple(replace(summary, broke=broke.get(summary.request.number)) for summary in summaries)


def entries_of(summaries: Sequence[RequestSummary]) -> array[int]:
    """The rows of requests, without making each of them where they are columns."""
    if isinstance(summaries, Summaries):
        return summaries.entries
    return array("q", (summary.request.entry for summary in summaries))


def summaries_of(
    replies: Replies,
    held: Iterable[tuple[Sequence[int], int | None]],
    costs: Sequence[Decimal | None],
    notes: Iterable[Note],
    broke: Mapping[int, Break],
) -> Summaries:
    """From the replies of a path: for each what its prompt held by ROLES and the compaction that applies, its cost
    (recorded or computed), its note; `broke`: breaks by place."""
    tokens, compaction = array("q"), array("q")
    for by_role, applies in held:
        tokens.extend(by_role)
        compaction.append(_NONE if applies is None else applies)
    computed = array("d", [math.nan]) * len(costs)
    exact: dict[int, Decimal] = {}
    sums: list[Decimal] = []
    total = Decimal(0)
    for at, cost in enumerate(costs):
        if at % _EVERY == 0:
            sums.append(total)
        if cost is None:
            continue
        total += cost
        if math.isnan(replies.cost[at]):
            value = float(cost)
            if Decimal(repr(value)) == cost:
                computed[at] = value
            else:
                exact[at] = cost
    return Summaries(
        Table(replies, tokens, compaction, computed, exact, tuple(sums), bytes(map(NOTES.index, notes)), broke)
    )
