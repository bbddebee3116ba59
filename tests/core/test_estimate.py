"""The agents' own sizes: the recorded cases of the estimates, and the laws that hold between them.

Where the agent threw a TypeError (a missing text, a missing list), what is missing counts 0 here.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.context import build
from core.estimate import (
    OTHER_ROLE,
    guard_chars,
    guard_content_chars,
    is_tool_result,
    pi_context_tokens,
    pi_tokens,
    pruning_chars,
    weighted_length,
)
from core.format import open_session
from core.javascript import json_length, length
from core.messages import Message
from core.text import Text
from tests.reference.vectors import assert_same, cases, defined, lines_of


def message(case) -> Message:
    return Message.of(defined(case.input["message"]))


def told(found) -> dict:
    """A ContextTokens as the agent records it."""
    return {
        "tokens": found.tokens,
        "usageTokens": found.usage,
        "trailingTokens": found.trailing,
        "lastUsageIndex": found.last_usage,
    }


@pytest.mark.parametrize("case", cases("estimateTokens"))
def test_pi_tokens(case):
    """pi's estimate of a message; what it crashes on counts as far as it is there."""
    if case.throws:
        assert 0 <= pi_tokens(message(case)) <= 1
    else:
        assert_same(pi_tokens(message(case)), case.output["value"])


@pytest.mark.parametrize("case", cases("estimateContextTokens"))
def test_pi_context_tokens(case):
    """pi's estimate of a context: the last usable usage and what came after it."""
    found = pi_context_tokens([Message.of(defined(raw)) for raw in case.input["messages"]])
    assert_same(told(found), case.output)


def _kept(case):
    """Not where the agent threw the file away and began an empty session: reading never does."""
    output = case.raw["output"]
    return "estimateContextTokens" in output and output["sessionId"] != "<new-uuid>"


@pytest.mark.parametrize("case", cases("openSession", where=_kept))
def test_pi_context_tokens_of_an_opened_session(case, tmp_path):
    """The same, of the context that opening a session file gives."""
    path = tmp_path / "session.jsonl"
    path.write_bytes(lines_of(case.input))
    session = open_session(path)
    context = build(session, session.path_to(session.active_leaf))
    assert_same(told(pi_context_tokens(context.messages)), case.output["estimateContextTokens"])


@pytest.mark.parametrize("case", cases("estimateMessageChars"))
def test_guard_chars(case):
    """The guard's estimate of a message."""
    assert_same(guard_chars(message(case)), case.output["value"])


@pytest.mark.parametrize("case", cases("estimateStringChars"))
def test_weighted_length(case):
    """Pruning's length of a text, given as a string or as a Text."""
    text = case.input["text"]
    assert_same(weighted_length(text), case.output["value"])
    assert_same(weighted_length(Text.of(text)), case.output["value"])


# pruning has no recorded case of its estimate alone: its rule, line by line


@pytest.mark.parametrize(
    ("raw", "chars", "before_4_5"),
    [
        ({"role": "user", "content": "漢字ab"}, 10, 4),
        ({"role": "user", "content": [{"type": "text", "text": "ab"}, {"type": "image"}, {"type": "x"}]}, 8002, 8002),
        ({"role": "toolResult", "content": [{"type": "text", "text": "漢"}], "details": {"a": 1}}, 4, 1),
        ({"role": "toolResult", "content": "a string is iterated, and its characters are no blocks"}, 0, 0),
        ({"role": "assistant", "content": "so is this"}, 0, 0),
        ({"role": "assistant", "content": [{"type": "thinking", "thinking": "ab", "thinkingSignature": "cde"}]}, 5, 2),
        ({"role": "assistant", "content": [{"type": "redacted_thinking", "data": "abcd"}]}, 4, 0),
        ({"role": "assistant", "content": [{"type": "thinking", "thinking": "a", "data": "not counted"}]}, 1, 1),
        ({"role": "assistant", "content": [{"type": "toolCall", "name": "ls", "arguments": {"漢": 1}}]}, 7, 7),
        ({"role": "assistant", "content": [{"type": "toolCall", "name": "ls"}, {"type": "toolUse"}, None]}, 2, 2),
        ({"role": "custom", "content": "whatever"}, OTHER_ROLE, OTHER_ROLE),
        ({}, OTHER_ROLE, OTHER_ROLE),
        (None, 0, 0),
    ],
)
def test_pruning_chars(raw, chars, before_4_5):
    """Texts weighted, images flat, arguments as JSON, signatures of thinking; before 2026.4.5 plain and less."""
    assert pruning_chars(Message.of(raw)) == chars
    assert pruning_chars(Message.of(raw), weighted=False) == before_4_5


# laws

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
blocks = st.fixed_dictionaries(
    {"type": st.sampled_from(["text", "thinking", "toolCall", "image", "redacted_thinking", "json", ""])},
    optional=dict.fromkeys(("text", "thinking", "arguments", "name", "data", "thinkingSignature"), json_values),
)
messages = json_values | st.fixed_dictionaries(
    {
        "role": st.sampled_from(
            [
                "user",
                "assistant",
                "toolResult",
                "tool",
                "custom",
                "bashExecution",
                "branchSummary",
                "compactionSummary",
                "x",
            ]
        )
    },
    optional={
        "content": json_values | st.lists(blocks | json_values, max_size=4),
        **dict.fromkeys(("summary", "command", "output", "details", "usage", "stopReason", "type"), json_values),
    },
)


@given(st.lists(messages, max_size=4))
def test_any_message_is_accepted(raws):
    """Whatever stands in a file has a size, never a negative one."""
    held = [Message.of(raw) for raw in raws]
    for one in held:
        assert min(pi_tokens(one), guard_chars(one), pruning_chars(one), pruning_chars(one, weighted=False)) >= 0
    found = pi_context_tokens(held)
    assert found.tokens == found.usage + found.trailing
    assert found.trailing >= 0


@given(st.text())
def test_weight_is_at_least_the_length(text):
    """A CJK character weighs 4, everything else its UTF-16 units; pairs past the CJK blocks may lose one each."""
    beyond = sum("\U0002fa20" <= character <= "\U0002fbff" for character in text)
    assert length(text) - beyond <= weighted_length(text) <= 4 * length(text)
    if text.isascii():
        assert weighted_length(text) == len(text)


@given(st.lists(blocks | json_values, max_size=4), json_values)
def test_only_tool_results_count_double(content, details):
    """The guard counts the same content once from the user and twice as a tool result; details double too."""
    user, result = (Message.of({"role": role, "content": content}) for role in ("user", "toolResult"))
    assert guard_chars(user) == guard_content_chars(result)
    assert guard_chars(result) == 2 * guard_content_chars(result)
    assert is_tool_result(result)
    detailed = Message.of({"role": "toolResult", "content": content, "details": details})
    extra = length(details) if isinstance(details, str) else json_length(details)
    assert guard_chars(detailed) == guard_chars(result) + 2 * extra
