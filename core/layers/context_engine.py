"""The context engine decides what of the cleaned history is sent: the one step that a plug-in may take over whole.

Source: articles, first source, part seven; agent pipeline 1.4. An exception, or an answer that is none, leaves the
messages as they were, and the step says so. What an engine adds to the system prompt stands in the notes; it goes below
the cache boundary, where the system prompt is assembled.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter, is_

from core.context import Origin
from core.engine import Assembly, engines, make
from core.javascript import length
from core.layer import Outcome, StepContext
from core.messages import Message
from core.phrase import Phrase, literal, phrase
from core.prompt import Block, Blocks
from core.settings import choice

ID = "context_engine"
TITLE = phrase("layer.context_engine.title")
MARK = "request"


@dataclass(frozen=True, slots=True)
class Settings:
    """`engine`: its id; which there are is asked once, when the program starts."""

    engine: str = choice("legacy", *engines())


def apply(blocks: Blocks, settings: Settings, context: StepContext) -> Outcome:
    title = settings.engine
    messages = tuple([block.message for block in blocks])
    try:
        engine = make(settings.engine)
        title = engine.info.name
        asked = engine.assemble(
            messages, token_budget=context.window, model=context.target.model, prompt=asked_last(blocks)
        )
        after, reasons = _blocks(blocks, asked, title)
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        return Outcome(blocks, phrase("layer.context_engine.failed", engine=title, error=reason), failed=reason)
    added = length(asked.system_addition)
    notes = (phrase("layer.context_engine.addition", engine=title, n=added),) if added else ()
    if after is blocks:
        name = "legacy" if settings.engine == "legacy" else "quiet"
        short = phrase(f"layer.context_engine.{name}_short", engine=title)
        return Outcome(blocks, phrase(f"layer.context_engine.{name}", engine=title), short, notes=notes)
    return Outcome(after, _why(reasons, title), None, (), reasons, notes=notes)


def asked_last(blocks: Blocks) -> str:
    """The text of the last user message, "" if there is none."""
    return next((block.message.text() for block in reversed(blocks) if block.message.role == "user"), "")


def _blocks(blocks: Blocks, asked: object, title: str) -> tuple[Blocks, dict[Block, Phrase]]:
    """The engine's messages as blocks: input blocks where they are meant, new ones else. TypeError on nonsense."""
    if not isinstance(asked, Assembly) or not isinstance(asked.messages, Sequence):
        raise TypeError(f"assemble gave {type(asked).__name__}, not an Assembly of messages")
    if not isinstance(asked.system_addition, str):
        raise TypeError("the addition to the system prompt is no text")
    if not asked.sources and _same(blocks, asked.messages):
        return blocks, {}
    if not all(isinstance(message, Message) for message in asked.messages):
        raise TypeError("assemble gave something that is no message")
    sources = asked.sources or _by_identity(blocks, asked.messages)
    if len(sources) != len(asked.messages):
        raise TypeError("there are more or fewer sources than messages")
    reasons: dict[Block, Phrase] = {}
    after: list[Block] = []
    used: set[int] = set()
    for message, source in zip(asked.messages, sources, strict=True):
        if source is not None and (source not in range(len(blocks)) or source in used):
            raise TypeError(f"message {source} of the input is not there or named twice")
        if source is None:
            block = Block.of(message, Origin((), ID))
            reasons[block] = phrase("layer.context_engine.added", engine=title)
        else:
            used.add(source)
            block = blocks[source]
            if message is not block.message:
                reasons[block] = phrase("layer.context_engine.changed", engine=title)
                block = Block.of(message, block.origin, block)
        after.append(block)
    for index, block in enumerate(blocks):
        if index not in used:
            reasons[block] = phrase("layer.context_engine.dropped", engine=title)
    same = len(after) == len(blocks) and all(map(is_, after, blocks))
    return blocks if same else tuple(after), reasons


def _same(blocks: Blocks, messages: Sequence[Message]) -> bool:
    return len(messages) == len(blocks) and all(map(is_, messages, map(attrgetter("message"), blocks)))


def _by_identity(blocks: Blocks, messages: Sequence[Message]) -> tuple[int | None, ...]:
    places: dict[int, list[int]] = {}
    for index, block in enumerate(blocks):
        places.setdefault(id(block.message), []).append(index)
    found: list[int | None] = []
    for message in messages:
        left = places.get(id(message))
        found.append(left.pop(0) if left else None)
    return tuple(found)


def _why(reasons: dict[Block, Phrase], title: str) -> Phrase:
    counts: dict[str, int] = {}
    for said in reasons.values():
        what = said.id.rpartition(".")[2]
        counts[what] = counts.get(what, 0) + 1
    parts = [phrase(f"layer.context_engine.{what}_part", n=n) for what, n in counts.items()]
    if not parts:
        return phrase("layer.context_engine.reordered", engine=title)
    whole = parts[0]
    for more in parts[1:]:
        whole = phrase("layer.and", first=whole, second=more)
    return phrase("layer.context_engine.fired", engine=literal(title), what=whole)
