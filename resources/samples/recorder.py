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

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from resources.samples.journal import Entry, Journal
from resources.samples.prefix_cache import PrefixCache
from resources.samples.wire import Block, output_tokens, wire_blocks

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
OPUS = Model(
    "anthropic",
    "anthropic-messages",
    "claude-opus-4-5",
    Decimal("5"),
    Decimal("25"),
    Decimal("0.5"),
    Decimal("6.25"),
    4096,
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


class Recorder(Journal):
    """The pretended agent, writing one session."""

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
        super().__init__(seed=seed, start=start, cwd=cwd)
        self.model = model
        self.window = window
        self._guard = guard
        self._system = (stable, dynamic)
        self._tools_version = 0
        self._thinking = "off"
        self._cache = PrefixCache(minimum=model.minimum)
        self.requests = 0
        self.last_prompt = 0

    def choose_model(self) -> str:
        return self.append("model_change", provider=self.model.provider, modelId=self.model.id)

    def choose_thinking(self, level: str) -> str:
        self._thinking = level
        return self.append("thinking_level_change", thinkingLevel=level)

    def snapshot_model(self) -> str:
        data = {
            "timestamp": self.now,
            "provider": self.model.provider,
            "modelApi": self.model.api,
            "modelId": self.model.id,
        }
        return self.append("custom", customType="model-snapshot", data=data)

    def mark_ttl(self) -> str:
        """OpenClaw notes after every turn when the cache was last touched."""
        data = {"timestamp": self.now, "provider": self.model.provider, "modelId": self.model.id}
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
        started = self.now
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

    def reply(self, text: str, calls: Sequence[Call] = (), *, thinking: str = "") -> str:
        """One model call and the results of its tools; returns the id of the assistant entry."""
        identifiers = [call.id or self.call_id() for call in calls]
        content: list[dict[str, Any]] = []
        if thinking:
            content.append({"type": "thinking", "thinking": thinking, "thinkingSignature": self.signature()})
        if text:
            content.append({"type": "text", "text": text})
        for call, identifier in zip(calls, identifiers, strict=True):
            block = {"type": "toolCall", "id": identifier, "name": call.name, "arguments": call.arguments}
            content.append(call.raw if call.raw is not None else block)
        made = self.answer(content, stop="toolUse" if calls else "stop")
        for call, identifier in zip(calls, identifiers, strict=True):
            if call.output is not None:
                self.wait(call.seconds)
                self.result(identifier, call.name, call.output, call.details, error=call.error)
        return made

    def answer(self, content: Sequence[dict[str, Any]], *, stop: str, error: str | None = None) -> str:
        """One model call with this answer. One that ends in an error was never counted by the provider."""
        self.wait(0.3 + self.rng.random() * 1.4)
        started = self.now
        output = max(output_tokens(content), 1)
        usage = self._usage_of(self.blocks(), started, output) if error is None else _usage(0, 0, 0, 0, _NO_COST)
        self.wait(1.1 + output / 48 + self.rng.random() * 1.2)
        failure = {} if error is None else {"errorMessage": error}
        return self.message(
            role="assistant",
            content=list(content),
            api=self.model.api,
            provider=self.model.provider,
            model=self.model.id,
            usage=usage,
            stopReason=stop,
            **failure,
            timestamp=started,
        )

    def bash(self, command: str, output: str, *, excluded: bool = False, code: int = 0) -> str:
        """A command that the user ran in the agent's prompt, `!` or (left out of the context) `!!`."""
        fields: dict[str, Any] = {"excludeFromContext": True} if excluded else {}
        return self.message(
            role="bashExecution",
            command=command,
            output=output,
            exitCode=code,
            cancelled=False,
            truncated=False,
            **fields,
        )

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
        return wire_blocks(self.path(), self.window if self._guard else None)

    def change_tools(self) -> None:
        """The tool list has another order from now on; its size stays."""
        self._tools_version += 1

    def leading(self) -> tuple[list[Block], int]:
        """What a request sends before the messages, and which of it is the marked one."""
        stable, dynamic = self._system
        return [Block(f"tools {self._tools_version}", stable), Block(f"dynamic {self._thinking}", dynamic)], 0

    def _usage_of(self, blocks: list[Block], started: int, output: int) -> Entry:
        leading, mark = self.leading()
        chain = [*leading, *blocks]
        read, write = self._cache.request(chain, marks=(mark, len(chain) - 1), at_ms=started)
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
