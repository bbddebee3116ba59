"""The title row of the requests dock: its name, the switch of its forms, and the legend or the sentence of a range."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QWidget

from core.phrase import phrase
from gui.paint import RIGHT, draw_icon, draw_text, width_of
from gui.segmented import Segmented
from gui.shapes import swatch_label
from gui.theme import ICON_SMALL, INSET, TITLE_ROW, Look
from gui.translation import say

ROLES = ("toolResult", "summary", "assistant", "user", "unrecorded")
WORDS = ("results", "summary", "assistant", "user", "unrecorded")


class Legend(QWidget):
    """Swatches of the roles with their words, or with their icons where it is narrow; or a sentence instead."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._said, self._short = "", ""
        self._shown = True
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.tell("")

    def tell(self, said: str, short: str = "") -> None:
        """A sentence in place of the legend, and what to say where it finds no room; "" brings the legend back."""
        self._said, self._short = said, short
        self.setAccessibleName(said or ", ".join(self._words()))
        self.update()

    def show_roles(self, on: bool) -> None:
        """Whether there is anything that the legend explains."""
        self._shown = on
        self.update()

    @property
    def said(self) -> str:
        return self._said

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self._look.theme.px(20))

    def _words(self) -> list[str]:
        return [say(phrase(f"requests.{word}")) for word in WORDS]

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = self._look.theme, QPainter(self)
        if self._said:
            font = theme.font("secondary", 600)
            fits = not self._short or width_of(self._said, font) <= self.width()
            draw_text(painter, QRectF(self.rect()), self._said if fits else self._short, font, theme.ink, RIGHT)
        elif self._shown:
            self._draw_roles(painter)
        painter.end()

    def _draw_roles(self, painter: QPainter) -> None:
        theme, words, middle = self._look.theme, self._words(), self.height() / 2
        font, gap = theme.font("secondary"), theme.px(14)
        edge, space, icon = theme.px(10), theme.px(6), theme.px(ICON_SMALL)
        whole = sum(edge + space + width_of(word, font) for word in words) + gap * (len(words) - 1)
        if whole <= self.width():
            x = self.width() - whole
            for role, word in zip(ROLES, words, strict=True):
                x += swatch_label(painter, QPointF(x, middle), role, word, theme) + gap
            return
        small = (edge + space + icon) * len(words) + theme.px(10) * (len(words) - 1)
        if small > self.width():
            return
        x = self.width() - small
        for role in ROLES:
            swatch_label(painter, QPointF(x, middle), role, "", theme)
            style = theme.role(role)
            name, tone = ("circle-help", theme.ink3) if role == "unrecorded" else (style.icon, style.text)
            draw_icon(painter, QRectF(x + edge + space, middle - icon / 2, icon, icon), name, icon, tone)
            x += edge + space + icon + theme.px(10)


class RequestHeading(QFrame):
    """36 px. `chosen`: index into MODES."""

    MODES = ("plot", "breaks", "table")
    chosen = Signal(int)

    def __init__(self, look: Look, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.setProperty("titlerow", True)
        self.title = QLabel(title)
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.modes = Segmented(look, say(phrase("requests.mode_name")))
        self.legend = Legend(look)
        row = QHBoxLayout(self)
        row.addWidget(self.title)
        row.addWidget(self.modes)
        row.addWidget(self.legend, 1)
        self.modes.chosen.connect(self.chosen)
        self.show_mode(0)
        self.restyle()

    def show_mode(self, index: int) -> None:
        self.modes.show_parts([say(phrase(f"requests.{mode}")) for mode in self.MODES], index)

    def restyle(self) -> None:
        theme = self._look.theme
        self.setFixedHeight(theme.px(TITLE_ROW))
        self.title.setFont(theme.font("body", 600))
        self.layout().setContentsMargins(theme.px(INSET), 0, theme.px(INSET), 0)
        self.layout().setSpacing(theme.px(12))
        self.modes.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """A dock asks for this, whatever height is fixed."""
        return QSize(super().sizeHint().width(), self._look.theme.px(TITLE_ROW))

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), self._look.theme.px(TITLE_ROW))
