"""What JavaScript does, held against pairs recorded under Node (tests/data) and against UTF-16 itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import javascript
from tests.reference.vectors import cases

NODE = json.loads((Path(__file__).parent.parent / "data" / "javascript.json").read_text(encoding="utf-8"))

texts = st.text(st.one_of(st.characters(), st.sampled_from("\ud83d\ude00😀𠀀é漢\n\u0085")), max_size=40)
"""Any text, lone surrogates and adjacent halves among it."""


def utf16(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")


@given(texts)
def test_length_is_that_of_utf16(text):
    assert javascript.length(text) == len(utf16(text)) // 2


@given(texts, st.integers(-50, 50), st.integers(-50, 50))
def test_slice_of_units_is_the_slice_of_javascript(text, start, end):
    """In units, Python's index is the UTF-16 unit: `units(t)[a:b]` holds the very code units of `t.slice(a, b)`."""
    data = utf16(text)
    count = len(data) // 2
    first, last, _ = slice(start, end).indices(count)
    assert utf16(javascript.units(text)[start:end]) == data[2 * first : 2 * max(first, last)]


@pytest.mark.parametrize("index", range(0, len(NODE["slices"]), 9))
def test_slices_recorded_under_node(index):
    for codes, start, end, result in NODE["slices"][index : index + 9]:
        units = "".join(map(chr, codes))
        assert [ord(unit) for unit in javascript.units(units)[start:end]] == result


@given(texts)
def test_units_and_joined_are_inverse(text):
    """`joined` makes pairs characters; `units` splits them; neither changes a unit."""
    units = javascript.units(text)
    assert len(units) == javascript.length(text)
    assert javascript.units(javascript.joined(units)) == units
    assert utf16(javascript.joined(units)) == utf16(text)


def test_white_space_is_that_of_node():
    assert sorted(map(ord, javascript.SPACE)) == NODE["space"]
    inside = "\u0085a\u200b"
    assert javascript.trim("\ufeff\u3000" + inside + "\u00a0\n") == inside
    assert javascript.trim_start(" a ") == "a "
    assert javascript.trim_end(" a ") == " a"


@pytest.mark.parametrize(("text", "printed"), NODE["numbers"])
def test_numbers_print_as_under_node(text, printed):
    assert javascript.number_text(json.loads(text)) == printed


@pytest.mark.parametrize(("text", "printed"), NODE["values"])
def test_values_print_as_under_node(text, printed):
    value = json.loads(text)
    assert javascript.json_text(value) == printed
    assert javascript.json_length(value) == javascript.length(printed)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


@given(json_values)
def test_the_fast_length_is_the_length(value):
    """`json_length` has a short cut; it must not differ."""
    assert javascript.json_length(value) == javascript.length(javascript.json_text(value))


@given(json_values)
def test_json_text_is_json(value):
    """Read back, it is the value: up to the order of keys, and numbers being doubles."""
    assert _doubles(json.loads(javascript.json_text(value))) == _doubles(value)


def _doubles(value):
    if isinstance(value, dict):
        return {javascript.joined(key): _doubles(member) for key, member in value.items()}
    if isinstance(value, list):
        return [_doubles(item) for item in value]
    if isinstance(value, str):
        return javascript.joined(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            double = float(value)
        except OverflowError:
            return None
        return double if abs(double) < float("inf") else None
    return value


@given(st.dictionaries(texts | st.sampled_from(["1", "01", "a", ""]), texts, max_size=4))
def test_json_text_of_nothing_but_texts(value):
    """As most tool calls are; the same as anywhere inside another value."""
    assert javascript.json_text(value) == javascript.json_text([value])[1:-1]


def test_json_text_does_not_recurse():
    """A value nested ten thousand deep is written, not refused."""
    value: object = 1
    for _ in range(10_000):
        value = [{"a": value}]
    assert javascript.json_length(value) == 10_000 * 8 + 1


def _assistant(case):
    message = case.input["message"]
    return isinstance(message, dict) and message.get("role") == "assistant" and isinstance(message.get("content"), list)


@pytest.mark.parametrize("case", cases("estimateMessageChars", where=_assistant))
def test_recorded_json_lengths(case):
    """An assistant's size is its text, its thinking, and the JSON length of all else (recorded cases, layer b)."""
    size = 0
    for block in case.input["message"]["content"]:
        if not isinstance(block, dict):
            continue
        kind = block.get("type")
        if kind in ("text", "thinking") and isinstance(block.get(kind), str):
            size += javascript.length(block[kind])
        elif kind == "toolCall":
            arguments = block.get("arguments")
            size += javascript.json_length({} if arguments is None else arguments)
        else:
            size += javascript.json_length(block)
    assert size == case.output["value"]


@pytest.mark.parametrize(("timestamp", "expected"), NODE["dates"])
def test_dates_as_under_node(timestamp, expected):
    """ISO dates and numbers as `new Date(x).getTime()` reads them; whatever is no date is None."""
    assert javascript.epoch_ms(timestamp) == expected


@pytest.mark.parametrize("timestamp", [True, [], {}, "2023-11-14T99:00:00Z", float("nan"), float("inf")])
def test_no_dates(timestamp):
    assert javascript.epoch_ms(timestamp) is None


@given(st.text())
def test_epoch_ms_takes_any_text(text):
    found = javascript.epoch_ms(text)
    assert found is None or isinstance(found, int)
