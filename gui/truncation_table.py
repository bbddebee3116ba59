"""The rows of a truncation, before and after: one list, two columns, a delegate each.

o  Model, thinking level      s02   │   o  Model, thinking level               s02
x  User · fails one run       e01   │   ┆
o  User · try four workers    e37   │   o  User · try four workers [parent: s02] e37
"""

from __future__ import annotations

from collections import OrderedDict

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPainterPath, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from core.phrase import phrase
from core.title import Title
from core.titles import kind_name, title
from core.truncation_rows import LANES, Row
from gui.hatch import dashed_pen
from gui.paint import RIGHT, Tone, chip, chip_width, draw_icon, draw_text, focus_ring, kept
from gui.shapes import Node, lane_pen, node
from gui.state import State
from gui.theme import ICON_SMALL, INSET, Look, Theme
from gui.translation import language, say
from gui.truncation_lanes import LEFT_BEHIND, NEW, NONE, Lanes, lanes
from gui.visible import visible_line

Index = QModelIndex | QPersistentModelIndex

ROW = 22
LANE = 20
BEFORE, AFTER = 0, 1
_TITLES = 4_096


class TruncationModel(QAbstractTableModel):
    """Row i is rows[i]; column 0 is before, 1 after. Titles are made when they are painted."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.state: State | None = None
        self.rows: tuple[Row, ...] = ()
        self.lanes: dict[int, Lanes] = {}
        self.overlay = False
        self._titles: OrderedDict[int, Title] = OrderedDict()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else 2

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self.words(row, index.column())
        return self.spoken(row) if role == Qt.ItemDataRole.AccessibleTextRole else None

    def show_rows(self, state: State | None, rows: tuple[Row, ...], overlay: bool) -> None:
        if (state, rows, overlay) == (self.state, self.rows, self.overlay):
            return
        self.beginResetModel()
        if state is not self.state:
            self._titles.clear()
        self.state, self.rows, self.overlay = state, rows, overlay
        self.lanes = {BEFORE: lanes(rows, after=False, both=overlay), AFTER: lanes(rows, after=True)}
        self.endResetModel()

    def forget_titles(self) -> None:
        self._titles.clear()

    def title(self, row: Row) -> Title:
        found = self._titles.get(row.first)
        if found is None:
            assert self.state is not None
            found = title(self.state.session, row.first, self.state.body, self.state.counts.tokens)
            self._titles[row.first] = found
            while len(self._titles) > _TITLES:
                self._titles.popitem(last=False)
        return found

    def words(self, row: Row, side: int = BEFORE) -> str:
        """ "" for what is not there on this side."""
        if side == AFTER and row.gone:
            return ""
        if 0 < row.stay < row.count and side == BEFORE:
            return say(phrase("truncation_tab.mixed", n=row.count, stay=row.stay))
        if row.count > 1:
            return say(phrase("truncation_tab.run", n=row.stay if side == AFTER else row.count))
        return visible_line(self.title(row).words(language()), 200)

    def id_of(self, row: Row) -> str:
        assert self.state is not None
        return visible_line(self.state.session.columns.ids[row.last], 40)

    def hung_words(self, row: Row) -> str:
        """The chip of a new parent; "" without one."""
        if row.hung is None:
            return ""
        if not row.hung:
            return say(phrase("truncation_tab.new_root"))
        return say(phrase("truncation_tab.new_parent", entry=visible_line(row.hung, 40)))

    def spoken(self, row: Row) -> str:
        """What happens to it, in words: a screen reader hears what the picture shows."""
        assert self.state is not None
        fate = say(phrase("truncation_tab.spoken_gone" if row.gone else "truncation_tab.spoken_kept"))
        what = self.words(row)
        if row.count == 1:
            what = f"{say(kind_name(self.state.session, row.first))} {self.id_of(row)}: {what}"
        return ", ".join(part for part in (what, fate, self.hung_words(row)) if part)


class TruncationDelegate(QStyledItemDelegate):
    """Of one column. Overlaid, the first column tells both."""

    def __init__(self, look: Look, model: TruncationModel, side: int, table: QTableView) -> None:
        super().__init__(table)
        self._look, self._model, self._side, self._table = look, model, side, table

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(self._look.theme.px(200), self._look.theme.px(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model, theme = self._model, self._look.theme
        at, rect = index.row(), QRectF(option.rect)
        if at >= len(model.rows) or model.state is None:
            return
        row = model.rows[at]
        here = at == self._table.currentIndex().row()
        ground = theme.accentbg if here else theme.panel
        painter.fillRect(rect, ground)
        with kept(painter):
            painter.setClipRect(rect, Qt.ClipOperation.IntersectClip)
            self._lines(painter, rect, at, model.lanes[self._side], theme)
            if self._side == BEFORE or not row.gone:
                centre = QPointF(self._x(rect, row.lane), rect.top() + rect.height() // 2)
                node(painter, centre, self._shape(row), theme, active=not row.gone, ground=ground)
                self._words(painter, rect, row, theme)
        if here and self._table.hasFocus() and self._side == BEFORE:
            focus_ring(painter, rect, theme, gap=-2)
        if self._side == AFTER:
            painter.fillRect(QRectF(rect.left(), rect.top(), 1, rect.height()), theme.line)

    def _x(self, rect: QRectF, lane: int) -> float:
        return round(rect.left() + self._look.theme.px(INSET + 4) + lane * self._look.theme.px(LANE)) + 0.5

    def _lines(self, painter: QPainter, rect: QRectF, at: int, drawn: Lanes, theme: Theme) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        top, middle, bottom = rect.top(), rect.top() + rect.height() // 2, rect.bottom()
        lane = self._model.rows[at].lane
        for passed in range(LANES):
            style = int(drawn.through[at, passed])
            if style:
                x = self._x(rect, passed)
                self._line(painter, QPointF(x, top), QPointF(x, bottom), style, theme)
        style = int(drawn.into[at])
        if style:
            x = self._x(rect, lane)
            self._line(painter, QPointF(x, top), QPointF(x, middle), style, theme)
        for to, style in sorted(drawn.bends.get(at, ()), key=lambda bend: bend[1]):
            self._line(painter, QPointF(self._x(rect, lane), middle), QPointF(self._x(rect, to), bottom), style, theme)

    def _line(self, painter: QPainter, start: QPointF, end: QPointF, style: int, theme: Theme) -> None:
        if style == NONE:
            return
        pen = lane_pen(theme, active=True)
        if style == NEW:
            pen = dashed_pen(theme.accent, theme.pxf(2.25))
        elif style == LEFT_BEHIND:
            pen = QPen(theme.ink3, theme.pxf(1.25))
            pen.setDashPattern([1.2, 2.4])
        painter.setPen(pen)
        path = QPainterPath(start)
        if start.x() == end.x():
            path.lineTo(end)
        else:
            third = (end.y() - start.y()) * 0.7
            path.cubicTo(QPointF(start.x(), start.y() + third), QPointF(end.x(), end.y() - third), end)
        painter.drawPath(path)

    def _shape(self, row: Row) -> Node:
        if row.gone:
            return Node.GONE
        assert self._model.state is not None
        kind = self._model.state.session.type_of(row.first)
        return Node.DIAMOND if kind in ("compaction", "reset") and row.count == 1 else Node.FILLED

    def _words(self, painter: QPainter, rect: QRectF, row: Row, theme: Theme) -> None:
        model = self._model
        lane = row.lane if row.lane else 0
        left = self._x(rect, max(1, lane)) + theme.px(14)
        right = rect.right() - theme.px(INSET)
        ink = theme.ink3 if row.gone else theme.ink
        if row.count == 1:
            right -= draw_text(painter, _to(rect, left, right), model.id_of(row), theme.font("id"), theme.ink3, RIGHT)
            right -= theme.px(12)
        chips = self._side == AFTER or model.overlay
        words = model.hung_words(row) if chips and not row.gone else ""
        if words:
            wide = min(chip_width(words, theme, bold=True), (right - left) * 0.55)
            place = QPointF(right - wide, rect.center().y())
            chip(painter, place, words, theme, Tone.ACCENT, bold=True, max_width=wide)
            right -= wide + theme.px(8)
        size = theme.px(ICON_SMALL)
        icon, role = ("unfold-vertical", "other") if row.count > 1 else (model.title(row).icon, model.title(row).role)
        colour = theme.ink3 if row.gone or row.count > 1 else theme.role(role).text
        draw_icon(painter, QRectF(left, rect.top(), size, rect.height()), icon, size, colour)
        font = theme.font("body", 600 if icon == "archive" and not row.gone else None)
        area = _to(rect, left + size + theme.px(8), right)
        width = draw_text(painter, area, model.words(row, self._side), font, ink)
        if row.gone and width:
            y = round(rect.center().y()) + 0.5
            painter.setPen(QPen(theme.ink3, 1))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.left() + width, y))


def _to(rect: QRectF, left: float, right: float) -> QRectF:
    return QRectF(left, rect.top(), max(0.0, right - left), rect.height())


class TruncationTable(QTableView):
    """`picked`: an entry's row of the session became the current one, by pointer or key."""

    picked = Signal(int)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.rows = TruncationModel(self)
        self.setModel(self.rows)
        for side in (BEFORE, AFTER):
            self.setItemDelegateForColumn(side, TruncationDelegate(look, self.rows, side, self))
        self.horizontalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setShowGrid(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAutoScroll(False)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, False)
        self.setAccessibleName(say(phrase("truncation_tab.table")))
        self._quiet = False
        self.selectionModel().currentRowChanged.connect(self._moved)
        self.restyle()
        look.changed.connect(self.restyle)

    def restyle(self) -> None:
        height = self._look.theme.px(ROW)
        self.verticalHeader().setMinimumSectionSize(height)
        self.verticalHeader().setDefaultSectionSize(height)
        self.verticalScrollBar().setSingleStep(height)
        self.rows.forget_titles()
        self.viewport().update()

    def show_rows(self, state: State | None, rows: tuple[Row, ...], overlay: bool) -> None:
        self.rows.show_rows(state, rows, overlay)
        self.setColumnHidden(AFTER, overlay)

    def show_entry(self, entry: int | None, *, scroll: bool) -> None:
        """Make the row that holds an entry the current one, without telling anybody; `scroll`: by the least amount."""
        found = next((at for at, row in enumerate(self.rows.rows) if entry is not None and self._holds(row, entry)), -1)
        if found == self.currentIndex().row():
            return
        self._quiet = True
        try:
            index = self.rows.index(found, 0) if found >= 0 else QModelIndex()
            self.setCurrentIndex(index)
            if scroll and index.isValid():
                self.scrollTo(index)
        finally:
            self._quiet = False

    @staticmethod
    def _holds(row: Row, entry: int) -> bool:
        return row.first <= entry <= row.last

    def _moved(self, current: QModelIndex, _: QModelIndex) -> None:
        self.viewport().update()
        if not self._quiet and current.isValid():
            self.scrollTo(current)
            self.picked.emit(self.rows.rows[current.row()].first)
