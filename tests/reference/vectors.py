"""The recorded cases of the real agents: loading, decoding and comparing.

The files beside this one hold one case per line, `{"id", "layer", "version", "fn", "input", "output", …}`. The variable
STRATASCOPE_VECTORS points the same tests at another folder of the same form.

    @pytest.mark.parametrize("case", cases("estimateStringChars"))
    def test_agrees(case):
        assert_same(estimate(case.input["text"]), case.output["value"])

Descriptors stand where a string or message may stand and are resolved in `Case.input` and `Case.output`:

    {"$repeat": [s, n]}   {"$concat": [s, …]}   {"$lines": [prefix, from, to, suffix]}     strings
    {"$text": {…}}        a Digest: length and SHA-256 of a string too long to record
    {"$number": "NaN"}    a float       {"$undefined": true}    UNDEFINED
    {"$same": k}          message k of the input      {"$entry": i}    the message of path entry i
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent


class _Undefined:
    """JavaScript's undefined: as a member of an object, the key exists with this value."""

    def __repr__(self) -> str:
        return "UNDEFINED"

    def __bool__(self) -> bool:
        return False


UNDEFINED = _Undefined()


@dataclass(frozen=True)
class Digest:
    """Stands for a string of `length` UTF-16 units; symbols such as {{NOTICE}} are still in it."""

    length: int
    sha256: str

    def matches(self, text: str) -> bool:
        data = text.encode("utf-16-le", "surrogatepass")
        return len(data) == 2 * self.length and hashlib.sha256(data).hexdigest() == self.sha256


@dataclass(frozen=True)
class Case:
    id: str
    layer: str
    version: str
    fn: str
    raw: Mapping[str, Any] = field(repr=False)

    @property
    def note(self) -> str:
        return self.raw.get("note", "")

    @cached_property
    def input(self) -> Any:
        return decode(self.raw["input"])

    @cached_property
    def output(self) -> Any:
        return decode(self.raw["output"], self._reference)

    @property
    def throws(self) -> str | None:
        """Name of what the agent threw, or None."""
        output = self.raw["output"]
        return output.get("throws") if isinstance(output, dict) else None

    def _reference(self, kind: str, index: int) -> Any:
        given = self.input
        if kind == "$entry":
            entry = given["pathEntries"][index]
            return entry["message"] if entry["type"] == "message" else {"$entry": index}
        messages = given.get("messages", given.get("appends"))
        return given["message"] if messages is None else messages[index]


def folder() -> Path:
    return Path(os.environ.get("STRATASCOPE_VECTORS") or HERE)


@cache
def _all() -> tuple[Case, ...]:
    found = []
    for path in sorted(folder().glob("*.jsonl")):
        with open(path, encoding="utf-8") as file:
            for line in file:
                if line.strip():
                    raw = json.loads(line)
                    found.append(Case(raw["id"], raw["layer"], raw["version"], raw["fn"], raw))
    return tuple(found)


def select(*functions: str, version: str | None = None, where: Callable[[Case], bool] = lambda _: True) -> list[Case]:
    """The cases of these functions (of any layer), in the order of the files."""
    return [
        case for case in _all() if case.fn in functions and (version is None or case.version == version) and where(case)
    ]


def cases(*functions: str, version: str | None = None, where: Callable[[Case], bool] = lambda _: True) -> list[Any]:
    """The same as pytest parameters: the id of a case is the id of its test."""
    return [pytest.param(case, id=case.id) for case in select(*functions, version=version, where=where)]


def decode(value: Any, reference: Callable[[str, int], Any] | None = None) -> Any:
    """Resolve descriptors, at any depth."""
    if isinstance(value, list):
        return [decode(item, reference) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        [(key, given)] = value.items()
        if key == "$repeat":
            return _paired(decode(given[0]) * given[1])
        if key == "$concat":
            return _paired("".join(decode(piece) for piece in given))
        if key == "$lines":
            prefix, first, last, suffix = given
            return _paired("".join(f"{decode(prefix)}{i}{decode(suffix)}" for i in range(first, last + 1)))
        if key == "$text":
            return Digest(given["len"], given["sha256_utf16le"])
        if key == "$number":
            return float(given.replace("Infinity", "inf"))
        if key == "$undefined":
            return UNDEFINED
        if key in ("$same", "$entry") and reference is not None:
            return reference(key, given)
    return {key: decode(item, reference) for key, item in value.items()}


def _paired(text: str) -> str:
    """Surrogate halves that met become one character, as they do in JavaScript."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def defined(value: Any) -> Any:
    """As JSON.stringify writes it: members that are undefined are left out, elements of lists become null."""
    if isinstance(value, dict):
        return {key: defined(item) for key, item in value.items() if item is not UNDEFINED}
    if isinstance(value, list):
        return [defined(item) for item in value]
    return None if value is UNDEFINED else value


def difference(actual: Any, expected: Any, at: str = "") -> str | None:
    """Where and how the first difference is, or None. Tuples count as lists, 1 as 1.0; floats may differ by 1e-12."""
    if isinstance(expected, Digest):
        if isinstance(actual, str) and expected.matches(actual):
            return None
        return f"{at or 'value'}: a text of {_units(actual)} units, expected {expected}"
    if isinstance(expected, dict) and isinstance(actual, Mapping):
        expected, actual = defined_members(expected), defined_members(actual)
        for key in expected.keys() | actual.keys():
            if key not in actual or key not in expected:
                return f"{at}.{key}: {'missing' if key not in actual else 'not expected'}"
            if found := difference(actual[key], expected[key], f"{at}.{key}"):
                return found
        return None
    if isinstance(expected, list) and isinstance(actual, list | tuple):
        for index, (mine, theirs) in enumerate(zip(actual, expected, strict=False)):
            if found := difference(mine, theirs, f"{at}[{index}]"):
                return found
        if len(actual) != len(expected):
            return f"{at or 'value'}: {len(actual)} items, expected {len(expected)}"
        return None
    if isinstance(expected, str) and isinstance(actual, str):
        mine, theirs = _paired(actual), _paired(expected)
        if mine == theirs:
            return None
        return f"{at or 'value'}: {_around(mine, theirs)}"
    if _number(expected) and _number(actual):
        same = math.isclose(actual, expected, rel_tol=1e-12, abs_tol=1e-12) or (
            actual != actual and expected != expected
        )
        return None if same else f"{at or 'value'}: {actual!r}, expected {expected!r}"
    if actual is expected or (type(actual) is type(expected) and actual == expected):
        return None
    return f"{at or 'value'}: {actual!r:.200}, expected {expected!r:.200}"


def assert_same(actual: Any, expected: Any) -> None:
    found = difference(actual, expected)
    assert found is None, found


def defined_members(value: Mapping[str, Any]) -> dict[str, Any]:
    return {key: item for key, item in value.items() if item is not UNDEFINED}


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _units(text: Any) -> Any:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2 if isinstance(text, str) else text


def _around(mine: str, theirs: str) -> str:
    at = next((i for i, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a != b), min(len(mine), len(theirs)))
    piece = slice(max(0, at - 20), at + 40)
    sizes = f"{_units(mine)} units, expected {_units(theirs)}"
    return f"differs at character {at} ({sizes}): …{mine[piece]!r}, expected …{theirs[piece]!r}"


def lines_of(case_input: Mapping[str, Any]) -> bytes:
    """The bytes of the session file that `lines` (and `file`) of an input describe."""
    form = case_input.get("file") or {}
    written = [
        line if isinstance(line, str) else json.dumps(defined(line), ensure_ascii=False, separators=(",", ":"))
        for line in case_input["lines"]
    ]
    text = _paired(form.get("joiner", "\n").join(written) + ("\n" if form.get("trailing", True) else ""))
    escaped = "".join(f"\\u{ord(c):04x}" if "\ud800" <= c <= "\udfff" else c for c in text)
    return (b"\xef\xbb\xbf" if form.get("bom") else b"") + escaped.encode("utf-8")
