"""The small log of an engine's lifecycle calls around one request, and what of it a step says in its notes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.engine import engines
from core.engine_memory import Called, Fact, Played, Remembered
from core.javascript import length
from core.messages import Json
from core.phrase import Phrase, literal, phrase, render


@dataclass(frozen=True, slots=True)
class Line:
    """`method`: of the contract; `said`: what came of it; `stored`: names of the store that it changed."""

    method: str
    said: Phrase
    stored: tuple[str, ...]
    failed: bool


def lifecycle(carry: object) -> tuple[Line, ...]:
    """The calls of a step, from its Carry; none for any other layer's."""
    if not isinstance(carry, Remembered):
        return ()
    return tuple(Line(call.method, _said(call), call.stored, bool(call.fault)) for call in carry.calls)


def kept(carry: object) -> Phrase | None:
    """How much the engine's store holds; None when that is nothing, or for any other layer's Carry."""
    if not isinstance(carry, Remembered) or not carry.store:
        return None
    return phrase("engine.kept", n=len(carry.store), chars=carry.store.size)


def lifecycle_document(carry: object, language: str) -> list[Json]:
    """For `steps --json`."""
    return [
        {
            "call": line.method,
            "said": render(line.said, language),
            "stored": list(line.stored),
            "failed": line.failed,
        }
        for line in lifecycle(carry)
    ]


def _said(call: Called) -> Phrase:
    if call.fault:
        return phrase("engine.call.failed", error=literal(call.fault))
    facts: Mapping[str, Fact] = call.facts
    name, values = call.method, {"n": 0, **facts}
    match call.method:
        case "bootstrap":
            name = "bootstrap" if facts.get("begins") else "bootstrap_again"
            values = {"n": facts.get("imported", 0)}
        case "ingest":
            name = "ingest" if facts.get("ingested") else "ingest_not"
        case "ingest_batch":
            values = {"n": facts.get("ingested", 0), "all": facts.get("new", 0)}
        case "compact":
            name = "compact" if facts.get("compacted") else "compact_not"
            values = {"before": facts.get("tokens_before", 0), "after": facts.get("tokens_after", 0)}
        case "assemble":
            values = {"n": facts.get("sent", 0), "all": facts.get("given", 0)}
        case "after_turn":
            values = {"n": facts.get("new", 0)}
        case "maintain":
            name = "maintain" if facts.get("taken") else "maintain_not"
            values = {"n": facts.get("taken", 0)}
    said = phrase(f"engine.call.{name}", **values)
    reason = facts.get("reason")
    if isinstance(reason, str) and reason:
        said = phrase("engine.call.reason", what=said, why=literal(reason))
    return said


def notes_of(title: str, played: Played, after: Remembered) -> tuple[Phrase, ...]:
    """What goes beside the messages: an addition to the system prompt, who compacts, output, calls that failed, and ids
    that a package may not have."""
    notes: list[Phrase] = []
    if played.addition:
        notes.append(phrase("layer.context_engine.addition", engine=title, n=length(played.addition)))
    if played.info is not None and played.info.owns_compaction:
        notes.append(phrase("engine.owns", engine=title))
    if played.printed:
        notes.append(phrase("engine.printed", engine=title, n=played.printed))
    notes += [
        phrase("engine.method_failed", engine=title, method=call.method, error=literal(call.fault))
        for call in played.calls
        if call.fault and call.method != "assemble"
    ]
    if played.rewrites:
        notes.append(phrase("engine.rewrites", engine=title, n=len(played.rewrites)))
    if after.engine != "legacy":
        notes += engines().refused
    return tuple(notes)
