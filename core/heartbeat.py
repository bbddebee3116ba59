"""Heartbeats: the agent's own "anything to do?" and the model's "no", which are left out of later prompts.

Source: recorded cases of layer k, 2026.4.14 (section 17 of their description). The sentences of a generated heartbeat
prompt are known by their length only; where the configured prompt is not known, the beginning that reports name counts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence

from core import javascript
from core.messages import Json, Message, Shape

TOKEN = "HEARTBEAT_OK"
ACK_LIMIT = 300
"""Characters of text beside the token up to which an answer is still only an acknowledgement."""
TASK_PREFIX = "Run the following periodic tasks"
TASK_ACK = "reply HEARTBEAT_OK"
DEFAULT_PROMPT = "Read HEARTBEAT.md if it exists"

_TAG = re.compile(r"<[^>]*>")
_SPACES = re.compile(f"[{javascript.SPACE}]+")
_MARKS = "*`~_"


def ack_limit(value: Json) -> float:
    """`maxAckChars` through JavaScript's Number: no finite number = 300, at least 0."""
    if isinstance(value, str):
        text = javascript.trim(value)
        try:
            value = float(text) if text else 0
        except ValueError:
            return ACK_LIMIT
    if isinstance(value, bool):
        value = int(value)
    if not isinstance(value, int | float) or not math.isfinite(value):
        return ACK_LIMIT
    return max(0, value)


def strip_token(raw: Json, mode: str = "message", limit: Json = None) -> tuple[bool, str, bool]:
    """`stripHeartbeatToken`: (skip the message, its text without the token, was something stripped)."""
    if not isinstance(raw, str) or not javascript.trim(raw):
        return True, "", False
    text = javascript.trim(raw)
    plain = re.sub("&nbsp;", " ", _TAG.sub(" ", text), flags=re.IGNORECASE)
    plain = re.sub(rf"^[{_MARKS}]+", "", plain)
    plain = re.sub(rf"[{_MARKS}]+$", "", plain)
    if TOKEN not in text and TOKEN not in plain:
        return False, text, False
    first, second = _edges(text), _edges(plain)
    stripped = first if first is not None and first else second
    if stripped is None:
        return False, text, False
    if not stripped:
        return True, "", True
    if mode == "heartbeat" and javascript.length(stripped) <= ack_limit(limit):
        return True, "", True
    return False, stripped, True


_TAIL = re.compile(TOKEN + r"[^A-Za-z0-9_]{0,4}\Z")


def _edges(given: str) -> str | None:
    """The text without the token at its ends, white space folded; None when there was none to strip."""
    text = javascript.trim(given)
    if TOKEN not in text:
        return None
    stripped = False
    while True:
        text = javascript.trim(text)
        if text.startswith(TOKEN):
            text = javascript.trim_start(text[len(TOKEN) :])
        elif _TAIL.search(javascript.units(text)):
            at = text.rfind(TOKEN)
            before = javascript.trim_end(text[:at])
            after = javascript.trim_start(text[at + len(TOKEN) :])
            text = javascript.trim_end(before + after) if before else ""
        else:
            break
        stripped = True
    return javascript.trim(_SPACES.sub(" ", text)) if stripped else None


def _text(message: Message) -> tuple[str, bool]:
    """(text of the message, is there anything that is no text)."""
    if message.shape is Shape.STRING:
        return str(message.parts[0].text), False
    if message.shape is Shape.LIST:
        texts = [str(part.text) for part in message.parts if part.kind == "text" and part.text is not None]
        return "".join(texts), len(texts) < len(message.parts)
    return "", message.shape is Shape.OTHER and message.fields["content"] is not None


def is_question(
    message: Message, prompt: Json = None, prefix: str = TASK_PREFIX, acknowledgement: str = TASK_ACK
) -> bool:
    """`isHeartbeatUserMessage`: begins with the configured prompt, or is a generated one."""
    if message.role != "user":
        return False
    text = javascript.trim(_text(message)[0])
    if not text:
        return False
    wanted = javascript.trim(prompt) if isinstance(prompt, str) else ""
    return bool(wanted and text.startswith(wanted)) or (text.startswith(prefix) and acknowledgement in text)


def is_answer(message: Message, limit: Json = None) -> bool:
    """`isHeartbeatOkResponse`: text only, and nothing worth keeping beside the token. Empty text counts."""
    if message.role != "assistant":
        return False
    text, more = _text(message)
    return not more and strip_token(text, "heartbeat", limit)[0]


def pairs(
    messages: Sequence[Message],
    limit: Json = None,
    prompt: Json = None,
    prefix: str = TASK_PREFIX,
    acknowledgement: str = TASK_ACK,
) -> tuple[int, ...]:
    """Indices of all messages that belong to a heartbeat pair (`filterHeartbeatPairs` leaves them out)."""
    asks = [is_question(message, prompt, prefix, acknowledgement) for message in messages]
    return couples(asks, lambda index: is_answer(messages[index], limit))


def couples(asks: Sequence[bool], answers: Callable[[int], bool]) -> tuple[int, ...]:
    """Indices of questions and their answers. `asks`: of each message whether it is a question; `answers(index)`."""
    found: list[int] = []
    for index in [at for at, question in enumerate(asks) if question]:
        taken = found and found[-1] == index
        if not taken and index + 1 < len(asks) and answers(index + 1):
            found += [index, index + 1]
    return tuple(found)
