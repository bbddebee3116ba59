"""One value of a JSON line replaced, every other byte kept."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.json_places import Step, place, replaced


@pytest.mark.parametrize(
    ("line", "path", "found"),
    [
        (b'{"a":1}', ("a",), b"1"),
        (b' { "a" : [ 1 , "x\\"]}" ] } ', ("a", 1), b'"x\\"]}"'),
        (b'{"a":{"b":null},"c":2}', ("a",), b'{"b":null}'),
        (b'{"a":1,"a":2}', ("a",), b"2"),
        (b'{"a":[{"t":"x"},{"t":"y"}]}', ("a", 1, "t"), b'"y"'),
        (b'{"\\u0061":true}', ("a",), b"true"),
        ('{"é":"ü","a":"ö"}'.encode(), ("a",), '"ö"'.encode()),
        (b"[]", (0,), None),
        (b"{}", ("a",), None),
        (b'{"a":1}', ("a", "b"), None),
        (b'{"a":[1]}', ("a", "0"), None),
        (b"7", (), b"7"),
    ],
)
def test_places(line: bytes, path: tuple[Step, ...], found: bytes | None) -> None:
    """The bytes of the value, quotes included; of a repeated key the last one's."""
    where = place(line, path)
    assert (None if where is None else line[slice(*where)]) == found


@pytest.mark.parametrize("line", [b'{"a"', b'{"a" 1}', b'{"a":1 "b":2}', b'{"a":[1,', b"{a:1}", b'{"a":"x'])
def test_what_is_no_json(line: bytes) -> None:
    """A line that changed under us is refused, never mangled."""
    with pytest.raises(InputError):
        place(line, ("b",))


def test_deep_nesting() -> None:
    """A hostile line costs time, not the stack."""
    deep = b"[" * 100_000 + b"]" * 100_000
    line = b'{"d":' + deep + b',"a":1}'
    where = place(line, ("a",))
    assert where is not None
    assert line[slice(*where)] == b"1"


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


@given(values, st.booleans(), st.data())
def test_every_value_is_found(value: object, ascii: bool, data: st.DataObject) -> None:
    """Any path into any value: the bytes there are that value, and replacing them changes nothing else."""
    line = json.dumps(value, ensure_ascii=ascii, indent=data.draw(st.sampled_from([None, 1]))).encode(
        "utf-8", "surrogatepass"
    )
    path: list[Step] = []
    at = value
    while isinstance(at, dict | list) and at and data.draw(st.booleans()):
        step = data.draw(st.sampled_from(sorted(at) if isinstance(at, dict) else range(len(at))))
        path.append(step)
        at = at[step]
    where = place(line, path)
    assert where is not None
    assert json.loads(line[slice(*where)].decode("utf-8", "surrogatepass")) == at
    after = replaced(line, [(where, b'"new"')])
    assert after == line[: where[0]] + b'"new"' + line[where[1] :]
