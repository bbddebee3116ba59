"""Messages as the agents keep them, without loss: `Message.of(x).json() == x` for every JSON value x.

A message of an agent is any JSON value; most are objects with a role and a content that is a string or a list of
blocks. The parts hold the content; `fields` holds everything else as recorded. JSON containers inside are shared with
the parsed file and must never be changed.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import Any

import orjson

from core.javascript import json_length, json_text, length
from core.text import Text

Json = Any
"""A parsed JSON value (never mutated)."""

TEXT_KEY = {"text": "text", "thinking": "thinking"}
"""Which key of a block holds its text, by block type."""


class Shape(Enum):
    """How the content was written."""

    LIST = "list"
    STRING = "string"
    ABSENT = "absent"
    OTHER = "other"  # null, a number, an object; kept in `fields["content"]`


@dataclass(frozen=True, slots=True)
class Part:
    """One block of a content. `kind`: its type, "" when it is not an object or has no string type.

    `text`: the Text of a text or thinking block (None for others). `raw`: the block as recorded; where `text` is
    set, that text stands in for the one in `raw`.
    """

    kind: str
    text: Text | None
    raw: Json

    @classmethod
    def of(cls, raw: Json) -> Part:
        kind = raw.get("type") if isinstance(raw, dict) else None
        kind = kind if isinstance(kind, str) else ""
        key = TEXT_KEY.get(kind)
        text = raw.get(key) if key else None
        return cls(kind, Text.of(text) if isinstance(text, str) else None, raw)

    @classmethod
    def plain(cls, text: str | Text) -> Part:
        """A new text block."""
        held = text if isinstance(text, Text) else Text.of(text)
        return cls("text", held, {"type": "text", "text": ""})

    def json(self) -> Json:
        if self.text is None or (self.text.whole and self._recorded()):
            return self.raw
        return {**self.raw, TEXT_KEY[self.kind]: str(self.text)}

    def _recorded(self) -> bool:
        return isinstance(self.raw, dict) and self.raw.get(TEXT_KEY[self.kind]) == str(self.text)

    def get(self, key: str) -> Json:
        return self.raw.get(key) if isinstance(self.raw, dict) else None


@dataclass(frozen=True, slots=True)
class Message:
    """`role`: "" when absent or not a string. `fields`: all keys but a list or string `content`.

    For a value that is no object (null in a broken list), `fields` is that value and `is_object` is False.
    """

    role: str
    shape: Shape
    parts: tuple[Part, ...]
    fields: Json

    @classmethod
    def of(cls, raw: Json) -> Message:
        if not isinstance(raw, dict):
            return cls("", Shape.ABSENT, (), raw)
        role = raw.get("role")
        role = role if isinstance(role, str) else ""
        content = raw.get("content")
        if isinstance(content, list):
            rest = {k: v for k, v in raw.items() if k != "content"}
            return cls(role, Shape.LIST, tuple(Part.of(b) for b in content), rest)
        if isinstance(content, str):
            rest = {k: v for k, v in raw.items() if k != "content"}
            return cls(role, Shape.STRING, (Part.plain(content),), rest)
        return cls(role, Shape.OTHER if "content" in raw else Shape.ABSENT, (), raw)

    @property
    def is_object(self) -> bool:
        return isinstance(self.fields, dict)

    def json(self) -> Json:
        if self.shape is Shape.LIST:
            return {**self.fields, "content": [p.json() for p in self.parts]}
        if self.shape is Shape.STRING:
            return {**self.fields, "content": str(self.parts[0].text)}
        return self.fields

    def get(self, key: str) -> Json:
        """A field of the object (never `content`), or None."""
        return self.fields.get(key) if isinstance(self.fields, dict) else None

    def text(self, separator: str = "\n") -> str:
        """All text blocks joined, for reading and searching (not for arithmetic)."""
        return separator.join(str(p.text) for p in self.parts if p.kind == "text" and p.text is not None)

    def key(self) -> bytes:
        """16-byte digest of the canonical JSON (sorted keys): equal keys = equal messages."""
        return digest(self.json())


def raw_chars(raw: Json) -> int:
    """UTF-16 units of text in a parsed message: what reading needs without making a Message of it.

    Text and thinking, name and JSON arguments of tool calls, command and output of a bash execution. Images count 0.
    """
    content = raw.get("content")
    if type(content) is str:
        return length(content)
    chars = 0
    if type(content) is list:
        for block in content:
            if type(block) is not dict:
                continue
            text = block.get("text")
            if type(text) is not str:
                text = block.get("thinking")
            if type(text) is str:
                chars += length(text)
            elif "arguments" in block:
                name = block.get("name")
                chars += json_length(block["arguments"]) + (length(name) if type(name) is str else 0)
    for key in ("command", "output", "summary"):
        text = raw.get(key)
        if type(text) is str:
            chars += length(text)
    return chars


def digest(value: Json) -> bytes:
    """16-byte digest of the value's JSON with sorted keys; NaN and the infinities are null, as JavaScript writes."""
    try:
        canonical = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # a lone surrogate, a number beyond 64 bits, nested too deep
        canonical = _written(value).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(canonical, digest_size=16).digest()


def _written(value: Json) -> str:
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    except RecursionError:  # nested a thousand deep; the order of keys as recorded is good enough there
        return json_text(value)


@dataclass(frozen=True, slots=True)
class Usage:
    """Recorded usage of one model call, tokens. `input` excludes cached tokens (pi and OpenClaw, session formats 1.4).

    `write_1h` is the part of `write` with the one-hour lifetime. `cost` in US dollars as recorded, None if absent.
    """

    input: int = 0
    output: int = 0
    read: int = 0
    write: int = 0
    write_1h: int = 0
    total: int = 0
    reasoning: int = 0
    cost: Decimal | None = None

    @property
    def prompt(self) -> int:
        """Size of the request's prompt: input + cache read + cache write."""
        return self.input + self.read + self.write

    @property
    def any(self) -> bool:
        return bool(self.input or self.output or self.read or self.write)

    @classmethod
    def of(cls, raw: Json) -> Usage | None:
        """From `message.usage`; None when it is no object. Values that are no finite number count as 0."""
        if not isinstance(raw, dict):
            return None
        get = raw.get
        cost = get("cost")
        price = cost.get("total") if isinstance(cost, dict) else None
        return cls(
            _whole(get("input")),
            _whole(get("output")),
            _whole(get("cacheRead")),
            _whole(get("cacheWrite")),
            _whole(get("cacheWrite1h")),
            _whole(get("totalTokens")),
            _whole(get("reasoning")),
            _money(price),
        )


def _whole(value: Json) -> int:
    if type(value) is int:
        return value if -(2**53) < value < 2**53 else 0
    return int(value) if type(value) is float and abs(value) < 2**53 else 0


def _money(value: Json) -> Decimal | None:
    if type(value) is float or type(value) is int:
        return Decimal(repr(value)) if abs(value) < 1e15 else None
    return None
