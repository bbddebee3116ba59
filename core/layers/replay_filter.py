"""What stands in the history but is not said again: mirrors, heartbeats, empty replies, hidden commands.

    user · assistant · mirror of it · heartbeat? · HEARTBEAT_OK · user      ─▶      user · assistant · user

Sources: recorded cases of layer k for heartbeats, ids, old images and old thinking (OpenClaw 2026.4.5 and 2026.4.14);
mirrors, empty assistants and excluded commands come from reports (agent pipeline 3), and the step says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from core import call_ids, heartbeat, javascript, sanitizing
from core.layer import Outcome, StepContext
from core.messages import Message, Shape
from core.pairing import calls, failed
from core.phrase import Phrase, phrase
from core.prompt import Block, Blocks
from core.session import is_mirror
from core.settings import choice, switch
from core.transcript_policy import transcript_policy

ID = "replay_filter"
TITLE = phrase("layer.replay_filter.title")
MARK = "request"


@dataclass(frozen=True, slots=True)
class Settings:
    """`ids`: make call ids safe and distinct ("strict", "strict9"), only repeated ones distinct ("repeated"), or not.

    `native_ids`: ids that Anthropic gave out stay as they are. `old_images`, `old_thinking`: taken out of older turns.
    "by_provider" asks the transcript policy of the target; where that keeps ids, repeated ones are made distinct still.
    `context.extra["heartbeat_prompt"]`: the configured prompt; without it the beginning that reports name counts."""

    mirrors: bool = switch(True)
    heartbeats: bool = switch(True)
    empty_assistants: bool = switch(True)
    excluded_commands: bool = switch(True)
    ids: str = choice("repeated", "by_provider", "keep", "repeated", "strict", "strict9")
    native_ids: bool = switch(True)
    old_images: bool = switch(False)
    old_thinking: str = choice("keep", "by_provider", "keep", "drop")


FROM_REPORTS = ("mirror", "empty", "excluded")


def apply(blocks: Blocks, settings: Settings, context: StepContext) -> Outcome:
    gone = _left_out(blocks, settings, context)
    reasons: dict[Block, Phrase] = {blocks[i]: phrase(f"layer.replay_filter.{why}") for i, why in gone.items()}
    kept = tuple([block for index, block in enumerate(blocks) if index not in gone]) if gone else blocks
    after, rewritten = _cleaned(kept, _resolved(settings, context), context)
    if not gone and not rewritten:
        return Outcome(blocks, phrase("layer.replay_filter.quiet"), phrase("layer.replay_filter.quiet_short"))
    reasons |= {block: phrase(f"layer.replay_filter.{why}") for block, why in rewritten}
    return Outcome(
        after, _why(gone.values(), [why for _, why in rewritten]), None, (), reasons, notes=_notes(gone.values())
    )


def _resolved(settings: Settings, context: StepContext) -> Settings:
    """With the target's own answers in the place of "by_provider"."""
    policy = transcript_policy(context.target.api, context.target.model)
    if settings.ids == "by_provider":
        settings = replace(settings, ids=policy.call_ids or "repeated")
    if settings.old_thinking == "by_provider":
        settings = replace(settings, old_thinking="drop" if policy.drop_thinking else "keep")
    return settings


def _left_out(blocks: Blocks, settings: Settings, context: StepContext) -> dict[int, str]:
    """Index -> why, of the messages that are not sent again."""
    wanted = {
        "mirror": settings.mirrors,
        "empty": settings.empty_assistants,
        "excluded": settings.excluded_commands,
    }
    gone: dict[int, str] = {}
    for index, whys in enumerate(context.each(ID, blocks, _whys)):
        for why in whys:
            if wanted[why]:
                gone[index] = why
                break
    if settings.heartbeats:
        prompt = context.extra.get("heartbeat_prompt", heartbeat.DEFAULT_PROMPT)
        limit = context.extra.get("heartbeat_ack_chars")
        asks = context.each(("heartbeat", repr(prompt)), blocks, lambda message: heartbeat.is_question(message, prompt))
        if True in asks:
            left = [index for index in range(len(blocks)) if index not in gone or gone[index] == "empty"]
            found = heartbeat.couples(
                [asks[index] for index in left], lambda at: heartbeat.is_answer(blocks[left[at]].message, limit)
            )
            gone |= {left[at]: "heartbeat" for at in found}
    return dict(sorted(gone.items()))


def _whys(message: Message) -> tuple[str, ...]:
    """For what a message may be left out, the first one that is wanted counts."""
    found = []
    if message.role == "assistant" and is_mirror(message.get("provider"), message.get("model")):
        found.append("mirror")
    if is_empty(message):
        found.append("empty")
    if message.role == "bashExecution" and message.get("excludeFromContext"):
        found.append("excluded")
    return tuple(found)


def is_empty(message: Message) -> bool:
    """An assistant that says nothing: no block at all, or only empty texts; no call, no thinking."""
    if message.role != "assistant" or message.shape not in (Shape.LIST, Shape.STRING):
        return False
    return all(
        part.kind == "text" and part.text is not None and not javascript.trim(part.text.units) for part in message.parts
    )


def _cleaned(blocks: Blocks, settings: Settings, context: StepContext) -> tuple[Blocks, list[tuple[Block, str]]]:
    """(blocks, those that were rewritten with the reason)."""
    rewritten: list[tuple[Block, str]] = []
    messages = [block.message for block in blocks]
    edits: dict[int, list[object]] = {}

    def take(cleaned: Sequence[Message], why: str) -> None:
        for index, message in enumerate(cleaned):
            if message is not messages[index]:
                messages[index] = message
                edits.setdefault(index, []).append(_ids(message) if why == "id" else why)
                rewritten.append((blocks[index], why))

    if settings.old_images and True in context.each("images", blocks, _has_images):
        take(sanitizing.without_old_images(messages), "old_image")
    if settings.old_thinking == "drop" and True in context.each("thinking", blocks, _thinks):
        take(sanitizing.without_old_thinking(messages), "old_thinking")
    if settings.ids != "keep" and not _settled(blocks, settings, context):
        take(_distinct(messages, settings), "id")
    current = list(blocks)
    for index, how in edits.items():
        current[index] = context.made(blocks[index], (ID, *how), partial(messages.__getitem__, index))
    return tuple(current), rewritten


def _has_images(message: Message) -> bool:
    return any(part.kind == "image" for part in message.parts)


def _thinks(message: Message) -> bool:
    return message.role == "assistant" and any(part.kind in sanitizing.THINKING for part in message.parts)


def _settled(blocks: Blocks, settings: Settings, context: StepContext) -> bool:
    """Do all ids stay as they are?"""
    if settings.ids == "repeated":
        return True not in context.each("repeated ids", blocks, _repeats)
    mode, native = settings.ids, settings.native_ids

    def ids(message: Message) -> call_ids.Ids:
        return call_ids.ids_of(message, mode, native) if not failed(message) else call_ids.Ids()

    return call_ids.settled(context.each(("ids", mode, native), blocks, ids))


def _distinct(messages: Sequence[Message], settings: Settings) -> Sequence[Message]:
    """With ids made distinct. A failed reply takes no part: it is not sent, and its retry calls under the same ids
    (case notes, 10); else the retry would lose its results to it."""
    mode = "strict9" if settings.ids == "strict9" else "strict"
    alive = [index for index, message in enumerate(messages) if not failed(message)]
    renamed = list(messages)
    for index, message in zip(
        alive, call_ids.distinct([messages[i] for i in alive], mode, settings.native_ids), strict=True
    ):
        renamed[index] = message
    return renamed


def _ids(message: Message) -> tuple[object, ...]:
    """All ids in a message: with the block it stands for they tell what renaming made of it."""
    found = [part.get("id") for part in message.parts]
    if message.role == "toolResult":
        found = [message.get("toolCallId"), message.get("toolUseId")]
    return tuple(id if isinstance(id, str) else None for id in found)


def repeated_ids(blocks: Iterable[Block]) -> bool:
    """Does one assistant call twice under one id?"""
    return any(_repeats(block.message) for block in blocks)


def _repeats(message: Message) -> bool:
    ids = [call.id for call in calls(message)] if message.role == "assistant" and len(message.parts) > 1 else []
    return len(set(ids)) < len(ids)


def _why(gone: Iterable[str], rewritten: Sequence[str]) -> Phrase:
    counted: dict[str, int] = {}
    for why in (*gone, *rewritten):
        counted[why] = counted.get(why, 0) + 1
    said = [phrase(f"layer.replay_filter.{why}_part", n=n) for why, n in counted.items()]
    whole = said[0]
    for more in said[1:]:
        whole = phrase("layer.also", first=whole, second=more)
    return whole


def _notes(gone: Iterable[str]) -> tuple[Phrase, ...]:
    return (phrase("layer.from_reports"),) if any(why in FROM_REPORTS for why in gone) else ()
