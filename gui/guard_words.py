"""What the axis "as the guard counts" says: the hover card of a request, and what a screen reader hears of it."""

from __future__ import annotations

from core.guard_limits import Limit
from core.guarded import Counted
from core.phrase import phrase
from core.timeline import Timeline
from gui.guard_columns import step_title
from gui.request_words import moment, time_of
from gui.translation import say


def guard_card(timeline: Timeline, number: int, counted: Counted | None, lines: tuple[Limit, ...]) -> tuple[str, ...]:
    """The hover card: what it is, how much came to the guard, what of it the guard took, and whether it gave up."""
    who = _who(timeline, number)
    if counted is None:
        return who, say(phrase("guard_axis.card.unknown"))
    limit = {line.kind: line.chars for line in lines}
    total = phrase("guard_axis.card.total", n=counted.total)
    if "cuts" in limit:
        total = phrase("guard_axis.card.total_limit", n=counted.total, limit=limit["cuts"])
    results, summary, assistant, user = counted.before
    sizes = {"results": results, "assistant": assistant, "user": user}
    roles = phrase("guard_axis.card.roles", **sizes)
    if summary:
        roles = phrase("guard_axis.card.roles_summary", summary=summary, **sizes)
    cut = phrase("guard_axis.card.whole")
    if counted.cut > 0:
        cut = phrase("guard_axis.card.cut", n=counted.cut, left=counted.left)
    largest = phrase("guard_axis.card.largest", n=counted.largest)
    if "single" in limit:
        largest = phrase("guard_axis.card.largest_limit", n=counted.largest, limit=limit["single"])
    said = [total, roles, cut, largest]
    if counted.stop:
        said.append(phrase("guard_axis.card.stop", step=step_title(counted.stop)))
    return who, *map(say, said)


def _who(timeline: Timeline, number: int) -> str:
    if number > len(timeline.summaries):
        return say(phrase("guard_axis.next"))
    when = moment(time_of(timeline.summaries[number - 1]))
    name = "request_at" if when else "request"
    return say(phrase(f"requests.card.{name}", n=number, time=when))


def guard_here(timeline: Timeline, number: int, counted: Counted | None, lines: tuple[Limit, ...]) -> str:
    """The inspection point in words, for those who do not see the plot."""
    last = len(timeline.summaries)
    who = phrase("guard_axis.request", n=number, all=last) if number <= last else phrase("guard_axis.next")
    if counted is None:
        return say(phrase("guard_axis.here_unknown", who=who))
    cuts = next((limit.chars for limit in lines if limit.kind == "cuts"), None)
    what = phrase("guard_axis.here", who=who, total=counted.total)
    if cuts is not None:
        what = phrase("guard_axis.here_limit", who=who, total=counted.total, limit=cuts)
    if counted.cut > 0:
        what = phrase("guard_axis.two", first=what, second=phrase("guard_axis.here_cut", n=counted.cut))
    if counted.stop:
        what = phrase("guard_axis.two", first=what, second=phrase("guard_axis.here_stop"))
    return say(what)
