"""The picture of the requests dock: budget, causes, cache and cost over the same x axis, and what points at requests.

Imports pyqtgraph, which takes a while: import this module when the first session is shown, not before.
"""

from __future__ import annotations

from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from gui.guard_series import GuardShown
from gui.guard_track import GuardTrack
from gui.plain_label import PlainLabel
from gui.request_fill import gap_of
from gui.request_frame import Axis, Facts, Line, Margins, guard_lines, token_lines
from gui.request_lane import CauseTrack
from gui.request_marks import Mark
from gui.request_pointer import Backdrop, Front
from gui.request_scale import FOOT, LEFT, RIGHT, rows, ticks
from gui.request_series import Series, ceiling
from gui.request_track import BudgetTrack, CacheTrack, CostTrack, Track
from gui.theme import Look

FEWEST = 24
"""Requests that the whole width stands for at least: three bars should not become walls."""
CLOSEST = 6
"""Requests in sight at the closest zoom."""


class RequestPicture(pg.GraphicsLayoutWidget):
    """Arrays, an inspection point, a chosen range and a hovered request as a picture; x and pixels of each other."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.chosen: tuple[int, int] | None = None
        self.number: int | None = None
        self.hovered: int | None = None
        self.low, self.high = 0.5, FEWEST + 0.5
        self.series: Series | None = None
        self.guard: GuardShown | None = None
        """The upper plot as the guard counts; None = in tokens."""
        self.held_full: float | None = None
        """The end of the guard's axis while one of its lines is dragged: it must not flee from the pointer."""
        self._facts: Facts | None = None
        self.empty = PlainLabel(look, "body", tone="quiet", wrap=True, parent=self)
        """Why there is nothing in the upper plot; over everything, so that no line runs through the words."""
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setAutoFillBackground(True)
        self.empty.hide()
        self.setMinimumHeight(60)
        self._build()
        self.restyle()

    def _build(self) -> None:
        self.ci.layout.setSpacing(0)
        boxes = [self.ci.addViewBox(row=row, col=0, enableMouse=False, enableMenu=False) for row in range(4)]
        for box in boxes:
            box.disableAutoRange()
            box.setDefaultPadding(0)
        self.budget, self.lane = BudgetTrack(boxes[0]), CauseTrack(boxes[1])
        self.cache, self.cost = CacheTrack(boxes[2]), CostTrack(boxes[3])
        self.counts = GuardTrack(boxes[0])
        self.tracks: tuple[Track, ...] = (self.budget, self.counts, self.lane, self.cache, self.cost)
        self.back, self.front = Backdrop(self.ci, -200), Front(self.ci, 200)
        self.margins = Margins(self.ci, self.budget, self.cache, self.cost)
        self.axis = Axis(self.ci, self.budget, self.cache, self.cost)

    @property
    def box(self) -> pg.ViewBox:
        """The uppermost plot: whoever shares the x axis links to it (`setXLink`)."""
        return self.budget.box

    # what is shown

    def show_series(
        self, series: Series, marks: Sequence[Mark], facts: Facts, compacts: int | None, number: int | None
    ) -> None:
        """Another path, or more of it. The range of x stays where it was unless everything was in sight."""
        fitted = self.series is None or self._fitted
        self.series = series
        self.budget.full = ceiling(series, facts.window)
        self.budget.window, self.budget.compacts = facts.window, compacts
        self._facts = facts
        self.margins.tell(facts)
        self.lane.show_marks(marks)
        for track in self.tracks:
            track.show_series(series)
        self.hovered = None
        self.front.place("hover", None)
        self.number = number
        self.axis.number = number
        if fitted:
            self.fit()
        else:
            self.show_x(self.low, self.high)
        self._ticks()

    def show_reserve(self, compacts: int | None) -> None:
        """Another profile keeps another part of the window free."""
        if compacts != self.budget.compacts:
            self.budget.compacts = compacts
            self.budget.renew()
            self._ticks()

    def show_guard(self, guard: GuardShown | None) -> None:
        """The upper plot as the guard counts, or (None) in tokens again."""
        self.guard = guard
        self.budget.setVisible(guard is None)
        self.counts.setVisible(guard is not None)
        if guard is not None:
            self.counts.show_counts(guard, self.full)
        self.empty.setText(guard.empty if guard is not None else "")
        self._place_empty()
        self._ticks()
        self.place_hover()

    def _place_empty(self) -> None:
        """In the middle of the upper plot, no larger than its words."""
        self.empty.setVisible(bool(self.empty.text()))
        if self.empty.isVisibleTo(self):
            box = self.budget.box.geometry().toRect()
            width = min(box.width() - self._look.theme.px(40), self._look.theme.px(560))
            height = min(box.height(), self.empty.heightForWidth(width))
            self.empty.setGeometry(box.center().x() - width // 2, box.center().y() - height // 2, width, height)

    @property
    def full(self) -> float:
        """Value at the upper edge of the upper plot, in its own unit."""
        if self.guard is None:
            return self.budget.full
        return self.held_full if self.held_full is not None else self.guard.full

    @property
    def lines(self) -> tuple[Line, ...]:
        """The named lines of the upper plot, from the top down."""
        guard = self.guard
        if guard is None:
            facts = self._facts
            return token_lines(facts.window, facts.assumed, self.budget.compacts, self.full) if facts else ()
        return guard_lines(guard.limits, guard.whole, self.full)

    def show_point(self, number: int | None) -> None:
        """Move the inspection point; what was in sight stays, unless the point would be out of it."""
        self.number = number
        self.axis.point_at(number)
        if number is not None and not self.low + 0.4 <= number <= self.high - 0.4:
            shift = number - 0.5 - self.low if number < self.low + 0.5 else number + 0.5 - self.high
            self.show_x(self.low + shift, self.high + shift)
        else:
            self._place_point()

    def show_range(self, span: tuple[int, int] | None) -> None:
        """The selected range, both ends included; None = none."""
        self.chosen = span
        self._place_range()

    def show_x(self, low: float, high: float) -> None:
        """Show requests from x = `low` to `high`, as near to it as there is something to show."""
        end = self._end
        width = min(max(high - low, CLOSEST), end - 0.5)
        low = min(max((low + high - width) / 2, 0.5), end - width)
        self.low, self.high = low, low + width
        self.box.setXRange(self.low, self.high, padding=0)  # for whoever links to it
        for track in self.tracks:
            track.show_range(self.low, self.high)
        self.axis.update()
        self._place_all()

    @property
    def _end(self) -> float:
        return max(self.series.end if self.series is not None else 1.5, FEWEST + 0.5)

    @property
    def _fitted(self) -> bool:
        return self.low <= 0.5 and self.high >= self._end - 1e-6

    def fit(self) -> None:
        """All requests."""
        self.show_x(0.5, self._end)

    def zoom(self, factor: float, around: float | None = None) -> None:
        """Closer (factor > 1) or farther, around a request number; without one, around the inspection point."""
        middle = (self.low + self.high) / 2
        if around is None:
            around = self.number if self.number is not None and self.low <= self.number <= self.high else middle
        width = min(max((self.high - self.low) / factor, CLOSEST), self._end - 0.5)
        share = (around - self.low) / (self.high - self.low)
        self.show_x(around - share * width, around + (1 - share) * width)

    def pan(self, share: float) -> None:
        """To the right by a share of the width."""
        by = share * (self.high - self.low)
        self.show_x(self.low + by, self.high + by)

    # looks

    def restyle(self) -> None:
        theme = self._look.theme
        self.setBackground(theme.panel)
        for track in self.tracks:
            track.restyle(theme)
        self.back.theme = self.front.theme = theme
        for around in (self.margins, self.axis):
            around.restyle(theme)
        self._lay_out()

    def _lay_out(self) -> None:
        theme = self._look.theme
        parts = rows(self.height(), theme.px)
        self.ci.layout.setContentsMargins(theme.px(LEFT), parts.top, theme.px(RIGHT), parts.axis + theme.px(FOOT))
        for row, height in enumerate((parts.budget, parts.lane, parts.cache, parts.cost)):
            self.ci.layout.setRowFixedHeight(row, height)
        self.ci.layout.setRowSpacing(2, parts.gap)
        self.ci.layout.activate()
        whole = QRectF(0, 0, self.width(), self.height())
        top, bottom = self.budget.box.geometry(), self.cost.box.geometry()
        band = QRectF(top.left(), top.top(), top.width(), bottom.bottom() - top.top() + theme.px(3))
        for strips in (self.back, self.front):
            strips.resize(whole, band)
        for around in (self.margins, self.axis):
            around.resize(whole)
        self._place_empty()
        self._ticks()
        self._place_all()

    def _ticks(self) -> None:
        guard = self.guard
        if guard is not None and guard.empty:
            self.margins.show_scale(1.0, [], ())
            return
        height = max(1.0, self.budget.box.geometry().height())
        limits = (
            tuple(at for at in (self.budget.window, self.budget.compacts) if at is not None)
            if guard is None
            else tuple(line.at for line in self.lines)
        )
        found = ticks(self.full, height, limits, self._look.theme.px(13))
        self.margins.show_scale(self.full, found, self.lines)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        if event is not None:
            self._lay_out()

    # places

    def x_of(self, number: float) -> float:
        """Pixel in this widget of a request number."""
        left: float = self.budget.box.geometry().left()
        return left + self.budget.x_of(number)

    def number_at(self, x: float) -> float:
        """The x axis' value under a pixel."""
        rect = self.budget.box.geometry()
        return self.low + (x - rect.left()) / max(1.0, rect.width()) * (self.high - self.low)

    def request_at(self, place: QPointF) -> int | None:
        """Request under a place of this widget, count + 1 for what would be sent next; None beside the plots."""
        series, rect = self.series, self.budget.box.geometry()
        if series is None or not rect.left() <= place.x() < rect.right():
            return None
        lane = self.lane.box.geometry()
        if lane.top() <= place.y() < lane.bottom():
            marked = self.lane.hit(place.x() - rect.left(), self._look.theme.px(8))
            if marked is not None:
                return marked
        number = round(self.number_at(place.x()))
        return number if 1 <= number <= series.count + 1 else None

    def on_axis(self, place: QPointF) -> bool:
        return bool(place.y() >= self.cost.box.geometry().bottom())

    def _sides(self, first: int, last: int) -> tuple[float, float]:
        left, right = self.x_of(first - 0.5), self.x_of(last + 0.5)
        return round(left), max(round(right) - gap_of(self.pitch), round(left) + 1)

    @property
    def pitch(self) -> float:
        width: float = self.budget.box.geometry().width()
        return width / (self.high - self.low)

    def _place_all(self) -> None:
        self._place_point()
        self._place_range()
        self.place_hover()

    def _place_point(self) -> None:
        span = self._sides(self.number, self.number) if self.number is not None else None
        self.front.place("point", span)
        if span is not None:  # the ground is a little wider than the bar
            span = (span[0] - 2, span[1] + 2)
        self.back.place("point", span)

    def _place_range(self) -> None:
        span = self._sides(*self.chosen) if self.chosen is not None else None
        self.back.place("range", span)
        self.front.place("range", span)

    def place_hover(self) -> None:
        number, series = self.hovered, self.series
        if number is None or series is None:
            self.front.place("hover", None)
            return
        span = self._sides(number, number)
        self.front.outlines = []
        if span[1] - span[0] >= 4:
            box = self.budget.box.geometry()
            top = box.bottom() - self._top(series, number) / self.full * box.height()
            self.front.outlines.append(QRectF(span[0] - 1, top - 1, span[1] - span[0] + 2, box.bottom() - top + 1))
        self.front.place("hover", span)

    def _top(self, series: Series, number: int) -> float:
        """Where the bar of a request ends, in the unit of the upper plot."""
        if self.guard is not None:
            tops = self.guard.tops(number)
            return float(tops[-1]) if tops is not None else 0.0
        return float(series.next[-1] if number > series.count else series.stack[-1][number - 1])
