"""Cache marks of an Anthropic request as OpenClaw 2026.4.5 sets them. Source: recorded cases of layer e.

system    [… stable ◆]  [dynamic …]      a text block with the boundary becomes two, the first one is marked
messages  … [last block of the last user message ◆]
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from core import boundary
from core.messages import Json

MOST_MARKS = 4
"""A fifth one makes the provider refuse the request (prompt cache 1)."""

_HOST = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[/\\]{2,}(?:[^/\\?#@]*@)?([^/\\?#:@\s]+)(?::(\d*))?(?=[/\\?#]|\Z)")
_LONG_LIVED = ("api.anthropic.com", "aiplatform.googleapis.com")
_MARKABLE = ("text", "image", "tool_result")


def cache_control(base_url: Json, retention: Json, default: str = "short") -> dict[str, Json] | None:
    """What a mark says; None = no marks. `retention`: "none", "short" or "long"; `default` where it is not set.

    An hour is asked for only where the address is known to grant it."""
    wanted = default if retention is None else retention
    if wanted == "none":
        return None
    mark: dict[str, Json] = {"type": "ephemeral"}
    return {**mark, "ttl": "1h"} if wanted == "long" and _grants_an_hour(base_url) else mark


def _grants_an_hour(base_url: Json) -> bool:
    found = _HOST.match(base_url.strip()) if isinstance(base_url, str) else None
    if found is None or int(found[2] or 0) > 65535:
        return False
    host = found[1].lower()
    return host in _LONG_LIVED or host.endswith("-aiplatform.googleapis.com")


def marked_payload(
    payload: Mapping[str, Json], control: dict[str, Json] | None, service_tier: Json = None
) -> dict[str, Json]:
    """The request with the agent's marks, None = with none. `service_tier`: set where it is allowed and not there yet.

    A system prompt that is a string is left as it is, boundary included. The agent does not stop at four marks."""
    made = dict(payload)
    if service_tier is not None and "service_tier" not in made:
        made["service_tier"] = service_tier
    system = made.get("system")
    if isinstance(system, list):
        made["system"] = [part for block in system for part in _system(block, control)]
    messages = made.get("messages")
    if control is not None and isinstance(messages, list) and messages:
        made["messages"] = [*messages[:-1], _last(messages[-1], control)]
    return made


def _system(block: Json, control: dict[str, Json] | None) -> Sequence[Json]:
    if not isinstance(block, dict) or block.get("type") != "text" or not isinstance(block.get("text"), str):
        return (block,)
    halves = boundary.split(block["text"])
    if control is None:
        return ({**block, "text": boundary.strip(block["text"])},) if halves is not None else (block,)
    if halves is None:
        return (block if "cache_control" in block else {**block, "cache_control": control},)
    own = block.get("cache_control")
    plain = {key: value for key, value in block.items() if key != "cache_control"}
    found: list[Json] = []
    if halves.stable:
        found.append({**plain, "text": halves.stable, "cache_control": control if own is None else own})
    if halves.dynamic:
        found.append({**plain, "text": halves.dynamic})
    return found


def _last(message: Json, control: dict[str, Json]) -> Json:
    """The last message, marked at its end if it is a user's."""
    if not isinstance(message, dict) or message.get("role") != "user":
        return message
    content = message.get("content")
    if isinstance(content, str):
        return {**message, "content": [{"type": "text", "text": content, "cache_control": control}]}
    if isinstance(content, list) and content and isinstance(content[-1], dict) and content[-1].get("type") in _MARKABLE:
        return {**message, "content": [*content[:-1], {**content[-1], "cache_control": control}]}
    return message


def marked_chat(payload: Mapping[str, Json]) -> dict[str, Json]:
    """The same for a request in the form of chat completions: system and developer messages are marked at their end,
    and thinking blocks of answers lose marks that a provider would refuse."""
    messages = payload.get("messages")
    if not isinstance(messages, list):
        return dict(payload)
    return {**payload, "messages": [_chat(message) for message in messages]}


def _chat(message: Json) -> Json:
    if not isinstance(message, dict):
        return message
    content, control = message.get("content"), {"type": "ephemeral"}
    if message.get("role") in ("system", "developer"):
        if isinstance(content, str):
            return {**message, "content": [{"type": "text", "text": content, "cache_control": control}]}
        if isinstance(content, list) and content and isinstance(content[-1], dict) and not _thinks(content[-1]):
            return {**message, "content": [*content[:-1], {**content[-1], "cache_control": control}]}
    elif message.get("role") == "assistant" and isinstance(content, list):
        kept = [_unmarked(block) if isinstance(block, dict) and _thinks(block) else block for block in content]
        return {**message, "content": kept}
    return message


def _thinks(block: Mapping[str, Json]) -> bool:
    return block.get("type") in ("thinking", "redacted_thinking")


def _unmarked(block: Mapping[str, Json]) -> Json:
    return {key: value for key, value in block.items() if key != "cache_control"}
