"""The assembled prompt of one request, as far as the session file and its recorded usage tell.

tools + system   one block, not recorded, sized by difference       ┐
messages of step 0, in order                                        │ recorded prompt size
── CACHED UP TO HERE: where the recorded read ends ──               ┘

The recorded read ends where an earlier request had its last mark, so where a request of the path had left exactly that
many tokens the rule stands behind that request's messages. Elsewhere it stands at the whole block nearest by estimate.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from core.context import Context, build
from core.counts import Counts
from core.errors import RequestError
from core.messages import Json, Message
from core.phrase import phrase
from core.prompt import Blocks, blocks_of
from core.session import Request, Session
from core.timeline import RequestSummary, Timeline

State = Literal["read", "written", "uncached", "unknown"]

USUAL_ERROR = 0.15
"""Relative error of an estimate that nothing was calibrated on (prompt cache 8: 13–15 %)."""

UNMARKED = 64
"""Up to so many tokens of plain input are scaffolding behind the last mark, no message (0–10, prompt cache 8)."""


@dataclass(frozen=True, slots=True)
class Assembled:
    """`request`: None = what would be sent next. `tokens`: per block, estimated, same length as `blocks`.

    `unrecorded`: tokens of tools and system by difference (None when no usage is recorded; for what would be sent
    next, those of the last request). `states`: cache state per block from the recorded usage. `unrecorded_state`: the
    same for the dotted block. `cached_blocks`: how many blocks lie wholly inside the recorded read: the CACHED UP TO
    HERE rule stands before block `cached_blocks`; None when nothing is recorded or nothing was read.
    `cached_tokens`: the recorded read. `cached_exact`: the place of the rule is known, not estimated.
    """

    request: Request | None
    context: Context
    blocks: Blocks
    tokens: tuple[int, ...]
    unrecorded: int | None
    states: tuple[State, ...]
    unrecorded_state: State
    cached_blocks: int | None
    cached_tokens: int
    cached_exact: bool = False


def assemble(
    session: Session,
    timeline: Timeline,
    counts: Counts,
    number: int | None,
    *,
    message: Callable[[int], Message | None] | None = None,
    body: Callable[[int], Json] | None = None,
    key: Callable[[Message], bytes] | None = None,
) -> Assembled:
    """The prompt of request `number` (from 1) on the timeline's path; None = what would be sent next.

    `message`, `body` and `key` may be caches of message_of, Session.body and Message.key. RequestError names the
    numbers that exist.
    """
    last = len(timeline.summaries)
    if number is not None and not 1 <= number <= last:
        raise RequestError(phrase("request.unknown", number=number, n=last))
    summary = timeline.summaries[number - 1] if number is not None else None
    path = timeline.path
    if summary is not None:
        path = path[: path.index(summary.request.entry)]
    context = build(session, path, message=message, body=body)
    tokens = tokens_of(context, counts)
    blocks = blocks_of(context, key)
    if summary is None:
        unrecorded = timeline.summaries[-1].unrecorded if last else None
        unknown: State = "unknown"
        return Assembled(None, context, blocks, tokens, unrecorded, (unknown,) * len(blocks), unknown, None, 0)
    return _cached(session, timeline, summary, context, blocks, tokens, counts)


def tokens_of(context: Context, counts: Counts) -> tuple[int, ...]:
    """Tokens of each message of a context."""
    found: list[int] = []
    embedded = 0
    for origin in context.origins:
        row = origin.rows[0]
        if origin.made_by == "retained_tail":
            found.append(counts.tails[row][embedded][1])
            embedded += 1
        elif origin.made_by == "context_edit":
            found.append(counts.edits[origin.rows[1]])
        else:
            found.append(counts.tokens[row])
    return tuple(found)


def _cached(
    session: Session,
    timeline: Timeline,
    summary: RequestSummary,
    context: Context,
    blocks: Blocks,
    tokens: tuple[int, ...],
    counts: Counts,
) -> Assembled:
    usage = summary.request.usage
    places = _places(summary, tokens)
    read, exact = 0, False
    if usage.read:
        known = _behind_an_older(session, timeline, summary, context)
        exact = known is not None
        error = counts.error[1] if counts.error is not None else USUAL_ERROR
        read = known if known is not None else _nearest(places, usage.read, error)
    kept = read
    if usage.write:
        kept = len(blocks) if usage.input <= UNMARKED else max(read, _nearest(places, usage.read + usage.write, 1.0))
    return Assembled(
        summary.request,
        context,
        blocks,
        tokens,
        summary.unrecorded,
        _states(len(blocks), read, kept),
        "read" if usage.read else "written" if usage.write else "uncached",
        read if usage.read else None,
        usage.read,
        exact,
    )


def _states(size: int, read: int, kept: int) -> tuple[State, ...]:
    """`read` blocks, then up to `kept` of them written, the rest uncached."""
    return tuple("read" if at < read else "written" if at < kept else "uncached" for at in range(size))


def _places(summary: RequestSummary, tokens: Sequence[int]) -> list[int]:
    """Token position at which each block begins, and the end: the estimates, shrunk to the recorded prompt where they
    are larger than all of it."""
    places = list(accumulate(tokens, initial=summary.unrecorded))
    prompt = summary.request.usage.prompt
    if places[-1] > prompt:
        places = [place * prompt // places[-1] for place in places]
    return places


def _behind_an_older(session: Session, timeline: Timeline, summary: RequestSummary, context: Context) -> int | None:
    """How many blocks the newest older request of the path had whose cache entry has exactly the size that was read.

    Only where its messages are the first of this prompt (the same compaction, no edit since), and its last mark stood
    behind its last message.
    """
    path, read = timeline.path, summary.request.usage.read
    for older in reversed(timeline.summaries[: summary.request.number - 1]):
        usage = older.request.usage
        if older.compaction != summary.compaction or older.request.model != summary.request.model:
            return None
        if usage.write and usage.read + usage.write == read and usage.input <= UNMARKED:
            at = path.index(older.request.entry)
            since = path[at : path.index(summary.request.entry)]
            if any(session.type_of(row) == "context_edit" for row in since):
                return None
            later = set(since)
            return sum(origin.rows[0] not in later for origin in context.origins)
    return None


def _nearest(places: Sequence[int], tokens: int, error: float) -> int:
    """The block boundary nearest to `tokens`; one that claims more than the estimates may be wrong by is not taken."""
    after = bisect_right(places, tokens)
    if after == 0:
        return 0
    if after == len(places):
        return len(places) - 1
    below, above = places[after - 1], places[after]
    over = above - tokens
    return after if over < tokens - below and over <= error * tokens else after - 1
