"""Keys that stand twice: found in lines that were written by hand, and none where a line is as an agent writes it."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from core.duplicates import _as_written, duplicate_keys
from core.format import open_session

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(min_size=1, max_size=4), VALUES, min_size=1, max_size=4), st.data())
def test_a_line_with_a_key_twice_is_never_as_written(members: dict[str, object], data: st.DataObject) -> None:
    """The short cut says "nothing stands twice" only where that is so."""
    pairs = [f"{json.dumps(key, ensure_ascii=False)}:{json.dumps(value)}" for key, value in members.items()]
    twice = [*pairs, data.draw(st.sampled_from(pairs))]
    assert not _as_written(("{" + ",".join(twice) + "}").encode("utf-8", "surrogatepass"))


def test_both_ways_are_told(tmp_path: Path) -> None:
    """Spaces between the members, as a person writes, or none; the key is named with its line."""
    head = {"type": "session", "version": 3, "id": "s", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/x"}
    entry = '{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"x","content":"y"}}'
    spaced = '{"type": "message", "id": "b", "parentId": "a", "message": {"role": "user", "content": "z"}}'
    again = spaced.replace('"id": "b"', '"id": "c"').replace('"role": "user"', '"role": "bot", "role": "user"')
    path = tmp_path / "s.jsonl"
    path.write_text("\n".join((json.dumps(head), entry, spaced, again)) + "\n", encoding="utf-8")
    found = duplicate_keys(open_session(path))
    assert [(problem.code, problem.line) for problem in found] == [("duplicate_key", 2), ("duplicate_key", 4)]
