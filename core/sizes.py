"""Sizes of blocks in characters and tokens, for the numbers beside the steps.

    block as it came in     characters and tokens of its entry: recorded or counted with the session
    block after an edit     its own characters; tokens by the counter, or in proportion to the characters that are left

The proportion is for counters that learn from recorded usage: an entry whose tokens are recorded, cut in half, has half
of them, whatever a count of its text would say. Sizes are remembered for as long as the value lives.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from core import javascript
from core.assembled import Assembled
from core.calibration import Measure
from core.counter import Counter, SessionCounter
from core.counts import Counts
from core.messages import Json, Message, Shape
from core.prompt import Block
from core.session import Session

MOST = 100_000
"""Changed blocks whose sizes are remembered."""
PER_TOKEN = 4
"""Characters a token, where nothing better is known."""


def message_chars(message: Message) -> int:
    """UTF-16 units of text in a message, as `core.messages.raw_chars` counts them of its JSON, without making that."""
    if message.shape is Shape.STRING:
        return len(message.parts[0].text or "")
    chars = 0
    for part in message.parts:
        if part.text is not None:
            chars += len(part.text)
        elif isinstance(part.raw, dict):
            chars += _block_chars(part.raw)
    if message.is_object:
        for key in ("command", "output", "summary"):
            text = message.fields.get(key)
            if isinstance(text, str):
                chars += javascript.length(text)
    return chars


def _block_chars(raw: dict[str, Json]) -> int:
    text = raw.get("text")
    if not isinstance(text, str):
        text = raw.get("thinking")
    if isinstance(text, str):
        return javascript.length(text)
    if "arguments" not in raw:
        return 0
    name = raw.get("name")
    return javascript.json_length(raw["arguments"]) + (javascript.length(name) if isinstance(name, str) else 0)


@dataclass(slots=True)
class Measures:
    """Characters and tokens of any block of one request. `counter` None: changed blocks keep their proportion."""

    counts: Counts
    counter: Counter | None
    _chars: dict[int, int]
    _tokens: dict[int, int]
    _made: dict[Block, tuple[int, int]] = field(default_factory=dict)
    _kept: tuple[Block, ...] = ()
    """The blocks that came in: their identities are the keys of the two tables."""

    @classmethod
    def of(
        cls,
        session: Session,
        counts: Counts,
        assembled: Assembled,
        counter: Counter | None = None,
        measured: dict[bytes, int] | None = None,
    ) -> Measures:
        """`counter`: the one that `counts` come from, where it counts every message by its text alone. `measured`:
        characters by key, filled on the way: neighbouring requests hold mostly the same messages."""
        table = measured if measured is not None else {}
        chars = {}
        for block in assembled.blocks:
            origin = block.origin
            whole = len(origin.rows) == 1 and origin.made_by in ("", "summary")
            known = session.columns.chars[origin.rows[0]] if whole else 0
            if known <= 0:  # below 0: not measured yet
                known = table.get(block.key, -1)
                if known < 0:
                    known = table[block.key] = message_chars(block.message)
            chars[id(block)] = known
        tokens = {id(block): n for block, n in zip(assembled.blocks, assembled.tokens, strict=True)}
        exact = counter if not isinstance(counter, SessionCounter) else None
        return cls(counts, exact, chars, tokens, {}, assembled.blocks)

    def chars(self, block: Block) -> int:
        """UTF-16 units of text that is sent."""
        known = self._chars.get(id(block))
        return known if known is not None else self._sizes(block)[0]

    def tokens(self, block: Block) -> int:
        """By the counter in use; of a changed block an estimate where that one is not exact."""
        known = self._tokens.get(id(block))
        return known if known is not None else self._sizes(block)[1]

    def _sizes(self, block: Block) -> tuple[int, int]:
        found = self._made.get(block)
        if found is None:
            if len(self._made) >= MOST:
                self._made.clear()
            chars = message_chars(block.message)
            found = self._made[block] = (chars, self._estimate(block, chars))
        return found

    def _estimate(self, block: Block, chars: int) -> int:
        if self.counter is not None:
            return self.counter.count(block.message)
        before = block.before
        if before is None:
            known = self.counts.calibration
            return known.tokens(Measure.of(block.message)) if known is not None else -(-chars // PER_TOKEN)
        tokens, size = self.tokens(before), self.chars(before)
        if len(block.origin.rows) > len(before.origin.rows):  # merged: what joined it keeps the tokens of its entries
            return tokens + sum(self.counts.tokens[row] for row in block.origin.rows[len(before.origin.rows) :])
        return round(tokens * chars / size) if size else tokens
