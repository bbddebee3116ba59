"""Breaks under two pairs of thresholds as rows of bars: what was read of what was there, its price, what changes."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from core.break_thresholds import USUAL, Limits, Shift, Shifts
from core.layer import Gauge
from core.observation import AGENT
from core.phrase import Phrase, phrase
from core.settings import Number
from gui import numbers
from gui.figures import Column, Figure, Figures, Piece, Value
from gui.numbers import Mark
from gui.translation import say

LAYER = "cache_break"
"""Under which the words of the three settings stand."""
SPECS = {
    "share": Number(AGENT.share, 0.5, 1.0, "share", False, 0.005, ""),
    "tokens": Number(AGENT.tokens, 0, 50_000, "tokens", True, 20, "lost"),
    "ours": Number(USUAL.ours, 0.0, 0.6, "share", False, 0.0005, "missing"),
}
"""Long ranges have steps enough for a track that is logarithmic."""


def values_of(limits: Limits) -> dict[str, float]:
    return {"share": limits.agent.share, "tokens": limits.agent.tokens, "ours": limits.ours}


def gauge(field: str, measured: Mapping[str, float], limit: float) -> Gauge | None:
    """What was measured of the row in focus beside its threshold; a share that has to be low has no excess to show."""
    if field not in measured:
        return None
    spec = SPECS[field]
    return Gauge(spec.gauge, measured[field], limit, spec.unit)


def measured_words(field: str, measured: Mapping[str, float]) -> str:
    """The same in words, which is recorded."""
    if field not in measured:
        return ""
    return say(phrase(f"thresholds.measured_{field}", value=measured[field]))


def headline(found: Shifts, moved: bool) -> Phrase:
    """How many there are and what they cost; what a move brings and takes."""
    first = phrase("thresholds.answer", n=found.after.breaks, cost=_cost(found.after.cost))
    if not moved:
        more = phrase("thresholds.move", n=found.quiet) if found.quiet else phrase("thresholds.move_all")
        return phrase("headline.two", first=first, second=more)
    if not found.appear.breaks and not found.vanish.breaks:
        return phrase("headline.two", first=first, second=phrase("thresholds.same"))
    appear = phrase("thresholds.appear", n=found.appear.breaks, cost=_cost(found.appear.cost))
    vanish = phrase("thresholds.vanish", n=found.vanish.breaks, cost=_cost(found.vanish.cost))
    if found.appear.breaks and found.vanish.breaks:
        second = phrase("thresholds.changes", appear=appear, vanish=vanish)
    else:
        second = phrase("thresholds.change", what=appear if found.appear.breaks else vanish)
    return phrase("headline.two", first=first, second=second)


def _cost(cost: Decimal) -> Phrase:
    return phrase("headline.estimated_cost", cost=cost)


def figures(found: Shifts) -> Figures:
    """A row a break under either thresholds: those that come and go first, then by request."""
    rows = sorted(found.rows, key=lambda row: not (row.appears or row.vanishes))
    columns = (
        Column(say(phrase("thresholds.column.lost")), 84),
        Column(say(phrase("thresholds.column.cost")), 76),
        Column(say(phrase("thresholds.column.change")), 92),
    )
    return Figures(tuple(_row(row) for row in rows), columns, say(phrase("thresholds.head", n=len(rows))))


def change_of(row: Shift) -> str:
    return "appears" if row.appears else "vanishes" if row.vanishes else "stays"


def _row(row: Shift) -> Figure:
    broke, change = row.candidate.found, change_of(row)
    cause = phrase(f"cause.{broke.cause.partition('(')[0]}")
    title = say(phrase("thresholds.row", number=broke.request, cause=cause))
    note = say(phrase("thresholds.note", who=_who(row), expected=broke.expected, read=broke.read))
    cost = "–" if broke.cost is None else numbers.money(broke.cost, mark=Mark.ESTIMATED)
    word = say(phrase(f"thresholds.{change}"))
    quiet = "ink3" if row.vanishes else "ink"
    tone = {"appears": "warning", "vanishes": "ink3", "stays": "ink2"}[change]
    bar = (Piece("read", min(broke.read, broke.expected)), Piece("cut", max(0, broke.lost)))
    return Figure(
        str(broke.request),
        title,
        note,
        (bar,),
        (
            Value(numbers.tokens(broke.lost, Mark.RECORDED), quiet),
            Value(cost, quiet),
            Value(word, tone, change != "stays"),
        ),
        ", ".join((title, word, note, cost)),
    )


def _who(row: Shift) -> Phrase:
    """Which detectors call it a break; of one that is gone, which did."""
    told = row.after or row.before
    name = "both" if len(told) > 1 else next(iter(told))
    return phrase(f"thresholds.by_{name}")


def detail(row: Shift) -> tuple[str, str]:
    """(title, words): why it is or is not a break, in both detectors' numbers."""
    broke, words = row.candidate.found, []
    if row.candidate.last is not None:
        values = {"read": broke.read, "last": round(row.candidate.last)}
        values |= {"less": round(row.candidate.last) - broke.read}
        share = broke.read / row.candidate.last
        words.append(say(phrase("thresholds.agent", share=share, **values)))
    else:
        words.append(say(phrase("thresholds.agent_none")))
    if broke.expected > 0:
        words.append(say(phrase("thresholds.ours", share=broke.lost / broke.expected, expected=broke.expected)))
    words.append(say(broke.why))
    return say(phrase("thresholds.request", number=broke.request)), " ".join(words)
