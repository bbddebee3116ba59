"""Models: windows, dated prices, and what is known of their prompt caches. The data is `resources/models.json`.

Prices are data with a date and a source, never constants in code: a session is priced with what its day cost. All money
is `Decimal`, in US dollars; prices are per million tokens. A person's own table has the same form and wins, row by row.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from math import floor
from pathlib import Path
from typing import Any

from core.errors import UnreadableFile
from core.messages import Usage
from core.phrase import phrase

DEFAULT_WINDOW = 200_000
"""The window an agent assumes when nothing names one (OpenClaw, recorded cases of layer g)."""

_MILLION = Decimal(1_000_000)
_FAMILY = re.compile(r"(?:claude|gpt|gemini|deepseek|grok)-")
_SUFFIX = re.compile(r"(?:-v\d+)?:[a-z0-9-]+$|-v\d+$|-20\d{6}$|-20\d\d-\d\d-\d\d$|-latest$|\[[^\]]*\]$")


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens. `write` and `write_1h`: into short-lived and long-lived cache entries (5 minutes
    and 1 hour at Anthropic, 30 minutes and 12 hours at OpenAI); where writing is free of charge they equal `input`.
    """

    input: Decimal
    output: Decimal
    read: Decimal
    write: Decimal
    write_1h: Decimal

    def of(self, usage: Usage) -> Decimal:
        """US dollars, exact. `usage.write` contains `usage.write_1h`."""
        return (
            usage.input * self.input
            + usage.output * self.output
            + usage.read * self.read
            + (usage.write - usage.write_1h) * self.write
            + usage.write_1h * self.write_1h
        ) / _MILLION


@dataclass(frozen=True, slots=True)
class DatedPrice:
    """A price and when it holds: from `since` (inclusive) until `until` (exclusive), midnight UTC, None = open; for
    requests whose whole prompt is larger than `above` tokens."""

    price: Price
    since: date | None
    until: date | None
    above: int


@dataclass(frozen=True, slots=True)
class Model:
    """`context`, `max_output`, `minimum` (the shortest prefix that is cached) in tokens; None where no source says it,
    but `context` is then the window agents assume. `context_max`: the window with a beta switch. `policy`: an id of the
    cache policies, None if unknown; `lifetime_s`: of that policy's entries, None where nothing is promised.
    `source` and `as_of`: where the row comes from, and the day for which it was written down.
    """

    id: str
    patterns: tuple[str, ...]
    family: str
    policy: str | None
    lifetime_s: float | None
    context: int
    context_max: int
    max_output: int | None
    minimum: int | None
    prices: tuple[DatedPrice, ...]
    source: tuple[str, ...]
    as_of: date
    note: str


def find(model_id: str, override: Path | None = None) -> Model | None:
    """The row whose pattern fits `model_id` best (the longest pattern wins); None for a model that is not listed.

    Provider, region, date and version are left out of the comparison, and dots equal dashes:
    `anthropic/claude-sonnet-4.5`, `us.anthropic.claude-sonnet-4-5-20250929-v1:0` and `claude-sonnet-4-5@20250929` are
    one model. A variant that has prices of its own (`gpt-5-nano`) is not taken for its neighbour.
    """
    return _find(plain_id(model_id), override)


def price_at(model: Model | str, when_ms: int | None, prompt_tokens: int, override: Path | None = None) -> Price | None:
    """What a request with so large a prompt (cached tokens included) cost at `when_ms` (epoch milliseconds).

    An unknown time counts as the day for which the row was written down. None: no price is known. The tier of a large
    prompt holds for the whole request (provider price lists, prompt cache 4).
    """
    known = find(model, override) if isinstance(model, str) else model
    if known is None:
        return None
    day = known.as_of if when_ms is None else _day(when_ms)
    chosen: DatedPrice | None = None
    for row in known.prices:
        in_time = (row.since is None or row.since <= day) and (row.until is None or day < row.until)
        if in_time and (prompt_tokens > row.above or not row.above):
            chosen = row if chosen is None or row.above >= chosen.above else chosen
    return chosen.price if chosen is not None else None


def cost(model: Model | str, usage: Usage, when_ms: int | None, override: Path | None = None) -> Decimal | None:
    """US dollars of one call, computed; None if the model's price is not known."""
    price = price_at(model, when_ms, usage.prompt, override)
    return None if price is None else price.of(usage)


def agent_window(context_tokens: float | None, context_window: float | None) -> int:
    """The window OpenClaw works with: max(1, floor(contextTokens ?? contextWindow ?? 200000)) (reference 9)."""
    named = context_tokens if context_tokens is not None else context_window
    return max(1, floor(named)) if named is not None else DEFAULT_WINDOW


def plain_id(model_id: str) -> str:
    """A model id without provider, region, date and version, in lower case, with dashes for dots."""
    name = model_id.lower().rsplit("/", 1)[-1].replace("@", "-").replace(".", "-").strip()
    family = _FAMILY.search(name)
    if family is not None:
        name = name[family.start() :]
    while True:
        shorter = _SUFFIX.sub("", name)
        if shorter == name or not shorter:
            return name
        name = shorter


def table(override: Path | None = None) -> tuple[Model, ...]:
    """All models, the person's own rows first; read once. UnreadableFile if `override` is not such a table."""
    return _table(override)


@cache
def _table(override: Path | None) -> tuple[Model, ...]:
    text = (files("resources") / "models.json").read_text(encoding="utf-8")
    shipped = _models(json.loads(text), {})
    if override is None:
        return tuple(shipped.values())
    try:
        own = _models(json.loads(override.read_text(encoding="utf-8")), _policies(json.loads(text)))
    except OSError as error:
        raise UnreadableFile(phrase("models.unreadable", path=str(override), reason=error.strerror or "")) from error
    except (ValueError, KeyError, TypeError, AttributeError, InvalidOperation) as error:
        raise UnreadableFile(phrase("models.bad_table", path=str(override), reason=repr(error))) from error
    return (*own.values(), *(model for id, model in shipped.items() if id not in own))


@cache
def _find(name: str, override: Path | None) -> Model | None:
    best: tuple[int, Model] | None = None
    for model in table(override):
        for pattern in model.patterns:
            literal = len(pattern.replace("*", ""))
            if fnmatchcase(name, pattern) and (best is None or literal > best[0]):
                best = (literal, model)
    return best[1] if best is not None else None


def _models(raw: Mapping[str, Any], policies: Mapping[str, float | None]) -> dict[str, Model]:
    lifetimes = {**policies, **_policies(raw)}
    made = (_model(row, lifetimes) for row in raw["models"])
    return {model.id: model for model in made}


def _policies(raw: Mapping[str, Any]) -> dict[str, float | None]:
    return {name: policy["lifetime_s"] for name, policy in raw.get("policies", {}).items()}


def _model(row: Mapping[str, Any], lifetimes: Mapping[str, float | None]) -> Model:
    policy = row["policy"]
    context = row["context"] or DEFAULT_WINDOW
    return Model(
        id=row["id"],
        patterns=tuple(pattern.lower().replace(".", "-") for pattern in row["patterns"]),
        family=row["family"],
        policy=policy,
        lifetime_s=None if policy is None else lifetimes[policy],
        context=context,
        context_max=row.get("context_max", context),
        max_output=row["max_output"],
        minimum=row["minimum"],
        prices=tuple(_price(price) for price in row["prices"]),
        source=tuple(row["source"]),
        as_of=date.fromisoformat(row["as_of"]),
        note=row.get("note", ""),
    )


def _price(row: Mapping[str, Any]) -> DatedPrice:
    plain = Decimal(row["input"])
    write = Decimal(row["write"]) if "write" in row else plain
    return DatedPrice(
        Price(
            input=plain,
            output=Decimal(row["output"]),
            read=Decimal(row["read"]),
            write=write,
            write_1h=Decimal(row["write_1h"]) if "write_1h" in row else write,
        ),
        since=date.fromisoformat(row["from"]) if "from" in row else None,
        until=date.fromisoformat(row["until"]) if "until" in row else None,
        above=row.get("above", 0),
    )


def _day(when_ms: int) -> date:
    """The day in UTC; times that no calendar holds count as its last or first day."""
    try:
        return datetime.fromtimestamp(when_ms / 1000, UTC).date()
    except (ValueError, OverflowError, OSError):
        return date.max if when_ms > 0 else date.min
