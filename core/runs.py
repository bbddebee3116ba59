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


def _table(characters: bytes) -> NDArray[np.bool_]:
    table = np.zeros(256, np.bool_)
    table[list(characters)] = True
    return table


_RUN = _table(_CHARACTERS)
_TELLING = _table(b"0123456789/_#")
_CAPITAL = _table(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_E, _DOT, _CALL = ord("E"), ord("."), ord("(")
_ERRORS = (b"Error", b"Exception")

_Bytes = NDArray[np.uint8]
_Places = NDArray[np.int64]


class Joined:
    """Some texts as bytes in one piece (`data`), with the way back from a place to the text it is in."""

    def __init__(self, texts: Sequence[str], first: int = 0) -> None:
        encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
        self.data = _GAP.join([*encoded, _GAP * 3])
        self._ends = list(accumulate(len(one) + 1 for one in encoded))
        self._first = first

    def owner(self, place: int) -> int:
        """Index of the text that holds this byte."""
        return self._first + bisect_right(self._ends, place)

    def runs(self) -> Iterator[tuple[int, str]]:
        """(index of the text, run), in order."""
        data = np.frombuffer(self.data, np.uint8)
        edges = np.flatnonzero(np.diff(_RUN[data], prepend=False))
        starts, ends = edges[0::2], edges[1::2]
        if not len(starts):
            return
        told = self._telling(data, starts, ends)
        starts, ends = starts[told], ends[told]
        size = ends - starts
        fit = (size >= 3) & (size <= LONGEST)
        starts, ends = starts[fit], ends[fit]
        owners = np.searchsorted(self._ends, starts, side="right") + self._first
        held = self.data
        for owner, start, end in zip(owners.tolist(), starts.tolist(), ends.tolist(), strict=True):
            yield owner, held[start:end].decode("ascii")

    def _telling(self, data: _Bytes, starts: _Places, ends: _Places) -> NDArray[np.bool_]:
        """Which runs may be identifiers."""
        told = (data[starts] == _E) & _CAPITAL[data[starts + 1]]
        told[_run_of(np.flatnonzero(_TELLING[data]), starts)] = True
        dots = np.flatnonzero(data == _DOT)
        owners = _run_of(dots, starts)
        inner = (dots < ends[owners] - 1) & (data[ends[owners]] != _CALL)  # neither a full stop nor a call of a method
        told[owners[inner]] = True
        for name in _ERRORS:
            told[_run_of(np.fromiter(self._ending(name), np.int64), starts)] = True
        return np.asarray(told)

    def _ending(self, name: bytes) -> Iterator[int]:
        """Places of a word's end behind which no letter follows."""
        data, at = self.data, self.data.find(name)
        while at >= 0:
            if not data[at + len(name) : at + len(name) + 1].isalnum():
                yield at
            at = data.find(name, at + len(name))


def _run_of(places: _Places, starts: _Places) -> _Places:
    """The run that each place (of a character of runs) is in."""
    return np.asarray(np.searchsorted(starts, places, side="right") - 1)


def batches(texts: Sequence[str]) -> Iterator[Joined]:
    """All the texts, some megabytes at a time."""
    start = size = 0
    for at, text in enumerate(texts):
        size += len(text)
        if size >= _BATCH or at == len(texts) - 1:
            yield Joined(texts[start : at + 1], start)
            start, size = at + 1, 0
