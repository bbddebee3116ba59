"""A session of 50 MB is readable with rows, tokens and costs before other tools of its kind have taken it in.

Beside ours, where they are installed (on the PATH, or in the folder that STRATASCOPE_OTHERS names; `pip install
agentsview claude-code-log` into an environment of their own): agentsview takes the same file into its database;
claude-code-log turns the same conversation, written as Claude Code writes it, into HTML.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from core.format import formats
from core.messages import Json
from gui import opened
from tests.bench import made
from tests.bench.figure import Figure, Yardstick

ENTRIES, MEAN = 18_000, 2_850
PATIENCE = 600


def measure(place: Path) -> list[Figure]:
    formats()
    file = made.write(place / f"made-{ENTRIES}.jsonl", ENTRIES, MEAN)
    rows, whole = _ours(file)
    found = [Figure("all rows, 50 MB", (rows,)), Figure("rows, tokens, cache, costs, 50 MB", (whole,))]
    for name, work in (("agentsview", _agentsview), ("claude-code-log", _claude_code_log)):
        program = _program(name)
        if program is None:
            continue
        took, said = work(program, file, place)
        found.append(Figure(f"… beside {said}", (whole,), yardstick=Yardstick(said, took)))
    return found


def _ours(file: Path) -> tuple[float, float]:
    """Milliseconds until all rows are read, and until everything that the window shows is there."""

    class Report:
        rows = 0.0

        def __call__(self, said: Any, share: float | None) -> bool:
            return True

        def part(self, value: Any) -> None:
            self.rows = time.perf_counter()

    report = Report()
    began = time.perf_counter()
    opened.load(str(file), None, None, report)
    opened.show(str(file), None, None, report)
    ended = time.perf_counter()
    opened.forget(str(file), report)
    return (report.rows - began) * 1000, (ended - began) * 1000


def _program(name: str) -> str | None:
    folder = os.environ.get("STRATASCOPE_OTHERS")
    return shutil.which(name, path=f"{folder}/bin{os.pathsep}{folder}" if folder else None)


def _version(program: str) -> str:
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"\d+(\.\d+)+", said)
    return f"{Path(program).name} {found[0] if found else ''}".strip()


def _agentsview(program: str, file: Path, place: Path) -> tuple[float, str]:
    home = place / "agentsview"
    sessions = home / ".pi" / "agent" / "sessions" / "--work-made--"
    sessions.mkdir(parents=True)
    shutil.copy(file, sessions / "2026-03-01T08-00-00-000Z_made.jsonl")
    own = {**os.environ, "HOME": str(home), "AGENTSVIEW_NO_DAEMON": "1"}
    return _timed([program, "sync"], own), f"{_version(program)} sync"


def _claude_code_log(program: str, file: Path, place: Path) -> tuple[float, str]:
    home = place / "claude"
    home.mkdir()
    copy = home / "made.jsonl"
    with copy.open("wb") as target:
        for line in _as_claude_code(file):
            target.write(orjson.dumps(line) + b"\n")
    command = [program, "convert", str(copy), "-o", str(home / "out.html")]
    return _timed(command, {**os.environ, "HOME": str(home)}), f"{_version(program)} to HTML"


def _timed(command: list[str], environment: dict[str, str]) -> float:
    began = time.perf_counter()
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode == 0, (done.stderr or done.stdout)[-2_000:]
    return (time.perf_counter() - began) * 1000


def _as_claude_code(file: Path) -> Iterator[Json]:
    """The messages of the file, in its order; compactions and settings are left out."""
    before: str | None = None
    with file.open("rb") as lines:
        for line in lines:
            entry = orjson.loads(line)
            message = entry.get("message")
            if entry.get("type") != "message" or message["role"] not in _MADE:
                continue
            id = f"00000000-0000-4000-8000-{int(entry['id'], 16):012x}"
            known = {"uuid": id, "parentUuid": before, "timestamp": entry["timestamp"], "sessionId": "made"}
            known |= {"isSidechain": False, "userType": "external", "cwd": "/work/made", "version": "2.0.0"}
            yield {**known, **_MADE[message["role"]](message, id)}
            before = id


def _user(message: Json, id: str) -> Json:
    return {"type": "user", "message": {"role": "user", "content": message["content"]}}


def _result(message: Json, id: str) -> Json:
    text = "\n".join(block.get("text", "") for block in message["content"])
    block = {"type": "tool_result", "tool_use_id": message["toolCallId"], "content": text}
    return {"type": "user", "message": {"role": "user", "content": [block]}}


def _answer(message: Json, id: str) -> Json:
    blocks = []
    for block in message["content"]:
        if block["type"] == "toolCall":
            block = {"type": "tool_use", "id": block["id"], "name": block["name"], "input": block["arguments"]}
        elif block["type"] == "thinking":
            block = {"type": "thinking", "thinking": block["thinking"], "signature": "s"}
        blocks.append(block)
    used = message["usage"]
    usage = {"input_tokens": used["input"], "output_tokens": used["output"]}
    usage |= {"cache_read_input_tokens": used["cacheRead"], "cache_creation_input_tokens": used["cacheWrite"]}
    said = {"id": f"msg_{id}", "type": "message", "role": "assistant", "model": message["model"], "content": blocks}
    said |= {"stop_reason": "end_turn", "stop_sequence": None, "usage": usage}
    return {"type": "assistant", "requestId": f"req_{id}", "message": said}


_MADE = {"user": _user, "toolResult": _result, "assistant": _answer}
