"""The far side: answers questions about engines of installed packages, one JSON text for another.

    {"engine", "store" …, "add": [message …], "messages": [number …]}  ─▶  {"items": [[source, message] …], "calls" …}

Messages come once and are numbered; they are kept so that an engine cannot change them, nor what a later request gets.
Runs in a process of its own (`gui.engine_process`), or, without one, where it is asked.
"""

from __future__ import annotations

import contextlib
import io
import json
from copy import deepcopy
from dataclasses import replace
from typing import Any, NoReturn

from core.engine import make
from core.engine_history import history
from core.engine_memory import Played, Question
from core.engine_play import play
from core.engine_store import GONE, ForkedStore
from core.messages import Json, Message
from core.phrase import Phrase
from core.session import Session

STORES = 64
"""Stores that are kept, the newest; of an older one the near side sends all it holds."""


class FixedDict(dict[str, Any]):
    """A JSON object that says no when an engine writes to it."""

    def _no(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("a message of the prompt is never changed: make another one")

    __setitem__ = __delitem__ = __ior__ = update = pop = popitem = clear = setdefault = _no

    def __deepcopy__(self, memo: dict[int, Any]) -> dict[str, Any]:
        return {name: deepcopy(value, memo) for name, value in self.items()}


class FixedList(list[Any]):
    """The same of a JSON list."""

    def _no(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("a message of the prompt is never changed: make another one")

    __setitem__ = __delitem__ = __iadd__ = __imul__ = append = extend = insert = pop = remove = _no
    clear = sort = reverse = _no

    def __deepcopy__(self, memo: dict[int, Any]) -> list[Any]:
        return [deepcopy(value, memo) for value in self]


def fixed(value: Json) -> Json:
    """The same JSON, not to be changed."""
    if isinstance(value, dict):
        return FixedDict({name: fixed(held) for name, held in value.items()})
    return FixedList(map(fixed, value)) if isinstance(value, list) else value


def _fixed_message(raw: Json) -> Message:
    message = Message.of(fixed(raw))
    return replace(message, fields=FixedDict(message.fields)) if message.is_object else message


class Desk:
    """Keeps the messages and stores of one life; `answer` plays one request."""

    def __init__(self) -> None:
        self._table: list[Message] = []
        self._stores: dict[int, ForkedStore] = {}
        self._history: dict[int, Session] = {}

    def answer(self, text: str) -> str:
        """Whatever an engine prints goes no further; it is counted."""
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
            told = self._answer(json.loads(text))
        told["printed"] = len(printed.getvalue())
        return json.dumps(told)

    def _answer(self, asked: Json) -> dict[str, Json]:
        self._table += map(_fixed_message, asked["add"])
        if "history" in asked:
            self._history = {asked["life"]: history(asked["history"])}
        store = ForkedStore(asked["whole"]) if "whole" in asked else self._stores[asked["store"]]
        reply = asked["reply"]
        question = Question(
            asked["engine"],
            store,
            asked["begins"],
            tuple([self._table[number] for number in asked["messages"]]),
            asked["new"],
            asked["window"],
            asked["model"],
            asked["prompt"],
            asked["due"],
            asked["over"],
            self._table[reply] if reply is not None else None,
            asked["before_count"],
            tuple(asked["ids"]),
            self._history[asked["life"]],
        )
        played = play(lambda: make(question.engine), question)
        if played.store is not None:
            self._stores[asked["next"]] = played.store
            while len(self._stores) > STORES:
                del self._stores[next(iter(self._stores))]
        return told(played)


def told(played: Played) -> dict[str, Json]:
    """What of it crosses over. Of the store what changed."""
    changes = played.store.changed() if played.store is not None else {}
    info = played.info
    return {
        "info": [info.id, info.name, info.version, info.owns_compaction is True] if info is not None else None,
        "items": None
        if played.items is None
        else [[item.source, item.message.json() if item.message is not None else None] for item in played.items],
        "calls": [[call.method, dict(call.facts), list(call.stored), call.fault] for call in played.calls],
        "addition": played.addition,
        "estimated": played.estimated,
        "why": str(played.why) if isinstance(played.why, Phrase) else played.why,
        "rewrites": [list(pair) for pair in played.rewrites],
        "changes": {name: value for name, value in changes.items() if value is not GONE},
        "gone": [name for name, value in changes.items() if value is GONE],
        "fault": str(played.fault),
        "same": played.same,
    }
