"""The heads of two columns: before and after, with the tokens of each prompt."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.paint import draw_text, hairline
from gui.pair_geometry import Columns
from gui.theme import Look

HEIGHT = 26


class PairHeads(QWidget):
    """Each head is a title and what is said about it."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.heads: tuple[tuple[str, str], tuple[str, str]] = (("", ""), ("", ""))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        look.changed.connect(self.updateGeometry)

    def tell(self, before: tuple[str, str], after: tuple[str, str]) -> None:
        self.heads = (before, after)
        self.setAccessibleName("; ".join(" ".join(head) for head in self.heads))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._look.theme.px(200), self._look.theme.px(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._look.theme.px(80), self._look.theme.px(HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = self._look.theme, QPainter(self)
        painter.fillRect(self.rect(), theme.panel2)
        hairline(painter, QRectF(self.rect()), theme)
        for (left, right), (title, note) in zip(Columns.of(self.width(), theme).edges, self.heads, strict=True):
            area = QRectF(left, 0, right - left, self.height())
            width = draw_text(painter, area, title, theme.font("secondary", 600), theme.ink2)
            area.setLeft(left + width + theme.px(10))
            draw_text(painter, area, note, theme.font("secondary"), theme.ink3)
        painter.end()
