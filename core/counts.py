"""Token counts beside the entries: one table per counter, by row. Another counter is another table."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from core.calibration import Calibration
from core.context import SENDING, edited, message_of, summary_message
from core.counter import Counter, SessionCounter
from core.messages import Json, Message
from core.session import Session


@dataclass(frozen=True, slots=True)
class Counts:
    """`tokens[row]`: tokens of the message that the entry brings into a context (0 = none; a compaction: its summary).

    `counter`: id of the counter. `error`: (median, 90th percentile) of its relative leave-one-out error where it was
    calibrated on the session, else None. `tails`: row of a compaction -> role and tokens of each message embedded in
    it. `edits`: row of a `context_edit` -> tokens of its target as it stands after the edit.

    Only from a counter that learns from recorded usage: `exact[row]`: 1 where the number is recorded or follows from
    recorded ones (b"" = none does); `unrecorded`: tokens of tools and system prompt; `calibration`: what was learned.
    """

    counter: str
    tokens: array[int]
    error: tuple[float, float] | None = None
    tails: dict[int, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    edits: dict[int, int] = field(default_factory=dict)
    exact: bytes = b""
    unrecorded: int | None = None
    calibration: Calibration | None = None


def count(session: Session, counter: Counter, go_on: Callable[[int], bool] = lambda _: True) -> Counts:
    """One pass over the bodies. `go_on(rows done)` is asked now and then; False leaves the rest at 0.

    A reply that failed or was aborted and a delivery mirror count 0: they are not sent again (session formats 1.7,
    agent pipeline 3), unless the counter finds in the recorded usage that they were.
    """
    known = counter.rows(session, go_on) if isinstance(counter, SessionCounter) else None
    tokens = known.tokens if known is not None else array("q", bytes(8 * len(session)))
    tails: dict[int, tuple[tuple[str, int], ...]] = {}
    edits: dict[int, int] = {}
    _count(session, counter, tokens, tails, edits, 0, known is None, go_on)
    if known is None:
        return Counts(counter.id, tokens, None, tails, edits)
    learned = known.calibration
    return Counts(counter.id, tokens, learned.error, tails, edits, known.exact, known.unrecorded, learned)


def continued(counts: Counts, session: Session, counter: Counter, go_on: Callable[[int], bool]) -> Counts:
    """The counts of a session that has grown: what was counted stays, the entries that came are counted one by one.

    What a counter learns from recorded usage, it does not learn again: that takes a look at the whole file.
    """
    first = len(counts.tokens)
    more = len(session) - first
    tokens = counts.tokens + array("q", bytes(8 * more))
    tails, edits = dict(counts.tails), dict(counts.edits)
    _count(session, counter, tokens, tails, edits, first, True, go_on)
    exact = counts.exact + bytes(more) if counts.exact else b""
    return replace(counts, tokens=tokens, tails=tails, edits=edits, exact=exact)


def _count(
    session: Session,
    counter: Counter,
    tokens: array[int],
    tails: dict[int, tuple[tuple[str, int], ...]],
    edits: dict[int, int],
    first: int,
    every: bool,
    go_on: Callable[[int], bool],
) -> None:
    """Fill the tables from row `first` on; `every`: messages too, not only what is embedded in other entries."""
    for row in range(first, len(session)):
        kind = session.type_of(row)
        if kind == "compaction":
            body = session.body(row)
            if every:
                tokens[row] = counter.count(summary_message(body))
            tail = body.get("retainedTail")
            if isinstance(tail, list) and tail:
                kept = (Message.of(raw) for raw in tail)
                tails[row] = tuple((message.role, counter.count(message)) for message in kept)
        elif kind == "context_edit":
            after = _after(session, session.body(row))
            if after is not None:
                edits[row] = counter.count(after)
        elif kind in SENDING and every and not _unsent(session, row):
            message = message_of(session, row)
            if message is not None:
                tokens[row] = counter.count(message)
        if row % 256 == 0 and not go_on(row):
            break


def _unsent(session: Session, row: int) -> bool:
    reply = session.reply(row)
    return reply is not None and (reply.mirror or reply.stop in ("error", "aborted"))


def _after(session: Session, edit: Json) -> Message | None:
    """The target of a context edit as the edit leaves it; None when it is removed, unchanged or unknown."""
    target = edit.get("targetId")
    row = session.row_of(target) if isinstance(target, str) else None
    message = message_of(session, row) if row is not None else None
    return edited(message, edit.get("replacement")) if message is not None else None
