"""The newest tool result stays whole: where there is too much, the oldest results make room.

The guard behind the engine begins with the second newest result, or with the newest, because what changes late keeps
the provider's cache. "And if the user needs just the newest result, whole?" The articles' answer is an engine with an
`assemble` of its own (first source, question 1); this is it, and it is written to be read: the smallest engine that
changes anything. `_example.py` beside it has the bare frame, tests/plugin_package an engine as a package of its own.

    too much by 40   r1 100 │ r2 60 │ r3 90        guard    r1 │ r2' │ r3      r2 is cut
                                                   here     ▒▒ │ r2  │ r3      r1 becomes a note, r3 is never touched

1. Measure as the guard does, against the guard's own limit: what fits passes on as it is, and then the guard has
   nothing to do either.
2. Otherwise old results become notes, the oldest first, until enough is saved. "Enough" is rounded up to eighths of the
   limit: the engine keeps no memory, and without that every request would cut one result more and change its prefix.
3. If that is not enough, whole old turns go, and one message says how many. The turn of the newest result stays, and
   what came after it.

The price is what the guard's order avoids: the prefix changes at the oldest note, and everything behind it is written
to the cache again; the cache view shows how much. One result alone may still be over the guard's limit for a single
result: engines stand before that guard and cannot switch it off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.cutting import with_text
from core.engine import (
    Assembly,
    BootstrapResult,
    CompactResult,
    EngineInfo,
    IngestBatchResult,
    IngestResult,
    MaintenanceResult,
    Rewrite,
    Store,
)
from core.estimate import guard_chars
from core.guard import budget_limit
from core.messages import Message
from core.phrase import phrase
from core.session import Session
from core.text import Text

ID = "keep_newest"
TITLE = phrase("engine.keep_newest")
INFO = EngineInfo(ID, "keep_newest", "1")
SHARE = 0.75
"""Of the window, four characters a token: what the guard lets through by default."""
PARTS = 8
"""Room is made by such parts of the limit."""
NOTE = "[an older tool result stood here; it made room for newer ones]"
GONE = "[{n} older messages of this session are not shown; newer tool results needed the room]"
ADDITION = "Some older tool results of this session were left out. Run a tool again where you need its output."


@dataclass(frozen=True, slots=True)
class KeepNewest:
    """It remembers nothing: what it sends follows from the messages alone, so most methods only answer."""

    info: EngineInfo = INFO

    def bootstrap(self, session: Session, store: Store) -> BootstrapResult:
        """An engine with a memory would keep `store` here, and look into it first: it may be its own from before."""
        return BootstrapResult(False, reason="nothing is remembered")

    def ingest(self, message: Message) -> IngestResult:
        """One message was written since the last request; here an engine with a memory would store it."""
        return IngestResult(False)

    def ingest_batch(self, messages: Sequence[Message]) -> IngestBatchResult:
        """The same for several."""
        return IngestBatchResult(0)

    def assemble(self, messages: tuple[Message, ...], *, token_budget: int, model: str, prompt: str) -> Assembly:
        """Returns the very objects that it passes on. `sources` names, for each message that is sent, the one of the
        input that it stands for: so a note is shown as what became of its result, not as one gone and one new."""
        limit = budget_limit(token_budget, SHARE)
        sizes = list(map(guard_chars, messages))
        over = sum(sizes) - limit
        if over <= 0:
            return Assembly(messages)
        sent, noted = list(messages), 0
        wanted = -(-over // (limit // PARTS)) * (limit // PARTS)
        saved = 0
        for index in _results(messages)[:-1]:  # all but the newest
            if saved >= wanted:
                break
            note = with_text(messages[index], Text.of(NOTE))
            if guard_chars(note) < sizes[index]:
                saved += sizes[index] - guard_chars(note)
                sent[index], sizes[index], noted = note, guard_chars(note), noted + 1
        begin = _first_kept(messages, sizes, limit)
        first = next((index for index, message in enumerate(messages) if message.role == "user"), 0)
        kept = [*range(first), *range(begin, len(messages))] if begin > first else list(range(len(messages)))
        left = [sent[index] for index in kept]
        sources: list[int | None] = list(kept)
        if begin > first:
            told = GONE.format(n=begin - first)
            left.insert(first, Message.of({"role": "user", "content": [{"type": "text", "text": told}]}))
            sources.insert(first, None)
        return Assembly(
            tuple(left),
            sum(sizes[index] for index in kept) // 4,
            ADDITION if noted else "",
            tuple(sources),
            phrase("engine.keep_newest_why", over=over, limit=limit),
        )

    def compact(self, *, token_budget: int, force: bool, instructions: str) -> CompactResult:
        """`owns_compaction` is False in `info`: the agent compacts by its own rules and never asks."""
        return CompactResult(True, False, "left to the host")

    def after_turn(self, messages: Sequence[Message], *, before_count: int) -> None:
        """The turn is over: `messages[before_count:]` are new. Nothing to do here."""

    def maintain(self, rewrite: Rewrite) -> MaintenanceResult:
        """Here an engine may have entries rewritten, for every later request. This one decides anew each time."""
        return MaintenanceResult(False)


def make() -> KeepNewest:
    return KeepNewest()


def _results(messages: Sequence[Message]) -> list[int]:
    return [index for index, message in enumerate(messages) if message.role == "toolResult"]


def _first_kept(messages: Sequence[Message], sizes: Sequence[int], limit: int) -> int:
    """Where the turns begin that fit; a turn is cut off only as a whole, so that no result loses its call."""
    starts = [index for index, message in enumerate(messages) if message.role == "user"]
    if not starts:
        return 0
    newest = max(_results(messages), default=len(messages))
    last = max((at for at, start in enumerate(starts) if start <= newest), default=0)
    over = sum(sizes) - limit
    at = 0
    while over > 0 and at < last:
        over -= sum(sizes[starts[at] : starts[at + 1]])
        at += 1
    return starts[at]
