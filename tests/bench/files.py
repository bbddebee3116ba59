"""Session files for the benchmarks, written anew for each run: the same arguments give the same bytes.

    user ─ assistant(call) ─ toolResult ─ assistant(call) ─ toolResult … ─ assistant ─ user …      one path
                    └ a fork now and then: the same, from an older entry on

Sizes follow what real sessions of coding agents look like (median answer 800 bytes, median tool result 1,100, a few of
50,000); the whole comes to the size that is asked for. The text is code and prose of no meaning.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson

Json = dict[str, Any]
START = 1_767_225_600_000  # 2026-01-01T00:00:00Z, in ms
SYSTEM = 14_000
"""Tokens of tools and system prompt, which no file of this kind records."""
_STOCK = """
the parser reads every token before the buffer moves so that a quote inside a quote ends where it began
return self def for in range if not value is None raise ValueError import from class lambda yield with open
path index cache window request session entry result prefix budget guard summary branch 文件 测试 缓存 请求
"""
_WEIGHTS = {"user": 0.3, "assistant": 0.8, "toolResult": 1.3}
"""Mean size of a message's text by role, in parts of the mean of all."""
_AROUND = {"user": 230, "assistant": 760, "toolResult": 360}
"""Bytes of a message's line around its text."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What a file is like. `entries`: or a few more. `size`: bytes, within some percent. `compactions`: how many,
    spread evenly. `branches`: ends of the graph. `breaks`: share of requests that find nothing in the cache. `steps`:
    fewest and most answers of one turn that call a tool (now and then two at once)."""

    entries: int
    size: int
    compactions: int = 0
    branches: int = 1
    breaks: float = 0.03
    steps: tuple[int, int] = (2, 14)
    seed: int = 1


CORPUS_LIKE = Shape(1_000, 2_400_000, compactions=2)
"""As the larger of the two real sessions that the project is measured on."""
BRANCHED = Shape(1_000, 2_400_000, branches=6)
LONG_PROMPT = Shape(2_000, 5_000_000)
"""Nothing is compacted: the last request sends all of it."""
LIVE = Shape(10_000, 25_000_000, steps=(1, 2))
"""10,000 messages, 3,000 of them tool results."""


def write(path: Path, shape: Shape) -> Path:
    """Write the file, unless it is there already."""
    if not path.exists():
        with path.open("wb", buffering=1 << 20) as file:
            for entry in _entries(shape):
                file.write(orjson.dumps(entry) + b"\n")
    return path


def grown(shape: Shape, times: float) -> Shape:
    """The same, so many times as long."""
    return replace(shape, entries=round(shape.entries * times), size=round(shape.size * times))


def _stamp(moment: int) -> str:
    return datetime.fromtimestamp(moment / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class _Text:
    """Pieces of a fixed stock of lines: making text costs no more than cutting it."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        words = _STOCK.split()
        lines = [
            " " * rng.choice((0, 0, 4, 8)) + " ".join(rng.choices(words, k=rng.randint(3, 12))) for _ in range(5_000)
        ]
        self._stock = "\n".join(lines)

    def of(self, size: int) -> str:
        """Text of about `size` bytes once it is written as JSON."""
        start = self._rng.randrange(max(1, len(self._stock) - min(size, len(self._stock) // 2)))
        piece = self._stock[start : start + size]
        while len(piece) < size:
            piece += "\n" + self._stock[: size - len(piece)]
        return piece


def _entries(shape: Shape) -> Iterator[Json]:
    rng = random.Random(shape.seed)
    made = _Writer(rng, shape)
    yield {"type": "session", "version": 3, "id": "bench", "timestamp": _stamp(START), "cwd": "/home/dev/project"}
    cuts = [round(shape.entries * (i + 1) / (shape.compactions + 1)) for i in range(shape.compactions)]
    forks = [round(shape.entries * (i + 1) / shape.branches) for i in range(shape.branches - 1)]
    yield made.entry("model_change", provider="anthropic", modelId="claude-sonnet-4-5")
    yield made.entry("session_info", name="a session for the benchmarks")
    while made.count < shape.entries:
        if forks and made.count >= forks[0]:
            made.fork(forks.pop(0) // 2)
        if cuts and made.count >= cuts[0]:
            cuts.pop(0)
            yield made.compaction()
        yield from made.turn()


class _Writer:
    """Entries one after another; what an agent's own bookkeeping would know on the way."""

    def __init__(self, rng: random.Random, shape: Shape) -> None:
        self._rng, self._shape, self._text = rng, shape, _Text(rng)
        self.count = 0
        self._written = 0
        self._moment = START
        self._parent: str | None = None
        self._prompt = SYSTEM
        self._cached = 0
        self._call = 0
        self._after: list[tuple[str, int]] = []
        """(id, tokens of the prompt behind it) of the user messages so far: where a fork may begin."""

    def entry(self, kind: str, **fields: Any) -> Json:
        self.count += 1
        id = f"{self.count:08x}"
        found = {"type": kind, "id": id, "parentId": self._parent, "timestamp": _stamp(self._moment), **fields}
        self._parent = id
        return found

    def fork(self, near: int) -> None:
        """Go on from an older user message, about the entry `near`."""
        at = min(range(len(self._after)), key=lambda i: abs(int(self._after[i][0], 16) - near))
        self._parent, self._prompt = self._after[at]
        self._cached = 0

    def compaction(self) -> Json:
        self._moment += 30_000
        kept = self._after[-1][0]
        before, self._prompt, self._cached = self._prompt, SYSTEM + 12_000, 0
        summary = self._text.of(4_000)
        return self.entry("compaction", summary=summary, firstKeptEntryId=kept, tokensBefore=before)

    def turn(self) -> Iterator[Json]:
        yield self._said("user", [{"type": "text", "text": self._text.of(self._size("user"))}])
        self._after.append((str(self._parent), self._prompt))
        for _ in range(self._rng.randint(*self._shape.steps)):
            calls = []
            for _ in range(2 if self._rng.random() < 0.08 else 1):
                self._call += 1
                arguments = {"path": f"src/module_{self._call % 97}.py", "limit": self._rng.randint(10, 400)}
                calls.append(
                    {"type": "toolCall", "id": f"toolu_{self._call:08d}", "name": "read", "arguments": arguments}
                )
            yield self._answer(calls)
            for call in calls:
                self._moment += 200
                content = [{"type": "text", "text": self._text.of(self._size("toolResult"))}]
                yield self._said(
                    "toolResult", content, toolCallId=call["id"], toolName="read", details={"lines": 40}, isError=False
                )
        yield self._answer([])

    def _answer(self, calls: list[Json]) -> Json:
        fresh = self._rng.random() < self._shape.breaks
        read = 0 if fresh else self._cached
        output = 200
        usage = {"input": 4, "output": output, "cacheRead": read, "cacheWrite": max(0, self._prompt - read - 4)}
        usage["totalTokens"] = sum(usage.values())
        cost = {
            name: tokens * price / 1_000_000
            for (name, tokens), price in zip(usage.items(), (3.0, 15.0, 0.3, 3.75), strict=False)
        }
        usage["cost"] = {**cost, "total": sum(cost.values())}  # type: ignore[assignment]
        self._cached = self._prompt
        self._moment += self._rng.randint(4_000, 20_000)
        content = [{"type": "text", "text": self._text.of(self._size("assistant"))}, *calls]
        known = {"api": "anthropic-messages", "provider": "anthropic", "model": "claude-sonnet-4-5"}
        return self._said("assistant", content, **known, usage=usage, stopReason="toolUse" if calls else "stop")

    def _said(self, role: str, content: list[Json], **fields: Any) -> Json:
        message = {"role": role, "content": content, **fields, "timestamp": self._moment}
        found = self.entry("message", message=message)
        text = sum(len(part.get("text", "")) for part in content)
        self._written += text * 102 // 100 + _AROUND[role]
        self._prompt += (text + 120) // 4
        return found

    def _size(self, role: str) -> int:
        """Long tails, as recorded, bent so that the whole file comes to its size."""
        left = max(1, self._shape.entries - self.count)
        mean = max(60.0, (self._shape.size - self._written) / left - _AROUND[role]) * _WEIGHTS[role]
        return max(16, min(60_000, round(mean * self._rng.lognormvariate(-0.5, 1.0))))
