"""What fills the upper plot as the guard counts: bars by role, hollow on top what was cut away, and the guard's lines.

    ───────────────────────── 800k
    ─────────────┌┐┌┐──────── ○ 720k error        ○: the ring with which a line is moved (gui/limit_ring.py)
    ─────────────▒▒▒▒──────── ○ 600k cuts
        ▒▒ ▒▒ ▒▒ ▒▒▒▒ ▒▒      ┄ in a bar: its largest result, which the line "each" is about

While the requests are counted anew the old bars stand dimmed; the request of the inspection point is never old.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from core.guarded import Counted
from gui.guard_series import LEVELS, GuardShown, column
from gui.paint import LEFT, draw_icon, draw_text, width_of
from gui.request_fill import Form, Level, Stack, gap_of, heights
from gui.request_series import Columns, Series
from gui.request_track import Track, role_level
from gui.shapes import cut_away
from gui.theme import Theme

STALE = 0.55
"""Opacity of what is being counted anew."""
CLEAR = 9.0
"""Pixels per request from which a bar has room for the sign of an error."""


class GuardTrack(Track):
    """`full`: guard characters at the upper edge."""

    def __init__(self, box: pg.ViewBox) -> None:
        super().__init__(box)
        self.full = 1.0
        self.shown = GuardShown(None, (), 0)
        self._stack: Stack | None = None
        self._largest: list[QLineF] = []
        self._stops: list[float] = []
        self._next: list[QRectF] = []
        self.setVisible(False)

    def show_counts(self, shown: GuardShown, full: float) -> None:
        old = (self.shown.series, self.full)
        self.shown, self.full = shown, full
        if old[0] is shown.series and old[1] == full:
            self.update()
        else:
            self.renew()

    def prepare(self, theme: Theme, series: Series, cols: Columns, rect: QRectF) -> None:
        counts = self.shown.series
        self._stack, self._largest, self._stops, self._next = None, [], [], []
        if counts is None or counts.count != series.count:
            return
        requests = counts.stack[:, :-1]
        levels = [*(role_level(theme, role) for role in LEVELS[:-1]), Level(Form.HOLLOW, theme.diff)]
        self._stack = Stack(cols, cols.largest(requests), self.full, rect, levels)
        self._next = self._bars(counts.count + 1, counts.stack[:, -1])
        if not len(cols.left):
            return
        gap, base = gap_of(cols.pitch), rect.height()
        ys = base - heights(cols.largest(counts.largest[:-1]), self.full, base)
        places = zip(cols.left.tolist(), cols.right.tolist(), ys.tolist(), strict=True)
        self._largest = [QLineF(left, y + 0.5, right - gap, y + 0.5) for left, right, y in places if y < base - 1]
        stopped = np.flatnonzero(counts.stops[:-1]) + 1
        self._stops = [self.x_of(n) - gap / 2 for n in stopped.tolist() if self.low <= n <= self.high]

    def _bars(self, number: int, tops: np.ndarray) -> list[QRectF]:
        """The levels of one request, from the bottom up."""
        rect = self.boundingRect()
        pitch = rect.width() / (self.high - self.low)
        left = round(self.x_of(number - 0.5))
        width = max(2, round(self.x_of(number + 0.5)) - left - gap_of(pitch))
        ys = [0, *heights(tops, self.full, rect.height()).tolist()]
        return [QRectF(left, rect.height() - high, width, high - low) for low, high in pairwise(ys)]

    def draw(self, painter: QPainter, theme: Theme, rect: QRectF) -> None:
        shown = self.shown
        if shown.empty:
            return
        if self._stack is not None:
            painter.setOpacity(STALE if shown.stale else 1.0)
            self._stack.draw(painter)
            self._draw_next(painter, theme, self._next)
            if any(limit.kind == "single" for limit in shown.limits):
                painter.setPen(QPen(theme.ink2, 1))
                painter.drawLines(self._largest)
            self._draw_stops(painter, theme, rect)
            painter.setOpacity(1.0)
        if shown.current is not None and (shown.stale or self._stack is None):
            self._draw_current(painter, theme, rect, *shown.current)
        self._draw_lines(painter, theme, rect)
        if shown.said:
            self._draw_said(painter, theme, rect)

    def _draw_next(self, painter: QPainter, theme: Theme, bars: list[QRectF]) -> None:
        """Hollow: it was not sent yet."""
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for role, bar in zip(LEVELS, bars, strict=False):
            if bar.height() < 1:
                continue
            if role == "cut":
                cut_away(painter, bar, theme)
            else:
                painter.setPen(QPen(theme.role(role).text, 1))
                painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5))

    def _draw_current(self, painter: QPainter, theme: Theme, rect: QRectF, number: int, counted: Counted) -> None:
        """The inspection point as it is now, over what was there before."""
        if not self.low - 0.5 <= number <= self.high + 0.5:
            return
        bars = self._bars(number, column(counted))
        strip = QRectF(bars[0].left(), 0, bars[0].width(), rect.height())
        painter.fillRect(strip, theme.accentbg)
        if self.series is not None and number > self.series.count:
            self._draw_next(painter, theme, bars)
            return
        for role, bar in zip(LEVELS, bars, strict=True):
            if bar.height() < 1:
                continue
            if role == "cut":
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(theme.diff, 1))
                painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5))
            else:
                level = role_level(theme, role)
                painter.fillRect(bar, level.brush if level.brush is not None else level.colour)

    def _draw_lines(self, painter: QPainter, theme: Theme, rect: QRectF) -> None:
        lines = [(self.shown.whole, False), *((limit.chars, True) for limit in self.shown.limits)]
        for at, mine in lines:
            y = round(rect.height() - at / self.full * rect.height())
            thick = max(1, theme.px(1.5)) if mine else 1
            painter.fillRect(QRectF(0, y, rect.width(), thick), theme.accent if mine else theme.ink3)

    def _draw_stops(self, painter: QPainter, theme: Theme, rect: QRectF) -> None:
        """The overflow error: a sign over the bar, or a tick where bars are narrow."""
        pitch = rect.width() / (self.high - self.low)
        size = theme.px(11)
        for x in self._stops:
            if pitch >= CLEAR:
                draw_icon(painter, QRectF(x - size / 2, 0, size, size), "octagon-x", size, theme.diff)
            else:
                painter.fillRect(QRectF(round(x), 0, 1, theme.px(5)), theme.diff)

    def _draw_said(self, painter: QPainter, theme: Theme, rect: QRectF) -> None:
        font = theme.font("chart")
        width = width_of(self.shown.said, font)
        place = QRectF(rect.right() - width - theme.px(10), theme.px(2), width + theme.px(8), theme.px(17))
        painter.fillRect(place, theme.panel)
        draw_text(painter, place.adjusted(theme.px(4), 0, 0, 0), self.shown.said, font, theme.ink2, LEFT)
