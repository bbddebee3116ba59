"""Prompts for the tests of layers: blocks from raw messages, a step context, and any list of messages."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from core.context import Context, Origin
from core.layer import StepContext, Target
from core.messages import Message
from core.pipeline import Sizes
from core.prompt import Block, Blocks
from core.sizes import message_chars

NOW = 1_700_000_000_000
CLAUDE = Target("anthropic", "anthropic-messages", "claude-x", "anthropic")
GPT = Target("openai", "openai-completions", "gpt-x", "openai")
GEMINI = Target("google", "google-generative-ai", "gemini-x", "google")
SIZES = Sizes(lambda block: message_chars(block.message), lambda block: -(-message_chars(block.message) // 4))


def step(window: int = 200_000, target: Target = CLAUDE, **more: Any) -> StepContext:
    return StepContext(window=window, target=target, now=NOW, **more)


def blocks_of(*messages: object) -> Blocks:
    return tuple(Block.of(Message.of(raw), Origin((row,))) for row, raw in enumerate(messages))


def context_of(blocks: Blocks) -> Context:
    """Step 0 of a path without compaction."""
    messages = tuple(block.message for block in blocks)
    return Context(messages, tuple(block.origin for block in blocks), None, (), (), "off", None)


def user(text: str = "u", **more: Any) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "text", "text": text}], **more}


def reply(*parts: Any, target: Target = CLAUDE, stop: str = "stop", **more: Any) -> dict[str, Any]:
    """A string is a text block."""
    content = [{"type": "text", "text": part} if isinstance(part, str) else part for part in parts]
    model = {"provider": target.provider, "api": target.api, "model": target.model}
    return {"role": "assistant", "content": content, **model, "stopReason": stop, **more}


def call(id: Any = "x", name: Any = "bash", **arguments: Any) -> dict[str, Any]:
    return {"type": "toolCall", "id": id, "name": name, "arguments": arguments}


def result(id: Any = "x", text: str = "r", name: Any = "bash", **more: Any) -> dict[str, Any]:
    content = [{"type": "text", "text": text}]
    return {"role": "toolResult", "toolCallId": id, "toolName": name, "content": content, **more}


# any prompt

words = st.one_of(st.text(max_size=12), st.just("HEARTBEAT_OK"), st.just(" "), st.just("line\n" * 400))
ids = st.sampled_from(["x", "y", "z:1", "toolu_1", "", "a" * 70])
odd_json = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=4),
    lambda held: st.lists(held, max_size=2) | st.dictionaries(st.text(max_size=4), held, max_size=2),
    max_leaves=4,
)
parts = st.one_of(
    st.builds(lambda text: {"type": "text", "text": text}, words),
    st.builds(
        lambda text, signed: {"type": "thinking", "thinking": text, **({"thinkingSignature": "s"} if signed else {})},
        words,
        st.booleans(),
    ),
    st.builds(lambda id, name: call(id, name), ids, st.sampled_from(["bash", "read", "", " read ", "a b"])),
    st.builds(lambda id: {"type": "toolUse", "id": id, "name": "bash", "input": {}}, ids),
    st.just({"type": "image", "data": "AAAA", "mimeType": "image/png"}),
    st.builds(lambda value: {"type": "toolCall", "id": value, "name": "bash"}, odd_json),
    odd_json,
)
contents = st.one_of(st.lists(parts, max_size=4), words, odd_json)
messages = st.one_of(
    st.builds(lambda content: {"role": "user", "content": content}, contents),
    st.builds(
        lambda content, stop, target: {**reply(target=target, stop=stop), "content": content},
        contents,
        st.sampled_from(["stop", "toolUse", "error", "aborted"]),
        st.sampled_from([CLAUDE, GPT]),
    ),
    st.builds(lambda id, text: result(id, text, details={"x": 1}), ids, words),
    st.builds(lambda content, id: {**result(id), "content": content}, contents, ids),
    st.builds(
        lambda role, content: {"role": role, "content": content, "summary": "s", "command": "c", "output": "o"},
        st.sampled_from(["custom", "bashExecution", "branchSummary", "compactionSummary", "tool", "mystery", ""]),
        contents,
    ),
    st.just({"role": "user", "content": "Read HEARTBEAT.md if it exists. Else HEARTBEAT_OK."}),
    st.just({**reply("copy"), "provider": "openclaw", "model": "delivery-mirror"}),
    odd_json,
)
prompts = st.lists(messages, max_size=14).map(lambda raw: blocks_of(*raw))
