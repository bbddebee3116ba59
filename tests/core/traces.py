"""Sessions and their traces for tests, written as lines: the session's messages and what the agent recorded of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.format import open_session
from core.session import Session
from core.trace import TraceFile, open_trace
from core.trace_calls import Recorded, calls_of

Json = Any
T0 = 1_767_607_200_000
"""2026-01-05T10:00:00Z."""
SESSION = "s1"


def iso(seconds: float) -> str:
    whole, milli = divmod(round(seconds * 1000), 1000)
    return f"2026-01-05T10:{whole // 60:02d}:{whole % 60:02d}.{milli:03d}Z"


def session_lines(*messages: Json, id: str = SESSION) -> list[Json]:
    """One entry a message, chained, ten seconds apart; an answer's request began five seconds before its entry."""
    lines: list[Json] = [{"type": "session", "version": 3, "id": id, "timestamp": iso(0), "cwd": "/w"}]
    for number, raw in enumerate(messages, 1):
        at = 10 * number
        early = 5 if raw["role"] == "assistant" else 0
        message = {"timestamp": T0 + (at - early) * 1000, **raw}
        parent = f"e{number - 1}" if number > 1 else None
        lines.append(
            {"type": "message", "id": f"e{number}", "parentId": parent, "timestamp": iso(at), "message": message}
        )
    return lines


def user(text: str) -> Json:
    return {"role": "user", "content": [{"type": "text", "text": text}]}


def answer(text: str, *calls: str, read: int = 0, write: int = 0, input: int = 3) -> Json:
    content: list[Json] = [{"type": "text", "text": text}]
    content += [{"type": "toolCall", "id": id, "name": "read", "arguments": {"path": id}} for id in calls]
    usage = {
        "input": input,
        "output": 9,
        "cacheRead": read,
        "cacheWrite": write,
        "totalTokens": input + read + write + 9,
    }
    model = {"provider": "anthropic", "api": "anthropic-messages", "model": "claude-sonnet-4-5"}
    return {
        "role": "assistant",
        "content": content,
        **model,
        "usage": usage,
        "stopReason": "toolUse" if calls else "stop",
    }


def result(id: str, text: str, **fields: Json) -> Json:
    content = [{"type": "text", "text": text}]
    return {"role": "toolResult", "toolCallId": id, "toolName": "read", "content": content, "isError": False, **fields}


def stage(
    name: str, at: float, *, run: str = "r1", seq: int | None = None, session: str = SESSION, **more: Json
) -> Json:
    """A line of a cache trace, `at` seconds after T0."""
    told = {"runId": run, "sessionId": session, "ts": iso(at), "stage": name, **more}
    return told if seq is None else {**told, "seq": seq}


def event(kind: str, at: float, *, run: str = "r1", session: str = SESSION, **data: Json) -> Json:
    """A line of a trajectory."""
    return {"traceSchema": "openclaw-trajectory", "type": kind, "ts": iso(at), "runId": run, "sessionId": session} | {
        "data": data
    }


def write(path: Path, lines: Sequence[Json | str | bytes]) -> Path:
    raw = [
        line if isinstance(line, bytes) else (line if isinstance(line, str) else json.dumps(line)).encode()
        for line in lines
    ]
    path.write_bytes(b"\n".join(raw) + b"\n")
    return path


def traced(place: Path, lines: Sequence[Json], trace: Sequence[Json | str | bytes]) -> tuple[Session, Recorded]:
    """A session file and the trace beside it, opened."""
    session = open_session(write(place / "s.jsonl", lines))
    return session, calls_of(session, opened(place, trace))


def opened(place: Path, trace: Sequence[Json | str | bytes]) -> TraceFile:
    return open_trace(write(place / "s.cache-trace.jsonl", trace))
