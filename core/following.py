"""A file that is read in pieces, and followed while an agent writes it: what came is told as Parts.

    read        first rows · more rows · … · all rows             Part after Part
    look        unchanged | grew: a Part | something else stands there: read it again

A last line without its line end waits for the rest. A file that only grew goes on where reading stopped; one that was
cut, replaced or rewritten is no longer the file that was read. So is a packed one that changed at all.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from core.lines import RecordedFile
from core.part import Part
from core.session import Session

State = Literal["same", "grew", "other"]


@dataclass
class Following:
    """What is known of one file. `reading`: a format's Reading (core/format.py); `sent`: rows told as Parts so far."""

    reading: Any
    sent: int = 0
    _version: int = 0
    _parents: array[int] = field(default_factory=lambda: array("q"))
    _stamp: tuple[int, int, int] | None = None
    _tail: bytes = b""
    """The last bytes that were read: whether the file only grew shows at both of its ends."""

    def read(self, size: int, go_on: Callable[[int, int, int], bool]) -> Iterator[None]:
        """Take the file from where reading stopped to its end, about `size` bytes at a time; asked after every piece
        with (bytes taken, bytes in all, entries): False stops, and what was read is kept."""
        reading = self.reading
        source: RecordedFile = reading.source
        for offset, lines in source.batches(size, reading.end):
            reading.take(offset, lines)
            self._tail = lines[-1][-_COMPARED:]
            if not go_on(reading.end, source.size, len(reading.columns)) and reading.end < source.size:
                reading.stopped()
                return
            yield

    def part(self) -> Part:
        """The rows that were not told yet."""
        reading, first = self.reading, self.sent
        tail, version = reading.since(first)
        if version != self._version and first:
            first = 0
            tail, version = reading.since(0)
        moved: tuple[tuple[int, int, str | None], ...] = ()
        if first:
            parents, named = reading.columns.parents(first)
            others = np.flatnonzero(np.frombuffer(parents, np.int64) != np.frombuffer(self._parents, np.int64))
            moved = tuple((row, parents[row], named.get(row)) for row in others.tolist())
        self._version, self.sent = version, first + len(tail)
        self._parents = reading.columns.parents(self.sent)[0]
        return Part(first, tail, moved)

    def tell_all(self) -> None:
        """All rows that were read so far are known elsewhere."""
        self.part()

    def session(self) -> Session:
        """All rows that were read so far."""
        whole: Session = self.reading.session()
        return whole

    def look(self) -> State:
        """Has the file changed since it was read? Raises UnreadableFile when it is gone or cannot be read."""
        old: RecordedFile = self.reading.source
        if old.packed:
            return self._look_at(old)
        now = RecordedFile.at(old.path)
        if (now.size, now.modified, now.inode) == (old.size, old.modified, old.inode):
            return "same"
        if now.inode == old.inode and now.size == old.size and self._moves(now.stamp()):
            return "same"  # stamped, and not longer yet: more is on its way
        if now.inode != old.inode or now.size <= old.size or now.head_until(old.size) != old.head:
            return "other"
        if self._tail and now(self.reading.end - len(self._tail), len(self._tail)) != self._tail:
            return "other"
        before = self.reading.end
        if not self.reading.resume(now):
            return "other"
        if self.reading.end > before:  # the line end that was missing
            self._tail = (self._tail + b"\n")[-_COMPARED:]
        elif self.reading.end < before:  # a line that is taken again
            self._tail = b""
        return "grew"

    def _look_at(self, archive: RecordedFile) -> State:
        """A packed file is read again when it is another one and has come to rest: not at every piece of it that
        arrives."""
        now = archive.stamp()
        return "same" if now == archive.archive or self._moves(now) else "other"

    def _moves(self, stamp: tuple[int, int, int]) -> bool:
        """The file is not as it was at the last look that asked."""
        before, self._stamp = self._stamp, stamp
        return stamp != before


_COMPARED = 4096
