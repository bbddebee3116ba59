"""Characters of a message without making its JSON: what `raw_chars` counts of it, for anything a file may hold."""

from __future__ import annotations

from array import array
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given

from core import counter, counts
from core.assembled import assemble
from core.errors import UnsupportedFormat
from core.format import open_session
from core.messages import Message, raw_chars
from core.session import UNMEASURED
from core.sizes import Measures, message_chars
from core.timeline import build
from tests.core.made import messages

CASES = Path(__file__).resolve().parents[1] / "cases"


@given(messages)
def test_as_reading_counts_it(raw):
    """The same number as when the file is read, for any message that is an object."""
    if isinstance(raw, dict):
        assert message_chars(Message.of(raw)) == raw_chars(raw)
    else:
        assert message_chars(Message.of(raw)) == 0


def test_texts_calls_and_commands():
    """UTF-16 units of texts and thinking, name and arguments of a call, command, output and summary; images count 0."""
    raw = {
        "role": "assistant",
        "content": [
            {"type": "text", "text": "😀"},
            {"type": "thinking", "thinking": "hm"},
            {"type": "toolCall", "name": "ls", "arguments": {}},
            {"type": "image", "data": "AAAA"},
            {"type": "other", "text": "abc"},
            None,
        ],
        "command": "make",
        "output": "ok",
        "summary": "s",
    }
    assert message_chars(Message.of(raw)) == 2 + 2 + 4 + 3 + 4 + 2 + 1


@pytest.mark.parametrize("path", sorted(CASES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_the_columns_say_the_same(path):
    """Sizes of untouched blocks come from the columns; counting them anew gives the same."""
    try:
        session = open_session(path)
    except UnsupportedFormat:
        return
    counted = counts.count(session, counter.make("chars"))
    assembled = assemble(session, build(session, session.active_leaf, counted), counted, None)
    measures = Measures.of(session, counted, assembled)
    assert [measures.chars(block) for block in assembled.blocks] == [
        message_chars(block.message) for block in assembled.blocks
    ]


def test_what_is_not_measured_yet_is_measured_here():
    """Rows come before their sizes: a prompt shown meanwhile counts its own messages."""
    session = open_session(str(CASES / "03-kept-by-first-lost-by-second.jsonl"))
    table = counts.count(session, counter.make("chars", session))
    prompt = assemble(session, build(session, session.active_leaf, table), table, None)
    columns = replace(session.columns, chars=array("q", [UNMEASURED]) * len(session))
    measured, unmeasured = (Measures.of(one, table, prompt) for one in (session, replace(session, columns=columns)))
    for block in prompt.blocks:
        assert unmeasured.chars(block) == measured.chars(block) >= 0
