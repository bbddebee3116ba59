"""A Title: one line for an entry, recorded words and ours kept apart. Made in core/titles.py."""

from __future__ import annotations

from dataclasses import dataclass

from core.messages import Json
from core.phrase import Phrase, render

LENGTH = 200
"""Characters of a title at most."""
_SEARCHED = 4_096


@dataclass(frozen=True, slots=True)
class Title:
    """`icon`: Lucide name. `role`: whose colours it takes ("other" for settings). `text`: recorded words, or `phrase`:
    ours. `detail`: what came of it in recorded words; `note`: in ours. `failed`: recorded as an error."""

    icon: str
    role: str
    text: str = ""
    phrase: Phrase | None = None
    detail: str = ""
    note: Phrase | None = None
    failed: bool = False

    def words(self, language: str = "en") -> str:
        """The whole line."""
        main = render(self.phrase, language) if self.phrase is not None else self.text
        parts = (main, self.detail, render(self.note, language) if self.note is not None else "")
        return " · ".join(part for part in parts if part)


def one_line(text: str) -> str:
    """The first line with something on it, spaces joined, at most LENGTH characters."""
    for line in text[:_SEARCHED].splitlines():
        words = " ".join(line.split())
        if words:
            return words if len(words) <= LENGTH else words[: LENGTH - 1] + "…"
    return ""


def word(entry: dict[str, Json], key: str) -> str:
    """A recorded value as one line; "–" for what is missing."""
    value = entry.get(key)
    if value is None or isinstance(value, dict | list):
        return "–"
    return one_line(str(value)) or "–"
