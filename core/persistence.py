"""What the agent does when it *writes* a message: calls are repaired, results named, capped, and made up if missing.

    appended   a[call 1, call 2]   result 2    user
    written    a[call 1, call 2]   result 2    result 1 (made up)   user          then nothing is pending

Source: recorded cases of layers c (`sessionToolResultGuard`) and a (`capToolResultSize`), OpenClaw 2026.3.24, 2026.4.5
and, for the notice that counts, 2026.4.14; the cap by window is from reading 2026.9 (section 12), not recorded. All of
this changes the file, for good: what is cut here no later request can show.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from core import cutting
from core.call_inputs import call_rule, repaired
from core.messages import Message, Shape
from core.pairing import MISSING_RESULT, NAMES, Call, calls, failed, is_call, named, result_id, synthetic
from core.phrase import Phrase, phrase

CAPS = {"2026.3.24": 400_000, "2026.4.2": 400_000, "2026.4.5": 40_000, "2026.4.14": 40_000, "article-2": 400_000}
"""Characters that one result may have when it is written, by version, and as article 2 has it."""
GUARD_SUFFIX = (
    "\n\n⚠️ [Cut before it was saved: this tool result was over the size limit of the session file. "
    "Ask again for a smaller part if the missing text matters.]"
)
"""Stands under a result that was cut on writing; known by its length (151 units) and beginning only: wording ours."""
TIERS = ((200_000, 64_000), (100_000, 32_000), (0, 16_000))
"""2026.9: from so many tokens of window on, so many characters."""


def cap_by_window(window: float) -> int:
    """The cap of 2026.9, characters: by tiers of the window, never over 30 % of it at four a token."""
    most = next(most for least, most in TIERS if window >= least or not least)
    return cutting.result_cap(window, most)


def hard_cap(
    message: Message, most: float, suffix: cutting.Suffix = GUARD_SUFFIX, min_keep: int = cutting.MIN_KEEP
) -> Message:
    """`capToolResultSize`: a tool result cut to `most` characters; the very message when it fits.

    Each text block gets its share, never less than `min_keep` and the notice: many small blocks may stay over."""
    return cutting.cut_message(message, most, suffix, min_keep)


# the preview


@dataclass(frozen=True, slots=True)
class BlockShare:
    """One text block of a result. `share`: what the cap leaves it by its size; `budget`: what it really gets, at least
    the minimum and the notice. `chars`, `kept`: units before and after, the notice counted. `words`: what in its last
    2,000 units makes the tail important, as (start, end, word) in units of the text; () = head only."""

    index: int
    chars: int
    share: int
    budget: int
    kept: int
    words: tuple[tuple[int, int, str], ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """What writing this result would do to it. `over`: units by which it stays over the cap all the same."""

    before: Message
    after: Message
    most: int
    chars: int
    kept: int
    blocks: tuple[BlockShare, ...]

    @property
    def cut(self) -> bool:
        return self.after is not self.before

    @property
    def over(self) -> int:
        return max(0, self.kept - self.most)


def text_chars(message: Message) -> int:
    """Units in the text blocks of a list content: what the cap is compared with."""
    if message.shape is not Shape.LIST:
        return 0
    return sum(len(part.text) for part in message.parts if part.kind == "text" and part.text is not None)


def preview(
    message: Message, most: int, suffix: cutting.Suffix = GUARD_SUFFIX, min_keep: int = cutting.MIN_KEEP
) -> Preview:
    """The cut of one result, block by block. A message that is no tool result, or fits, comes back uncut."""
    after = hard_cap(message, most, suffix, min_keep)
    total = text_chars(message)
    found: list[BlockShare] = []
    for index, (old, new) in enumerate(zip(message.parts, after.parts, strict=True)):
        if old.kind != "text" or old.text is None or new.text is None or after is message:
            continue
        share = math.floor(most * (len(old.text) / total))
        notice = cutting.notice_of(suffix, len(old.text) - share)
        budget = max(min_keep + len(notice), share)
        both = new is not old and cutting.MIDDLE_OMISSION in new.text.pieces
        words = important_words(old.text.units) if both else ()
        found.append(BlockShare(index, len(old.text), share, budget, len(new.text), words))
    return Preview(message, after, most, total, text_chars(after), tuple(found))


def important_words(text: str) -> tuple[tuple[int, int, str], ...]:
    """(start, end, word) in `text` (in units) of everything for which the agent takes its tail for important."""
    start = max(0, len(text) - cutting.TAIL_WINDOW)
    tail = text[start:]
    # One unit stays one unit: what lower-cases to several cannot be part of a keyword.
    plain = "".join(low if len(low := unit.lower()) == 1 else "\0" for unit in tail)
    found = [(start + m.start(1), start + m.end(1), m[1]) for m in re.finditer(cutting.IMPORTANT, plain)]
    end = cutting.closing_brace(tail)
    if end is not None:
        found.append((start + end, start + end + 1, "}"))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class WrittenText:
    """What stands in the file afterwards, its text blocks one below the other. `words`: what of the words that make
    the tail important is still there; `notices`: what was put in. Both as (start, end), in units."""

    units: str
    words: tuple[tuple[int, int], ...]
    notices: tuple[tuple[int, int], ...]


def written_text(seen: Preview) -> WrittenText:
    """Text blocks that were left as they are, too; between two of them stands an empty line."""
    found = {share.index: share.words for share in seen.blocks}
    units, words, notices = "", [], []
    for index, part in enumerate(seen.after.parts):
        if part.kind != "text" or part.text is None:
            continue
        units += "\n\n" if units else ""
        at = len(units)
        for piece in part.text.pieces:
            if isinstance(piece, str):
                notices.append((at, at + len(piece)))
                at += len(piece)
                continue
            for start, end, _ in found.get(index, ()):
                low, high = max(start, piece.start), min(end, piece.end)
                if low < high:
                    words.append((at + low - piece.start, at + high - piece.start))
            at += piece.end - piece.start
        units += part.text.units
    return WrittenText(units, tuple(words), tuple(notices))


# the guard that every appended message passes

Deed = Literal["as_is", "calls_repaired", "named", "capped", "named_and_capped", "made_up"]

NOTHING_PENDING: Mapping[str, str | None] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Options:
    """`most`: the cap. `invent`: make up missing results. `names`, `allowed`: which calls are kept (repair_inputs)."""

    most: float = 40_000
    suffix: cutting.Suffix = GUARD_SUFFIX
    invent: bool = True
    names: str = "2026.4.5"
    allowed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """One message as it goes into the file. `source`: index of the appended message, None = made up."""

    message: Message
    source: int | None
    deed: Deed


@dataclass(frozen=True, slots=True)
class Persisted:
    """`written` in file order; `dropped`: indices of assistants of which no call was left; `pending`: id -> name of
    calls still without result."""

    written: tuple[Written, ...]
    dropped: tuple[int, ...]
    pending: Mapping[str, str | None]


def persist(
    messages: Iterable[Message],
    options: Options,
    now: int | None = None,
    flush_at_end: bool = False,
    pending: Mapping[str, str | None] = NOTHING_PENDING,
) -> Persisted:
    """`sessionToolResultGuard`: the messages, appended one after another. `now`: time of made-up results, epoch ms.

    `pending`: what an earlier call left open."""
    writer = _Writer(options, now, dict(pending))
    for index, message in enumerate(messages):
        writer.append(message, index)
    if flush_at_end:
        writer.flush()
    return Persisted(tuple(writer.written), tuple(writer.dropped), MappingProxyType(writer.pending))


class _Writer:
    """The state between two appended messages."""

    def __init__(self, options: Options, now: int | None, pending: dict[str, str | None]) -> None:
        self.options, self.now, self.pending = options, now, pending
        self.usable = call_rule(NAMES[options.names], options.allowed)
        self.written: list[Written] = []
        self.dropped: list[int] = []

    def append(self, message: Message, index: int) -> None:
        if message.role == "toolResult":
            self._result(message, index)
            return
        kept = self._repaired(message)
        self.flush()
        if kept is None:
            self.dropped.append(index)
            return
        self.written.append(Written(kept, index, "as_is" if kept is message else "calls_repaired"))
        if kept.role == "assistant" and not failed(kept):
            self.pending.update((call.id, call.name) for call in calls(kept))

    def _result(self, message: Message, index: int) -> None:
        id = result_id(message)
        name = self.pending.pop(id, None) if id is not None else None
        renamed = named(message, name)
        capped = hard_cap(renamed, self.options.most, self.options.suffix)
        deed: Deed = "as_is"
        if capped is not renamed:
            deed = "capped" if renamed is message else "named_and_capped"
        elif renamed is not message:
            deed = "named"
        self.written.append(Written(capped, index, deed))

    def _repaired(self, message: Message) -> Message | None:
        """An assistant with the calls that may stay; None when calls were dropped and nothing is left."""
        if message.role != "assistant" or message.shape is not Shape.LIST or not any(map(is_call, message.parts)):
            return message
        parts, gone, touched = repaired(message.parts, self.usable)
        if not gone and not touched:
            return message
        return replace(message, parts=parts) if parts or not gone else None

    def flush(self) -> None:
        """A made-up result for every pending call, in order; without `invent` they are forgotten."""
        if self.options.invent:
            for id, name in self.pending.items():
                made = synthetic(Call(id, name), self.now, "persist_guard", MISSING_RESULT)
                self.written.append(Written(made.message, None, "made_up"))
        self.pending.clear()


DEEDS: Mapping[Deed, Phrase] = MappingProxyType(
    {
        "calls_repaired": phrase("layer.persist_guard.calls_repaired"),
        "named": phrase("layer.persist_guard.named"),
        "capped": phrase("layer.persist_guard.capped"),
        "named_and_capped": phrase("layer.persist_guard.named_and_capped"),
        "made_up": phrase("layer.persist_guard.made_up"),
    }
)
