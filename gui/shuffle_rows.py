"""What-ifs for the cache as rows of bars: still read (solid), written again (striped), and what that costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from core.phrase import Phrase, phrase
from core.shuffle import Head, Reading, Shuffle, Spent, along, capabilities_of, marks_of, shuffles, spent_of
from gui import numbers
from gui.figures import Column, Figure, Figures, Piece, Value
from gui.numbers import Mark
from gui.state import State
from gui.translation import say


@dataclass(frozen=True, slots=True)
class Shuffled:
    """The what-ifs of one request."""

    head: Head
    spent: Spent
    found: tuple[Shuffle, ...]

    def worst(self) -> Shuffle | None:
        """The one that costs most here; None where none costs anything."""
        most = max(self.found, key=lambda item: (item.lost, item.kind == "time_above"), default=None)
        return most if most is not None and most.lost else None


def shuffled(state: State) -> Shuffled:
    """Of the request in focus."""
    assembled, summaries = state.assembled, state.timeline.summaries
    head = Head.of_prompt(assembled)
    spent = spent_of(assembled, summaries)
    found = shuffles(head, spent, marks_of(state.session.format), capabilities_of(head))
    return Shuffled(head, spent, found)


def headline(shown: Shuffled) -> Phrase:
    """What the worst one would do to this request."""
    if not shown.spent.cached:
        return phrase("shuffle.nothing_read")
    worst = shown.worst()
    if worst is None:
        return phrase("shuffle.harmless")
    lost = phrase("headline.estimated", n=worst.lost)
    read = phrase("headline.recorded", n=shown.spent.cached)
    first = phrase("shuffle.worst", title=worst.title, lost=lost, read=read)
    if worst.cost is None:
        return first
    cost = phrase("headline.estimated_cost", cost=worst.cost)
    safe = next((item for item in shown.found if item.kind == "time_below"), None)
    if safe is None or safe.lost >= worst.lost:
        return phrase("headline.two", first=first, second=phrase("shuffle.costs", cost=cost))
    kept = phrase("headline.estimated", n=safe.kept)
    return phrase("headline.two", first=first, second=phrase("shuffle.costs_below", cost=cost, kept=kept))


def figures(shown: Shuffled, read: Sequence[Reading] | None) -> Figures:
    """`read`: of every request of the path, None while that is not known yet."""
    rows = tuple(_row(item, along(read, item.kept) if read is not None else None) for item in shown.found)
    columns = (
        Column(say(phrase("shuffle.column.lost")), 100),
        Column(say(phrase("shuffle.column.cost")), 84),
        Column(say(phrase("shuffle.column.session")), 104),
    )
    return Figures(rows, columns, say(phrase("shuffle.head", read=shown.spent.cached)))


def _row(item: Shuffle, session: tuple[int, Decimal] | None) -> Figure:
    bar = (Piece("read", item.kept), Piece("written", item.lost))
    lost = numbers.tokens(item.lost, Mark.ESTIMATED) if item.lost else "0"
    cost = _money(item.cost) if item.lost else "0"
    whole = "…" if session is None else "–" if item.cost is None else _money(session[1]) if session[0] else "0"
    words = ", ".join((say(item.title), say(item.why), *((cost,) if item.lost else ())))
    note = say(item.why) if item.section is None else say(phrase(f"shuffle.short.{item.section}"))
    quiet = "ink" if item.lost else "ink3"
    return Figure(
        item.kind,
        say(item.title),
        note,
        (bar,),
        (Value(lost, quiet), Value(cost, quiet, bool(item.lost)), Value(whole, quiet)),
        words,
    )


def _money(cost: Decimal | None) -> str:
    return numbers.money(cost, mark=Mark.ESTIMATED, signed=True) if cost is not None else "–"


def detail(item: Shuffle, format: str) -> tuple[str, str]:
    """(title, words) of the what-if in focus: where the first difference lies, and how it is known."""
    words = [say(item.why)]
    if not item.recorded:
        words.append(say(phrase("shuffle.assumed")))
    words.append(say(phrase(f"shuffle.marks_{'openclaw' if format == 'openclaw' else 'pi'}")))
    return say(item.title), " ".join(words)


def texts(item: Shuffle) -> Sequence[tuple[str, str, int]]:
    """(head, text, character that differs first) of both sides; () where the text is not recorded."""
    if not item.before and not item.after:
        return ()
    at = next(
        (i for i, (a, b) in enumerate(zip(item.before, item.after, strict=False)) if a != b),
        min(len(item.before), len(item.after)),
    )
    heads = [say(phrase(f"shuffle.{name}")) for name in ("one_request", "next_request")]
    return [(heads[0], item.before, at), (heads[1], item.after, at)]
