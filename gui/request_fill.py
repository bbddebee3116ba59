"""Stacks as shapes: a rectangle per request where there is room, a picture made by numpy where requests melt.

A picture costs the same however jagged the outline is; outlines as polygons took ten times as long on real sessions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPen

from gui.hatch import dotted_outline
from gui.paint import ratio
from gui.request_series import Columns, Whole

DOT = 3
"""Logical pixels from dot to dot where the outline of what is not recorded is shared."""


class Form(Enum):
    """How a level is filled. DOTTED and HOLLOW have an outline only, where bars melt only its upper edge."""

    SOLID = "solid"
    FALLING = "\\"
    RISING = "/"
    DOTTED = "dotted"
    HOLLOW = "hollow"


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """`brush`: of bars; `edge`: colour of a line along the top; `period`, `share`: of stripes, as in gui/hatch.py."""

    form: Form
    colour: QColor
    brush: QBrush | None = None
    edge: QColor | None = None
    period: float = 1.0
    share: float = 1.0
    width: float = 1.0


def gap_of(pitch: float) -> int:
    """Pixels between two bars."""
    return 0 if pitch < 3 else 1 if pitch < 12 else 2


def heights(values: NDArray[np.generic], full: float, height: float) -> Whole:
    """Values as whole pixels up from the base line."""
    return np.floor(np.asarray(values, np.float64) * (height / full) + 0.5).astype(np.int64)


class Stack:
    """`tops[k]`: values of level k, cumulated, one per column; `full`: the value at the upper edge of `rect`."""

    def __init__(
        self, cols: Columns, tops: Sequence[NDArray[np.generic]], full: float, rect: QRectF, levels: Sequence[Level]
    ) -> None:
        self._cols, self._tops, self._full, self._rect, self._levels = cols, tops, full, rect, levels
        self._image: QImage | None = None
        self._bars = [self._rects(level) for level in self._between(rect.height())] if cols.single else []

    def _between(self, height: float) -> list[tuple[Whole, Whole]]:
        """(below, above) of each level in pixels."""
        found: list[tuple[Whole, Whole]] = []
        below = np.zeros(len(self._cols.left), np.int64)
        for top in self._tops:
            above = np.maximum(below, heights(top, self._full, height))
            found.append((below, above))
            below = above
        return found

    def _rects(self, level: tuple[Whole, Whole]) -> list[QRectF]:
        cols, gap, base = self._cols, gap_of(self._cols.pitch), self._rect.height()
        sides = zip(cols.left.tolist(), cols.right.tolist(), level[0].tolist(), level[1].tolist(), strict=True)
        return [
            QRectF(left, base - high, right - left - gap, high - low) for left, right, low, high in sides if high > low
        ]

    def draw(self, painter: QPainter) -> None:
        if not len(self._cols.left):
            return
        if self._cols.single:
            for level, bars in zip(self._levels, self._bars, strict=True):
                _draw_bars(painter, level, bars)
            return
        scale = ratio(painter)
        if self._image is None or self._image.devicePixelRatio() != scale:
            self._image = self._melted(scale)
        painter.drawImage(self._rect.topLeft(), self._image)

    def _melted(self, scale: float) -> QImage:
        """The stack as a picture of device pixels, `scale` of them to a logical one."""
        cols = self._cols
        width, height = max(1, round(self._rect.width() * scale)), max(1, round(self._rect.height() * scale))
        xs = np.arange(width)
        column = np.searchsorted(cols.left, np.floor(xs / scale), "right") - 1
        inside = (column >= 0) & (xs < cols.right[-1] * scale)
        gap = gap_of(cols.pitch)
        if gap:
            inside &= xs < (cols.right[column] - gap) * scale
        picture = np.zeros((height, width), np.uint32)
        ys = np.arange(height)[:, None]
        for level, (below, above) in zip(self._levels, self._between(height), strict=True):
            top = np.where(inside, height - above[column], height)
            bottom = np.where(inside, height - below[column], height)
            _paint(picture, level, xs, ys, top, bottom, scale, inside)
        image = QImage(picture.data, width, height, width * 4, QImage.Format.Format_ARGB32).copy()
        image.setDevicePixelRatio(scale)
        return image


def _paint(
    picture: NDArray[np.uint32],
    level: Level,
    xs: Whole,
    ys: Whole,
    top: Whole,
    bottom: Whole,
    scale: float,
    inside: NDArray[np.bool_],
) -> None:
    """One level into the picture: rows `top` to `bottom` of each column of pixels."""
    line = max(1, round(scale))
    filled = bottom > top
    if level.form in (Form.DOTTED, Form.HOLLOW):
        shown = (ys >= top) & (ys < top + line) & filled
        if level.form is Form.DOTTED:
            step = max(2, round(DOT * scale))
            shown &= (xs % step) < line
            shown |= _rises(top, inside, ys, line) & ((ys % step) < line)
        picture[shown] = level.colour.rgba()
        return
    shown = (ys >= top) & (ys < bottom)
    if level.form is not Form.SOLID:
        period = max(3, round(level.period * scale))
        slant = xs + ys if level.form is Form.RISING else xs - ys
        shown &= (slant % period) < period * level.share
    picture[shown] = level.colour.rgba()
    if level.edge is not None:
        picture[(ys >= top) & (ys < top + line) & (bottom - top > 3 * line)] = level.edge.rgba()


def _rises(top: Whole, inside: NDArray[np.bool_], ys: Whole, line: int) -> NDArray[np.bool_]:
    """The upright parts of an outline, at the pixel where its height changes; no more than there are few of."""
    before = np.concatenate([top[:1], top[:-1]])
    changed = (np.abs(top - before) > 2 * line) & inside
    if np.count_nonzero(changed) > len(top) / 8:
        changed &= False
    return (ys >= np.minimum(top, before)) & (ys < np.maximum(top, before)) & changed


def _draw_bars(painter: QPainter, level: Level, bars: list[QRectF]) -> None:
    if not bars:
        return
    if level.form is Form.DOTTED:
        for rect in bars:
            dotted_outline(painter, rect, level.colour, level.width)
        return
    if level.form is Form.HOLLOW:
        painter.setPen(QPen(level.colour, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRects([r.adjusted(0.5, 0.5, -0.5, -0.5) for r in bars])
        return
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(level.brush if level.brush is not None else level.colour)
    painter.drawRects(bars)
    if level.edge is not None:
        painter.setBrush(level.edge)
        painter.drawRects([QRectF(r.left(), r.top(), r.width(), 1) for r in bars if r.height() > 3])
