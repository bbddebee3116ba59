"""A switch of joined parts, one of which is on: keyboard, focus ring and names included."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.paint import focus_ring, segment_rects, segments
from gui.theme import RADIUS, Look


class Segmented(QWidget):
    """`labels` from left to right; `chosen` tells the index that the person chose."""

    chosen = Signal(int)

    def __init__(self, look: Look, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._labels: tuple[str, ...] = ()
        self._current = 0
        self._hovered = -1
        self._by_key = False
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        look.changed.connect(self.updateGeometry)

    @property
    def current(self) -> int:
        return self._current

    def show_parts(self, labels: Sequence[str], current: int) -> None:
        if (tuple(labels), current) == (self._labels, self._current):
            return  # another geometry, even the same one, would lay out the whole window
        if tuple(labels) != self._labels:
            self.updateGeometry()
        self._labels, self._current = tuple(labels), current
        self.setAccessibleDescription(self._labels[current] if labels else "")
        self.update()

    def sizeHint(self) -> QSize:
        theme = self._look.theme
        rects = segment_rects(self._labels, theme, QPointF(0, 0))
        width = rects[-1].right() if rects else 0
        return QSize(round(width), theme.px(28))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def _rects(self) -> list[QRectF]:
        return segment_rects(self._labels, self._look.theme, QPointF(0, 0))

    def _at(self, point: QPointF) -> int:
        return next((i for i, rect in enumerate(self._rects()) if rect.contains(point)), -1)

    def _choose(self, index: int) -> None:
        if 0 <= index < len(self._labels) and index != self._current:
            self._current = index
            self.setAccessibleDescription(self._labels[index])
            self.update()
            self.chosen.emit(index)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme, rects = self._look.theme, self._rects()
        on = self.isEnabled()
        segments(painter, rects, self._labels, self._current, theme, hovered=self._hovered, enabled=on)
        if self.hasFocus() and self._by_key:  # inside, so that the switch lines up with what stands around it
            focus_ring(painter, QRectF(self.rect()), theme, radius=theme.pxf(RADIUS), gap=-2)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._by_key = False
        self._choose(self._at(event.position()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hovered = self._at(event.position())
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = -1
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._by_key = True
        if event.key() == Qt.Key.Key_Left:
            self._choose(self._current - 1)
        elif event.key() == Qt.Key.Key_Right:
            self._choose(self._current + 1)
        elif event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return) and self._labels:
            self._choose((self._current + 1) % len(self._labels))
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        keys = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)
        self._by_key = event.reason() in keys
        super().focusInEvent(event)
        self.update()
