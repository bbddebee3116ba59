"""The contract of a token counter. Implementations: `core/counters/`, one module each, or `stratascope.counters`.

    ID: str                                        "bpe"
    TITLE: Phrase
    def make(session: Session | None) -> Counter   may calibrate itself on the session's recorded usage

Counts live beside the messages, in a table by (counter id, key), never inside them: another counter rebuilds nothing.
"""

from __future__ import annotations

from types import ModuleType
from typing import Protocol

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


def counters() -> dict[str, ModuleType]:
    return discover("core.counters", ("TITLE", "make"), "stratascope.counters")


def make(name: str, session: Session | None = None) -> Counter:
    """The counter `name`; RequestError names those that exist."""
    known = counters()
    if name not in known:
        raise RequestError(phrase("counter.unknown", name=name, known=", ".join(known)))
    counter: Counter = known[name].make(session)
    return counter
