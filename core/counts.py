"""Token counts beside the entries: one table per counter, by row. Another counter is another table, nothing is rebuilt."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass

from core.context import SENDING, message_of, summary_message
from core.counter import Counter
from core.session import Session


@dataclass(frozen=True, slots=True)
class Counts:
    """`tokens[row]`: tokens of the message that the entry brings into a context (0 = none; a compaction: its summary).

    `counter`: id of the counter. `error`: (median, 90th percentile) of its relative leave-one-out error where it was
    calibrated on the session, else None.
    """

    counter: str
    tokens: array[int]
    error: tuple[float, float] | None = None


def count(session: Session, counter: Counter, go_on: Callable[[int], bool] = lambda _: True) -> Counts:
    """One pass over the bodies. `go_on(rows done)` is asked now and then; False leaves the rest at 0."""
    tokens = array("q", bytes(8 * len(session)))
    for row in range(len(session)):
        kind = session.type_of(row)
        if kind == "compaction":
            tokens[row] = counter.count(summary_message(session.body(row)))
        elif kind in SENDING:
            message = message_of(session, row)
            if message is not None:
                tokens[row] = counter.count(message)
        if row % 256 == 0 and not go_on(row):
            break
    return Counts(counter.id, tokens, getattr(counter, "error", None))
