"""A hover card: at most a few lines of plain text that tell more about what is under the pointer.

Never Qt's own tool tip, which takes text that looks like HTML for HTML. The card never holds the only copy of a fact.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from gui.paint import draw_text
from gui.theme import RADIUS_CHIP, Theme

DELAY = 400
"""Milliseconds the pointer rests before the card appears."""
WIDTH = 312
LINES = 6


class HoverCard(QWidget):
    """Shown over everything, never takes the focus. `ask` is called when the pointer has rested long enough."""

    def __init__(self, parent: QWidget) -> None:
        flags = Qt.WindowType.ToolTip | Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowDoesNotAcceptFocus
        super().__init__(parent, flags)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self._lines: tuple[str, ...] = ()
        self._theme: Theme | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DELAY)
        self.rested = self._timer.timeout
        """The pointer rested: whoever owns the card fills it, or not."""

    @property
    def lines(self) -> tuple[str, ...]:
        return self._lines if self.isVisible() else ()

    def wait(self) -> None:
        """Start counting anew."""
        self._timer.start()

    def drop(self) -> None:
        """Close, and count no more."""
        self._timer.stop()
        self.hide()

    def tell(self, lines: Sequence[str], place: QPoint, theme: Theme) -> None:
        """Show `lines` (the first one strong) below a place of the screen, wholly on it."""
        self._lines, self._theme = tuple(lines)[:LINES], theme
        self.setAccessibleName("\n".join(self._lines))
        size = QSize(theme.px(WIDTH), theme.px(16) + len(self._lines) * theme.line_height("secondary"))
        screen = QGuiApplication.screenAt(place) or QGuiApplication.primaryScreen()
        x, y = place.x() + theme.px(12), place.y() + theme.px(16)
        if screen is not None:
            area = screen.availableGeometry()
            x = max(area.left(), min(x, area.right() - size.width()))
            if y + size.height() > area.bottom():
                y = place.y() - size.height() - theme.px(8)
        self.setGeometry(x, y, size.width(), size.height())
        self.show()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        if theme is None:
            return
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.panel)
        painter.setPen(theme.line2)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(box, theme.pxf(RADIUS_CHIP), theme.pxf(RADIUS_CHIP))
        line = theme.line_height("secondary")
        for number, text in enumerate(self._lines):
            area = QRectF(theme.px(10), theme.px(8) + number * line, self.width() - theme.px(20), line)
            strong = number == 0
            font = theme.font("secondary", 600 if strong else None)
            draw_text(painter, area, text, font, theme.ink if strong else theme.ink2)
        painter.end()
