"""What happened in a history, as far as it matters when it is gone: asks, calls, failures; what is still open.

bash npm run check ✗     edit x.ts ✓     bash npm run check ✓        nothing open
bash npm run check ✗     edit x.ts ✓                                 one open error
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from core.javascript import units
from core.messages import Json, Message
from core.quality import message_text

LINE = 200
"""Characters of the line that tells an error."""
_TELLING = re.compile(
    r"\b(?:error|exception|failed|failure|fatal|panic|traceback|cannot|not found|denied|refused|exited with code)\b"
    r"|[A-Z]\w*(?:Error|Exception)\b|\bE[A-Z]{4,}\b|\bTS\d{3,5}\b|错误|失败",
    re.IGNORECASE,
)
_SUBJECTS = ("path", "file_path", "url", "command", "cmd", "pattern", "query")
_CHANGING = frozenset({"write", "edit"})


@dataclass(frozen=True, slots=True)
class Event:
    """`place`: of the message. Of an ask: `text`. Of a call: `id`, `tool`, `subject` (path, URL, command …). Of a
    result: `id`, `tool`, `failed`, and the telling line of a failure in `text`."""

    place: int
    kind: Literal["ask", "call", "result"]
    id: str = ""
    tool: str = ""
    subject: str = ""
    text: str = ""
    failed: bool = False


def events(raw: Json, place: int) -> Iterator[Event]:
    """Of a message as recorded."""
    role = raw.get("role") if isinstance(raw, dict) else None
    if role == "user":
        if text := message_text(Message.of(raw)):
            yield Event(place, "ask", text=text)
    elif role == "assistant":
        content = raw.get("content")
        for block in content if isinstance(content, list) else ():
            if isinstance(block, dict) and block.get("type") == "toolCall":
                subject = _subject(block.get("arguments"))
                yield Event(place, "call", _string(block.get("id")), _string(block.get("name")), subject)
    elif role == "toolResult":
        failed = raw.get("isError") is True
        line = telling_line(Message.of(raw).text()) if failed else ""
        id = _string(raw.get("toolCallId")) or _string(raw.get("toolUseId"))
        yield Event(place, "result", id, _string(raw.get("toolName")), text=line, failed=failed)


def of_messages(messages: Sequence[Message]) -> tuple[Event, ...]:
    return tuple(event for place, message in enumerate(messages) for event in events(message.json(), place))


@dataclass(frozen=True, slots=True)
class OpenError:
    """`place`: of the failed result. `line`: of its text, the one that says most."""

    place: int
    tool: str
    subject: str
    line: str


def open_errors(happened: Iterable[Event]) -> tuple[OpenError, ...]:
    """Calls whose last result was a failure; in order, of the same call of the same thing only the last failure."""
    asked: dict[str, tuple[str, str]] = {}
    found: dict[tuple[str, str], OpenError] = {}
    for event in happened:
        if event.kind == "call" and event.id:
            asked[event.id] = (event.tool, event.subject)
        elif event.kind == "result":
            call = asked.get(event.id, (event.tool, ""))
            found.pop(call, None)
            if event.failed:
                found[call] = OpenError(event.place, *call, event.text)
    return tuple(found.values())


def last_ask(happened: Sequence[Event]) -> str | None:
    return next((event.text for event in reversed(happened) if event.kind == "ask"), None)


def modified_files(happened: Iterable[Event]) -> tuple[str, ...]:
    """Written or edited, sorted by code unit."""
    found = {event.subject for event in happened if event.kind == "call" and event.tool in _CHANGING and event.subject}
    return tuple(sorted(found, key=units))


def telling_line(text: str) -> str:
    """The first line that speaks of an error, else the last one with words."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = next((line for line in lines if _TELLING.search(line)), lines[-1] if lines else "")
    return telling[:LINE]


def _string(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _subject(arguments: Json) -> str:
    if isinstance(arguments, dict):
        for key in _SUBJECTS:
            value = arguments.get(key)
            if isinstance(value, str) and value:
                return value
    return ""
