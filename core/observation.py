"""What the agent observes of its own cache, call after call, and what it calls a break.

begin     digests of this call beside those of the last one ─▶ what changed: model, tools, …
complete  tokens read beside those of the last call         ─▶ a break, or none

read < 95 % of the last read, and at least 1,000 tokens less: both thresholds are parameters here, and which breaks
come and go as they move can be asked. Source: recorded cases of layers f and n (2026.4.5).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from core.javascript import trim
from core.messages import Json

Code = Literal["model", "cacheRetention", "transport", "streamStrategy", "systemPrompt", "tools"]
"""The agent's names of what can change between two calls, in the order in which it lists them."""

MOST = 512
"""Sessions that the agent tracks; the one that began longest ago is forgotten first."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """A break reads less than `share` of the last read, and at least `tokens` less."""

    share: float = 0.95
    tokens: int = 1_000

    def broken(self, last: float, read: float) -> bool:
        return last > 0 and read < last * self.share and last - read >= self.tokens


AGENT = Thresholds()


@dataclass(frozen=True, slots=True)
class Drop:
    """A read that is less than the last one. `index`: of the answer among those given, or its request's number."""

    index: int
    last: float
    read: float

    @property
    def share(self) -> float:
        """What is left, of 1."""
        return self.read / self.last

    @property
    def tokens(self) -> float:
        return self.last - self.read


def drops(reads: Iterable[object]) -> tuple[Drop, ...]:
    """The candidates: every read below the last one. What is no finite number is passed over, and the last one kept."""
    found: list[Drop] = []
    last: float | None = None
    for index, told in enumerate(reads):
        read = _number(told)
        if read is None:
            continue
        if last is not None and last > 0 and read < last:
            found.append(Drop(index, last, read))
        last = read
    return tuple(found)


def _number(read: object) -> float | None:
    if isinstance(read, bool) or not isinstance(read, int | float) or not math.isfinite(read):
        return None
    return read


def agent_breaks(reads: Sequence[object], thresholds: Thresholds = AGENT) -> tuple[bool, ...]:
    """The agent's own detector over consecutive answers of one session: which of them are breaks."""
    broken = {drop.index for drop in drops(reads) if thresholds.broken(drop.last, drop.read)}
    return tuple(index in broken for index in range(len(reads)))


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What of a call is compared. `api`: None and absent are the same. `system`, `tools`: digests; `tools` covers the
    names only, in any order (`core.fingerprints`)."""

    provider: Json
    model: Json
    api: Json
    retention: Json
    transport: Json
    strategy: Json
    system: str
    tools: str


_COMPARED: tuple[tuple[Code, Callable[[Snapshot], object]], ...] = (
    ("model", lambda call: (call.provider, call.model, call.api)),
    ("cacheRetention", lambda call: call.retention),
    ("transport", lambda call: call.transport),
    ("streamStrategy", lambda call: call.strategy),
    ("systemPrompt", lambda call: call.system),
    ("tools", lambda call: call.tools),
)


def changes(before: Snapshot, after: Snapshot) -> tuple[Code, ...]:
    """What of the one is not the same in the other."""
    return tuple(code for code, part in _COMPARED if part(before) != part(after))


@dataclass(frozen=True, slots=True)
class Tracker:
    """One session between two calls. `pending`: changes of the call that has begun; `last`: the last read, if any."""

    snapshot: Snapshot
    pending: tuple[Code, ...] = ()
    last: float | None = None


@dataclass(frozen=True, slots=True)
class Begun:
    """`changes` against the call that began before, whether it was answered or not."""

    changes: tuple[Code, ...]
    last: float | None


@dataclass(frozen=True, slots=True)
class ObservedBreak:
    """`changes`: what was different when the call began; () = nothing that the agent looks at."""

    last: float
    read: float
    changes: tuple[Code, ...]


def key_of(session_key: object, session_id: str) -> str:
    """The session's key where it has one, else its id."""
    return (trim(session_key) if isinstance(session_key, str) else "") or session_id


@dataclass(frozen=True, slots=True)
class Observations:
    """Everything the agent remembers, by key, those that began longest ago first."""

    trackers: Mapping[str, Tracker] = field(default_factory=dict)

    def begin(self, key: str, snapshot: Snapshot) -> tuple[Observations, Begun]:
        known = dict(self.trackers)
        before = known.pop(key, None)
        found = changes(before.snapshot, snapshot) if before is not None else ()
        last = before.last if before is not None else None
        if before is None and len(known) >= MOST:
            del known[next(iter(known))]
        known[key] = Tracker(snapshot, found, last)
        return Observations(known), Begun(found, last)

    def complete(
        self, key: str, read: object, thresholds: Thresholds = AGENT
    ) -> tuple[Observations, ObservedBreak | None]:
        """`read`: tokens read from the cache; what is no finite number leaves the last one as it was."""
        tracker = self.trackers.get(key)
        if tracker is None:
            return self, None
        number = _number(read)
        now = replace(tracker, pending=(), last=tracker.last if number is None else number)
        known = Observations({**self.trackers, key: now})
        if number is None or tracker.last is None or not thresholds.broken(tracker.last, number):
            return known, None
        return known, ObservedBreak(tracker.last, number, tracker.pending)
