"""Two lines of text one below the other, the first character that differs boxed in both."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.paint import draw_text, width_of
from gui.theme import INSET, Look
from gui.visible import visible_line

LINE, HEAD = 24, 120


class DifferenceLines(QWidget):
    """`lines`: (head, text, index of the character in it)."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.lines: Sequence[tuple[str, str, int]] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        look.changed.connect(self.updateGeometry)

    def show_lines(self, lines: Sequence[tuple[str, str, int]]) -> None:
        self.lines = tuple(lines)
        self.setAccessibleName("; ".join(f"{head}: {visible_line(text)}" for head, text, _ in lines))
        self.setVisible(bool(lines))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        theme = self._look.theme
        return QSize(theme.px(240), theme.px(LINE) * len(self.lines) + theme.px(12))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._look.theme.px(120), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = self._look.theme, QPainter(self)
        font = theme.font("id")
        y = float(theme.px(6))
        for head, text, at in self.lines:
            area = QRectF(theme.px(INSET), y, theme.px(HEAD), theme.px(LINE))
            draw_text(painter, area, head, theme.font("secondary"), theme.ink2)
            x = area.right() + theme.px(8)
            before, here, after = (visible_line(part) for part in (text[:at], text[at : at + 1], text[at + 1 :]))
            for part, tone in ((before, theme.ink2), (here, theme.diff_text), (after, theme.ink)):
                width = width_of(part, font)
                box = QRectF(x, y, max(0.0, min(width, self.width() - x - theme.px(INSET))), theme.px(LINE))
                draw_text(painter, box, part, font, tone)
                if part is here and part:
                    painter.setPen(QPen(theme.diff, theme.pxf(1.25)))
                    painter.drawRect(box.adjusted(-1, theme.px(3), 1, -theme.px(3)))
                x += width
            y += theme.px(LINE)
        painter.end()
