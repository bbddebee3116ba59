"""A threshold drawn on what it measures: the slider is the gauge.

    ━━━━━━━━━━━━━━━━━━━━◯▒▒▒───────────────      grey: measured · ring: threshold · red: the excess
                        ▲                        triangle: default

The track reaches as far below the default as above it, so that a small excess is in sight; it opens to the setting's
own lower limit as soon as a gesture has ended at its end.

Mouse: drag the ring or press on the track; within six pixels it snaps to the default, unless Alt is held; a double
click goes to the default. Keys: arrows 1 step, Page 10, Home and End the limits.
"""

from __future__ import annotations

from math import expm1, log1p

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF, QWheelEvent
from PySide6.QtWidgets import QAbstractSlider, QSizePolicy, QWidget

from core.settings import Number
from gui.theme import Look

SNAP = 6
"""Pixels around the default, at 100 %, within which the ring jumps there."""
KNOB, TRACK, HEIGHT = 7.5, 7, 27
MANY = 1_000
"""With more steps than this the track is logarithmic: small values of a wide range stay within reach."""


class GaugeSlider(QAbstractSlider):
    """`moved` tells the value that the person chose, in the setting's own unit; showing a value tells nothing.

    `grasped(again)`: a gesture begins; all of its moves are one change. `again`: it continues the one before (a key
    that repeats, a double click). `released`: it ended.
    """

    moved = Signal(float)
    grasped = Signal(bool)
    released = Signal()

    def __init__(self, look: Look, spec: Number, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look, self._spec = look, spec
        self._measured: float | None = None
        self._default = spec.default
        self._offset = 0.0
        self._shown = False
        self._by_key = False
        self._steps = max(1, round((spec.high - spec.low) / spec.step))
        self._low = spec.low
        self.released.connect(self._open)
        self.setOrientation(Qt.Orientation.Horizontal)
        self.setRange(0, self._steps)
        self.setSingleStep(1)
        self.setPageStep(10)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        self.valueChanged.connect(self._tell)
        look.changed.connect(self.updateGeometry)

    # values

    @property
    def threshold(self) -> float:
        """Where the ring stands, in the setting's unit; a value between two steps is kept until the person moves it."""
        return self._exact

    @property
    def default(self) -> float:
        return self._default

    @property
    def measured(self) -> float | None:
        """In the setting's unit; None = this threshold has no measure."""
        return self._measured

    @property
    def excess(self) -> float:
        """How far the measured value is beyond the threshold, in the setting's unit."""
        return max(0.0, self._measured - self._exact) if self._measured is not None else 0.0

    def show_values(self, threshold: float, default: float, measured: float | None) -> None:
        """Put ring, triangle and fill in place."""
        self._shown = True
        self._exact, self._default, self._measured = threshold, default, measured
        if threshold == default or threshold < self._low:
            self._low = self._narrow() if threshold >= self._narrow() else self._spec.low
            self.setMinimum(self._index(self._low))
        self.setValue(self._index(threshold))
        self._shown = False
        self.update()

    _exact = 0.0

    @property
    def low(self) -> float:
        """Where the track begins, in the setting's unit."""
        return self._low

    def _narrow(self) -> float:
        spec = self._spec
        if self._steps > MANY or spec.unit != "share":
            return spec.low
        return max(spec.low, self.value_at(self._index(2 * self._default - spec.high)))

    def _open(self) -> None:
        """The ring was left at the beginning of the track: there is more below."""
        if self._exact <= self._low > self._spec.low:
            self._low = self._spec.low
            self.setMinimum(self._index(self._low))
            self.update()

    def _index(self, value: float) -> int:
        return round((value - self._spec.low) / self._spec.step)

    def value_at(self, index: int) -> float:
        """The value of a step of the slider, in the setting's unit."""
        value = min(self._spec.high, self._spec.low + index * self._spec.step)
        return int(value) if self._spec.whole else round(value, 10)

    def _tell(self, index: int) -> None:
        self.update()
        if not self._shown:
            self._exact = self.value_at(index)
            self.moved.emit(self._exact)

    # where things stand

    def x_of(self, value: float) -> float:
        """The place of a value on the track, in pixels."""
        share = min(1.0, max(0.0, (value - self._low) / (self._spec.high - self._low)))
        if self._steps > MANY:
            share = log1p(share * self._steps) / log1p(self._steps)
        knob = self._look.theme.pxf(KNOB) + 1
        return knob + share * max(1.0, self.width() - 2 * knob)

    def index_at(self, x: float) -> int:
        """The step that is nearest to a place on the track."""
        knob = self._look.theme.pxf(KNOB) + 1
        share = min(1.0, max(0.0, (x - knob) / max(1.0, self.width() - 2 * knob)))
        if self._steps > MANY:
            share = expm1(share * log1p(self._steps)) / self._steps
        return round(self.minimum() + share * (self._steps - self.minimum()))

    def sizeHint(self) -> QSize:
        return QSize(self._look.theme.px(200), self._look.theme.px(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._look.theme.px(80), self._look.theme.px(HEIGHT))

    # painting

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = self._look.theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        knob, thick = theme.pxf(KNOB), theme.pxf(TRACK)
        middle = theme.pxf(12)
        ring = self.x_of(self._exact)
        track = QRectF(0, middle - thick / 2, self.width(), thick)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.track)
        painter.drawRoundedRect(track, thick / 2, thick / 2)
        if self._measured is not None:
            filled = self.x_of(self._measured)
            if self._measured > self._low:
                painter.setBrush(theme.system_text if self.isEnabled() else theme.line2)
                painter.drawRoundedRect(QRectF(0, track.top(), min(filled, ring), thick), thick / 2, thick / 2)
            if filled > ring:
                filled = max(filled, ring + knob + theme.pxf(3))  # never hidden behind the ring
                painter.setBrush(theme.diff if self.isEnabled() else theme.line2)
                painter.drawRect(QRectF(ring, track.top(), filled - ring, thick))
        place, size = self.x_of(self._default), theme.pxf(4)
        top = middle + knob + theme.pxf(1.5)
        painter.setBrush(theme.ink2 if self.isEnabled() else theme.line2)
        painter.drawPolygon(
            QPolygonF([QPointF(place, top), QPointF(place + size, top + size), QPointF(place - size, top + size)])
        )
        tone = theme.accent if self.isEnabled() else theme.line2
        painter.setBrush(theme.accentbg if self.isSliderDown() else theme.panel)
        painter.setPen(QPen(tone, theme.pxf(2.5)))
        painter.drawEllipse(QPointF(ring, middle), knob - theme.pxf(1.25), knob - theme.pxf(1.25))
        if self.hasFocus() and self._by_key:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.accent, 2))
            painter.drawEllipse(QPointF(ring, middle), knob + 3, knob + 3)
        painter.end()

    # gestures

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        self._by_key = False
        x, ring = event.position().x(), self.x_of(self._exact)
        on_ring = abs(x - ring) <= self._look.theme.pxf(KNOB) + 3
        self._offset = x - ring if on_ring else 0.0
        self.grasped.emit(False)
        self.setSliderDown(True)
        if not on_ring:
            self._move_to(event)
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.isSliderDown():
            self._move_to(event)
        else:
            over = abs(event.position().x() - self.x_of(self._exact)) <= self._look.theme.pxf(KNOB) + 3
            self.setCursor(Qt.CursorShape.SizeHorCursor if over else Qt.CursorShape.ArrowCursor)

    def _move_to(self, event: QMouseEvent) -> None:
        x = event.position().x() - self._offset
        free = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        if not free and abs(x - self.x_of(self._default)) <= self._look.theme.pxf(SNAP):
            self._choose(self._default)
        else:
            self.setValue(self.index_at(x))

    def _choose(self, value: float) -> None:
        """A value that need not lie on a step."""
        if value == self._exact:
            return
        self._shown = True
        self._exact = value
        self.setValue(self._index(value))
        self._shown = False
        self.update()
        self.moved.emit(value)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.isSliderDown():
            self.setSliderDown(False)
            self.released.emit()
            self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """The press that came before belongs to the same gesture: one undo takes both back."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.grasped.emit(True)
            self._choose(self._default)
            self.released.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._by_key = True
        self.grasped.emit(event.isAutoRepeat())
        super().keyPressEvent(event)
        self.released.emit()
        self.update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel scrolls what is around: nobody changes a threshold in passing."""
        event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        keys = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)
        self._by_key = event.reason() in keys
        super().focusInEvent(event)
        self.update()
