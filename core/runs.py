"""Runs of the characters that identifiers are made of, found in bulk: of megabytes only what may be one.

    "see src/a.py, it raises ValueError(…"    ─▶    src/a.py   ValueError

Words without a digit, slash, dot, underscore, hash sign or the look of an error's name are passed over, and so are
names of methods that are being called. The texts are joined and looked at as bytes: no work per character.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

LONGEST = 300
"""Bytes of a run that is told; longer ones are encoded data."""
_BATCH = 1 << 22
_CHARACTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_~@#$%&?=+:./\\-"
_GAP = b"\0"


def _members(characters: bytes) -> bytes:
    """For `bytes.translate`: 1 for these characters, 0 for all others."""
    return bytes(byte in characters for byte in range(256))


def _table(characters: bytes) -> NDArray[np.bool_]:
    return np.frombuffer(_members(characters), np.bool_)


_GAPS = bytes(byte not in _CHARACTERS for byte in range(256))
_TELLING = _members(b"0123456789/_#")
_DIGIT = _members(b"0123456789")
_RUN = _table(_CHARACTERS)
_CAPITAL = _table(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_WORD = _table(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
_BETWEEN = _table(b" #=:.")
_FAR = 3
"""Characters at most between a word and its number."""
_E, _DOT, _CALL = ord("E"), ord("."), ord("(")
_ERRORS = (b"rror", b"xception")
"""Behind a capital E."""
_PAD = 16
"""Bytes behind the last text, so that nothing looks past the end."""

_Bytes = NDArray[np.uint8]
_Places = NDArray[np.int64]


class Joined:
    """Some texts as bytes in one piece (`data`), with the way back from a place to the text it is in."""

    def __init__(self, texts: Sequence[str], first: int = 0) -> None:
        encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
        self.data = _GAP.join([*encoded, _GAP * _PAD])
        self._ends = list(accumulate(len(one) + 1 for one in encoded))
        self._first = first

    def owner(self, place: int) -> int:
        """Index of the text that holds this byte."""
        return self._first + bisect_right(self._ends, place)

    def runs(self) -> Iterator[tuple[int, bytes]]:
        """(index of the text, run), in order."""
        gaps = np.flatnonzero(self._mask(_GAPS))
        begins, _ = _run_at(gaps, self._telling(gaps))
        starts = np.unique(begins)
        ends = gaps[np.searchsorted(gaps, starts)]
        size = ends - starts
        fit = (size >= 3) & (size <= LONGEST)
        starts, ends = starts[fit], ends[fit]
        owners = np.searchsorted(self._ends, starts, side="right") + self._first
        return zip(owners.tolist(), map(self.data.__getitem__, map(slice, starts.tolist(), ends.tolist())), strict=True)

    def numbers(self, endings: NDArray[np.bool_]) -> list[int]:
        """Places of the first digits of numbers that follow a word, up to three separators apart. `endings`: which two
        bytes such a word may end with, as 256 times the first plus the second."""
        data = self._bytes
        digits = self._mask(_DIGIT)
        places = np.flatnonzero(digits[1:] & ~digits[:-1]) + 1
        last = places - 1
        for _ in range(_FAR):
            last = last - _BETWEEN[data[last]]
        pairs = data[last - 1].astype(np.int64) * 256 + data[last]
        found: list[int] = places[endings[pairs]].tolist()
        return found

    @property
    def _bytes(self) -> _Bytes:
        return np.frombuffer(self.data, np.uint8)

    def _mask(self, members: bytes) -> NDArray[np.bool_]:
        return np.frombuffer(self.data.translate(members), np.bool_)

    def _telling(self, gaps: _Places) -> _Places:
        """Places by which a run may be an identifier: most have none. `gaps`: of all characters outside of runs."""
        data = self._bytes
        dots = np.flatnonzero(data == _DOT)
        _, ends = _run_at(gaps, dots)
        dots = dots[(dots < ends - 1) & (data[ends] != _CALL)]  # neither a full stop nor a call of a method
        capitals = np.flatnonzero(data == _E)
        first = capitals[_CAPITAL[data[capitals + 1]] & ~((capitals > 0) & _RUN[data[capitals - 1]])]
        errors = [_behind(data, capitals, rest) for rest in _ERRORS]
        return np.concatenate((np.flatnonzero(self._mask(_TELLING)), dots, first, *errors))


def _run_at(gaps: _Places, places: _Places) -> tuple[_Places, _Places]:
    """Begins and ends of the runs that these places are in; a text ends with a gap."""
    behind = np.searchsorted(gaps, places)
    return np.where(behind > 0, gaps[behind - 1] + 1, 0), gaps[behind]


def _behind(data: _Bytes, places: _Places, rest: bytes) -> _Places:
    """Those of the places behind which `rest` follows, and behind that no letter or digit."""
    for far, byte in enumerate(rest, 1):
        places = places[data[places + far] == byte]
    return places[~_WORD[data[places + len(rest) + 1]]]


def batches(texts: Sequence[str]) -> Iterator[Joined]:
    """All the texts, some megabytes at a time."""
    start = size = 0
    for at, text in enumerate(texts):
        size += len(text)
        if size >= _BATCH or at == len(texts) - 1:
            yield Joined(texts[start : at + 1], start)
            start, size = at + 1, 0
