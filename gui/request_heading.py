"""The title row of the requests dock: its name, the switches of its unit and its forms, and the legend or the sentence
of a range.

    Requests  [tokens | as the guard counts]  [Plot | Breaks | Table]        ▒ Tool results ▒ Assistant …
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QWidget

from core.phrase import phrase
from gui.paint import RIGHT, draw_icon, draw_text, segment_rects, width_of
from gui.segmented import Segmented
from gui.shapes import swatch_label
from gui.theme import ICON_SMALL, INSET, TITLE_ROW, Look, Theme
from gui.translation import say

TOKENS, GUARD = range(2)
"""Units of the upper plot, in the order of the heading's switch."""
ROLES = ("toolResult", "summary", "assistant", "user")
WORDS = {"toolResult": "results"}
TOP = (("unrecorded",), ("cut",))
"""What stands on top of the roles, in tokens and as the guard counts."""


class Legend(QWidget):
    """Swatches of the roles with their words, or with their icons where it is narrow; or a sentence instead."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._said, self._short = "", ""
        self._shown = True
        self._axis = TOKENS
        self._top: tuple[str, ...] = TOP[TOKENS]
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.tell("")

    def tell(self, said: str, short: str = "") -> None:
        """A sentence in place of the legend, and what to say where it finds no room; "" brings the legend back."""
        self._said, self._short = said, short
        self.setAccessibleName(said or ", ".join(self._words()))
        self.update()

    def show_roles(self, on: bool, axis: int = 0, top: tuple[str, ...] = TOP[TOKENS]) -> None:
        """Whether there is anything that the legend explains, and in which unit. `top`: what stands on the messages, in
        tokens."""
        self._shown, self._axis, self._top = on, axis, top
        self.tell(self._said, self._short)

    @property
    def said(self) -> str:
        return self._said

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self._look.theme.px(20))

    @property
    def roles(self) -> tuple[str, ...]:
        """From the bottom of the stack up."""
        return (*ROLES, *(self._top if self._axis == TOKENS else TOP[self._axis]))

    def _words(self) -> list[str]:
        return [_word(role) for role in self.roles]

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
            for role, word in zip(self.roles, words, strict=True):
                x += swatch_label(painter, QPointF(x, middle), role, word, theme) + gap
            return
        small = (edge + space + icon) * len(words) + theme.px(10) * (len(words) - 1)
        if small > self.width():
            return
        x = self.width() - small
        for role in self.roles:
            swatch_label(painter, QPointF(x, middle), role, "", theme)
            name, tone = _icon(role, theme)
            draw_icon(painter, QRectF(x + edge + space, middle - icon / 2, icon, icon), name, icon, tone)
            x += edge + space + icon + theme.px(10)


def _word(role: str) -> str:
    if role == "cut":
        return say(phrase("guard_axis.cut"))
    return say(phrase(f"requests.{WORDS.get(role, role)}"))


def _icon(role: str, theme: Theme) -> tuple[str, QColor]:
    if role == "unrecorded":
        return "circle-help", theme.ink3
    if role == "cut":
        return "scissors", theme.diff
    style = theme.role(role)
    return style.icon, style.text


class RequestHeading(QFrame):
    """36 px. `chosen`: index into MODES; `axis_chosen`: TOKENS or GUARD."""

    MODES = ("plot", "breaks", "table")
    chosen = Signal(int)
    axis_chosen = Signal(int)

    def __init__(self, look: Look, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._axis, self._least = TOKENS, 0
        self.setProperty("titlerow", True)
        self.title = QLabel(title)
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.axis = Segmented(look, say(phrase("guard_axis.switch")))
        self.modes = Segmented(look, say(phrase("requests.mode_name")))
        self.legend = Legend(look)
        row = QHBoxLayout(self)
        row.addWidget(self.title)
        row.addWidget(self.axis)
        row.addWidget(self.modes)
        row.addWidget(self.legend, 1)
        self.modes.chosen.connect(self.chosen)
        self.axis.chosen.connect(self.axis_chosen)
        self.show_mode(0)
        self.show_axis(TOKENS)
        self.restyle()

    def show_mode(self, index: int) -> None:
        self.modes.show_parts([say(phrase(f"requests.{mode}")) for mode in self.MODES], index)

    def show_axis(self, index: int) -> None:
        self._axis = index
        self._arrange()

    def _arrange(self) -> None:
        """The full words where there is room for them beside the legend's icons."""
        room = self.width() - 2 * self._look.theme.px(INSET) - 3 * self._look.theme.px(12)
        room -= self.title.sizeHint().width() + self.modes.sizeHint().width()
        for name in ("guard", "guard_short"):
            self.axis.show_parts([say(phrase("guard_axis.tokens")), say(phrase(f"guard_axis.{name}"))], self._axis)
            if self.axis.sizeHint().width() <= room:
                break

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def restyle(self) -> None:
        theme = self._look.theme
        self.setFixedHeight(theme.px(TITLE_ROW))
        self.title.setFont(theme.font("body", 600))
        self.layout().setContentsMargins(theme.px(INSET), 0, theme.px(INSET), 0)
        self.layout().setSpacing(theme.px(12))
        self.modes.updateGeometry()
        self._measure()
        self._arrange()
        self.update()

    def sizeHint(self) -> QSize:
        """A dock asks for this, whatever height is fixed."""
        return QSize(super().sizeHint().width(), self._look.theme.px(TITLE_ROW))

    def minimumSizeHint(self) -> QSize:
        """As narrow as the short words: the long ones give way."""
        return QSize(self._least, self._look.theme.px(TITLE_ROW))

    def _measure(self) -> None:
        """Docks ask for the least width many times in each layout."""
        theme = self._look.theme
        short = [say(phrase("guard_axis.tokens")), say(phrase("guard_axis.guard_short"))]
        width = self.title.sizeHint().width() + self.modes.sizeHint().width() + 2 * theme.px(INSET) + 3 * theme.px(12)
        self._least = round(width + segment_rects(short, theme, QPointF(0, 0))[-1].right())
