"""Replies: the facts of assistant entries that make them requests or not, one by one or as columns of many.

A long session has a hundred thousand of them; as objects they would weigh more than all its other columns together.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from core.messages import Usage
from core.packing import packed, unpacked

NO_TIME = -(2**63)
"""Time column value of an entry without a readable timestamp."""

MIRROR_PROVIDERS = frozenset({"openclaw", "clawdbot", "moltbot"})
MIRROR_MODELS = frozenset({"delivery-mirror", "gateway-injected"})


FAILED = ("error", "aborted")
"""Stop reasons of a reply that did not end well."""


def is_mirror(provider: object, model: object) -> bool:
    """A copy of what was delivered to a chat channel: not a request, not a model change (agent pipeline 3)."""
    return provider in MIRROR_PROVIDERS and model in MIRROR_MODELS


@dataclass(frozen=True, slots=True)
class Reply:
    """The facts of one assistant entry that make it a request or not. Times are epoch ms, None if unreadable.

    `start`: `message.timestamp` (the request left), `end`: the entry's own timestamp (the answer was complete).
    """

    entry: int
    provider: str
    model: str
    api: str
    stop: str
    start: int | None
    end: int | None
    usage: Usage | None

    @property
    def mirror(self) -> bool:
        return is_mirror(self.provider, self.model)


def is_request(reply: Reply) -> bool:
    """A model call that reached the provider: tokens are recorded and it is no mirror.

    A call that failed or was aborted before the provider began has no tokens and is none; one that was aborted later
    was paid for and left its prefix in the cache, so it is one (prompt cache 7, step 6; measured in 8).
    """
    return reply.usage is not None and reply.usage.any and not reply.mirror


def _numbers() -> array[int]:
    return array("q")


NUMBERS = ("input", "output", "read", "write", "write_1h", "total", "reasoning")
"""The whole numbers of a Usage, in the order of its fields."""


def usage_of(numbers: Sequence[int], cost: Decimal | None) -> Usage:
    """From the NUMBERS in their order."""
    input, output, read, write, write_1h, total, reasoning = numbers
    return Usage(input, output, read, write, write_1h, total, reasoning, cost)


@dataclass(frozen=True, slots=True, eq=False)
class Replies(Sequence[Reply]):
    """Replies as columns, in file order; each is made when it is asked for.

    `named`: four indexes into `names` a reply (provider, model, api, stop). `times`: start and end, NO_TIME = None.
    `usage`: NUMBERS a reply; `cost`: US dollars, NaN for none; `known`: 1 where there is a usage at all.
    """

    entry: array[int] = field(default_factory=_numbers)
    named: array[int] = field(default_factory=lambda: array("i"))
    times: array[int] = field(default_factory=_numbers)
    usage: array[int] = field(default_factory=_numbers)
    cost: array[float] = field(default_factory=lambda: array("d"))
    known: array[int] = field(default_factory=lambda: array("b"))
    names: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.entry)

    @overload
    def __getitem__(self, at: int) -> Reply: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Reply, ...]: ...
    def __getitem__(self, at: int | slice) -> Reply | tuple[Reply, ...]:
        if isinstance(at, slice):
            return tuple(self._reply(one) for one in range(*at.indices(len(self))))
        count = len(self)
        if not -count <= at < count:
            raise IndexError(at)
        return self._reply(at % count)

    def __iter__(self) -> Iterator[Reply]:
        return map(self._reply, range(len(self)))

    def _reply(self, at: int) -> Reply:
        names, (provider, model, api, stop) = self.names, self.named[4 * at : 4 * at + 4]
        start, end = self.times[2 * at : 2 * at + 2]
        return Reply(
            self.entry[at],
            names[provider],
            names[model],
            names[api],
            names[stop],
            None if start == NO_TIME else start,
            None if end == NO_TIME else end,
            self.usage_at(at) if self.known[at] else None,
        )

    def usage_at(self, at: int) -> Usage:
        cost = self.cost[at]
        return usage_of(self.usage[7 * at : 7 * at + 7], None if math.isnan(cost) else Decimal(repr(cost)))

    def stop(self, at: int) -> str:
        """Its stop reason."""
        return self.names[self.named[4 * at + 3]]

    def output(self, at: int) -> int:
        """Output tokens without those for reasoning."""
        return self.usage[7 * at + 1] - self.usage[7 * at + 6]

    def prompts(self) -> list[int]:
        """The size of the prompt of each (core.messages.Usage.prompt); 0 where nothing is recorded."""
        table = np.asarray(self.usage, dtype=np.int64).reshape(-1, len(NUMBERS))
        sizes: list[int] = (table[:, 0] + table[:, 2] + table[:, 3]).tolist()
        return sizes

    def mirrors(self) -> NDArray[np.bool_]:
        """Which of them are mirrors (is_mirror)."""
        odd = np.array([name in MIRROR_PROVIDERS for name in self.names] + [False], dtype=bool)
        model = np.array([name in MIRROR_MODELS for name in self.names] + [False], dtype=bool)
        named = np.asarray(self.named).reshape(-1, 4)
        found: NDArray[np.bool_] = odd[named[:, 0]] & model[named[:, 1]]
        return found

    def of(self, row: int) -> Reply | None:
        """The reply of an entry, if it is one."""
        at = bisect_left(self.entry, row)
        return self._reply(at) if at < len(self.entry) and self.entry[at] == row else None

    def requests(self) -> NDArray[np.int64]:
        """Places (indexes into these replies) of those that are requests (is_request), all at once."""
        if not len(self):
            return np.zeros(0, dtype=np.int64)
        used = np.asarray(self.usage).reshape(-1, len(NUMBERS))[:, :4].any(axis=1)
        found: NDArray[np.int64] = np.flatnonzero((np.asarray(self.known) != 0) & used & ~self.mirrors())
        return found

    def from_row(self, row: int) -> Replies:
        """Those of the entries from `row` on, with the same names."""
        at = bisect_left(self.entry, row)
        return Replies(
            self.entry[at:],
            self.named[4 * at :],
            self.times[2 * at :],
            self.usage[7 * at :],
            self.cost[at:],
            self.known[at:],
            self.names,
        )

    def taken(self, places: NDArray[np.int64]) -> Replies:
        """Those at these places, in this order."""

        def rows(column: array[Any], each: int) -> array[Any]:
            table = np.asarray(column).reshape(-1, each)[places]
            return array(column.typecode, table.tobytes())

        return Replies(
            rows(self.entry, 1),
            rows(self.named, 4),
            rows(self.times, 2),
            rows(self.usage, 7),
            rows(self.cost, 1),
            rows(self.known, 1),
            self.names,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """To another process: in few bytes."""
        numbers = (packed(column) for column in (self.entry, self.named, self.times, self.usage))
        return _replies, (*numbers, self.cost, self.known, self.names)

    def before(self, row: int) -> Replies:
        """Those of the entries before `row`."""
        at = bisect_left(self.entry, row)
        if at == len(self.entry):
            return self
        return Replies(
            self.entry[:at],
            self.named[: 4 * at],
            self.times[: 2 * at],
            self.usage[: 7 * at],
            self.cost[:at],
            self.known[:at],
            self.names,
        )

    def followed_by(self, more: Replies) -> Replies:
        """Both, one behind the other. `more` names what these name, and perhaps more."""
        return Replies(
            self.entry + more.entry,
            self.named + more.named,
            self.times + more.times,
            self.usage + more.usage,
            self.cost + more.cost,
            self.known + more.known,
            more.names,
        )


def _replies(entry: array[int], named: array[int], times: array[int], usage: array[int], *rest: Any) -> Replies:
    return Replies(unpacked(entry), unpacked(named, "i"), unpacked(times), unpacked(usage), *rest)


class RepliesBuilder:
    """`add` each reply in file order, then `finish`, as often as wanted."""

    def __init__(self) -> None:
        self._made = Replies()
        self._names: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._made)

    def name(self, name: str) -> int:
        """The number under which a name is kept."""
        found = self._names.get(name)
        return found if found is not None else self._names.setdefault(name, len(self._names))

    def add(self, reply: Reply) -> None:
        usage = reply.usage
        self.extend(
            (reply.entry,),
            (self.name(name) for name in (reply.provider, reply.model, reply.api, reply.stop)),
            (NO_TIME if time is None else time for time in (reply.start, reply.end)),
            (0,) * 7 if usage is None else (getattr(usage, name) for name in NUMBERS),
            (math.nan if usage is None or usage.cost is None else float(usage.cost),),
            (usage is not None,),
        )

    def extend(
        self,
        entry: Iterable[int],
        named: Iterable[int],
        times: Iterable[int],
        usage: Iterable[int],
        cost: Iterable[float],
        known: Iterable[int],
    ) -> None:
        """Many at once, as the columns of Replies hold them."""
        made = self._made
        made.entry.extend(entry)
        made.named.extend(named)
        made.times.extend(times)
        made.usage.extend(usage)
        made.cost.extend(cost)
        made.known.extend(known)

    def finish(self, row: int = 0) -> Replies:
        """A copy of what was added of the entries from `row` on; more may follow."""
        made = self._made
        return Replies(
            made.entry, made.named, made.times, made.usage, made.cost, made.known, tuple(self._names)
        ).from_row(row)
