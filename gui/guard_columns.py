"""The table of all requests as the guard counts: the axis in words. All its numbers are simulated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.guarded import Counted
from core.layer import layers
from core.phrase import literal, phrase
from core.timeline import RequestSummary, Timeline
from gui import numbers
from gui.request_columns import Column, Value
from gui.request_words import form_for, moment, time_of
from gui.translation import say


@dataclass(frozen=True, slots=True)
class CountedRow:
    """A request, or (`summary` None) what would be sent next. `counted` None: being counted."""

    number: int
    summary: RequestSummary | None
    counted: Counted | None


class GuardColumn(Column):
    """A column of the guard's table; its head stands in another part of the catalogue."""

    @property
    def head(self) -> str:
        return say(phrase(f"guard_axis.column.{self.id}"))


def counted_rows(timeline: Timeline, found: Callable[[int], Counted | None]) -> tuple[CountedRow, ...]:
    """Every request and what would be sent next; `found(number)` gives what is known of it."""
    rows = [
        CountedRow(summary.request.number, summary, found(summary.request.number)) for summary in timeline.summaries
    ]
    last = len(rows) + 1
    return (*rows, CountedRow(last, None, found(last)))


def counted_columns(timeline: Timeline) -> tuple[Column, ...]:
    form = form_for(map(time_of, timeline.summaries))
    results, summary, assistant, user = (_role(index) for index in range(4))
    return (
        Column("request", _name, lambda row: row.number),
        Column("time", lambda row: moment(_time(row), form), _time, False),
        _chars("total", lambda counted: counted.total),
        _chars("cut", lambda counted: max(0, counted.cut)),
        _chars("left", lambda counted: counted.left),
        GuardColumn("stop", _stop, lambda row: row.counted.stop if row.counted is not None else "", False),
        _chars("largest", lambda counted: counted.largest),
        _chars("results", results),
        _chars("assistant", assistant),
        _chars("user", user),
        _chars("summary", summary),
    )


def step_title(instance: str) -> str:
    """The name of a step by its instance."""
    layer = layers().get(instance.partition("#")[0])
    return say(layer.TITLE) if layer is not None else say(literal(instance))


def _name(row: CountedRow) -> str:
    return numbers.count(row.number) if row.summary is not None else say(phrase("requests.next"))


def _time(row: CountedRow) -> int | None:
    return time_of(row.summary) if row.summary is not None else None


def _stop(row: CountedRow) -> str:
    return step_title(row.counted.stop) if row.counted is not None and row.counted.stop else ""


def _role(index: int) -> Callable[[Counted], int]:
    return lambda counted: counted.before[index]


def _chars(id: str, ask: Callable[[Counted], int]) -> Column:
    def value(row: CountedRow) -> Value:
        return ask(row.counted) if row.counted is not None else None

    def text(row: CountedRow) -> str:
        found = value(row)
        return "…" if found is None else numbers.count(found)

    return GuardColumn(id, text, value)
