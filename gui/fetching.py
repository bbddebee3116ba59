"""Bodies that the window must not read itself: long ones, and all of a file on a disk that may not answer.

    body(row) ─▶ "reading …" now, and asked of the worker ─▶ Fetched ─▶ painted

No Qt in here.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.context import SENDING, message_of
from core.messages import Json, Message
from core.session import Session
from gui.opened import session_of

NEAR = 256 << 10
"""Bytes of a line up to which the window parses it itself, from a disk of this machine: about a millisecond."""
_OFTEN, _TOGETHER = 0.1, 4 << 20

_DISTANT = ("nfs", "cifs", "smb", "9p", "afs", "ceph", "gluster", "lustre", "davfs", "fuse", "ncp", "ocfs", "vboxsf")
"""How the names of file systems begin whose disk is somewhere else."""
_LOCAL_FUSE = ("fuseblk", "fuse.ntfs", "fuse.exfat")


@dataclass(frozen=True, slots=True)
class Fetched:
    """A body with what is made of it: its message, if it brings one, and the message's key."""

    row: int
    body: Json
    message: Message | None
    key: bytes


def fetch(path: str, rows: tuple[int, ...], report: Any) -> None:
    """Bodies of an open file, as parts: tuples of Fetched."""
    session = session_of(path, report)
    ready: list[Fetched] = []
    size, last = 0, time.monotonic()
    for row in rows:
        ready.append(fetched(session, row))
        size += session.columns.size[row]
        if size > _TOGETHER or time.monotonic() - last > _OFTEN:
            report.part(tuple(ready))
            ready.clear()
            size, last = 0, time.monotonic()
    if ready:
        report.part(tuple(ready))


def fetched(session: Session, row: int) -> Fetched:
    body = session.body(row)
    message = message_of(session, row, body) if session.type_of(row) in SENDING else None
    return Fetched(row, body, message, message.key() if message is not None else b"")


def local(path: str, mounts: Callable[[], str] = lambda: Path("/proc/self/mountinfo").read_text("utf-8")) -> bool:
    """Is the file on a disk of this machine? Told without touching it. What cannot be told is taken to be."""
    place = os.path.abspath(path)
    if place.startswith(("\\\\", "//")):
        return False
    try:
        lines = mounts().splitlines()
    except OSError:
        return True
    best, kind = "", ""
    for line in lines:
        before, _, after = line.partition(" - ")
        fields = before.split(" ")
        if len(fields) < 5 or not after:
            continue
        point = fields[4].encode("latin-1", "replace").decode("unicode_escape", "replace")
        inside = place == point or place.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= len(best):
            best, kind = point, after.split(" ")[0]
    return kind in _LOCAL_FUSE or not kind.startswith(_DISTANT)


def waiting(session: Session, row: int, words: str) -> Json:
    """What stands for a body until it is there."""
    entry: dict[str, Json] = {"type": session.type_of(row), "id": session.columns.ids[row]}
    block = [{"type": "text", "text": words}]
    match entry["type"]:
        case "message":
            return {**entry, "message": {"role": session.role_of(row), "content": block}}
        case "custom_message":
            return {**entry, "content": block}
        case "compaction" | "branch_summary":
            return {**entry, "summary": words}
    return entry
