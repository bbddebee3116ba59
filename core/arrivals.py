"""What each request of a path brings to the first step: the messages of step 0, told as what is new since the last one.

path    m1 m2 [a1] m3 [a2] C [a3]          requests 1, 2, 3, then what would be sent next
flows   +m1 m2    +a1 m3   anew: S m3 …    a cut or an edit builds the context anew (`core.context`)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from core.appended import Flow
from core.assembled import Assembled, tokens_of
from core.context import SENDING, Context, Origin, build, settings_on
from core.counts import Counts
from core.messages import Json, Message
from core.prompt import Block, Blocks, blocks_of
from core.session import Session
from core.timeline import RequestSummary, Timeline


@dataclass(frozen=True, slots=True)
class Arrival:
    """One request, `number` from 1; one more than there are: what would be sent next (`summary` None)."""

    number: int
    summary: RequestSummary | None
    flow: Flow
    unrecorded: int | None
    """Tokens of tools and system prompt, as in Assembled."""


@dataclass(slots=True)
class Sending:
    """Messages of entries as blocks, each made once for all requests."""

    session: Session
    body: Callable[[int], Json]
    message: Callable[[int], Message | None]
    _blocks: dict[int, Block | None] = field(default_factory=dict)

    def block(self, row: int) -> Block | None:
        if row not in self._blocks:
            found = self.message(row) if self.session.type_of(row) in SENDING else None
            self._blocks[row] = Block(found.key(), "messages", found, Origin((row,))) if found is not None else None
        return self._blocks[row]

    def context(self, path: Sequence[int]) -> Blocks:
        """Step 0 of the path before a request."""
        context = build(self.session, path, message=self._plain, body=self.body)
        held = {id(block.message): block for block in self._blocks.values() if block is not None}

        def block(message: Message, origin: Origin) -> Block:
            known = held.get(id(message))
            return known if known is not None and known.origin == origin else Block.of(message, origin)

        return blocks_of(context, block)

    def _plain(self, row: int) -> Message | None:
        block = self.block(row)
        return block.message if block is not None else None


def arrivals(session: Session, timeline: Timeline, sending: Sending) -> Iterator[Arrival]:
    """Of every request on the path, then of what would be sent next. Bodies are read once."""
    summaries = {summary.request.entry: summary for summary in timeline.summaries}
    there: list[Block] = []  # at the last request
    new: list[Block] = []  # since then
    targets: set[int] = set()  # of edits so far
    cut = False  # the context must be built anew
    number = 0

    def flow(at: int) -> Flow:
        nonlocal there, cut
        if not cut:
            found = Flow(tuple(new))
            there += new
        else:
            blocks = sending.context(timeline.path[:at])
            same = len(blocks) >= len(there) and all(a is b for a, b in zip(blocks, there, strict=False))
            found = Flow(blocks[len(there) :] if same else blocks, (), not same)
            there, cut = list(blocks), False
        new.clear()
        return found

    for at, row in enumerate(timeline.path):
        summary = summaries.get(row)
        if summary is not None:
            number += 1
            yield Arrival(number, summary, flow(at), summary.unrecorded)
        kind = session.type_of(row)
        if kind in SENDING:
            block = sending.block(row)
            if block is not None:
                new.append(block)
            cut = cut or row in targets
        elif kind == "context_edit":
            target = sending.body(row).get("targetId")
            found = session.row_of(target) if isinstance(target, str) else None
            if found is not None:
                targets.add(found)
                cut = True
        elif kind in ("compaction", "reset"):
            cut = True
    last = timeline.summaries[-1].unrecorded if timeline.summaries else None
    yield Arrival(number + 1, None, flow(len(timeline.path)), last)


def assembled(
    session: Session, timeline: Timeline, counts: Counts, arrival: Arrival, blocks: Blocks, sending: Sending
) -> Assembled:
    """As much of the assembled prompt as the steps ask for: no cache states, and `blocks` only where sizes matter."""
    model = None
    if arrival.summary is None:
        model = settings_on(session, timeline.path, sending.body)[1]
    messages = tuple([block.message for block in blocks])
    origins = tuple([block.origin for block in blocks])
    context = Context(messages, origins, None, (), (), "off", model)
    request = arrival.summary.request if arrival.summary is not None else None
    tokens = tokens_of(context, counts)
    return Assembled(request, context, blocks, tokens, arrival.unrecorded, (), "unknown", None, 0)
