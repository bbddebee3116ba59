"""How a step looks in the list: numbered circle on the line, title, why or why not, signed size, switch.

●─ Guard: whole context                          −4,283     fired, selected, unknown, in trouble: 40 high
│  623k of 600k guard chars: cut 3 results                ☑
○─ Guard: overflow              600k after cuts, of 720k  ☑   all others: 28 high
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from gui.layer_rows import LayerRow
from gui.numbers import ZERO
from gui.paint import RIGHT, draw_icon, draw_text, focus_ring, kept, width_of
from gui.shapes import Fired, step_circle
from gui.theme import ICON_SMALL, STEP_LOW, STEP_TALL, Look, Theme

if TYPE_CHECKING:
    from gui.layer_list import LayerList

CIRCLE_X, TEXT_X, TEXT_END, BOX_X = 24, 48, 48, 24
"""Circle and text from the left edge; end of the text and middle of the switch from the right edge."""
BOX = 15
STALE = 0.55


class LayerDelegate(QStyledItemDelegate):
    def __init__(self, look: Look, view: LayerList) -> None:
        super().__init__(view)
        self._look, self._view = look, view

    def height(self, row: LayerRow) -> int:
        return self._look.theme.px(STEP_TALL if row.tall else STEP_LOW)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(self._view.viewport().width(), self.height(self._view.layers.rows[index.row()]))

    def on_box(self, rect: QRect, place: QPointF) -> bool:
        """Whether a place of the row at `rect` is on its switch (with room around it)."""
        return place.x() >= rect.right() - self._look.theme.px(BOX_X + 14)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        at, rows, theme = index.row(), self._view.layers.rows, self._look.theme
        row, rect = rows[at], QRectF(option.rect)
        current = at == self._view.currentIndex().row()
        with kept(painter):
            if current:
                painter.fillRect(rect, theme.accentbg)
            elif option.rect.contains(self._view.viewport().mapFromGlobal(self._view.cursor().pos())):
                painter.fillRect(rect, theme.hover)
            if self._view.stale:
                painter.setOpacity(STALE)
            self._line(painter, rect, at, theme)
            circle = QPointF(rect.left() + theme.px(CIRCLE_X), rect.center().y())
            step_circle(painter, circle, str(row.number), row.fired, theme, current=current)
            self._words(painter, rect, row, theme)
            self._switch(painter, rect, row, theme)
            if current and self._view.hasFocus() and self._view.by_key:
                focus_ring(painter, rect, theme, gap=-2)

    def _line(self, painter: QPainter, rect: QRectF, at: int, theme: Theme) -> None:
        """The line from circle to circle; what is not applied yet hangs on a thin one."""
        rows, radius = self._view.layers.rows, theme.pxf(9.5)
        x, middle = rect.left() + theme.px(CIRCLE_X), rect.center().y()
        for begin, end, other in (
            (rect.top(), middle - radius, at if at else None),
            (middle + radius, rect.bottom() + 1, at + 1 if at + 1 < len(rows) else None),
        ):
            if other is not None:
                thin = rows[other].beyond
                painter.setPen(QPen(theme.line2 if thin else theme.ink3, theme.pxf(1.25 if thin else 2)))
                painter.drawLine(QPointF(x, begin), QPointF(x, end))

    def _words(self, painter: QPainter, rect: QRectF, row: LayerRow, theme: Theme) -> None:
        left, right = rect.left() + theme.px(TEXT_X), rect.right() - theme.px(TEXT_END)
        strong = row.fired is Fired.FIRED and row.on
        faint = row.beyond or not row.on
        ink = theme.ink3 if faint else theme.ink if strong else theme.ink2
        title = theme.font("body", 500 if row.tall else None)
        top, height = (rect.top() + theme.px(3), theme.px(18)) if row.tall else (rect.top(), rect.height())
        end = right
        if row.size:
            weight = 600 if row.size != ZERO else None
            tone = theme.ink3 if faint or row.size == ZERO else theme.ink
            area = QRectF(left, top, right - left, height)
            end -= draw_text(painter, area, row.size, theme.font("secondary", weight), tone, RIGHT) + theme.px(8)
        elif row.trouble:
            size = theme.px(ICON_SMALL)
            draw_icon(painter, QRectF(right - size, top, size, height), "octagon-x", size, theme.diff_text)
            end -= size + theme.px(8)
        marks = [("save", theme.warning)] if row.file else []
        marks += [("pencil", theme.accent)] if row.changed else []
        size = theme.px(13)
        beside = len(marks) * theme.px(19)
        title_end = end - beside
        place = min(left + width_of(row.title, title) + theme.px(6), title_end)
        for icon, tone in marks:
            draw_icon(painter, QRectF(place, top, size, height), icon, size, theme.ink3 if faint else tone)
            place += theme.px(19)
        took = draw_text(painter, QRectF(left, top, title_end - left, height), row.title, title, ink)
        if row.tall:
            area = QRectF(left, rect.top() + theme.px(20), right - left, theme.px(17))
            tone = theme.diff_text if row.trouble and not faint else theme.ink3 if faint else theme.ink2
            draw_text(painter, area, row.why, theme.font("secondary"), tone)
            return
        begin = left + took + theme.px(12) + beside
        if end - begin > theme.px(24):
            draw_text(
                painter, QRectF(begin, top, end - begin, height), row.short, theme.font("secondary"), theme.ink3, RIGHT
            )

    def _switch(self, painter: QPainter, rect: QRectF, row: LayerRow, theme: Theme) -> None:
        size = theme.px(BOX)
        middle = QPointF(rect.right() - theme.px(BOX_X), rect.center().y())
        box = QRectF(round(middle.x() - size / 2) + 0.5, round(middle.y() - size / 2) + 0.5, size - 1, size - 1)
        if row.locked:
            if row.fired is not Fired.UNKNOWN:
                draw_icon(painter, box, "lock", theme.px(ICON_SMALL), theme.ink3)
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.ink2 if row.on else theme.ink3, 1))
        painter.setBrush(theme.ink2 if row.on else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box, theme.pxf(3), theme.pxf(3))
        if row.on:
            draw_icon(painter, box, "check", theme.px(12), theme.panel)
