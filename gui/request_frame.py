"""What stands around the plots: numbers and names in the margins, the axis with the pill of the inspection point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from core.guard_limits import Limit
from core.phrase import phrase
from gui import numbers
from gui.hatch import filled, outline
from gui.paint import CENTRE, LEFT, RIGHT, draw_text, request_pill, width_of
from gui.request_scale import Tick, axis_labels, spread
from gui.request_track import BudgetTrack, CacheTrack, CostTrack, Track
from gui.theme import Theme
from gui.translation import say


@dataclass(frozen=True, slots=True)
class Facts:
    """What the margins say. `cost`: money so far with its mark, "" when there is no usage; `assumed`: nobody named the
    window; `uncached`: some tokens were neither read nor written; `said`: a sentence in place of the lower plots."""

    window: int
    assumed: bool
    cost: str
    uncached: bool
    said: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the upper plot with its name: `left` of it what it stands at, `right` of it what it is. `mine`: a value
    that the person sets."""

    at: int
    left: str
    right: str
    mine: bool = False


def token_lines(window: int, assumed: bool, compacts: int | None, full: float) -> tuple[Line, ...]:
    """The window and what is kept free of it; a window beyond the axis is named at its end."""
    if window > full:
        return (Line(round(full), "", say(phrase("requests.window_above", n=window))),)
    word = say(phrase("requests.window_assumed" if assumed else "requests.window"))
    found = [Line(window, numbers.compact(window), word)]
    if compacts is not None:
        found.append(Line(compacts, numbers.compact(compacts), say(phrase("requests.reserve"))))
    return tuple(found)


def guard_lines(limits: Sequence[Limit], whole: int, full: float) -> tuple[Line, ...]:
    """The whole window × 4 and the lines that a person can move, from the top down."""
    found = [Line(whole, say(phrase("guard_axis.percent", share=1.0)), numbers.compact(whole))]
    for limit in limits:
        share = say(phrase("guard_axis.percent", share=limit.share))
        found.append(Line(limit.chars, share, say(phrase(f"guard_axis.{limit.kind}", n=limit.chars)), mine=True))
    return tuple(sorted((line for line in found if line.at <= full), key=lambda line: -line.at))


class Surround(QGraphicsItem):
    """A part of the picture around the plots. `resize` tells its size, that of the whole picture."""

    def __init__(self, parent: QGraphicsItem, budget: BudgetTrack, cache: CacheTrack, cost: CostTrack) -> None:
        super().__init__(parent)
        self.budget, self.cache, self.cost = budget, cache, cost
        self.theme: Theme | None = None
        self._size = QRectF()

    def resize(self, rect: QRectF) -> None:
        self.prepareGeometryChange()
        self._size = rect
        self.update()

    def restyle(self, theme: Theme) -> None:
        self.theme = theme
        self.update()

    def boundingRect(self) -> QRectF:
        return self._size

    @staticmethod
    def _at(track: Track) -> QRectF:
        rect: QRectF = track.box.geometry()
        return rect


def _row(y: float, theme: Theme, left: float, right: float) -> QRectF:
    """A line of text around y."""
    half = theme.line_height("chart") / 2
    return QRectF(left, y - half, right - left, 2 * half)


class Margins(Surround):
    """Numbers on the left, names and sums on the right. Kept as a picture: it stands still while bars move."""

    def __init__(self, parent: QGraphicsItem, budget: BudgetTrack, cache: CacheTrack, cost: CostTrack) -> None:
        super().__init__(parent, budget, cache, cost)
        self.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)
        self.facts: Facts | None = None
        self.ticks: list[Tick] = []
        self.lines: tuple[Line, ...] = ()
        self.full = 1.0

    def tell(self, facts: Facts) -> None:
        self.facts = facts
        self.update()

    def show_scale(self, full: float, ticks: list[Tick], lines: tuple[Line, ...]) -> None:
        """`full`: value at the upper edge of the upper plot; `lines`: from the top down."""
        self.full, self.ticks, self.lines = full, ticks, lines
        self.update()

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        theme, facts = self.theme, self.facts
        if theme is None or facts is None:
            return
        self._draw_budget(painter, theme)
        if not facts.said:
            self._draw_lower(painter, theme, facts)
            return
        cache, cost = self._at(self.cache), self._at(self.cost)
        place = QRectF(cache.left(), cache.top(), cache.width(), cost.bottom() - cache.top())
        draw_text(painter, place, facts.said, theme.font("body"), theme.ink2, CENTRE)

    def y_of(self, value: float) -> float:
        """Where the axis of the upper plot has this value."""
        box = self._at(self.budget)
        return box.bottom() - value / self.full * box.height()

    def _draw_budget(self, painter: QPainter, theme: Theme) -> None:
        box, font = self._at(self.budget), theme.font("chart")
        end, start = box.left() - theme.px(9), box.right() + theme.px(7)
        for tick in self.ticks:
            y = self.y_of(tick.at)
            if tick.text and not tick.strong:
                row = _row(min(y, box.bottom() - theme.px(4)), theme, 0, end)
                draw_text(painter, row, numbers.compact(tick.at), font, theme.ink2, RIGHT)
            if not tick.strong and tick.at:
                painter.fillRect(QRectF(box.left() - theme.px(5), round(y), theme.px(4), 1), theme.ink3)
        named = {tick.at for tick in self.ticks if tick.strong and tick.text}
        left = [line for line in self.lines if line.left and line.at in named]
        ys = spread([self.y_of(line.at) for line in left], theme.px(11), 0)
        for line, y in zip(left, ys, strict=True):
            self._name(painter, theme, _row(y, theme, 0, end), line.left, line.mine, RIGHT)
        ys = spread([self.y_of(line.at) for line in self.lines], theme.px(14), theme.px(7))
        for line, y in zip(self.lines, ys, strict=True):
            indent = theme.px(2) if line.mine else 0  # beside its ring
            row = _row(y, theme, start + indent, self._size.right())
            self._name(painter, theme, row, line.right, line.mine, LEFT)

    @staticmethod
    def _name(painter: QPainter, theme: Theme, row: QRectF, text: str, mine: bool, align: Qt.AlignmentFlag) -> None:
        bold = mine and align == RIGHT
        draw_text(
            painter, row, text, theme.font("chart", 600 if bold else None), theme.accent if mine else theme.ink2, align
        )

    def _draw_lower(self, painter: QPainter, theme: Theme, facts: Facts) -> None:
        cache, cost, font = self._at(self.cache), self._at(self.cost), theme.font("chart")
        end, start = cache.left() - theme.px(9), cache.right() + theme.px(5)
        for box, word, share in ((cache, "cache", 0.3), (cost, "cost", 0.5)):
            row = _row(box.top() + box.height() * share, theme, 0, end)
            draw_text(painter, row, say(phrase(f"requests.{word}")), font, theme.ink2, RIGHT)
        states = ("uncached", "written", "read") if facts.uncached else ("written", "read")
        line = theme.px(15)  # upwards, into the margin of the lane where the row is low
        for place, state in enumerate(reversed(states)):
            y = cache.bottom() - line * (place + 0.5)
            self._swatch(painter, theme, state, QRectF(start, y - theme.px(4), theme.px(8), theme.px(8)))
            row = _row(y, theme, start + theme.px(11), self._size.right())
            draw_text(painter, row, say(phrase(f"requests.{state}")), font, theme.ink2, LEFT)
        y = cost.top() + theme.px(7)  # where the line ends
        strong = theme.font("chart", 600)
        draw_text(painter, _row(y, theme, start, self._size.right()), facts.cost, strong, theme.ink, LEFT)

    @staticmethod
    def _swatch(painter: QPainter, theme: Theme, state: str, rect: QRectF) -> None:
        style = theme.cache(state)
        if state == "uncached":
            outline(painter, rect, QPen(style.fill, 1))
        else:
            filled(painter, QRectF(rect.toRect()), style.brush())


class Axis(Surround):
    """Request numbers under the plots, and the pill of the inspection point."""

    def __init__(self, parent: QGraphicsItem, budget: BudgetTrack, cache: CacheTrack, cost: CostTrack) -> None:
        super().__init__(parent, budget, cache, cost)
        self.number: int | None = None
        """Request of the inspection point, count + 1 for what would be sent next; None = nothing to point at."""

    def boundingRect(self) -> QRectF:
        top = self._at(self.cost).bottom()
        return QRectF(0, top, self._size.width(), max(0.0, self._size.bottom() - top))

    def point_at(self, number: int | None) -> None:
        self.number = number
        self.update()

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        if self.theme is not None:
            self._draw(painter, self.theme)

    def _draw(self, painter: QPainter, theme: Theme) -> None:
        axis, track, series = self.boundingRect(), self.budget, self.budget.series
        box = self._at(track)
        painter.fillRect(QRectF(box.left(), axis.top(), box.width(), 1), theme.line2)
        if series is None:
            return
        font, bold = theme.font("chart"), theme.font("secondary", 600)
        middle = axis.top() + theme.px(12)
        pitch = box.width() / (track.high - track.low)
        after, pill = say(phrase("requests.next")), None
        x = self._x(self.number) if self.number is not None else -1.0
        if self.number is not None and box.left() - 1 <= x <= box.right() + 1:
            word = after if self.number > series.count else str(self.number)
            wide = max(theme.px(28), width_of(word, bold) + theme.px(14))
            left = min(round(x - wide / 2), self._size.right() - wide - 1)
            pill = QRectF(left, middle - theme.px(9), wide, theme.px(18))
            request_pill(painter, pill, word, theme)
        if series.count + 1 > track.high or (self.number is not None and self.number > series.count):
            after = ""
        first, last = max(1, round(track.low + 0.5)), min(series.count, round(track.high - 0.5))
        held = (pill.left(), pill.right()) if pill is not None else None
        placed = axis_labels(
            (first, last, series.count), pitch, self._x, lambda text: width_of(text, font), held, after, theme.px(5)
        )
        for label in placed:
            draw_text(
                painter,
                _row(middle, theme, label.left, label.left + label.width + 1),
                label.text,
                font,
                theme.ink2,
            )

    def _x(self, number: float) -> float:
        return self._at(self.budget).left() + self.budget.x_of(number)
