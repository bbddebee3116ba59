"""A table of bars as values: what is measured, bars on one scale, their numbers in columns; and where they stand.

For pages that lay a few rows side by side (estimates, what-ifs, two policies): one look, one way to hear them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from gui.shapes import cut_away
from gui.theme import INSET, Theme

ROW, LOW, BAR, GAP = 46, 30, 12, 12
"""Heights of a row with and without a second line, and of a bar; between two columns."""
TITLE_SHARE, TITLE_LEAST, TITLE_MOST = 0.36, 190, 330
"""Part of the width that titles take, and its bounds."""
NARROW = 90
"""Pixels that bars need; where there are fewer, they give way to the numbers and run thin under the titles."""
CACHE = frozenset({"read", "written", "uncached"})


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a bar. `kind`: a role, a cache state, `a` or `b` (two sides of a comparison), `cut` (what is lost)."""

    kind: str
    size: float


@dataclass(frozen=True, slots=True)
class Value:
    """A number of a row with its mark; `tone`: the name of an ink of the theme."""

    text: str
    tone: str = "ink"
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Figure:
    """A row. `note`: its second line. `bars`: one below the other, on the scale of all rows. `values`: by column, ""
    where there is none. `words`: the row for a screen reader."""

    id: str
    title: str
    note: str
    bars: tuple[tuple[Piece, ...], ...]
    values: tuple[Value, ...]
    words: str

    @property
    def longest(self) -> float:
        return max((sum(piece.size for piece in bar) for bar in self.bars), default=0.0)


@dataclass(frozen=True, slots=True)
class Column:
    """Head and width (at 100 %) of a column of numbers."""

    title: str
    width: int


@dataclass(frozen=True, slots=True)
class Figures:
    """`line`: where on the scale a line crosses all bars, None = nowhere; it stands for `line_title`. `apart`: each row
    has a scale of its own (they are of different units)."""

    rows: tuple[Figure, ...]
    columns: tuple[Column, ...]
    head: str = ""
    line: float | None = None
    line_title: str = ""
    apart: bool = False

    def scale(self, row: Figure) -> float:
        """The end of the scale of a row."""
        return max(row.longest, 1e-9) if self.apart else self.full

    @property
    def full(self) -> float:
        """The end of the scale of all rows."""
        return max([row.longest for row in self.rows] + [self.line or 0.0, 1e-9])


NOTHING = Figures((), ())


@dataclass(frozen=True, slots=True)
class Places:
    """Edges in pixels of titles, bars, and each column of numbers. `thin`: bars stand under the titles."""

    title: tuple[float, float]
    bars: tuple[float, float]
    columns: tuple[tuple[float, float], ...]
    thin: bool = False

    @classmethod
    def of(cls, width: float, columns: Sequence[Column], theme: Theme) -> Places:
        left, right, gap = theme.px(INSET), width - theme.px(INSET), theme.px(GAP)
        found: list[tuple[float, float]] = []
        for column in reversed(columns):
            found.append((right - theme.px(column.width), right))
            right -= theme.px(column.width) + gap / 2
        right -= gap / 2
        title = min(max((right - left) * TITLE_SHARE, theme.px(TITLE_LEAST)), theme.px(TITLE_MOST), right - left)
        start = left + title + gap
        if right - start < theme.px(NARROW):
            return cls((left, right), (left, right), tuple(reversed(found)), thin=True)
        return cls((left, left + title), (start, right), tuple(reversed(found)))


def paint_piece(painter: QPainter, area: QRectF, kind: str, theme: Theme) -> None:
    """A part of a bar by what it stands for."""
    if kind in CACHE:
        theme.cache(kind).draw(painter, area)
    elif kind == "cut":
        cut_away(painter, area, theme)
    elif kind in ("a", "b"):
        painter.fillRect(area, theme.system if kind == "a" else theme.accent)
    else:
        theme.role(kind).draw(painter, area)
