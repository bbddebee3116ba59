"""What a context engine was asked around one request, what it answered, and what it hands to the next one.

Question ─▶ core.engine_host ─▶ Played ─▶ core.layers.context_engine ─▶ blocks, reasons, Remembered
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from core.engine import EngineInfo
from core.engine_store import ForkedStore
from core.messages import Json, Message
from core.phrase import Phrase
from core.session import Session

Fact = str | int | bool


@dataclass(frozen=True, slots=True)
class Called:
    """One call of a lifecycle method. `facts`: what it was given and gave back, by name; `stored`: names of the store
    that it changed; `fault`: why it failed, in the words of the exception."""

    method: str
    facts: Mapping[str, Fact] = field(default_factory=dict)
    stored: tuple[str, ...] = ()
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """A message that the engine sends. `source`: index of the input message it stands for, None for a new one;
    `message`: None = that very input message."""

    source: int | None
    message: Message | None


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """`messages`: the prompt so far; those from `new` on were written since the request before (`begins`: there was
    none). `ids`: the entry of each message, "" where it has none of its own. `due`: the agent's own trigger for
    compaction would fire. `over`: the turn ends with `reply`, whose entry is the last of `ids`. `before_count`:
    messages before that turn. `history`: the session before its first message. `keys`: of the messages' blocks."""

    engine: str
    store: ForkedStore
    begins: bool
    messages: tuple[Message, ...]
    new: int
    window: int
    model: str
    prompt: str
    due: bool = False
    over: bool = False
    reply: Message | None = None
    before_count: int = 0
    ids: tuple[str, ...] = ()
    history: Session | None = None
    keys: tuple[bytes, ...] = ()

    @property
    def key(self) -> bytes:
        """Equal for questions that get the same answer: the past follows from what is asked."""
        made = hashlib.blake2b(digest_size=16)
        for part in (self.engine, self.model, str(self.window), self.prompt):
            made.update(part.encode("utf-8", "surrogatepass") + b"\0")
        made.update(b"".join(self.keys))
        return made.digest()


@dataclass(frozen=True, slots=True)
class Played:
    """`items` None: no usable answer; `fault` says why. `same`: the input as it is, and no items. `rewrites`: what
    `maintain` wants to stand in entries, by id. `printed`: characters that went to standard output. `lost`: it hung or
    ended its process, and is not asked again. `pending`: it is asked elsewhere, and the answer did not come yet."""

    info: EngineInfo | None
    items: tuple[Item, ...] | None
    calls: tuple[Called, ...] = ()
    addition: str = ""
    estimated: int = 0
    why: str | Phrase = ""
    rewrites: tuple[tuple[str, Json], ...] = ()
    store: ForkedStore | None = None
    printed: int = 0
    fault: str | Phrase = ""
    lost: bool = False
    same: bool = False
    pending: bool = False


@dataclass(frozen=True, slots=True)
class Remembered:
    """The Carry of the step "Context engine". `upto`: newest row that was ingested. `rewrites`: what stands in entries
    instead of what is recorded, by row. `lost`: why it is not asked any more ("" = it is).

    Of this request alone: `calls`; `addition`: what goes into the system prompt, below the cache boundary; `info`: as
    the engine describes itself. `history`: see Question. `answer`: where the engine is not asked here, what it said
    elsewhere, with the key of its question."""

    engine: str
    store: ForkedStore
    upto: int = -1
    rewrites: Mapping[int, Message] = field(default_factory=dict)
    lost: str | Phrase = ""
    calls: tuple[Called, ...] = ()
    addition: str = ""
    info: EngineInfo | None = None
    history: Session | None = field(default=None, compare=False)
    answer: tuple[bytes, Played] | None = None
    pending: bool = False


def remembered(carries: Iterable[object]) -> tuple[Remembered, ...]:
    """Those of context engines among what was carried."""
    return tuple(carry for carry in carries if isinstance(carry, Remembered))


def pending(carries: Iterable[object]) -> bool:
    """Whether a step stands there only until an engine's answer comes."""
    return any(carry.pending for carry in remembered(carries))


def rewritten(carries: Iterable[object]) -> Mapping[int, Message]:
    """What the request is built from instead of what is recorded, by row."""
    found: dict[int, Message] = {}
    for carry in remembered(carries):
        found.update(carry.rewrites)
    return found


def addition(carries: Iterable[object]) -> str:
    """What engines add to the system prompt, to be appended below the cache boundary; "" = nothing. `carries`: those
    of the request's own steps (`step.carry`)."""
    return "\n\n".join(filter(None, (carry.addition for carry in remembered(carries))))
