"""A switch with two ends: on or off, by pointer, Space or Enter. It says in words what it does."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from gui.paint import focus_ring, kept
from gui.theme import Look


class Switch(QAbstractButton):
    """Checkable; `clicked` tells of a person's hand only."""

    def __init__(self, look: Look, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._by_key = False
        self.setCheckable(True)
        self.setAccessibleName(name)
        self.setToolTip(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        look.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        theme = self._look.theme
        return QSize(theme.px(34), theme.px(26))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = self._look.theme, QPainter(self)
        width, height = theme.pxf(28), theme.pxf(16)
        track = QRectF((self.width() - width) / 2, (self.height() - height) / 2, width, height)
        on, enabled = self.isChecked(), self.isEnabled()
        with kept(painter):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(theme.accent if on and enabled else theme.line2, 1))
            painter.setBrush(theme.accent if on and enabled else theme.track)
            painter.drawRoundedRect(track.adjusted(0.5, 0.5, -0.5, -0.5), height / 2, height / 2)
            middle = track.right() - height / 2 if on else track.left() + height / 2
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.onaccent if on and enabled else theme.ink2 if enabled else theme.line2)
            painter.drawEllipse(QPointF(middle, track.center().y()), theme.pxf(5), theme.pxf(5))
        if self.hasFocus() and self._by_key:
            focus_ring(painter, QRectF(self.rect()), theme, radius=theme.pxf(6), gap=-2)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._by_key = False
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._by_key = True
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._by_key = event.reason() != Qt.FocusReason.MouseFocusReason
        super().focusInEvent(event)
