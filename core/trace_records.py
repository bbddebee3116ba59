"""One line of a trace: what the agent wrote down of a model call, and which of it is kept.

    cache-trace.jsonl       {runId, sessionId, ts, seq, stage, system, messages, …}           agent pipeline 4
    trajectory side file    {traceSchema, runId, ts, seq, type, data: {systemPrompt, tools}}  session formats 2.1

A record keeps digests and sizes only: a trace repeats the whole prompt with every call, and may be far larger than the
session. Texts and messages are read again from the line when somebody asks (`Contents`).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from core import boundary, javascript
from core.javascript import epoch_ms
from core.messages import Json, Message

Kind = Literal["cache_trace", "trajectory"]

SCHEMA = "openclaw-trajectory"
CALL = {"cache_trace": "stream:context", "trajectory": "context.compiled"}
"""The stage that tells what went to the provider, by kind of trace."""
STAGES = (
    *("session:loaded", "session:sanitized", "session:limited", "cache:state", "prompt:before", "prompt:images"),
    *("stream:context", "session:after", "cache:result"),
)
"""Of a cache trace, in the agent's order."""
TYPES = (
    *("session.started", "trace.metadata", "context.compiled", "prompt.submitted", "model.completed"),
    *("trace.artifacts", "session.ended"),
)
"""Of a trajectory, in the agent's order."""
SYSTEM = {"cache_trace": "system", "trajectory": "systemPrompt"}
"""Where the system prompt stands."""
LIMIT = 64
"""Items at which a trajectory's arrays end (session formats 2.1)."""


_SIGNS = re.compile("[^A-Za-z0-9]")


class Tool(NamedTuple):
    """`name`: "" where it has none. `digest`: of the whole definition; key order counts, as it does for a cache."""

    name: str
    digest: str


class Tail(NamedTuple):
    """What a message keeps through all stages: its time in epoch ms, and the letters and digits of the id of the call
    that it answers ("" = none). Roles change when notes become user messages, ids lose their signs."""

    call: str
    time: int | None


class InjectedFile(NamedTuple):
    """A context file as the agent reports it: UTF-16 units in the folder and in the prompt."""

    name: str
    missing: bool
    raw: int
    injected: int
    truncated: bool


@dataclass(frozen=True, slots=True)
class PromptReport:
    """The agent's own report about its system prompt; limits in UTF-16 units, None where it names none."""

    per_file: int | None
    total: int | None
    files: tuple[InjectedFile, ...]


@dataclass(frozen=True, slots=True)
class TraceRecord:
    """One line. `line`: physical, from 1; `offset`, `size`: its bytes. `run`: of the prompt it belongs to.

    `system`, `stable`: SHA-256 of the system prompt and of its part above the boundary, `strays`: boundary
    markers in it that are none; `tools`: the roster in its order; None = not recorded. `messages`: how many; `tail`: of
    the last one that was sent (cache traces only).
    `leaf`: id of the entry the prompt was hung on. `digests_hold`: recorded and computed digest of the system agree.
    """

    line: int
    offset: int
    size: int
    stage: str
    run: str
    session: str
    key: str
    seq: int | None
    time: int | None
    provider: str
    model: str
    api: str
    system: str | None = None
    stable: str | None = None
    strays: int = 0
    tools: tuple[Tool, ...] | None = None
    messages: int | None = None
    tail: Tail | None = None
    leaf: str | None = None
    digests_hold: bool = True
    report: PromptReport | None = None


@dataclass(frozen=True, slots=True)
class Contents:
    """What a line holds beside its digests; None = not recorded. `lossy`: values may be cut, lists end at 64."""

    system: str | None
    tools: tuple[Json, ...] | None
    messages: tuple[Message, ...] | None
    fingerprints: tuple[str, ...]
    lossy: bool


def kind_of(value: Json) -> Kind | None:
    """Which trace the line belongs to; None for anything else."""
    if not isinstance(value, dict):
        return None
    if value.get("traceSchema") == SCHEMA:
        return "trajectory"
    stage = value.get("stage")
    return "cache_trace" if isinstance(stage, str) and "runId" in value else None


def record_of(value: dict[str, Json], kind: Kind, line: int, offset: int, size: int) -> TraceRecord:
    """From a parsed line that `kind_of` recognised. Fields of a wrong type count as not recorded."""
    body = _body(value, kind)
    system, tools = system_of(value, kind), tools_of(value, kind)
    halves = boundary.split(system) if system is not None else None
    said = value.get("systemDigest")
    messages, count = body.get("messages"), body.get("messageCount")
    listed = messages if isinstance(messages, list) else None
    leaf = body.get("transcriptLeafId")
    return TraceRecord(
        line,
        offset,
        size,
        stage=_text(value.get("stage" if kind == "cache_trace" else "type")),
        run=_text(value.get("runId")),
        session=_text(value.get("sessionId")),
        key=_text(value.get("sessionKey")),
        seq=_whole(value.get("seq")),
        time=epoch_ms(value.get("ts")),
        provider=_text(value.get("provider")),
        model=_text(value.get("modelId")),
        api=_text(value.get("modelApi")),
        system=None if system is None else text_digest(system),
        stable=None if system is None else text_digest(halves.stable if halves else system),
        strays=len(boundary.stray_markers(system or "")),
        tools=None if tools is None else tuple(map(tool_of, tools)),
        messages=len(listed) if listed is not None else _whole(count),
        tail=tail_of(Message.of(listed[-1])) if listed and kind == "cache_trace" else None,
        leaf=leaf if isinstance(leaf, str) else None,
        digests_hold=not isinstance(said, str) or "system" not in value or said == json_digest(value["system"]),
        report=_report(body) if kind == "trajectory" else None,
    )


def contents_of(value: dict[str, Json], kind: Kind) -> Contents:
    body = _body(value, kind)
    messages = body.get("messages")
    prints = body.get("messageFingerprints")
    return Contents(
        system_of(value, kind),
        tools_of(value, kind),
        tuple(map(Message.of, messages)) if isinstance(messages, list) else None,
        tuple(map(_text, prints)) if isinstance(prints, list) else (),
        kind == "trajectory",
    )


def tool_of(raw: Json) -> Tool:
    """`raw`: a definition, in any provider's form."""
    named = raw if isinstance(raw, dict) else {}
    inner = named.get("function")
    name = named.get("name", inner.get("name") if isinstance(inner, dict) else "")
    return Tool(_text(name), text_digest(javascript.json_text(raw)))


def tail_of(message: Message) -> Tail:
    """The same in the session and in a trace of it."""
    return Tail(_SIGNS.sub("", _text(message.get("toolCallId")))[:40], _whole(message.get("timestamp")))


def text_digest(text: str) -> str:
    """SHA-256 of a text in UTF-8, hexadecimal; lone surrogates are kept as three bytes each."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def json_digest(value: Json) -> str:
    """The agent's digest: SHA-256 of the JSON with keys sorted at every level (agent pipeline 4)."""
    return text_digest(javascript.json_text(_sorted(value)))


def messages_digest(fingerprints: Sequence[str]) -> str:
    """The agent's digest of a whole list: that of its fingerprints joined with a bar."""
    return json_digest("|".join(fingerprints))


_DEEP = 200


def _sorted(value: Json, depth: int = 0) -> Json:
    """Nobody nests messages deeper than a few levels; below the limit the order stays as recorded."""
    if depth > _DEEP:
        return value
    if isinstance(value, dict):
        return {key: _sorted(value[key], depth + 1) for key in sorted(value)}
    return [_sorted(item, depth + 1) for item in value] if isinstance(value, list) else value


def _body(value: dict[str, Json], kind: Kind) -> dict[str, Json]:
    data = value.get("data") if kind == "trajectory" else value
    return data if isinstance(data, dict) else {}


def system_of(value: dict[str, Json], kind: Kind) -> str | None:
    """The system prompt that a line holds, marker included."""
    return _system_text(_body(value, kind).get(SYSTEM[kind]))


def tools_of(value: dict[str, Json], kind: Kind) -> tuple[Json, ...] | None:
    """The tool definitions that a line holds, at its top or among the options."""
    body = _body(value, kind)
    tools, options = body.get("tools"), body.get("options")
    if tools is None and isinstance(options, dict):
        tools = options.get("tools")
    return tuple(tools) if isinstance(tools, list) else None


def _system_text(system: Json) -> str | None:
    """A string, or the texts of its blocks with a blank line between."""
    if isinstance(system, str):
        return system
    if not isinstance(system, list):
        return None
    texts = [block.get("text") if isinstance(block, dict) else block for block in system]
    return "\n\n".join(text for text in texts if isinstance(text, str))


def _report(body: dict[str, Json]) -> PromptReport | None:
    prompting = body.get("prompting")
    report = prompting.get("systemPromptReport") if isinstance(prompting, dict) else None
    if not isinstance(report, dict):
        return None
    listed = report.get("injectedWorkspaceFiles")
    files = tuple(
        InjectedFile(
            _text(item.get("name")),
            item.get("missing") is True,
            _whole(item.get("rawChars")) or 0,
            _whole(item.get("injectedChars")) or 0,
            item.get("truncated") is True,
        )
        for item in (listed if isinstance(listed, list) else ())
        if isinstance(item, dict)
    )
    return PromptReport(_whole(report.get("bootstrapMaxChars")), _whole(report.get("bootstrapTotalMaxChars")), files)


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _whole(value: Json) -> int | None:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if type(value) is int and abs(value) < 2**53 else None
