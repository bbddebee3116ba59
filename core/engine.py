"""The contract of a context engine: who decides what of a session is sent. Implementations: `core/engines/`, one module
each, or `stratascope.engines`.

    ID: str                        "legacy"
    TITLE: Phrase
    def make() -> ContextEngine    a fresh one, without memory

The seven methods are those of the agent's own interface (articles, first source, part seven). An engine sees messages
only after the safety and pairing layers ran and cannot switch those off; it never touches the session, whose owner is
the host. What it remembers lives in the `Store` that `bootstrap` is handed: plain JSON, forked when a replay forks.

    bootstrap ─▶ (ingest | ingest_batch)* ─▶ assemble ─▶ the call ─▶ after_turn ─▶ maintain          compact: when asked
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Protocol

from core.errors import RequestError
from core.messages import Json, Message
from core.phrase import phrase
from core.plugins import discover
from core.session import Session

Store = dict[str, Json]
"""An engine's memory of one session."""

Rewrite = Callable[[str, Json], bool]
"""(entry id, new message) -> was it rewritten. The host decides, and keeps the DAG whole."""


@dataclass(frozen=True, slots=True)
class EngineInfo:
    """`owns_compaction`: the engine compacts by itself; the agent's own trigger stays silent."""

    id: str
    name: str
    version: str
    owns_compaction: bool = False


@dataclass(frozen=True, slots=True)
class BootstrapResult:
    """`imported`: messages taken over from the session. `reason`: why none were, in the engine's own words."""

    bootstrapped: bool
    imported: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class IngestResult:
    ingested: bool


@dataclass(frozen=True, slots=True)
class IngestBatchResult:
    ingested: int


@dataclass(frozen=True, slots=True)
class Assembly:
    """`messages`: what is to be sent, in order. `estimated_tokens`: the engine's own estimate, 0 = none.

    `system_addition`: goes below the cache boundary of the system prompt. `sources`: for each message the index of the
    input message that it stands for, None for a new one; () = told by identity, which is enough unless it rewrites."""

    messages: tuple[Message, ...]
    estimated_tokens: int = 0
    system_addition: str = ""
    sources: tuple[int | None, ...] = ()


@dataclass(frozen=True, slots=True)
class CompactResult:
    """`compacted` False with `ok` True: there was nothing to do. Sizes in tokens; `first_kept`: an entry id."""

    ok: bool
    compacted: bool
    reason: str = ""
    summary: str = ""
    first_kept: str | None = None
    tokens_before: int = 0
    tokens_after: int = 0


@dataclass(frozen=True, slots=True)
class MaintenanceResult:
    """`rewritten`: entries; `freed`: bytes."""

    changed: bool
    rewritten: int = 0
    freed: int = 0
    reason: str = ""


class ContextEngine(Protocol):
    """Any of the methods may raise: the host then goes on with the messages as they were, and says so."""

    @property
    def info(self) -> EngineInfo: ...

    def bootstrap(self, session: Session, store: Store) -> BootstrapResult:
        """Once per session, before anything else: import history, keep `store`."""
        ...

    def ingest(self, message: Message) -> IngestResult:
        """One message was written."""
        ...

    def ingest_batch(self, messages: Sequence[Message]) -> IngestBatchResult: ...

    def assemble(self, messages: tuple[Message, ...], *, token_budget: int, model: str, prompt: str) -> Assembly:
        """Before every model call. `token_budget`: the window. `prompt`: what the user asked last, "" if nothing."""
        ...

    def compact(self, *, token_budget: int, force: bool, instructions: str) -> CompactResult: ...

    def after_turn(self, messages: Sequence[Message], *, before_count: int) -> None:
        """A turn is over; messages from `before_count` on are new."""
        ...

    def maintain(self, rewrite: Rewrite) -> MaintenanceResult:
        """After a turn: may ask for entries to be rewritten."""
        ...


@cache
def engines() -> dict[str, ModuleType]:
    """Every engine by id; looked for once, since asking the installed packages is slow."""
    return discover("core.engines", ("TITLE", "make"), "stratascope.engines")


def make(name: str) -> ContextEngine:
    """The engine `name`; RequestError names those that exist."""
    known = engines()
    if name not in known:
        raise RequestError(phrase("engine.unknown", name=name, known=", ".join(known)))
    engine: ContextEngine = known[name].make()
    return engine
