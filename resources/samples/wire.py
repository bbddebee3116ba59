"""From the entries on a path to the blocks a request sends, as an OpenClaw of April 2026 would.

Only what the samples need: the compaction rule, failed and empty answers left out, results paired with their calls, and
the tool-result guard of 2026.4.5. The product's own layers are written against recorded cases; this is an independent,
smaller rendering of the same rules, used to invent believable usage.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from resources.samples.guard_rules import cut_results
from resources.samples.tokens import tokens

Message = dict[str, Any]

MISSING = "No result was recorded for this call; the tool may have been interrupted."

# What the provider adds around a block, in tokens: role and turn marks, call and result identifiers.
_AROUND = {"text": 4, "thinking": 10, "toolCall": 38, "toolResult": 26}


@dataclass(frozen=True, slots=True)
class Block:
    content: str
    tokens: int


def wire_blocks(path: Sequence[dict[str, Any]], window: int | None) -> list[Block]:
    """The blocks of the messages on `path`; `window` None switches the guard off."""
    messages = _paired(_sent(context_messages(path)))
    if window is not None:
        messages = cut_results(messages, window)
    return [block for message in messages for block in _blocks(message)]


def context_messages(path: Sequence[dict[str, Any]]) -> list[Message]:
    """Messages on the path: the summary of its last compaction, what that kept, and everything after it."""
    last = max((at for at, entry in enumerate(path) if entry["type"] == "compaction"), default=None)
    if last is None:
        return _messages(path)
    kept = path[last]["firstKeptEntryId"]
    first = next((at for at, entry in enumerate(path[:last]) if entry["id"] == kept), last)
    return [_user("summary", path[last]["summary"]), *_messages(path[first:last]), *_messages(path[last + 1 :])]


def output_tokens(content: Sequence[dict[str, Any]]) -> int:
    return sum(block.tokens for block in _blocks({"role": "assistant", "content": list(content)}))


def _messages(entries: Sequence[dict[str, Any]]) -> list[Message]:
    made: list[Message] = []
    for entry in entries:
        if entry["type"] == "message":
            made.append(entry["message"])
        elif entry["type"] == "branch_summary":
            made.append(_user("branch", entry["summary"]))
        elif entry["type"] == "custom_message":
            made.append(_user("custom", entry["content"]))
    return made


def _user(kind: str, text: str) -> Message:
    return {"role": "user", "kind": kind, "content": [{"type": "text", "text": text}]}


def _sent(messages: list[Message]) -> list[Message]:
    """Without mirrors, failed answers, empty answers and excluded commands."""
    kept: list[Message] = []
    for message in messages:
        if message["role"] == "assistant" and (
            message.get("provider") == "openclaw"
            or message.get("stopReason") in ("error", "aborted")
            or not message["content"]
        ):
            continue
        if message["role"] == "bashExecution":
            if message.get("excludeFromContext"):
                continue
            message = _user("bash", f"{message['command']}\n{message['output']}")
        kept.append(message)
    return kept


def _paired(messages: list[Message]) -> list[Message]:
    """Each call followed by its result; a result without a call is dropped, a missing one supplied."""
    made: list[Message] = []
    at = 0
    while at < len(messages):
        message = messages[at]
        at += 1
        if message["role"] == "toolResult":
            continue
        if message["role"] != "assistant":
            made.append(message)
            continue
        calls = [b for b in message["content"] if b["type"] == "toolCall" and b.get("id") and b.get("name")]
        made.append({**message, "content": [b for b in message["content"] if b["type"] != "toolCall" or b in calls]})
        results: dict[str, list[Message]] = {}
        others: list[Message] = []
        while calls and at < len(messages) and messages[at]["role"] != "assistant":
            found = messages[at]
            at += 1
            if found["role"] == "toolResult":
                results.setdefault(found["toolCallId"], []).append(found)
            else:
                others.append(found)
        for call in calls:
            waiting = results.get(call["id"])
            made.append(waiting.pop(0) if waiting else _missing(call))
        made.extend(others)
    return made


def _missing(call: Message) -> Message:
    return {
        "role": "toolResult",
        "toolCallId": call["id"],
        "toolName": call["name"],
        "content": [{"type": "text", "text": MISSING}],
    }


def _blocks(message: Message) -> list[Block]:
    blocks: list[Block] = []
    role = message["role"]
    for part in message["content"]:
        if role == "toolResult":
            text, kind = part["text"], "toolResult"
        elif part["type"] == "toolCall":
            arguments = json.dumps(part.get("arguments"), ensure_ascii=False, separators=(",", ":"))
            text, kind = f"{part.get('name')} {arguments}", "toolCall"
        else:
            kind = part["type"]
            text = part[kind]
        identity = f"{role} {kind} {part.get('id') or message.get('toolCallId') or ''} {text}"
        blocks.append(Block(identity, tokens(text) + _AROUND[kind]))
    return blocks
