"""The Measures of all entries of a session, as columns: objects would weigh more than the rest of the session together.

lines ─▶ what is sent of each ─▶ texts of some hundred entries at once ─▶ columns ─▶ a Measure when asked
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import get_args, overload

import numpy as np
from numpy.typing import NDArray

from core.calibration import NOTHING, Measure
from core.context import SENDING, raw_message, raw_summary
from core.measure import bodies_of
from core.sent import Kind, Sent, sent_raw
from core.session import Session
from core.traits import TRAITS, tally

KINDS: tuple[Kind, ...] = get_args(Kind)
_TOGETHER = 256
"""Entries between two questions whether to go on."""
_CHARACTERS = 1 << 20
"""Characters of texts that are held before they are tallied."""


@dataclass(frozen=True, slots=True, eq=False)
class Measures(Sequence[Measure]):
    """By row. `kind`: index into KINDS; `words`, `said`: TRAITS a row; the others as in Measure."""

    kind: array[int]
    words: NDArray[np.int64]
    said: NDArray[np.int64]
    images: array[int]
    calls: array[int]
    thinks: bytes

    def __len__(self) -> int:
        return len(self.kind)

    def kind_of(self, row: int) -> Kind:
        return KINDS[self.kind[row]]

    @overload
    def __getitem__(self, at: int) -> Measure: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Measure, ...]: ...
    def __getitem__(self, at: int | slice) -> Measure | tuple[Measure, ...]:
        if isinstance(at, slice):
            return tuple(map(self._one, range(*at.indices(len(self)))))
        count = len(self)
        if not -count <= at < count:
            raise IndexError(at)
        return self._one(at % count)

    def _one(self, row: int) -> Measure:
        kind = KINDS[self.kind[row]]
        if kind == "none":
            return NOTHING
        words, calls = tuple(self.words[row].tolist()), self.calls[row]
        said = tuple(self.said[row].tolist()) if calls else words
        return Measure(kind, words, said, self.images[row], calls, bool(self.thinks[row]))


def measures(session: Session, go_on: Callable[[int], bool]) -> Measures | None:
    """Of the message that each entry brings into a context; None when `go_on(rows done)`, asked now and then, says
    False. Raises UnreadableFile."""
    size = len(session)
    kinds = session.columns.kinds
    wanted = [name in SENDING or name == "compaction" for name in kinds]
    kind, images, calls = array("b", bytes(size)), array("q", bytes(8 * size)), array("q", bytes(8 * size))
    thinks = bytearray(size)
    words = np.zeros((size, len(TRAITS)), np.int64)
    said = np.zeros((size, len(TRAITS)), np.int64)
    held: list[tuple[int, Sent]] = []
    waiting = 0

    def settle() -> None:
        nonlocal waiting
        words[[row for row, _ in held]] = tally(found.texts for _, found in held)
        called = [(row, found.said) for row, found in held if found.calls]
        if called:
            said[[row for row, _ in called]] = tally(texts for _, texts in called)
        held.clear()
        waiting = 0

    for row, body in bodies_of(session, lambda row: wanted[session.columns.kind[row]]):
        if body is not None:
            name = kinds[session.columns.kind[row]]
            raw = raw_summary(body) if name == "compaction" else raw_message(name, body)
            found = sent_raw(raw)
            if found.kind != "none":
                kind[row], images[row], calls[row] = KINDS.index(found.kind), sum(found.images), found.calls
                thinks[row] = found.thinks
                held.append((row, found))
                waiting += sum(map(len, found.texts))
        if row % _TOGETHER == 0 or waiting > _CHARACTERS:
            settle()
            if row % _TOGETHER == 0 and not go_on(row):
                return None
    settle()
    return Measures(kind, words, said, images, calls, bytes(thinks))
