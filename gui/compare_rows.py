"""What two profiles do to one request, in one sentence and as rows with two bars: A above, B below."""

from __future__ import annotations

from collections.abc import Callable

from core.compared import Compared, Sent
from core.phrase import Phrase, phrase
from gui import numbers
from gui.figures import Column, Figure, Figures, Piece, Value
from gui.numbers import Mark
from gui.translation import say

MEASURES: tuple[tuple[str, Callable[[Sent], int]], ...] = (
    ("tokens", lambda side: side.total),
    ("cut", lambda side: len(side.cut)),
    ("emptied", lambda side: len(side.emptied)),
    ("hidden", lambda side: side.hidden),
    ("dropped", lambda side: side.dropped),
)
"""By id; the last one only where a side dropped anything."""


def headline(found: Compared) -> Phrase:
    """Where they part and what it costs."""
    if found.first is None:
        return phrase("compare.same")
    a, b = map(_did, (found.a, found.b))
    first = phrase("compare.answer", a=a, b=b)
    lost = phrase("headline.simulated", n=found.behind[1])
    said = {"block": found.first.block + 1, "lost": lost}
    if found.cost is None:
        return phrase("headline.two", first=first, second=phrase("compare.parts", **said))
    cost = phrase("headline.estimated_cost", cost=found.cost)
    return phrase("headline.two", first=first, second=phrase("compare.parts_cost", **said, cost=cost))


def _did(side: Sent) -> Phrase:
    cut, emptied = len(side.cut), len(side.emptied)
    if cut and emptied:
        return phrase("compare.did.both", cut=cut, emptied=emptied)
    if not cut and not emptied:
        return phrase("compare.did.nothing")
    return phrase("compare.did.cut", n=cut) if cut else phrase("compare.did.emptied", n=emptied)


def figures(found: Compared) -> Figures:
    rows = tuple(
        _row(name, measure(found.a), measure(found.b))
        for name, measure in MEASURES
        if name != "dropped" or found.a.dropped or found.b.dropped
    )
    behind = _row("behind", *found.behind) if found.first is not None else None
    columns = (Column("A", 84), Column("B", 84), Column(say(phrase("compare.column.difference")), 84))
    whole = (*rows, behind) if behind is not None else rows
    return Figures(whole, columns, say(phrase("compare.head")), apart=True)


def _row(name: str, a: int, b: int) -> Figure:
    values = [numbers.tokens(n, Mark.SIMULATED) for n in (a, b)]
    words = phrase("compare.spoken", title=phrase(f"compare.measure.{name}"), a=a, b=b)
    difference = b - a
    return Figure(
        name,
        say(phrase(f"compare.measure.{name}")),
        "",
        ((Piece("a", a),), (Piece("b", b),)),
        (
            Value(values[0]),
            Value(values[1], strong=True),
            Value(numbers.delta(difference), "ink" if difference else "ink3"),
        ),
        say(words),
    )
