"""Rows by id, filled in as far as they are asked for: a file that is being read brings a million, and nobody asks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

_TOGETHER = 4_096


@dataclass
class Names:
    """`rows`: of a repeated id the last one. `done`: rows that are in it. `repeats`: some id of those stands twice, or
    some entry has none. Sessions that go on from each other share one."""

    rows: dict[str, int] = field(default_factory=dict)
    done: int = 0
    repeats: bool = False

    def fill(self, ids: Sequence[str]) -> dict[str, int]:
        """All of `ids`, by row."""
        for _ in self.filling(ids):
            pass
        return self.rows

    def filling(self, ids: Sequence[str]) -> Iterator[None]:
        """The same, some at a time."""
        while self.done < len(ids):
            end = min(self.done + _TOGETHER, len(ids))
            self.rows.update(zip(ids[self.done : end], range(self.done, end), strict=True))
            self.rows.pop("", None)
            self.done = end
            self.repeats = self.repeats or len(self.rows) != end
            yield

    def back_to(self, row: int) -> None:
        """Rows from this one on will be others."""
        self.done = min(self.done, row)
