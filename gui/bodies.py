"""Parsed bodies of a session, kept within a bound: nothing that is looked at twice is parsed twice."""

from __future__ import annotations

from collections import OrderedDict

from core.context import SENDING, message_of
from core.messages import Json, Message
from core.session import Session


class Bodies:
    """Parsed bodies and messages by row, the most recent within a bound of bytes."""

    LIMIT = 64_000_000

    def __init__(self, session: Session) -> None:
        self._session = session
        self._held: OrderedDict[int, Json] = OrderedDict()
        self._messages: dict[int, Message | None] = {}
        self._keys: dict[int, bytes | None] = {}
        """By identity of the messages kept above; None = not computed yet."""
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
            self._keys.pop(id(self._messages.pop(gone, None)), None)
            self._size -= self._session.columns.size[gone]
        return found

    def message(self, row: int) -> Message | None:
        if row not in self._messages:
            kind = self._session.type_of(row)
            found = message_of(self._session, row, self.body(row)) if kind in SENDING else None
            self._messages[row] = found
            if found is not None:
                self._keys[id(found)] = None
        return self._messages[row]

    def key(self, message: Message) -> bytes:
        """Message.key, computed once for each message that is kept here: it costs as much as writing the message."""
        found = self._keys.get(id(message))
        if found is None:
            found = message.key()
            if id(message) in self._keys:
                self._keys[id(message)] = found
        return found
