"""The session that an engine's `bootstrap` sees: only what stood on the path before its first message, never what came
later, which a replay knows and an engine must not. A Session like any other, whose file is in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.formats import pi
from core.javascript import json_text
from core.messages import Json
from core.session import Session

MOST = 1_000
"""Entries at most: those before a first message are a handful of settings."""


@dataclass(frozen=True, slots=True)
class _InMemory:
    """As much of `core.lines.RecordedFile` as a reader asks for."""

    data: bytes
    path: str = "history.jsonl"
    fault: str = ""

    @property
    def size(self) -> int:
        return len(self.data)

    def __call__(self, offset: int, size: int) -> bytes:
        return self.data[offset : offset + size]


def entries_before(session: Session, path: Sequence[int], row: int | None) -> tuple[Json, ...]:
    """Header and bodies of the rows of `path` before `row` (None: all of them), as version 3 has them."""
    end = path.index(row) if row in path else len(path)
    header = session.header
    raw = header.raw if header is not None and isinstance(header.raw, dict) else {}
    top = {"type": "session", "id": header.id if header is not None else "", **raw, "version": 3}
    return (top, *(session.body(row) for row in path[max(0, end - MOST) : end]))


def history(entries: Sequence[Json]) -> Session:
    """The Session of a header and entries; without any, one that is empty."""
    given = entries or ({"type": "session", "version": 3, "id": ""},)
    lines = [json_text(entry).encode("utf-8", "surrogatepass") + b"\n" for entry in given]
    reading = pi.Reading(_InMemory(b"".join(lines)))  # type: ignore[arg-type]
    reading.take(0, lines)
    return reading.session()
