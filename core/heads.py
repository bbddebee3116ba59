"""What reading needs of an entry, decoded without the rest: types for a parser that skips what it is not asked for.

An entry that does not fit (another type of value, an unknown kind, anything odd) is no fault: it is read again by the
general way (core/formats/pi.py). So this module may be strict: what it takes, it takes exactly as the general way does.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from decimal import Decimal
from itertools import chain
from operator import attrgetter

import msgspec
import numpy as np
from msgspec import UNSET, Raw, Struct, UnsetType

from core import openclaw
from core.javascript import epoch_ms
from core.lines import parse
from core.messages import Usage
from core.reply import NO_TIME, usage_of

Number = int | float


class Cost(Struct, gc=False):
    total: Number | None = None


class Spent(Struct, gc=False):
    """`message.usage` (core.messages.Usage)."""

    input: Number = 0
    output: Number = 0
    cacheRead: Number = 0
    cacheWrite: Number = 0
    cacheWrite1h: Number = 0
    totalTokens: Number = 0
    reasoning: Number = 0
    cost: Cost | None = None


class Said(Struct, gc=False):
    """`content` is not looked into: what it holds is measured later (core/measure.py)."""

    role: str
    content: Raw = Raw()
    provider: str | None = None
    model: str | None = None
    api: str | None = None
    stopReason: str | None = None
    usage: Spent | None = None
    timestamp: Number | str | None = None
    provenance: Raw | UnsetType = UNSET


class Head(Struct, gc=False):
    type: str
    id: str = ""
    parentId: str | None = None
    timestamp: str = ""
    message: Said | None = None
    customType: str | None = None


QUIET = frozenset({"custom", "custom_message", "model_change", "thinking_level_change", "session_info"})
"""Kinds about which reading notes nothing but what kind they are."""

_decode = msgspec.json.Decoder(Head).decode
_NESTED = 900
"""Brackets in a line from which on it may nest deeper than the general parser goes; that one decides then."""
_DEEP = sys.version_info >= (3, 12)
"""Up to Python 3.11 the typed parser gives up earlier than the general one; the limits of later ones are higher."""


def head(line: bytes) -> Head | None:
    """The head of a plain entry; None for whatever has to be read the general way."""
    try:
        found = _decode(line)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return None
    said = found.message
    if said is None:
        if found.type not in QUIET:
            return None
    elif found.type != "message":
        return None
    if not line.isascii() and not _utf8(line):  # a string that was skipped was not looked into
        return None
    if _DEEP and len(line) > _NESTED and line.count(b"[") + line.count(b"{") > _NESTED:
        return None
    return found


def heads(lines: Sequence[bytes]) -> list[Head | None]:
    """`head` of each. Nearly always all of them are plain: then it takes half the time."""
    if _DEEP:
        return list(map(head, lines))
    try:
        found: list[Head | None] = list(map(_decode, lines))
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return list(map(head, lines))
    plain = map(bytes.isascii, lines)
    odd = [
        at
        for at, (one, simple) in enumerate(zip(found, plain, strict=True))
        if not (simple or _utf8(lines[at])) or (one.type not in QUIET if one.message is None else one.type != "message")  # type: ignore[union-attr]
    ]
    for at in odd:
        found[at] = None
    return found


def _utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def numbers(usages: Sequence[Spent | None]) -> array[int]:
    """NUMBERS of core.reply for each, as core.messages.Usage.of has them."""
    found: list[Number] = list(chain.from_iterable(map(_counted, [one or _NOTHING for one in usages])))
    try:
        kept: array[int] = array("q", found)  # type: ignore[arg-type]
    except (TypeError, OverflowError):  # floats, or numbers without bounds
        return array("q", map(_whole, found))
    values = np.frombuffer(kept, dtype=np.int64)
    if found and not -_BOUND < values.min() <= values.max() < _BOUND:
        return array("q", map(_whole, found))
    return kept


_NOTHING = Spent()
_counted = attrgetter("input", "output", "cacheRead", "cacheWrite", "cacheWrite1h", "totalTokens", "reasoning")
_BOUND = 2**53


def _whole(value: Number) -> int:
    """What is no finite number of ordinary size counts as 0."""
    return int(value) if -_BOUND < value < _BOUND else 0


_NAN = float("nan")


def prices(usages: Sequence[Spent | None]) -> list[float]:
    """US dollars of each, NaN for none."""
    costs = [None if one is None else one.cost for one in usages]
    totals = [None if cost is None else cost.total for cost in costs]
    return [float(total) if total is not None and -1e15 < total < 1e15 else _NAN for total in totals]


_LAST = 8_640_000_000_000_000
"""Milliseconds to the last moment that is a date."""


def moments(values: Sequence[Number | str | None]) -> list[int]:
    """`message.timestamp` of each in epoch ms, NO_TIME for what is no date."""
    return [value if type(value) is int and -_LAST <= value <= _LAST else _moment(value) for value in values]


def _moment(value: Number | str | None) -> int:
    found = epoch_ms(value)
    return NO_TIME if found is None else found


def spent(usage: Spent) -> Usage:
    """core.messages.Usage.of the same."""
    total = usage.cost.total if usage.cost is not None else None
    cost = Decimal(repr(total)) if total is not None and abs(total) < 1e15 else None
    return usage_of(numbers([usage]), cost)


_UNDERSCORE = b"HEARTBEAT_OK"


def from_elsewhere(said: Said) -> bool:
    """core.openclaw.user_message of a user's message; the content is parsed only where it could be a heartbeat."""
    if said.provenance is not UNSET:
        return True
    content = bytes(said.content)
    if _UNDERSCORE not in content and b"\\u" not in content:
        return False
    return openclaw.user_message({"content": parse(content)})
