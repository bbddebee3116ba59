"""Where the lines of entries begin and end in the file, beyond what the columns tell.

    {"type":"message",…}\\r\\n        alone: the entry is all of its line; `after` is behind the line end
    {"type":"mess{"type":…}\\n        not alone: a rescued record shares its line with something that is none

Asked for rows in ascending order it reads the file once, in pieces; where two neighbours stand one byte apart on
neighbouring lines, that byte is the line end, and nothing is read.
"""

from __future__ import annotations

from core.lines import BOM
from core.session import Session

_PIECE = 1 << 16


class LineEnds:
    """Raises UnreadableFile when the file changed since it was opened."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._start = 0
        self._held = b""

    def alone(self, row: int) -> bool:
        """The entry's record begins and ends its line."""
        return self._begins(row) and self._ends(row)

    def after(self, row: int) -> int:
        """Offset of the next line, for an entry that is alone on its own."""
        columns = self._session.columns
        end = columns.offset[row] + columns.size[row]
        if self._touch(row):
            return end + 1
        found = self._bytes(end, 2)
        return end + (2 if found == b"\r\n" else 1 if found[:1] == b"\n" else 0)

    def _touch(self, row: int) -> bool:
        """One byte stands between this entry and the next, which is on the next line."""
        columns = self._session.columns
        after = row + 1
        return (
            row >= 0
            and after < len(columns.ids)
            and columns.line[after] == columns.line[row] + 1
            and columns.offset[after] == columns.offset[row] + columns.size[row] + 1
        )

    def _begins(self, row: int) -> bool:
        offset = self._session.columns.offset[row]
        if self._touch(row - 1) or offset == 0:
            return True
        return self._bytes(offset - 1, 1) == b"\n" or (offset == len(BOM) and self._bytes(0, offset) == BOM)

    def _ends(self, row: int) -> bool:
        columns = self._session.columns
        if self._touch(row):
            return True
        found = self._bytes(columns.offset[row] + columns.size[row], 2)
        return found in (b"", b"\r\n") or found[:1] == b"\n"

    def _bytes(self, start: int, size: int) -> bytes:
        """Fewer at the end of the file."""
        size = min(size, self._session.size - start)
        if not self._start <= start <= start + size <= self._start + len(self._held):
            self._start = start
            self._held = self._session.read(start, min(_PIECE, self._session.size - start))
        at = start - self._start
        return self._held[at : at + size]
