"""Smaller cleanings of a history before it is sent again: old images, old thinking, foreign signatures, first turns.

Source: recorded cases of layer k (section 17 of their description), OpenClaw 2026.4.5 and 2026.4.14.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Sequence
from dataclasses import replace

from core import javascript
from core.messages import Json, Message, Part, Shape

IMAGE_MARKER = "[image from an earlier turn, no longer sent here]"
"""Stands for an old image; known by its length only (49 units): wording ours."""
GOOGLE_BOOTSTRAP = "(session continues)"
"""User text in front of a leading assistant; known by its length only (19 units): wording ours."""
QUEUED_NOTE = "[Earlier message that had not been answered when the next one was written:]"
"""Line in front of a merged unanswered message; known by its length only (75 units): wording ours."""
KEPT_TURNS = 3
THINKING = frozenset({"thinking", "redacted_thinking"})


def without_old_images(messages: Sequence[Message]) -> tuple[Message, ...]:
    """`pruneProcessedHistoryImages`: images before the third completed turn from the end become a marker.

    A turn is completed when an assistant answered it. Messages in which nothing changes are the very same objects."""
    starts: list[int] = []
    start: int | None = None
    answered = False
    for index, message in enumerate(messages):
        if message.role == "user":
            if start is not None and answered:
                starts.append(start)
            start, answered = index, False
        elif message.role == "toolResult" and start is None:
            start, answered = index, False
        elif message.role == "assistant" and start is not None:
            answered = True
    if start is not None and answered:
        starts.append(start)
    if len(starts) <= KEPT_TURNS:
        return tuple(messages)
    cut = starts[-KEPT_TURNS]
    return tuple(_imageless(message) if index < cut else message for index, message in enumerate(messages))


def _imageless(message: Message) -> Message:
    if message.role not in ("user", "toolResult") or message.shape is not Shape.LIST:
        return message
    if not any(part.kind == "image" for part in message.parts):
        return message
    marker = Part.of({"type": "text", "text": IMAGE_MARKER})
    return replace(message, parts=tuple(marker if part.kind == "image" else part for part in message.parts))


def without_old_thinking(messages: Sequence[Message]) -> tuple[Message, ...]:
    """`dropThinkingBlocks`: thinking goes from all assistants but the last; one that held nothing else keeps an empty
    text. Messages in which nothing changes are the very same objects."""
    spoken = [i for i, m in enumerate(messages) if m.role == "assistant" and m.shape is Shape.LIST]
    older = set(spoken[:-1])
    return tuple(_thoughtless(m) if i in older else m for i, m in enumerate(messages))


def _thoughtless(message: Message) -> Message:
    kept = tuple(part for part in message.parts if part.kind not in THINKING)
    if len(kept) == len(message.parts):
        return message
    return replace(message, parts=kept or (Part.of({"type": "text", "text": ""}),))


def without_signatures(content: Json, base64_only: bool = False, camel_case: bool = False) -> Json:
    """`stripThoughtSignatures`: signatures of another provider's kind are removed from the blocks of a content."""
    if not isinstance(content, list):
        return content
    keys = ("thought_signature", "thoughtSignature") if camel_case else ("thought_signature",)
    return [_unsigned(block, keys, base64_only) if isinstance(block, dict) else block for block in content]


def _unsigned(block: dict[str, Json], keys: Sequence[str], base64_only: bool) -> dict[str, Json]:
    bad = {key for key in keys if key in block and _bad_signature(block[key], base64_only)}
    return {key: value for key, value in block.items() if key not in bad} if bad else block


def _bad_signature(value: Json, base64_only: bool) -> bool:
    if not base64_only:
        return isinstance(value, str) and value.startswith("msg_")
    if not isinstance(value, str):
        return True
    text = re.sub(f"[{javascript.SPACE}]+", "", value)
    if not text or not re.fullmatch(r"[A-Za-z0-9+/=_-]+", text):
        return True
    plain = text.rstrip("=")
    url = "-" in text or "_" in text
    if url and ("+" in text or "/" in text):
        return True
    padded = plain + "=" * (-len(plain) % 4)
    try:
        data = (base64.urlsafe_b64decode if url else base64.b64decode)(padded)
    except (binascii.Error, ValueError):
        return True
    again = (base64.urlsafe_b64encode if url else base64.b64encode)(data).decode("ascii").rstrip("=")
    return not data or again != plain


def merge_unanswered(prompt: str, trigger: str, message: Message) -> tuple[str, bool]:
    """`mergeOrphanedTrailingUserPrompt` (2026.4.14): (new prompt, was the unanswered message put in front of it)."""
    texts = [str(part.text) for part in message.parts if part.kind == "text" and part.text is not None]
    text = javascript.trim("\n".join(texts))
    if trigger not in ("user", "manual") or javascript.length(text) < 4 or text in prompt:
        return prompt, False
    return f"{QUEUED_NOTE}\n{text}\n\n{prompt}", True


def bootstrapped(messages: Sequence[Message], now: int | None) -> tuple[Message, ...]:
    """`sanitizeGoogleTurnOrdering`: a leading assistant gets a user message in front."""
    if not messages or messages[0].role != "assistant":
        return tuple(messages)
    return (Message.of({"role": "user", "content": GOOGLE_BOOTSTRAP, "timestamp": now}), *messages)
