"""How two profiles stand side by side: a rail with the cache state, fates on both sides, differences tinted.

┃▌3  >_  grep -rn "quote"                3,147   ≠   ┃▨3  >_  ◫ emptied                        12
"""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter

from core.prompt import Block
from gui.compare_page import ComparePage
from gui.paint import draw_icon
from gui.pair_blocks import PairPainter
from gui.pair_geometry import Columns
from gui.pair_list import PairList
from gui.pair_page import AFTER, PairPage
from gui.prompt_chips import Chip, fate_chip, said_chips
from gui.prompt_rows import Kind, Row
from gui.prompt_rules import Stand, part_of
from gui.theme import ICON, RAIL, Theme

ROOM = RAIL + 6
"""Pixels at 100 % that the rail of a column takes."""


class ComparePainter(PairPainter):
    """Rows of a ComparePage."""

    TINT = "warning_tint"

    def __init__(self, page: ComparePage, columns: Columns, theme: Theme) -> None:
        super().__init__(page, columns, theme)
        self.compare = page

    def paint(self, painter: QPainter, row: Row, rect: QRectF, stand: Stand, chosen: int | None) -> None:
        super().paint(painter, row, rect, stand, chosen)
        if row.kind not in (Kind.PAIR, Kind.RUN):
            return
        for side, (left, _) in enumerate(self.columns.edges):
            if row.kind is Kind.PAIR and self.page.block(row.first, side) is None:
                continue
            theme = self.theme
            rail = QRectF(left - theme.px(ROOM), rect.top() + 1, theme.px(RAIL), rect.height() - 2)
            theme.cache(self.compare.state(row.first, side)).draw(painter, rail)
            if side == AFTER and self.compare.parted is not None and row.first >= self.compare.parted:
                theme.cache("diff").draw(painter, rail)

    def _middle(self, painter: QPainter, rect: QRectF, icon: str, ink: QColor) -> None:
        left, right = self.columns.edges[0][1], self.columns.edges[1][0] - self.theme.px(ROOM)
        draw_icon(painter, part_of(rect, left, right), icon, self.theme.px(ICON - 2), ink)

    def _chips(self, index: int, block: Block, side: int) -> list[Chip]:
        fate = self.compare.fate_on(index, side)
        found = [fate_chip(fate)] if fate is not None and fate.kind != "fields" else []
        return found or said_chips(self.page.page.texts.preview(block))[:1]


class CompareList(PairList):
    """The rows of two profiles."""

    def _columns(self) -> Columns:
        return Columns.of(self.width(), self.look.theme, self.look.theme.px(ROOM))

    def _painter_of(self, pairs: PairPage, columns: Columns) -> PairPainter:
        assert isinstance(pairs, ComparePage)
        return ComparePainter(pairs, columns, self.look.theme)
