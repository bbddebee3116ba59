"""The rows of a path, root first, for arithmetic on all of them at once: a long session's path has a million."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.int64]


def as_array(path: Sequence[int]) -> Rows:
    """The rows of a path for arithmetic on all of them at once; without a copy where they are one already."""
    found: Rows = np.frombuffer(path, np.int64) if isinstance(path, array) and path else np.array(path, np.int64)
    return found


def place_of(path: Sequence[int], row: int) -> int:
    """Index of a row that is on the path. As a rule its rows rise, and no look at all others is needed. ValueError for
    a row that is not on it."""
    at = bisect_left(path, row)
    return at if at < len(path) and path[at] == row else path.index(row)


class Places:
    """Where rows stand on a path. As a rule its rows rise, and looking one up takes no look at all others."""

    def __init__(self, path: Sequence[int]) -> None:
        self._path, self._rows = path, as_array(path)
        rising = bool((self._rows[1:] > self._rows[:-1]).all())
        self._at = None if rising else {row: at for at, row in enumerate(path)}

    def of(self, row: int) -> int | None:
        """None for a row that is not on the path."""
        if self._at is not None:
            return self._at.get(row)
        at = bisect_left(self._path, row)
        return at if at < len(self._path) and self._path[at] == row else None

    def all(self, rows: Sequence[int]) -> list[int]:
        """Of rows that are on the path."""
        if self._at is not None:
            return [self._at[row] for row in rows]
        found: list[int] = np.searchsorted(self._rows, np.array(rows, np.int64)).tolist()
        return found


class Numbers:
    """Request numbers by row, looked up where they are asked for."""

    def __init__(self, entries: Sequence[int]) -> None:
        self._places = Places(entries)

    def get(self, row: int) -> int | None:
        """From 1; None for a row that answers no request of the path."""
        at = self._places.of(row)
        return None if at is None else at + 1

    def __contains__(self, row: int) -> bool:
        return self._places.of(row) is not None

    def __getitem__(self, row: int) -> int:
        return self._places.all((row,))[0] + 1
