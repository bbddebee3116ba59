"""Which identifier stands in which entry of a path, and where the agent or its user asks for it again.

    held     everything an entry brings into a context: words, calls, results
    asked    what was said or called for: words of user and assistant, arguments of calls, commands; no results

One pass over the path; every audit of the session works on this.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from core.context import SENDING
from core.identifiers import Finder, Identifier
from core.measure import lines_of
from core.messages import TEXT_KEY, Json
from core.open_work import Event, events
from core.session import Session

READING = frozenset({"read", "cat", "view", "read_file", "open", "grep", "find", "ls", "glob", "fetch", "web_fetch"})
"""Tools whose calls fetch something that may have been fetched before."""
_BATCH = 256
_APART = 4
"""A branch whose rows lie further apart in the file, on average, is read row by row."""

Fetched = tuple[str, str]
"""Tool, and what it fetched."""


@dataclass(frozen=True, slots=True)
class Words:
    """What of a message is asked, and what else it holds (results, output)."""

    asked: tuple[str, ...]
    other: tuple[str, ...] = ()


def words(raw: Json) -> Words:
    """Of a message as recorded. (A Message costs a digest of every text; an index of a whole session does without.)"""
    role = raw.get("role") if isinstance(raw, dict) else None
    match role:
        case "toolResult":
            return Words((), tuple(_texts(raw)))
        case "assistant":
            return Words((*_texts(raw), *_called(raw)))
        case "bashExecution":
            return Words(_said(raw, "command"), _said(raw, "output"))
        case "branchSummary" | "compactionSummary":
            return Words((), _said(raw, "summary"))
        case str():
            return Words(tuple(_texts(raw)))
    return _NOTHING


def _texts(raw: Json) -> Iterator[str]:
    content = raw.get("content")
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        for block in content:
            if isinstance(block, dict):
                text = block.get(TEXT_KEY.get(str(block.get("type")), ""))
                if isinstance(text, str):
                    yield text


def _said(raw: Json, key: str) -> tuple[str, ...]:
    value = raw.get(key)
    return (value,) if isinstance(value, str) else ()


def _called(raw: Json) -> list[str]:
    """All strings of the arguments of calls, keys left out."""
    content = raw.get("content")
    found: list[str] = []
    for block in content if isinstance(content, list) else ():
        if not isinstance(block, dict) or block.get("type") != "toolCall":
            continue
        waiting: list[Json] = [block.get("arguments")]
        while waiting:
            one = waiting.pop()
            if isinstance(one, str):
                found.append(one)
            elif isinstance(one, dict):
                waiting += reversed(one.values())
            elif isinstance(one, list):
                waiting += reversed(one)
    return found


_NOTHING = Words(())


@dataclass(frozen=True, slots=True)
class Mentions:
    """`names[n]`: identifier number n. `held[i]`, `asked[i]`: numbers in the entry at place i of `path`, sorted.

    `uses[n]`: places where number n is asked, sorted. `events`: what happened, by place. `fetches`: (place, what) of
    the calls that fetch something, by place."""

    path: tuple[int, ...]
    names: tuple[Identifier, ...]
    held: tuple[array[int], ...]
    asked: tuple[array[int], ...]
    uses: dict[int, array[int]] = field(repr=False)
    events: tuple[Event, ...] = ()
    numbers: dict[Identifier, int] = field(default_factory=dict, repr=False)
    fetches: tuple[tuple[int, Fetched], ...] = field(default=(), repr=False)

    def within(self, places: range) -> dict[int, int]:
        """Number -> first place, of all identifiers that entries at these places hold."""
        found: dict[int, int] = {}
        for place in places:
            for number in self.held[place]:
                found.setdefault(number, place)
        return found

    def used(self, number: int, places: range) -> tuple[int, int | None]:
        """(at how many of these places it is asked, the first of them or None)."""
        known = self.uses.get(number)
        if known is None:
            return 0, None
        low = bisect_left(known, places.start)
        high = bisect_right(known, places.stop - 1)
        return max(0, high - low), known[low] if low < high else None

    def happened(self, places: range) -> tuple[Event, ...]:
        low = bisect_left(self.events, places.start, key=_place)
        return self.events[low : bisect_left(self.events, places.stop, key=_place)]

    def refetched(self, before: range, after: range) -> tuple[int, int]:
        """(fetching calls in `after` for something that was fetched in `before`, fetching calls in `after`)."""
        known = {what for _, what in self._fetches(before)}
        later = self._fetches(after)
        return sum(what in known for _, what in later), len(later)

    def _fetches(self, places: range) -> tuple[tuple[int, Fetched], ...]:
        low = bisect_left(self.fetches, places.start, key=itemgetter(0))
        return self.fetches[low : bisect_left(self.fetches, places.stop, key=itemgetter(0))]


def _place(event: Event) -> int:
    return event.place


def _fetched(event: Event) -> Fetched | None:
    if event.kind != "call" or not event.subject or event.tool.lower() not in READING:
        return None
    return event.tool.lower(), event.subject


def mentions(
    session: Session,
    path: Sequence[int],
    go_on: Callable[[int], bool] = lambda _: True,
) -> Mentions:
    """The index of a path. `go_on(places done)`: False stops, and what was not looked at holds nothing."""
    finder = Finder()
    numbers: dict[Identifier, int] = {}
    held: list[array[int]] = []
    asked: list[array[int]] = []
    uses: dict[int, array[int]] = {}
    happened: list[Event] = []
    for start in range(0, len(path), _BATCH):
        if not go_on(start):
            break
        batch: list[Words] = []
        rows = path[start : start + _BATCH]
        for at, raw in enumerate(_sent(session, rows), start):
            batch.append(words(raw))
            happened += events(raw, at)
        found = finder.find_all(["\n".join(texts) for one in batch for texts in (one.asked, one.other)])
        for at, (said, heard) in enumerate(zip(found[::2], found[1::2], strict=True), start):
            called = sorted({numbers.setdefault(name, len(numbers)) for name in said})
            everything = sorted({*called, *(numbers.setdefault(name, len(numbers)) for name in heard)})
            asked.append(array("i", called))
            held.append(array("i", everything))
            for number in called:
                uses.setdefault(number, array("i")).append(at)
    missing = len(path) - len(held)
    held += [array("i")] * missing
    asked += [array("i")] * missing
    fetches = tuple((event.place, what) for event in happened if (what := _fetched(event)) is not None)
    return Mentions(tuple(path), tuple(numbers), tuple(held), tuple(asked), uses, tuple(happened), numbers, fetches)


def _sent(session: Session, rows: Sequence[int]) -> Iterator[Json]:
    """The messages of entries as recorded, None for one that brings none."""
    lines = _lines(session, rows)
    for row in rows:
        kind = session.type_of(row)
        if kind not in SENDING:
            yield None
            continue
        body = session.decode(session, row, lines[row]) if row in lines else session.body(row)
        if kind == "message":
            yield body.get("message")
        elif kind == "custom_message":
            yield {"role": "custom", "content": body.get("content")}
        else:
            yield {"role": "branchSummary", "summary": body.get("summary")}


def _lines(session: Session, rows: Sequence[int]) -> dict[int, bytes]:
    """The lines of rows that lie close together, read in one go; nothing of others."""
    first, last = min(rows), max(rows) + 1
    if last - first > _APART * len(rows):
        return {}
    wanted = set(rows)
    return {row: line for row, line in lines_of(session, first, last) if row in wanted}
