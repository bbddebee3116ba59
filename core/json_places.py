"""Where a value stands in the bytes of a JSON line: so that one text can be replaced and every other byte stays.

    {"type":"message","message":{"content":[{"type":"text","text":"long"}]}}
                                                                 └────┘  place(line, ("message", "content", 0, "text"))

Works on Latin-1, where one character is one byte and JSON's own signs are what they are in UTF-8. Not recursive.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from core.errors import InputError
from core.phrase import phrase

Step = str | int
"""A key of an object or an index of a list."""

_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_SIGN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{}]', re.DOTALL)
_SPACE = re.compile(r"[ \t\r\n]*")
_PLAIN = re.compile(r"[^,\]}\s]+")


def place(line: bytes, path: Sequence[Step]) -> tuple[int, int] | None:
    """[start, end) of the value in the line, quotes included; None when it is not there. Of a repeated key the last
    value is meant, as parsers do. InputError when the line is no JSON value."""
    text = line.decode("latin-1")
    start, end = _skip(text, 0), len(text)
    for step in path:
        found = None
        for name, first, last in _members(text, start):
            if name == step:
                found = first, last
                if isinstance(step, int):
                    break
        if found is None:
            return None
        start, end = found
    return (start, end) if path else (start, _end(text, start))


def replaced(line: bytes, values: Sequence[tuple[tuple[int, int], bytes]]) -> bytes:
    """The line with other bytes at these places (which do not overlap)."""
    pieces: list[bytes] = []
    at = 0
    for (start, end), value in sorted(values):
        pieces += (line[at:start], value)
        at = end
    return b"".join((*pieces, line[at:]))


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found is not None else at


def _members(text: str, at: int) -> Iterator[tuple[Step, int, int]]:
    """(key or index, start, end) of everything in the object or list at `at`; nothing for another value."""
    kind = text[at : at + 1]
    if kind not in ("{", "["):
        return
    at = _skip(text, at + 1)
    index = 0
    while text[at : at + 1] not in ("}", "]"):
        name: Step = index
        if kind == "{":
            key = _STRING.match(text, at)
            if key is None:
                raise _broken()
            name = _key(key[0])
            at = _skip(text, key.end())
            if text[at : at + 1] != ":":
                raise _broken()
            at = _skip(text, at + 1)
        end = _end(text, at)
        yield name, at, end
        index += 1
        at = _skip(text, end)
        if text[at : at + 1] == ",":
            at = _skip(text, at + 1)
        elif text[at : at + 1] not in ("}", "]"):
            raise _broken()


def _key(literal: str) -> str:
    text: str = json.loads(literal.encode("latin-1").decode("utf-8", "replace"), strict=False)
    return text


def _end(text: str, at: int) -> int:
    """Where the value that begins at `at` ends."""
    sign = text[at : at + 1]
    if sign == '"':
        found = _STRING.match(text, at)
    elif sign in ("{", "["):
        return _closing(text, at)
    else:
        found = _PLAIN.match(text, at)
    if found is None:
        raise _broken()
    return found.end()


def _closing(text: str, at: int) -> int:
    depth = 0
    for found in _SIGN.finditer(text, at):
        sign = found[0]
        if sign in ("{", "["):
            depth += 1
        elif sign in ("}", "]"):
            depth -= 1
            if depth == 0:
                return found.end()
    raise _broken()


def _broken() -> InputError:
    return InputError(phrase("storage.no_json"))
