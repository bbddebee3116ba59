"""A prompt of 5 MB is compared with the next request's within 100 ms: 2,000 blocks, one of 1 MB, lines of 400,000.

The core's part, with nothing remembered of either prompt: where they first differ, and which block stands for which.
The prompts differ as they do in a session (the next one is longer), in the last character of the largest block, and in
every second block (another policy). Beside it: the digests of all blocks, which reading the file pays for.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson

from core.context import build
from core.difference import align, first_difference
from core.format import open_session
from core.messages import Message
from core.prompt import Block, Blocks, blocks_of
from core.session import Session
from tests.bench.figure import Figure, Yardstick

BLOCKS = 2_000
LARGEST = 1_000_000
LINE = 400_000
SIZE = 5_000_000
LIMIT = 100
REPEATED = 5


def measure(place: Path) -> list[Figure]:
    session = open_session(write(place / "big.jsonl"))
    path = session.path_to(session.active_leaf)
    whole = prompt(session, path)
    keys = Yardstick("digests of all blocks", min(_times(lambda: path, lambda rows: prompt(session, rows))))
    figures = []
    for name, other in (
        ("the next request, longer by two", lambda: prompt(session, path[:-2])),
        ("the last character of 1 MB", lambda: spoiled(whole, _largest(whole))),
        ("every second block", lambda: _cut(whole)),
    ):
        found = _times(lambda other=other: (prompt(session, path), other()), lambda both: first_difference(*both))
        figures.append(Figure(f"first difference: {name}", found, "median", LIMIT, keys))
        found = _times(lambda other=other: (prompt(session, path), other()), lambda both: align(*both))
        figures.append(Figure(f"block by block: {name}", found, "median", LIMIT, keys))
    return figures


def write(place: Path) -> Path:
    """A session whose last request sends all of it."""
    rest = (SIZE - LARGEST - 3 * LINE) // BLOCKS
    texts = {BLOCKS // 2: "line of a log\n" * (LARGEST // 14), 41: "x" * LINE, 301: "é " * (LINE // 2), 999: "y" * LINE}
    parent, sent, cached = None, 0, 0
    with place.open("wb") as file:
        head = {"type": "session", "version": 3, "id": "big", "timestamp": "2026-01-01T00:00:00Z", "cwd": "/w"}
        file.write(orjson.dumps(head) + b"\n")
        for number in range(BLOCKS):
            text = texts.get(number, f"{number} " + "word " * (rest // 5))
            message: dict[str, Any] = {"role": "user", "content": [{"type": "text", "text": text}], "timestamp": number}
            if number % 2:
                known = {"provider": "anthropic", "api": "anthropic-messages", "model": "claude-sonnet-4-5"}
                usage = {"input": 3, "output": len(text) // 4, "cacheRead": cached, "cacheWrite": sent - cached}
                message |= {"role": "assistant", **known, "stopReason": "stop", "usage": usage}
                cached = sent
            sent += len(text) // 4
            entry = {"type": "message", "id": f"e{number}", "parentId": parent, "timestamp": "2026-01-01T00:00:00Z"}
            file.write(orjson.dumps({**entry, "message": message}) + b"\n")
            parent = f"e{number}"
    return place


def prompt(session: Session, path: tuple[int, ...]) -> Blocks:
    """Read anew: no text, key or digest is shared with another one."""
    return blocks_of(build(session, path))


def _largest(blocks: Blocks) -> int:
    return max(range(len(blocks)), key=lambda at: len(blocks[at].message.parts[0].text or ""))


def spoiled(blocks: Blocks, at: int) -> Blocks:
    """The same prompt with another last character in one block."""
    raw = blocks[at].message.json()
    text = raw["content"][0]["text"]
    other = Message.of({**raw, "content": [{"type": "text", "text": text[:-1] + "!"}]})
    return (*blocks[:at], Block.of(other, blocks[at].origin), *blocks[at + 1 :])


def _cut(blocks: Blocks) -> Blocks:
    """Every second block without its last character, standing for the block it was."""
    return tuple(spoiled((block,), 0)[0] if at % 2 else block for at, block in enumerate(blocks))


def _times(make: Callable[[], Any], work: Callable[[Any], Any]) -> tuple[float, ...]:
    """Milliseconds of `work`, each time on a value made anew."""
    found = []
    for _ in range(REPEATED):
        given = make()
        began = time.perf_counter()
        work(given)
        found.append((time.perf_counter() - began) * 1000)
    return tuple(found)
