"""Turns alternate as the provider wants it: neighbouring messages of one role become one.

Source: recorded cases of layer c (`validateReplayTurns`, `validateAnthropicTurns`, `validateGeminiTurns`), pins in n.
Lossy oddity of the agent, reproduced and flagged: content that is a string is lost when messages are merged. Who needs
which merge is the transcript policy of the target (`core.transcript_policy`), unless a setting says otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.context import Origin
from core.layer import Outcome, StepContext
from core.messages import Json, Message, Shape
from core.phrase import Phrase, phrase
from core.prompt import Block, Blocks
from core.sanitizing import bootstrapped
from core.settings import choice
from core.transcript_policy import transcript_policy

ID = "validate_turns"
TITLE = phrase("layer.validate_turns.title")
MARK = "request"

OMITTED = "[tool calls omitted]"
"""Stands for an assistant whose calls were all dropped (length 20, recorded)."""


@dataclass(frozen=True, slots=True)
class Settings:
    """`first`: a user message goes in front of a leading assistant (Google's rule). `assistants`: neighbouring
    assistants are merged (Gemini's rule). `users`: users are merged, and the unanswered `toolUse` blocks before them
    dropped (Anthropic's rule). In this order; "by_provider" asks the transcript policy of the target."""

    first: str = choice("by_provider", "by_provider", "always", "never")
    assistants: str = choice("by_provider", "by_provider", "always", "never")
    users: str = choice("by_provider", "by_provider", "always", "never")


def apply(blocks: Blocks, settings: Settings, context: StepContext) -> Outcome:
    policy = transcript_policy(context.target.api, context.target.model)
    reasons: dict[Block, Phrase] = {}
    after = blocks
    if _wanted(settings.first, policy.user_first):
        after = user_first(after, context.now, reasons)
    merges = [_wanted(settings.assistants, policy.merge_assistants), _wanted(settings.users, policy.merge_users)]
    if merges[0]:
        after = merge_assistants(after, reasons)
    if merges[1]:
        after = merge_users(drop_unanswered(after, reasons), reasons)
    if len(after) == len(blocks) and all(a is b for a, b in zip(after, blocks, strict=True)):
        name = "quiet" if any(merges) else "unchecked"
        return Outcome(blocks, phrase(f"layer.validate_turns.{name}"), phrase(f"layer.validate_turns.{name}_short"))
    added = bool(after) and after[0].origin == _ADDED
    merged = len(blocks) + added - len(after)
    name = "fired" if merged else "fired_unanswered" if len(reasons) > added else "fired_first"
    lost = any(block.message.shape is Shape.STRING for block in reasons if block.origin != _ADDED)
    notes = [phrase("layer.validate_turns.string_lost")] if lost else []
    if added:
        notes.append(phrase("layer.wording_ours"))
    return Outcome(
        after, phrase(f"layer.validate_turns.{name}", n=merged or len(reasons)), None, (), reasons, notes=tuple(notes)
    )


_ADDED = Origin((), ID)


def _wanted(setting: str, by_provider: bool) -> bool:
    return by_provider if setting == "by_provider" else setting == "always"


def user_first(blocks: Blocks, now: int | None, reasons: dict[Block, Phrase]) -> Blocks:
    """`sanitizeGoogleTurnOrdering`: a leading assistant gets a user message in front."""
    if not blocks or blocks[0].message.role != "assistant":
        return blocks
    added = Block.of(bootstrapped((blocks[0].message,), now)[0], _ADDED)
    reasons[added] = phrase("layer.validate_turns.first")
    return (added, *blocks)


def _joined(first: Block, message: Message, second: Block) -> Block:
    rows = first.origin.rows + second.origin.rows
    return Block.of(message, Origin(rows, ID), first)


def _content(message: Message) -> list[Json]:
    """The blocks of a content; one that is no list counts as empty (the agent's own loss)."""
    return [part.json() for part in message.parts] if message.shape is Shape.LIST else []


def _truthy(value: Json) -> bool:
    return isinstance(value, dict | list) or bool(value)


def merge_assistants(blocks: Blocks, reasons: dict[Block, Phrase]) -> Blocks:
    """`validateGeminiTurns`: runs of assistants become one with the first's keys and the last's usage and end.

    Values without a role are copied and do not end a run; the merge then goes into the last *output* item, whatever it
    is, if it is an object."""
    out: list[Block] = []
    last_role = ""
    for block in blocks:
        message = block.message
        if not message.is_object or not message.role:
            out.append(block)
            continue
        if message.role == "assistant" and last_role == "assistant" and out and out[-1].message.is_object:
            previous = out[-1]
            fields = {**previous.message.json(), "content": _content(previous.message) + _content(message)}
            for key in ("usage", "stopReason", "errorMessage"):
                if _truthy(message.get(key)):
                    fields[key] = message.get(key)
            out[-1] = _joined(previous, Message.of(fields), block)
            reasons[block] = phrase("layer.validate_turns.merged")
        else:
            out.append(block)
        last_role = message.role
    return tuple(out)


def drop_unanswered(blocks: Blocks, reasons: dict[Block, Phrase]) -> Blocks:
    """First half of `validateAnthropicTurns`: `toolUse` blocks that the user message after them does not answer go."""
    out = list(blocks)
    for index in range(len(blocks) - 1):
        message, following = blocks[index].message, blocks[index + 1].message
        if message.role != "assistant" or following.role != "user":
            continue
        answered = {
            part.get("toolUseId")
            for part in following.parts
            if part.kind == "toolResult" and isinstance(part.get("toolUseId"), str) and part.get("toolUseId")
        }
        parts = [
            part
            for part in (message.parts if message.shape is Shape.LIST else ())
            if _truthy(part.raw) and (part.kind != "toolUse" or part.get("id") in answered)
        ]
        content: list[Json] = [part.json() for part in parts]
        if message.shape is Shape.LIST and message.parts and not content:
            content = [{"type": "text", "text": OMITTED}]
        new = Message.of({**message.json(), "content": content})
        if new.json() != message.json():
            out[index] = Block.of(new, blocks[index].origin, blocks[index])
            reasons[blocks[index]] = phrase("layer.validate_turns.unanswered")
    return tuple(out)


def merge_users(blocks: Blocks, reasons: dict[Block, Phrase]) -> Blocks:
    """Second half: runs of users become one with the last's keys, the contents in order."""
    out: list[Block] = []
    last_role = ""
    for block in blocks:
        message = block.message
        if not message.is_object or not message.role:
            out.append(block)
            continue
        if message.role == "user" and last_role == "user" and out and out[-1].message.is_object:
            previous = out[-1]
            fields = {**message.json(), "content": _content(previous.message) + _content(message)}
            time = message.get("timestamp")
            time = previous.message.get("timestamp") if time is None else time
            if time is not None:
                fields["timestamp"] = time
            out[-1] = _joined(previous, Message.of(fields), block)
            reasons[block] = phrase("layer.validate_turns.merged")
        else:
            out.append(block)
        last_role = message.role
    return tuple(out)
