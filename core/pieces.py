"""Long work in pieces: a generator that yields now and then, and returns what it found.

Who has time runs it to its end; a window takes a piece at each turn of its event loop.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

T = TypeVar("T")
Pieces = Generator[None, None, T]


def finished(work: Pieces[T]) -> T:
    """Its answer, without a pause."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            found: T = end.value
            return found
