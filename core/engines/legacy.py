"""The engine of agents that had none: hands every message on and leaves writing and compacting to the host.

Source: articles, first source, part seven: `assemble` passes through, because the layers before it did the work.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
from core.messages import Message
from core.phrase import phrase
from core.session import Session

ID = "legacy"
TITLE = phrase("engine.legacy")
INFO = EngineInfo(ID, "Legacy", "1")


@dataclass(frozen=True, slots=True)
class Legacy:
    info: EngineInfo = INFO

    def bootstrap(self, session: Session, store: Store) -> BootstrapResult:
        """Nothing to import: the session file is all the memory there is."""
        return BootstrapResult(False, reason="the session file is the memory")

    def ingest(self, message: Message) -> IngestResult:
        return IngestResult(False)

    def ingest_batch(self, messages: Sequence[Message]) -> IngestBatchResult:
        return IngestBatchResult(0)

    def assemble(self, messages: tuple[Message, ...], *, token_budget: int, model: str, prompt: str) -> Assembly:
        return Assembly(messages)

    def compact(self, *, token_budget: int, force: bool, instructions: str) -> CompactResult:
        """The host's own compaction does it."""
        return CompactResult(True, False, "left to the host")

    def after_turn(self, messages: Sequence[Message], *, before_count: int) -> None:
        return None

    def maintain(self, rewrite: Rewrite) -> MaintenanceResult:
        return MaintenanceResult(False)


def make() -> Legacy:
    return Legacy()
