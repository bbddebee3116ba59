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
_STOP = _table(b".:?=")
_E, _DOT, _CALL = ord("E"), ord("."), ord("(")


class Joined:
    """Some texts as bytes in one piece (`data`), with the way back from a place to the text it is in."""

    def __init__(self, texts: Sequence[str], first: int = 0) -> None:
        encoded = [text.encode("utf-8", "replace") for text in texts]
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
        for _ in range(2):  # the full stop of a sentence, the colon behind an error's name
            ends = ends - (_STOP[data[ends - 1]] & (ends - starts > 1))
        size = ends - starts
        fit = (size >= 3) & (size <= LONGEST)
        starts, ends = starts[fit], ends[fit]
        if not len(starts):
            return
        told = _telling(data, starts, ends)
        starts, ends = starts[told], ends[told]
        owners = np.searchsorted(self._ends, starts, side="right") + self._first
        held = self.data
        for owner, start, end in zip(owners.tolist(), starts.tolist(), ends.tolist(), strict=True):
            yield owner, held[start:end].decode("ascii")


def batches(texts: Sequence[str]) -> Iterator[Joined]:
    """All the texts, some megabytes at a time."""
    start = size = 0
    for at, text in enumerate(texts):
        size += len(text)
        if size >= _BATCH or at == len(texts) - 1:
            yield Joined(texts[start : at + 1], start)
            start, size = at + 1, 0


def _telling(data: NDArray[np.uint8], starts: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.bool_]:
    """May the run be an identifier?"""
    borders = np.ravel(np.column_stack((starts, ends)))
    told = np.logical_or.reduceat(_TELLING[data], borders)[::2]
    told |= np.logical_or.reduceat(data == _DOT, borders)[::2] & (data[ends] != _CALL)
    told |= _ends_with(data, ends, b"Error") | _ends_with(data, ends, b"Exception")
    told |= (data[starts] == _E) & _CAPITAL[data[starts + 1]]
    return np.asarray(told)


def _ends_with(data: NDArray[np.uint8], ends: NDArray[np.int64], suffix: bytes) -> NDArray[np.bool_]:
    """Which runs end so. Each byte of the suffix leaves fewer to look at."""
    left = np.arange(len(ends))
    for back, character in enumerate(reversed(suffix), 1):
        left = left[data[np.maximum(ends[left] - back, 0)] == character]
    found = np.zeros(len(ends), np.bool_)
    found[left] = True
    return found
