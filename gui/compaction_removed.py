"""The text of entries as one document: what a compaction takes out of the prompt, or leaves in it."""

from __future__ import annotations

from collections.abc import Sequence

from core.phrase import phrase
from gui import prompt_text
from gui.prompt_text import Document, Section
from gui.state import State
from gui.translation import say
from gui.visible import visible_line

MOST_ENTRIES = 400
MOST_CHARS = 1_000_000
"""More is not laid side by side with a summary; a line says how much was left out."""


def removed(state: State | None, rows: Sequence[int]) -> Document:
    """Each entry under its id and role."""
    pieces: list[str] = []
    sections: list[Section] = []
    at = 0
    for number, row in enumerate(rows):
        if state is None or row >= len(state.session):
            break
        if number >= MOST_ENTRIES or at > MOST_CHARS:
            left = say(phrase("compaction_tab.text.more", n=len(rows) - number))
            sections.append(Section("thinking", at, at + len(left)))
            pieces.append(left)
            break
        message = state.message(row)
        if message is None:
            continue
        head = f"{visible_line(state.session.columns.ids[row], 40)} · {message.role or '?'}"
        text = prompt_text.document_of(message).text[:MOST_CHARS]
        sections += (
            Section("name", at, at + len(head)),
            Section("text", at + len(head) + 1, at + len(head) + 1 + len(text)),
        )
        pieces += (head, text)
        at += len(head) + len(text) + 2
    return Document("\n".join(pieces), tuple(sections))
