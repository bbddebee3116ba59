"""The messages of an agent as a request of OpenAI's responses API (its documentation, autumn 2026).

    system      →  input: message, role developer; the boundary is a line end, caching is implicit
    user        →  input: message, input_text and input_image
    assistant   →  input: reasoning (as recorded), message with output_text, function_call
    toolResult  →  input: function_call_output

A call's id holds two there, `call|item`: the first one pairs call and output.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core import boundary, javascript
from core.lines import parse
from core.messages import Json, Message, Part, Shape
from core.prompt import Blocks

LONGEST_KEY = 64
"""Characters of a routing key (prompt cache 5)."""


def openai_request(
    system: str | None, tools: Sequence[Json] | None, blocks: Blocks, model: str, session: str, long: bool
) -> dict[str, Json]:
    """`session`: becomes the routing key. `long`: entries shall live for a day."""
    request: dict[str, Json] = {"model": model}
    if tools is not None:
        request["tools"] = [_tool(tool) for tool in tools]
    given: list[Json] = []
    if system:
        given.append({"role": "developer", "content": [_text("input_text", boundary.strip(system))]})
    for block in blocks:
        given += _items(block.message)
    request["input"] = given
    request["store"] = False
    if session:
        request["prompt_cache_key"] = session[:LONGEST_KEY]
    if long:
        request["prompt_cache_retention"] = "24h"
    return request


def _items(message: Message) -> Iterator[dict[str, Json]]:
    if message.role == "toolResult":
        call = message.get("toolCallId")
        output: Json = message.text()
        if any(part.kind == "image" for part in message.parts):
            output = [_input(part) for part in message.parts]
        yield {"type": "function_call_output", "call_id": _half(call, 0), "output": output}
    elif message.role == "assistant":
        for part in message.parts:
            yield from _answered(part)
    else:
        parts = message.parts if message.shape in (Shape.LIST, Shape.STRING) else ()
        content = [_input(part) for part in parts if part.text is None or javascript.trim(str(part.text))]
        if content:
            yield {"role": "user", "content": content}


def _answered(part: Part) -> Iterator[dict[str, Json]]:
    text = str(part.text) if part.text is not None else ""
    if part.kind == "text" and javascript.trim(text):
        yield {"type": "message", "role": "assistant", "content": [_text("output_text", text)]}
    elif part.kind == "thinking":
        signature = part.get("thinkingSignature")
        try:
            item = parse(signature.encode()) if isinstance(signature, str) and signature[:1] == "{" else None
        except ValueError:
            item = None
        if isinstance(item, dict) and item.get("type") == "reasoning":
            yield item
    elif part.kind == "toolCall":
        id, arguments = part.get("id"), part.get("arguments")
        made = {"type": "function_call", "call_id": _half(id, 0), "name": part.get("name")}
        item_id = _half(id, 1)
        named = {"id": item_id} if item_id else {}
        yield {**made, **named, "arguments": javascript.json_text({} if arguments is None else arguments)}


def _half(id: Json, which: int) -> Json:
    if not isinstance(id, str):
        return id if which == 0 else None
    halves = id.split("|", 1)
    return halves[which] if which < len(halves) else None


def _input(part: Part) -> dict[str, Json]:
    if part.kind == "image":
        source = part.get("source")
        held = source if isinstance(source, dict) else part.raw
        media, data = held.get("media_type") or held.get("mimeType"), held.get("data")
        return {"type": "input_image", "detail": "auto", "image_url": f"data:{media};base64,{data}"}
    if part.text is not None:
        return _text("input_text", str(part.text))
    return _text("input_text", part.raw if isinstance(part.raw, str) else javascript.json_text(part.raw))


def _text(kind: str, text: str) -> dict[str, Json]:
    return {"type": kind, "text": text}


def _tool(raw: Json) -> Json:
    """A definition in OpenAI's form; one that is in it stays as it is."""
    if not isinstance(raw, dict) or raw.get("type") not in (None, "function"):
        return raw
    inner = raw["function"] if isinstance(raw.get("function"), dict) else raw
    named = {key: inner[key] for key in ("name", "description") if key in inner}
    schema = inner.get("parameters", inner.get("input_schema"))
    return {"type": "function", **named, **({} if schema is None else {"parameters": schema})}
