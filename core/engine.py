"""The contract of a context engine: who decides what of a session is sent. Implementations: `core/engines/`, one module
each, or `stratascope.engines`.

    ID: str                        "legacy"
    TITLE: Phrase
    def make() -> ContextEngine    a fresh one, without memory

The seven methods are those of the agent's own interface (articles, first source, part seven). An engine sees messages
only after the safety and pairing layers ran and cannot switch those off; it never touches the session, whose owner is
the host. What it remembers lives in the `Store` that `bootstrap` is handed: plain JSON, forked when a replay forks; the
object itself may be made anew at any request and handed a store that is not empty.

    bootstrap ─▶ (ingest | ingest_batch)* ─▶ compact? ─▶ assemble ─▶ the call ─▶ after_turn ─▶ maintain
                 what is new since the last request        every request          when a turn is over
"""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from core.errors import RequestError
from core.messages import Json, Message
from core.offers import Offers, module_of, offered
from core.phrase import Phrase, phrase
from core.session import Session

Store = MutableMapping[str, Json]
"""An engine's memory of one session: JSON by name (`core.engine_store`)."""


class Rewrite(Protocol):
    """What `maintain` is handed. The host decides, and keeps the DAG whole: it branches in front of the first rewritten
    entry and appends what follows again, in a copy; the file is never written."""

    @property
    def entries(self) -> Sequence[tuple[str, Message]]:
        """(entry id, message) of what may be rewritten, in the order of the path."""
        ...

    def __call__(self, id: str, message: Json) -> bool:
        """The message (as JSON, of the same role) that shall stand in the entry from now on -> was it taken."""
        ...


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
    input message that it stands for, None for a new one; () = told by identity, which is enough unless it rewrites.
    `why`: the reason, shown on screen; a text in the engine's own words, or a Phrase of the catalogues."""

    messages: tuple[Message, ...]
    estimated_tokens: int = 0
    system_addition: str = ""
    sources: tuple[int | None, ...] = ()
    why: str | Phrase = ""


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
        """Before anything else: import history, keep `store`. `session`: the path as it stood before the first message
        that is ingested. A store that is not empty is one's own from an earlier request."""
        ...

    def ingest(self, message: Message) -> IngestResult:
        """One message was written."""
        ...

    def ingest_batch(self, messages: Sequence[Message]) -> IngestBatchResult: ...

    def assemble(self, messages: tuple[Message, ...], *, token_budget: int, model: str, prompt: str) -> Assembly:
        """Before every model call. `token_budget`: the window. `prompt`: what the user asked last, "" if nothing."""
        ...

    def compact(self, *, token_budget: int, force: bool, instructions: str) -> CompactResult:
        """Asked only of an engine that owns compaction, when the agent's own trigger would have fired."""
        ...

    def after_turn(self, messages: Sequence[Message], *, before_count: int) -> None:
        """A turn is over; messages from `before_count` on are new."""
        ...

    def maintain(self, rewrite: Rewrite) -> MaintenanceResult:
        """After a turn: may ask for entries to be rewritten."""
        ...


@cache
def engines() -> Offers:
    """Every engine by id, and what was refused; looked for once, since asking the installed packages is slow. Nothing
    of a package is imported."""
    return offered("core.engines", "stratascope.engines")


def make(name: str) -> ContextEngine:
    """The engine `name`, in this process; RequestError names those that exist, ContractError what is wrong with it."""
    known = engines().by_id
    if name not in known:
        raise RequestError(phrase("engine.unknown", name=name, known=", ".join(known)))
    engine: ContextEngine = module_of(known[name], ("TITLE", "make")).make()
    return engine


def built_in(name: str) -> bool:
    """Whether it is ours: it keeps no memory, and needs no guarding. An unknown one is not."""
    offer = engines().by_id.get(name)
    return offer is not None and offer.built_in
