"""Token counts beside the entries: one table per counter, by row. Another counter is another table, nothing is rebuilt."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass, field

from core.context import SENDING, edited, message_of, summary_message
from core.counter import Counter
from core.messages import Json, Message
from core.session import Session


@dataclass(frozen=True, slots=True)
class Counts:
    """`tokens[row]`: tokens of the message that the entry brings into a context (0 = none; a compaction: its summary).

    `counter`: id of the counter. `error`: (median, 90th percentile) of its relative leave-one-out error where it was
    calibrated on the session, else None. `tails`: row of a compaction -> role and tokens of each message embedded in
    it. `edits`: row of a `context_edit` -> tokens of its target as it stands after the edit.
    """

    counter: str
    tokens: array[int]
    error: tuple[float, float] | None = None
    tails: dict[int, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    edits: dict[int, int] = field(default_factory=dict)


def count(session: Session, counter: Counter, go_on: Callable[[int], bool] = lambda _: True) -> Counts:
    """One pass over the bodies. `go_on(rows done)` is asked now and then; False leaves the rest at 0."""
    tokens = array("q", bytes(8 * len(session)))
    tails: dict[int, tuple[tuple[str, int], ...]] = {}
    edits: dict[int, int] = {}
    for row in range(len(session)):
        kind = session.type_of(row)
        if kind == "compaction":
            body = session.body(row)
            tokens[row] = counter.count(summary_message(body))
            tail = body.get("retainedTail")
            if isinstance(tail, list) and tail:
                kept = (Message.of(raw) for raw in tail)
                tails[row] = tuple((message.role, counter.count(message)) for message in kept)
        elif kind == "context_edit":
            after = _after(session, session.body(row))
            if after is not None:
                edits[row] = counter.count(after)
        elif kind in SENDING:
            message = message_of(session, row)
            if message is not None:
                tokens[row] = counter.count(message)
        if row % 256 == 0 and not go_on(row):
            break
    return Counts(counter.id, tokens, getattr(counter, "error", None), tails, edits)


def _after(session: Session, edit: Json) -> Message | None:
    """The target of a context edit as the edit leaves it; None when it is removed, unchanged or unknown."""
    target = edit.get("targetId")
    row = session.row_of(target) if isinstance(target, str) else None
    message = message_of(session, row) if row is not None else None
    return edited(message, edit.get("replacement")) if message is not None else None
