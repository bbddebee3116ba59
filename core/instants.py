"""Timestamps of many entries at once: `2026-03-01T08:00:04.370Z` -> epoch ms, as core.javascript.epoch_ms one by one.

Agents write their times with toISOString, so that all look alike: arithmetic on the columns of digits does then what a
parser would do a hundred thousand times. Whatever looks different is handed to the parser.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from core.javascript import epoch_ms
from core.reply import NO_TIME

_LENGTH = 24
_DIGITS = [at for at in range(_LENGTH) if at not in (4, 7, 10, 13, 16, 19, 23)]
_MARKS = np.frombuffer(b"--T::.Z", dtype=np.uint8)
_MARKED = [4, 7, 10, 13, 16, 19, 23]
_DAYS = np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31], dtype=np.int64)


def instants(stamps: Sequence[str]) -> array[int]:
    """Epoch ms of each, NO_TIME for what is no date."""
    found = array("q", bytes(8 * len(stamps)))
    text = "".join(stamps)
    if len(text) == _LENGTH * len(stamps) and text.isascii() and set(map(len, stamps)) <= {_LENGTH}:
        values, good = _of_digits(np.frombuffer(text.encode("ascii"), dtype=np.uint8).reshape(-1, _LENGTH))
        found = array("q", values.tobytes())
        odd: Iterable[int] = np.flatnonzero(~good).tolist()
    else:
        odd = range(len(stamps))
    for at in odd:
        one = epoch_ms(stamps[at])
        found[at] = NO_TIME if one is None else one
    return found


def _of_digits(signs: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """(epoch ms, whether the row is a date written in the usual way)."""
    digits = signs[:, _DIGITS] - np.uint8(48)
    good = (digits <= 9).all(axis=1) & (signs[:, _MARKED] == _MARKS).all(axis=1)
    d = digits.astype(np.int64)
    year = d[:, 0] * 1000 + d[:, 1] * 100 + d[:, 2] * 10 + d[:, 3]
    month, day = d[:, 4] * 10 + d[:, 5], d[:, 6] * 10 + d[:, 7]
    hour, minute, second = d[:, 8] * 10 + d[:, 9], d[:, 10] * 10 + d[:, 11], d[:, 12] * 10 + d[:, 13]
    milli = d[:, 14] * 100 + d[:, 15] * 10 + d[:, 16]
    leap = (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))
    longest = _DAYS[np.clip(month, 1, 12) - 1] + (leap & (month == 2))
    good &= (year >= 1) & (month >= 1) & (month <= 12) & (day >= 1) & (day <= longest)
    good &= (hour <= 23) & (minute <= 59) & (second <= 59)
    # Days since 1970-01-01 with years that begin in March, so that the leap day comes last.
    y = year - (month <= 2)
    of_year = (153 * (month + np.where(month > 2, -3, 9)) + 2) // 5 + day - 1
    days = y * 365 + y // 4 - y // 100 + y // 400 + of_year - 719_468
    return ((days * 24 + hour) * 60 + minute) * 60_000 + second * 1000 + milli, good
