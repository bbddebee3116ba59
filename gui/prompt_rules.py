"""The rows of a prompt that are no block: the dotted block of tools and system, and the rules across the list."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from core.phrase import phrase
from gui.hatch import dashed_pen
from gui.numbers import Mark
from gui.paint import draw_icon, draw_text, kept, width_of
from gui.prompt_page import Page
from gui.prompt_rows import Kind, Row
from gui.shapes import not_recorded
from gui.theme import ICON, INSET, RULE_TEXT_X, Theme
from gui.translation import say

LINK_ZONE = {Kind.UNRECORDED: 150, Kind.DIFFERENCE: 250}
"""Pixels at the right end of a row that are its link, at 100 %."""


LINK_SHARE = 0.5
"""Of the room behind a rule's label that its link may take."""


@dataclass(frozen=True, slots=True)
class Stand:
    """How this one row stands at the moment."""

    selected: bool = False
    focused: bool = False
    hovered: bool = False
    chosen: bool = False
    """The selection of text holds all of it."""
    covered: int = 0
    """Pixels at the right end that the scroll bar covers."""


def part_of(rect: QRectF, left: float, right: float) -> QRectF:
    """The part of a row from `left` to `right`."""
    return QRectF(left, rect.top(), max(0.0, right - left), rect.height())


class RulePainter:
    """Base of the painter of rows: `page` is what they speak of."""

    def __init__(self, page: Page, theme: Theme) -> None:
        self.page = page
        self.theme = theme

    def _right(self, rect: QRectF) -> float:
        return rect.right() - self.theme.px(INSET)

    def _unrecorded(self, painter: QPainter, row: Row, rect: QRectF, stand: Stand) -> None:
        theme, size = self.theme, self.page.assembled.unrecorded
        box = QRectF(
            theme.px(INSET), rect.top() + theme.px(8), self._right(rect) - theme.px(INSET), rect.height() - theme.px(16)
        )
        not_recorded(painter, box, theme)
        x = box.left() + theme.px(14)
        for name, role in (("wrench", "tools"), ("shield", "system")):
            area = QRectF(x, box.top(), theme.px(ICON), box.height())
            draw_icon(painter, area, name, theme.px(ICON), theme.role(role).text)
            x += theme.px(27)
        title = QRectF(x, box.top(), box.right() - x - theme.px(14), box.height())
        x += theme.px(9) + draw_text(
            painter, title, say(phrase("prompt.unrecorded")), theme.font("body", 600), theme.ink2
        )
        note = phrase("prompt.unrecorded_unknown") if size is None else phrase("prompt.unrecorded_size", n=size)
        right, link = box.right() - theme.px(14), say(phrase("prompt.add_trace"))
        width = width_of(link, theme.font("body")) + 1
        if right - x > width + theme.px(80):
            draw_text(
                painter, QRectF(right - width, box.top(), width, box.height()), link, theme.font("body"), theme.accent
            )
            right -= width + theme.px(12)
        space = QRectF(x, box.top(), max(0.0, right - x), box.height())
        draw_text(painter, space, say(note), theme.font("body"), theme.ink2)

    def _rule(self, painter: QPainter, rect: QRectF, label: str, note: str, link: str, ink: QColor, pen: QPen) -> None:
        """A line across the list; its words begin where those of all rules do. A ● in the note is drawn small. `link`:
        words at its right end that can be pressed."""
        theme, gap = self.theme, self.theme.px(9)
        left, right = theme.px(INSET + RULE_TEXT_X), self._right(rect)
        left += gap + draw_text(painter, part_of(rect, left, right), label, theme.font("rule"), ink)
        if link:
            font = theme.font("secondary")
            width = min(width_of(link, font) + 1, theme.px(LINK_ZONE[Kind.DIFFERENCE]), (right - left) * LINK_SHARE)
            draw_text(painter, part_of(rect, right - width, right), link, font, theme.accent)
            right -= round(width) + gap
        before, dot, after = note.partition(Mark.RECORDED.glyph)
        for words in (before, after.lstrip() if dot else ""):
            if words and left < right:
                left += draw_text(painter, part_of(rect, left, right), words, theme.font("secondary"), theme.ink2)
            if dot and words is before and left < right:
                with kept(painter):
                    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                    painter.setPen(Qt.PenStyle.NoPen)
                    painter.setBrush(theme.ink2)
                    radius = theme.pxf(2.8)
                    painter.drawEllipse(QPointF(left + radius, rect.center().y()), radius, radius)
                left += theme.px(9)
        left += gap
        if left < right:
            middle = round(rect.center().y()) + 0.5
            with kept(painter):
                painter.setPen(pen)
                painter.drawLine(QPointF(left, middle), QPointF(right, middle))

    def _assumed(self, painter: QPainter, row: Row, rect: QRectF, stand: Stand) -> None:
        label, note = say(phrase("prompt.boundary")), say(phrase("prompt.boundary_note"))
        self._rule(painter, rect, label, note, "", self.theme.ink3, dashed_pen(self.theme.ink3))

    def _cached(self, painter: QPainter, row: Row, rect: QRectF, stand: Stand) -> None:
        label = say(phrase("prompt.cached"))
        which = "prompt.cached_note" if self.page.assembled.cached_exact else "prompt.cached_about"
        note = say(phrase(which, n=self.page.assembled.cached_tokens))
        self._rule(painter, rect, label, note, "", self.theme.read_text, QPen(self.theme.read, 1))
