"""What stands beside a session file: the agent's index of its sessions, a trajectory file. Read for the session's key.

    sessions.json            {"agent:main:telegram:dm:42": {"sessionId": …, "sessionFile": …}, …}
    <id>.trajectory.jsonl    {"sessionId": …, "sessionKey": …, …} on each line

Session formats 2. Nothing here ever fails: a file that is missing, large or broken tells nothing. A configuration is
read only when a person names it, and of it only the limits are kept.
"""

from __future__ import annotations

import json
from pathlib import Path

from core.errors import RequestError
from core.messages import Json
from core.phrase import phrase
from core.session import Session
from core.session_key import NOTHING, Told, key_in_index, limits

INDEX = "sessions.json"
TRAJECTORY = ".trajectory.jsonl"
LARGEST = 16 << 20
"""Bytes of an index that is read; one that large holds tens of thousands of sessions."""
LINE = 1 << 20
"""Bytes of a trajectory file in which its first line must end."""


def told_of(session: Session) -> Told:
    """What is known of a session of OpenClaw; of another agent's nothing is, for only OpenClaw has keys."""
    if session.format != "openclaw":
        return NOTHING
    path = Path(session.path)
    id = session.header.id if session.header is not None else ""
    key = key_in_index(_json(path.with_name(INDEX)), id or "", path.name)
    if key:
        return Told(key, "index")
    key = _trajectory_key(path.with_name(path.name.partition(".jsonl")[0] + TRAJECTORY), id or "")
    return Told(key, "trajectory") if key else NOTHING


def configuration(path: str) -> Json:
    """The limits of an agent's configuration file. RequestError when it cannot be read, or is no plain JSON."""
    found = _json(Path(path))
    if not isinstance(found, dict):
        raise RequestError(phrase("session_key.no_config", path=path))
    return limits(found)


def _json(path: Path) -> Json:
    """The value of a JSON file, None when there is none of a reasonable size."""
    try:
        if not path.is_file() or path.stat().st_size > LARGEST:
            return None
        return json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return None


def _trajectory_key(path: Path, session_id: str) -> str:
    """The key on the first line, where it speaks of this session."""
    try:
        if not path.is_file():
            return ""
        with path.open("rb") as file:
            line = file.readline(LINE)
        found = json.loads(line)
    except (OSError, ValueError, RecursionError):
        return ""
    if not isinstance(found, dict) or (session_id and found.get("sessionId") not in (session_id, None)):
        return ""
    key = found.get("sessionKey")
    return key if isinstance(key, str) else ""
