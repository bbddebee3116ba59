"""What a session file proves about the prompt cache: usage, times, settings and the order of entries, no bodies sent.

    path     u1 ─ a1 ─ level ─ u2 ─ a2 ─ C ─ u3 ─ a3        a = request
    a2       previous a1; a level change, taken at u2; gap a1 → a2
    a3       previous a2; the compaction C in between

Source: prompt cache 7 (evidence rule, order of causes) and 8 (how the causes of two real sessions were derived). The
request itself is not recorded, so equality of prompts is only assumed; the certainty of a cause says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from core.messages import Json
from core.session import Request, Session

EVENTS = frozenset({"compaction", "reset", "context_edit"})
"""Entry types that change messages which were sent before."""

Model = tuple[str, str]
"""Provider and model id: a cache belongs to one of them."""


@dataclass(frozen=True, slots=True)
class Call:
    """One request of the file and what stands above it on its path.

    `previous`: index (in `Evidence.calls`) of the nearest request above, None for the first; `first`: of the topmost
    one of its path, itself included. `level`: the thinking level at the last user message, where pi takes it up.
    `event`: row of the last entry of EVENTS since `previous`.
    `asked`: a user message stands between. `chars`: UTF-16 units of all text above, other requests' included.
    """

    request: Request
    previous: int | None
    first: int
    level: Json
    event: int | None
    asked: bool
    chars: int

    @property
    def model(self) -> Model:
        return self.request.provider, self.request.model

    @property
    def left(self) -> int:
        """Tokens it left in the cache: what it read and what it wrote."""
        return self.request.usage.read + self.request.usage.write

    @property
    def moment(self) -> int | None:
        """Epoch ms: when the request left, else when its answer was complete."""
        return self.request.start if self.request.start is not None else self.request.end


@dataclass(frozen=True, slots=True)
class Evidence:
    """All calls of the file, in file order; tuples of the same length beside them.

    `idle_s`: seconds since the previous call's cache entry was last written or read, by a call of any branch.
    `read_from`: an older call, not the previous one, whose entry has exactly the size that was read. `levels`: the
    thinking level in force: a call that reads an entry whole was sent with that entry's level, whatever was logged in
    between (prompt cache 8). `hour`: the last write was recorded with the one-hour lifetime. `explicit`: models that
    ever report a write. `longest_s`: by model, the longest idle time after which an entry was still read whole.
    `followers`: calls by their `previous`; `by_entry`: index by the row of the answer.
    """

    calls: tuple[Call, ...]
    idle_s: tuple[float | None, ...]
    read_from: tuple[int | None, ...]
    levels: tuple[Json, ...]
    hour: tuple[bool, ...]
    explicit: frozenset[Model]
    longest_s: dict[Model, float]
    followers: dict[int, tuple[int, ...]]
    by_entry: dict[int, int]

    def expected(self, index: int) -> int:
        """Tokens the previous request left in the cache; for caches that report no writes, what it read."""
        call = self.calls[index]
        if call.previous is None:
            return 0
        previous = self.calls[call.previous]
        return previous.left if call.model in self.explicit else previous.request.usage.read


@dataclass(frozen=True, slots=True)
class _Above:
    previous: int | None = None
    level: Json = "off"
    prompt_level: Json = "off"
    event: int | None = None
    asked: bool = False


def gather(session: Session, step: Callable[[], object] = lambda: None) -> Evidence:
    """One pass down the graph, one through time. Reads the bodies of thinking-level entries only. `step` is called for
    every row."""
    calls = _calls(session, step)
    explicit = frozenset(call.model for call in calls if call.request.usage.write)
    size = len(calls)
    idle: list[float | None] = [None] * size
    read_from: list[int | None] = [None] * size
    levels: list[Json] = [call.level for call in calls]
    hour = [False] * size
    longest: dict[Model, float] = {}
    touched: list[int | None] = [call.moment for call in calls]
    wrote: dict[tuple[Model, int], int] = {}
    for index in _by_time(calls):
        call = calls[index]
        read, previous = call.request.usage.read, call.previous
        older = wrote.get((call.model, read)) if read and call.model in explicit else None
        if previous is not None:
            moment, last = call.moment, touched[previous]
            hour[index] = hour[previous]
            if moment is not None and last is not None:
                idle[index] = (moment - last) / 1000
            left = calls[previous].left if calls[previous].model == call.model else 0
            if read == left:
                older = None
            if read >= left > 0:
                if moment is not None and (last is None or moment > last):
                    touched[previous] = moment
                waited = idle[index]
                if waited is not None:
                    longest[call.model] = max(longest.get(call.model, 0.0), waited)
                levels[index] = levels[previous]
        if older is not None:
            read_from[index] = older
            levels[index] = levels[older]
        if call.request.usage.write:
            hour[index] = call.request.usage.write_1h >= call.request.usage.write
            wrote[call.model, call.left] = index
    followers: dict[int, list[int]] = {}
    for index, call in enumerate(calls):
        if call.previous is not None:
            followers.setdefault(call.previous, []).append(index)
    return Evidence(
        calls,
        tuple(idle),
        tuple(read_from),
        tuple(levels),
        tuple(hour),
        explicit,
        longest,
        {index: tuple(found) for index, found in followers.items()},
        {call.request.entry: index for index, call in enumerate(calls)},
    )


def _calls(session: Session, step: Callable[[], object]) -> tuple[Call, ...]:
    requests = session.requests()
    index_of = {request.entry: index for index, request in enumerate(requests)}
    recorded = session.header.raw.get("thinkingLevel") if session.header else None  # pi v1 names it in the header
    first = _Above(level=recorded, prompt_level=recorded) if isinstance(recorded, str) else _Above()
    above: dict[int, _Above] = {}
    chars: dict[int, int] = {}
    found: dict[int, Call] = {}
    columns = session.columns
    for row in _downwards(session, [request.entry for request in requests]):
        parent = columns.parent[row]
        here = above[parent] if parent >= 0 else first
        before = chars[parent] if parent >= 0 else 0
        chars[row] = before + columns.chars[row]
        index = index_of.get(row)
        if index is not None:
            top = index if here.previous is None else found[here.previous].first
            found[index] = Call(requests[index], here.previous, top, here.prompt_level, here.event, here.asked, before)
            here = _Above(index, here.level, here.prompt_level)
        elif session.role_of(row) == "user":
            here = replace(here, prompt_level=here.level, asked=True)
        else:
            kind = session.type_of(row)
            if kind == "thinking_level_change":
                here = replace(here, level=session.body(row).get("thinkingLevel"))
            elif kind in EVENTS and (kind != "context_edit" or here.event is None):
                here = replace(here, event=row)
        above[row] = here
        step()
    return tuple(found[index] for index in range(len(requests)))


def _downwards(session: Session, rows: Sequence[int]) -> Iterator[int]:
    """`rows` and everything above them, each once, parents before their children."""
    parents = session.columns.parent
    seen: set[int] = set()
    for row in rows:
        climbed: list[int] = []
        while row >= 0 and row not in seen:
            seen.add(row)
            climbed.append(row)
            row = parents[row]
        yield from reversed(climbed)


def _by_time(calls: Sequence[Call]) -> list[int]:
    """Indices in the order the requests left; one without a time stays behind the one before it in the file."""
    keys: list[int] = []
    for call in calls:
        keys.append(call.moment if call.moment is not None else keys[-1] if keys else 0)
    return sorted(range(len(calls)), key=lambda index: (keys[index], index))
