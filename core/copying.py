"""The bytes of a session file with other bytes at some places, streamed; everything between stays as it is.

file     ……………[ change ]………………[ change ]……
copied   …………… new bytes ………………  (nothing) ……
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from core.errors import InputError
from core.phrase import phrase
from core.session import Session

PIECE = 1 << 20
"""Bytes copied at once."""


class Change(NamedTuple):
    """[start, end) of the file becomes `data`."""

    start: int
    end: int
    data: bytes = b""


def copied(
    session: Session, changes: Iterable[Change], go_on: Callable[[int], bool] = lambda _: True
) -> Iterator[bytes]:
    """`changes` in ascending order, not overlapping. UnreadableFile when the file changed since it was opened,
    InputError when `go_on(bytes read)` says no."""
    at = 0
    for change in changes:
        yield from _as_it_is(session, at, change.start, go_on)
        if change.data:
            yield change.data
        at = change.end
    yield from _as_it_is(session, at, session.size, go_on)


def _as_it_is(session: Session, start: int, end: int, go_on: Callable[[int], bool]) -> Iterator[bytes]:
    while start < end:
        size = min(PIECE, end - start)
        yield session.read(start, size)
        start += size
        if not go_on(start):
            raise InputError(phrase("storage.cancelled"))
