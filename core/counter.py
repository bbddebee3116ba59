"""The contract of a token counter. Implementations: `core/counters/`, one module each, or `stratascope.counters`.

    ID: str                                        "bpe"
    TITLE: Phrase
    def make(session: Session | None) -> Counter   may calibrate itself on the session's recorded usage

Counts live beside the messages, in a table by (counter id, key), never inside them: another counter rebuilds nothing.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Protocol, runtime_checkable

from core.calibration import Calibration
from core.errors import RequestError
from core.messages import Message
from core.phrase import phrase
from core.plugins import discover
from core.session import Session


class Counter(Protocol):
    """Counts tokens of one message. Counts of one message by one counter never change."""

    @property
    def id(self) -> str: ...

    def count(self, message: Message) -> int:
        """Tokens of the message as it stands in a prompt; never negative; every message is accepted."""
        ...


@dataclass(frozen=True, slots=True)
class RowCounts:
    """Counts of a session's entries by a counter that knows them better than their text tells.

    `tokens[row]` as in `core.counts.Counts`; `exact[row]`: 1 where it is recorded or follows from recorded numbers.
    `unrecorded`: tokens of the tools and the system prompt, None when no request tells.
    """

    tokens: array[int]
    exact: bytes
    unrecorded: int | None
    calibration: Calibration


@runtime_checkable
class SessionCounter(Counter, Protocol):
    """A counter made for one session, which counts its entries by what is recorded with them."""

    def rows(self, session: Session, go_on: Callable[[int], bool]) -> RowCounts | None:
        """None when it was made for another session, or when `go_on(rows done)` said False."""
        ...


def counters() -> dict[str, ModuleType]:
    return discover("core.counters", ("TITLE", "make"), "stratascope.counters")


def make(name: str, session: Session | None = None) -> Counter:
    """The counter `name`; RequestError names those that exist."""
    known = counters()
    if name not in known:
        raise RequestError(phrase("counter.unknown", name=name, known=", ".join(known)))
    counter: Counter = known[name].make(session)
    return counter
