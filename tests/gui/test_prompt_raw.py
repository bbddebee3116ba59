"""The raw JSON of an entry: still that JSON, nothing hidden in it, never more than a megabyte."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from core.format import open_session
from core.phrase import render
from gui.raw import LIMIT, LONG, escaped, raw, shortened
from gui.visible import visible
from tests.gui.prompt_session import result, user, write_session

HIDDEN = st.characters().filter(lambda character: visible(character) != character and character >= " ")


@given(st.text() | st.text(HIDDEN))
def test_escaping_keeps_the_json(text: str) -> None:
    """What is escaped reads back as the same string, and nothing hidden is left."""
    written = json.dumps(text, ensure_ascii=False)
    shown = escaped(written)
    assert json.loads(shown) == text
    assert visible(shown) == shown


def test_readable_and_as_in_the_file(tmp_path: Path) -> None:
    """Two forms of the same entry; the title says which one it is, where and how large."""
    session = open_session(str(write_session(tmp_path / "s.jsonl", [user("a\u202eb")])))
    pretty = raw(session, 0, session.body(0), 1, False)
    assert json.loads(pretty.document.text) == session.body(0)
    assert "\\u202e" in pretty.document.text
    assert render(pretty.title).startswith("Block 1, entry 00000000, line 2, ")
    line = raw(session, 0, None, None, True)
    assert line.document.text == session.line_bytes(0).decode()
    assert pretty.notice is None


def test_a_large_entry_is_cut_and_says_so(tmp_path: Path) -> None:
    """A text of 3 MB: the beginning is shown, with what was left out, within the bound."""
    session = open_session(str(write_session(tmp_path / "s.jsonl", [result("read", "x" * 3_000_000)])))
    for as_line in (False, True):
        found = raw(session, 0, None, 1, as_line)
        assert len(found.document.text) <= LIMIT
        assert found.notice is not None
    assert "… +2,900,000" in raw(session, 0, None, 1, False).document.text


def test_shortening_leaves_small_things_alone() -> None:
    """Only long texts are cut, wherever they stand."""
    value = {"a": ["b" * LONG, 1, None], "c": {"d": "e" * (LONG + 5)}}
    assert shortened(value)["a"] == value["a"]
    assert shortened(value)["c"]["d"].endswith("… +5")


def test_no_entry_and_a_file_that_went_away(tmp_path: Path) -> None:
    """Both say what is missing instead of raising."""
    path = write_session(tmp_path / "s.jsonl", [user("a")])
    session = open_session(str(path))
    assert raw(session, None, None, None, False).document.text == ""
    path.unlink()
    gone = raw(session, 0, None, None, True)
    assert gone.notice is not None or gone.document.text  # some systems keep an open file readable
