"""All compactions of a long session are audited within 5 s: 50 MB with 40 compactions, from the closed file on.

Beside it: parsing every line and nothing else, and, where it is installed (`pip install ctxdrift`), ctxdrift 0.1 on a
shorter conversation, written as Claude Code writes it, which is what that tool reads (the long one takes it minutes).
"""

from __future__ import annotations

import importlib
import importlib.util
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson

from core.compaction_audit import of_recorded, places
from core.format import open_session
from core.messages import Json
from core.retention import mentions
from core.session import Session
from tests.bench import files
from tests.bench.figure import Figure, Yardstick

SHAPE = files.Shape(20_000, 50_000_000, compactions=40)
SHORT = files.Shape(1_200, 3_000_000, compactions=3)
REPEATED = 3
LIMIT = 5_000


def measure(place: Path) -> list[Figure]:
    path = files.write(place / "compactions.jsonl", SHAPE)
    plain = _times(lambda: [orjson.loads(line) for line in path.read_bytes().splitlines()])
    parse = Yardstick("parse every line", min(plain))
    short = files.write(place / "short.jsonl", SHORT)
    return [
        Figure("audit of 40 compactions, 50 MB", _times(lambda: _audited(path)), "median", LIMIT, parse),
        Figure("… of it the audits alone", _alone(path), "median", None, parse),
        Figure("audit of 3 compactions, 3 MB", _times(lambda: _audited(short)), "median", None, _other(short)),
    ]


def _times(work: Callable[[], Any]) -> tuple[float, ...]:
    found = []
    for _ in range(REPEATED):
        began = time.perf_counter()
        work()
        found.append((time.perf_counter() - began) * 1000)
    return tuple(found)


def _audited(path: Path) -> int:
    session = open_session(path)
    whole = session.path_to(session.active_leaf)
    index = mentions(session, whole)
    found = [of_recorded(index, one) for one in places(session, whole)]
    assert found, "the file has no compaction"
    return sum(audit.found for audit in found)


def _alone(path: Path) -> tuple[float, ...]:
    session = open_session(path)
    whole = session.path_to(session.active_leaf)
    index = mentions(session, whole)
    return _times(lambda: [of_recorded(index, one) for one in places(session, whole)])


def _other(path: Path) -> Yardstick | None:
    """ctxdrift's time, None where it is not installed."""
    if importlib.util.find_spec("ctxdrift") is None:
        return None
    ctxdrift = importlib.import_module("ctxdrift")
    session = open_session(path)
    copy = path.with_name("as-claude-code.jsonl")
    copy.write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in _as_claude_code(session)))

    def work() -> None:
        events = ctxdrift.parse_jsonl(str(copy))
        ctxdrift.analyze(events, ctxdrift.find_compactions(events))

    return Yardstick("ctxdrift 0.1", min(_times(work)))


def _as_claude_code(session: Session) -> list[Json]:
    """The active path: messages, and summaries as the user lines by which Claude Code begins anew."""
    lines: list[Json] = []
    for row in session.path_to(session.active_leaf):
        body = session.body(row)
        if session.type_of(row) == "compaction":
            said = "This session is being continued from a previous conversation.\n" + str(body.get("summary"))
            lines.append({"type": "user", "isCompactSummary": True, "message": {"role": "user", "content": said}})
        elif session.type_of(row) == "message":
            lines.append(_line(body["message"]))
    return lines


def _line(message: Json) -> Json:
    content = message.get("content")
    if message["role"] == "assistant":
        blocks = [
            {"type": "tool_use", "id": block.get("id"), "name": block.get("name"), "input": block.get("arguments")}
            if block.get("type") == "toolCall"
            else block
            for block in content
        ]
        return {"type": "assistant", "message": {"role": "assistant", "content": blocks}}
    if message["role"] == "toolResult":
        text = "\n".join(block.get("text", "") for block in content)
        block = {"type": "tool_result", "tool_use_id": message.get("toolCallId"), "content": text}
        return {"type": "user", "message": {"role": "user", "content": [block]}}
    return {"type": "user", "message": {"role": "user", "content": content}}
