"""A few words that can be pressed: a link without underline, reached by Tab, pressed by Enter or Space."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.paint import RIGHT, draw_icon, draw_text, focus_ring, width_of
from gui.theme import Look


class TextLink(QWidget):
    """`icon`: painted before the words. `tone`: name of the ink in the theme. `wide`: takes all the width there is."""

    pressed = Signal()

    def __init__(
        self, look: Look, parent: QWidget | None = None, *, icon: str = "", tone: str = "accent", wide: bool = False
    ) -> None:
        super().__init__(parent)
        self._look = look
        self._icon, self._tone, self._wide = icon, tone, wide
        self._text = ""
        self._hovered = False
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        across = QSizePolicy.Policy.Expanding if wide else QSizePolicy.Policy.Fixed
        self.setSizePolicy(across, QSizePolicy.Policy.Fixed)
        look.changed.connect(self.updateGeometry)

    @property
    def text(self) -> str:
        return self._text

    def say(self, text: str) -> None:
        """Other words; "" hides it."""
        self.setVisible(bool(text))
        if text != self._text:
            self._text = text
            self.setAccessibleName(text)
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        theme = self._look.theme
        width = width_of(self._text, theme.font("secondary")) + (theme.px(22) if self._icon else 0)
        return QSize(theme.px(120) if self._wide else round(width) + 2, theme.px(19))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._look.theme.px(60), self._look.theme.px(19)) if self._wide else self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = self._look.theme, QPainter(self)
        area, ink = QRectF(self.rect()), getattr(theme, self._tone)
        if self._icon:
            size = theme.px(15)
            draw_icon(painter, QRectF(0, 0, size, area.height()), self._icon, size, ink)
            area.setLeft(size + theme.px(7))
        font = theme.font("secondary", 500 if self._icon else None)
        if self._wide:
            width = draw_text(painter, area, self._text, font, ink)
        else:
            width = draw_text(painter, area, self._text, font, ink, RIGHT)
            area.setLeft(area.right() - width)
        if self._hovered:
            painter.fillRect(QRectF(area.left(), area.bottom() - theme.px(2), width, 1), ink)
        if self.hasFocus():
            focus_ring(painter, QRectF(self.rect()), theme, radius=theme.pxf(4), gap=-2)
        painter.end()

    def enterEvent(self, event: QEnterEvent) -> None:
        self._hovered = True
        self.update()

    def leaveEvent(self, event: object) -> None:
        self._hovered = False
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.pressed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.pressed.emit()
        else:
            super().keyPressEvent(event)
