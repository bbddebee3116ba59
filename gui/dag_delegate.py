"""Paints a row of the session graph: request number, lanes and node, icon, title, label, tokens."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPixmap
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from core.graph import ACTIVE, JOIN
from core.phrase import render
from core.rows import HEADER
from core.title import Title
from gui.dag_geometry import BRACKET, Columns
from gui.dag_items import Items
from gui.dag_model import DagModel
from gui.numbers import tokens
from gui.paint import (
    END,
    MIDDLE,
    RIGHT,
    chip,
    chip_width,
    draw_icon,
    draw_line,
    draw_text,
    elided,
    focus_ring,
    kept,
    ratio,
    request_pill,
    width_of,
)
from gui.painted_rows import PaintedRows
from gui.shapes import Node, lane_pen, node
from gui.theme import ICON_SMALL, ROW_DAG, Look, Theme
from gui.translation import language
from gui.visible import visible_line

Index = QModelIndex | QPersistentModelIndex

LABEL_WIDTH = 96
PILL = 26
STRIPS = 200
"""Pictures of lanes kept."""
SMALL = 1_000
"""Tokens: in a session without any larger entry the bars stay short."""


class DagDelegate(QStyledItemDelegate):
    """One delegate for the whole row: the table has one column."""

    def __init__(self, look: Look, model: DagModel, table: QWidget) -> None:
        super().__init__(table)
        self._look, self._model, self._table = look, model, table
        self._painted = PaintedRows()
        self._strips: dict[tuple[object, ...], QPixmap] = {}
        self._given: tuple[Theme, int, int, int] | None = None
        self._columns: Columns

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(self._look.theme.px(200), self._look.theme.px(ROW_DAG))

    def columns(self, width: int) -> Columns:
        items = self._model.items
        given = (self._look.theme, width, self._table.width(), items.layout.width if items else 1)
        if given != self._given:
            self._given, self._columns = given, Columns.of(*given)
        return self._columns

    def take_fresh(self) -> bool:
        """Whether rows were painted, since the last time, of which there is no picture yet."""
        fresh, self._painted.fresh = self._painted.fresh, False
        return fresh

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        here = bool(option.state & QStyle.StateFlag.State_Selected)
        self.paint_item(painter, QRectF(option.rect), index.row(), here=here, hovered=hovered)

    def paint_item(self, painter: QPainter, rect: QRectF, item: int, *, here: bool, hovered: bool) -> None:
        """An item at `rect`. `here`: it is the current one; `hovered`: the pointer is over it."""
        items = self._model.items
        if items is None:
            return
        theme = self._look.theme
        row, folded = items.row(item), items.shown.folded(item)
        point = row != HEADER and row == items.point and not folded
        replaced, named = self._replaced(items, item)
        ground = theme.hover if hovered else theme.read_tint if named else theme.panel
        ground = theme.accentbg if point else ground
        columns = self.columns(round(rect.width()))
        title = None if folded else self._model.title(item)
        looks = (
            (theme, ground.rgba(), columns, language(), point, here and (True, self._table.hasFocus())),
            (items.segments(item - 1) if item else (), items.segments(item), int(items.layout.lane[item])),
            (bool(items.layout.active[item]), self._shape(item, items), items.inside_request(item)),
            (items.number_of.get(row), items.tokens_of(item), items.largest, int(items.shown.count[item])),
            (id(title), items.labels.get(row), row in items.hits, self._model.query, row == HEADER, replaced),
        )

        def draw(inner: QPainter, rect: QRectF) -> None:
            if items.inside_request(item):
                inner.fillRect(QRectF(0, 0, theme.px(BRACKET), rect.height()), theme.accent)
            if replaced[0]:
                self._paint_replaced(inner, rect, replaced)
            if here:
                self._paint_place(inner, rect, point)
            self._draw_lanes(inner, rect, item, items, columns, ground, point)
            self._paint_number(inner, rect, item, items, columns, point)
            left = self._paint_tokens(inner, rect, item, items, columns)
            self._paint_words(inner, rect, item, items, columns, min(columns.text_right, left), point)

        self._painted.draw(painter, rect, ground, looks, title, draw)

    def _replaced(self, items: Items, item: int) -> tuple[tuple[bool, bool, bool], bool]:
        """Whether the compaction that is looked at replaced (some of) the item, begins and ends there; whether it holds
        the identifier in focus."""
        marked, first = items.state.marked, int(items.shown.first[item])
        if marked is None or first == HEADER:
            return (False, False, False), False
        return marked.holds(first, int(items.shown.last[item])), first in marked.named

    def _paint_replaced(self, painter: QPainter, rect: QRectF, replaced: tuple[bool, bool, bool]) -> None:
        """A bracket in the summary's colour beside the rows that a summary stands for."""
        theme, (_, begins, ends) = self._look.theme, replaced
        left, wide, arm = theme.px(BRACKET + 2), theme.px(2), theme.px(5)
        top = rect.top() + (theme.px(4) if begins else 0)
        bottom = rect.bottom() - (theme.px(4) if ends else 0)
        painter.fillRect(QRectF(left, top, wide, bottom - top), theme.summary)
        for on, y in ((begins, top), (ends, bottom - wide)):
            if on:
                painter.fillRect(QRectF(left, y, arm, wide), theme.summary)

    def _draw_lanes(
        self, painter: QPainter, rect: QRectF, item: int, items: Items, columns: Columns, ground: QColor, point: bool
    ) -> None:
        """The lanes of most rows look as those of their neighbours: painted once, then copied."""
        theme, device = self._look.theme, ratio(painter)
        if device != int(device):  # a copy would be blurred
            self._paint_lanes(painter, rect, item, items, columns, ground, point)
            return
        looks = (
            (items.segments(item - 1) if item else (), items.segments(item), int(items.layout.lane[item])),
            (bool(items.layout.active[item]), self._shape(item, items), point, ground.rgba()),
            (theme, columns, rect.height(), device),
        )
        strip = self._strips.get(looks)
        if strip is None:
            if len(self._strips) >= STRIPS:
                self._strips.clear()
            strip = QPixmap(round(columns.icon * device), round(rect.height() * device))
            strip.setDevicePixelRatio(device)
            strip.fill(Qt.GlobalColor.transparent)
            inner = QPainter(strip)
            area = QRectF(0, 0, columns.icon, rect.height())
            self._paint_lanes(inner, area, item, items, columns, ground, point)
            inner.end()
            self._strips[looks] = strip
        painter.drawPixmap(rect.topLeft(), strip)

    def _paint_lanes(
        self, painter: QPainter, rect: QRectF, item: int, items: Items, columns: Columns, ground: QColor, point: bool
    ) -> None:
        theme = self._look.theme
        # On a whole pixel, so that the halves of a line that two rows paint meet without a seam.
        middle, height = rect.top() + rect.height() // 2, rect.height()
        with kept(painter):
            painter.setClipRect(rect, Qt.ClipOperation.IntersectClip)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            above = [(segment, middle - height) for segment in items.segments(item - 1)] if item else []
            below = [(segment, middle) for segment in items.segments(item)]
            # The active path is drawn last, over what crosses it.
            for (from_, to, style), top in sorted(above + below, key=lambda each: -each[0][2]):
                painter.setPen(lane_pen(theme, active=style == ACTIVE, joins=style == JOIN))
                x, there = columns.lane(from_), columns.lane(to)
                path = QPainterPath(QPointF(x, top))
                if x == there:
                    path.lineTo(x, top + height)
                else:
                    path.cubicTo(x, top + 0.7 * height, there, top + 0.3 * height, there, top + height)
                painter.drawPath(path)
            centre = QPointF(columns.lane(int(items.layout.lane[item])), middle)
            active = bool(items.layout.active[item])
            node(painter, centre, self._shape(item, items), theme, active=active, point=point, ground=ground)

    def _shape(self, item: int, items: Items) -> Node:
        row = items.row(item)
        if items.shown.folded(item):
            return Node.FOLD
        if row == HEADER:
            return Node.HOLLOW
        session = items.state.session
        kind = session.type_of(row)
        if kind in ("compaction", "reset"):
            return Node.DIAMOND
        said = kind == "branch_summary" or session.role_of(row) in ("user", "assistant")
        return Node.FILLED if said and items.layout.active[item] else Node.HOLLOW

    def _paint_number(
        self, painter: QPainter, rect: QRectF, item: int, items: Items, columns: Columns, point: bool
    ) -> None:
        theme = self._look.theme
        number = items.number_of.get(items.row(item))
        if number is None or items.shown.folded(item):
            return
        if point:
            kind = "secondary" if number < 100 else "pin"
            width = max(theme.px(PILL), round(width_of(str(number), theme.font(kind, 600))) + theme.px(8))
            height = theme.px(18)
            pill = QRectF(columns.number_right - width, round(rect.center().y() - height / 2), width, height)
            request_pill(painter, pill, str(number), theme, kind)
            return
        place = QRectF(
            rect.left() + theme.px(BRACKET), rect.top(), columns.number_right - theme.px(BRACKET), rect.height()
        )
        draw_text(painter, place, str(number), theme.font("secondary"), theme.ink3, RIGHT)

    def _paint_tokens(self, painter: QPainter, rect: QRectF, item: int, items: Items, columns: Columns) -> float:
        """Returns where the number begins."""
        theme = self._look.theme
        count = items.tokens_of(item)
        if not count:
            return columns.right
        place = QRectF(columns.text_right, rect.top(), columns.right - columns.text_right, rect.height())
        ink = theme.ink2 if items.layout.active[item] else theme.ink3
        width = draw_text(painter, place, tokens(count), theme.font("secondary"), ink, RIGHT)
        if not items.shown.folded(item) and items.row(item) != HEADER:
            full = columns.right - columns.text_right - theme.px(4)
            bar = full * count / max(SMALL, items.largest)
            if bar >= 2:
                style = theme.role(self._model.title(item).role)
                fill = style.fill if items.layout.active[item] else theme.uncached
                high = theme.px(2)
                painter.fillRect(QRectF(columns.right - bar, rect.bottom() - theme.px(2) - high, bar, high), fill)
        return columns.right - width - theme.px(8)

    def _paint_words(
        self, painter: QPainter, rect: QRectF, item: int, items: Items, columns: Columns, right: float, point: bool
    ) -> None:
        theme = self._look.theme
        active, row = bool(items.layout.active[item]), items.row(item)
        where = QRectF(columns.icon, rect.top(), theme.px(ICON_SMALL), rect.height())
        if items.shown.folded(item):
            draw_icon(painter, where, "unfold-vertical", theme.px(ICON_SMALL), theme.ink3)
            area = QRectF(columns.text, rect.top(), right - columns.text, rect.height())
            draw_text(painter, area, self._model.words(item), theme.font("body"), theme.ink3)
            return
        made = self._model.title(item)
        icon_ink = theme.role(made.role).text if active and row != HEADER else theme.ink3
        draw_icon(painter, where, made.icon, theme.px(ICON_SMALL), icon_ink)
        label = items.labels.get(row)
        if label:
            # The chip keeps its place at the end of the text column; a long label is cut before the title is.
            most = min(theme.px(LABEL_WIDTH), (right - columns.text) / 2)
            wide = min(most, chip_width(label, theme, icon_name="tag"))
            place = QPointF(right - wide, rect.center().y())
            chip(painter, place, visible_line(label, 60), theme, icon_name="tag", max_width=wide)
            right -= wide + theme.px(10)
        elif row in items.hits and self._model.matches(item) is None:
            size = theme.px(13)
            place = QRectF(right - size, rect.top(), size, rect.height())
            draw_icon(painter, place, "search", size, theme.warning)
            right -= size + theme.px(6)
        self._paint_title(
            painter, QRectF(columns.text, rect.top(), right - columns.text, rect.height()), item, made, point
        )

    def _paint_title(self, painter: QPainter, area: QRectF, item: int, made: Title, point: bool) -> None:
        items = self._model.items
        assert items is not None
        theme = self._look.theme
        compaction = made.icon == "archive"
        font = theme.font("body", 600 if point or compaction else None)
        quiet = made.role == "other" or not items.layout.active[item]
        ink = theme.summary_text if compaction else theme.ink3 if quiet else theme.ink
        after = render(made.note, language()) if made.note is not None else ""
        after = visible_line(" · ".join(part for part in (made.detail, after) if part))
        before = render(made.phrase, language()) if made.phrase is not None else made.text
        if after and before:
            after = " · " + after
        reserve = min(width_of(after, font), 0.5 * area.width()) if after else 0.0
        line = elided(before, font, area.width() - reserve, MIDDLE if _is_path(before) else END)
        width = width_of(line, font)
        self._paint_match(painter, area, item, line, font, theme)
        if line:
            draw_line(painter, area, line, width, font, ink)
        if after:
            rest = QRectF(area.left() + width, area.top(), area.right() - area.left() - width, area.height())
            draw_text(painter, rest, after, font, theme.diff_text if made.failed else ink)

    def _paint_match(self, painter: QPainter, area: QRectF, item: int, line: str, font: QFont, theme: Theme) -> None:
        """The words searched for, as far as they stand in the part of the title that is painted."""
        query = self._model.query
        at = line.lower().find(query) if query else -1
        if at < 0:
            return
        left = area.left() + width_of(line[:at], font)
        wide = width_of(line[at : at + len(query)], font)
        high = min(area.height() - theme.px(6), theme.line_height("body"))
        painter.fillRect(QRectF(left - 1, area.center().y() - high / 2, wide + 2, high), theme.warning_tint)

    def _paint_place(self, painter: QPainter, rect: QRectF, point: bool) -> None:
        """The keyboard's place, and the entry in focus when it is not the inspection point."""
        theme = self._look.theme
        inside = rect.adjusted(theme.px(BRACKET) + 1, 0, -1, 0)
        if self._table.hasFocus():
            focus_ring(painter, inside, theme, radius=theme.pxf(4), gap=-2)
        elif not point:
            with kept(painter):
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(theme.accent)
                painter.drawRoundedRect(inside.adjusted(0.5, 0.5, -0.5, -0.5), theme.pxf(4), theme.pxf(4))


def _is_path(words: str) -> bool:
    """A tool and one path: the end of it tells more than its middle."""
    named = words.removeprefix("→ ")
    return named.count(" ") == 1 and "/" in named
