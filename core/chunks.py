"""How a history is cut into pieces that a summarizer can take: by token share, by maximum tokens; what is too large.

Source: recorded cases of layer g (section 9 of their description) with their pins in n, OpenClaw 2026.3.24 and
2026.4.5. All sizes are pi's estimate, a quarter of the characters (`core.estimate.pi_tokens`): limits have a margin.

    share, 2 parts    u a[x] r(x) │ u a            2026.4: never between a call and its result; the cut moves in front
    maximum           u a │ R │ u a                R alone is larger than a chunk may be
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from core.context import Origin
from core.estimate import pi_tokens
from core.layer import StepContext, Target
from core.layers import repair_pairs
from core.messages import Message
from core.pairing import calls, failed, result_id
from core.prompt import Block

MARGIN = 1.2
"""The estimate may be so many times too small."""
BASE_RATIO = 0.4
"""A chunk's share of the *window* (article 1 calls it a share of the whole history; the recorded agent does not)."""
MIN_RATIO = 0.15
"""The same when messages are large."""
LARGE_MESSAGE = 0.1
"""From this mean share of the window on, messages are large."""
OVERSIZED = 0.5
"""A message of more than this share of the window is not given to a summarizer in the second rung."""
OVERHEAD = 4_096
"""Tokens of every call that are no conversation: instructions, the previous summary."""
HISTORY_SHARE = 0.5
"""What may be kept of a history that is dropped from the front, as a share of the window."""
PARTS = 2

Chunk = tuple[Message, ...]


def tokens(messages: Sequence[Message]) -> int:
    return sum(map(pi_tokens, messages))


def part_count(wanted: float, count: int) -> int:
    """`parts` as the agent reads it: 1 unless it is a finite number above 1; never more than there are messages."""
    if not math.isfinite(wanted) or wanted <= 1:
        return 1
    return min(math.floor(wanted), count)


def by_share(messages: Sequence[Message], parts: float = PARTS, *, pairs: bool = True) -> tuple[Chunk, ...]:
    """Up to `parts` chunks of about equal tokens; joined they are the input.

    `pairs`: since 2026.4 a chunk does not end between a call and its result, if it can end in front of the call.
    """
    if not messages:
        return ()
    wanted = part_count(parts, len(messages))
    if wanted <= 1:
        return (tuple(messages),)
    return _Shares(wanted, tokens(messages) / wanted, pairs).cut(messages)


class _Shares:
    """One walk over the messages. `pending`: calls that wait for a result; `start`: where in `current` they stand."""

    def __init__(self, wanted: int, target: float, pairs: bool) -> None:
        self.wanted, self.target, self.pairs = wanted, target, pairs
        self.done: list[Chunk] = []
        self.current: list[Message] = []
        self.size = 0
        self.pending: set[str] = set()
        self.start: int | None = None

    def cut(self, messages: Sequence[Message]) -> tuple[Chunk, ...]:
        for message in messages:
            size = pi_tokens(message)
            if self.open and self.current and not self.pending and self.size + size > self.target:
                self.done.append(tuple(self.current))
                self.current, self.size, self.start = [], 0, None
            self.current.append(message)
            self.size += size
            if self.pairs:
                self._follow(message)
        if self.pending and self.size > self.target:
            self._split()
        if self.current:
            self.done.append(tuple(self.current))
        return tuple(self.done)

    @property
    def open(self) -> bool:
        """May another chunk be closed? The last one takes all that is left."""
        return len(self.done) < self.wanted - 1

    def _follow(self, message: Message) -> None:
        if message.role == "assistant":
            self.pending = set() if failed(message) else {call.id for call in calls(message)}
            self.start = len(self.current) - 1 if self.pending else None
        elif message.role == "toolResult" and self.pending:
            id = result_id(message)
            if id is None:
                self.pending.clear()
                self.start = None
                return
            self.pending.discard(id)
            if not self.pending:
                if self.size > self.target:
                    self._split()
                self.start = None

    def _split(self) -> None:
        """Close the chunk in front of the calls whose results have just come (or never come)."""
        if self.start is None or self.start <= 0 or not self.open:
            return
        self.done.append(tuple(self.current[: self.start]))
        self.current = self.current[self.start :]
        self.size, self.start = tokens(self.current), None


def by_maximum(messages: Sequence[Message], maximum: float) -> tuple[Chunk, ...]:
    """Chunks of at most `maximum` / 1.2 estimated tokens; a larger message is a chunk of its own."""
    limit = chunk_end(maximum)
    done: list[Chunk] = []
    current: list[Message] = []
    size = 0
    for message in messages:
        own = pi_tokens(message)
        if current and size + own > limit:
            done.append(tuple(current))
            current, size = [], 0
        current.append(message)
        size += own
        if own > limit:
            done.append(tuple(current))
            current, size = [], 0
    if current:
        done.append(tuple(current))
    return tuple(done)


def chunk_end(maximum: float) -> float:
    """Estimated tokens at which a chunk of at most `maximum` tokens ends (infinite: never)."""
    return maximum if maximum == math.inf else max(1, math.floor(maximum / MARGIN))


def ratio(messages: Sequence[Message], window: float) -> float:
    """`computeAdaptiveChunkRatio`: 0.4 of the window, less (down to 0.15) when the mean message is large."""
    if not messages:
        return BASE_RATIO
    mean = _divided(tokens(messages) / len(messages) * MARGIN, window)
    if mean > LARGE_MESSAGE:
        return max(MIN_RATIO, BASE_RATIO - min(mean * 2, BASE_RATIO - MIN_RATIO))
    return BASE_RATIO


def _divided(value: float, by: float) -> float:
    """JavaScript's division."""
    if by:
        return value / by
    return math.nan if not value else math.copysign(math.inf, value)


def limit(messages: Sequence[Message], window: int) -> int:
    """Tokens of a chunk before the margin: the adaptive share of the window without the overhead of a call."""
    return max(1, math.floor(window * ratio(messages, window)) - OVERHEAD)


def oversized(message: Message, window: float) -> bool:
    return pi_tokens(message) * MARGIN > window * OVERSIZED


@dataclass(frozen=True, slots=True)
class Pruned:
    """A history cut down from the front. `messages`: how many went, stray results included; `rounds`: how often it was
    cut. `budget` and `kept_tokens` in estimated tokens; `tokens`: of the dropped chunks."""

    kept: Chunk
    dropped: Chunk
    rounds: int
    messages: int
    tokens: int
    kept_tokens: int
    budget: int


def pruned(
    messages: Sequence[Message],
    most: float,
    *,
    share: float = HISTORY_SHARE,
    parts: float = PARTS,
    generation: str = "2026.4",
    now: int | None = None,
) -> Pruned:
    """`pruneHistoryForContextShare`: first chunks are dropped until the rest fits into `share` of `most` tokens.

    After each round pairs are repaired, which may add made-up results (`now`: their timestamp, epoch ms).
    """
    budget = max(1, math.floor(most * share))
    kept: Chunk = tuple(messages)
    dropped: list[Message] = []
    wanted = part_count(parts, len(kept))
    rounds = strays = 0
    while kept and tokens(kept) > budget:
        found = by_share(kept, wanted, pairs=generation != "2026.3")
        if len(found) <= 1:
            break
        dropped += found[0]
        rounds += 1
        kept, orphans = paired([message for chunk in found[1:] for message in chunk], generation, now)
        strays += orphans
    return Pruned(kept, tuple(dropped), rounds, len(dropped) + strays, tokens(dropped), tokens(kept), budget)


_ANYBODY = Target("", "", "", "anthropic")


def paired(messages: Sequence[Message], generation: str = "2026.4", now: int | None = None) -> tuple[Chunk, int]:
    """(messages with their pairs repaired, how many results answered no call), by the agent's own repair.

    2026.3 drops the results of failed assistants, 2026.4 keeps them here.
    """
    old = generation == "2026.3"
    settings = repair_pairs.Settings("2026.3.24" if old else "2026.4.5", "drop" if old else "preserve")
    blocks = tuple(Block.of(message, Origin(())) for message in messages)
    walk = repair_pairs.repair(blocks, settings, StepContext(0, _ANYBODY, now))
    return tuple(block.message for block in (walk.out if walk.changed else blocks)), walk.orphans
