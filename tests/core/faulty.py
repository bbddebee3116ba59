"""File operations that fail where a test likes, or end as a crash ends them, and a log of all that were asked for."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.file_operations import FileOperations

METHODS = tuple(
    name for name in vars(FileOperations) if not name.startswith("_") and callable(getattr(FileOperations, name))
)


class Crash(BaseException):
    """The machine stops: nothing is done after it, no clearing up either."""


class Faulty(FileOperations):
    """`at`: which call (from 1) does not succeed; 0: none. `how`: an errno, or Crash before or after it was done.

    `log`: (name, arguments) of every call. `seen` is called after each that succeeded."""

    def __init__(self, at: int = 0, how: int | str = 0, seen: Callable[[], None] = lambda: None) -> None:
        self.at, self.how, self.seen = at, how, seen
        self.log: list[tuple[str, tuple[Any, ...]]] = []
        self.dead = False

    def _do(self, name: str, *given: Any) -> Any:
        if self.dead:
            if name == "close":  # the handle is the test's own, which goes on
                return FileOperations.close(self, *given)
            raise Crash
        self.log.append((name, given))
        hit = len(self.log) == self.at
        if hit and self.how == "before":
            self.dead = True
            raise Crash
        if hit and isinstance(self.how, int):
            raise OSError(self.how, os.strerror(self.how))
        if hit and self.how == "short" and name == "write":
            given = (given[0], given[1][: max(1, len(given[1]) // 3)])
        done = getattr(FileOperations, name)(self, *given)
        if hit and self.how == "after":
            self.dead = True
            raise Crash
        self.seen()
        return done

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.log]


def _method(name: str) -> Callable[..., Any]:
    return lambda self, *given: self._do(name, *given)


for _name in METHODS:
    setattr(Faulty, _name, _method(_name))


def content(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, links followed."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}
