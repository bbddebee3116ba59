"""From the agent's messages to those that the provider gets.

Source: recorded cases of layer j (section 16 of their description): `convertToLlm` of pi 0.65.0 and `transformMessages`
of pi-ai 0.65.0. Introductions of summaries are known by their length only: wording ours.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from core import javascript
from core.context import Origin
from core.layer import StepContext, Target
from core.messages import Json, Message, Part, Shape
from core.pairing import failed, with_fields
from core.phrase import Phrase, phrase
from core.prompt import Block, Blocks
from core.sent import BRANCH_INTRO, COMPACTION_INTRO, shell_text

MAKER = "provider_messages"
NO_RESULT = "No result provided"

_ABSENT = object()

NormalizeId = Callable[[str, Message], str]


def to_provider(blocks: Blocks, reasons: dict[Block, Phrase], context: StepContext | None = None) -> Blocks:
    """`convertToLlm`: user, assistant and tool result as they are; shell commands, notes and summaries become user
    messages; what is excluded or of an unknown role is left out. `context`: remembers, by the keys of the blocks."""
    known = (
        context.each("sendable", blocks, _is_sendable)
        if context is not None
        else [_is_sendable(block.message) for block in blocks]
    )
    others = [index for index, sendable in enumerate(known) if not sendable]
    if not others:
        return blocks
    out: list[Block | None] = [*blocks]
    for index in others:
        block = blocks[index]
        message = _as_user(block.message)
        if message is None:
            reasons[block] = phrase("layer.provider_messages.left_out", role=block.message.role or "–")
            out[index] = None
        else:
            reasons[block] = phrase(f"layer.provider_messages.{block.message.role}")
            if context is not None:
                out[index] = context.made(block, (MAKER, "user"), partial(_same, message))
            else:
                out[index] = Block.of(message, block.origin, block)
    return tuple([block for block in out if block is not None])


def _is_sendable(message: Message) -> bool:
    return message.role in ("user", "assistant", "toolResult")


def _same(message: Message) -> Message:
    return message


def _as_user(message: Message) -> Message | None:
    match message.role:
        case "bashExecution":
            if message.get("excludeFromContext"):
                return None
            content: Json = [{"type": "text", "text": shell_text(message)}]
        case "custom":
            raw = message.json()
            content = raw.get("content", _ABSENT)
            content = [{"type": "text", "text": content}] if isinstance(content, str) else content
        case "branchSummary":
            content = [{"type": "text", "text": f"{BRANCH_INTRO}{_said(message)}</summary>"}]
        case "compactionSummary":
            content = [{"type": "text", "text": f"{COMPACTION_INTRO}{_said(message)}\n</summary>"}]
        case _:
            return None
    raw = {"role": "user"} if content is _ABSENT else {"role": "user", "content": content}
    if message.is_object and "timestamp" in message.fields:
        raw["timestamp"] = message.fields["timestamp"]
    return Message.of(raw)


def _said(message: Message) -> str:
    summary = message.get("summary")
    return summary if isinstance(summary, str) else "undefined"


def charset_64(id: str, _: Message) -> str:
    """Anthropic's rule for ids: [A-Za-z0-9_-], at most 64."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", javascript.units(id))[:64]


def before_pipe_40(id: str, _: Message) -> str:
    """Of an id of two halves (OpenAI Responses) the first one, made safe, at most 40."""
    head, bar, _rest = javascript.units(id).partition("|")
    return re.sub(r"[^A-Za-z0-9_-]", "_", head)[:40] if bar else id


def transform(
    blocks: Blocks, normalize: NormalizeId | None, reasons: dict[Block, Phrase], context: StepContext
) -> Blocks:
    """`transformMessages`: other models' thinking becomes text, ids are made safe, failed assistants are left out, and
    calls without result get one before the next turn (never at the end of the list). For `context.target`."""
    target = context.target
    who = (target.provider, target.api, target.model, normalize)
    plans = context.each(("conversion", *who), blocks, lambda message: _plan(message, target, normalize))
    if _settled(context, who, blocks, plans):
        return blocks
    return _Turns(context, who, reasons).all(blocks, plans)


def _settled(context: StepContext, who: tuple[object, ...], blocks: Blocks, plans: Sequence[_Plan]) -> bool:
    """Would the walk change nothing? After a cut of results it is as it was before."""
    known = context.latest.get(("settled", *who))
    places = context.touched(known[0], blocks) if known is not None else None
    if known is not None and places is not None:
        table = context.sizes["conversion", *who]
        if all(plans[index].answers(table.get(known[0][index].key)) for index in places):
            context.latest["settled", *who] = (blocks, None)
            return True
    for index, plan in enumerate(plans):
        if plan.message is not None or plan.kind == "failed":
            return False
        if plan.calls:
            behind = plans[index + 1 : index + 1 + len(plan.calls)]
            if None in plan.ids or {found.id for found in behind if found.kind == "result"} != set(plan.ids):
                return False
    context.latest["settled", *who] = (blocks, None)
    return True


@dataclass(frozen=True, slots=True, eq=False)
class _Plan:
    """What becomes of a message by itself. `kind`: "user", "assistant", "failed", "result" or "" (any other).

    `message`: rewritten, None = as it is. `renamed`: ids of its calls, old and new. `calls`: its calls, rewritten, with
    their `ids`, None = no string. `id`: of a result, the call it answers."""

    kind: str
    message: Message | None = None
    renamed: tuple[tuple[str, str], ...] = ()
    calls: tuple[Part, ...] = ()
    ids: tuple[str | None, ...] = ()
    id: str | None = None

    def answers(self, other: _Plan | None) -> bool:
        """Are both results of the same call?"""
        return other is not None and self.kind == other.kind == "result" and self.id == other.id


_USER, _OTHER = _Plan("user"), _Plan("")


def _plan(message: Message, target: Target, normalize: NormalizeId | None) -> _Plan:
    if message.role == "user":
        return _USER
    if message.role == "toolResult":
        id = message.get("toolCallId")
        return _Plan("result", id=_text(id))
    if message.role != "assistant":
        return _OTHER
    renamed: dict[str, str] = {}
    new = _reply(message, target, normalize, renamed) if message.shape is Shape.LIST else message
    calls = tuple(part for part in new.parts if part.kind == "toolCall")
    kind = "failed" if failed(message) else "assistant"
    ids = tuple([_text(part.get("id")) for part in calls])
    return _Plan(kind, None if new is message else new, tuple(renamed.items()), calls, ids)


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) else None


class _Turns:
    """The walk from left to right. `renamed` is never cleared: an id that is used again later is renamed too (the
    agent's defect). `pending`: calls of the last assistant, `answered`: ids of the results since."""

    def __init__(self, context: StepContext, who: tuple[object, ...], reasons: dict[Block, Phrase]) -> None:
        self._context, self._who, self._reasons = context, who, reasons
        self._out: list[Block] = []
        self._changed = False
        self._owner: Block | None = None
        self._pending: tuple[Part, ...] = ()
        self._answered: set[str] = set()

    def all(self, blocks: Blocks, plans: Sequence[_Plan]) -> Blocks:
        renamed: dict[str, str] = {}
        out = self._out
        for block, plan in zip(blocks, plans, strict=True):
            kind, new = plan.kind, block
            if kind == "result":
                if plan.id is not None:
                    other = renamed.get(plan.id) if renamed else None
                    if other and other != plan.id:
                        new = self._rewritten(block, ("result", other), with_fields(block.message, toolCallId=other))
                    self._answered.add(other or plan.id)
            elif kind == "assistant" or kind == "failed":
                if self._pending:
                    self._flush()
                renamed.update(plan.renamed)
                if kind == "failed":
                    self._reasons[block] = phrase("layer.provider_messages.failed")
                    self._changed = True
                    continue
                if plan.message is not None:
                    new = self._rewritten(block, self._who, plan.message)
                if plan.calls:
                    self._owner, self._pending, self._answered = new, plan.calls, set()
            elif kind == "user" and self._pending:
                self._flush()
            out.append(new)
        return tuple(out) if self._changed else blocks

    def _rewritten(self, block: Block, how: tuple[object, ...], message: Message) -> Block:
        self._changed = True
        self._reasons[block] = phrase("layer.provider_messages.rewritten")
        return self._context.made(block, (MAKER, *how), partial(_same, message))

    def _flush(self) -> None:
        assert self._owner is not None
        for place, part in enumerate(self._pending):
            id = part.get("id")
            if not isinstance(id, str) or id not in self._answered:
                how = (MAKER, "no result", place, self._context.now)
                made = self._context.added(self._owner, how, partial(_no_result, part, self._context.now))
                self._reasons[made] = phrase("layer.provider_messages.no_result")
                self._out.append(made)
                self._changed = True
        self._pending, self._answered = (), set()


def same_model(message: Message, target: Target) -> bool:
    fields = (message.get("provider"), message.get("api"), message.get("model"))
    return fields == (target.provider, target.api, target.model)


def _reply(message: Message, target: Target, normalize: NormalizeId | None, renamed: dict[str, str]) -> Message:
    same = same_model(message, target)
    parts: list[Part] = []
    for part in message.parts:
        kept: Part | None = part
        if part.kind == "thinking":
            kept = _thinking(part, same)
        elif part.kind == "text":
            if not same and isinstance(part.raw, dict) and set(part.raw) - {"type", "text"}:
                kept = replace(part, raw={key: part.raw[key] for key in ("type", "text") if key in part.raw})
        elif part.kind == "toolCall":
            kept = _call(part, message, same, normalize, renamed)
        if kept is not None:
            parts.append(kept)
    if len(parts) == len(message.parts) and all(a is b for a, b in zip(parts, message.parts, strict=True)):
        return message
    return replace(message, parts=tuple(parts))


def _thinking(part: Part, same: bool) -> Part | None:
    text = str(part.text) if part.text is not None else ""
    if part.get("redacted"):
        return part if same else None
    if same and part.get("thinkingSignature"):
        return part
    if not javascript.trim(text):
        return None
    return part if same else Part.of({"type": "text", "text": text})


def _call(part: Part, message: Message, same: bool, normalize: NormalizeId | None, renamed: dict[str, str]) -> Part:
    raw = part.raw
    if not same and raw.get("thoughtSignature"):
        raw = {key: value for key, value in raw.items() if key != "thoughtSignature"}
    id = raw.get("id")
    if not same and normalize is not None and isinstance(id, str):
        other = normalize(id, message)
        if other != id:
            renamed[id] = other
            raw = {**raw, "id": other}
    return part if raw is part.raw else replace(part, raw=raw)


def _no_result(part: Part, now: int | None) -> Block:
    raw = {
        "role": "toolResult",
        "toolCallId": part.get("id"),
        **({"toolName": part.raw["name"]} if "name" in part.raw else {}),
        "content": [{"type": "text", "text": NO_RESULT}],
        "isError": True,
        "timestamp": now,
    }
    return Block.of(Message.of(raw), Origin((), MAKER))
