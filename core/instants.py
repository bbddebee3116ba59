"""Timestamps of many entries at once: `2026-03-01T08:00:04.370Z` -> epoch ms, as core.javascript.epoch_ms one by one.

Agents write their times with toISOString, so that all look alike: arithmetic on the columns of digits does then what a
parser would do a hundred thousand times. Whatever looks different is handed to the parser.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.javascript import epoch_ms
from core.reply import NO_TIME

_LENGTH = 24
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DIGITS = [11, 12, 14, 15, 17, 18, 20, 21, 22]
"""Of the time of day."""
_WEIGHTS = np.array([36_000_000, 3_600_000, 600_000, 60_000, 10_000, 1_000, 100, 10, 1], dtype=np.float64)
"""What each of them counts, in ms."""
_MARKS = np.frombuffer(b"T::.Z", dtype=np.uint8)
_MARKED = [10, 13, 16, 19, 23]


def instants(stamps: Sequence[str]) -> array[int]:
    """Epoch ms of each, NO_TIME for what is no date."""
    text = "".join(stamps)
    if len(text) == _LENGTH * len(stamps) and text.isascii() and set(map(len, stamps)) <= {_LENGTH}:
        values, good = _of_digits(stamps, np.frombuffer(text.encode("ascii"), dtype=np.uint8).reshape(-1, _LENGTH))
        found = array("q", values.tobytes())
        odd: Iterable[int] = () if good.all() else np.flatnonzero(~good).tolist()
    else:
        found = array("q", bytes(8 * len(stamps)))
        odd = range(len(stamps))
    for at in odd:
        one = epoch_ms(stamps[at])
        found[at] = NO_TIME if one is None else one
    return found


@lru_cache(maxsize=128)
def _midnight(day: str) -> int:
    """Epoch ms at which a day begins; NO_TIME for what is none."""
    found = epoch_ms(day + "T00:00:00.000Z") if _DAY.fullmatch(day) else None
    return NO_TIME if found is None else found


def _of_digits(stamps: Sequence[str], signs: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """(epoch ms, whether the row is a date written in the usual way). There are few days and many times of day."""
    days = np.array([_midnight(stamp[:10]) for stamp in stamps], dtype=np.int64)
    digits = signs[:, _DIGITS] - np.uint8(48)
    good = (days != NO_TIME) & (digits <= 9).all(axis=1) & (signs[:, _MARKED] == _MARKS).all(axis=1)
    good &= (digits[:, 2] <= 5) & (digits[:, 4] <= 5) & (digits[:, 0] * 10 + digits[:, 1] <= 23)
    of_day = (digits.astype(np.float64) @ _WEIGHTS).astype(np.int64)
    return days + of_day, good
