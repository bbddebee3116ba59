"""The context engine decides what of the cleaned history is sent: the one step that a plug-in may take over whole.

Source: articles, first source, part seven; agent pipeline 1.4. An exception, an answer that is none, or no answer in
time leaves the messages as they were (as the engine "legacy" does), and the step says so. What an engine adds to the
system prompt is carried (`core.engine_memory.addition`); it goes below the cache boundary, where the system prompt is
assembled. `extra["around"]` (`core.engine_around`) tells of the session around the request; without it there is neither
history nor the end of a turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter, is_

from core.compaction_plan import due
from core.context import Origin
from core.engine import built_in, engines
from core.engine_around import NAME, Around
from core.engine_host import ask
from core.engine_log import notes_of
from core.engine_memory import Item, Played, Question, Remembered
from core.engine_store import ForkedStore
from core.estimate import pi_tokens
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

    engine: str = choice("legacy", *engines().by_id)


def apply(blocks: Blocks, settings: Settings, context: StepContext) -> Outcome:
    title = settings.engine
    past = context.carry if isinstance(context.carry, Remembered) else None
    if past is None or past.engine != settings.engine:
        past = Remembered(settings.engine, ForkedStore())
    if past.lost:
        return _failed(blocks, past, title, phrase("engine.not_again", why=past.lost))
    around = context.extra.get(NAME)
    around = around if isinstance(around, Around) else None
    try:
        question = _question(blocks, past, around, context)
        if not built_in(past.engine):
            past = replace(past, history=question.history)
        known = past.answer
        played = known[1] if known is not None and known[0] == question.key else ask(question)
        title = played.info.name if played.info is not None else title
        after = _remembered(past, blocks, played, around)
        if played.items is None:
            return _failed(blocks, after, title, played.fault, played)
        sent, reasons = (blocks, {}) if played.same else _blocks(blocks, played.items, title, context)
    except Exception as error:
        return _failed(blocks, past, title, f"{type(error).__name__}: {error}")
    notes = notes_of(title, played, after)
    if sent is blocks:
        name = "legacy" if settings.engine == "legacy" else "quiet"
        short = phrase(f"layer.context_engine.{name}_short", engine=title)
        why = _in_its_words(phrase(f"layer.context_engine.{name}", engine=title), played)
        return Outcome(blocks, why, short, carry=after, notes=notes)
    return Outcome(sent, _in_its_words(_why(reasons, title), played), None, (), reasons, after, notes=notes)


def carries(settings: Settings, context: StepContext) -> bool:
    """Ours keep no memory; any other may."""
    return not built_in(settings.engine)


def asked_last(blocks: Blocks) -> str:
    """The text of the last user message, "" if there is none."""
    return next((block.message.text() for block in reversed(blocks) if block.message.role == "user"), "")


def _question(blocks: Blocks, past: Remembered, around: Around | None, context: StepContext) -> Question:
    messages = tuple([block.message for block in blocks])
    question = Question(
        past.engine,
        past.store,
        past.upto < 0,
        messages,
        _new(blocks, past.upto),
        context.window,
        context.target.model,
        asked_last(blocks),
    )
    if around is None or past.engine == "legacy":
        return question
    reply, row, over = around.ended()
    begun = next((at for at in range(len(blocks) - 1, -1, -1) if messages[at].role == "user"), 0)
    question = replace(question, over=over, reply=reply, before_count=begun, history=around.session)
    if built_in(past.engine):
        return question
    owns = past.info is None or past.info.owns_compaction
    measure = context.tokens if context.tokens is not None else _tokens
    tokens = sum(map(measure, blocks)) if owns else 0
    ids = [around.id_of(block.origin.rows[0]) if _one_entry(block) else "" for block in blocks] if over else []
    return replace(
        question,
        due=due(tokens, context.window, around.reserve),
        ids=tuple([*ids, around.id_of(row)] if over and row is not None else ids),
        history=past.history if past.history is not None else around.history(),
        keys=tuple([block.key for block in blocks]),
    )


def _new(blocks: Blocks, upto: int) -> int:
    """Index of the first block that was written after row `upto`: rows ascend along a path."""
    at = len(blocks) if upto >= 0 else 0
    while at > 0 and (not blocks[at - 1].origin.rows or blocks[at - 1].origin.rows[0] > upto):
        at -= 1
    return at


def _tokens(block: Block) -> int:
    return pi_tokens(block.message)


def _one_entry(block: Block) -> bool:
    return len(block.origin.rows) == 1 and not block.origin.made_by


def _remembered(past: Remembered, blocks: Blocks, played: Played, around: Around | None) -> Remembered:
    """What goes on to the next request."""
    rewrites = dict(past.rewrites)
    if around is not None:
        for id, raw in played.rewrites:
            row = around.row_of(id)
            if row is not None:
                rewrites[row] = Message.of(raw)
    store = played.store if played.store is not None else past.store
    rows = () if built_in(past.engine) else [block.origin.rows[0] for block in blocks if block.origin.rows]
    return Remembered(
        past.engine,
        store,
        max(rows, default=past.upto),
        rewrites if played.rewrites else past.rewrites,
        played.fault if played.lost else "",
        played.calls,
        played.addition,
        played.info,
        past.history,
        pending=played.pending,
    )


def _failed(
    blocks: Blocks, carry: Remembered, title: str, reason: str | Phrase, played: Played | None = None
) -> Outcome:
    said = literal(reason) if isinstance(reason, str) else reason
    notes = notes_of(title, played, carry) if played is not None else ()
    why = phrase("layer.context_engine.failed", engine=title, error=said)
    return Outcome(blocks, why, carry=carry, notes=notes, failed=str(said) or "?")


def _in_its_words(why: Phrase, played: Played) -> Phrase:
    """The effect, and the engine's own reason behind it."""
    if not played.why:
        return why
    own = literal(played.why) if isinstance(played.why, str) else played.why
    return phrase("layer.context_engine.because", what=why, why=own)


def _blocks(
    blocks: Blocks, items: tuple[Item, ...], title: str, context: StepContext
) -> tuple[Blocks, Mapping[Block, Phrase]]:
    """The engine's messages as blocks: input blocks where they are meant, new ones else. TypeError on nonsense."""
    said = {what: phrase(f"layer.context_engine.{what}", engine=title) for what in ("added", "changed", "dropped")}
    reasons: dict[Block, Phrase] = {}
    after: list[Block] = []
    used: set[int] = set()
    for item in items:
        source, message = item.source, item.message
        if source is not None and (source not in range(len(blocks)) or source in used):
            raise TypeError(f"message {source} of the input is not there or named twice")
        if source is None:
            if message is None:
                raise TypeError("a message that is neither new nor of the input")
            block = Block.of(message, Origin((), ID))
            reasons[block] = said["added"]
        else:
            used.add(source)
            block = blocks[source]
            if message is not None:
                reasons[block] = said["changed"]
                block = context.made(block, (ID, message.key()), partial(_itself, message))
        after.append(block)
    reasons.update(dict.fromkeys([block for at, block in enumerate(blocks) if at not in used], said["dropped"]))
    same = len(after) == len(blocks) and all(map(is_, after, blocks))
    return blocks if same else tuple(after), reasons


def _itself(message: Message) -> Message:
    return message


def _why(reasons: Mapping[Block, Phrase], title: str) -> Phrase:
    counts = Counter(map(attrgetter("id"), reasons.values()))
    parts = [phrase(f"{what}_part", n=n) for what, n in counts.items()]
    if not parts:
        return phrase("layer.context_engine.reordered", engine=title)
    whole = parts[0]
    for more in parts[1:]:
        whole = phrase("layer.and", first=whole, second=more)
    return phrase("layer.context_engine.fired", engine=literal(title), what=whole)
