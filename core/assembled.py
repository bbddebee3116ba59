"""The assembled prompt of one request, as far as the session file, its recorded usage and a trace beside it tell.

tools, system    from a trace, a file or a workspace (core/leading.py);    ┐
                 without any: one block, not recorded, sized by difference │
messages of step 0, in order                                               │ recorded prompt size
── CACHED UP TO HERE: where the recorded read ends ──                      ┘

The recorded read usually ends where an earlier request had its last mark, so the rule stands behind that request's
messages, exactly. Elsewhere it stands at the whole block that is nearest by estimate.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from core.context import Context, Origin, at_kinds, build
from core.counts import Counts
from core.errors import RequestError
from core.leading import Leading, leading_of, sized
from core.messages import Json, Message, Usage
from core.paths import Places, place_of
from core.phrase import phrase
from core.prompt import Block, Blocks, blocks_of
from core.prompt import State as State
from core.prompt_source import PromptSource
from core.session import Request, Session
from core.timeline import RequestSummary, Timeline

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

    `leading`: tools and parts of the system prompt, as far as there is a source; empty: they are the dotted block.
    `cached_leading`: how many of them lie wholly inside the recorded read (all, where `cached_blocks` is above 0).
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
    leading: tuple[Leading, ...] = ()
    cached_leading: int = 0

    def with_source(self, source: PromptSource, count: Callable[[Message], int]) -> Assembled:
        """The same with tools and system prompt from `source`. `count`: tokens of a message, by the counter in use."""
        return self.with_leading(leading_of(source, count))

    def with_leading(self, leading: Sequence[Leading]) -> Assembled:
        """The same with tools and parts of the system prompt, sized and coloured by the recorded usage."""
        usage = self.request.usage if self.request is not None else None
        found = sized(leading, self.unrecorded, usage, bool(self.cached_blocks))
        return replace(self, leading=found.leading, cached_leading=found.read)

    def staged(self, blocks: Blocks, tokens: tuple[int, ...], source: Sequence[int | None]) -> Assembled:
        """The prompt after some layers, with the recorded cache states brought along with their blocks.

        `source`: for each block the index here of the one that it stands for; None = a layer made it: it takes the
        state of the block before it."""
        states = []
        state = self.states[0] if self.states else self.unrecorded_state
        cached = None
        for index, at in enumerate(source):
            if at is not None:
                state = self.states[at]
                if cached is None and self.cached_blocks is not None and at >= self.cached_blocks:
                    cached = index
            states.append(state)
        if self.cached_blocks is not None and cached is None:
            cached = len(blocks)
        return replace(self, blocks=blocks, tokens=tokens, states=tuple(states), cached_blocks=cached)


def assemble(
    session: Session,
    timeline: Timeline,
    counts: Counts,
    number: int | None,
    *,
    message: Callable[[int], Message | None] | None = None,
    body: Callable[[int], Json] | None = None,
    block: Callable[[Message, Origin], Block] = Block.of,
) -> Assembled:
    """The prompt of request `number` (from 1) on the timeline's path; None = what would be sent next.

    `message`, `body` and `block` may be caches of message_of, Session.body and Block.of. RequestError names the
    numbers that exist.
    """
    last = len(timeline.summaries)
    if number is not None and not 1 <= number <= last:
        raise RequestError(phrase("request.unknown", number=number, n=last))
    summary = timeline.summaries[number - 1] if number is not None else None
    path = timeline.path
    if summary is not None:
        path = path[: place_of(path, summary.request.entry)]
    context = build(session, path, message=message, body=body)
    tokens = tokens_of(context, counts)
    blocks = blocks_of(context, block)
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
    ruler = _Ruler(session, timeline, summary, context, tokens, counts.error[1] if counts.error else USUAL_ERROR)
    read, exact = ruler.boundary(usage.read) if usage.read else (0, False)
    kept = read
    if usage.write:
        kept = len(blocks) if usage.input <= UNMARKED else max(read, ruler.boundary(usage.read + usage.write)[0])
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


class _Ruler:
    """Where block boundaries lie in the recorded prompt.

        0        1,010                    1,420      1,610     tokens
        ├─────────┤··························├──────────┤
        tools+sys  u1 of request 1   a1  r1  │ of 2      of this one

    Recorded sizes of older requests on the path fix the boundaries behind their messages; between two of them the
    estimates are stretched to fit. Older requests count as far back as messages only grew: under the same compaction,
    model and edits.
    """

    def __init__(
        self,
        session: Session,
        timeline: Timeline,
        summary: RequestSummary,
        context: Context,
        tokens: Sequence[int],
        error: float,
    ) -> None:
        self._tokens, self._error = tokens, error
        places = Places(timeline.path)
        own = places.all([summary.request.entry])[0]
        # what a summary or an edit stands for was there before any message behind the cut
        order = places.all([origin.rows[0] for origin in context.origins])
        for index, origin in enumerate(context.origins):
            if origin.made_by in ("summary", "retained_tail"):
                order[index] = -1
        edits = at_kinds(session, timeline.path[:own], ("context_edit",))
        self._older = self._walk(timeline, summary, places, order, edits[-1] if edits else -1)
        self._known: list[tuple[int, int]] = [(summary.request.usage.prompt, len(tokens))]  # newest first

    @staticmethod
    def _walk(
        timeline: Timeline, summary: RequestSummary, places: Places, order: list[int], edited: int
    ) -> Iterator[tuple[int, int]]:
        """Of older requests, newest first: where they ended, and how many blocks that were."""
        for number in range(summary.request.number - 2, -1, -1):
            older = timeline.summaries[number]
            at = places.all([older.request.entry])[0]
            same = older.compaction == summary.compaction and older.request.model == summary.request.model
            if not same or at < edited:
                break
            yield _end(older.request.usage), bisect_left(order, at)

    def _boundaries(self) -> Iterator[tuple[int, int]]:
        """All but the first; of a long session only the newest are asked for."""
        yield from self._known[1:]
        for found in self._older:
            self._known.append(found)
            yield found

    def boundary(self, tokens: int) -> tuple[int, bool]:
        """(how many blocks end at or before `tokens`, or at the boundary nearest to it; whether that is exact).

        A boundary beyond `tokens` is taken only within the error of the estimates.
        """
        end, above = self._known[0]
        start, below = 0, 0
        for place, blocks in self._boundaries():
            if place <= tokens:
                start, below = place, blocks
                break
            end, above = min(end, place), min(above, blocks)
        else:  # no older request reaches down there: measured back from the one above
            start = max(0, end - sum(self._tokens[:above]))
        if tokens == start and start:
            return below, below > 0
        estimates = self._tokens[below:above]
        whole = sum(estimates) or 1
        places = [start + part * (end - start) // whole for part in accumulate(estimates, initial=0)]
        after = bisect_right(places, tokens)
        if after == 0 or after == len(places):
            return (below if after == 0 else above), False
        short, over = tokens - places[after - 1], places[after] - tokens
        further = over < short and over <= self._error * (tokens - start)
        return below + (after if further else after - 1), False


def _end(usage: Usage) -> int:
    """Where the last block of a request ends for its cache: without the scaffolding behind its last mark."""
    return usage.read + usage.write if usage.write and usage.input <= UNMARKED else usage.prompt
