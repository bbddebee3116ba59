"""From the agent's messages to those that the provider gets.

Source: recorded cases of layer j (section 16 of their description): `convertToLlm` of pi 0.65.0 and `transformMessages`
of pi-ai 0.65.0. Introductions of summaries are known by their length only: wording ours.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from core import javascript
from core.context import Origin
from core.layer import Target
from core.messages import Json, Message, Part, Shape
from core.pairing import failed, with_fields
from core.phrase import Phrase, phrase
from core.prompt import Block, Blocks
from core.sent import BRANCH_INTRO, COMPACTION_INTRO, shell_text

MAKER = "provider_messages"
NO_RESULT = "No result provided"

_ABSENT = object()

NormalizeId = Callable[[str, Message], str]


def to_provider(blocks: Blocks, reasons: dict[Block, Phrase]) -> Blocks:
    """`convertToLlm`: user, assistant and tool result as they are; shell commands, notes and summaries become user
    messages; what is excluded or of an unknown role is left out."""
    out: list[Block] = []
    changed = False
    for block in blocks:
        message = block.message
        if message.role in ("user", "assistant", "toolResult"):
            out.append(block)
            continue
        changed = True
        made = _as_user(message)
        if made is None:
            reasons[block] = phrase("layer.provider_messages.left_out", role=message.role or "–")
        else:
            reasons[block] = phrase(f"layer.provider_messages.{message.role}")
            out.append(Block.of(made, block.origin, block))
    return tuple(out) if changed else blocks


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
    blocks: Blocks, target: Target, normalize: NormalizeId | None, now: int | None, reasons: dict[Block, Phrase]
) -> Blocks:
    """`transformMessages`: other models' thinking becomes text, ids are made safe, failed assistants are left out, calls
    without result get one before the next turn (never at the end of the list)."""
    return _answer(_rewrite(blocks, target, normalize, reasons), now, reasons)


def _rewrite(blocks: Blocks, target: Target, normalize: NormalizeId | None, reasons: dict[Block, Phrase]) -> Blocks:
    renamed: dict[str, str] = {}  # never cleared: an id that is used again later is renamed too (the agent's defect)
    out: list[Block] = []
    for block in blocks:
        message = block.message
        new = message
        if message.role == "toolResult":
            id = message.get("toolCallId")
            other = renamed.get(id) if isinstance(id, str) else None
            if other and other != id:
                new = with_fields(message, toolCallId=other)
        elif message.role == "assistant" and message.shape is Shape.LIST:
            new = _reply(message, target, normalize, renamed)
        if new is message:
            out.append(block)
        else:
            reasons[block] = phrase("layer.provider_messages.rewritten")
            out.append(Block.of(new, block.origin, block))
    return tuple(out)


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


def _answer(blocks: Blocks, now: int | None, reasons: dict[Block, Phrase]) -> Blocks:
    out: list[Block] = []
    pending: list[Part] = []
    answered: set[str] = set()
    changed = False

    def flush() -> None:
        nonlocal pending, answered, changed
        for part in pending:
            id = part.get("id")
            if not isinstance(id, str) or id not in answered:
                made = _no_result(part, now)
                reasons[made] = phrase("layer.provider_messages.no_result")
                out.append(made)
                changed = True
        pending, answered = [], set()

    for block in blocks:
        message = block.message
        if message.role == "assistant":
            flush()
            if failed(message):
                reasons[block.before or block] = phrase("layer.provider_messages.failed")
                reasons[block] = phrase("layer.provider_messages.failed")
                changed = True
                continue
            found = [part for part in message.parts if part.kind == "toolCall"]
            if found:
                pending, answered = found, set()
        elif message.role == "toolResult":
            id = message.get("toolCallId")
            if isinstance(id, str):
                answered.add(id)
        elif message.role == "user":
            flush()
        out.append(block)
    return tuple(out) if changed else blocks


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
