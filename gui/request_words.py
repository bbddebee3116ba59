"""What the requests dock says: the hover card of a request, the sentence of a range, what a screen reader hears."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal

from core.cache import Break
from core.leading_sizes import LeadingSizes
from core.phrase import Phrase, phrase
from core.timeline import RequestSummary, Timeline
from gui.compaction_mark import Marked
from gui.request_marks import SURE, paid_back
from gui.translation import say


def moment(time: int | None, form: str = "%Y-%m-%d %H:%M:%S") -> str:
    """Epoch ms as local time; "" when unknown."""
    return datetime.fromtimestamp(time / 1000).astimezone().strftime(form) if time is not None else ""


def form_for(times: Iterable[int | None]) -> str:
    """The shortest form that tells these times apart: without the date if they share it, without the year likewise."""
    days = {moment(time, "%Y-%m-%d") for time in times if time is not None}
    if len(days) <= 1:
        return "%H:%M:%S"
    return "%m-%d %H:%M:%S" if len({day[:4] for day in days}) == 1 else "%Y-%m-%d %H:%M:%S"


def time_of(summary: RequestSummary) -> int | None:
    """When the request left, else when its answer was complete."""
    return summary.request.start if summary.request.start is not None else summary.request.end


def money(value: Decimal | None, recorded: bool) -> Phrase:
    """Dollars with their mark; without a price, that."""
    if value is None:
        return phrase("requests.no_price")
    return phrase("requests.recorded_money" if recorded else "requests.estimated_money", m=value)


def spent(summaries: Iterable[RequestSummary]) -> Phrase:
    """Their cost together: recorded if all of it is."""
    found = tuple(summaries)
    costs = [summary.cost for summary in found if summary.cost is not None]
    recorded = len(costs) == len(found) and all(summary.cost_recorded for summary in found)
    return money(sum(costs, Decimal(0)) if costs else None, recorded)


def so_far(timeline: Timeline, number: int) -> Phrase:
    """The cost of the first `number` requests together."""
    found = timeline.summaries[:number]
    priced = any(summary.cost is not None for summary in found)
    return money(found[-1].total_cost if priced else None, all(summary.cost_recorded for summary in found))


def card(
    timeline: Timeline, number: int, looked_at: Marked | None = None, sizes: LeadingSizes | None = None
) -> tuple[str, ...]:
    """The hover card: at most six lines, what it is first. `looked_at`: a compaction that nobody made is told too.
    `sizes`: of tools and system prompt, where traces tell them."""
    above = _leading(sizes, number)
    if number > len(timeline.summaries):
        tools = timeline.summaries[-1].unrecorded if timeline.summaries else 0
        said = [phrase("requests.card.next", n=sum(timeline.next_tokens) + tools), _messages(timeline.next_tokens)]
        if tools:
            said.append(above or phrase("requests.card.unrecorded", n=tools))
        return tuple(say(line) for line in said)
    summary = timeline.summaries[number - 1]
    usage, when = summary.request.usage, moment(time_of(summary))
    said = [
        phrase("requests.card.request_at", n=number, time=when) if when else phrase("requests.card.request", n=number),
        phrase("requests.card.tokens", n=usage.prompt, share=usage.prompt / max(1, timeline.window)),
        _messages(summary.tokens),
    ]
    if usage.input and (usage.read or usage.write):
        said.append(phrase("requests.card.cache_uncached", read=usage.read, written=usage.write, uncached=usage.input))
    else:
        said.append(phrase("requests.card.cache", read=usage.read, written=usage.write))
    if summary.broke is not None:
        said.append(_lost(summary.broke))
    elif above is not None or summary.unrecorded:
        said.append(above or phrase("requests.card.unrecorded", n=summary.unrecorded))
    ours = looked_at is not None and looked_at.simulated and looked_at.request == number
    paid = looked_at.payback if ours and looked_at is not None else paid_back(timeline).get(number)
    if paid is not None:  # in place of what the messages are: six lines are enough
        kind = "_ours" if ours else ""
        never = "_never" if paid.requests is None else ""
        values = {"tokens": paid.reclaimed, "broken": paid.broken, "n": paid.requests}
        said[2] = phrase(f"compaction_tab.card{kind}{never}", **values)
    cost = money(summary.cost, summary.cost_recorded)
    said.append(phrase("requests.card.cost", cost=cost, total=so_far(timeline, number)))
    return tuple(say(line) for line in said)


def _leading(sizes: LeadingSizes | None, number: int) -> Phrase | None:
    if sizes is None or number > len(sizes.tools):
        return None
    tools, system = sizes.tools[number - 1], sizes.system[number - 1]
    return phrase("requests.card.leading", tools=tools, system=system) if tools or system else None


def _messages(tokens: tuple[int, ...]) -> Phrase:
    results, summary, assistant, user = tokens
    if not summary:
        return phrase("requests.card.messages", results=results, assistant=assistant, user=user)
    named = {"results": results, "summary": summary, "assistant": assistant, "user": user}
    return phrase("requests.card.messages_summary", **named)


def _lost(broke: Break) -> Phrase:
    cause = cause_phrase(broke)
    if broke.cost is None:
        return phrase("requests.card.lost", cause=cause, lost=broke.lost)
    return phrase("requests.card.lost_cost", cause=cause, lost=broke.lost, cost=broke.cost)


def cause_phrase(broke: Break) -> Phrase:
    """The cause in a word or two, and that it is only likely where it is."""
    cause = phrase(f"lane.{broke.told}")
    return cause if broke.certainty in SURE or broke.cause == "unknown" else phrase("requests.card.likely", cause=cause)


def range_sentences(timeline: Timeline, first: int, last: int) -> tuple[str, str]:
    """Cost, breaks and tokens of requests `first` … `last`; and a shorter sentence for where that finds no room."""
    chosen = timeline.summaries[first - 1 : last]
    facts: dict[str, object] = {
        "first": first,
        "last": last,
        "cost": spent(chosen),
        "breaks": phrase("requests.broken", n=sum(summary.broke is not None for summary in chosen)),
    }
    tokens = sum(summary.request.usage.prompt for summary in chosen)
    ids = ("range", "range_short") if last > first else ("range_one", "range_one_short")
    return say(phrase(f"requests.{ids[0]}", tokens=tokens, **facts)), say(phrase(f"requests.{ids[1]}", **facts))


def here(timeline: Timeline, number: int | None) -> str:
    """The inspection point in words."""
    if number is None or number > len(timeline.summaries):
        tools = timeline.summaries[-1].unrecorded if timeline.summaries else 0
        return say(phrase("requests.here_next", tokens=sum(timeline.next_tokens) + tools))
    summary = timeline.summaries[number - 1]
    usage = summary.request.usage
    said = phrase(
        "requests.here",
        n=number,
        all=len(timeline.summaries),
        tokens=usage.prompt,
        read=usage.read,
        written=usage.write,
        broke=say(_lost(summary.broke)) if summary.broke is not None else "",
    )
    return say(said).strip()
