"""Sessions of any size for measuring: written entry by entry, the same for the same numbers, never kept in memory.

    turn    user, then 2 … 12 times (assistant with a call, its result), then an answer
    now and then a compaction, a label, a model change, a branch that is left again

Text is code-like with some CJK, as the recorded sessions hold it; sizes follow theirs: most results are short, few are
long.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

_WORDS = (  # noqa: SIM905
    "def return self value for in range session prompt cache if not None else import from class row entry path tokens "
    "test assert raise print open close read write the and of to with that is was it as be on"
).split()
_CHINESE = ["缓存", "上下文", "会话"]
HEADER = {"type": "session", "version": 3, "id": "made", "timestamp": "2026-03-01T08:00:00.000Z", "cwd": "/work/made"}


def entries(count: int, mean: int, *, forks: float = 0.002, seed: int = 7) -> Iterator[dict[str, Any]]:
    """`count` entries whose lines are about `mean` bytes on average. `forks`: share of turns that leave a branch."""
    chance = random.Random(seed)
    pools = [
        " ".join(chance.choice(words) + ("\n    " if chance.random() < 0.1 else "") for _ in range(40_000))
        for words in (_WORDS, _WORDS, _WORDS + _CHINESE)
    ]
    number, parent, prompt = 0, None, 4_000
    time = 1_772_352_000_000
    turn_start: str | None = None
    calls = 0
    waiting: str | None = None

    def said(size: float) -> str:
        wanted = max(4, int(chance.expovariate(1 / max(1.0, size))))
        pool = chance.choice(pools)
        at = chance.randrange(len(pool) - 1)
        text = pool[at : at + wanted]
        while len(text) < wanted:
            text += pool[: wanted - len(text)]
        return text

    while number < count:
        id = f"{number:08x}"
        time += chance.randrange(500, 9_000)
        entry: dict[str, Any] = {"type": "message", "id": id, "parentId": parent, "timestamp": _iso(time)}
        if waiting is not None:
            content = [{"type": "text", "text": said(mean * 1.6)}]
            entry["message"] = {"role": "toolResult", "toolCallId": waiting, "toolName": "read", "content": content}
            entry["message"] |= {"isError": chance.random() < 0.05, "timestamp": time}
            waiting = None
        elif turn_start is None:
            if parent is not None and chance.random() < 0.01:
                entry |= {"type": "compaction", "summary": said(mean * 2), "firstKeptEntryId": parent}
                entry |= {"tokensBefore": prompt}
                prompt = 4_000
            elif chance.random() < 0.02 and parent is not None:
                entry |= {"type": "label", "targetId": parent, "label": f"mark {number}"}
            else:
                if chance.random() < forks and number > 20:
                    entry["parentId"] = f"{number - chance.randrange(2, 20):08x}"
                entry["message"] = {"role": "user", "content": said(mean * 0.4), "timestamp": time}
                turn_start, calls = id, chance.randrange(2, 12)
        else:
            calls -= 1
            done = calls <= 0
            read, write = prompt, chance.randrange(200, 2_500)
            prompt += write
            blocks: list[dict[str, Any]] = [
                {"type": "thinking", "thinking": said(mean * 0.1), "thinkingSignature": "s"}
            ]
            if done:
                blocks.append({"type": "text", "text": said(mean * 0.3)})
            else:
                waiting = f"toolu_{number:012x}"
                arguments = {"path": f"src/part_{number % 97}.py", "limit": chance.randrange(20, 400)}
                blocks.append({"type": "toolCall", "id": waiting, "name": "read", "arguments": arguments})
            usage: dict[str, Any] = {"input": 3, "output": 120, "cacheRead": read, "cacheWrite": write}
            usage |= {"totalTokens": read + write + 123}
            usage["cost"] = {
                "input": 0.00001,
                "output": 0.0018,
                "cacheRead": 0.001,
                "cacheWrite": 0.002,
                "total": 0.00481,
            }
            said_by = {"api": "anthropic-messages", "provider": "anthropic", "model": "claude-sonnet-4-5"}
            entry["message"] = {"role": "assistant", "content": blocks, **said_by, "usage": usage}
            entry["message"] |= {"stopReason": "stop" if done else "toolUse", "timestamp": time - 400}
            if done:
                turn_start = None
        yield entry
        parent = id
        number += 1


def _iso(time: int) -> str:
    from datetime import UTC, datetime

    moment = datetime.fromtimestamp(time / 1000, UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{time % 1000:03d}Z"


def write(path: Path, count: int, mean: int, *, forks: float = 0.002, bad: int = 0) -> Path:
    """A session file; `bad` of its lines are no JSON, spread over the file."""
    every = count // bad if bad else 0
    with path.open("wb") as file:
        file.write(orjson.dumps(HEADER) + b"\n")
        for number, entry in enumerate(entries(count, mean, forks=forks)):
            if every and number % every == every - 1:
                file.write(b'{"type":"message","id":"cut\n')
            file.write(orjson.dumps(entry) + b"\n")
    return path
