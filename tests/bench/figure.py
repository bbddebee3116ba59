"""What a benchmark gives: measured values with the limit they are held to and the yardstick they stand beside.

A limit is a promise of the product, measured in time; machines differ and are shared, so nothing here fails a run. The
yardstick is something else measured in the same run (an empty Qt window, a plain parse, the gap of an idle window):
the ratio to it says more on another machine than the time does.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

Taken = Literal["median", "p95", "max"]


@dataclass(frozen=True, slots=True)
class Yardstick:
    """`value`: in the unit of the figure it stands beside."""

    name: str
    value: float


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured thing. `values`: one per repetition, at least one. `taken`: which of them the limit speaks of.

    `limit`: None = nothing was promised.
    """

    name: str
    values: tuple[float, ...]
    taken: Taken = "median"
    limit: float | None = None
    yardstick: Yardstick | None = None
    unit: str = "ms"

    @property
    def value(self) -> float:
        return {"median": self.median, "p95": self.p95, "max": max(self.values)}[self.taken]

    @property
    def median(self) -> float:
        return statistics.median(self.values)

    @property
    def p95(self) -> float:
        """The smallest value that 95 % of the values do not exceed."""
        ordered = sorted(self.values)
        return ordered[max(0, -(-len(ordered) * 95 // 100) - 1)]

    @property
    def ratio(self) -> float | None:
        return self.value / self.yardstick.value if self.yardstick and self.yardstick.value else None

    @property
    def verdict(self) -> str:
        """`over at times`: the limit is kept by half of the values or by the best one, not by the one it speaks of."""
        if self.limit is None:
            return ""
        if self.value <= self.limit:
            return "within"
        kept = min(self.values) if self.taken == "median" else self.median
        return "over at times" if kept <= self.limit else "OVER"

    def json(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "name": self.name,
            "unit": self.unit,
            "taken": self.taken,
            "value": round(self.value, 3),
            "limit": self.limit,
            "verdict": self.verdict,
            "repetitions": len(self.values),
            "min": round(min(self.values), 3),
            "median": round(self.median, 3),
            "p95": round(self.p95, 3),
            "max": round(max(self.values), 3),
        }
        if self.yardstick is not None:
            found["yardstick"] = {"name": self.yardstick.name, "value": round(self.yardstick.value, 3)}
            found["ratio"] = round(self.ratio, 3) if self.ratio is not None else None
        return found

    @classmethod
    def read(cls, found: dict[str, Any]) -> Figure:
        """From what `written` gave: a benchmark runs in a process of its own."""
        yard = found["yardstick"]
        return cls(**{**found, "values": tuple(found["values"]), "yardstick": Yardstick(*yard) if yard else None})

    def written(self) -> dict[str, Any]:
        yard = (self.yardstick.name, self.yardstick.value) if self.yardstick else None
        return {
            "name": self.name,
            "values": self.values,
            "taken": self.taken,
            "limit": self.limit,
            "yardstick": yard,
            "unit": self.unit,
        }


HEADINGS = ("figure", "measured", "limit", "verdict", "min", "median", "p95", "max", "n", "yardstick", "ratio")


def table(figures: Sequence[Figure]) -> str:
    """The figures as lines of text, columns aligned; the first column to the left, numbers to the right."""
    rows = [HEADINGS, *(_row(figure) for figure in figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    left = {0, 3, 9}
    lines = []
    for row in rows:
        cells = [
            cell.ljust(width) if column in left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    lines.insert(1, "─" * max(map(len, lines)))
    return "\n".join(lines)


def _row(figure: Figure) -> tuple[str, ...]:
    yard = figure.yardstick
    return (
        figure.name,
        f"{figure.taken} {_short(figure.value)} {figure.unit}",
        f"{_short(figure.limit)} {figure.unit}" if figure.limit is not None else "",
        figure.verdict,
        _short(min(figure.values)),
        _short(figure.median),
        _short(figure.p95),
        _short(max(figure.values)),
        str(len(figure.values)),
        f"{yard.name} {_short(yard.value)}" if yard else "",
        f"{figure.ratio:.2f}×" if figure.ratio is not None else "",
    )


def _short(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 1 else f"{value:.3f}"
