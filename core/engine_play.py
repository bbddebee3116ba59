"""A context engine through its part of one request: every lifecycle method in order, each failing by itself.

    bootstrap ─▶ ingest | ingest_batch ─▶ compact? ─▶ assemble ─▶ after_turn? ─▶ maintain?

Only a failing `assemble` leaves the request without an answer; what else fails is told in the log. Nothing is believed:
what a method gives back is checked against the contract, and a result without its call counts as nonsense, because the
pairing layers ran before and an engine cannot take back what they did (articles, first source, question 3).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from operator import is_
from typing import Any, TypeVar

from core.engine import (
    Assembly,
    BootstrapResult,
    CompactResult,
    ContextEngine,
    EngineInfo,
    IngestBatchResult,
    IngestResult,
    MaintenanceResult,
)
from core.engine_history import history
from core.engine_memory import Called, Fact, Item, Played, Question
from core.engine_store import only_json
from core.javascript import length
from core.messages import Json, Message
from core.pairing import calls, result_id
from core.phrase import Phrase
from core.session import Session

Result = TypeVar("Result")

MOST, SPARE = 4, 1_000
"""An engine may send so many times the messages it got, and so many beyond that."""
CHARS = 20_000_000
"""Characters of one message that an engine makes, and of what it adds to the system prompt, at most."""
WORDS = 400
"""Characters of an engine's own words that are kept."""


@dataclass(slots=True)
class Rewriting:
    """The `Rewrite` of the contract. The role stays, so that the shape of a conversation does."""

    entries: tuple[tuple[str, Message], ...]
    taken: dict[str, Json] = field(default_factory=dict)
    refused: int = 0

    def __call__(self, id: str, message: Json) -> bool:
        role = next((held.role for known, held in self.entries if known == id), None)
        if role is None or not isinstance(message, dict) or message.get("role") != role:
            self.refused += 1
            return False
        only_json({"message": message})
        self.taken[id] = message
        return True


def play(make: Callable[[], ContextEngine], question: Question, trusted: bool = False) -> Played:
    """What comes of it. `trusted`: messages that the engine makes are taken as they are, with the spans of the texts
    they were cut from; of any other engine they are made anew from their JSON."""
    run = _Run(question, trusted)
    try:
        engine = make()
        info = engine.info
        if not isinstance(info, EngineInfo) or not all(isinstance(x, str) for x in (info.id, info.name, info.version)):
            raise TypeError(f"info is {type(info).__name__}, not an EngineInfo")
    except (Exception, SystemExit) as error:
        return Played(None, None, fault=_words(error))
    return run.through(engine, info)


@cache
def _no_history() -> Session:
    return history(())


class _Run:
    def __init__(self, question: Question, trusted: bool) -> None:
        self._q, self._trusted = question, trusted
        self._store = question.store.fork()
        self._calls: list[Called] = []
        self._seen: dict[str, Json] = {}

    def through(self, engine: ContextEngine, info: EngineInfo) -> Played:
        q = self._q
        session = q.history if q.history is not None else _no_history()
        self._call("bootstrap", BootstrapResult, lambda: engine.bootstrap(session, self._store), begins=q.begins)
        new = q.messages[q.new :]
        if len(new) == 1:
            self._call("ingest", IngestResult, lambda: engine.ingest(new[0]), new=1)
        elif new:
            self._call("ingest_batch", IngestBatchResult, lambda: engine.ingest_batch(new), new=len(new))
        if q.due and info.owns_compaction:
            ask = {"token_budget": q.window, "force": False, "instructions": ""}
            self._call("compact", CompactResult, lambda: engine.compact(**ask))  # type: ignore[arg-type]
        given = {"token_budget": q.window, "model": q.model, "prompt": q.prompt}
        found: list[Played] = []

        def assemble() -> Assembly:
            asked = engine.assemble(q.messages, **given)  # type: ignore[arg-type]
            found.append(_answer(q.messages, asked, self._trusted))
            return asked

        fault = self._call("assemble", Assembly, assemble, given=len(q.messages))
        rewriting = Rewriting(tuple((id, held) for id, held in self._entries() if id))
        if q.over:
            whole = q.messages if q.reply is None else (*q.messages, q.reply)
            self._call(
                "after_turn", None, lambda: engine.after_turn(whole, before_count=q.before_count), new=len(whole)
            )
            self._call("maintain", MaintenanceResult, lambda: engine.maintain(rewriting), rewriting)
        answer = found[0] if found else Played(None, None)
        return Played(
            info,
            answer.items,
            tuple(self._calls),
            answer.addition,
            answer.estimated,
            answer.why,
            tuple(rewriting.taken.items()),
            self._store,
            fault=fault,
            same=answer.same,
        )

    def _entries(self) -> Sequence[tuple[str, Message]]:
        whole = self._q.messages if self._q.reply is None else (*self._q.messages, self._q.reply)
        return list(zip(self._q.ids, whole, strict=False))

    def _call(
        self,
        method: str,
        kind: type[Result] | None,
        ask: Callable[[], Any],
        rewriting: Rewriting | None = None,
        **facts: Fact,
    ) -> str:
        """Ask, check, write down; "" or why it failed."""
        fault = ""
        told: dict[str, Fact] = dict(facts)
        try:
            result = ask()
            if kind is not None and not isinstance(result, kind):
                raise TypeError(f"{method} gave {type(result).__name__}, not {kind.__name__}")
            told |= _facts(result)
        except (Exception, SystemExit) as error:
            fault = _words(error)
        if rewriting is not None:
            told |= {"taken": len(rewriting.taken), "refused": rewriting.refused}
        try:
            changed = self._store.changed()
            only_json(changed)
        except (Exception, SystemExit) as error:  # a value that is no JSON, or whose comparison raises
            fault = fault or f"the store holds something that is no JSON ({_words(error)})"
            self._store = self._q.store.with_changes(self._seen)
            changed = self._seen
        stored = tuple(name for name in changed if name not in self._seen or changed[name] != self._seen[name])
        self._seen = dict(changed)
        self._calls.append(Called(method, told, stored[:20], fault))
        return fault


def _facts(result: object) -> dict[str, Fact]:
    """What of a result is worth telling: its plain values, texts shortened."""
    if isinstance(result, Assembly):
        return {"sent": len(result.messages), "addition": length(result.system_addition)}
    names = getattr(type(result), "__dataclass_fields__", {})
    values = {name: getattr(result, name) for name in names}
    return {
        name: value[:WORDS] if isinstance(value, str) else value
        for name, value in values.items()
        if type(value) in (str, int, bool)
    }


def _words(error: BaseException) -> str:
    try:
        said = str(error)
    except Exception:  # an exception may not even be able to say what it is
        said = ""
    return f"{type(error).__name__}: {said[:WORDS]}" if said else type(error).__name__


# what `assemble` gave


def _answer(given: tuple[Message, ...], asked: object, trusted: bool) -> Played:
    """TypeError or ValueError names what is wrong with it."""
    if not isinstance(asked, Assembly) or not isinstance(asked.messages, tuple | list):
        raise TypeError(f"assemble gave {type(asked).__name__}, not an Assembly of messages")
    if not isinstance(asked.system_addition, str) or not isinstance(asked.why, str | Phrase):
        raise TypeError("the addition to the system prompt, or the reason, is no text")
    if length(asked.system_addition) > CHARS:
        raise ValueError("the addition to the system prompt is longer than any window")
    if type(asked.estimated_tokens) is not int or asked.estimated_tokens < 0:
        raise TypeError("the estimate is no number of tokens")
    sent = tuple(asked.messages)
    why = asked.why[:WORDS] if isinstance(asked.why, str) else asked.why
    if not asked.sources and len(sent) == len(given) and all(map(is_, sent, given)):
        return Played(None, (), (), asked.system_addition, asked.estimated_tokens, why, same=True)
    if len(sent) > MOST * len(given) + SPARE:
        raise ValueError(f"{len(sent):,} messages for {len(given):,}")
    if not all(isinstance(message, Message) for message in sent):
        raise TypeError("assemble gave something that is no message")
    sources = tuple(asked.sources) or _by_identity(given, sent)
    if len(sources) != len(sent):
        raise TypeError("there are more or fewer sources than messages")
    items: list[Item] = []
    used: set[int] = set()
    for message, source in zip(sent, sources, strict=True):
        if source is not None and (type(source) is not int or not 0 <= source < len(given) or source in used):
            raise TypeError(f"message {source} of the input is not there or named twice")
        if source is not None:
            used.add(source)
        same = source is not None and message is given[source]
        items.append(Item(source, None if same else message if trusted else _made(message)))
    if (orphans := _orphans(sent) - _orphans(given)) > 0:
        raise ValueError(f"{orphans} results without their calls")
    return Played(None, tuple(items), (), asked.system_addition, asked.estimated_tokens, why)


def _made(message: Message) -> Message:
    """A message of the engine's own making, made again from its JSON: it shares nothing with the engine."""
    raw = message.json()
    only_json({"message": raw})
    made = Message.of(raw)
    if not made.is_object or not made.role:
        raise TypeError("assemble made a message without a role")
    if sum(len(part.text) for part in made.parts if part.text is not None) > CHARS:
        raise ValueError("assemble made a message that is longer than any window")
    return made


def _by_identity(given: Sequence[Message], sent: Sequence[Message]) -> tuple[int | None, ...]:
    places: dict[int, list[int]] = {}
    for index, message in enumerate(given):
        places.setdefault(id(message), []).append(index)
    found: list[int | None] = []
    for message in sent:
        left = places.get(id(message))
        found.append(left.pop(0) if left else None)
    return tuple(found)


def _orphans(messages: Sequence[Message]) -> int:
    """Results whose call does not stand before them."""
    open_calls: set[str] = set()
    count = 0
    for message in messages:
        if message.role == "assistant":
            open_calls.update(call.id for call in calls(message))
        elif message.role == "toolResult":
            count += result_id(message) not in open_calls
    return count
