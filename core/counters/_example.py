"""A template: copy it, rename it without the underscore, and it is a counter. This one counts words.

The module needs ID, TITLE and make(session). An installed package offers one through the entry-point group
`stratascope.counters`, whose value names such a module.

    [project.entry-points."stratascope.counters"]
    words = "my_package.words"
"""

from __future__ import annotations

from dataclasses import dataclass

from core.messages import Message
from core.phrase import literal
from core.sent import sent
from core.session import Session

ID = "words"
TITLE = literal("words")
"""Its name on screen; `phrase("…")` once the catalogues know it."""


@dataclass(frozen=True, slots=True)
class Words:
    """Never negative, and the same for the same message: `core.sent` says what of it reaches the model."""

    id: str = ID

    def count(self, message: Message) -> int:
        return sum(len(text.split()) for text in sent(message).texts)


def make(session: Session | None) -> Words:
    """`session` is there for counters that learn from recorded usage (`core.counter.SessionCounter`)."""
    return Words()
