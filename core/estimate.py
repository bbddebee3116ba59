"""Sizes as the agents measure them, for their own budgets: three estimates of a message, one of a whole context.

                     text   CJK   image          tool call          tool result   details   other roles
    pi               len    len   4,800 / 0      name + arguments   len           no        see below    / 4, rounded up
    guard            len    len   8,000          arguments          doubled       yes       256
    pruning          len    4     8,000          arguments          len           no        256

Lengths are UTF-16 units, arguments the length of their JSON as JavaScript prints it. Sources: the recorded cases of
layers g and h (pi), b (guard) and d (pruning), sections 4, 6, 9 and 10 of their description. Where the agent would
crash on a malformed message (a missing text, a missing list), what is missing counts 0 here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core import javascript
from core.messages import Json, Message, Part, Shape
from core.text import Text

IMAGE = 8_000
"""Characters of an image, for the guard and for pruning, whatever its size."""
PI_IMAGE = 4_800
"""Characters of an image in a tool result or custom message, for pi; an image of the user counts 0."""
OTHER_ROLE = 256
"""Characters of a message of any role that the guard or pruning does not know, whatever it holds."""


# pi: tokens


def pi_tokens(message: Message) -> int:
    """pi's `estimateTokens`: a quarter of the characters, rounded up; never negative."""
    return -(-_pi_chars(message) // 4)


def _pi_chars(message: Message) -> int:
    match message.role:
        case "user":
            return _texts(message.parts)
        case "assistant":
            return sum(map(_pi_said, message.parts)) if message.shape is Shape.LIST else 0
        case "custom" | "toolResult":
            return _texts(message.parts) + PI_IMAGE * sum(part.kind == "image" for part in message.parts)
        case "bashExecution":
            return _length(message.get("command")) + _length(message.get("output"))
        case "branchSummary" | "compactionSummary":
            return _length(message.get("summary"))
    return 0


def _pi_said(part: Part) -> int:
    if part.kind == "toolCall":
        arguments = javascript.json_length(part.raw["arguments"]) if "arguments" in part.raw else 0
        return _length(part.get("name")) + arguments
    return len(part.text) if part.text is not None else 0


def _texts(parts: Sequence[Part]) -> int:
    return sum(len(part.text) for part in parts if part.kind == "text" and part.text is not None)


def _length(value: Json) -> int:
    return javascript.length(value) if isinstance(value, str) else 0


@dataclass(frozen=True, slots=True)
class ContextTokens:
    """pi's estimate of a whole context: `tokens` = `usage` + `trailing`.

    `usage`: what the last usable recorded usage says of everything up to and with its reply. `trailing`: `pi_tokens`
    of the messages after it. `last_usage`: index of that reply, None when no reply has a usage.
    """

    tokens: int
    usage: int
    trailing: int
    last_usage: int | None


def pi_context_tokens(messages: Sequence[Message]) -> ContextTokens:
    """pi's `estimateContextTokens`. Replies that failed or were aborted have no usable usage."""
    for index in range(len(messages) - 1, -1, -1):
        message = messages[index]
        usage = message.get("usage")
        if message.role == "assistant" and message.get("stopReason") not in ("aborted", "error") and _truthy(usage):
            used = _used(usage)
            trailing = sum(map(pi_tokens, messages[index + 1 :]))
            return ContextTokens(used + trailing, used, trailing, index)
    trailing = sum(map(pi_tokens, messages))
    return ContextTokens(trailing, 0, trailing, None)


def _truthy(value: Json) -> bool:
    """As JavaScript: an empty object or list is true."""
    return isinstance(value, dict | list) or bool(value)


def _used(usage: Json) -> int:
    if not isinstance(usage, dict):
        return 0
    total = _count(usage.get("totalTokens"))
    return total or sum(_count(usage.get(key)) for key in ("input", "output", "cacheRead", "cacheWrite"))


def _count(value: Json) -> int:
    return int(value) if isinstance(value, int | float) and abs(value) < 2**53 else 0


# the guard of OpenClaw: characters


def is_tool_result(message: Message) -> bool:
    """What the guard takes for a tool result."""
    return message.role in ("toolResult", "tool") or message.get("type") == "toolResult"


def guard_chars(message: Message) -> int:
    """`estimateMessageChars` of the tool-result guard, characters. A tool result counts double, `details` included."""
    if not message.is_object:
        return 0
    if message.role == "user":
        return guard_content_chars(message)
    if message.role == "assistant":
        return sum(map(_guard_said, message.parts)) if message.shape is Shape.LIST else 0
    if is_tool_result(message):
        details = _unknown(message.fields["details"]) if "details" in message.fields else 0
        return 2 * (guard_content_chars(message) + details)
    return OTHER_ROLE


def guard_content_chars(message: Message) -> int:
    """Characters of the content alone: texts, 8,000 for an image, JSON for any other block; not doubled."""
    return sum(map(_guard_block, message.parts))


def _guard_block(part: Part) -> int:
    if part.kind == "text" and part.text is not None:
        return len(part.text)
    return IMAGE if part.kind == "image" else _unknown(part.raw)


def _guard_said(part: Part) -> int:
    if not isinstance(part.raw, dict):
        return 0
    if part.text is not None:
        return len(part.text)
    return _arguments(part) if part.kind == "toolCall" else javascript.json_length(part.raw)


def _arguments(part: Part) -> int:
    given = part.get("arguments")
    return javascript.json_length({} if given is None else given)


def _unknown(value: Json) -> int:
    return javascript.length(value) if isinstance(value, str) else javascript.json_length(value)


# pruning by cache lifetime: characters

_CJK = re.compile("[\u2e80-\u9fff\ua000-\ua4ff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0002fa1f]")
_CJK_PAIR = re.compile("[\U00020000-\U0002fbff]")


def weighted_length(text: str | Text) -> int:
    """`estimateStringChars`: UTF-16 units, but 4 for each Chinese or Korean character (kana too; no half-width forms).

    The pairs that are taken for such characters reach a little further than the characters themselves (to U+2FBFF):
    in a text with a CJK character each of those is one short, as recorded.
    """
    plain = javascript.joined(text.units) if isinstance(text, Text) else javascript.joined(text)
    if plain.isascii():
        return len(plain)
    weighty = len(_CJK.findall(plain))
    if not weighty:
        return javascript.length(plain)
    return javascript.length(plain) - len(_CJK_PAIR.findall(plain)) + 3 * weighty


def pruning_chars(message: Message, *, weighted: bool = True) -> int:
    """The estimate that cache-TTL pruning works with, characters. Tool results count once, without `details`.

    `weighted` False: the rule before 2026.4.5: no CJK weight, of thinking only its text.
    """
    measure = weighted_length if weighted else len
    match message.role:
        case "user":
            return sum(_pruning_block(part, measure) for part in message.parts)
        case "toolResult":
            return sum(_pruning_block(part, measure) for part in message.parts) if message.shape is Shape.LIST else 0
        case "assistant":
            return sum(_pruning_said(part, weighted) for part in message.parts) if message.shape is Shape.LIST else 0
    return OTHER_ROLE if message.is_object else 0


def _pruning_block(part: Part, measure: Callable[[Text], int]) -> int:
    if part.kind == "text" and part.text is not None:
        return measure(part.text)
    return IMAGE if part.kind == "image" else 0


def _pruning_said(part: Part, weighted: bool) -> int:
    measure = weighted_length if weighted else len
    if part.kind == "text" and part.text is not None:
        return measure(part.text)
    if part.kind == "toolCall":
        return _arguments(part)
    if part.kind not in ("thinking", "redacted_thinking"):
        return 0
    keys = ["thinking"]
    if weighted:
        keys += ["thinkingSignature"] if part.kind == "thinking" else ["thinkingSignature", "data"]
    said = [part.text if key == "thinking" and part.text is not None else part.get(key) for key in keys]
    return sum(
        measure(Text.of(text) if isinstance(text, str) else text) for text in said if isinstance(text, str | Text)
    )
