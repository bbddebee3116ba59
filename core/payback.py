"""What a compaction costs and saves: its calls, the break of the cache, the tokens that no later request reads again.

    before   ████████████ read from the cache, request after request
    after    ███ written once (the break), then read                    saved a request: what is not read any more

Money in US dollars by the model's price; the provider's cache is assumed warm, as it is within a conversation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING

from core.messages import Usage
from core.models import Price, price_at
from core.timeline import Timeline

if TYPE_CHECKING:
    from core.summarizing import Call


_MILLION = Decimal(1_000_000)


@dataclass(frozen=True, slots=True)
class Payback:
    """`reclaimed`: tokens. `calls`: what the summarizer's calls cost, `broken`: what writing the new prompt costs more
    than reading it would, `saved`: by every request from then on. `requests`: after so many it has paid, None: never.
    """

    reclaimed: int
    calls: Decimal
    broken: Decimal
    saved: Decimal
    requests: int | None


def call_cost(calls: Sequence[Call], price: Price) -> Decimal:
    """Of all calls that were answered; a failed one costs nothing that is known."""
    return sum((price.of(Usage(input=c.input_tokens, output=c.output_tokens)) for c in calls if c.ok), Decimal(0))


def payback(before: int, after: int, calls: Sequence[Call], price: Price) -> Payback:
    """`before`, `after`: tokens of the prompt without what stays the same (tools and system)."""
    reclaimed = before - after
    spent = call_cost(calls, price)
    broken = after * max(Decimal(0), price.write - price.read) / _MILLION
    saved = reclaimed * price.read / _MILLION
    requests = ceil((spent + broken) / saved) if saved > 0 else None
    return Payback(reclaimed, spent, broken, saved, requests)


def recorded(timeline: Timeline) -> dict[int, Payback]:
    """Number of a request -> what the compaction in front of it came to, by recorded usage: how much smaller its prompt
    is than the one before, and what was written or sent uncached of it although it could have been read, had nothing
    changed. The summarizer's calls are not counted: few files record them."""
    found: dict[int, Payback] = {}
    for before, after in pairwise(timeline.summaries):
        if after.compaction is None or after.compaction == before.compaction:
            continue
        request, usage = after.request, after.request.usage
        size, left = before.request.usage.prompt, usage.prompt
        price = price_at(request.model, request.start if request.start is not None else request.end, left)
        if not size or not left or price is None:
            continue
        dearer = usage.write * (price.write - price.read) + usage.input * (price.input - price.read)
        broken = max(Decimal(0), dearer) / _MILLION
        saved = (size - left) * price.read / _MILLION
        paid = ceil(broken / saved) if saved > 0 else None
        found[request.number] = Payback(size - left, Decimal(0), broken, saved, paid)
    return found
