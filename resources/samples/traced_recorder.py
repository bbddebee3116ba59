"""The pretended agent with its diagnostics switched on: beside the session it writes a cache trace and a trajectory.

    traced-session.jsonl               the session, by the recorder
    traced-session.cache-trace.jsonl   per call: system prompt and messages, whole, with digests
    traced-session.trajectory.jsonl    per run: system prompt, tools, report about the context files

Which digests and fields stand in them, and in which order the stages come, follows the product's notes on these files.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from resources.samples.recorder import Recorder
from resources.samples.tokens import tokens
from resources.samples.traced_tools import Tool
from resources.samples.wire import Block, Message, context_messages

BOUNDARY = "\n<!-- OPENCLAW_CACHE_BOUNDARY -->\n"
LIMIT = 64
"""Items at which lists of a trajectory end."""
KEY = "agent:main:telegram:group:-1002231616"
VERSION = "2026.4.5"


class TracedRecorder(Recorder):
    """`stable`, `dynamic`: the system prompt on both sides of its boundary, `tools`: the roster. Set before a run."""

    def __init__(self, *, seed: int, start: str, cwd: str) -> None:
        super().__init__(seed=seed, start=start, cwd=cwd)
        self.stable = self.dynamic = ""
        self.tools: list[Tool] = []
        self.files: list[dict[str, Any]] = []
        self.cache_trace: list[dict[str, Any]] = []
        self.trajectory: list[dict[str, Any]] = []
        self._run = ""
        self._seq = 0
        self._events = 0
        self._read: int | None = None
        self._before: dict[str, str] = {}

    @property
    def session(self) -> str:
        return str(self.lines[0]["id"])

    @property
    def system(self) -> str:
        return self.stable + BOUNDARY + self.dynamic

    def leading(self) -> tuple[list[Block], int]:
        tools = json.dumps(self.tools, ensure_ascii=False, separators=(",", ":"))
        texts = (tools, self.stable.rstrip(), self.dynamic.lstrip())
        return [Block(text, tokens(text) + 8) for text in texts], 1

    # runs

    def ask(self, text: str) -> str:
        """A prompt begins a run: its system prompt and its tools are compiled once."""
        self._run = f"run-{self._uuid()}"
        self._seq = 0
        prepared = self._sendable()
        self._event("session.started", trigger="user", toolCount=len(self.tools))
        self._event("trace.metadata", harness={"type": "openclaw", "version": VERSION}, prompting=self._report())
        self._event(
            "context.compiled",
            systemPrompt=self.system,
            prompt=text,
            messages=prepared[:LIMIT],
            tools=self.tools,
            transcriptLeafId=self.leaf,
        )
        self._stage("session:loaded", messages=context_messages(self.path()))
        self._stage("session:sanitized", messages=prepared)
        self._stage("session:limited", messages=prepared)
        seen = {"systemPrompt": _digest(self.system), "tools": _digest(sorted(tool["name"] for tool in self.tools))}
        changes = [
            {"code": code, "detail": f"{code} changed"}
            for code in seen
            if self._before.get(code, seen[code]) != seen[code]
        ]
        self._before = seen
        self._stage("cache:state", options={"snapshot": seen, "previousCacheRead": self._read, "changes": changes})
        self._stage("prompt:before", prompt=text, system=self.system)
        self._event("prompt.submitted", prompt=text)
        return super().ask(text)

    def answer(self, content: Any, *, stop: str, error: str | None = None) -> str:
        made = super().answer(content, stop=stop, error=error)
        usage = self._by_id[made]["message"]["usage"]
        if stop != "toolUse":
            options = {"previousCacheRead": self._read, "cacheRead": usage["cacheRead"], "changes": []}
            self._stage("session:after", messages=self._sendable())
            self._stage("cache:result", options=options)
            counts = {key: usage[key] for key in ("input", "output", "cacheRead", "cacheWrite")}
            self._event("model.completed", usage=counts, promptCache={"lastCallUsage": counts})
            self._event("session.ended", status="success")
        self._read = usage["cacheRead"]
        return made

    def _usage_of(self, blocks: list[Block], started: int, output: int) -> dict[str, Any]:
        messages = self._sendable()
        model = {"id": self.model.id, "provider": self.model.provider, "api": self.model.api}
        self._stage(
            "stream:context", model=model, system=self.system, messages=messages, options={"cacheRetention": "short"}
        )
        return super()._usage_of(blocks, started, output)

    # files

    def _sendable(self) -> list[Message]:
        """What is sent again: no copies for the chat channel, no details."""
        loaded = context_messages(self.path())
        return [_without_details(message) for message in loaded if message.get("provider") != "openclaw"]

    def _report(self) -> dict[str, Any]:
        report = {
            "source": "run",
            "bootstrapMaxChars": 12_000,
            "bootstrapTotalMaxChars": 60_000,
            "systemPrompt": {"chars": len(self.system)},
            "injectedWorkspaceFiles": self.files,
        }
        return {"systemPromptReport": report}

    def _stage(self, stage: str, **fields: Any) -> None:
        self._seq += 1
        told: dict[str, Any] = {
            "runId": self._run,
            "sessionId": self.session,
            "sessionKey": KEY,
            "provider": self.model.provider,
            "modelId": self.model.id,
            "modelApi": self.model.api,
            "workspaceDir": self.lines[0]["cwd"],
            "ts": self._iso(),
            "seq": self._seq,
            "stage": stage,
            **fields,
        }
        if "system" in fields:
            told["systemDigest"] = _digest(fields["system"])
        if "messages" in fields:
            prints = [_digest(message) for message in fields["messages"]]
            told["messageCount"] = len(prints)
            told["messageRoles"] = [message["role"] for message in fields["messages"]]
            told["messageFingerprints"] = prints
            told["messagesDigest"] = _digest("|".join(prints))
        self.cache_trace.append(told)

    def _event(self, kind: str, **data: Any) -> None:
        self._events += 1
        self.trajectory.append(
            {
                "traceSchema": "openclaw-trajectory",
                "schemaVersion": 1,
                "traceId": self.session,
                "source": "runtime",
                "type": kind,
                "ts": self._iso(),
                "seq": self._events,
                "sourceSeq": self._events,
                "sessionId": self.session,
                "sessionKey": KEY,
                "runId": self._run,
                "workspaceDir": self.lines[0]["cwd"],
                "provider": self.model.provider,
                "modelId": self.model.id,
                "modelApi": self.model.api,
                "data": data,
            }
        )

    def side_files(self) -> dict[str, str]:
        """Ending of the name -> text."""
        return {
            "cache-trace.jsonl": _lines(self.cache_trace),
            "trajectory.jsonl": _lines(self.trajectory),
        }


def _lines(records: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n" for record in records)


def _digest(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _without_details(message: Message) -> Message:
    """As the sanitizing steps leave it. Call ids of this provider stay as they are."""
    return {key: value for key, value in message.items() if key != "details"}
