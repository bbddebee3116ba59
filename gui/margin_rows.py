"""The estimates of one request as rows of bars: parts by role, the margin that each adds, how often it was enough."""

from __future__ import annotations

from core.estimators import PARTS, Coverage, Estimate, Explained
from core.phrase import phrase
from gui import numbers
from gui.figures import Column, Figure, Figures, Piece, Value
from gui.numbers import Mark
from gui.translation import language, say

ROLES = {"user": "user", "reply": "assistant", "result": "toolResult", "summary": "summary"}
"""The role whose colour a part of an estimate has."""
LEGEND = ("toolResult", "summary", "assistant", "user")
ORDER = ("result", "summary", "reply", "user")
"""Parts in a bar, as in the budget above a prompt."""


NEAR = 0.95
"""Share of the recorded size from which on an estimate is near enough not to be told as too low."""


def mark_of(estimate: Estimate) -> Mark:
    return Mark.RECORDED if estimate.id == "recorded" else Mark.ESTIMATED


def figures(found: Explained) -> Figures:
    """A row an estimate; the recorded size is a line over all bars."""
    recorded = next((item.tokens for item in found.margins.estimates if item.id == "recorded"), None)
    rows = tuple(_row(item, found.covered(item.id)) for item in found.margins.estimates)
    columns = [Column(say(phrase("margins.column.tokens")), 92)]
    if recorded is not None:
        columns.append(Column(say(phrase("margins.column.ratio")), 84))
    if found.coverage:
        columns.append(Column(say(phrase("margins.column.enough")), 96))
    title = say(phrase("margins.recorded")) if recorded is not None else ""
    kept = tuple(_columns(row, recorded is not None, bool(found.coverage)) for row in rows)
    return Figures(kept, tuple(columns), say(phrase("margins.head")), recorded, title)


def _columns(row: Figure, ratio: bool, enough: bool) -> Figure:
    """Without the numbers that nothing is known of."""
    tokens, of_recorded, covered = row.values
    values = (tokens, *((of_recorded,) if ratio else ()), *((covered,) if enough else ()))
    return Figure(row.id, row.title, row.note, row.bars, values, row.words)


def _row(item: Estimate, covered: Coverage | None) -> Figure:
    mark, locale = mark_of(item), language()
    note = ""
    if covered is not None:
        note = say(phrase("margins.spread", middle=covered.middle, low=covered.low, high=covered.high))
    if item.parts:
        by_part = dict(zip(PARTS, item.parts, strict=True))
        bar = tuple(Piece(ROLES[part], by_part[part]) for part in ORDER if by_part[part])
    else:
        bar = (Piece("a", item.tokens),)
    ratio = numbers.percent(item.ratio, locale) if item.ratio is not None else ""
    enough = numbers.percent(covered.covered, locale) if covered is not None else ""
    words = [say(item.title), numbers.spoken(numbers.tokens(item.tokens), mark)]
    words += [say(phrase("margins.spoken_ratio", ratio=item.ratio))] if item.ratio is not None else []
    words += [say(phrase("margins.spoken_enough", share=covered.covered))] if covered is not None else []
    return Figure(
        item.id,
        say(item.title),
        note,
        (bar,),
        (
            Value(numbers.tokens(item.tokens, mark), strong=item.id == "recorded"),
            Value(ratio, _tone(item)),
            Value(enough),
        ),
        ", ".join(words),
    )


def _tone(item: Estimate) -> str:
    """An estimate well under what was recorded is the one that overflows."""
    return "diff_text" if item.ratio is not None and item.ratio < NEAR else "ink"


def detail(item: Estimate, found: Explained) -> tuple[str, str]:
    """(title, words) of the estimate in focus."""
    words = [say(item.explanation)]
    if item.base:
        base = next(other for other in found.margins.estimates if other.id == item.base)
        said = phrase("margins.adds", margin=item.margin, base=base.title, tokens=base.tokens)
        words.append(say(said))
    if item.id == "recorded" and found.margins.prompt is not None and found.margins.unrecorded is not None:
        said = phrase("margins.difference", prompt=found.margins.prompt, unrecorded=found.margins.unrecorded)
        words.append(say(said))
    return say(item.title), " ".join(words)
