"""The minimap of a prompt: every block as high as its tokens, filled by cache state, with the part in sight framed.

The picture is painted once per prompt, size and look; only the frame and the marks on it move.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.assembled import Assembled
from core.phrase import phrase
from gui.paint import kept
from gui.prompt_leading import paint_pin
from gui.prompt_rows import Kind, Row, leading_index
from gui.shapes import not_recorded
from gui.theme import Look, Theme
from gui.translation import say

WIDTH = 64
BAR_X, BAR_WIDTH = 22, 32
MARGIN = 3
LEAST_FRAME = 10
LEAST_SEAM = 3
"""Pixels between two seams."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Rows in tokens: `starts[i]` … `starts[i + 1]` is what row i stands for, from 0 to the whole prompt."""

    starts: tuple[int, ...]

    @classmethod
    def of(cls, assembled: Assembled, rows: Sequence[Row]) -> Scale:
        def weight(row: Row) -> int:
            if row.kind is Kind.UNRECORDED:
                return assembled.unrecorded or 0
            if row.kind is Kind.LEADING:
                return assembled.leading[leading_index(row.first)].tokens
            if row.kind is Kind.BLOCK:
                return assembled.tokens[row.first]
            if row.kind is Kind.RUN and not row.open:
                return sum(assembled.tokens[row.first : row.last + 1])
            return 0

        return cls(tuple(accumulate((weight(row) for row in rows), initial=0)))

    @property
    def whole(self) -> int:
        return max(1, self.starts[-1])

    def tokens_at(self, row: float) -> float:
        """Tokens above a row (with fraction)."""
        index = min(max(0, int(row)), max(0, len(self.starts) - 2))
        if len(self.starts) < 2:
            return 0.0
        low, high = self.starts[index], self.starts[index + 1]
        return low + min(1.0, max(0.0, row - index)) * (high - low)

    def row_at(self, tokens: float) -> float:
        """The row (with fraction) at a number of tokens."""
        if len(self.starts) < 2:
            return 0.0
        index = min(max(0, bisect_right(self.starts, tokens) - 1), len(self.starts) - 2)
        low, high = self.starts[index], self.starts[index + 1]
        return index + (tokens - low) / max(1, high - low)


class Minimap(QWidget):
    """`jumped` asks for a row (with fraction) at the top of the list."""

    jumped = Signal(float)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._assembled: Assembled | None = None
        self._scale = Scale((0,))
        self._span = (0.0, 0.0)
        self._block: int | None = None
        self._pins: tuple[float, ...] = ()
        """Tokens above the cache marks, in order."""
        self._hits: frozenset[int] = frozenset()
        self._picture: QPixmap | None = None
        self._pictured: tuple[object, ...] = ()
        self._grip: float | None = None
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setMouseTracking(True)
        look.changed.connect(self.updateGeometry)

    def show_prompt(self, assembled: Assembled | None, rows: Sequence[Row]) -> None:
        self._assembled = assembled
        self._scale = Scale.of(assembled, rows) if assembled is not None else Scale((0,))
        self.setAccessibleName(say(phrase("prompt.minimap")))
        self.update()

    def show_span(self, first: float, last: float) -> None:
        """The rows in sight."""
        if self._span != (first, last):
            self._span = first, last
            self.update()

    def pin(self, tokens: tuple[float, ...]) -> None:
        """Where cache marks stand, in tokens from the top."""
        if self._pins != tokens:
            self._pins = tokens
            self.update()

    def mark(self, block: int | None, hits: frozenset[int]) -> None:
        """The block at the cursor, and the blocks with search hits."""
        if (self._block, self._hits) != (block, hits):
            self._block, self._hits = block, hits
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._look.theme.px(WIDTH), 120)

    def minimumSizeHint(self) -> QSize:
        return QSize(self._look.theme.px(WIDTH), 60)

    def _bar(self) -> QRectF:
        theme = self._look.theme
        margin = theme.px(MARGIN + 3)
        return QRectF(theme.px(BAR_X), margin, theme.px(BAR_WIDTH), max(1, self.height() - 2 * margin))

    def _y(self, tokens: float) -> float:
        bar = self._bar()
        return bar.top() + bar.height() * tokens / self._scale.whole

    def _frame(self) -> QRectF:
        theme, bar = self._look.theme, self._bar()
        top, bottom = (self._y(self._scale.tokens_at(row)) for row in self._span)
        height = max(theme.px(LEAST_FRAME), bottom - top)
        top = min(top, bar.bottom() - height)
        edge = theme.px(MARGIN)
        return QRectF(bar.left() - edge, top - edge, bar.width() + 2 * edge, height + 2 * edge)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.panel2)
        painter.fillRect(QRectF(0, 0, 1, self.height()), theme.line)
        if self._assembled is None:
            return
        painter.drawPixmap(self._bar().topLeft(), self._drawn())
        self._paint_marks(painter, theme)
        for number, tokens in enumerate(self._pins, 1):
            edge = self._bar().left() - theme.px(19)
            paint_pin(painter, QPointF(edge, self._y(tokens)), str(number), theme)
        with kept(painter):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(theme.system_text, theme.pxf(2)))
            painter.drawRoundedRect(self._frame(), theme.pxf(3), theme.pxf(3))

    def _paint_marks(self, painter: QPainter, theme: Theme) -> None:
        assert self._assembled is not None
        bar = self._bar()
        if not self._hits and self._block is None:
            return
        starts = list(accumulate(self._assembled.tokens, initial=before(self._assembled)))
        for block in self._hits:
            if block < len(starts):
                y = self._y(starts[block] if block >= 0 else _above(self._assembled, leading_index(block)))
                painter.fillRect(QRectF(bar.right() + theme.px(4), y, theme.px(4), theme.px(2)), theme.warning)
        if self._block is not None and self._block < len(starts) - 1:
            top, bottom = self._y(starts[self._block]), self._y(starts[self._block + 1])
            height = max(theme.px(3), bottom - top)
            painter.fillRect(QRectF(bar.left() - theme.px(9), top, theme.px(3), height), theme.accent)

    def _drawn(self) -> QPixmap:
        bar, ratio, theme = self._bar(), self.devicePixelRatioF(), self._look.theme
        wanted = (self._assembled, bar.width(), bar.height(), ratio, theme)
        if self._picture is None or not _same(wanted, self._pictured):
            self._picture = QPixmap(round(bar.width() * ratio), round(bar.height() * ratio))
            self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(Qt.GlobalColor.transparent)
            painter = QPainter(self._picture)
            assert self._assembled is not None
            paint_blocks(painter, QRectF(0, 0, bar.width(), bar.height()), self._assembled, theme)
            painter.end()
            self._pictured = wanted
        return self._picture

    # pointer: a click jumps there, the frame can be dragged

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or self._assembled is None:
            return
        frame = self._frame()
        y = event.position().y()
        self._grip = y - frame.top() if frame.contains(QPointF(frame.center().x(), y)) else frame.height() / 2
        self._move(y)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grip is not None:
            self._move(event.position().y())
            return
        over = self._frame().contains(event.position())
        self.setCursor(Qt.CursorShape.OpenHandCursor if over else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._grip = None

    def _move(self, y: float) -> None:
        assert self._grip is not None
        bar = self._bar()
        top = y - self._grip + self._look.theme.px(MARGIN)
        share = min(1.0, max(0.0, (top - bar.top()) / bar.height()))
        self.jumped.emit(self._scale.row_at(share * self._scale.whole))


def before(assembled: Assembled) -> int:
    """Tokens above the messages."""
    return sum(item.tokens for item in assembled.leading) if assembled.leading else assembled.unrecorded or 0


def _above(assembled: Assembled, index: int) -> int:
    """Tokens above one of tools and the parts of the system prompt."""
    return sum(item.tokens for item in assembled.leading[:index])


def _same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    return len(one) == len(other) and one[0] is other[0] and one[1:] == other[1:]


def paint_blocks(painter: QPainter, rect: QRectF, assembled: Assembled, theme: Theme) -> None:
    """All blocks from top to bottom: neighbours in one state are one area, parted by seams where there is room."""
    unrecorded = before(assembled)
    starts = list(accumulate(assembled.tokens, initial=unrecorded))
    unit = rect.height() / max(1, starts[-1])
    top = rect.top()
    for item in assembled.leading:
        area = QRectF(rect.left(), top, rect.width(), max(1.0, item.tokens * unit - 1))
        theme.cache(item.state).draw(painter, area)
        top += item.tokens * unit
    if unrecorded and not assembled.leading:
        area = QRectF(rect.left(), rect.top(), rect.width(), max(2.0, unrecorded * unit - 1))
        not_recorded(painter, area, theme)
    first = 0
    for state, group in groupby(assembled.states):
        last = first + len(list(group))
        top, bottom = starts[first] * unit, starts[last] * unit
        area = QRectF(rect.left(), rect.top() + top, rect.width(), max(1.0, bottom - top))
        theme.cache(state).draw(painter, area)
        at = first + 1
        while at < last:  # the next seam that is far enough from the one before
            painter.fillRect(QRectF(rect.left(), rect.top() + starts[at] * unit - 0.5, rect.width(), 1), theme.panel2)
            at = max(at + 1, bisect_left(starts, starts[at] + LEAST_SEAM / unit, at, last))
        first = last
