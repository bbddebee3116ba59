"""Small sessions for the tests of the Prompt tab, written as a list of messages.

user("Find it."), reply("I will.", call("read"), read=0, write=900), result("read", "def f(): …")
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from core import counter as counting
from core import counts as tables
from core import timeline as timelines
from core.format import open_session
from gui.state import State
from tests.core.stepped import profile

Json = Any
START = 1_767_225_600_000  # 2026-01-01T00:00:00Z


def user(text: str | list[Json]) -> Json:
    return {"role": "user", "content": text}


def call(name: str, **arguments: Json) -> Json:
    return {"type": "toolCall", "id": f"call-{name}", "name": name, "arguments": arguments}


def reply(text: str = "", *parts: Json, read: int = 0, write: int = 0, plain: int = 3, **fields: Json) -> Json:
    """An answer; `read`, `write`, `plain`: recorded usage of the prompt before it."""
    content = ([{"type": "text", "text": text}] if text else []) + list(parts)
    usage = {"input": plain, "output": 9, "cacheRead": read, "cacheWrite": write}
    known = {"api": "anthropic-messages", "provider": "anthropic", "model": "claude-opus-4-5", "stopReason": "toolUse"}
    return {"role": "assistant", "content": content, "usage": usage, **known, **fields}


def result(tool: str, text: str, **fields: Json) -> Json:
    content = [{"type": "text", "text": text}]
    return {"role": "toolResult", "toolCallId": f"call-{tool}", "toolName": tool, "content": content, **fields}


def compaction(summary: str, first_kept: int) -> Json:
    """A compaction that keeps entries from number `first_kept` on (their place in the list, from 0)."""
    return {"type": "compaction", "summary": summary, "firstKeptEntryId": f"{first_kept:08x}", "tokensBefore": 1000}


def entry_id(number: int) -> str:
    return f"{number:08x}"


def write_session(path: Path, said: list[Json], *, gap_s: int = 20) -> Path:
    """One straight line of entries; entry i has the id `entry_id(i)`."""
    lines: list[Json] = [
        {"type": "session", "version": 3, "id": "s", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/x"}
    ]
    for number, message in enumerate(said):
        moment = START + number * gap_s * 1000
        seconds = number * gap_s
        stamp = f"2026-01-01T{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.000Z"
        entry = {"id": entry_id(number), "parentId": entry_id(number - 1) if number else None, "timestamp": stamp}
        if "role" in message:
            entry |= {"type": "message", "message": {**message, "timestamp": moment}}
        else:
            entry |= message
        lines.append(entry)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def state_of(path: Path, request: int | None = None) -> State:
    """The session as the window would show it, tokens by the counter that needs nothing; `request`: where to stand."""
    session = open_session(str(path))
    counts = tables.count(session, counting.make("chars", session))
    state = State(session, timelines.build(session, session.active_leaf, counts), counts)
    state.go(request=request)
    return state


def long_session(path: Path, turns: int = 20) -> Path:
    """`turns` requests; each reads everything that stood before the last two messages."""
    said: list[Json] = [user("Find the cause of the flaky test.")]
    size = 600
    for turn in range(turns):
        grown = 300
        known = {"id": f"call-{turn}"}
        said.append(
            reply(f"Step {turn}.", call("read", path=f"src/{turn}.py") | known, read=size if turn else 0, write=grown)
        )
        text = f"def step_{turn}():\n    return {turn}\n" + "x = 1\n" * 40
        said.append(result("read", text, toolCallId=f"call-{turn}"))
        size += grown
    said.append(reply("Done.", read=size, write=300))
    return write_session(path, said)


LONG = "".join(f"line {n} of the text\n" for n in range(400))
POLICY = profile(
    "replay_filter",
    "repair_pairs",
    "strip_details",
    "validate_turns",
    ("guard_context", {"share": 0.75}),
    "provider_messages",
    window=2_000,
)


def said_as(text: str) -> list[Json]:
    """Content as a list: a plain string would be lost in a merge."""
    return [{"type": "text", "text": text}]


def talk() -> list[Json]:
    """A long old result that the guard cuts (6,000 may stay), a call without a result, and two users in a row."""

    def asked(name: str, id: str) -> Json:
        return call(name) | {"id": id}

    said: list[Json] = [user("Find it."), reply("I look.", asked("exec", "a"))]
    said += [
        result("exec", LONG, toolCallId="a", details={"diff": "x"}),
        user(said_as("First.")),
        user(said_as("Second.")),
    ]
    said += [reply("More.", asked("exec", "b"), asked("exec", "c"))]
    said += [result("exec", "short", toolCallId="b"), reply("Done.", write=900)]
    return said
