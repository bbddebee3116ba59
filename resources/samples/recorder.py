"""A pretended agent that writes a session file.

A story says what was asked, answered and printed; the recorder plays the agent around it: entry ids, times, what each
request sent, which part of it the provider's cache had, and what that cost. Usage is therefore never typed in but
follows from the messages, by these rules:

* prompt = constant tools and system + the messages on the path, compaction rule applied, failed answers left out, a
  result supplied for a call that has none, results cut by the tool-result guard (see `wire.py`);
* the provider caches by exact prefix, with marks at the end of the stable system part and at the last block, entries
  that live five minutes from the start of the request that wrote or read them, and a look-back of twenty blocks;
* every answer takes time in proportion to its output.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from resources.samples.prefix_cache import PrefixCache
from resources.samples.tokens import tokens
from resources.samples.wire import Block, output_tokens, wire_blocks

Entry = dict[str, Any]

_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_NO_COST = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}


@dataclass(frozen=True, slots=True)
class Model:
    """The model of a sample: prices in USD per million tokens."""

    provider: str
    api: str
    id: str
    input: Decimal
    output: Decimal
    read: Decimal
    write: Decimal
    minimum: int


SONNET = Model(
    "anthropic",
    "anthropic-messages",
    "claude-sonnet-4-5",
    Decimal("3"),
    Decimal("15"),
    Decimal("0.3"),
    Decimal("3.75"),
    1024,
)


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call and what came of it.

    `output` None leaves the call without a result. `seconds` is how long the tool ran. `id` overrides the generated
    call id. `raw` replaces the whole block, for calls that no healthy model writes.
    """

    name: str
    arguments: dict[str, Any]
    output: str | None
    details: dict[str, Any] | None = None
    error: bool = False
    seconds: float = 0.4
    id: str | None = None
    raw: dict[str, Any] | None = None


class Recorder:
    """One session being written; `lines` are its entries in file order, header first."""

    def __init__(
        self,
        *,
        seed: int,
        start: str,
        cwd: str,
        model: Model = SONNET,
        stable: int = 18_120,
        dynamic: int = 1_423,
        window: int = 200_000,
        guard: bool = True,
    ) -> None:
        self._rng = random.Random(seed)
        self._now = int(datetime.fromisoformat(start).timestamp() * 1000)
        self.model = model
        self.window = window
        self._guard = guard
        self._system = (stable, dynamic)
        self._tools_version = 0
        self._thinking = "off"
        self._cache = PrefixCache(minimum=model.minimum)
        self._by_id: dict[str, Entry] = {}
        self._strays: dict[int, tuple[str, str]] = {}
        self.leaf: str | None = None
        self.requests = 0
        self.last_prompt = 0
        self.lines: list[Entry] = [
            {"type": "session", "version": 3, "id": self._uuid(), "timestamp": self._iso(), "cwd": cwd}
        ]

    # Entries -------------------------------------------------------------------------------------------------------

    def append(self, kind: str, *, parent: str | None = None, detached: bool = False, **fields: Any) -> str:
        """Write an entry below the leaf, or below `parent`; a detached one does not move the leaf."""
        stray = self._strays.pop(len(self.lines) + 1, None)
        if stray is not None:
            content = [{"type": "text", "text": stray[1]}]
            message = {"role": "user", "content": content, "timestamp": self._now}
            self.append("message", parent=stray[0], detached=True, message=message)
        identifier = f"{self._rng.getrandbits(32):08x}"
        above = parent if parent is not None else self.leaf
        entry = {"type": kind, "id": identifier, "parentId": above, "timestamp": self._iso(), **fields}
        self.lines.append(entry)
        self._by_id[identifier] = entry
        if not detached:
            self.leaf = identifier
        return identifier

    def insert_at_line(self, line: int, *, parent: str, text: str) -> None:
        """Have another process write a user message at `line`, below an entry that this file does not have."""
        self._strays[line] = (parent, text)

    def message(self, **message: Any) -> str:
        message.setdefault("timestamp", self._now)
        return self.append("message", message=message)

    def choose_model(self) -> str:
        return self.append("model_change", provider=self.model.provider, modelId=self.model.id)

    def choose_thinking(self, level: str) -> str:
        self._thinking = level
        return self.append("thinking_level_change", thinkingLevel=level)

    def snapshot_model(self) -> str:
        data = {
            "timestamp": self._now,
            "provider": self.model.provider,
            "modelApi": self.model.api,
            "modelId": self.model.id,
        }
        return self.append("custom", customType="model-snapshot", data=data)

    def mark_ttl(self) -> str:
        """OpenClaw notes after every turn when the cache was last touched."""
        data = {"timestamp": self._now, "provider": self.model.provider, "modelId": self.model.id}
        return self.append("custom", customType="openclaw.cache-ttl", data=data)

    def name(self, name: str) -> str:
        return self.append("session_info", name=name)

    def ask(self, text: str) -> str:
        return self.message(role="user", content=[{"type": "text", "text": text}])

    def mirror(self, text: str) -> str:
        """The copy of an answer that OpenClaw keeps when it delivers it to a chat channel."""
        self.wait(0.02)
        return self.message(
            role="assistant",
            content=[{"type": "text", "text": text}],
            api="openai-responses",
            provider="openclaw",
            model="delivery-mirror",
            usage=_usage(0, 0, 0, 0, _NO_COST),
            stopReason="stop",
        )

    def abort(self, *, after: float) -> str:
        """An answer stopped before its first word: nothing was counted."""
        started = self._now
        self.wait(after)
        return self.message(
            role="assistant",
            content=[],
            api=self.model.api,
            provider=self.model.provider,
            model=self.model.id,
            usage=_usage(0, 0, 0, 0, _NO_COST),
            stopReason="aborted",
            errorMessage="Request was aborted.",
            timestamp=started,
        )

    def compact(self, summary: str, first_kept: str, *, seconds: float, files: tuple[list[str], list[str]]) -> str:
        self.wait(seconds)
        return self.append(
            "compaction",
            summary=summary,
            firstKeptEntryId=first_kept,
            tokensBefore=self.last_prompt,
            details={"readFiles": files[0], "modifiedFiles": files[1]},
        )

    def summarize_branch(self, summary: str, *, back_to: str, left: str, seconds: float) -> str:
        self.wait(seconds)
        return self.append("branch_summary", parent=back_to, fromId=left, summary=summary)

    # Model calls ---------------------------------------------------------------------------------------------------

    def reply(
        self,
        text: str,
        calls: Sequence[Call] = (),
        *,
        thinking: str = "",
        results: bool = True,
        extra: Sequence[dict[str, Any]] = (),
    ) -> str:
        """One model call and the results of its tools; returns the id of the assistant entry."""
        self.wait(0.3 + self._rng.random() * 1.4)
        started = self._now
        blocks = self.blocks()
        content: list[dict[str, Any]] = []
        if thinking:
            content.append({"type": "thinking", "thinking": thinking, "thinkingSignature": self._signature()})
        if text:
            content.append({"type": "text", "text": text})
        identifiers = [call.id or self._call_id() for call in calls]
        for call, identifier in zip(calls, identifiers, strict=True):
            block = {"type": "toolCall", "id": identifier, "name": call.name, "arguments": call.arguments}
            content.append(call.raw if call.raw is not None else block)
        content.extend(extra)
        output = max(output_tokens(content), 1)
        usage = self._usage_of(blocks, started, output)
        self.wait(1.1 + output / 48 + self._rng.random() * 1.2)
        made = self.message(
            role="assistant",
            content=content,
            api=self.model.api,
            provider=self.model.provider,
            model=self.model.id,
            usage=usage,
            stopReason="toolUse" if calls else "stop",
            timestamp=started,
        )
        if results:
            for call, identifier in zip(calls, identifiers, strict=True):
                if call.output is not None:
                    self.wait(call.seconds)
                    self.result(identifier, call.name, call.output, call.details, error=call.error)
        return made

    def result(
        self, call: str, tool: str, output: str, details: dict[str, Any] | None = None, *, error: bool = False
    ) -> str:
        fields: dict[str, Any] = {
            "role": "toolResult",
            "toolCallId": call,
            "toolName": tool,
            "content": [{"type": "text", "text": output}],
        }
        if details is not None:
            fields["details"] = details
        return self.message(**fields, isError=error)

    def blocks(self) -> list[Block]:
        """What a request from the present leaf would send behind the system prompt."""
        return wire_blocks(self._path(), self.window if self._guard else None)

    def change_tools(self) -> None:
        """The tool list has another order from now on; its size stays."""
        self._tools_version += 1

    def wait(self, seconds: float) -> None:
        self._now += round(seconds * 1000)

    def text(self) -> str:
        """The session file."""
        return "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in self.lines)

    # ---------------------------------------------------------------------------------------------------------------

    def _path(self) -> list[Entry]:
        path: list[Entry] = []
        at = self.leaf
        while at is not None:
            path.append(self._by_id[at])
            at = self._by_id[at]["parentId"]
        return path[::-1]

    def _usage_of(self, blocks: list[Block], started: int, output: int) -> Entry:
        stable, dynamic = self._system
        chain = [Block(f"tools {self._tools_version}", stable), Block(f"dynamic {self._thinking}", dynamic), *blocks]
        read, write = self._cache.request(chain, marks=(0, len(chain) - 1), at_ms=started)
        # The turn's scaffolding stands behind the last mark and is never cached.
        plain = 3 + self.requests % 2 + (sum(block.tokens for block in chain) - read - write)
        self.requests += 1
        self.last_prompt = plain + read + write + output
        model = self.model
        cost = {
            "input": _dollars(plain, model.input),
            "output": _dollars(output, model.output),
            "cacheRead": _dollars(read, model.read),
            "cacheWrite": _dollars(write, model.write),
            "total": float(
                (plain * model.input + output * model.output + read * model.read + write * model.write) / 1_000_000
            ),
        }
        return _usage(plain, output, read, write, cost)

    def _iso(self) -> str:
        moment = datetime.fromtimestamp(self._now / 1000, UTC)
        return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{self._now % 1000:03d}Z"

    def _uuid(self) -> str:
        digits = f"{self._rng.getrandbits(128):032x}"
        variant = "89ab"[int(digits[16], 16) % 4]
        return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-{variant}{digits[17:20]}-{digits[20:]}"

    def _call_id(self) -> str:
        return "toolu_01" + "".join(self._rng.choice(_BASE62) for _ in range(22))

    def _signature(self) -> str:
        return "Er" + "".join(self._rng.choice(_BASE62) for _ in range(118)) + "=="


def _usage(plain: int, output: int, read: int, write: int, cost: Entry) -> Entry:
    return {
        "input": plain,
        "output": output,
        "cacheRead": read,
        "cacheWrite": write,
        "totalTokens": plain + output + read + write,
        "cost": dict(cost),
    }


def _dollars(count: int, price: Decimal) -> float:
    return float(count * price / 1_000_000)


__all__ = ["SONNET", "Call", "Model", "Recorder", "tokens"]
