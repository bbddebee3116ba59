"""The pane of chunks: a bar a call against the chunk limit, the line where a chunk ends, and the tail that stays.

    History 1      ████████████┆▒▒▒      ≈37,291
    Turn prefix    █████       ┆         ≈13,199
    ─────────────────────────────────────────────
    Kept tail      20 entries, from e91  ≈20,141

What is drawn is what is measured: pi's estimate, a quarter of the characters. A chunk over its end holds one message
that is larger than a chunk may be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from core.phrase import phrase
from gui import numbers
from gui.compaction_facts import Chunk, Facts
from gui.numbers import Mark
from gui.paint import RIGHT, draw_text, focus_ring, hairline, kept
from gui.theme import INSET, Look
from gui.translation import say
from gui.visible import visible_line

ROW = 28
LABEL, SIZE = 112, 84
"""Width of the words at the left and of the number at the right, in pixels at 100 %."""
Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class Bar:
    """`chunk` None: the kept tail, with `note` in place of a bar. `share`: of the track, `end`: of a
    chunk on it. `named`: it holds the identifier in focus."""

    label: str
    size: str
    spoken: str
    chunk: Chunk | None
    note: str = ""
    share: float = 0.0
    end: float | None = None
    named: bool = False


def bars(facts: Facts, first_kept: str, named: frozenset[int] = frozenset()) -> tuple[Bar, ...]:
    """`first_kept`: id of the entry; `named`: entries that hold the identifier in focus."""
    largest = max((chunk.tokens for chunk in facts.chunks), default=0)
    full = max(facts.limit or 0, largest, 1)
    end = facts.end / full if facts.end is not None else None
    alone = {stage: sum(chunk.stage == stage for chunk in facts.chunks) == 1 for stage in ("chunk", "prefix", "merge")}
    found = []
    for chunk in facts.chunks:
        id = f"compaction_tab.stage.{chunk.stage}" + ("" if alone[chunk.stage] else "_n")
        label = say(phrase(id, n=chunk.number))
        if chunk.stage == "merge":
            note = say(phrase("compaction_tab.chunks.merge"))
            found.append(Bar(label, "", f"{label}, {note}", chunk, note))
            continue
        size = numbers.tokens(chunk.tokens, Mark.ESTIMATED)
        said = say(phrase("compaction_tab.chunks.spoken", label=label, n=chunk.messages, tokens=chunk.tokens))
        over = facts.end is not None and chunk.tokens > facts.end
        if over:
            said += " " + say(phrase("compaction_tab.chunks.over"))
        named_here = not named.isdisjoint(chunk.rows)
        found.append(Bar(label, size, said, chunk, "", chunk.tokens / full, end, named_here))
    kept = "compaction_tab.chunks.tail" if facts.tail else "compaction_tab.chunks.no_tail"
    note = say(phrase(kept, n=len(facts.tail), first=visible_line(first_kept, 24)))
    label = say(phrase("compaction_tab.chunks.kept"))
    size = numbers.tokens(facts.tail_tokens, Mark.ESTIMATED)
    named_here = not named.isdisjoint(facts.tail)
    found.append(Bar(label, size, f"{label}, {note}, {size}", None, note, named=named_here))
    return tuple(found)


def limit_words(facts: Facts) -> str:
    """The limit and where a chunk ends, or that nothing is cut."""
    if not facts.chunks:
        return ""
    if facts.limit is None or facts.end is None:
        return say(phrase("compaction_tab.chunks.no_limit"))
    return say(phrase("compaction_tab.chunks.limit", limit=facts.limit, end=facts.end))


class _Bars(QAbstractListModel):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.bars: Sequence[Bar] = ()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.bars)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        bar = self.bars[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return bar.label
        return bar.spoken if role == Qt.ItemDataRole.AccessibleTextRole else None

    def show_bars(self, found: Sequence[Bar]) -> None:
        if len(found) != len(self.bars):
            self.beginResetModel()
            self.bars = found
            self.endResetModel()
        else:
            self.bars = found
            self.dataChanged.emit(self.index(0), self.index(max(0, len(found) - 1)))


class ChunkList(QListView):
    """`picked`: number of a bar, from 0, that was clicked or reached by key."""

    picked = Signal(int)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._by_key = False
        self.shown = _Bars(self)
        self.setModel(self.shown)
        self.setItemDelegate(_Delegate(look, self))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setUniformItemSizes(True)
        self.setAccessibleName(say(phrase("compaction_tab.chunks.title")))
        self.selectionModel().currentChanged.connect(self._went)
        look.changed.connect(self.doItemsLayout)

    def show_bars(self, found: Sequence[Bar], current: int) -> None:
        """`current`: whose text is shown beside, -1 = none."""
        self.shown.show_bars(found)
        index = self.shown.index(current) if 0 <= current < len(found) else QModelIndex()
        if index != self.currentIndex():
            self.selectionModel().blockSignals(True)
            self.setCurrentIndex(index)
            self.selectionModel().blockSignals(False)
        self.viewport().update()

    def _went(self, now: QModelIndex, before: QModelIndex) -> None:
        if now.isValid():
            self.picked.emit(now.row())

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._by_key = event.reason() != Qt.FocusReason.MouseFocusReason
        super().focusInEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus() and self._by_key:
            painter = QPainter(self.viewport())
            focus_ring(painter, QRectF(self.viewport().rect()), self._look.theme, gap=-3)
            painter.end()


class _Delegate(QStyledItemDelegate):
    def __init__(self, look: Look, table: ChunkList) -> None:
        super().__init__(table)
        self._look, self._table = look, table

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(self._look.theme.px(200), self._look.theme.px(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, bar = self._look.theme, self._table.shown.bars[index.row()]
        rect = QRectF(option.rect)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.accentbg)
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, theme.hover)
        if bar.chunk is None:
            hairline(painter, rect, theme, Qt.Edge.TopEdge)
        inset = theme.px(INSET)
        label = QRectF(rect.left() + inset, rect.top(), theme.px(LABEL - INSET), rect.height())
        ink = theme.accent if bar.named else theme.ink
        draw_text(painter, label, bar.label, theme.font("body", 600 if bar.named else None), ink)
        right = rect.right() - inset
        size = QRectF(right - theme.px(SIZE), rect.top(), theme.px(SIZE), rect.height())
        draw_text(painter, size, bar.size, theme.font("body"), theme.ink, RIGHT)
        track = QRectF(rect.left() + theme.px(LABEL), rect.center().y() - theme.px(7), 0, theme.px(14))
        track.setRight(size.left() - theme.px(8))
        if bar.note:
            words = QRectF(track.left(), rect.top(), track.width(), rect.height())
            draw_text(painter, words, bar.note, theme.font("body"), theme.ink2)
            return
        self._track(painter, track, bar)

    def _track(self, painter: QPainter, track: QRectF, bar: Bar) -> None:
        theme = self._look.theme
        style = theme.role("toolResult")
        painter.fillRect(track, theme.track)
        filled = min(bar.share, bar.end) if bar.end is not None else bar.share
        solid = QRectF(track.left(), track.top(), round(track.width() * filled), track.height())
        painter.fillRect(solid, style.fill)
        painter.fillRect(QRectF(solid.left(), solid.top(), solid.width(), 1), style.text)
        if bar.end is None:
            return
        if bar.share > bar.end:
            left = solid.right()
            painter.fillRect(
                QRectF(left, track.top(), track.width() * (bar.share - bar.end), track.height()), theme.diff
            )
        x = round(track.left() + track.width() * bar.end) + 0.5
        with kept(painter):
            pen = QPen(theme.ink, theme.pxf(1.5))
            pen.setDashPattern([2.5, 2])
            painter.setPen(pen)
            painter.drawLine(int(x), int(track.top()) - theme.px(3), int(x), int(track.bottom()) + theme.px(3))
