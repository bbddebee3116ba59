"""A quarter of the characters: the rule of thumb that the agents' guard uses. Needs nothing, knows nothing.

4 UTF-16 units make a token, in a tool result 2 (section 4 of the recorded cases' description: program output is dense).
An image counts 2,000 whatever its size (8,000 units). Nothing is added per message. Rounded up once per message, so
more text never counts less.
"""

from __future__ import annotations

from dataclasses import dataclass

from core import javascript
from core.estimate import IMAGE
from core.messages import Message
from core.phrase import phrase
from core.sent import sent
from core.session import Session

ID = "chars"
TITLE = phrase("counter.chars")

PER_TOKEN = 4
PER_TOKEN_OF_RESULT = 2


@dataclass(frozen=True, slots=True)
class Chars:
    """Counts by length alone."""

    id: str = ID

    def count(self, message: Message) -> int:
        found = sent(message)
        units = sum(map(javascript.length, found.texts))
        per_token = PER_TOKEN_OF_RESULT if found.kind == "result" else PER_TOKEN
        return -(-units // per_token) + len(found.images) * IMAGE // PER_TOKEN


def make(session: Session | None) -> Chars:
    return Chars()
