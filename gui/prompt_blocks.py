"""How a row of the prompt list looks: rail, number, role, words, chips, tokens; rules, folded runs and notes.

16  26    64      90                                                  right − 100   right − 16
├rail┤ 84 ┤ icon ┤ Tool result  e83  [read]  def parse(…               …      1,246 ┤
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from core.fate import Loss, kept_line
from core.messages import Message
from core.phrase import phrase
from core.prompt import Block
from gui.hatch import dashed_pen
from gui.paint import RIGHT, chip, chip_width, draw_icon, draw_text, focus_ring, kept, width_of
from gui.palette import mixed
from gui.prompt_chips import Chip, chips
from gui.prompt_leading import TEXT_X, TOKENS, LeadingPainter
from gui.prompt_page import Page
from gui.prompt_rows import Kind, Row
from gui.prompt_rules import Stand, part_of
from gui.prompt_text import Preview, preview_of
from gui.theme import ICON, ICON_SMALL, INSET, RAIL, ROW_PROMPT, Theme
from gui.translation import say

RULE_ROW = 28
UNRECORDED_ROW = 62
NUMBER_END = 64
TOLD_ROW, TOLD_UP = 24, 4
"""The second line of a block that was cut, and by how much it stands closer to the first."""

HEIGHTS = {
    Kind.UNRECORDED: UNRECORDED_ROW,
    Kind.ASSUMED: RULE_ROW,
    Kind.CACHED: RULE_ROW,
    Kind.LEADING: ROW_PROMPT,
    Kind.BOUNDARY: RULE_ROW,
    Kind.DIFFERENCE: RULE_ROW,
    Kind.BLOCK: ROW_PROMPT,
    Kind.RUN: ROW_PROMPT,
    Kind.NOTE: ROW_PROMPT,
    Kind.LOST: 28,
    Kind.RAW: 8,
}
RUN_KINDS: tuple[Loss, ...] = ("cut", "emptied", "merged", "inserted")
ROLE_NAMES = frozenset(
    {"user", "assistant", "toolResult", "compactionSummary", "branchSummary", "bashExecution", "custom"}
)


def role_name(role: str) -> str:
    """The role in words; a role nobody knows is a message."""
    return say(phrase(f"prompt.role.{role if role in ROLE_NAMES else 'message'}"))


def paint_chip(
    painter: QPainter, rect: QRectF, left: float, right: float, found: Chip, theme: Theme
) -> tuple[float, bool]:
    """A chip at `left`, if there is room; returns where what follows begins, and whether it was painted."""
    wanted = min(chip_width(found.text, theme, icon_name=found.icon, bold=found.strong), theme.px(found.width))
    if left + wanted > right and (found.width <= 180 or right - left < theme.px(80)):
        return left, False
    place, most = QPointF(left, rect.center().y()), min(wanted, right - left)
    area = chip(painter, place, found.text, theme, found.tone, icon_name=found.icon, bold=found.strong, max_width=most)
    return area.right() + theme.px(8), True


def entry_id(page: Page, row: int) -> str:
    """The entry's id, short enough for a row."""
    return page.state.session.columns.ids[row][:8]


def block_id(page: Page, index: int) -> str:
    rows = page.assembled.blocks[index].origin.rows
    return entry_id(page, rows[0]) if rows else ""


class RowPainter(LeadingPainter):
    """Paints rows of `page` with `theme`; `rect` is the row at full width, the body of an open block not included."""

    def height(self, row: Row) -> int:
        """Pixels of the row without the body of an open block."""
        return self.theme.px(HEIGHTS[row.kind]) + (self.theme.px(TOLD_ROW - TOLD_UP) if row.told else 0)

    def text_x(self) -> int:
        return self.theme.px(TEXT_X)

    def paint(self, painter: QPainter, row: Row, rect: QRectF, stand: Stand) -> None:
        theme = self.theme
        ground = rect.adjusted(0, 0, -stand.covered, 0)
        if stand.chosen:
            painter.fillRect(ground, mixed(theme.accent, 0.28))
        elif row.reachable and (stand.selected or stand.hovered):
            painter.fillRect(ground, theme.accentbg if stand.selected else theme.hover)
        paint = {
            Kind.UNRECORDED: self._unrecorded,
            Kind.ASSUMED: self._assumed,
            Kind.CACHED: self._cached,
            Kind.LEADING: self._leading,
            Kind.BOUNDARY: self._boundary,
            Kind.DIFFERENCE: self._difference,
            Kind.BLOCK: self._block,
            Kind.RUN: self._run,
            Kind.NOTE: self._note,
            Kind.LOST: self._lost,
        }.get(row.kind)
        if paint is not None:
            paint(painter, row, rect, stand)
        if stand.focused and row.reachable:
            focus_ring(painter, ground, theme, radius=theme.pxf(4), gap=-2)

    # one method per kind of row

    def _block(self, painter: QPainter, row: Row, rect: QRectF, stand: Stand) -> None:
        theme, page = self.theme, self.page
        if row.told:
            second = theme.px(TOLD_ROW)
            self._told(painter, row, QRectF(rect.left(), rect.bottom() - second, rect.width(), second))
            rect = rect.adjusted(0, 0, 0, theme.px(TOLD_UP) - second)
        block = page.assembled.blocks[row.first]
        if stand.hovered or stand.selected or row.open:
            self._chevron(painter, rect, row.open)
        if row.first < 999 or not (stand.hovered or stand.selected or row.open):
            number = QRectF(theme.px(INSET + RAIL), rect.top(), theme.px(NUMBER_END - INSET - RAIL), rect.height())
            draw_text(painter, number, str(row.first + 1), theme.font("secondary"), theme.ink2, RIGHT)
        role = block.message.role
        style = theme.role(role)
        self._icon(painter, rect, style.icon, role)
        self._tokens(painter, rect, page.assembled.tokens[row.first])
        right = self._right(rect) - theme.px(TOKENS)
        left = theme.px(TEXT_X)
        name = QRectF(left, rect.top(), right - left, rect.height())
        left += theme.px(8) + draw_text(painter, name, role_name(role), theme.font("body", 600), theme.ink)
        said = page.texts.preview(self._told_of(row.first))
        if row.open:  # its beginning stands below: say its length instead
            length = say(phrase("prompt.characters", n=len(page.texts.document(block))))
            said = replace(said, text=length, calls=(), thinking=False, plain=True)
        if row.told and not row.open:  # what was kept of it stands on the second line
            said = replace(said, text="")
        self._words(painter, rect, left, right, block_id(page, row.first), said, block.message, row.first)

    def _told_of(self, index: int) -> Block:
        """Whose beginning stands in the row: of a summary its own words, not the introduction it is sent with."""
        block, fate = self.page.assembled.blocks[index], self.page.fate(index)
        return block.first if fate is not None and fate.kind == "converted" else block

    def _words(
        self,
        painter: QPainter,
        rect: QRectF,
        left: float,
        right: float,
        name: str,
        said: Preview,
        message: Message,
        index: int | None = None,
    ) -> None:
        """Entry id, chips and preview, from `left` to `right`. `index`: the block in the prompt shown."""
        theme = self.theme
        left += theme.px(10) + draw_text(
            painter, QRectF(left, rect.top(), right - left, rect.height()), name, theme.font("id"), theme.ink3
        )
        for found in chips(self.page, index, said, message):
            left, drawn = paint_chip(painter, rect, left, right, found, theme)
            if not drawn:
                break
        mono = message.role in ("toolResult", "bashExecution") and not said.plain
        font, ink = (theme.font("id"), theme.ink2) if mono else (theme.font("body"), theme.ink)
        if said.thinking or said.plain:
            ink = theme.ink3
        calls = "→ " + ", ".join(said.calls) if said.calls else ""
        room = right - left - theme.px(12)
        reserved = min(width_of(calls, theme.font("body")) + theme.px(6), room * 0.6) if calls else 0
        if said.text and room > theme.px(24):
            space = QRectF(left, rect.top(), room - reserved, rect.height())
            left += theme.px(6) + draw_text(painter, space, said.text, font, ink)
        if calls and right - left > theme.px(24):
            space = QRectF(left, rect.top(), right - left - theme.px(12), rect.height())
            draw_text(painter, space, calls, theme.font("body"), theme.ink2)

    def _told(self, painter: QPainter, row: Row, rect: QRectF) -> None:
        """What stands before the cut, and how much is gone there."""
        theme, page = self.theme, self.page
        block = page.assembled.blocks[row.first]
        line, gone = kept_line(block.message)
        left, right = float(theme.px(TEXT_X)), self._right(rect) - theme.px(TOKENS)
        shown = row.open and block.key in page.folds.woven
        said = say(phrase("prompt.removed_shown" if shown else "prompt.removed", n=gone))
        size, gap = theme.px(ICON_SMALL - 1), theme.px(9)
        needed = size + 2 * gap + width_of(said, theme.font("secondary"))
        if line and not row.open:
            space = QRectF(left, rect.top(), max(0.0, min(right - left - needed, (right - left) * 0.6)), rect.height())
            if space.width() > theme.px(48):
                left += gap + draw_text(painter, space, line, theme.font("id"), theme.ink)
        draw_icon(painter, QRectF(left, rect.top(), size, rect.height()), "scissors", size, theme.written_text)
        left += size + gap
        left += gap + draw_text(painter, part_of(rect, left, right), said, theme.font("secondary"), theme.ink2)
        if left < right:
            with kept(painter):
                painter.setPen(dashed_pen(theme.line2))
                middle = round(rect.center().y()) + 0.5
                painter.drawLine(QPointF(left, middle), QPointF(right, middle))

    def _run(self, painter: QPainter, row: Row, rect: QRectF, stand: Stand) -> None:
        theme, assembled = self.theme, self.page.assembled
        if not row.open:
            self.rail(painter, row, rect.top(), rect.bottom())
        self._icon(painter, rect, "fold-vertical" if row.open else "unfold-vertical", None)
        left, right = theme.px(TEXT_X), self._right(rect) - theme.px(TOKENS)
        title = say(phrase("prompt.run", first=row.first + 1, last=row.last + 1))
        space = QRectF(left, rect.top(), right - left, rect.height())
        left += theme.px(8) + draw_text(painter, space, title, theme.font("body"), theme.ink2)
        count = row.last - row.first + 1
        space = QRectF(left, rect.top(), max(0.0, right - left), rect.height())
        draw_text(painter, space, self._folded(row, count), theme.font("body"), theme.ink3)
        self._tokens(painter, rect, sum(assembled.tokens[row.first : row.last + 1]))

    def _folded(self, row: Row, count: int) -> str:
        """How many blocks a run holds, and what became of them."""
        found = [loss for at, loss in self.page.losses.items() if row.first <= at <= row.last]
        said = {kind: found.count(kind) for kind in RUN_KINDS}
        if row.open:
            what = "run_open"
        elif self.page.assembled.states[row.first] == "read" and not any(said.values()):
            what = "run_read"
        else:
            what = "run_folded"
        words = [say(phrase(f"prompt.{what}", n=count))]
        words += [say(phrase(f"prompt.run_fate.{kind}", n=n)) for kind, n in said.items() if n]
        return " · ".join(words)

    def _note(self, painter: QPainter, row: Row, rect: QRectF, stand: Stand) -> None:
        theme = self.theme
        area = QRectF(theme.px(66), rect.top(), theme.px(22), rect.height())
        draw_icon(painter, area, "triangle-alert", theme.px(ICON), theme.warning)
        self._chevron(painter, rect, row.open)
        left = theme.px(TEXT_X)
        text = say(phrase("prompt.fell_out", n=len(self.page.assembled.context.fell_out)))
        space = QRectF(left, rect.top(), self._right(rect) - left, rect.height())
        draw_text(painter, space, text, theme.font("body", 500), theme.warning)

    def _lost(self, painter: QPainter, row: Row, rect: QRectF, stand: Stand) -> None:
        theme, page = self.theme, self.page
        message = page.state.message(row.first)
        role = message.role if message is not None else ""
        style = theme.role(role)
        area = QRectF(theme.px(TEXT_X), rect.top(), theme.px(ICON), rect.height())
        draw_icon(painter, area, style.icon, theme.px(15), theme.ink3)
        left, right = theme.px(TEXT_X + 24), self._right(rect) - theme.px(TOKENS)
        space = QRectF(left, rect.top(), right - left, rect.height())
        left += theme.px(8) + draw_text(painter, space, role_name(role), theme.font("body", 500), theme.ink2)
        if message is not None:
            self._words(painter, rect, left, right, entry_id(page, row.first), preview_of(message), message)
        self._tokens(painter, rect, page.state.counts.tokens[row.first])
