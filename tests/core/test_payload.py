"""The request as the provider gets it: order, forms of both providers, and where the marks stand."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.boundary import BOUNDARY
from core.cache_control import MOST_MARKS
from core.errors import RequestError
from core.layer import Target
from core.payload import PLACEMENTS, payload, placement_of
from core.payload_anthropic import Control, _cap, anthropic_request
from core.profile import policy
from core.prompt_source import PartSource, PromptSource
from core.system_prompt import SystemPrompt
from tests.core.made import CLAUDE, GEMINI, blocks_of, call, prompts, reply, result, user

GPT = Target("openai", "openai-responses", "gpt-x", "openai")
HERE = PartSource("file", "x")
TOOLS = ({"name": "read", "description": "d", "parameters": {"type": "object"}},)
PICTURE = {"type": "image", "data": "AAAA", "mimeType": "image/png"}


def source(system: str | None = f"stable{BOUNDARY}dynamic", tools: Any = TOOLS) -> PromptSource:
    found = SystemPrompt.of_text(system, "recorded") if system is not None else None
    return PromptSource(found, tools, HERE, HERE)


def made(*messages: Any, placement: str = "openclaw", target: Target = CLAUDE, **more: Any):
    return payload(source(), blocks_of(*messages), target, placement, **more)


def test_order_of_anthropic():
    """Tools, system, messages: the order of the cache."""
    found = made(user("hi"))
    assert list(found.request) == ["model", "tools", "system", "messages"]
    assert found.request["tools"] == [{"name": "read", "description": "d", "input_schema": {"type": "object"}}]


MARK = {"type": "ephemeral"}


@pytest.mark.parametrize(
    ("placement", "marks"),
    [
        ("openclaw", (None, "5m", None, None, None, "5m")),
        ("pi", (None, "5m", None, None, None, "5m")),
        ("claude_code", (None, "1h", "1h", None, None, "1h")),
        ("none", (None,) * 6),
    ],
)
def test_marks_by_agent(placement, marks):
    """
    tools  stable ◆  dynamic  user  reply  user ◆
    """
    found = made(user("a"), reply("b"), user("c"), placement=placement)
    if placement == "none":
        assert "cache_control" not in json.dumps(found.request)
        assert found.request["system"] == [{"type": "text", "text": "stable\ndynamic"}]
    else:
        assert [block["text"] for block in found.request["system"]] == ["stable", "dynamic"]
    assert found.marks[: len(marks)] == marks or placement == "none"


def test_an_hour_by_retention():
    """Only where the address is known to grant it: Anthropic's own."""
    assert made(user("a"), retention="long").marks[-1] == "1h"
    bedrock = Target("amazon-bedrock", "bedrock-converse-stream", "m", "anthropic")
    assert made(user("a"), retention="long", target=bedrock).marks[-1] == "5m"
    assert set(made(user("a"), retention="none").marks) == {None}


def test_results_of_one_answer_share_a_message():
    """The mark stands at the last of them, and belongs to its block."""
    found = made(user("a"), reply(call("x"), call("y")), result("x"), result("y"))
    assert [message["role"] for message in found.request["messages"]] == ["user", "assistant", "user"]
    results = found.request["messages"][-1]["content"]
    assert [block["tool_use_id"] for block in results] == ["x", "y"]
    assert found.marks[-2:] == (None, "5m")


def test_parts_of_messages():
    """Thinking with its signature, without one as text; redacted thinking; pictures; blank texts not at all."""
    thoughts = [
        {"type": "thinking", "thinking": "t", "thinkingSignature": "s"},
        {"type": "thinking", "thinking": "plain"},
        {"type": "thinking", "thinking": "", "redacted": True, "thinkingSignature": "r"},
        {"type": "text", "text": " \n"},
    ]
    found = made(
        {"role": "user", "content": [PICTURE]}, reply(*thoughts), user(" "), result("x", "r", content=[PICTURE])
    )
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}
    sent = found.request["messages"]
    assert sent[0]["content"] == [picture]
    assert sent[1]["content"] == [
        {"type": "thinking", "thinking": "t", "signature": "s"},
        {"type": "text", "text": "plain"},
        {"type": "redacted_thinking", "data": "r"},
    ]
    assert sent[2]["content"][0]["content"] == [picture]
    assert len(sent) == 3


def test_openai():
    """System as a developer's message without its marker, calls and outputs by the first half of their id."""
    said = [user("a"), reply("b", call("c|fc", "read", path="p")), result("c|fc", "r")]
    found = made(*said, target=GPT, session="s" * 70, retention="long")
    request = found.request
    assert request["tools"] == [
        {"type": "function", "name": "read", "description": "d", "parameters": {"type": "object"}}
    ]
    assert request["input"] == [
        {"role": "developer", "content": [{"type": "input_text", "text": "stable\ndynamic"}]},
        {"role": "user", "content": [{"type": "input_text", "text": "a"}]},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "b"}]},
        {"type": "function_call", "call_id": "c", "name": "read", "id": "fc", "arguments": '{"path":"p"}'},
        {"type": "function_call_output", "call_id": "c", "output": "r"},
    ]
    assert (len(request["prompt_cache_key"]), request["prompt_cache_retention"]) == (64, "24h")
    assert set(found.marks) == {None}


def test_reasoning_is_sent_back_as_recorded():
    item = {"type": "reasoning", "id": "rs", "encrypted_content": "e"}
    thought = {"type": "thinking", "thinking": "t", "thinkingSignature": json.dumps(item)}
    found = made(reply(thought, {"type": "thinking", "thinking": "t", "thinkingSignature": "{no"}), target=GPT)
    assert found.request["input"][1:] == [item]


def test_what_nobody_told_is_not_in_the_request():
    found = payload(source(None, None), blocks_of(user("a")), CLAUDE, "openclaw")
    assert list(found.request) == ["model", "messages"]
    assert found.marks == ("5m",)


def test_a_provider_without_a_known_form():
    with pytest.raises(RequestError):
        made(user("a"), target=GEMINI)


def test_a_fifth_mark_is_left_out():
    """The provider refuses it: the first ones go, a later one covers them."""
    parts = [{"type": "text", "text": str(n), "cache_control": MARK} for n in range(6)]
    request = {"system": parts, "messages": [{"role": "user", "content": [{"type": "text", "cache_control": MARK}]}]}
    _cap(request)
    assert ["cache_control" in part for part in request["system"]] == [False, False, False, True, True, True]


def test_whose_marks():
    assert placement_of(policy("openclaw-2026.4.14"), "pi") == "openclaw"
    assert placement_of(policy("pi"), "openclaw") == "pi"
    assert placement_of(policy("article-1"), "openclaw") == "openclaw"
    assert placement_of(policy("article-1"), "claude_code") == "claude_code"


@settings(max_examples=40)
@given(prompts, st.sampled_from(PLACEMENTS), st.booleans())
def test_laws(blocks, placement, bounded):
    """Any prompt: at most four marks, one mark slot a block, roles known to the provider, no lost result."""
    given_source = source(f"s{BOUNDARY}d" if bounded else "s")
    found = payload(given_source, blocks, CLAUDE, placement)
    assert json.dumps(found.request).count('"cache_control"') <= MOST_MARKS
    assert len(found.marks) == 1 + len(given_source.system.sent) + len(blocks)
    assert {message["role"] for message in found.request["messages"]} <= {"user", "assistant"}
    results = sum(block.message.role == "toolResult" for block in blocks)
    sent = [
        part
        for message in found.request["messages"]
        if isinstance(message["content"], list)
        for part in message["content"]
    ]
    assert sum(isinstance(part, dict) and part.get("type") == "tool_result" for part in sent) == results
    payload(given_source, blocks, GPT, placement)


def test_control_without_boundary():
    """A system prompt without a boundary is one marked block."""
    found = anthropic_request("whole", None, blocks_of(user("a")), "m", Control(MARK))
    assert found.controls == (MARK, MARK)
