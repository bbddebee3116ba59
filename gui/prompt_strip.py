"""The thin row over the prompt list: the section in sight, how much is folded, the head of the token column."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.paint import RIGHT, draw_text, focus_ring, hairline, width_of
from gui.theme import INSET, Look

HEIGHT = 28


class PromptStrip(QWidget):
    """`link` is the one thing that can be pressed: show all, fold again, or the other form of the raw text."""

    pressed = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.title, self.note, self.link, self.column = "", "", "", ""
        self._hovered = False
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        look.changed.connect(self.updateGeometry)

    def tell(self, title: str, note: str, link: str, column: str) -> None:
        said = (title, note, link, column)
        if said == (self.title, self.note, self.link, self.column):
            return
        self.title, self.note, self.link, self.column = said
        self.setAccessibleName(" ".join(part for part in (title, note) if part))
        self.setAccessibleDescription(link)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if link else Qt.FocusPolicy.NoFocus)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._look.theme.px(200), self._look.theme.px(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._look.theme.px(80), self._look.theme.px(HEIGHT))

    def _parts(self) -> tuple[QRectF, QRectF, QRectF, QRectF]:
        """Places of title, note, link and column head."""
        theme = self._look.theme
        font, height = theme.font("secondary"), self.height()
        left, right = float(theme.px(INSET)), float(self.width() - theme.px(INSET))
        column = width_of(self.column, font) + 2 if self.column else 0
        right_of_text = right - column - theme.px(16) if column else right
        link = width_of(self.link, font) + 2 if self.link else 0
        title = (
            min(width_of(self.title, theme.font("secondary", 600)) + 2, right_of_text - left - link)
            if self.title
            else 0
        )
        gap = theme.px(10)
        note_left = left + title + (gap if title else 0)
        note = max(0.0, min(width_of(self.note, font) + 2, right_of_text - note_left - link - gap))
        link_left = note_left + note + (gap if note else 0)
        return (
            QRectF(left, 0, title, height),
            QRectF(note_left, 0, note, height),
            QRectF(link_left, 0, link, height),
            QRectF(right - column, 0, column, height),
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.panel)
        hairline(painter, QRectF(self.rect()), theme)
        title, note, link, column = self._parts()
        font = theme.font("secondary")
        draw_text(painter, title, self.title, theme.font("secondary", 600), theme.ink2)
        draw_text(painter, note, self.note, font, theme.ink3)
        draw_text(painter, column, self.column, font, theme.ink3, RIGHT)
        if self.link:
            draw_text(painter, link, self.link, font, theme.accent)
            if self._hovered:
                painter.fillRect(QRectF(link.left(), link.center().y() + theme.px(8), link.width(), 1), theme.accent)
            if self.hasFocus():
                focus_ring(painter, link.adjusted(-2, 4, 2, -4), theme, radius=theme.pxf(4), gap=0)

    def _over(self, point: QPointF) -> bool:
        return bool(self.link) and self._parts()[2].adjusted(-6, 0, 6, 0).contains(point)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hovered = self._over(event.position())
        self.setCursor(Qt.CursorShape.PointingHandCursor if self._hovered else Qt.CursorShape.ArrowCursor)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = False
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._over(event.position()):
            self.pressed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self.link:
            self.pressed.emit()
        else:
            super().keyPressEvent(event)
