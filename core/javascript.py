"""What JavaScript does, where the agents' arithmetic depends on it: UTF-16 units, JSON text, trim, number printing.

Source: section 2 of the recorded cases' description (semantics every case relies on). The agents are written in
TypeScript; their budgets and cut positions are UTF-16 code units, so Python's code points would be off by one for
every emoji. A string *in units* (`units(s)`) is a Python string in which each astral character is two surrogates:
there, plain indexing is JavaScript's `slice`.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from decimal import Decimal
from json.encoder import encode_basestring

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
    """JSON.stringify(value) without spaces. Integer-like keys come first, ascending, as in JavaScript objects."""
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, str):
        return json_string(value)
    if isinstance(value, int | float):
        return number_text(value)
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(json_text, value)) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(f"{json_string(str(k))}:{json_text(v)}" for k, v in _ordered(value)) + "}"
    return json.dumps(value)


def _ordered(value: dict[str, object]) -> list[tuple[str, object]]:
    index = [k for k in value if k.isascii() and k.isdigit() and (k == "0" or k[0] != "0") and int(k) < 2**32 - 1]
    if not index:
        return list(value.items())
    first = set(index)
    return [(k, value[k]) for k in sorted(index, key=int)] + [(k, v) for k, v in value.items() if k not in first]


def json_length(value: object) -> int:
    """UTF-16 length of `json_text(value)`."""
    return length(json_text(value))


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
