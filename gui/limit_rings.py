"""The rings of the guard's lines in the plot: where they stand, which one the pointer is on, what a drag means.

The line is the gauge: it lies at guard characters, its setting is a share of the window. A drag snaps to the value that
the profile was chosen with within six pixels, unless Alt is held.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from core.guard_limits import Kind, Limit, chars_of, share_of
from core.settings import Number
from gui.guard_series import GuardShown
from gui.limit_ring import LimitRing
from gui.paint import CENTRE, draw_text, width_of
from gui.theme import RADIUS_CHIP, Look

if TYPE_CHECKING:
    from gui.request_picture import RequestPicture

KINDS: tuple[Kind, ...] = ("stops", "cuts", "single")
"""From the top down, which is the order of the keyboard too."""
SNAP = 6
REACH = 5
"""Pixels beside a line that still count as on it."""


class LimitRings(QObject):
    """`moved(kind, share)`, `grasped(kind, again)`, `released(kind)`: what a person does to a line."""

    moved = Signal(str, float)
    grasped = Signal(str, bool)
    released = Signal(str)

    def __init__(self, picture: RequestPicture, look: Look) -> None:
        super().__init__(picture)
        self._picture, self._look = picture, look
        self._guard: GuardShown | None = None
        self._window = 0
        self.held: Kind | None = None
        self._offset = 0.0
        self._over: Kind | None = None
        self.words = DragWords(look, picture)
        self.rings: dict[Kind, LimitRing] = {kind: LimitRing(look, picture) for kind in KINDS}
        for kind, ring in self.rings.items():
            ring.hide()
            ring.moved.connect(lambda share, kind=kind: self.moved.emit(kind, share))
            ring.grasped.connect(lambda again, kind=kind: self.grasped.emit(kind, again))
            ring.released.connect(lambda kind=kind: self.released.emit(kind))

    # what is shown

    def show(self, guard: GuardShown | None) -> None:
        """Rings for the lines that there are; `describe` gives them their values."""
        self._guard = guard if guard is not None and not guard.empty else None
        if self.held is not None and self._limit(self.held) is None:
            self.drop()
        self.place()

    def describe(
        self, kind: Kind, spec: Number, share: float, default: float, floor: float, window: int, name: str, value: str
    ) -> None:
        """`name`, `value`: what a screen reader says of the ring."""
        self._window = window
        ring = self.rings[kind]
        ring.show_share(spec, share, default, floor)
        ring.setAccessibleName(name)
        ring.setAccessibleDescription(value)

    def tell(self, kind: Kind, words: str) -> None:
        """The consequence of the gesture under way, beside its ring; "" = none."""
        y = self._y(kind)
        if not words or y is None:
            self.words.say("", QPointF())
        else:
            self.words.say(words, QPointF(self._picture.budget.box.geometry().right(), y))

    def restyle(self) -> None:
        for ring in self.rings.values():
            ring.restyle()
        self.place()

    def place(self) -> None:
        for kind, ring in self.rings.items():
            y = self._y(kind)
            ring.setVisible(y is not None)
            if y is not None:
                x = self._picture.budget.box.geometry().right() + self._look.theme.px(1)
                ring.move(round(x - ring.width() / 2), round(y - ring.height() / 2))

    def _limit(self, kind: Kind) -> Limit | None:
        limits = self._guard.limits if self._guard is not None else ()
        return next((limit for limit in limits if limit.kind == kind), None)

    def _y(self, kind: Kind) -> float | None:
        """Where a line lies in the picture; None where there is none or it lies beyond the axis."""
        limit, picture = self._limit(kind), self._picture
        return None if limit is None or limit.chars > picture.full else picture.margins.y_of(limit.chars)

    # the pointer

    def hit(self, place: QPointF) -> Kind | None:
        """The line under a place: along its whole length, at its ring and its name."""
        box = self._picture.budget.box.geometry()
        if not box.left() <= place.x() <= self._picture.width() or place.y() > box.bottom() + REACH:
            return None
        found = [(abs(y - place.y()), kind) for kind in KINDS if (y := self._y(kind)) is not None]
        reach = self._look.theme.px(REACH if place.x() < box.right() - self._look.theme.px(4) else 8)
        near = min(found, default=None)
        return near[1] if near is not None and near[0] <= reach else None

    def point_at(self, place: QPointF) -> None:
        """The pointer's shape tells that a line can be moved."""
        over = self.hit(place)
        if over == self._over:
            return
        self._over = over
        if over is not None:
            self._picture.viewport().setCursor(Qt.CursorShape.SizeVerCursor)
        else:
            self._picture.viewport().unsetCursor()

    def press(self, place: QPointF) -> bool:
        """Take hold of the line under the pointer."""
        kind = self.hit(place)
        y = self._y(kind) if kind is not None else None
        if kind is None or y is None:
            return False
        self.held, self._offset = kind, place.y() - y
        self._picture.held_full = self._picture.full
        self.rings[kind].setSliderDown(True)
        self.rings[kind].setFocus(Qt.FocusReason.MouseFocusReason)
        self.grasped.emit(kind, False)
        return True

    def drag(self, place: QPointF, free: bool) -> None:
        """The line follows the pointer; `free`: it does not snap to its default."""
        kind = self.held
        if kind is None:
            return
        ring, picture = self.rings[kind], self._picture
        box = picture.budget.box.geometry()
        y = min(max(place.y() - self._offset, box.top()), box.bottom())
        default = picture.margins.y_of(chars_of(kind, self._window, ring.default))
        if not free and abs(y - default) <= self._look.theme.px(SNAP):
            ring.choose(ring.default, exact=True)
        else:
            ring.choose(share_of(kind, self._window, (box.bottom() - y) / max(1.0, box.height()) * picture.full))

    def drop(self) -> None:
        """Let go."""
        kind, self.held = self.held, None
        self._picture.held_full = None
        if kind is not None:
            self.rings[kind].setSliderDown(False)
            self.words.say("", QPointF())
            self.released.emit(kind)

    def reset(self, place: QPointF) -> bool:
        """Double click: the default. The press before it belongs to the same gesture: one undo takes both back."""
        kind = self.hit(place)
        if kind is None:
            return False
        self.grasped.emit(kind, True)
        self.rings[kind].choose(self.rings[kind].default, exact=True)
        self.released.emit(kind)
        return True


class DragWords(QWidget):
    """What a drag does, in a small box left of the ring; over the line, or under it where there is no room."""

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look
        self.said = ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def say(self, words: str, end: QPointF) -> None:
        """`end`: where the line meets the right edge of the plot; "" hides the box."""
        self.said = words
        self.setVisible(bool(words))
        if not words:
            return
        theme = self._look.theme
        width = width_of(words, theme.font("secondary", 600)) + theme.px(18)
        height = theme.px(22)
        top = end.y() - height - theme.px(5)
        if top < 0:
            top = end.y() + theme.px(6)
        self.setGeometry(round(end.x() - width - theme.px(10)), round(top), round(width), height)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = self._look.theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(theme.accent)
        painter.setBrush(theme.panel)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(box, theme.pxf(RADIUS_CHIP), theme.pxf(RADIUS_CHIP))
        draw_text(painter, box, self.said, theme.font("secondary", 600), theme.accent, CENTRE)
        painter.end()
