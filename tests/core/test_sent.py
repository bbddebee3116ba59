"""What of a message is sent: the recorded conversions to provider messages, as far as words go."""

from __future__ import annotations

import pytest
from hypothesis import given

from core.javascript import length
from core.messages import Message
from core.sent import BRANCH_INTRO, COMPACTION_INTRO, sent, sent_raw
from tests.core.test_estimate import messages
from tests.reference.vectors import cases, defined

INTROS = {"{{COMPACTION_INTRO}}": COMPACTION_INTRO, "{{BRANCH_INTRO}}": BRANCH_INTRO}


def texts(raw) -> list[str]:
    """The texts of a provider message of the recorded cases, our introductions put in."""
    content = raw.get("content")
    found = [content] if isinstance(content, str) else [b["text"] for b in content or () if b["type"] == "text"]
    for symbol, ours in INTROS.items():
        found = [text.replace(symbol, ours) for text in found]
    return found


@pytest.mark.parametrize("case", cases("convertToLlm", where=lambda case: not case.throws))
def test_the_same_words(case):
    """One sent message for each converted one, with its texts and as many images; the others are not sent."""
    found = [sent(Message.of(defined(raw))) for raw in case.input["messages"]]
    found = [one for one in found if one.kind != "none"]
    expected = [defined(raw) for raw in case.output["messages"]]
    assert [list(one.texts) for one in found if not one.calls] == [
        texts(raw) for raw, one in zip(expected, found, strict=True) if not one.calls
    ]
    images = [
        sum(isinstance(b, dict) and b.get("type") == "image" for b in raw.get("content") or ()) for raw in expected
    ]
    assert [len(one.images) for one in found] == images


def test_introductions_are_as_long_as_the_agents():
    """96 and 89 units, ending in the opening tag: their wording is ours, their length is recorded."""
    assert (length(COMPACTION_INTRO), length(BRANCH_INTRO)) == (96, 89)
    assert COMPACTION_INTRO.endswith("<summary>\n")
    assert BRANCH_INTRO.endswith("<summary>\n")


def test_a_reply():
    """Thinking, text, and of each call its name and its arguments as JavaScript writes them."""
    content = [
        {"type": "thinking", "thinking": "hm", "thinkingSignature": "not words"},
        {"type": "text", "text": "go"},
        {"type": "toolCall", "id": "t", "name": "ls", "arguments": {"p": 1.0}},
        {"type": "toolCall", "id": "u", "name": "pwd"},
    ]
    found = sent(Message.of({"role": "assistant", "content": content}))
    assert (found.kind, found.texts, found.calls) == ("reply", ("hm", "go", 'ls{"p":1}', "pwd{}"), 2)


def test_what_is_not_sent():
    """Details, usage and anything else beside the content; messages of roles that the agent does not convert."""
    result = {"role": "toolResult", "content": "out", "details": {"full": "x" * 99}}
    assert sent(Message.of(result)).texts == ("out",)
    for raw in ({"role": "system", "content": "x"}, {"role": "", "content": "x"}, {}, None, "text", [1]):
        assert sent(Message.of(raw)).kind == "none"


@given(messages)
def test_any_message_is_accepted(raw):
    """Whatever a file holds, the answer is texts and sizes."""
    found = sent(Message.of(raw))
    assert all(isinstance(text, str) for text in found.texts)
    assert all(1 <= image <= 1600 for image in found.images)
    assert found.kind != "none" or not found.texts


@given(messages)
def test_without_a_message(raw):
    """Asked of the JSON itself, it is the same."""
    assert sent_raw(raw) == sent(Message.of(raw))
