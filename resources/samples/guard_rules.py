"""The tool-result guard of OpenClaw 2026.4.5, as far as text results need it.

Sizes are UTF-16 units; a tool result counts twice. A single result may hold half the window in characters; all
messages together 75 % of window x 4. Over that, results are shortened from the second-newest back to the oldest, the
newest last, first as far as needed and only then down to a placeholder.
"""

from __future__ import annotations

import json
import re
from typing import Any

Message = dict[str, Any]

PLACEHOLDER = "[compacted: tool output removed to free context]"
TRUNCATED = "[truncated: output exceeded context limit]"
NOTICE = "\n[compacted: tool output shortened for the guard]"
MIDDLE = "\n\n⚠️ [... middle content omitted — showing head and tail ...]\n\n"

_ALARM = re.compile(
    r"\b(?:error|exception|failed|fatal|traceback|panic|stack trace|errno|exit code)\b"
    r"|\b(?:total|summary|result|complete|finished|done)\b",
    re.ASCII,
)


def units(text: str) -> int:
    """UTF-16 units."""
    return len(text) + sum(1 for character in text if ord(character) > 0xFFFF)


def cut_results(messages: list[Message], window: int) -> list[Message]:
    """The messages as the guard lets them through; the list itself is not changed."""
    single, budget = window, window * 3
    made = [
        _with_text(m, _shorten(_text(m), single // 2)) if _is_result(m) and _estimate(m) > single else m
        for m in messages
    ]
    excess = sum(map(_estimate, made)) - budget
    if excess <= 0:
        return made
    results = [at for at, message in enumerate(made) if _is_result(message)]
    order = [*results[-2::-1], *results[-1:]] if len(results) > 1 else results
    for placeholder_only in (False, True):
        for at in order:
            if excess <= 0:
                return made
            before = _estimate(made[at])
            if before <= len(PLACEHOLDER):
                continue
            target = max(192, before - excess)
            text = PLACEHOLDER if placeholder_only else _compacted(_text(made[at]), before, target)
            after = units(text) * 2
            if after >= before and not placeholder_only:
                text, after = PLACEHOLDER, len(PLACEHOLDER) * 2
            made[at] = _with_text(made[at], text)
            if after < before:
                excess -= before - after
    return made


def total(messages: list[Message]) -> int:
    """What the guard counts."""
    return sum(map(_estimate, messages))


def _is_result(message: Message) -> bool:
    return bool(message["role"] == "toolResult")


def _text(message: Message) -> str:
    return "\n".join(part["text"] for part in message["content"] if part["type"] == "text")


def _with_text(message: Message, text: str) -> Message:
    return {**message, "content": [{"type": "text", "text": text}]}


def _estimate(message: Message) -> int:
    if message["role"] == "toolResult":
        return 2 * sum(units(part["text"]) for part in message["content"])
    if message.get("kind") in ("summary", "branch", "custom", "bash"):
        return 256
    size = 0
    for part in message["content"]:
        if part["type"] == "toolCall":
            size += units(json.dumps(part.get("arguments") or {}, ensure_ascii=False, separators=(",", ":")))
        else:
            size += units(part[part["type"]])
    return size


def _shorten(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    body = max(0, limit - len(TRUNCATED) - 1)
    line = text.rfind("\n", 0, body + 1)
    return text[: line if line > body * 0.7 else body] + "\n" + TRUNCATED


def _compacted(text: str, before: int, target: int) -> str:
    """Head, and tail where the tail matters, within half of `target`."""
    if before <= target:
        return text
    keep = max(96, target // 2)
    if len(text) <= keep:
        return text
    body = max(96, keep - len(NOTICE))
    tail_text = text[-2000:].lower()
    matters = bool(_ALARM.search(tail_text)) or tail_text.rstrip().endswith("}")
    if matters and body > 192:
        tail = min(body * 3 // 10, 4000)
        head = body - tail - 63
        if head > 96:
            line = text.rfind("\n", 0, head + 1)
            head_end = line if line > head * 0.8 else head
            start = len(text) - tail
            line = text.find("\n", start)
            if line != -1 and line < start + tail * 0.2:
                start = line + 1
            return text[:head_end] + MIDDLE + text[start:] + NOTICE
    line = text.rfind("\n", 0, body + 1)
    return text[: line if line > body * 0.8 else body] + NOTICE
