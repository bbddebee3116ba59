"""A template: copy it, rename it without the underscore, and it is a context engine.

This one sends the newest turns that fit a share of the window, and always the very first user message, so that the task
is never forgotten. It remembers how many messages it left out.

The module needs ID, TITLE and make(). An installed package offers one through the entry-point group
`stratascope.engines`, whose value names such a module.

    [project.entry-points."stratascope.engines"]
    first_and_newest = "my_package.first_and_newest"
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

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
from core.estimate import pi_tokens
from core.messages import Message
from core.phrase import literal
from core.session import Session

ID = "first_and_newest"
TITLE = literal("First and newest")
"""Its name on screen; `phrase("…")` once the catalogues know it."""
INFO = EngineInfo(ID, "First and newest", "1")
SHARE = 0.5


@dataclass(slots=True)
class FirstAndNewest:
    """The methods that an engine has no use for still answer: the host asks all of them."""

    info: EngineInfo = INFO
    store: Store = field(default_factory=dict)

    def bootstrap(self, session: Session, store: Store) -> BootstrapResult:
        """Keep the store: it is the memory, saved and forked by the host."""
        self.store = store
        return BootstrapResult(True)

    def ingest(self, message: Message) -> IngestResult:
        return IngestResult(False)

    def ingest_batch(self, messages: Sequence[Message]) -> IngestBatchResult:
        return IngestBatchResult(0)

    def assemble(self, messages: tuple[Message, ...], *, token_budget: int, model: str, prompt: str) -> Assembly:
        """Cuts only in front of a user message: calls and their results stay together."""
        start, used = len(messages), 0
        for index in range(len(messages) - 1, -1, -1):
            used += pi_tokens(messages[index])
            if used > token_budget * SHARE:
                break
            if messages[index].role == "user":
                start = index
        first = next((index for index, message in enumerate(messages) if message.role == "user"), start)
        kept = tuple(messages[start:]) if first >= start else (messages[first], *messages[start:])
        self.store["left_out"] = len(messages) - len(kept)
        return Assembly(kept, sum(map(pi_tokens, kept)))

    def compact(self, *, token_budget: int, force: bool, instructions: str) -> CompactResult:
        return CompactResult(True, False, "nothing to compact: old turns are simply not sent")

    def after_turn(self, messages: Sequence[Message], *, before_count: int) -> None:
        return None

    def maintain(self, rewrite: Rewrite) -> MaintenanceResult:
        return MaintenanceResult(False)


def make() -> FirstAndNewest:
    return FirstAndNewest()
