"""A session that was compacted again and again, as an agent would have written it: the same for the same numbers.

round    `messages` messages (user, calls, results, answers), a marker a turn, then a compaction that keeps a tail
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HEADER = {"type": "session", "version": 3, "id": "made", "timestamp": "2026-03-01T08:00:00.000Z", "cwd": "/work/made"}


def entries(rounds: int, messages: int, keep: int = 40, seed: int = 8) -> Iterator[dict[str, Any]]:
    """`rounds` compactions, each after `messages` messages of which it keeps `keep`; then half as many again."""
    chance = random.Random(seed)
    number = 0
    last: str | None = None
    said: list[str] = []

    def entry(kind: str, **fields: Any) -> dict[str, Any]:
        nonlocal number, last
        number += 1
        made = {"type": kind, "id": f"{number:08x}", "parentId": last, "timestamp": "2026-03-01T08:00:00.000Z"} | fields
        last = made["id"]
        return made

    def message(role: str, text: str, **fields: Any) -> dict[str, Any]:
        made = entry("message", message={"role": role, "content": [{"type": "text", "text": text}], **fields})
        said.append(made["id"])
        return made

    def turn(count: int) -> Iterator[dict[str, Any]]:
        yield message("user", "do the next part " * 3)
        for at in range(count - 2):
            if at % 2:
                yield message("toolResult", "x = 1\n" * chance.randrange(5, 700), toolCallId=f"c{number}")
            else:
                yield message("assistant", "let me look", provider="anthropic", model="claude")
        yield message("assistant", "done " * 40, provider="anthropic", model="claude")
        yield entry("custom", customType="openclaw.cache-ttl", data={"timestamp": number})

    yield entry("model_change", provider="anthropic", modelId="claude")
    yield entry("thinking_level_change", thinkingLevel="low")

    def turns(left: int) -> Iterator[dict[str, Any]]:
        while left > 0:
            count = max(2, min(left, chance.randrange(8, 40)))
            left -= count
            yield from turn(count)

    for _ in range(rounds):
        said.clear()
        yield from turns(messages)
        yield entry("compaction", summary="so far " * 2_900, firstKeptEntryId=said[-keep], tokensBefore=150_000)
    yield from turns(messages // 2)


def write(path: Path, rounds: int, messages: int, **more: Any) -> Path:
    with path.open("wb") as file:
        for line in (HEADER, *entries(rounds, messages, **more)):
            file.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")
    return path
