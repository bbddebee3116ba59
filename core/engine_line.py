"""The near side: turns a question into one JSON text and the answer back, and believes nothing of it.

Messages that the far side has are named by number. Stores live here; the far side keeps the newest and gets a whole one
only where it has not the one that is meant, as after it was started again (`reset`).
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable

from core.engine import EngineInfo
from core.engine_history import entries_before
from core.engine_memory import Called, Item, Played, Question
from core.engine_store import GONE, ForkedStore
from core.messages import Json, Message
from core.phrase import phrase

TABLE = 400_000
"""Messages that are numbered at most, until all begins anew."""


class Line:
    """`send`: a JSON text there and one back; whatever it raises is the caller's."""

    def __init__(self, send: Callable[[str], str]) -> None:
        self._send = send
        self._lives = itertools.count(1)
        self.reset()

    def reset(self) -> None:
        """The far side knows nothing (any more)."""
        self._numbers: dict[int, tuple[int, Message]] = {}
        self._known: dict[int, tuple[int, ForkedStore]] = {}
        self._next = 0
        self._history: object = None
        self._life = 0

    def ask(self, question: Question) -> Played:
        """The far side's answer; one that is none is a fault of the engine's."""
        if len(self._numbers) > TABLE:
            self.reset()
        try:
            answer = self._send(self._text(question))
        except BaseException:
            self.reset()
            raise
        try:
            told = json.loads(answer)
            if "broken" in told:
                return Played(None, None, fault=phrase("engine.garbled", error=told["broken"]))
            return self._taken(question, told)
        except (ValueError, TypeError, KeyError, IndexError) as error:
            return Played(None, None, fault=phrase("engine.garbled", error=f"{type(error).__name__}: {error}"))

    def _text(self, question: Question) -> str:
        add: list[Json] = []

        def number(message: Message) -> int:
            known = self._numbers.get(id(message))
            if known is None:
                known = self._numbers[id(message)] = (len(self._numbers), message)
                add.append(message.json())
            return known[0]

        asked: dict[str, Json] = {
            "messages": list(map(number, question.messages)),
            "reply": number(question.reply) if question.reply is not None and question.over else None,
        }
        for name in ("engine", "begins", "new", "window", "model", "prompt", "due", "over", "before_count"):
            asked[name] = getattr(question, name)
        asked["ids"] = list(question.ids) if question.over else []
        if self._history is not question.history or not self._life:
            self._history, self._life = question.history, next(self._lives)
            held = question.history
            asked["history"] = entries_before(held, range(len(held)), None) if held is not None else []
        asked["life"], asked["add"] = self._life, add
        known = self._known.get(id(question.store))
        if known is None:
            asked["whole"] = dict(question.store)
        else:
            asked["store"] = known[0]
        asked["next"] = self._next
        return json.dumps(asked)

    def _taken(self, question: Question, told: Json) -> Played:
        texts = [told[name] for name in ("addition", "why", "fault")]
        if not all(isinstance(text, str) for text in texts) or type(told["printed"]) is not int:
            raise TypeError("texts and numbers in the wrong places")
        changes = {**told["changes"], **dict.fromkeys(told["gone"], GONE)}
        store = question.store.with_changes(changes)
        self._known[id(store)] = (self._next, store)
        self._next += 1
        while len(self._known) > 32:
            del self._known[next(iter(self._known))]
        items = told["items"]
        return Played(
            EngineInfo(*told["info"]) if told["info"] is not None else None,
            None
            if items is None
            else tuple(Item(source, Message.of(raw) if raw is not None else None) for source, raw in items),
            tuple(Called(method, facts, tuple(stored), fault) for method, facts, stored, fault in told["calls"]),
            told["addition"],
            told["estimated"],
            told["why"],
            tuple((id, raw) for id, raw in told["rewrites"]),
            store,
            told["printed"],
            told["fault"],
            same=told["same"] is True,
        )


def refused(question: Question, why: object) -> Played:
    """What stands for an answer that never came: not asked again in this life."""
    return Played(None, None, store=question.store, fault=why, lost=True)  # type: ignore[arg-type]
