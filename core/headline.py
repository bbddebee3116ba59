"""The answer first: one sentence about the prompt of a request, with the numbers that carry it.

    "Sent ●139,774 tokens, 70 % of the window: ●118,806 were read from the cache, ●20,968 written. …"
          └ strong, marked recorded

● = read from the file, ≈ = counted or computed by us (visual design 9). Which sentence it is follows from the recorded
usage alone; the words stand in the catalogues (`[headline]`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from core.assembled import Assembled
from core.cache import Break
from core.phrase import Phrase, phrase, render
from core.timeline import RequestSummary, Timeline

MARKS = {
    "headline.recorded": "●",
    "headline.estimated": "≈",
    "headline.estimated_cost": "≈",
    "headline.simulated": "◇",
}
"""Ids of the Phrases that are one marked number, and their mark."""

CAUSES = frozenset(
    {
        "below_minimum",
        "compaction",
        "lookback_exceeded",
        "messages_changed",
        "model_changed",
        "not_marked",
        "not_yet_available",
        "params_changed",
        "second_writer",
        "system_changed",
        "system_proven",
        "thinking_changed",
        "tools_changed",
        "ttl_expired",
    }
)
"""Causes of a break that have words; any other is told as unknown."""


def recorded(tokens: int) -> Phrase:
    """A number read from the file."""
    return phrase("headline.recorded", n=tokens)


def estimated(tokens: int) -> Phrase:
    """A number counted by us."""
    return phrase("headline.estimated", n=tokens)


def headline(assembled: Assembled, summary: RequestSummary | None, timeline: Timeline) -> Phrase:
    """One or two sentences about the request in focus; `summary` None = about what would be sent next."""
    if summary is None:
        return _unsent(assembled, timeline)
    if summary.broke is not None:
        return _broke(summary, summary.broke, timeline)
    unknown = phrase("headline.not_in_file") if assembled.unrecorded is not None else None
    return _two(_sent(summary, timeline), unknown)


def _sent(summary: RequestSummary, timeline: Timeline) -> Phrase:
    usage = summary.request.usage
    said = {"sent": recorded(usage.prompt), "share": _share(usage.prompt, timeline)}
    if usage.read and usage.write:
        return phrase("headline.sent_read_written", **said, read=recorded(usage.read), written=recorded(usage.write))
    if usage.read:
        return phrase("headline.sent_read", **said, read=recorded(usage.read), rest=recorded(usage.input))
    if summary.note == "below_minimum":
        return phrase("headline.sent_below_minimum", **said)
    if not usage.write:
        return phrase("headline.sent_uncached", **said)
    which = {"first": "sent_first", "nothing_before": "sent_nothing_before"}.get(summary.note, "sent_written")
    return phrase(f"headline.{which}", **said, written=recorded(usage.write))


def _broke(summary: RequestSummary, found: Break, timeline: Timeline) -> Phrase:
    usage = summary.request.usage
    first = phrase(
        "headline.broke_likely" if found.certainty == "likely" else "headline.broke",
        sent=recorded(usage.prompt),
        share=_share(usage.prompt, timeline),
        cause=cause(found),
    )
    return _two(first, _lost(found.lost, found.cost))


def _lost(tokens: int, cost: Decimal | None) -> Phrase:
    if cost is None:
        return phrase("headline.lost", lost=recorded(tokens))
    return phrase("headline.lost_cost", lost=recorded(tokens), cost=phrase("headline.estimated_cost", cost=cost))


def cause(found: Break) -> Phrase:
    """Why the cache broke, as a clause."""
    name = found.told
    if name not in CAUSES:
        return phrase("headline.cause.unknown")
    idle = found.gap_s if found.idle_s is None else found.idle_s
    if name == "ttl_expired" and idle is not None:
        return phrase("headline.cause.ttl_expired", idle=idle)
    return phrase("headline.cause.expired" if name == "ttl_expired" else f"headline.cause.{name}")


def _unsent(assembled: Assembled, timeline: Timeline) -> Phrase:
    tokens = sum(assembled.tokens) + (assembled.unrecorded or 0)
    said = {"sent": estimated(tokens), "share": _share(tokens, timeline)}
    if assembled.unrecorded is not None:
        return phrase("headline.would_send", **said)
    second = "headline.no_call" if not timeline.summaries else "headline.not_in_file"
    return _two(phrase("headline.would_send_messages", **said), phrase(second))


def _share(tokens: int, timeline: Timeline) -> Phrase:
    share = tokens / timeline.window if timeline.window > 0 else 0.0
    if timeline.window_known:
        return phrase("headline.share", share=share)
    return phrase("headline.share_assumed", share=share, window=timeline.window)


def _two(first: Phrase, second: Phrase | None) -> Phrase:
    return first if second is None else phrase("headline.two", first=first, second=second)


RunKind = Literal["plain", "mark", "strong"]


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of a sentence painted in one way: words, the mark of a number, or the number itself."""

    text: str
    kind: RunKind = "plain"


def runs(said: Phrase, language: str = "en") -> tuple[Run, ...]:
    """The sentence in pieces, so that numbers can be painted strong without any markup in the text.

    `"".join(run.text for run in runs(p, l)) == render(p, l)` for every sentence of this room.
    """
    found: list[Run] = []
    _collect(said, language, found)
    merged: list[Run] = []
    for run in found:
        if merged and merged[-1].kind == run.kind == "plain":
            merged[-1] = Run(merged[-1].text + run.text)
        elif run.text:
            merged.append(run)
    return tuple(merged)


def _collect(said: Phrase, language: str, found: list[Run]) -> None:
    mark = MARKS.get(said.id)
    nested = [value for _, value in said.values if isinstance(value, Phrase)]
    if mark is not None:
        head, there, tail = render(said, language).partition(mark)
        found.extend((Run(head, "strong"), Run(there, "mark"), Run(tail, "strong")))
    elif not nested:
        found.append(Run(render(said, language)))
    else:
        # The catalogue fills the sentence around stand-ins for its inner phrases, and the stand-ins are then replaced.
        stand_ins = {id(value): chr(_STAND_IN + place) for place, value in enumerate(nested)}
        values = tuple((name, stand_ins.get(id(value), value)) for name, value in said.values)
        for piece in _SPLIT.split(render(Phrase(said.id, values), language)):
            if len(piece) == 1 and 0 <= ord(piece) - _STAND_IN < len(nested):
                _collect(nested[ord(piece) - _STAND_IN], language, found)
            else:
                found.append(Run(piece))


_STAND_IN = 0xF0000  # a private-use plane that no sentence uses
_SPLIT = re.compile("([\U000f0000-\U000f00ff])")
