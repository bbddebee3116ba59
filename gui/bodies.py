"""Parsed bodies of a session, kept within a bound: nothing that is looked at twice is parsed twice."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from core.context import SENDING, Origin, message_of, of_row
from core.messages import Json, Message
from core.prompt import Block
from core.session import Session


class Bodies:
    """Parsed bodies and messages by row, the most recent within a bound of bytes."""

    LIMIT = 64_000_000
    OTHERS = 10_000

    def __init__(
        self, session: Session, far: Callable[[int], bool] = lambda row: False, stand_in: Callable[[int], Json] = dict
    ) -> None:
        """`far(row)`: somebody else reads it, and `take` brings it; `stand_in(row)`: what there is until then."""
        self._session, self._far, self._stand_in = session, far, stand_in
        self._held: OrderedDict[int, Json] = OrderedDict()
        self._messages: dict[int, Message | None] = {}
        self._blocks: dict[int, Block | None] = {}
        """By identity of the messages kept above; None = not made yet."""
        self._others: dict[Block, Block] = {}
        self._size = 0

    def grow(self, session: Session) -> None:
        """The same session with more rows, or with sizes: what was parsed stays."""
        self._session = session

    def body(self, row: int) -> Json:
        found = self._held.get(row)
        if found is not None:
            self._held.move_to_end(row)
            return found
        if self._far(row):
            return self._stand_in(row)
        return self._hold(row, self._session.body(row))

    def at_hand(self, row: int) -> bool:
        """`body` gives what is in the file."""
        return row in self._held or not self._far(row)

    def take(self, row: int, body: Json, message: Message | None, key: bytes) -> None:
        """What was read elsewhere."""
        self._hold(row, body)
        self._messages[row] = message
        if message is not None:
            self._blocks[id(message)] = Block(key, "messages", message, of_row(row))

    def _hold(self, row: int, found: Json) -> Json:
        self._held[row] = found
        self._size += self._session.columns.size[row]
        while self._size > self.LIMIT and len(self._held) > 1:
            gone, _ = self._held.popitem(last=False)
            self._blocks.pop(id(self._messages.pop(gone, None)), None)
            self._size -= self._session.columns.size[gone]
        return found

    def message(self, row: int) -> Message | None:
        if row not in self._messages:
            kind = self._session.type_of(row)
            found = message_of(self._session, row, self.body(row)) if kind in SENDING else None
            if not self.at_hand(row):
                return found
            self._messages[row] = found
            if found is not None:
                self._blocks[id(found)] = None
        return self._messages[row]

    def block(self, message: Message, origin: Origin) -> Block:
        """Block.of, the very same one for each request while its message is kept here: its key costs as much as
        writing the message, and what was made of it at one request is found again at the next."""
        found = self._blocks.get(id(message))
        if found is None or (found.origin is not origin and found.origin != origin):
            found = Block.of(message, origin)
            if id(message) in self._blocks:
                self._blocks[id(message)] = found
            else:  # a summary, or what an edit made: a new message each time
                if len(self._others) > self.OTHERS:
                    self._others.clear()
                found = self._others.setdefault(found, found)
        return found
