"""Turns alternate as the provider wants it: neighbouring messages of one role become one.

Source: recorded cases of layer c (`validateReplayTurns`, `validateAnthropicTurns`, `validateGeminiTurns`), pins in n.
Lossy oddity of the agent, reproduced and flagged: content that is a string is lost when messages are merged. Who needs
which merge is the transcript policy of the target (`core.transcript_policy`), unless a setting says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from operator import is_, is_not

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
    if merges[0] and neighbours(after, "assistant", context):
        after = merge_assistants(after, reasons, context)
    if merges[1]:
        after = drop_unanswered(after, reasons, context)
        if neighbours(after, "user", context):
            after = merge_users(after, reasons, context)
    if len(after) == len(blocks) and all(map(is_, after, blocks)):  # a run that ended in no object merges nothing
        after = blocks
    if after is blocks:
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


def neighbours(blocks: Blocks, role: str, context: StepContext) -> bool:
    """Do two of this role stand in a row? Values without a role between them do not part them."""
    roles = [found for found in context.each("role", blocks, _role) if found]
    return (role, role) in pairwise(roles)


def _role(message: Message) -> str:
    return message.role if message.is_object else ""


def _joined(context: StepContext, first: Block, message: Callable[[], Message], second: Block) -> Block:
    def made() -> Block:
        return Block.of(message(), Origin(first.origin.rows + second.origin.rows, ID), first)

    return context.added(first, (ID, "joined", second), made)


def _content(message: Message) -> list[Json]:
    """The blocks of a content; one that is no list counts as empty (the agent's own loss)."""
    return [part.json() for part in message.parts] if message.shape is Shape.LIST else []


def _truthy(value: Json) -> bool:
    return isinstance(value, dict | list) or bool(value)


def merge_assistants(blocks: Blocks, reasons: dict[Block, Phrase], context: StepContext) -> Blocks:
    """`validateGeminiTurns`: runs of assistants become one with the first's keys and the last's usage and end."""
    return _merged(blocks, "assistant", _assistants, reasons, context)


def _assistants(first: Message, second: Message) -> Message:
    fields = {**first.json(), "content": _content(first) + _content(second)}
    for key in ("usage", "stopReason", "errorMessage"):
        if _truthy(second.get(key)):
            fields[key] = second.get(key)
    return Message.of(fields)


def merge_users(blocks: Blocks, reasons: dict[Block, Phrase], context: StepContext) -> Blocks:
    """Second half of `validateAnthropicTurns`: runs of users become one with the last's keys, the contents in order."""
    return _merged(blocks, "user", _users, reasons, context)


def _users(first: Message, second: Message) -> Message:
    fields = {**second.json(), "content": _content(first) + _content(second)}
    time = second.get("timestamp")
    time = first.get("timestamp") if time is None else time
    if time is not None:
        fields["timestamp"] = time
    return Message.of(fields)


def _merged(
    blocks: Blocks,
    role: str,
    merge: Callable[[Message, Message], Message],
    reasons: dict[Block, Phrase],
    context: StepContext,
) -> Blocks:
    """Values without a role are copied and do not end a run; the merge then goes into the last *output* item, whatever
    it is, if it is an object."""
    out: list[Block] = []
    last_role = ""
    for block, own in zip(blocks, context.each("role", blocks, _role), strict=True):
        if own == role == last_role and out[-1].message.is_object:
            first = out[-1]
            out[-1] = _joined(context, first, partial(merge, first.message, block.message), block)
            reasons[block] = phrase("layer.validate_turns.merged")
        else:
            out.append(block)
        last_role = own or last_role
    return tuple(out)


def drop_unanswered(blocks: Blocks, reasons: dict[Block, Phrase], context: StepContext) -> Blocks:
    """First half of `validateAnthropicTurns`: `toolUse` blocks that the user message after them does not answer go."""
    roles = context.each("role", blocks, _role)
    plain = context.each("no toolUse", blocks, _is_plain)
    found = [i for i, pair in enumerate(pairwise(roles)) if pair == ("assistant", "user") and not plain[i]]
    out = list(blocks)
    for index in found:
        old = blocks[index]
        new = _answered_only(old.message, blocks[index + 1].message)
        if new.json() != old.message.json():
            uses = tuple(str(part.get("id")) for part in new.parts)
            out[index] = context.made(old, (ID, "unanswered", uses), lambda new=new: new)  # type: ignore[misc]
            reasons[old] = reasons[out[index]] = phrase("layer.validate_turns.unanswered")
    return tuple(out) if any(map(is_not, out, blocks)) else blocks


def _is_plain(message: Message) -> bool:
    """A list of blocks of which none can be unanswered."""
    return message.shape is Shape.LIST and all(_truthy(part.raw) and part.kind != "toolUse" for part in message.parts)


def _answered_only(message: Message, following: Message) -> Message:
    ids = [part.get("toolUseId") for part in following.parts if part.kind == "toolResult"]
    answered = {id for id in ids if isinstance(id, str) and id}
    parts = [
        part
        for part in (message.parts if message.shape is Shape.LIST else ())
        if _truthy(part.raw) and (part.kind != "toolUse" or _string(part.get("id")) in answered)
    ]
    content: list[Json] = [part.json() for part in parts]
    if message.shape is Shape.LIST and message.parts and not content:
        content = [{"type": "text", "text": OMITTED}]
    return Message.of({**message.json(), "content": content})


def _string(value: Json) -> str | None:
    return value if isinstance(value, str) else None
