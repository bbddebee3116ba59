"""Tool-call ids made safe and distinct before they go out.

Source: recorded cases of layer k (`sanitizeToolCallId`, `sanitizeToolCallIds`), OpenClaw 2026.4.5.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from core.messages import Json, Message, Part, Shape
from core.pairing import CALL_KINDS, with_fields

_NATIVE = re.compile(r"toolu_[A-Za-z0-9_]+")
_UNSAFE = re.compile(r"[^A-Za-z0-9]")
STRICT_LIMIT = 40


def _digest(text: str, digits: int) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:digits]


def safe(id: Json, mode: str) -> str:
    """`sanitizeToolCallId`. "strict": letters and digits only; "strict9": exactly nine of them (Mistral's rule)."""
    if not isinstance(id, str) or not id:
        return "defaultid" if mode == "strict9" else "defaulttoolid"
    plain = _UNSAFE.sub("", id)
    if mode != "strict9":
        return plain or "sanitizedtoolid"
    if len(plain) >= 9:
        return plain[:9]
    return _digest(plain or "sanitized", 9)


def _candidates(mode: str, seed: str) -> Iterator[str]:
    """Names to try for `seed`, the plain one first."""
    if mode == "strict9":
        yield safe(seed, mode)
        yield from (_digest(f"{seed}:{number}", 9) for number in count())
    base = safe(seed, mode)[:STRICT_LIMIT]
    yield base
    longer = base[:32] + _digest(seed, 8)
    yield longer
    for number in count(2):
        tail = f"x{number}"
        yield longer[: STRICT_LIMIT - len(tail)] + tail


@dataclass(slots=True)
class Names:
    """What a pass over the messages has given out so far. `queue`: new ids of an old one that wait for a result."""

    mode: str
    native: bool
    used: set[str] = field(default_factory=set)
    calls: dict[str, int] = field(default_factory=dict)
    queue: dict[str, list[str]] = field(default_factory=dict)
    strays: dict[str, int] = field(default_factory=dict)

    def unique(self, seed: str) -> str:
        found = next(name for name in _candidates(self.mode, seed) if name not in self.used)
        self.used.add(found)
        return found

    def keeps(self, id: str, nth: int) -> bool:
        """A native Anthropic id stays as it is, the first time, if it is still free."""
        if self.native and nth == 1 and _NATIVE.fullmatch(id) and id not in self.used:
            self.used.add(id)
            return True
        return False

    def call(self, id: str) -> str:
        nth = self.calls[id] = self.calls.get(id, 0) + 1
        new = id if self.keeps(id, nth) else self.unique(id if nth == 1 else f"{id}:{nth}")
        self.queue.setdefault(id, []).append(new)
        return new

    def result(self, id: str) -> str:
        waiting = self.queue.get(id)
        if waiting:
            return waiting.pop(0)
        nth = self.strays[id] = self.strays.get(id, 0) + 1
        return id if self.keeps(id, nth) else self.unique(f"{id}:tool_result:{nth}")


def distinct(
    messages: Sequence[Message], mode: str, native: bool = False, names: Names | None = None
) -> tuple[Message, ...]:
    """`sanitizeToolCallIds`: each call gets an id of its own, each result the id of the call it answers, in order.

    Messages in which nothing changes are the very same objects. `names`: of the messages before these; goes on."""
    names = names if names is not None else Names(mode, native)
    return tuple(_renamed(message, names) for message in messages)


def _renamed(message: Message, names: Names) -> Message:
    if message.role == "assistant" and message.shape is Shape.LIST:
        parts = tuple(_renamed_part(part, names) for part in message.parts)
        same = all(a is b for a, b in zip(parts, message.parts, strict=True))
        return message if same else replace(message, parts=parts)
    if message.role != "toolResult":
        return message
    found = {key: message.get(key) for key in ("toolCallId", "toolUseId")}
    ids = {key: id for key, id in found.items() if isinstance(id, str) and id}
    new: dict[str, str] = {}
    if len(ids) == 2 and ids["toolCallId"] == ids["toolUseId"]:
        new = dict.fromkeys(ids, names.result(ids["toolCallId"]))
    else:
        new = {key: names.result(id) for key, id in ids.items()}
    return message if new == ids else with_fields(message, **new)


def _renamed_part(part: Part, names: Names) -> Part:
    id = part.get("id")
    if part.kind not in CALL_KINDS or not isinstance(id, str) or not id:
        return part
    new = names.call(id)
    return part if new == id else replace(part, raw={**part.raw, "id": new})


@dataclass(frozen=True, slots=True, eq=False)
class Ids:
    """Ids in a message. `calls`: of its calls; `results`: of the call it answers. `safe`: naming would keep each of
    them as long as it is given out for the first time."""

    calls: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    safe: bool = True


_NO_IDS = Ids()


def ids_of(message: Message, mode: str, native: bool) -> Ids:
    if message.role == "assistant" and message.shape is Shape.LIST:
        found = [part.get("id") for part in message.parts if part.kind in CALL_KINDS]
        calls = tuple(id for id in found if isinstance(id, str) and id)
        return Ids(calls, (), all(_is_safe(id, mode, native) for id in calls)) if calls else _NO_IDS
    if message.role != "toolResult":
        return _NO_IDS
    both = {message.get(key) for key in ("toolCallId", "toolUseId") if isinstance(message.get(key), str)} - {""}
    return Ids((), tuple(both), len(both) <= 1)


def _is_safe(id: str, mode: str, native: bool) -> bool:
    return bool(native and _NATIVE.fullmatch(id)) or next(_candidates(mode, id)) == id


def settled(found: Iterable[Ids]) -> bool:
    """Would `distinct` change nothing? Every call has a safe id of its own, every result answers one before it."""
    used: set[str] = set()
    waiting: set[str] = set()
    for ids in found:
        if ids is _NO_IDS:
            continue
        if not ids.safe:
            return False
        for id in ids.calls:
            if id in used:
                return False
            used.add(id)
            waiting.add(id)
        for id in ids.results:
            if id not in waiting:
                return False
            waiting.discard(id)
    return True
