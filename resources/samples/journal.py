"""A session file as it grows: ids, times, parents."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime
from typing import Any

Entry = dict[str, Any]

_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


class Journal:
    """`lines` are the entries in file order, header first; `leaf` is where the next one is hung."""

    def __init__(self, *, seed: int, start: str, cwd: str) -> None:
        self.rng = random.Random(seed)
        self.now = int(datetime.fromisoformat(start).timestamp() * 1000)
        self.leaf: str | None = None
        self._by_id: dict[str, Entry] = {}
        self._strays: dict[int, tuple[str, str]] = {}
        self.lines: list[Entry] = [
            {"type": "session", "version": 3, "id": self._uuid(), "timestamp": self._iso(), "cwd": cwd}
        ]

    def append(self, kind: str, *, parent: str | None = None, detached: bool = False, **fields: Any) -> str:
        """Write an entry below the leaf, or below `parent`; a detached one does not move the leaf."""
        stray = self._strays.pop(len(self.lines) + 1, None)
        if stray is not None:
            content = [{"type": "text", "text": stray[1]}]
            message = {"role": "user", "content": content, "timestamp": self.now}
            self.append("message", parent=stray[0], detached=True, message=message)
        identifier = f"{self.rng.getrandbits(32):08x}"
        above = parent if parent is not None else self.leaf
        entry = {"type": kind, "id": identifier, "parentId": above, "timestamp": self._iso(), **fields}
        self.lines.append(entry)
        self._by_id[identifier] = entry
        if not detached:
            self.leaf = identifier
        return identifier

    def insert_at_line(self, line: int, *, parent: str, text: str) -> None:
        """Have another process write a user message at `line`, below an entry that this file does not have."""
        self._strays[line] = (parent, text)

    def message(self, **message: Any) -> str:
        message.setdefault("timestamp", self.now)
        return self.append("message", message=message)

    def wait(self, seconds: float) -> None:
        self.now += round(seconds * 1000)

    def go_to(self, entry: str) -> None:
        """Move the leaf, as an agent does when its user goes back in the conversation. Nothing is written."""
        self.leaf = entry

    def path(self) -> list[Entry]:
        """From the root to the leaf."""
        found: list[Entry] = []
        at = self.leaf
        while at is not None:
            found.append(self._by_id[at])
            at = self._by_id[at]["parentId"]
        return found[::-1]

    def text(self) -> str:
        """The session file."""
        return "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in self.lines)

    def side_files(self) -> dict[str, str]:
        """What lies beside the session file: ending of the name -> text."""
        return {}

    def call_id(self) -> str:
        return "toolu_01" + "".join(self.rng.choice(_BASE62) for _ in range(22))

    def signature(self) -> str:
        """What a provider signs a thinking block with."""
        return "Er" + "".join(self.rng.choice(_BASE62) for _ in range(118)) + "=="

    def _iso(self) -> str:
        moment = datetime.fromtimestamp(self.now / 1000, UTC)
        return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{self.now % 1000:03d}Z"

    def _uuid(self) -> str:
        digits = f"{self.rng.getrandbits(128):032x}"
        variant = "89ab"[int(digits[16], 16) % 4]
        return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-{variant}{digits[17:20]}-{digits[20:]}"
