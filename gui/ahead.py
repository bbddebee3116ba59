"""What the worker lays out of a long session, so that the window has only to show it. No Qt in here.

session, timeline ─▶ graph: rows, folds, lanes (core/arranged.py) · plot: series, marks, money
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from decimal import Decimal

from core.arranged import Arranged, arrange
from core.session import Session
from core.timeline import Timeline
from gui.request_marks import Mark, marks
from gui.request_series import Series, series

TOGETHER = 2_048
"""Requests between two pauses."""
WORTH = 1_000
"""Entries from which on laying out is felt."""


@dataclass(frozen=True, slots=True, eq=False)
class Plotted:
    """The requests of a timeline as the plot takes them. `cost`: of all of them in US dollars, None without a price;
    `cost_recorded`: all of it is recorded."""

    series: Series
    marks: tuple[Mark, ...]
    cost: Decimal | None
    cost_recorded: bool


@dataclass(frozen=True, slots=True, eq=False)
class Ahead(Arranged):
    """The graph, and the plot of the same timeline."""

    plotted: Plotted


def lay_out(session: Session, timeline: Timeline, pause: Callable[[], object] = lambda: None) -> Ahead | None:
    """None for a session that the window lays out itself before anybody notices. `pause` is called now and then: of a
    million entries it takes long, and somebody may be in a hurry."""
    if len(session) < WORTH:
        return None
    graph = arrange(session, timeline)
    pause()
    return Ahead(*(getattr(graph, one.name) for one in fields(graph)), plotted(timeline, pause))


def plotted(timeline: Timeline, pause: Callable[[], object] = lambda: None) -> Plotted:
    summaries = []
    for number, summary in enumerate(timeline.summaries):  # asked for all of them several times
        summaries.append(summary)
        if number % TOGETHER == 0:
            pause()
    made = replace(timeline, summaries=tuple(summaries))
    priced = any(summary.cost is not None for summary in made.summaries)
    return Plotted(
        series(made),
        marks(made),
        made.summaries[-1].total_cost if priced else None,
        all(summary.cost_recorded for summary in made.summaries),
    )
