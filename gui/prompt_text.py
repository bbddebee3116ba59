"""What a message says, as text to read, search, select and copy; and its one-line preview. No Qt in here.

Document    text      "I will read it.\nread\n{\n  \"path\": …"      one string, code points
            sections  text ───────────── name  call ───────────     styles of its parts, with labels beside them
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Literal

from core.messages import Json, Message, Part, Shape
from core.phrase import Phrase, phrase
from core.text import Text

Style = Literal["text", "thinking", "name", "call", "image", "error", "other"]

PREVIEW = 400
"""Characters of a message that its preview looks at: no row is wider."""


@dataclass(frozen=True, slots=True)
class Section:
    """Characters [start, end) of a document in one style. `label` stands above them and is no part of the text.

    `held`: the Text that they are, where they are one: it knows what was cut."""

    style: Style
    start: int
    end: int
    label: Phrase | None = None
    held: Text | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Document:
    """The readable text of one message. Sections follow one another, a newline between."""

    text: str
    sections: tuple[Section, ...]

    def __len__(self) -> int:
        return len(self.text)


@dataclass(frozen=True, slots=True)
class Preview:
    """One line about a message: the beginning of its text, the tools it calls, the tool whose result it is."""

    text: str
    calls: tuple[str, ...] = ()
    tool: str = ""
    images: int = 0
    failed: Literal["", "failed", "aborted"] = ""
    thinking: bool = False
    """The text is thinking: there is no other."""
    plain: bool = False
    """The text is about the message, not of it."""


class _Writer:
    """Collects sections; the text is joined once."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._sections: list[Section] = []
        self._at = 0

    def add(self, style: Style, text: str, label: Phrase | None = None, held: Text | None = None) -> None:
        start = self._at + 1 if self._pieces else 0
        self._pieces.append(text)
        self._at = start + len(text)
        self._sections.append(Section(style, start, self._at, label, held))

    def document(self) -> Document:
        return Document("\n".join(self._pieces), tuple(self._sections))


def document_of(message: Message) -> Document:
    """All that a message brings into the prompt, part by part; its bookkeeping (usage, ids, details) is left out."""
    writer = _Writer()
    if message.role == "bashExecution":
        _bash(message, writer)
    elif message.role in ("compactionSummary", "branchSummary"):
        summary = message.get("summary")
        writer.add("text", summary if isinstance(summary, str) else pretty(summary))
    elif message.shape in (Shape.ABSENT, Shape.OTHER):
        writer.add("other", pretty(message.json()), phrase("prompt.label.odd"))
    for part in message.parts:
        _part(part, writer)
    if message.role == "assistant" and isinstance(message.get("errorMessage"), str):
        writer.add("error", message.get("errorMessage"), phrase("prompt.label.error"))
    return writer.document()


def _bash(message: Message, writer: _Writer) -> None:
    command, output, code = message.get("command"), message.get("output"), message.get("exitCode")
    writer.add("name", "$ " + (command if isinstance(command, str) else pretty(command)))
    failed = isinstance(code, int) and code != 0
    label = phrase("prompt.label.exit", code=code) if failed else None
    writer.add("text", output if isinstance(output, str) else pretty(output), label)


def _part(part: Part, writer: _Writer) -> None:
    if part.kind == "text" and part.text is not None:
        writer.add("text", str(part.text), held=part.text)
    elif part.kind == "thinking" and part.text is not None:
        if part.get("redacted"):
            label = phrase("prompt.label.redacted")
        elif not len(part.text):
            label = phrase("prompt.label.thinking_gone")
        else:
            label = phrase("prompt.label.thinking")
        writer.add("thinking", str(part.text), label, part.text)
    elif part.kind == "toolCall":
        name = part.get("name")
        writer.add("name", name if isinstance(name, str) else pretty(name), phrase("prompt.label.call"))
        writer.add("call", pretty(part.get("arguments")))
    elif part.kind == "image":
        writer.add("image", "", image_label(part.raw))
    else:
        writer.add("other", pretty(part.raw), phrase("prompt.label.odd"))


def image_label(raw: Json) -> Phrase:
    """`Image, 1.2 MB png`: size of the decoded bytes, and what the file says it is."""
    data = raw.get("data") if isinstance(raw, dict) else None
    source = raw.get("source") if isinstance(raw, dict) else None
    if data is None and isinstance(source, dict):
        data = source.get("data")
    kind = next(
        (raw[k] for k in ("mimeType", "mediaType") if isinstance(raw, dict) and isinstance(raw.get(k), str)), ""
    )
    name = kind.rpartition("/")[2][:24]
    if not isinstance(data, str):
        return phrase("prompt.label.image_elsewhere", kind=name)
    return phrase("prompt.label.image", size=len(data) * 3 // 4, kind=name)


def pretty(value: Json) -> str:
    """JSON with two spaces, characters as they are."""
    return json.dumps(value, indent=2, ensure_ascii=False)


def preview_of(message: Message) -> Preview:
    """The beginning of what is said, as one line; what is hidden in it is made visible only when painted."""
    role = message.role
    if role in ("compactionSummary", "branchSummary"):
        return Preview(_line(message.get("summary")))
    if role == "bashExecution":
        return Preview("$ " + _line(message.get("command")), failed="failed" if message.get("exitCode") else "")
    texts = [str_head(p) for p in message.parts if p.kind == "text"]
    said = next((line for text in texts if (line := _line(text))), "")
    calls = tuple(_line(p.get("name"))[:60] for p in message.parts if p.kind == "toolCall")
    images = sum(p.kind == "image" for p in message.parts)
    thinking = False
    if not said and not calls and not images:
        thoughts = (str_head(p) for p in message.parts if p.kind == "thinking")
        said = next((line for text in thoughts if (line := _line(text))), "")
        thinking = bool(said)
    failed: Literal["", "failed", "aborted"] = "failed" if message.get("isError") is True else ""
    if role == "assistant" and message.get("stopReason") in ("error", "aborted"):
        failed = "aborted" if message.get("stopReason") == "aborted" else "failed"
        said = said or _line(message.get("errorMessage"))
    tool = _line(message.get("toolName"))[:60] if role == "toolResult" else ""
    if message.shape in (Shape.ABSENT, Shape.OTHER):
        said = _line(json.dumps(message.fields, ensure_ascii=False))
    return Preview(said, calls, tool, images, failed, thinking)


def str_head(part: Part) -> str:
    """The beginning of a part's text, without joining all of it."""
    if part.text is None:
        return ""
    text = part.text
    units = text.source.units if text.whole else text.units
    head = units[:PREVIEW]
    return head if head.isascii() else head.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _line(value: Json) -> str:
    """The first line with a word in it, white space and rulers collapsed. "" for what is no string."""
    if not isinstance(value, str):
        return ""
    first = ""
    for line in value[:PREVIEW].splitlines():
        said = _RULER.sub(r"\1\1\1", " ".join(line.split()))
        if _WORD.search(said):
            return said
        first = first or said
    return first


_RULER = re.compile(r"([=\-_*#~+.])\1{3,}")
_WORD = re.compile(r"\w")
