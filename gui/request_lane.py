"""The lane of causes: a triangle at each request that lost (some of) its cache, with icon and word where they fit."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from core.phrase import phrase
from gui.paint import draw_icon, draw_text, width_of
from gui.request_marks import Cluster, Label, Mark, clusters, labels
from gui.request_series import Columns, Series
from gui.request_track import Track
from gui.theme import ICON_SMALL, Theme
from gui.translation import say

ARM = 4.5
"""Half the width of a triangle at 100 %."""
MOST_MARKS = 1_000
"""Marks in sight beyond which there is no room for words anywhere, only for lines."""


class CauseTrack(Track):
    """Marks of the visible requests. `hit` finds the one under the pointer."""

    def __init__(self, box: pg.ViewBox) -> None:
        super().__init__(box)
        self._marks: Sequence[Mark] = ()
        self._numbers = np.zeros(0, np.int64)
        self._seen: Sequence[Mark] = ()
        self._places: list[float] = []
        self._groups: list[Cluster] = []
        self._labels: list[Label] = []
        self._widths: dict[str, float] = {}
        self._lines: list[tuple[QColor, list[QLineF]]] = []
        self._triangles: list[tuple[float, Mark]] = []

    def show_marks(self, marks: Sequence[Mark]) -> None:
        self._marks = marks
        self._numbers = np.fromiter((mark.request for mark in marks), np.int64, len(marks))
        self.renew()

    def restyle(self, theme: Theme) -> None:
        self._widths.clear()
        super().restyle(theme)

    def hit(self, x: float, reach: float) -> int | None:
        """Request of the mark nearest to pixel `x`, if one is within `reach` pixels."""
        if not self._places:
            return None
        at = bisect_left(self._places, x)
        best = min(range(max(0, at - 1), min(len(self._places), at + 1)), key=lambda i: abs(self._places[i] - x))
        return self._seen[best].request if abs(self._places[best] - x) <= reach else None

    def prepare(self, theme: Theme, series: Series, cols: Columns, rect: QRectF) -> None:
        first, last = np.searchsorted(self._numbers, (cols.first, cols.last + 1)).tolist()
        self._seen = self._marks[first:last]
        xs = (self._numbers[first:last] - self.low) * cols.pitch
        self._places = xs.tolist()
        arm, foot = theme.pxf(ARM), rect.height() - 1
        self._groups, self._labels, self._triangles, self._lines = [], [], [], []
        if len(self._seen) > MOST_MARKS:
            ticks = [QLineF(x, foot - arm, x, foot) for x in (np.unique(np.round(xs)) + 0.5).tolist()]
            self._lines = [(theme.diff, ticks)]
            return
        self._groups = clusters(self._seen, self._places, 2 * arm + theme.pxf(1))

        def measured(text: str) -> tuple[str, float]:
            if text not in self._widths:
                self._widths[text] = theme.pxf(4) + width_of(text, theme.font("chart"))
            return text, self._widths[text]

        def words(group: Cluster) -> tuple[str, float]:
            return measured(lane_words(self._seen[group.start].cause, group.count))

        def longer(group: Cluster) -> tuple[str, float] | None:
            mark = self._seen[group.start]
            return measured(paid_words(mark)) if group.count == 1 and mark.note is not None else None

        self._labels = labels(self._groups, self._seen, rect.width(), words, theme.px(ICON_SMALL - 1), arm, longer)
        self._prepare_marks(theme, arm, foot)

    def _prepare_marks(self, theme: Theme, arm: float, foot: float) -> None:
        """A bracket for a cluster, a triangle for one mark, a line where triangles would touch."""
        for index, group in enumerate(self._groups):
            mark = self._seen[group.start]
            before = self._groups[index - 1].right if index else -1e9
            after = self._groups[index + 1].left if index + 1 < len(self._groups) else 1e9
            if group.count > 1 and group.right - group.left >= 2 * arm:
                self._lines.append((_tone(mark, theme), self._bracket(theme, group, foot)))
            elif min(group.left - before, after - group.right) < 2 * arm:
                x = round(group.left) + 0.5
                self._lines.append((_tone(mark, theme), [QLineF(x, foot - arm, x, foot)]))
            else:
                self._triangles.append(((group.left + group.right) / 2, mark))

    def _bracket(self, theme: Theme, group: Cluster, foot: float) -> list[QLineF]:
        left, right, top = round(group.left) + 0.5, round(group.right) + 0.5, round(foot - theme.pxf(5)) + 0.5
        inner = {round(x) + 0.5 for x in self._places[group.start + 1 : group.stop - 1]}
        short = round(foot - theme.pxf(2)) + 0.5
        ends = [QLineF(left, top, right, top), QLineF(left, top, left, foot), QLineF(right, top, right, foot)]
        return ends + [QLineF(x, top, x, short) for x in inner]

    def draw(self, painter: QPainter, theme: Theme, rect: QRectF) -> None:
        for tone, lines in self._lines:
            painter.setPen(QPen(tone, 1))
            painter.drawLines(lines)
        for x, mark in self._triangles:
            _triangle(painter, QPointF(x, rect.height() - 1), theme.pxf(ARM), _tone(mark, theme), mark.sure)
        size, font = theme.px(ICON_SMALL - 1), theme.font("chart")
        row = QRectF(0, 0, rect.width(), rect.height() - theme.px(8))
        for label in self._labels:
            mark = self._seen[self._groups[label.cluster].start]
            place = QRectF(label.left, row.top(), size, row.height())
            draw_icon(painter, place, theme.cause_icon(mark.cause), size, _tone(mark, theme))
            if label.words:
                left = place.right() + theme.pxf(4)
                space = QRectF(left, row.top(), label.left + label.width - left + 1, row.height())
                draw_text(painter, space, label.words, font, theme.ink2)


def _triangle(painter: QPainter, tip: QPointF, arm: float, tone: QColor, sure: bool) -> None:
    """Filled where the file proves the cause, hollow where it is only likely."""
    top = tip.y() - arm * 1.5
    shape = QPolygonF([tip, QPointF(tip.x() + arm, top), QPointF(tip.x() - arm, top)])
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(tone, 1.2))
    painter.setBrush(tone if sure else Qt.BrushStyle.NoBrush)
    painter.drawPolygon(shape)
    painter.restore()


def _tone(mark: Mark, theme: Theme) -> QColor:
    return theme.diff if mark.broke else theme.ink3


def lane_words(cause: str, count: int = 1) -> str:
    """The cause in a word or two: "TTL expired", "8 × edited"."""
    said = phrase(f"lane.{cause}")
    return say(said if count == 1 else phrase("lane.many", n=count, cause=said))


def paid_words(mark: Mark) -> str:
    """A compaction with what it reclaims and when it has paid: "compaction −118k, pays after 2"."""
    assert mark.note is not None
    kind = "recorded" if mark.broke else "simulated"
    never = "_never" if mark.note.requests is None else ""
    cause = lane_words(mark.cause)
    return say(
        phrase(f"compaction_tab.lane.{kind}{never}", cause=cause, n=mark.note.requests, tokens=mark.note.reclaimed)
    )
