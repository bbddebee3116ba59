"""What a pi session of an older version means in version 3, in memory only (recorded cases of layer h).

v1 -> v2    every entry gets an id and its predecessor as parent; firstKeptEntryIndex becomes firstKeptEntryId
v2 -> v3    role hookMessage becomes custom
"""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass

from core.errors import UnreadableFile
from core.javascript import trim
from core.lines import parse
from core.messages import Json
from core.phrase import phrase
from core.session import Session


def version_number(version: Json) -> float:
    """`version ?? 1` as JavaScript compares it with a number; NaN for what is none."""
    if version is None:
        return 1
    if isinstance(version, int | float):
        return float(version)
    if isinstance(version, str):
        try:
            return float(trim(version) or 0)
        except ValueError:
            return math.nan
    return math.nan


def read_as(version: float) -> int:
    """1, 2 or 3: the version whose rules apply. What is no number is left alone by the agent, so it is 3."""
    return 1 if version < 2 else 2 if version < 3 else 3


def line_ids(count: int) -> list[str]:
    """Ids for the entries of a v1 file: the agent's are random, these are the entry's number, always the same."""
    return [f"{number:08x}" for number in range(1, count + 1)]


def kept_row(parsed: array[int], index: Json, row: int) -> int | None:
    """The row that a v1 `firstKeptEntryIndex` of the compaction in `row` means; None when it means nothing.

    `parsed`: row of every record as v1's parser counts them, -1 for headers. The migration gives ids in one pass in
    file order, so that an index behind the compaction finds an id that nothing has any more.
    """
    if not _is_number(index) or index != int(index) or not 0 <= index < len(parsed):
        return None
    kept = parsed[int(index)]
    return kept if 0 <= kept <= row else None


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


@dataclass(frozen=True, slots=True)
class Decoding:
    """Bytes of a line -> the entry as version 3 would have it; {} for a value that is no object.

    `parsed`: see `kept_row`; None but for v1. Raises UnreadableFile when another entry stands there now.
    """

    read_as: int
    parsed: array[int] | None = None

    def __call__(self, session: Session, row: int, line: bytes) -> Json:
        try:
            value = parse(line)
        except ValueError as error:
            raise UnreadableFile(phrase("file.changed", path=session.path)) from error
        if type(value) is not dict:
            return {}
        ids = session.columns.ids
        if self.read_as > 1 and ids[row] and value.get("id") != ids[row]:
            raise UnreadableFile(phrase("file.changed", path=session.path))
        if self.read_as < 3:
            message = value.get("message")
            if type(message) is dict and message.get("role") == "hookMessage":
                message["role"] = "custom"
        if self.parsed is not None:
            value["id"] = ids[row]
            value["parentId"] = ids[row - 1] if row else None
            index = value.get("firstKeptEntryIndex")
            if value.get("type") == "compaction" and _is_number(index):
                del value["firstKeptEntryIndex"]
                if (kept := kept_row(self.parsed, index, row)) is not None:
                    value["firstKeptEntryId"] = ids[kept]
        return value
