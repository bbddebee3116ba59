"""Sessions whose true token numbers are known: a world with its own tokenizer writes down what its provider charged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.calibration import Measure
from core.messages import Message
from core.regression import dot
from core.session import Session
from tests.core.drawn import opened

TRUTH = (0.12, 1.1, 0.9, 0.35, 1.2, 2.2, 1.3, 0.7, 17.0, 5.0)
"""Tokens per trait, per result, per other message: another tokenizer than the one the defaults come from."""
SYSTEM = 3_000
WORDS = [
    "if",
    "user_id",
    "return",
    "the",
    "value",
    "parseArguments",
    "42",
    "127.0.0.1",
    "漢字",
    "==",
    "{",
    "}",
    "\n",
    "\n\n",
]


def text(seed: int, words: int) -> str:
    """A text of so many words, different for every seed, always the same."""
    state = seed * 7919 + 17
    found = []
    for _ in range(words):
        state = (state * 1103515245 + 12345) % 2**31
        found.append(WORDS[(state >> 8) % len(WORDS)])
    return " ".join(found)


class Talk:
    """Written step by step; `true[i]`: tokens of entry i in the prompts of this world (0 = never sent)."""

    def __init__(self, truth: Sequence[float] = TRUTH, system: int = SYSTEM, model: str = "m") -> None:
        self.truth, self.system, self.model = truth, system, model
        self.entries: list[dict[str, Any]] = []
        self.true: list[int] = []
        self.above: list[int | None] = []
        self.leaf: int | None = None

    def _add(self, entry: dict[str, Any], tokens: int) -> int:
        if self.leaf is not None:
            entry["parentId"] = f"e{self.leaf}"
        self.entries.append(entry)
        self.true.append(tokens)
        self.above.append(self.leaf)
        self.leaf = len(self.entries) - 1
        return self.leaf

    def prompt(self) -> int:
        """Tokens that a request would send now."""
        total, row = self.system, self.leaf
        while row is not None:
            total += self.true[row]
            row = self.above[row]
        return total

    def message(self, role: str, said: str, more: int = 0) -> int:
        """A user message or a tool result; `more`: tokens beyond what its words make."""
        raw = {"role": role, "content": [{"type": "text", "text": said}]}
        tokens = round(dot(Measure.of(Message.of(raw)).row, self.truth)) + more
        return self._add({"type": "message", "message": raw}, tokens)

    def reply(
        self,
        output: int = 100,
        said: str = "On it.",
        *,
        sent_again: int | None = None,
        stop: str = "stop",
        charged: int = 0,
        thinks: bool = False,
        read: float = 0.0,
    ) -> int:
        """A request and its reply. `sent_again`: its tokens in later prompts, where they are not its output.
        `charged`: what the provider found in the prompt besides. `read`: share of the prompt read from the cache."""
        whole = self.prompt() + charged
        cached = int(whole * read)
        usage = {"input": 0, "output": output, "cacheRead": cached, "cacheWrite": whole - cached}
        content: list[dict[str, Any]] = [{"type": "text", "text": said}]
        if thinks:
            content.insert(0, {"type": "thinking", "thinking": "Let me see.", "thinkingSignature": "s"})
        raw = {
            "role": "assistant",
            "content": content,
            "provider": "p",
            "model": self.model,
            "stopReason": stop,
            "usage": usage,
        }
        return self._add({"type": "message", "message": raw}, output if sent_again is None else sent_again)

    def other(self, type: str, **fields: Any) -> int:
        return self._add({"type": type, **fields}, 0)

    def work(self, steps: int, seed: int = 0, more: Any = lambda step: 0, **reply: Any) -> None:
        """So many requests, each followed by one tool result."""
        for step in range(steps):
            self.reply(60 + 13 * step % 90, **reply)
            self.message("toolResult", text(seed + step, 30 + 17 * step % 140), more(step))

    def open(self, tmp_path: Any) -> Session:
        return opened(*self.entries, tmp_path=tmp_path)
