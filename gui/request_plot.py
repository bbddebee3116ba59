"""What a hand can do with the picture of the requests.

    click            picked(request)        Ctrl + wheel, + / −    zoom          double click on the axis, 0   fit
    drag across      ranged(first, last)    Shift + wheel, middle drag, wheel sideways, PgUp / PgDn            pan
    ← → Home End     moved(by)              Shift + ← →            grow a range  Ctrl + I                      the card
    Esc              no card, no range                     on a line of the guard: drag it, double click = default

It knows no State: it is shown arrays and a place, and tells what was asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from gui.guard_series import GuardShown
from gui.hover_card import HoverCard
from gui.limit_rings import LimitRings
from gui.request_picture import RequestPicture
from gui.theme import Look

ZOOM = 1.25
PAN = 0.12
"""Share of the width that one notch of the wheel moves."""
SLIP = 4
"""Pixels a hand may slip in a click."""


class RequestPlot(RequestPicture):
    """`picked`: request number, count + 1 for what would be sent next. `ranged`: (first, last) or None.
    `moved`: -1 or +1 from the inspection point, or the ends as −∞ / +∞. `lines(request)`: the hover card. Lines of the
    guard: `limits`."""

    picked = Signal(int)
    ranged = Signal(object)
    moved = Signal(float)

    def __init__(self, look: Look, lines: Callable[[int], Sequence[str]], parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self._lines = lines
        self._pressed: QPointF | None = None
        self._panned: QPointF | None = None
        self._anchor: int | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.limits = LimitRings(self, look)
        self.card = HoverCard(self)
        self.card.rested.connect(self._tell)

    def show_guard(self, guard: GuardShown | None) -> None:
        super().show_guard(guard)
        self.limits.show(guard)

    def restyle(self) -> None:
        super().restyle()
        if hasattr(self, "limits"):  # the picture dresses itself before the rings are there
            self.limits.restyle()

    def _lay_out(self) -> None:
        super()._lay_out()
        if hasattr(self, "limits"):
            self.limits.place()

    # the hand

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.card.drop()
        self.front.show_focus(False)
        if event.button() == Qt.MouseButton.LeftButton and self.limits.press(event.position()):
            return
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = event.position()
        elif event.button() == Qt.MouseButton.MiddleButton:
            self._panned = event.position()
            self.setCursor(Qt.CursorShape.ClosedHandCursor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = event.position()
        if self.limits.held:
            self.limits.drag(place, free=bool(event.modifiers() & Qt.KeyboardModifier.AltModifier))
        elif self._panned is not None:
            by = (self._panned.x() - place.x()) / self.pitch
            self._panned = place
            self.show_x(self.low + by, self.high + by)
        elif self._pressed is not None:
            if self.chosen is not None or abs(place.x() - self._pressed.x()) > SLIP:
                self._drag(place)
        else:
            self.limits.point_at(place)
            self._hover(self.request_at(place))

    def _drag(self, place: QPointF) -> None:
        assert self._pressed is not None
        if self.series is None or not self.series.count or abs(place.x() - self._pressed.x()) <= SLIP:
            return
        ends = sorted(round(self.number_at(x)) for x in (self._pressed.x(), place.x()))
        first, last = (min(max(end, 1), self.series.count) for end in ends)
        self._choose((first, last))

    def _choose(self, span: tuple[int, int] | None) -> None:
        if span != self.chosen:
            self.show_range(span)
            self.ranged.emit(span)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.MiddleButton:
            self._panned = None
            self.unsetCursor()
        elif event.button() == Qt.MouseButton.LeftButton and self.limits.held:
            self.limits.drop()
        elif event.button() == Qt.MouseButton.LeftButton and self._pressed is not None:
            clicked = abs(event.position().x() - self._pressed.x()) <= SLIP
            self._pressed = None
            number = self.request_at(event.position())
            if clicked and number is not None:
                self._choose(None)
                self.picked.emit(number)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.limits.reset(event.position()):
            return
        if self.on_axis(event.position()):
            self.fit()

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(None)

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned, sideways = event.angleDelta().y() / 120, event.angleDelta().x() / 120
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(ZOOM**turned, self.number_at(event.position().x()))
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.pan(-PAN * (turned or sideways))
        elif sideways:
            self.pan(-PAN * sideways)
        else:
            event.ignore()
            return
        self.card.drop()
        event.accept()

    def _hover(self, number: int | None) -> None:
        if number is None:
            self.card.drop()
        if number == self.hovered:
            return
        self.hovered = number
        self.place_hover()
        if number is not None:
            self.card.drop()
            self.card.wait()

    def _tell(self) -> None:
        if self.hovered is None:
            return
        lines = self._lines(self.hovered)
        if lines:
            place = QPointF(self.x_of(self.hovered), self.budget.box.geometry().bottom())
            self.card.tell(lines, self.mapToGlobal(place).toPoint(), self._look.theme)

    # keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, held = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        self.front.show_focus(True)
        if key == Qt.Key.Key_I and held == Qt.KeyboardModifier.ControlModifier:
            self._hover(self.number)
            self._tell()
            return
        bare = held in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)
        if not bare or not self._handled(key, bool(held)):
            event.ignore()

    def _handled(self, key: int, shift: bool) -> bool:
        sides = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if key in sides and shift:
            self._grow(sides[key])
        elif key in sides:
            self.moved.emit(sides[key])
        elif key == Qt.Key.Key_Home:
            self.moved.emit(float("-inf"))
        elif key == Qt.Key.Key_End:
            self.moved.emit(float("inf"))
        elif key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            self.pan(0.8 if key == Qt.Key.Key_PageDown else -0.8)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom(ZOOM)
        elif key in (Qt.Key.Key_Minus, Qt.Key.Key_Underscore):
            self.zoom(1 / ZOOM)
        elif key == Qt.Key.Key_0:
            self.fit()
        elif key == Qt.Key.Key_Escape and (self.card.isVisible() or self.chosen is not None):
            if self.card.isVisible():
                self._hover(None)
            else:
                self._choose(None)
        else:
            return False
        return True

    def _grow(self, by: int) -> None:
        """The range grows from the inspection point, or its moving end goes back to it."""
        if self.series is None or not self.series.count:
            return
        count = self.series.count
        if self.chosen is None or self._anchor not in self.chosen:
            self._anchor = min(self.number or count, count)
            self.chosen = (self._anchor, self._anchor)
        first, last = self.chosen
        end = last if first == self._anchor and (first != last or by > 0) else first
        end = min(max(end + by, 1), count)
        first, last = sorted((self._anchor, end))
        self.show_range((first, last))
        self.ranged.emit((first, last))

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.front.show_focus(event.reason() != Qt.FocusReason.MouseFocusReason)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.front.show_focus(False)
        self.card.drop()
