"""How much text the entries would bring into a prompt, measured after they were read: it takes a look at every body.

Reading gives the rows, the graph and the recorded usage, and leaves `chars` of plain entries UNMEASURED. Whoever needs
the sizes (evidence about cache breaks, token counts) asks for them once; a window shows rows long before that.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from dataclasses import replace

from core.lines import parse
from core.messages import Json, raw_chars
from core.session import UNMEASURED, Session, is_mirror

_READ = 1 << 21
"""Bytes read at once; a longer line is read alone."""


def units_of(entry: Json) -> int:
    """UTF-16 units of text that an entry would bring into a prompt; 0 for what is never sent."""
    if type(entry) is not dict:
        return 0
    kind = entry.get("type")
    if kind != "message":
        return raw_chars(entry) if kind in ("custom_message", "compaction", "branch_summary") else 0
    message = entry.get("message")
    if type(message) is not dict:
        return 0
    role = message.get("role")
    if role == "assistant" and is_mirror(_name(message.get("provider")), _name(message.get("model"))):
        return 0
    if role == "bashExecution" and message.get("excludeFromContext"):
        return 0
    return raw_chars(message)


def _name(value: Json) -> str:
    return value if type(value) is str else ""


def lines_of(session: Session, first: int = 0, last: int | None = None) -> Iterator[tuple[int, bytes]]:
    """(row, bytes of its line) of the rows first … last - 1, read in large pieces. Raises UnreadableFile."""
    offsets, sizes = session.columns.offset, session.columns.size
    last = len(session) if last is None else last
    row = first
    while row < last:
        start, stop = offsets[row], row + 1
        end = start + sizes[row]
        while stop < last and offsets[stop] >= end and offsets[stop] + sizes[stop] - start <= _READ:
            end = offsets[stop] + sizes[stop]
            stop += 1
        piece = session.read(start, end - start)
        for at in range(row, stop):
            begin = offsets[at] - start
            yield at, piece[begin : begin + sizes[at]]
        row = stop


def bodies_of(session: Session, wanted: Callable[[int], bool], first: int = 0) -> Iterator[tuple[int, Json | None]]:
    """(row, its JSON, or None where it is not `wanted`) of all rows from `first` on, as Session.body gives it one by
    one. Raises UnreadableFile."""
    for row, line in lines_of(session, first):
        yield row, session.decode(session, row, line) if wanted(row) else None


def measured(session: Session, go_on: Callable[[int], bool] = lambda _: True) -> Session:
    """The session with all sizes known. `go_on(rows done)`: asked now and then; False leaves the rest unmeasured."""
    chars = session.columns.chars
    if UNMEASURED not in chars:
        return session
    chars = chars[:]
    for row, line in lines_of(session, chars.index(UNMEASURED)):
        if chars[row] == UNMEASURED:
            chars[row] = _units(line)
        if row % 1024 == 0 and not go_on(row):
            break
    return replace(session, columns=replace(session.columns, chars=chars))


def _units(line: bytes) -> int:
    try:
        return units_of(parse(line))
    except ValueError:  # it was no JSON after all in a place that reading did not look at
        return 0


def sized(session: Session, chars: array[int]) -> Session:
    """The session with sizes that were measured elsewhere."""
    return replace(session, columns=replace(session.columns, chars=chars))
