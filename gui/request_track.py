"""Tracks: what fills one plot of the requests dock, painted in that plot's own pixels.

    ┌ ViewBox ───────┐   x range shared by all, in request numbers
    │ Track (child)  │   shapes are made anew only when range, size, data or look change
    └────────────────┘

Wide requests are bars of their own; narrower ones melt into one outline, binned to pixels: an item per bar or filled
curves cost several times as much.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QLineF, QRectF
from PySide6.QtGui import QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from gui.hatch import dotted_outline, outline
from gui.request_fill import Form, Level, Stack, gap_of, heights
from gui.request_series import Columns, Series, columns
from gui.theme import Theme

MOST_POINTS = 230
"""Points of the line of money."""


class Track(QGraphicsItem):
    """One plot's content. Tell it whatever changed; `prepare` and `draw` are the track's own."""

    def __init__(self, box: pg.ViewBox) -> None:
        super().__init__(box)
        # What does not move is painted once: the inspection point passes over the picture of it.
        self.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)
        self.box = box
        self.theme: Theme | None = None
        self.series: Series | None = None
        self.low, self.high = 0.5, 1.5
        self._old = True
        box.sigResized.connect(self._resized)

    def show_series(self, series: Series | None) -> None:
        self.series = series
        self.renew()

    def show_range(self, low: float, high: float) -> None:
        self.low, self.high = low, high
        self.renew()

    def restyle(self, theme: Theme) -> None:
        self.theme = theme
        self.renew()

    def renew(self) -> None:
        """Make the shapes anew at the next painting."""
        self._old = True
        self.update()

    def _resized(self, *_: object) -> None:
        self.prepareGeometryChange()
        self.renew()

    def boundingRect(self) -> QRectF:
        rect: QRectF = self.box.rect()
        return rect

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        theme, series, rect = self.theme, self.series, self.boundingRect()
        if theme is None or series is None or rect.isEmpty():
            return
        if self._old:
            self._old = False
            self.prepare(theme, series, columns(self.low, self.high, rect.width(), series.count), rect)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        self.draw(painter, theme, rect)

    def prepare(self, theme: Theme, series: Series, cols: Columns, rect: QRectF) -> None:
        raise NotImplementedError

    def draw(self, painter: QPainter, theme: Theme, rect: QRectF) -> None:
        raise NotImplementedError

    def x_of(self, number: float) -> float:
        """Pixel of a request number."""
        return (number - self.low) / (self.high - self.low) * self.boundingRect().width()


class BudgetTrack(Track):
    """Tokens by role, one on the other; the window and what is kept free of it; hollow, what would be sent next."""

    def __init__(self, box: pg.ViewBox) -> None:
        super().__init__(box)
        self.full = 1.0
        """Tokens at the upper edge."""
        self.window: int | None = None
        self.compacts: int | None = None
        self._stack: Stack | None = None
        self._names: tuple[str, ...] = ()
        self._next: list[QRectF] = []
        self._lines: list[QLineF] = []

    def prepare(self, theme: Theme, series: Series, cols: Columns, rect: QRectF) -> None:
        base, right = rect.height(), rect.width()
        self._names = series.levels
        levels = [_dotted(theme) if name == "unrecorded" else role_level(theme, name) for name in self._names]
        self._stack = Stack(cols, cols.largest(series.stack), self.full, rect, levels)
        self._next = self._unsent(series, cols.pitch, base)
        self._lines = [QLineF(0, y, right, y) for y in self._places(base, self.window)]
        self._lines += [dash for y in self._places(base, self.compacts) for dash in dashes(0, right, y, theme)]

    def _places(self, base: float, *limits: int | None) -> list[float]:
        return [round(base - at / self.full * base) + 0.5 for at in limits if at is not None and at <= self.full]

    def _unsent(self, series: Series, pitch: float, base: float) -> list[QRectF]:
        left = round(self.x_of(series.count + 0.5))
        width = max(2, round(self.x_of(series.count + 1.5)) - left - gap_of(pitch))
        tops = [0, *heights(series.next, self.full, base).tolist()]
        return [QRectF(left, base - high, width, high - low) for low, high in pairwise(tops)]

    def draw(self, painter: QPainter, theme: Theme, rect: QRectF) -> None:
        if self._stack is not None:
            self._stack.draw(painter)
        for role, bar in zip(self._names, self._next, strict=True):
            if bar.height() < 1:
                continue
            if role == "unrecorded":
                dotted_outline(painter, bar, theme.ink3, theme.pxf(1.5))
            else:
                outline(painter, bar, QPen(theme.role(role).text, 1))
        painter.setPen(QPen(theme.ink3, 1))
        painter.drawLines(self._lines)


def role_level(theme: Theme, role: str) -> Level:
    """How a role is filled in a stack."""
    style = theme.role(role)
    if style.hatched:
        return Level(Form.FALLING, style.fill, style.brush(), None, 5 * style.scale, 0.55)
    return Level(Form.SOLID, style.fill, style.brush(), style.edge)


def _dotted(theme: Theme) -> Level:
    return Level(Form.DOTTED, theme.ink3, width=theme.pxf(1.5))


class CacheTrack(Track):
    """Recorded: read (solid), written (striped), neither (hollow)."""

    def __init__(self, box: pg.ViewBox) -> None:
        super().__init__(box)
        self._stack: Stack | None = None

    def prepare(self, theme: Theme, series: Series, cols: Columns, rect: QRectF) -> None:
        full = max(1.0, float(series.cache[-1].max(initial=0)) * 1.04)
        tops = [cols.smallest(series.cache[0]), *cols.largest(series.cache[1:])]
        read, written, uncached = (theme.cache(state) for state in ("read", "written", "uncached"))
        levels = (
            Level(Form.SOLID, read.fill, read.brush()),
            Level(Form.RISING, written.fill, written.brush(), None, 8 * written.scale, 0.52),
            Level(Form.HOLLOW, uncached.fill),
        )
        self._stack = Stack(cols, tops, full, rect, levels)

    def draw(self, painter: QPainter, theme: Theme, rect: QRectF) -> None:
        if self._stack is not None:
            self._stack.draw(painter)


class CostTrack(Track):
    """Money so far as a line."""

    def __init__(self, box: pg.ViewBox) -> None:
        super().__init__(box)
        self._line: QPolygonF | None = None

    def prepare(self, theme: Theme, series: Series, cols: Columns, rect: QRectF) -> None:
        full = float(series.cost[-1]) if series.count else 0.0
        self._line = None
        if full <= 0 or not len(cols.left):
            return
        width = theme.pxf(2)
        room = rect.height() - 2 * width
        xs = (cols.left + cols.right - gap_of(cols.pitch)) / 2
        ys = rect.height() - width - cols.largest(series.cost) / full * room
        if len(xs) == 1:  # a line needs two ends
            xs, ys = np.array([xs[0] - 3, xs[0] + 3]), np.repeat(ys, 2)
        thin = max(1, len(xs) // MOST_POINTS)  # it only ever rises: fewer points hide no peak
        kept = np.unique(np.append(np.arange(0, len(xs), thin), len(xs) - 1))
        self._line = pg.functions.arrayToQPolygonF(xs[kept], ys[kept])

    def draw(self, painter: QPainter, theme: Theme, rect: QRectF) -> None:
        if self._line is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.ink, theme.pxf(2)))
        painter.drawPolyline(self._line)


def dashes(left: float, right: float, y: float, theme: Theme) -> list[QLineF]:
    """A dashed line as pieces: drawn in one call, which Qt's own dashes are not."""
    piece, gap = theme.pxf(5), theme.pxf(3)
    count = int((right - left) / (piece + gap)) + 1
    starts = [left + i * (piece + gap) for i in range(count)]
    return [QLineF(x, y, min(x + piece, right), y) for x in starts if x < right]
