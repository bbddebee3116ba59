"""How tools and system prompt look above the messages: their rows, the boundary with its pin, the first difference.

├rail┤      icon  Tools   9 definitions · read, write …   [● cache-trace.jsonl]   9,214
 1▷         CACHE BOUNDARY   first mark: ≈ 2,080 tokens stay the same … ─────────────────
├rail┤      icon  System, dynamic part   …
 ⛓          FIRST DIFFERENCE   tools, character 2,325: three tools are gone … ──────────
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from core.leading import Leading
from core.phrase import phrase
from core.trace_records import tool_of
from gui import numbers
from gui.against_words import against_none, against_words
from gui.differs import Differs
from gui.numbers import Mark
from gui.paint import CENTRE, RIGHT, Tone, chip, chip_width, draw_icon, draw_text, kept, width_of
from gui.prompt_page import Page
from gui.prompt_rows import Kind, Row, leading_index
from gui.prompt_rules import RulePainter, Stand, part_of
from gui.theme import ICON, INSET, RAIL, RULE_TEXT_X, Theme
from gui.translation import say

TEXT_X = 93
TOKENS = 84
CHEVRON = 12
NAMED = 8
"""Tools that are named in a row."""
CHIP_WIDTH = 240


def title_of(item: Leading) -> str:
    """What the block is, in words."""
    return say(phrase(f"prompt.leading.{item.part or item.section}"))


def source_of(item: Leading) -> str:
    """Where it comes from, with the mark of how sure that is."""
    glyph = {"recorded": Mark.RECORDED, "built": Mark.SIMULATED, "assumed": Mark.ESTIMATED}[item.source].glyph
    return f"{glyph} {item.origin.name}"


def difference_words(found: Differs, page: Page, short: bool = False) -> str:
    """Where, at which character, and why as far as it is known. `short`: for a narrow window, without the reason."""
    if found.leading is not None:
        item = page.assembled.leading[found.leading]
        part = item.part or item.section
        where = say(phrase(f"against.part.{part}")) if short else title_of(item)
    else:
        where = say(phrase("prompt.difference_block", n=(found.block or 0) + 1))
    said = where if found.unit is None else say(phrase("prompt.difference_at", where=where, unit=found.unit + 1))
    return f"{said}: {say(found.why)}" if found.why is not None and not short else said


def pins(page: Page) -> tuple[float, ...]:
    """Tokens above each cache mark that the agent sets in this request, as far as a trace tells its parts."""
    recorded, shown = page.state.recorded, page.assembled
    if not recorded.leading or not shown.leading:
        return ()
    ends = list(accumulate((item.tokens for item in shown.leading), initial=0))
    found = [float(ends[index + 1]) for index in recorded.marks if index < len(shown.leading)]
    return (*found, float(ends[-1] + sum(shown.tokens))) if recorded.tail else tuple(found)


class LeadingPainter(RulePainter):
    """Base of the painter of rows: what stands above the messages, and what rows have in common."""

    def _tokens(self, painter: QPainter, rect: QRectF, tokens: int) -> None:
        right = self._right(rect)
        area = QRectF(right - self.theme.px(TOKENS), rect.top(), self.theme.px(TOKENS), rect.height())
        draw_text(painter, area, numbers.tokens(tokens), self.theme.font("body"), self.theme.ink2, RIGHT)

    def _icon(self, painter: QPainter, rect: QRectF, name: str, role: str | None) -> None:
        theme = self.theme
        area = QRectF(theme.px(66), rect.top(), theme.px(22), rect.height())
        draw_icon(painter, area, name, theme.px(ICON), theme.role(role).text if role else theme.ink3)

    def _chevron(self, painter: QPainter, rect: QRectF, is_open: bool) -> None:
        theme = self.theme
        place = QRectF(theme.px(INSET + RAIL + 1), rect.top(), theme.px(CHEVRON), rect.height())
        draw_icon(painter, place, "chevron-down" if is_open else "chevron-right", theme.px(CHEVRON), theme.ink3)

    def rail(self, painter: QPainter, row: Row, top: float, bottom: float) -> None:
        """The cache state of the block's tokens, over the whole height of its text; from the first difference on with
        a line at its edge."""
        shown, theme = self.page.assembled, self.theme
        leading = row.kind is Kind.LEADING
        state = shown.leading[leading_index(row.first)].state if leading else shown.states[row.first]
        area = QRectF(theme.px(INSET), top + 1, theme.px(RAIL), bottom - top - 2)
        theme.cache(state).draw(painter, area)
        if self.page.differs is not None and row.first >= self.page.differs.row:
            theme.cache("diff").draw(painter, area)

    def _leading(self, painter: QPainter, row: Row, rect: QRectF, stand: Stand) -> None:
        theme, page = self.theme, self.page
        item = page.assembled.leading[leading_index(row.first)]
        if stand.hovered or stand.selected or row.open:
            self._chevron(painter, rect, row.open)
        self._icon(painter, rect, "wrench" if item.section == "tools" else "shield", item.section)
        self._tokens(painter, rect, item.tokens)
        left, right = float(theme.px(TEXT_X)), self._right(rect) - theme.px(TOKENS)
        name = part_of(rect, left, right)
        left += theme.px(10) + draw_text(painter, name, title_of(item), theme.font("body", 600), theme.ink)
        index = leading_index(row.first)
        above = page.assembled.leading[index - 1].origin.name if index else ""
        source = source_of(item) if item.origin.name != above else ""
        width = min(chip_width(source, theme), theme.px(CHIP_WIDTH))
        if source and right - left > width + theme.px(60):
            right -= width + theme.px(12)
            chip(painter, QPointF(right, rect.center().y()), source, theme, Tone.PLAIN, max_width=width)
            right -= theme.px(12)
        words = _tools(item) if item.section == "tools" else page.texts.preview(item.block).text
        if row.open:
            words = say(phrase("prompt.characters", n=item.chars))
        ink = theme.ink3 if row.open else theme.ink2
        draw_text(painter, part_of(rect, left, right), words, theme.font("body"), ink)

    def _boundary(self, painter: QPainter, row: Row, rect: QRectF, stand: Stand) -> None:
        """The rule between the stable and the dynamic part; the first mark stands there."""
        page, theme = self.page, self.theme
        index = leading_index(row.first)
        tokens = sum(item.tokens for item in page.assembled.leading[: index + 1])
        pinned = index in page.state.recorded.marks
        which = "mark" if pinned else "known"
        if page.differs is not None and page.differs.row <= row.first:
            which += "_broken" if page.state.against.chosen is None else "_other"
        note = say(phrase(f"prompt.boundary_{which}", n=tokens))
        label = say(phrase("prompt.boundary_recorded"))
        self._rule(painter, rect, label, note, "", theme.read_text, QPen(theme.read, 1))
        if pinned:
            paint_pin(painter, QPointF(theme.px(INSET), rect.center().y()), "1", theme)

    def _difference(self, painter: QPainter, row: Row, rect: QRectF, stand: Stand) -> None:
        theme, page = self.theme, self.page
        label, link = say(phrase("prompt.difference")), f"{against_words(page.state)} ▾"
        short = f"{against_words(page.state, short=True)} ▾"
        if page.differs is None:
            note, quiet = against_none(page.state), QPen(theme.line2, 1)
            words = self._fitting(rect, label, ((note, link), (note, short)))
            self._rule(painter, rect, label, *words, theme.ink2, quiet)
            return
        size = theme.px(15)
        area = QRectF(theme.px(INSET) - (size - theme.px(RAIL)) / 2, rect.top(), size, rect.height())
        draw_icon(painter, area, "unlink", size, theme.diff)
        note, place = difference_words(page.differs, page), difference_words(page.differs, page, short=True)
        words = self._fitting(rect, label, ((note, link), (note, short), (place, short)))
        self._rule(painter, rect, label, *words, theme.diff_text, QPen(theme.diff, 1))

    def _fitting(self, rect: QRectF, label: str, words: Sequence[tuple[str, str]]) -> tuple[str, str]:
        """(note, link) of a rule: the first that find room, else the last."""
        theme = self.theme
        left = theme.px(INSET + RULE_TEXT_X) + width_of(label, theme.font("rule"))
        room, font = self._right(rect) - left - 3 * theme.px(9), theme.font("secondary")
        fits = (pair for pair in words if width_of(pair[0], font) + width_of(pair[1], font) <= room)
        return next(fits, words[-1])


def _tools(item: Leading) -> str:
    names = [tool_of(tool).name for tool in item.raw[:NAMED]]
    more = " …" if len(item.raw) > NAMED else ""
    return say(phrase("prompt.leading.definitions", n=len(item.raw), names=", ".join(names) + more))


def paint_pin(painter: QPainter, left: QPointF, number: str, theme: Theme) -> None:
    """A numbered flag for a cache mark; `left`: the middle of its left edge."""
    width, height, point = theme.pxf(13), theme.pxf(14), theme.pxf(5)
    top, x = left.y() - height / 2, left.x()
    corners = ((0, 0), (width, 0), (width + point, height / 2), (width, height), (0, height))
    with kept(painter):
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.system)
        painter.drawPolygon(QPolygonF([QPointF(x + dx, top + dy) for dx, dy in corners]))
    draw_text(painter, QRectF(x, top, width + point / 2, height), number, theme.font("pin", 700), theme.panel, CENTRE)
