"""What JavaScript does, where the agents' arithmetic depends on it: UTF-16 units, JSON text, trim, number printing.

Source: section 2 of the recorded cases' description (semantics every case relies on). The agents are written in
TypeScript; their budgets and cut positions are UTF-16 code units, so Python's code points would be off by one for
every emoji. A string *in units* (`units(s)`) is a Python string in which each astral character is two surrogates:
there, plain indexing is JavaScript's `slice`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from decimal import Decimal
from json.encoder import encode_basestring

import orjson

SPACE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f"
    "\u3000\ufeff"
)
"""JavaScript white space (`\\s`, `trim`): differs from Python's in both directions."""

_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def length(text: str) -> int:
    """`text.length` of JavaScript: UTF-16 code units."""
    if text.isascii():
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def units(text: str) -> str:
    """The same text with each astral character as two surrogates, so that index = UTF-16 unit."""
    if text.isascii():
        return text
    return _ASTRAL.sub(lambda found: _split(found.group()), text)


def _split(character: str) -> str:
    point = ord(character) - 0x10000
    return chr(0xD800 + (point >> 10)) + chr(0xDC00 + (point & 0x3FF))


def joined(text: str) -> str:
    """The inverse of `units`: pairs become characters again, a half pair stays a lone surrogate."""
    if text.isascii():
        return text
    return _PAIR.sub(lambda found: _join(found.group()), text)


def _join(pair: str) -> str:
    return chr(0x10000 + ((ord(pair[0]) - 0xD800) << 10) + (ord(pair[1]) - 0xDC00))


def trim(text: str) -> str:
    return text.strip(SPACE)


def trim_start(text: str) -> str:
    return text.lstrip(SPACE)


def trim_end(text: str) -> str:
    return text.rstrip(SPACE)


def number_text(value: float | int) -> str:
    """A number as JavaScript prints it: 1.0 -> 1, 1e21 -> 1e+21, 1e-7 -> 1e-7, -0 -> 0, big integers as doubles."""
    if isinstance(value, int) and abs(value) < 2**53:
        return str(value)
    try:
        double = float(value)
    except OverflowError:
        return "null"
    if double != double or double in (float("inf"), float("-inf")):
        return "null"
    if double == 0:
        return "0"
    sign, digits, exponent = Decimal(repr(double)).as_tuple()
    text = "".join(map(str, digits)).rstrip("0")
    point = len(digits) + int(exponent)  # position of the decimal point relative to the first digit
    if 0 < point <= 21:
        body = text.ljust(point, "0") if len(text) <= point else f"{text[:point]}.{text[point:]}"
    elif -6 < point <= 0:
        body = "0." + "0" * -point + text
    else:
        power = point - 1
        body = (text[0] + ("." + text[1:] if len(text) > 1 else "")) + f"e{'+' if power > 0 else '-'}{abs(power)}"
    return ("-" if sign else "") + body


_SURROGATE = re.compile("[\ud800-\udfff]")


def json_string(text: str) -> str:
    """A string literal of JSON.stringify: non-ASCII raw, lone surrogates and controls escaped."""
    if text.isascii():
        return encode_basestring(text)
    return _SURROGATE.sub(lambda found: f"\\u{ord(found.group()):04x}", encode_basestring(joined(text)))


def json_text(value: object) -> str:
    """JSON.stringify(value) without spaces. Integer-like keys come first, ascending, as in JavaScript objects.

    Not recursive: files nest as deeply as they like.
    """
    if type(value) is dict and all(type(text) is str and not key[:1].isdigit() for key, text in value.items()):
        with suppress(TypeError):  # a lone surrogate
            return orjson.dumps(value).decode("utf-8")
    pieces: list[str] = []
    waiting: list[object] = [value]
    while waiting:
        found = waiting.pop()
        if type(found) is _Literal:
            pieces.append(found)
        elif isinstance(found, str):
            pieces.append(json_string(found))
        elif found is None:
            pieces.append("null")
        elif isinstance(found, bool):
            pieces.append("true" if found else "false")
        elif isinstance(found, int | float):
            pieces.append(number_text(found))
        elif isinstance(found, dict):
            waiting.append(_CLOSE_OBJECT)
            comma = _OPEN_OBJECT
            members: list[object] = []
            for key, member in _ordered(found):
                members += (_Literal(f"{comma}{json_string(str(key))}:"), member)
                comma = _COMMA
            if not members:
                members = [_OPEN_OBJECT]
            waiting += reversed(members)
        elif isinstance(found, list | tuple):
            waiting.append(_CLOSE_LIST)
            for item in reversed(found):
                waiting += (item, _COMMA)
            if found:
                waiting.pop()
            waiting.append(_OPEN_LIST)
        else:
            raise TypeError(f"no JSON value: {type(found).__name__}")
    return "".join(pieces)


class _Literal(str):
    """JSON text as it stands, among the values that wait to be written."""


_COMMA, _OPEN_LIST, _CLOSE_LIST, _OPEN_OBJECT, _CLOSE_OBJECT = map(_Literal, ",[]{}")


def _ordered(value: dict[str, object]) -> Iterable[tuple[str, object]]:
    for key in value:
        if key[:1].isdigit():
            break
    else:
        return value.items()
    index = [k for k in value if k.isascii() and k.isdigit() and (k == "0" or k[0] != "0") and int(k) < 2**32 - 1]
    first = set(index)
    return [(k, value[k]) for k in sorted(index, key=int)] + [(k, v) for k, v in value.items() if k not in first]


_UNLIKE_JAVASCRIPT = re.compile(rb"(?:^|[\[:,])-?(?:[0-9]{16}|[0-9]+[.eE])")


def json_length(value: object) -> int:
    """UTF-16 length of `json_text(value)`."""
    try:
        data = orjson.dumps(value)
    except TypeError:  # lone surrogates, numbers without bounds, deep nesting
        return length(json_text(value))
    plain = isinstance(value, dict) and all(type(member) is str or type(member) is bool for member in value.values())
    if not plain and _UNLIKE_JAVASCRIPT.search(
        data
    ):  # floats and large integers are printed differently; or it only looks like one
        return length(json_text(value))
    return len(data) if data.isascii() else length(data.decode("utf-8"))


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LATEST = 8_640_000_000_000_000


def epoch_ms(timestamp: object) -> int | None:
    """`new Date(timestamp).getTime()` for ISO 8601 text or a number of ms; None for what is no date.

    A local time without a zone is taken as UTC: which zone is not in the file, and order and gaps stay right.
    """
    if isinstance(timestamp, str):
        try:
            moment = datetime.fromisoformat(timestamp)
        except ValueError:
            return None
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        gap = moment - _EPOCH
        return (gap.days * 86_400 + gap.seconds) * 1000 + gap.microseconds // 1000
    if isinstance(timestamp, bool) or not isinstance(timestamp, int | float):
        return None
    return int(timestamp) if abs(timestamp) <= _LATEST else None
