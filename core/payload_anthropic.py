"""The messages of an agent as a request of Anthropic's messages API (its documentation of autumn 2026).

    user        text, image                     →  user        text, image (base64)
    assistant   text, thinking, toolCall        →  assistant   text, thinking + signature, tool_use
    toolResult  toolResult  …  (neighbours)     →  user        tool_result, tool_result …

Blank texts are refused by the provider and are left out; a message of which nothing is left goes with them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core import boundary, javascript
from core.cache_control import MOST_MARKS, marked_payload
from core.messages import Json, Message, Part, Shape
from core.prompt import Blocks


@dataclass(frozen=True, slots=True)
class Control:
    """`mark`: what a mark says, None = no marks. `every_part`: the system prompt is marked below its boundary too."""

    mark: dict[str, Json] | None
    every_part: bool = False


@dataclass(frozen=True, slots=True)
class Marked:
    """`controls`: the mark at the end of each block: tools (if any), texts of the system prompt, messages."""

    request: dict[str, Json]
    controls: tuple[Json, ...]


def anthropic_request(
    system: str | None, tools: Sequence[Json] | None, blocks: Blocks, model: str, control: Control
) -> Marked:
    """`system`: with its boundary marker, which is taken out. What is not known is not in the request."""
    messages, owners = messages_of(blocks)
    plain: dict[str, Json] = {"model": model, "messages": messages}
    if system:
        plain["system"] = [{"type": "text", "text": system}]
    made = marked_payload(plain, control.mark)
    parts = made.get("system", [])
    if control.every_part and control.mark is not None:
        parts = [{**part, "cache_control": control.mark} for part in parts]
    request: dict[str, Json] = {"model": model}
    if tools is not None:
        request["tools"] = [_tool(tool) for tool in tools]
    if parts:
        request["system"] = parts
    request["messages"] = made["messages"]
    _cap(request)
    ends: list[Json] = [None] * len(blocks)
    for message, owned in zip(request["messages"], owners, strict=True):
        content = message["content"]
        for part, owner in zip(content if isinstance(content, list) else (), owned, strict=False):
            ends[owner] = part.get("cache_control") or ends[owner]
    tool_marks = [None] if tools is not None else []
    return Marked(request, (*tool_marks, *_system_marks(system, request.get("system", [])), *ends))


def _system_marks(system: str | None, parts: Sequence[Json]) -> list[Json]:
    """A mark for each part above and below the boundary; without marks both are sent as one text."""
    if not system:
        return []
    own = [part for part in boundary.split(system) or (system,) if part]
    return [part.get("cache_control") for part in parts] if len(parts) == len(own) else [None] * len(own)


def messages_of(blocks: Blocks) -> tuple[list[dict[str, Json]], list[list[int]]]:
    """(messages, for each of them the index of the block that each of its content blocks comes from)."""
    messages: list[dict[str, Json]] = []
    owners: list[list[int]] = []
    in_results = False
    for index, block in enumerate(blocks):
        message = block.message
        if message.role == "toolResult":
            if not in_results:
                messages.append({"role": "user", "content": []})
                owners.append([])
            messages[-1]["content"].append(_result(message))
            owners[-1].append(index)
            in_results = True
            continue
        in_results = False
        role = "assistant" if message.role == "assistant" else "user"
        content: Json = _content(message)
        if not content:
            continue
        messages.append({"role": role, "content": content})
        owners.append([index] * (1 if isinstance(content, str) else len(content)))
    return messages, owners


def _content(message: Message) -> Json:
    if message.shape is Shape.STRING:
        text = str(message.parts[0].text)
        if not javascript.trim(text):
            return ""
        return [{"type": "text", "text": text}] if message.role == "assistant" else text
    return [made for part in message.parts if (made := _part(part)) is not None]


def _part(part: Part) -> dict[str, Json] | None:
    text = str(part.text) if part.text is not None else ""
    match part.kind:
        case "text":
            return {"type": "text", "text": text} if javascript.trim(text) else None
        case "thinking":
            signature = part.get("thinkingSignature")
            if part.get("redacted") and isinstance(signature, str):
                return {"type": "redacted_thinking", "data": signature}
            if isinstance(signature, str) and signature:
                return {"type": "thinking", "thinking": text, "signature": signature}
            return {"type": "text", "text": text} if javascript.trim(text) else None
        case "image":
            return _image(part)
        case "toolCall":
            arguments = part.get("arguments")
            given = arguments if isinstance(arguments, dict) else {}
            return {"type": "tool_use", "id": part.get("id"), "name": part.get("name"), "input": given}
    return dict(part.raw) if isinstance(part.raw, dict) else {"type": "text", "text": str(part.raw)}


def _image(part: Part) -> dict[str, Json]:
    source = part.get("source")
    if isinstance(source, dict):
        return {"type": "image", "source": source}
    media = part.get("mimeType")
    return {"type": "image", "source": {"type": "base64", "media_type": media, "data": part.get("data")}}


def _result(message: Message) -> dict[str, Json]:
    content: Json
    if message.shape is Shape.STRING:
        content = str(message.parts[0].text)
    elif all(part.kind == "text" for part in message.parts):
        content = "\n".join(str(part.text) for part in message.parts if part.text is not None)
    else:
        content = [made for part in message.parts if (made := _part(part)) is not None]
    made = {"type": "tool_result", "tool_use_id": message.get("toolCallId"), "content": content}
    return {**made, "is_error": message.get("isError") is True}


def _tool(raw: Json) -> Json:
    """A definition in Anthropic's form; one that is in it stays as it is."""
    if not isinstance(raw, dict):
        return raw
    inner = raw["function"] if isinstance(raw.get("function"), dict) else raw
    if "input_schema" in inner or "parameters" not in inner:
        return inner
    named = {key: inner[key] for key in ("name", "description") if key in inner}
    return {**named, "input_schema": inner["parameters"]}


def _cap(request: dict[str, Json]) -> None:
    """A fifth mark is an error for the provider: the first ones go, since a later one covers what they did."""
    system = request.get("system", [])
    messages = request["messages"]
    in_messages = sum(
        "cache_control" in part
        for message in messages
        for part in (message["content"] if isinstance(message["content"], list) else ())
    )
    marked = [at for at, part in enumerate(system) if "cache_control" in part]
    for at in marked[: max(0, len(marked) + in_messages - MOST_MARKS)]:
        system[at] = {key: value for key, value in system[at].items() if key != "cache_control"}
