"""The columns of the two tables of the requests dock: every request of the path, and its cache breaks.

A column says how a row looks in it (`text`), what it is sorted by and copied as (`value`), and its head.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from core.cache import Break
from core.leading_sizes import LeadingSizes
from core.phrase import phrase
from core.timeline import RequestSummary, Timeline
from gui import numbers
from gui.request_words import form_for, moment, money, time_of
from gui.translation import language, say
from gui.visible import visible_line

Value = Any
"""A number or text that sorts; None where there is none."""


@dataclass(frozen=True, slots=True)
class Column:
    """`text(row)` for the eye, `value(row)` to sort by, `copied(row)` for the clipboard (None: the value)."""

    id: str
    text: Callable[[Any], str]
    value: Callable[[Any], Value]
    numeric: bool = True
    copied: Callable[[Any], str] | None = None
    cause: Callable[[Any], str] = lambda _: ""
    """Name of a cause whose icon stands before the text."""

    @property
    def head(self) -> str:
        return say(phrase(f"requests.column.{self.id}"))

    def plain(self, row: Any) -> str:
        """The cell as spreadsheets take it: digits without separators."""
        if self.copied is not None:
            return self.copied(row)
        value = self.value(row)
        return "" if value is None else str(value)


@dataclass(frozen=True, slots=True)
class Unsent:
    """The row of what would be sent next: its number, tokens by ROLES, tools and system."""

    number: int
    tokens: tuple[int, ...]
    unrecorded: int


Row = RequestSummary | Unsent


def request_rows(timeline: Timeline) -> tuple[Row, ...]:
    """Every request, and what would be sent next."""
    summaries = timeline.summaries
    tools = summaries[-1].unrecorded if summaries else 0
    return (*summaries, Unsent(len(summaries) + 1, timeline.next_tokens, tools))


def number_of(row: Any) -> int:
    """The request that a row of any of the tables stands for; one more than there are for what would be sent next."""
    if isinstance(row, RequestSummary):
        return row.request.number
    number: int = row.request if isinstance(row, Break) else row.number
    return number


def request_columns(timeline: Timeline, sizes: LeadingSizes | None = None) -> tuple[Column, ...]:
    """Request, time, tokens, cache, money, break. A head holds the mark that all numbers of its column share. `sizes`:
    of tools and system prompt, where traces tell them."""
    all_recorded = all(summary.cost_recorded for summary in timeline.summaries)
    money_head = "cost_recorded" if all_recorded else "cost"
    form = form_for(map(time_of, timeline.summaries))
    results, summary, assistant, user = (_role(index) for index in range(4))
    return (
        Column("request", _number, number_of),
        Column(
            "time", _of(lambda s: moment(time_of(s), form)), _of(time_of, None), False, _of(lambda s: _iso(time_of(s)))
        ),
        Column("total", lambda row: numbers.tokens(_total(row), _mark(row)), _total),
        _tokens("results", results),
        _tokens("assistant", assistant),
        _tokens("user", user),
        _tokens("summary", summary),
        *_leading(sizes),
        _tokens("read", _of(lambda s: s.request.usage.read, None)),
        _tokens("written", _of(lambda s: s.request.usage.write, None)),
        _tokens("uncached", _of(lambda s: s.request.usage.input, None)),
        Column(money_head, _of(lambda s: _cost(s, all_recorded)), _of(lambda s: s.cost, None)),
        _tokens("lost", _broken(lambda broke: broke.lost)),
        _cause(_broken(lambda broke: broke.told)),
        _word("certainty", _broken(lambda broke: phrase(f"certainty.{broke.certainty}"))),
    )


def _leading(sizes: LeadingSizes | None) -> tuple[Column, ...]:
    if sizes is None:
        return (_tokens("unrecorded", lambda row: row.unrecorded),)
    system, tools = sizes.system, sizes.tools

    def rest(row: Any) -> int:
        at = number_of(row) - 1
        return max(0, row.unrecorded - system[at] - tools[at])

    return (
        _tokens("system", lambda row: system[number_of(row) - 1]),
        _tokens("tools", lambda row: tools[number_of(row) - 1]),
        _tokens("unrecorded", rest),
    )


def break_columns(timeline: Timeline) -> tuple[Column, ...]:
    """What was there, what was read, what it cost, why, and who noticed; by a trace, at which block and character."""
    form = form_for(broke.time for broke in timeline.breaks)
    traced = any(broke.place is not None for broke in timeline.breaks)
    return (
        Column("request", lambda b: numbers.count(b.request), lambda b: b.request),
        Column("time", lambda b: moment(b.time, form), lambda b: b.time, False, lambda b: _iso(b.time)),
        Column("gap", lambda b: _gap(b.gap_s), lambda b: b.gap_s),
        _tokens("expected", lambda b: b.expected),
        _tokens("read", lambda b: b.read),
        _tokens("lost", lambda b: b.lost),
        Column("lost_cost", lambda b: "–" if b.cost is None else numbers.money(b.cost), lambda b: b.cost),
        _cause(lambda b: b.told),
        *([_word("where", lambda b: b.where)] if traced else []),
        _word("certainty", lambda b: phrase(f"certainty.{b.certainty}")),
        _word("detectors", lambda b: phrase(f"requests.detector.{_found_by(b)}")),
        _word("why", lambda b: b.why),
    )


def _number(row: Row) -> str:
    return say(phrase("requests.next")) if isinstance(row, Unsent) else numbers.count(row.request.number)


def _of(ask: Callable[[RequestSummary], Value], otherwise: Value = "") -> Callable[[Row], Value]:
    """The question for a request; what would be sent next has no answer."""
    return lambda row: otherwise if isinstance(row, Unsent) else ask(row)


def _broken(ask: Callable[[Break], Value], otherwise: Value = None) -> Callable[[Row], Value]:
    def asked(row: Row) -> Value:
        broke = None if isinstance(row, Unsent) else row.broke
        return otherwise if broke is None else ask(broke)

    return asked


def _role(index: int) -> Callable[[Row], int]:
    return lambda row: row.tokens[index]


def _total(row: Row) -> int:
    return sum(row.tokens) + row.unrecorded if isinstance(row, Unsent) else row.request.usage.prompt


def _mark(row: Row) -> numbers.Mark | None:
    """The head's ● does not hold for what would be sent next."""
    return numbers.Mark.ESTIMATED if isinstance(row, Unsent) else None


def _tokens(id: str, ask: Callable[[Any], int | None]) -> Column:
    def text(row: Any) -> str:
        value = ask(row)
        return "" if value is None else numbers.tokens(value)

    return Column(id, text, ask)


def _cost(summary: RequestSummary, marked: bool) -> str:
    if summary.cost is None:
        return "–"
    return numbers.money(summary.cost) if marked else say(money(summary.cost, summary.cost_recorded))


def _cause(ask: Callable[[Any], str | None]) -> Column:
    def text(row: Any) -> str:
        name = ask(row)
        return "" if name is None else say(phrase(f"cause.{name}"))

    return Column("cause", text, lambda row: text(row) or None, numeric=False, cause=lambda row: ask(row) or "")


def _word(id: str, ask: Callable[[Any], Any]) -> Column:
    def text(row: Any) -> str:
        said = ask(row)
        return "" if said is None else visible_line(say(said))

    return Column(id, text, lambda row: text(row) or None, numeric=False)


def _found_by(broke: Break) -> str:
    return "both" if len(broke.detectors) > 1 else next(iter(broke.detectors))


def _gap(seconds: float | None) -> str:
    return "–" if seconds is None else numbers.duration(seconds, language())


def _iso(time: int | None) -> str:
    return moment(time, "%Y-%m-%dT%H:%M:%S%z")
