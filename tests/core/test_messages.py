"""Messages keep what is recorded, whatever it is: `Message.of(x).json() == x`."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.javascript import joined, json_length, length
from core.messages import Message, Part, Shape, Usage, digest, raw_chars
from core.text import Span

words = st.text(max_size=8).map(joined)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | words
values = st.recursive(scalars, lambda v: st.lists(v, max_size=3) | st.dictionaries(words, v, max_size=3), max_leaves=8)
blocks = st.one_of(
    values,
    st.fixed_dictionaries({"type": st.sampled_from(["text", "thinking", "toolCall", "image"])}, optional={
        "text": words | values, "thinking": words | values, "id": words, "arguments": values, "textSignature": words
    }),
)  # fmt: skip
messages = st.one_of(
    values,
    st.fixed_dictionaries(
        {},
        optional={
            "role": st.sampled_from(["user", "assistant", "toolResult"]) | values,
            "content": st.lists(blocks) | values,
        },
    ),
)


@given(messages)
def test_nothing_is_lost(raw):
    """Any JSON value is a message and comes back."""
    message = Message.of(raw)
    assert message.json() == raw
    assert message.key() == digest(raw)
    assert message.is_object == isinstance(raw, dict)


@given(blocks)
def test_no_block_is_lost(raw):
    assert Part.of(raw).json() == raw


@given(messages)
def test_raw_chars_takes_anything(raw):
    """The sizes taken while a file is read are those of the texts that the Message holds."""
    if not isinstance(raw, dict):
        return
    chars = raw_chars(raw)
    assert chars >= sum(len(part.text) for part in Message.of(raw).parts if part.text is not None and _own_text(part))


def _own_text(part):
    return part.kind == "text" or not isinstance(part.get("text"), str)


def test_raw_chars_by_kind():
    """Text, thinking, name and JSON arguments of calls, command and output; an image counts nothing."""
    arguments = {"path": "é", "n": 1.0}
    raw = {
        "role": "assistant",
        "content": [
            {"type": "text", "text": "a😀"},
            {"type": "thinking", "thinking": "hm"},
            {"type": "toolCall", "id": "1", "name": "read", "arguments": arguments},
            {"type": "image", "data": "A" * 1000},
            "loose",
        ],
    }
    assert raw_chars(raw) == 3 + 2 + 4 + json_length(arguments)
    assert json_length(arguments) == length('{"path":"é","n":1}')
    assert raw_chars({"role": "bashExecution", "command": "ls", "output": "x y"}) == 5
    assert raw_chars({"content": "plain"}) == 5


def test_a_cut_text_stands_in_for_the_recorded_one():
    part = Part.of({"type": "text", "text": "abcdef", "textSignature": "s"})
    cut = Part(part.kind, part.text.cut(Span(0, 2), "…"), part.raw)
    assert cut.json() == {"type": "text", "text": "ab…", "textSignature": "s"}
    assert part.json() is part.raw


@pytest.mark.parametrize(
    ("content", "shape"),
    [([], Shape.LIST), ("x", Shape.STRING), (None, Shape.OTHER), (5, Shape.OTHER), ({}, Shape.OTHER)],
)
def test_shapes(content, shape):
    message = Message.of({"role": "user", "content": content})
    assert message.shape is shape
    assert message.json() == {"role": "user", "content": content}


def test_text_for_reading():
    assert (
        Message.of(
            {"content": [{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]}
        ).text()
        == "a\nb"
    )
    assert Message.of(None).text() == ""
    assert Message.of(None).get("role") is None


def test_a_key_is_of_the_content_not_of_its_order():
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
    assert digest({"a": 1}) != digest({"a": 2})
    deep: object = 1
    for _ in range(5000):
        deep = [deep]
    assert len(digest(deep)) == 16


@pytest.mark.parametrize("odd", ["\ud83d", 2**70, -(2**70)])
def test_a_key_of_what_only_the_slow_writer_knows(odd: object):
    """Half an emoji and huge numbers have keys of their own, whatever the order of the object around them."""
    assert digest({"a": odd, "b": "x"}) == digest({"b": "x", "a": odd})
    assert len({digest({"a": value}) for value in (odd, str(odd), float("inf"), "", 0)}) == 4 + (odd != str(odd))


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (None, None),
        ([], None),
        ({}, Usage()),
        (
            {
                "input": 3,
                "output": 4,
                "cacheRead": 5,
                "cacheWrite": 6,
                "cacheWrite1h": 2,
                "totalTokens": 18,
                "cost": {"total": 0.1},
            },
            Usage(3, 4, 5, 6, 2, 18, 0, Decimal("0.1")),
        ),
        ({"input": True, "output": "7", "cacheRead": None, "cacheWrite": 1e300, "cost": 3}, Usage()),
        ({"input": 2.0, "cost": {"total": 1e300}}, Usage(input=2)),
    ],
)
def test_usage(raw, expected):
    """Counts that are no finite number count as 0; the cost stays the decimal that was recorded."""
    assert Usage.of(raw) == expected


def test_prompt_of_a_request():
    """Input excludes what the cache gave or took (session formats 1.4)."""
    usage = Usage(input=3, read=98_300, write=120)
    assert usage.prompt == 98_423
    assert usage.any
    assert not Usage().any


@given(st.dictionaries(st.sampled_from(["input", "output", "cacheRead", "cacheWrite", "cost"]), values))
def test_usage_takes_anything(raw):
    assert isinstance(Usage.of(raw), Usage)
