"""How a row of two columns looks: the block before on the left, after on the right, what became of it between.

├ 85 ┤ icon  def parse(…                2,258 ┤  ≠  ├ 85 ┤ icon ✂ cut 6,096 → 2,410 chars        893 ┤
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter

from core.phrase import phrase
from core.prompt import Block
from gui import numbers
from gui.paint import RIGHT, Tone, draw_icon, draw_text, focus_ring
from gui.pair_geometry import Columns
from gui.pair_page import AFTER, BEFORE, PairPage
from gui.palette import mixed
from gui.prompt_blocks import paint_chip, role_name
from gui.prompt_chips import Chip, fate_chip, said_chips
from gui.prompt_rows import Kind, Row
from gui.prompt_rules import Stand, part_of
from gui.theme import ICON, ROW_PROMPT, Theme
from gui.translation import say

NUMBER, ICON_ROOM, TOKENS = 30, 24, 60
HEIGHTS = {Kind.PAIR: ROW_PROMPT, Kind.RUN: ROW_PROMPT, Kind.SAME: 24, Kind.HUNK: 0}
MIDDLE = {
    "same": "equal",
    "replaced": "equal-not",
    "dropped": "minus",
    "inserted": "plus",
    "moved": "arrow-left-right",
}


@dataclass(frozen=True, slots=True)
class Column:
    """One side of a row: its edges, whether the selection holds all of it."""

    left: float
    right: float
    side: int
    chosen: bool


class PairPainter:
    """Paints rows of `page`; `rect` is the row at full width, texts not included."""

    TINT = "panel2"
    """Ground of a row whose sides differ, by its name in the theme."""

    def __init__(self, page: PairPage, columns: Columns, theme: Theme) -> None:
        self.page, self.columns, self.theme = page, columns, theme

    def height(self, row: Row) -> int:
        return self.theme.px(HEIGHTS[row.kind])

    def paint(self, painter: QPainter, row: Row, rect: QRectF, stand: Stand, chosen: int | None) -> None:
        """`chosen`: the side on which the selection of text holds all of the row."""
        theme = self.theme
        ground = rect.adjusted(0, 0, -stand.covered, 0)
        if row.reachable and (stand.selected or stand.hovered):
            painter.fillRect(ground, theme.accentbg if stand.selected else theme.hover)
        elif row.kind is Kind.PAIR and not self.page.quiet[row.first]:
            painter.fillRect(ground, getattr(theme, self.TINT))
        for side, (left, right) in enumerate(self.columns.edges):
            column = Column(left, right, side, side == chosen)
            if column.chosen:
                painter.fillRect(part_of(rect, left, right), mixed(theme.accent, 0.28))
            if row.kind is Kind.PAIR:
                self._pair(painter, row, rect, column)
            elif row.kind is Kind.RUN:
                self._run(painter, row, rect, column)
            elif row.kind is Kind.SAME:
                self._same(painter, row, rect, column)
        if row.kind in (Kind.PAIR, Kind.RUN):
            kind = "same" if row.kind is Kind.RUN else self.page.rows[row.first].kind
            self._middle(painter, rect, MIDDLE[kind], theme.ink3 if self.page.quiet[row.first] else theme.diff_text)
        if stand.focused and row.reachable:
            focus_ring(painter, ground, theme, radius=theme.pxf(4), gap=-2)

    def _middle(self, painter: QPainter, rect: QRectF, icon: str, ink: QColor) -> None:
        left, right = self.columns.edges[0][1], self.columns.edges[1][0]
        draw_icon(painter, part_of(rect, left, right), icon, self.theme.px(ICON - 2), ink)

    def _number(self, painter: QPainter, rect: QRectF, column: Column, text: str) -> None:
        theme = self.theme
        area = part_of(rect, column.left, column.left + theme.px(NUMBER - 6))
        draw_text(painter, area, text, theme.font("secondary"), theme.ink2, RIGHT)

    def _icon(self, painter: QPainter, rect: QRectF, column: Column, name: str, ink: QColor) -> None:
        left = column.left + self.theme.px(NUMBER)
        draw_icon(painter, part_of(rect, left, left + self.theme.px(ICON_ROOM - 4)), name, self.theme.px(ICON), ink)

    def _tokens(self, painter: QPainter, rect: QRectF, column: Column, tokens: int) -> None:
        theme = self.theme
        area = part_of(rect, column.right - theme.px(TOKENS), column.right)
        draw_text(painter, area, numbers.tokens(tokens), theme.font("body"), theme.ink2, RIGHT)

    def _pair(self, painter: QPainter, row: Row, rect: QRectF, column: Column) -> None:
        theme, page = self.theme, self.page
        pair = page.rows[row.first]
        block = page.block(row.first, column.side)
        if block is None:
            self._elsewhere(painter, row, rect, column)
            return
        at = pair.before if column.side == BEFORE else pair.after
        assert at is not None
        self._number(painter, rect, column, str(at + 1))
        role = theme.role(block.message.role)
        self._icon(painter, rect, column, role.icon, role.text)
        self._tokens(painter, rect, column, page.tokens[column.side][at])
        left = column.left + theme.px(NUMBER + ICON_ROOM)
        right = column.right - theme.px(TOKENS)
        chips = self._chips(row.first, block, column.side)
        for found in chips:
            left, drawn = paint_chip(painter, rect, left, right, found, theme)
            if not drawn:
                break
        said = page.page.texts.preview(block)
        words = said.text or ("→ " + ", ".join(said.calls) if said.calls else role_name(block.message.role))
        gone = pair.kind == "dropped"
        mono = block.message.role in ("toolResult", "bashExecution") and bool(said.text)
        ink = theme.ink3 if gone or row.open else theme.ink2 if mono else theme.ink
        if right - left > theme.px(24):
            font = theme.font("id" if mono else "body")
            area = part_of(rect, left, right - theme.px(8))
            width = draw_text(painter, area, words, font, ink)
            if gone:
                middle = round(rect.center().y()) + theme.px(1)
                painter.fillRect(QRectF(left, middle, width, 1), theme.diff)

    def _chips(self, index: int, block: Block, side: int) -> list[Chip]:
        page = self.page
        pair = page.rows[index]
        if side == AFTER:
            fate = page.fate(index)
            found = [fate_chip(fate)] if fate is not None and pair.kind not in ("moved", "same") else []
            if pair.kind == "moved" and pair.other is not None:
                found.append(Chip(say(phrase("prompt.pair.moved_from", n=pair.other + 1)), "arrow-left-right"))
        elif pair.kind == "dropped":
            return [Chip(say(phrase("prompt.fate.dropped")), "x", Tone.DIFF)]
        elif pair.kind == "moved" and pair.other is not None:
            return [Chip(say(phrase("prompt.pair.moved_to", n=pair.other + 1)), "arrow-left-right")]
        else:
            found = []
        if not found or page.rows[index].kind == "inserted":
            found += said_chips(page.page.texts.preview(block))[:1]
        return found

    def _elsewhere(self, painter: QPainter, row: Row, rect: QRectF, column: Column) -> None:
        """The empty side of a block that is only on the other one."""
        theme = self.theme
        left = column.left + theme.px(NUMBER + ICON_ROOM)
        kind = self.page.rows[row.first].kind
        which = {"dropped": "not_after", "inserted": "not_before"}.get(kind)
        if which is not None:
            said = say(phrase(f"prompt.pair.{which}"))
            draw_text(painter, part_of(rect, left, column.right), said, theme.font("secondary"), theme.ink3)

    def _run(self, painter: QPainter, row: Row, rect: QRectF, column: Column) -> None:
        theme, page = self.theme, self.page
        first, last = page.rows[row.first], page.rows[row.last]
        ends = (first.before, last.before) if column.side == BEFORE else (first.after, last.after)
        assert ends[0] is not None
        assert ends[1] is not None
        icon = "fold-vertical" if row.open else "unfold-vertical"
        self._icon(painter, rect, column, icon, theme.ink3)
        left = column.left + theme.px(NUMBER + ICON_ROOM)
        right = column.right - theme.px(TOKENS)
        count = row.last - row.first + 1
        same = all(page.rows[at].kind == "same" for at in range(row.first, row.last + 1))
        title = say(phrase("prompt.pair.run" if same else "prompt.pair.run_words", n=count))
        draw_text(painter, part_of(rect, left, right), title, theme.font("body"), theme.ink2)
        self._tokens(painter, rect, column, sum(page.tokens[column.side][ends[0] : ends[1] + 1]))

    def _same(self, painter: QPainter, row: Row, rect: QRectF, column: Column) -> None:
        theme = self.theme
        size = theme.px(ICON - 3)
        left = self.columns.texts[column.side]
        draw_icon(painter, part_of(rect, left, left + size), "unfold-vertical", size, theme.ink3)
        lines = self.page.hunks(row.first)[row.part].lines
        said = say(phrase("prompt.pair.lines", n=lines))
        area = part_of(rect, left + size + theme.px(7), column.right)
        draw_text(painter, area, said, theme.font("secondary"), theme.ink3)
