"""The loader of the recorded cases: what every test that uses them relies on."""

from __future__ import annotations

import json
import math

import pytest

from tests.reference import vectors
from tests.reference.vectors import UNDEFINED, Digest, assert_same, decode, difference, lines_of, select


def test_every_layer_is_there():
    """The fourteen layers of the recorded cases are copied whole."""
    layers = {case.layer for case in vectors._all()}
    assert len(layers) == 14
    assert len({case.id for case in vectors._all()}) == len(vectors._all())


def test_another_folder_of_the_same_form(tmp_path, monkeypatch):
    """STRATASCOPE_VECTORS points the same tests at other cases."""
    case = {"id": "x-1", "layer": "x", "version": "v", "fn": "f", "input": {}, "output": {"value": 1}}
    (tmp_path / "x.jsonl").write_text(json.dumps(case) + "\n", encoding="utf-8")
    monkeypatch.setenv("STRATASCOPE_VECTORS", str(tmp_path))
    vectors._all.cache_clear()
    try:
        assert [case.id for case in select("f")] == ["x-1"]
    finally:
        monkeypatch.delenv("STRATASCOPE_VECTORS")
        vectors._all.cache_clear()


def test_descriptors_nest():
    """A descriptor may stand wherever a string may, in another one too."""
    assert decode({"$concat": ["a", {"$repeat": ["bc", 2]}, {"$lines": ["l", 1, 3, "\n"]}]}) == "abcbcl1\nl2\nl3\n"
    assert decode({"a": [{"$undefined": True}]}) == {"a": [UNDEFINED]}
    assert math.isnan(decode({"$number": "NaN"}))
    assert decode({"$number": "-Infinity"}) == -math.inf
    assert decode({"$concat": ["\ud83d", "\ude00"]}) == "😀"


def test_same_is_a_message_of_the_input():
    case = next(case for case in select("stripToolResultDetails") if case.raw["output"]["messages"] == [{"$same": 0}])
    assert case.output["messages"][0] is case.input["messages"][0]


@pytest.mark.parametrize(
    ("actual", "expected", "where"),
    [
        ({"a": 1}, {"a": 1.0}, None),
        ({"a": UNDEFINED}, {}, None),
        ((1, 2), [1, 2], None),
        ([1], [1, 2], "value: 1 items"),
        ({"a": {"b": "x"}}, {"a": {"b": "y"}}, ".a.b"),
        (True, 1, "value: True"),
        (None, False, "value: None"),
        ("\ud83d\ude00", "😀", None),
        ("\ud83d", "😀", "value"),
        (0.1 + 0.2, 0.3, None),
    ],
)
def test_comparison(actual, expected, where):
    """It names the place of the first difference; numbers are JavaScript's, strings are sequences of UTF-16 units."""
    found = difference(actual, expected)
    assert found is None if where is None else found is not None and found.startswith(where)


def test_digest_of_a_long_text():
    expected = Digest(2, "2d3db8ea94b7b5f7a1e9e5e9e4f1d0bb" * 2)
    assert difference("😀", expected) is not None
    import hashlib

    right = Digest(2, hashlib.sha256("😀".encode("utf-16-le")).hexdigest())
    assert_same("😀", right)


def test_bytes_of_a_session_file():
    """Raw lines stay raw, undefined members vanish, half characters become escapes again."""
    data = lines_of({"lines": [{"type": "session", "cwd": UNDEFINED}, "junk", {"t": "\ud83d"}], "file": {"bom": True}})
    assert data == b'\xef\xbb\xbf{"type":"session"}\njunk\n{"t":"\\ud83d"}\n'
