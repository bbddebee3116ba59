"""What the plots of the requests dock show of a session: arrays, marks and facts. Import it with the plots.

made by the worker for a long session, here for a short one  ─▶  with what traces tell: tools and system in their
sizes, breaks with the causes that were read off them
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.leading_sizes import LeadingSizes
from core.phrase import phrase
from core.timeline import Timeline
from gui.ahead import Ahead
from gui.request_frame import Facts
from gui.request_marks import Mark, marks
from gui.request_series import Series, series, with_leading
from gui.request_words import money, so_far
from gui.state import State
from gui.translation import say


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    series: Series
    marks: Sequence[Mark]
    facts: Facts


def shown(state: State, sizes: LeadingSizes | None) -> Shown:
    """Of the path in view. `sizes`: of tools and system prompt, where traces tell them."""
    timeline = state.timeline
    ahead = state.arranged.plotted if isinstance(state.arranged, Ahead) else None
    if ahead is None:
        arrays, spent = series(timeline), so_far(timeline, len(timeline.summaries))
    else:
        arrays, spent = ahead.series, money(ahead.cost, ahead.cost_recorded)
    if sizes is not None:
        arrays = with_leading(arrays, sizes)
    used = bool(timeline.summaries)
    facts = Facts(
        window=timeline.window,
        assumed=not timeline.window_known,
        cost=say(spent) if used else "",
        uncached=arrays.uncached,
        said="" if used else say(phrase("requests.no_usage")),
    )
    made = ahead is None or state.marked is not None
    found = marks(timeline, state.marked) if ahead is None or made else retold(ahead.marks, timeline)
    return Shown(arrays, found, facts)


def retold(found: Sequence[Mark], timeline: Timeline) -> Sequence[Mark]:
    """Marks that the worker made before the traces were read, with the causes that these show."""
    told = {item.request: item.told for item in timeline.breaks if item.place is not None}
    if not told:
        return found
    return tuple(
        replace(mark, cause=told[mark.request], sure=True) if mark.broke and mark.request in told else mark
        for mark in found
    )


def top_of(shown: Series | None) -> tuple[str, ...]:
    """What stands on the messages in the plot, for the legend."""
    if shown is None or "tools" not in shown.levels:
        return ("unrecorded",)
    return ("system", "tools", "unrecorded") if shown.rest else ("system", "tools")
