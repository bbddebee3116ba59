"""What stands around the plots: numbers and names in the margins, the axis with the pill of the inspection point."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

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

    def tell(self, facts: Facts) -> None:
        self.facts = facts
        self.update()

    def show_ticks(self, ticks: list[Tick]) -> None:
        self.ticks = ticks
        self.update()

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        theme, facts = self.theme, self.facts
        if theme is None or facts is None:
            return
        self._draw_budget(painter, theme, facts)
        if not facts.said:
            self._draw_lower(painter, theme, facts)
            return
        cache, cost = self._at(self.cache), self._at(self.cost)
        place = QRectF(cache.left(), cache.top(), cache.width(), cost.bottom() - cache.top())
        draw_text(painter, place, facts.said, theme.font("body"), theme.ink2, CENTRE)

    def _y(self, tokens: float) -> float:
        """Where the budget's axis has this many tokens."""
        box = self._at(self.budget)
        return box.bottom() - tokens / self.budget.full * box.height()

    def _draw_budget(self, painter: QPainter, theme: Theme, facts: Facts) -> None:
        box, font = self._at(self.budget), theme.font("chart")
        end = box.left() - theme.px(9)
        limits = [tick for tick in self.ticks if tick.strong and tick.text]
        moved = dict(zip(limits, spread([self._y(tick.at) for tick in limits], theme.px(11), 0), strict=True))
        for tick in self.ticks:
            y = self._y(tick.at)
            if tick.text:
                middle = moved.get(tick, min(y, box.bottom() - theme.px(4)))
                draw_text(painter, _row(middle, theme, 0, end), numbers.compact(tick.at), font, theme.ink2, RIGHT)
            if not tick.strong and tick.at:
                painter.fillRect(QRectF(box.left() - theme.px(5), round(y), theme.px(4), 1), theme.ink3)
        window = "window_assumed" if facts.assumed else "window"
        names = [(self.budget.window, window), (self.budget.compacts, "reserve")]
        places = [(at, say(phrase(f"requests.{name}"))) for at, name in names if at is not None]
        if facts.window > self.budget.full:
            places = [(round(self.budget.full), say(phrase("requests.window_above", n=facts.window)))]
        ys = spread([max(theme.px(7), self._y(at)) for at, _ in places], theme.px(14), theme.px(7))
        start = box.right() + theme.px(7)
        for y, (_, name) in zip(ys, places, strict=True):
            draw_text(painter, _row(y, theme, start, self._size.right()), name, font, theme.ink2, LEFT)

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
