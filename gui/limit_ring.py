"""The ring at the right end of a line of the guard: the handle of a threshold, the same value as its slider.

It is a slider for the keyboard and for screen readers: arrows 1 step, Page 10, Home and End the limits, Delete or a
double click the default. The pointer is followed by the plot, which knows where the lines are.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractSlider, QWidget

from core.settings import Number
from gui.paint import focus_ring
from gui.shapes import ring
from gui.theme import Look

RADIUS = 4.5
SIZE = 20


class LimitRing(QAbstractSlider):
    """`moved`: the share that the person chose; showing one tells nothing. `grasped(again)`: a gesture begins, its
    moves are one change (`again`: it goes on with the one before). `released`: it ended."""

    moved = Signal(float)
    grasped = Signal(bool)
    released = Signal()

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look
        self._spec: Number | None = None
        self._floor = 0.0
        self._shown = False
        self._by_key = False
        self.share = self.default = 0.0
        """Where it stands, and where it stood when the profile was chosen; either may lie between two steps."""
        self.setOrientation(Qt.Orientation.Vertical)
        self.setSingleStep(1)
        self.setPageStep(10)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.valueChanged.connect(self._tell)
        self.restyle()

    def restyle(self) -> None:
        size = self._look.theme.px(SIZE)
        self.resize(size, size)
        self.update()

    def sizeHint(self) -> QSize:
        return self.size()

    def show_share(self, spec: Number, share: float, default: float, floor: float) -> None:
        """`floor`: below it the line does not follow, so that the ring does not go there."""
        self._shown = True
        self._spec, self._floor, self.share, self.default = spec, floor, share, default
        self.setRange(self._index(max(spec.low, floor)), self._index(spec.high))
        self.setValue(self._index(share))
        self._shown = False
        self.update()

    def _index(self, share: float) -> int:
        assert self._spec is not None
        return round((share - self._spec.low) / self._spec.step)

    def _at(self, index: int) -> float:
        assert self._spec is not None
        return round(min(self._spec.high, self._spec.low + index * self._spec.step), 10)

    def choose(self, share: float, exact: bool = False) -> None:
        """The person wants this share: the nearest step of the setting, or (`exact`) the very value."""
        if self._spec is None:
            return
        index = min(max(self._index(share), self.minimum()), self.maximum())
        wanted = share if exact else self._at(index)
        if wanted == self.share:
            return
        self._shown = True
        self.share = wanted
        self.setValue(index)
        self._shown = False
        self.update()
        self.moved.emit(wanted)

    def _tell(self, index: int) -> None:
        if not self._shown:
            self.share = self._at(index)
            self.moved.emit(self.share)

    # painting

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = self._look.theme, QPainter(self)
        middle = QPointF(self.width() / 2, self.height() / 2)
        ring(painter, middle, theme, radius=RADIUS, ground=theme.accentbg if self.isSliderDown() else None)
        if self.hasFocus() and self._by_key:
            half = theme.pxf(RADIUS + 4)
            box = QRectF(middle.x() - half, middle.y() - half, 2 * half, 2 * half)
            focus_ring(painter, box, theme, radius=half, gap=-1)
        painter.end()

    # keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._by_key = True
        self.grasped.emit(event.isAutoRepeat())
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.choose(self.default, exact=True)
        else:
            super().keyPressEvent(event)
        self.released.emit()
        self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        keys = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)
        self._by_key = event.reason() in keys
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()
