"""What-ifs for the cache: a prompt that says the same and yet differs, and what that costs.

    tools in another order      ┐ first difference           kept: what is marked before it
    a time above the boundary   │    ▼                        lost: what was read and is written again
    a time below the boundary   │ tools │ stable │ dynamic │ messages
    capabilities out of order   ┘

A cache holds prefixes that end at a mark, so that up to the last mark before the first difference everything is still
read (prompt cache 1). Source of the cases: articles, first source, part three (sorting, the boundary), and the causes
that prompt cache 5 lists. Nothing is random: an unstable order is shown by the reverse one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from core import models
from core.assembled import Assembled
from core.boundary import BOUNDARY
from core.collation import collated
from core.messages import Json
from core.phrase import Phrase, phrase
from core.segments import common_prefix
from core.timeline import RequestSummary

Section = Literal["tools", "stable", "dynamic", "messages"]
SECTIONS: tuple[Section, ...] = ("tools", "stable", "dynamic", "messages")
OPENCLAW_MARKS: frozenset[Section] = frozenset({"stable", "messages"})
PI_MARKS: frozenset[Section] = frozenset({"dynamic", "messages"})
"""Behind which sections a request is marked. pi 1.6 marks its tools too (prompt cache 5)."""
SHOWN = 40
"""Characters shown on either side of the first difference."""

Kind = Literal["tool_order", "time_above", "time_below", "capability_order"]
KINDS: tuple[Kind, ...] = ("tool_order", "time_above", "time_below", "capability_order")


@dataclass(frozen=True, slots=True)
class Head:
    """What stands before the messages. `tools`: definitions as they are sent. `stable`, `dynamic`: the system prompt
    above and below its boundary (all of it is stable where it has none). `sizes`: tokens of tools, stable and dynamic
    part. `recorded` False: only the sizes are known, of all three together, and they stand in the stable part."""

    tools: tuple[Json, ...]
    stable: str
    dynamic: str
    sizes: tuple[int, int, int]
    recorded: bool = True

    @classmethod
    def of(cls, tools: Sequence[Json], system: str, count: Callable[[str], int]) -> Head:
        """`count`: tokens of a text."""
        stable, _, dynamic = system.partition(BOUNDARY)
        written = "\n".join(map(_written, tools))
        return cls(tuple(tools), stable, dynamic, (count(written), count(stable), count(dynamic)))

    @classmethod
    def of_prompt(cls, assembled: Assembled) -> Head:
        """As far as a trace, a file or a workspace tells it; what is not told of it, is known by its size."""
        parts = {(item.section, item.part or "stable"): item for item in assembled.leading}
        tools, stable = parts.get(("tools", "stable")), parts.get(("system", "stable"))
        dynamic = parts.get(("system", "dynamic"))
        if stable is None or tools is None:
            return cls.unrecorded(assembled.unrecorded or 0)
        below = str(dynamic.raw) if dynamic is not None else ""
        sizes = (tools.tokens, stable.tokens, dynamic.tokens if dynamic is not None else 0)
        return cls(tuple(tools.raw), str(stable.raw), below, sizes)

    @classmethod
    def unrecorded(cls, tokens: int) -> Head:
        """Of a session file, which holds neither tools nor system prompt: their size by difference."""
        return cls((), "", "", (0, tokens, 0), recorded=False)


@dataclass(frozen=True, slots=True)
class Shuffle:
    """One what-if. `section` and `place`: of the first difference (index of a tool, character of a part); None: it
    changes nothing here. `before`, `after`: the text around it, "" where it is not recorded. `kept`, `lost`: tokens
    that are still read, and that are written again; `cost`: US dollars of writing rather than reading them, None where
    the price is not known. `recorded`: the difference was made in the recorded text, not assumed."""

    kind: Kind
    section: Section | None
    place: int
    before: str
    after: str
    kept: int
    lost: int
    cost: Decimal | None
    recorded: bool

    @property
    def title(self) -> Phrase:
        return phrase(f"shuffle.{self.kind}")

    @property
    def why(self) -> Phrase:
        if self.section is None:
            return phrase(f"shuffle.{self.kind}_nothing")
        name = "shuffle.kept" if self.kept else "shuffle.lost_all"
        return phrase(name, section=phrase(f"shuffle.section.{self.section}"), kept=self.kept, lost=self.lost)


@dataclass(frozen=True, slots=True)
class Spent:
    """`cached`: tokens that were read, or would be. `model`, `when` (epoch ms) and `prompt` (tokens) decide the price
    and the shortest prefix that is cached."""

    cached: int
    prompt: int
    model: str
    when: int | None


def shuffles(
    head: Head, spent: Spent, marks: Collection[Section] = OPENCLAW_MARKS, capabilities: Sequence[str] = ()
) -> tuple[Shuffle, ...]:
    """Every what-if, in the order of KINDS. `capabilities`: ids of a run-time line, as they came in."""
    return (
        _made("tool_order", _tool_order(head), head, spent, marks),
        _made("time_above", _time(head, "stable"), head, spent, marks),
        _made("time_below", _time(head, "dynamic"), head, spent, marks),
        _made("capability_order", _capabilities(head, capabilities), head, spent, marks),
    )


USUAL_CAPABILITIES = ("inlineButtons", "threads")
"""For a prompt whose run-time line is not recorded: two of the ids that such a line has."""


def capabilities_of(head: Head) -> tuple[str, ...]:
    """The ids of the run-time line, in another order than the one they are sent in."""
    found = re.search(r"\bcapabilities=([\w-]+(?:,[\w-]+)*)", head.dynamic + head.stable)
    ids = tuple(found[1].split(",")) if found is not None else () if head.recorded else USUAL_CAPABILITIES
    return tuple(sorted(ids, reverse=True))


def marks_of(format: str) -> frozenset[Section]:
    """Behind which sections an agent marks its requests for the cache."""
    return OPENCLAW_MARKS if format == "openclaw" else PI_MARKS


def spent_of(assembled: Assembled, summaries: Sequence[RequestSummary]) -> Spent:
    """What a request read from the cache; of what would be sent next, what the last one left there."""
    request, read = assembled.request, assembled.cached_tokens
    if request is None:
        if not summaries:
            return Spent(0, sum(assembled.tokens) + (assembled.unrecorded or 0), "", None)
        request = summaries[-1].request
        read = request.usage.prompt if request.usage.read or request.usage.write else 0
    return Spent(read, request.usage.prompt, request.model, request.start)


# where the two prompts differ

_Difference = tuple[Section, int, str, str]


def _tool_order(head: Head) -> _Difference | None:
    if not head.recorded:
        return "stable", 0, "", ""
    one, other = list(map(_written, head.tools)), list(map(_written, reversed(head.tools)))
    at = next((index for index, (a, b) in enumerate(zip(one, other, strict=True)) if a != b), None)
    return None if at is None else ("tools", at, one[at][: 2 * SHOWN], other[at][: 2 * SHOWN])


def _time(head: Head, section: Literal["stable", "dynamic"]) -> _Difference:
    """The same line with a clock at the end of a part, seven seconds apart."""
    if not head.recorded:
        return section, 0, "", ""
    text = head.stable if section == "stable" else head.dynamic
    return _differ(section, *(f"{text}\nCurrent time: 10:00:{second:02}" for second in (0, 7)))


def _capabilities(head: Head, ids: Sequence[str]) -> _Difference | None:
    """A run-time line below the boundary, with its ids sorted at one request and in their own order at the next."""
    ordered = collated(ids)
    if list(ids) == ordered:
        return None
    if not head.recorded:
        return "dynamic", 0, "", ""
    text = head.dynamic
    return _differ("dynamic", f"{text}\ncapabilities={','.join(ordered)}", f"{text}\ncapabilities={','.join(ids)}")


def _differ(section: Section, one: str, other: str) -> _Difference:
    at = common_prefix(one, other)
    start = max(0, at - SHOWN)
    return section, at, one[start : at + SHOWN], other[start : at + SHOWN]


def _written(tool: Json) -> str:
    return json.dumps(tool, ensure_ascii=False, separators=(",", ":"))


# what it costs


def _made(kind: Kind, found: _Difference | None, head: Head, spent: Spent, marks: Collection[Section]) -> Shuffle:
    if found is None:
        return Shuffle(kind, None, 0, "", "", spent.cached, 0, Decimal(0), head.recorded)
    section, place, before, after = found
    kept = min(spent.cached, kept_before(head, section, marks, spent.model))
    lost = spent.cached - kept
    return Shuffle(kind, section, place, before, after, kept, lost, price(lost, spent), head.recorded)


def kept_before(head: Head, section: Section, marks: Collection[Section], model: str) -> int:
    """Tokens up to the last mark before a section, 0 when that prefix is too short to be cached."""
    kept = total = 0
    for name, size in zip(SECTIONS, head.sizes, strict=False):
        if name == section:
            break
        total += size
        if name in marks:
            kept = total
    known = models.find(model)
    return 0 if known is not None and kept < (known.minimum or 0) else kept


def extra(spent: Spent) -> Decimal | None:
    """US dollars a token that writing costs more than reading, None where the price is not known."""
    found = models.price_at(spent.model, spent.when, spent.prompt)
    return None if found is None else (found.write - found.read) / 1_000_000


def price(lost: int, spent: Spent) -> Decimal | None:
    """US dollars of writing `lost` tokens again instead of reading them."""
    each = extra(spent)
    return None if each is None else lost * each


Reading = tuple[int, Decimal | None]
"""What a request read from the cache, and `extra` of it."""


def readings(summaries: Iterable[RequestSummary]) -> Iterator[Reading]:
    """Of every request, one after the other: of many it takes a while."""
    for summary in summaries:
        request, usage = summary.request, summary.request.usage
        yield usage.read, extra(Spent(usage.read, usage.prompt, request.model, request.start)) if usage.read else None


def along(read: Iterable[Reading], kept: int) -> tuple[int, Decimal]:
    """(tokens, US dollars as far as prices are known) if it happened at every request: what each really read from the
    cache, but for `kept`, written again."""
    tokens, money = 0, Decimal(0)
    for cached, each in read:
        lost = max(0, cached - kept)
        tokens += lost
        money += lost * each if each is not None else 0
    return tokens, money
