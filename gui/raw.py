"""The recorded JSON of one entry as a document to read: set in lines, or the line as it stands in the file.

What cannot be seen is escaped as JSON escapes it (`\\u202e`), so the text stays the JSON it was. Bulk is cut: no
entry brings more than a megabyte into the window.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from core.errors import StratascopeError
from core.leading import Leading
from core.messages import Json
from core.phrase import Phrase, literal, phrase
from core.prompt import Block
from core.session import Session
from gui.prompt_text import Document, Section
from gui.state import State

LIMIT = 1_000_000
"""Characters of raw JSON that are shown."""
LONG = 100_000
"""Characters of one text, where the entry is larger than LIMIT."""

_UNSEEN = re.compile(
    "[\\x7f-\\x9f\\xad\\u034f\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u115f\\u1160\\u17b4\\u17b5"
    "\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ud800-\\udfff\\ufdd0-\\ufdef\\ufe00-\\ufe0f"
    "\\ufeff\\uffa0\\ufff0-\\ufffc\\ufffe\\uffff\\U000110bd\\U000110cd\\U00013430-\\U0001343f\\U0001bca0-\\U0001bca3"
    "\\U0001d173-\\U0001d17a\\U000e0000-\\U000e0fff"
    + "".join(f"\\U{plane:04x}fffe\\U{plane:04x}ffff" for plane in range(1, 17))
    + "]"
)
"""What gui.visible would name, joiners and selectors included: in JSON an escape is the more exact name."""


@dataclass(frozen=True, slots=True)
class Raw:
    """The document, a line about what it is, and what was left out (None = nothing)."""

    document: Document
    title: Phrase
    notice: Phrase | None = None


def raw(session: Session, row: int | None, body: Json | None, block: int | None, as_line: bool) -> Raw:
    """The entry `row`. `body`: its parsed JSON, where that is at hand. `block`: its number in the prompt, from 1."""
    if row is None:
        return Raw(_document(""), phrase("prompt.raw_none"))
    entry = session.entry(row)
    said: dict[str, object] = {"entry": entry.id[:36], "line": entry.line, "size": entry.size}
    title = phrase("prompt.raw_of_entry", **said)
    if block is not None:
        title = phrase("prompt.raw_of_block", block=block, **said)
    try:
        if as_line:
            line = session.read(entry.offset, min(entry.size, 4 * LIMIT))
            text = line.decode("utf-8", "replace")
        else:
            value = session.body(row) if body is None else body
            text = json.dumps(shortened(value) if entry.size > LIMIT else value, indent=2, ensure_ascii=False)
    except StratascopeError as error:
        return Raw(_document(""), title, phrase("prompt.raw_gone", reason=error.phrase))
    except OSError as error:
        return Raw(_document(""), title, phrase("prompt.raw_gone", reason=literal(str(error))))
    notice = None
    if entry.size > LIMIT:
        text = text[:LIMIT]
        notice = phrase("prompt.raw_cut", shown=len(text), whole=entry.size, limit=LONG)
    return Raw(_document(escaped(text)), title, notice)


def raw_of(state: State, block: Block | None, as_line: bool) -> Raw:
    """The entry behind the block in focus, else the entry in focus."""
    cursor = state.cursor
    row = block.origin.rows[0] if block is not None and block.origin.rows else cursor.entry
    small = row is not None and state.session.columns.size[row] <= 4 * LIMIT
    body = state.body(row) if small and row is not None and not as_line else None
    number = cursor.block + 1 if block is not None and cursor.block is not None else None
    return raw(state.session, row, body, number, as_line)


def raw_leading(item: Leading) -> Raw:
    """Tools as JSON, a part of the system prompt as the JSON string that is sent."""
    title = phrase("prompt.raw_of_leading", section=item.section, name=item.origin.name, size=item.chars)
    text = json.dumps(shortened(item.raw) if item.chars > LIMIT else item.raw, indent=2, ensure_ascii=False)
    return Raw(_document(escaped(text[:LIMIT])), title)


def escaped(text: str) -> str:
    """JSON text in which hidden characters are escapes; ordinary text is returned as it is."""
    return _UNSEEN.sub(_escape, text) if _UNSEEN.search(text) else text


def _escape(found: re.Match[str]) -> str:
    return json.dumps(found.group())[1:-1] if found.group() > "\x9f" else f"\\u{ord(found.group()):04x}"


def shortened(value: Json) -> Json:
    """The same JSON with texts over LONG characters cut, and the number of characters left out in their place."""
    if isinstance(value, str) and len(value) > LONG:
        return f"{value[:LONG]}… +{len(value) - LONG:,}"
    if isinstance(value, dict):
        return {key: shortened(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [shortened(inner) for inner in value]
    return value


def _document(text: str) -> Document:
    return Document(text, (Section("text", 0, len(text)),))
