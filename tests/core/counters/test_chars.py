"""The rule of thumb: a quarter of the characters, half of a tool result's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.counters import chars
from core.estimate import guard_chars
from core.javascript import length
from core.messages import Message
from tests.core.test_estimate import messages

COUNTER = chars.make(None)


def count(role: str, *texts: str) -> int:
    return COUNTER.count(Message.of({"role": role, "content": [{"type": "text", "text": text} for text in texts]}))


@pytest.mark.parametrize(
    ("raw", "tokens"),
    [
        ({"role": "user", "content": "abcde"}, 2),
        ({"role": "toolResult", "content": "abcde"}, 3),
        ({"role": "user", "content": "😀😀"}, 1),
        ({"role": "user", "content": ""}, 0),
        ({"role": "user", "content": [{"type": "image", "data": ""}]}, 2000),
        ({"role": "toolResult", "content": [{"type": "image"}, {"type": "text", "text": "ab"}]}, 2001),
        ({"role": "assistant", "content": [{"type": "toolCall", "name": "ls", "arguments": {"p": 1}}]}, 3),
        (
            {"role": "assistant", "content": [{"type": "thinking", "thinking": "abcd"}, {"type": "text", "text": "e"}]},
            2,
        ),
        ({"role": "system", "content": "abcd"}, 0),
        (None, 0),
    ],
)
def test_the_rule(raw, tokens):
    """Rounded up once per message; images flat; thinking, names and arguments counted."""
    assert COUNTER.count(Message.of(raw)) == tokens


@given(st.text(), st.text(), st.sampled_from(["user", "toolResult", "assistant", "custom"]))
def test_more_text_never_counts_less(text, more, role):
    assert count(role, text) <= count(role, text + more) <= count(role, text) + count(role, more)


@given(st.text(), st.text())
def test_it_is_the_guards_ratio(one, other):
    """Of text alone it is what the guard counts, 4 to a token."""
    for role in ("user", "toolResult"):
        raw = {"role": role, "content": [{"type": "text", "text": one}, {"type": "text", "text": other}]}
        assert COUNTER.count(Message.of(raw)) == -(-guard_chars(Message.of(raw)) // 4)
    assert count("user", one) == -(-length(one) // 4)


@given(messages)
def test_any_message_is_counted(raw):
    """Never negative; equal messages, equal counts."""
    one, other = Message.of(raw), Message.of(raw)
    assert one.key() == other.key()
    assert COUNTER.count(one) == COUNTER.count(other) >= 0
