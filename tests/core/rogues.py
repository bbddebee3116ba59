"""Context engines that break the contract, each in its own way, and the ordinary one that they are made from."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace
from typing import Any

from core.engine import Assembly, EngineInfo
from core.engines import legacy
from core.messages import Message


@dataclass
class Ordinary:
    """The legacy engine under another name; whatever is given takes the place of a method."""

    info: EngineInfo = EngineInfo("rogue", "Rogue", "1")  # noqa: RUF009
    methods: dict[str, Callable[..., Any]] | None = None

    def __getattr__(self, name: str) -> Any:
        return (self.methods or {}).get(name) or getattr(legacy.make(), name)


def module(make: Callable[[], object], id: str = "rogue") -> ModuleType:
    """As an entry point names it."""
    found = ModuleType(f"far.{id}")
    found.ID, found.TITLE, found.make = id, None, make
    return found


def point(found: ModuleType, package: str = "far", id: str = "") -> Any:
    """The entry point of an installed package."""
    dist = SimpleNamespace(name=package)
    return SimpleNamespace(name=id or found.ID, value=found.__name__, load=lambda: found, dist=dist)


def _raises(messages: tuple[Message, ...]) -> Assembly:
    raise RuntimeError("out of ideas")


def _exits(messages: tuple[Message, ...]) -> Assembly:
    sys.exit("enough")


def _prints(messages: tuple[Message, ...]) -> Assembly:
    print("look at me" * 10)
    return Assembly(messages)


def _mutates(messages: tuple[Message, ...]) -> Assembly:
    messages[0].fields["role"] = "assistant"
    return Assembly(messages)


def _mutates_a_list(messages: tuple[Message, ...]) -> Assembly:
    messages[0].json()["content"].append(1)  # a copy: no harm
    next(part for message in messages for part in message.parts if "arguments" in part.raw).raw["arguments"]["a"] = 1
    return Assembly(messages)


def _new(role: str, **more: Any) -> Message:
    return Message.of({"role": role, "content": [{"type": "text", "text": "hm"}], **more})


def _deep() -> Message:
    value: Any = []
    for _ in range(100_000):
        value = [value]
    return Message.of({"role": "user", "content": [], "deep": value})


class _Odd(Exception):
    def __str__(self) -> str:
        raise ValueError("not even a name")


def _oddly(messages: tuple[Message, ...]) -> Assembly:
    raise _Odd


ROGUES: dict[str, tuple[Callable[[tuple[Message, ...]], object], str]] = {
    "raises": (_raises, "RuntimeError: out of ideas"),
    "exits": (_exits, "SystemExit: enough"),
    "cannot say what it raises": (_oddly, "_Odd"),
    "gives nothing": (lambda messages: None, "gave NoneType"),
    "gives a dict": (lambda messages: {"messages": messages}, "gave dict"),
    "gives texts": (lambda messages: Assembly(("a", "b")), "something that is no message"),
    "gives no messages": (lambda messages: Assembly(7), "not an Assembly of messages"),
    "a million": (lambda messages: Assembly(messages * 200_000), "messages for"),
    "a novel": (lambda messages: Assembly(messages, system_addition="x" * 30_000_000), "longer than any window"),
    "a number as addition": (lambda messages: Assembly(messages, system_addition=7), "no text"),
    "an estimate of nothing": (lambda messages: Assembly(messages, "many"), "no number of tokens"),
    "sources beyond": (lambda messages: Assembly(messages, sources=(0, 1, 2, 99)), "not there"),
    "sources twice": (lambda messages: Assembly(messages, sources=(0, 0, 1, 2)), "named twice"),
    "sources of truth": (lambda messages: Assembly(messages, sources=(True, 0, 2, 3)), "not there"),
    "too few sources": (lambda messages: Assembly(messages, sources=(0,)), "more or fewer sources"),
    "results without calls": (lambda messages: Assembly((messages[0], *messages[2:])), "1 results without their calls"),
    "another session's result": (
        lambda messages: Assembly((*messages, _new("toolResult", toolCallId="elsewhere"))),
        "1 results without their calls",
    ),
    "a message of no role": (lambda messages: Assembly((Message.of({"content": "x"}),)), "without a role"),
    "a message of null": (lambda messages: Assembly((Message.of(None),)), "without a role"),
    "no number at all": (lambda messages: Assembly((_new("user", n=float("nan")),)), "ValueError"),
    "no JSON at all": (lambda messages: Assembly((_new("user", n={1, 2}),)), "TypeError"),
    "endlessly deep": (lambda messages: Assembly((_deep(),)), "RecursionError"),
}
"""Name -> (what `assemble` does with a user, a call, its result and a user, what is said of it)."""

MUTANTS = {"writes into a message": _mutates, "writes into a call": _mutates_a_list}
"""These are noticed where an engine of a package is asked: it gets copies that say no."""

PRINTS = _prints
