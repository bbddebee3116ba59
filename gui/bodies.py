"""Parsed bodies of a session, kept within a bound: nothing that is looked at twice is parsed twice."""

from __future__ import annotations

from collections import OrderedDict

from core.context import SENDING, Origin, message_of
from core.messages import Json, Message
from core.prompt import Block
from core.session import Session


class Bodies:
    """Parsed bodies and messages by row, the most recent within a bound of bytes."""

    LIMIT = 64_000_000
    OTHERS = 10_000

    def __init__(self, session: Session) -> None:
        self._session = session
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
        found = self._session.body(row)
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
            self._messages[row] = found
            if found is not None:
                self._blocks[id(found)] = None
        return self._messages[row]

    def block(self, message: Message, origin: Origin) -> Block:
        """Block.of, the very same one for each request while its message is kept here: its key costs as much as
        writing the message, and what was made of it at one request is found again at the next."""
        found = self._blocks.get(id(message))
        if found is None or found.origin != origin:
            found = Block.of(message, origin)
            if id(message) in self._blocks:
                self._blocks[id(message)] = found
            else:  # a summary, or what an edit made: a new message each time
                if len(self._others) > self.OTHERS:
                    self._others.clear()
                found = self._others.setdefault(found, found)
        return found
