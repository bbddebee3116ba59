"""A table of bars as widgets: its rows (`gui/figures.py`) as a list, and the heads of its columns.

Characters / 4            ▒▒▒▒▒▒▒▒▒▒▓▓│          ≈ 97,005    0.93    58 %
median 0.96, a tenth …                │
                                      recorded
"""

from __future__ import annotations

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QSizePolicy,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from gui.figures import BAR, LOW, NOTHING, ROW, Figure, Figures, Places, paint_piece
from gui.paint import RIGHT, draw_text, focus_ring, hairline, kept
from gui.theme import Look, Theme

Index = QModelIndex | QPersistentModelIndex


class FigureModel(QAbstractListModel):
    """Rows for the list; text and words for screen readers."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.figures = NOTHING

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.figures.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self.figures.rows):
            return None
        row = self.figures.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        return row.words if role == Qt.ItemDataRole.AccessibleTextRole else None

    def show_figures(self, figures: Figures) -> None:
        same = [row.id for row in figures.rows] == [row.id for row in self.figures.rows]
        if same:
            self.figures = figures
            if figures.rows:
                self.dataChanged.emit(self.index(0), self.index(len(figures.rows) - 1))
        else:
            self.beginResetModel()
            self.figures = figures
            self.endResetModel()


class FigureDelegate(QStyledItemDelegate):
    def __init__(self, look: Look, view: FigureList) -> None:
        super().__init__(view)
        self._look, self._view = look, view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(self._view.viewport().width(), self._look.theme.px(self._view.row_height))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, rect = self._look.theme, QRectF(option.rect)
        figures = self._view.figures
        row = figures.rows[index.row()]
        places = Places.of(self._view.width(), figures.columns, theme)
        current = index.row() == self._view.currentIndex().row()
        with kept(painter):
            if self._view.stale:
                painter.setOpacity(0.55)
            if current and self._view.choosable:
                painter.fillRect(rect, theme.accentbg)
            self._words(painter, rect, row, places, theme)
            self._bars(painter, rect, row, figures, places, theme)
            for value, (left, right) in zip(row.values, places.columns, strict=False):
                font = theme.font("body", 600 if value.strong else None)
                area = QRectF(left, rect.top(), right - left, rect.height())
                draw_text(painter, area, value.text, font, getattr(theme, value.tone), RIGHT)
            painter.fillRect(QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1), theme.line)
            if current and self._view.by_key and self._view.hasFocus():
                focus_ring(painter, rect, theme, gap=-2)

    def _words(self, painter: QPainter, rect: QRectF, row: Figure, places: Places, theme: Theme) -> None:
        left, right = places.title
        low = self._view.row_height == LOW
        upper = theme.px(2 if places.thin else 5)
        top = rect.top() + (upper if row.note and not low else (rect.height() - theme.px(19)) / 2)
        top -= theme.px(3) if low and places.thin else 0
        line = QRectF(left, top, right - left, theme.px(19))
        took = draw_text(painter, line, row.title, theme.font("body", 500), theme.ink)
        if row.note and low:
            beside = line.adjusted(took + theme.px(6), 0, 0, 0)
            draw_text(painter, beside, row.note, theme.font("secondary"), theme.ink3)
        elif row.note:
            area = QRectF(left, top + theme.px(18), right - left, theme.px(17))
            draw_text(painter, area, row.note, theme.font("secondary"), theme.ink2)

    def _bars(
        self, painter: QPainter, rect: QRectF, row: Figure, figures: Figures, places: Places, theme: Theme
    ) -> None:
        left, right = places.bars
        unit = (right - left) / figures.scale(row)
        height = theme.px(BAR if len(row.bars) == 1 else 7)
        gap = theme.px(2)
        if places.thin:
            height, gap = (theme.px(4), 1) if len(row.bars) == 1 else (theme.px(2), 1)
        whole = len(row.bars) * height + (len(row.bars) - 1) * gap
        y = rect.bottom() - theme.px(3) - whole if places.thin else rect.center().y() - whole / 2
        for bar in row.bars:
            x = left
            for piece in bar:
                width = max(piece.size * unit, 1.0 if piece.size > 0 else 0.0)
                area = QRectF(x, y, width - 1 if width > 2 else width, height)
                if area.width() > 0:
                    paint_piece(painter, area, piece.kind, theme)
                x += width
            y += height + gap
        if figures.line is not None:
            x = left + figures.line * unit
            if places.thin:
                painter.fillRect(QRectF(x, y - theme.px(7), theme.pxf(1.5), theme.px(7)), theme.ink)
                return
            painter.setPen(QPen(theme.ink, theme.pxf(1.5)))
            painter.drawLine(QPointF(x, rect.top()), QPointF(x, rect.bottom()))


class FigureList(QListView):
    """`chosen`: the id of another row. `stale`: what is shown is being computed anew, and dimmed."""

    chosen = Signal(str)

    def __init__(
        self, look: Look, parent: QWidget | None = None, *, choosable: bool = True, row_height: int = ROW
    ) -> None:
        super().__init__(parent)
        self.look, self.choosable, self.row_height = look, choosable, row_height
        self.stale = False
        self.by_key = False
        self._model = FigureModel(self)
        self.setModel(self._model)
        self.setItemDelegate(FigureDelegate(look, self))
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, False)

    @property
    def figures(self) -> Figures:
        return self._model.figures

    @property
    def current(self) -> Figure | None:
        at = self.currentIndex().row()
        return self.figures.rows[at] if 0 <= at < len(self.figures.rows) else None

    @property
    def content_height(self) -> int:
        """Pixels that all rows take."""
        return len(self.figures.rows) * self.look.theme.px(self.row_height)

    def show_figures(self, figures: Figures, current: str = "") -> None:
        """Other rows; the row of `current` stays chosen, else the first is."""
        self._model.show_figures(figures)
        ids = [row.id for row in figures.rows]
        if ids:
            self.setCurrentIndex(self._model.index(ids.index(current) if current in ids else 0))
        self.viewport().update()

    def pick(self, at: int) -> None:
        """Another row, as far as there is one."""
        if 0 <= at < len(self.figures.rows) and at != self.currentIndex().row():
            self.setCurrentIndex(self._model.index(at))
            self.viewport().update()
            self.chosen.emit(self.figures.rows[at].id)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.by_key = False
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and event.button() == Qt.MouseButton.LeftButton:
            self.pick(index.row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        at, last = self.currentIndex().row(), len(self.figures.rows) - 1
        self.by_key = True
        moves = {
            Qt.Key.Key_Down: at + 1,
            Qt.Key.Key_J: at + 1,
            Qt.Key.Key_Up: at - 1,
            Qt.Key.Key_K: at - 1,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        if event.key() not in moves or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            event.ignore()
            return
        self.pick(moves[event.key()])
        self.viewport().update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        keys = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        self.by_key = event.reason() in keys
        super().focusInEvent(event)


class FigureHead(QWidget):
    """Above the rows: what they are of, the heads of the columns, and what the line over the bars stands for."""

    HEIGHT = 30

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.figures = NOTHING
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        look.changed.connect(self.updateGeometry)

    def show_figures(self, figures: Figures) -> None:
        self.figures = figures
        said = [figures.head, *(column.title for column in figures.columns)]
        self.setAccessibleName(", ".join(filter(None, said)))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._look.theme.px(200), self._look.theme.px(self.HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._look.theme.px(120), self._look.theme.px(self.HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter, figures = self._look.theme, QPainter(self), self.figures
        painter.fillRect(self.rect(), theme.panel2)
        places, font = Places.of(self.width(), figures.columns, theme), theme.font("secondary")
        height = self.height()
        left, right = places.title
        draw_text(painter, QRectF(left, 0, right - left, height), figures.head, font, theme.ink2)
        for column, (start, end) in zip(figures.columns, places.columns, strict=False):
            draw_text(painter, QRectF(start, 0, end - start, height), column.title, font, theme.ink2, RIGHT)
        start, end = places.bars
        if figures.line is not None and figures.line_title and not places.thin:
            x = start + figures.line * (end - start) / figures.full
            area = QRectF(start, 0, max(0.0, x - start - theme.px(4)), height)
            draw_text(painter, area, figures.line_title, font, theme.ink2, RIGHT)
            painter.setPen(QPen(theme.ink, theme.pxf(1.5)))
            painter.drawLine(QPointF(x, height * 0.3), QPointF(x, height))
        for edge in (Qt.Edge.TopEdge, Qt.Edge.BottomEdge):
            hairline(painter, QRectF(self.rect()), theme, edge)
        painter.end()
