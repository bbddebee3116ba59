"""How a row of the prompt list looks: rail, number, role, words, chips, tokens; rules, folded runs and notes.

16  26    64      90                                                  right − 100   right − 16
├rail┤ 84 ┤ icon ┤ Tool result  e83  [read]  def parse(…               …      1,246 ┤
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from core.assembled import Assembled
from core.messages import Message
from core.phrase import phrase
from gui import numbers
from gui.hatch import dashed_pen
from gui.numbers import Mark
from gui.paint import RIGHT, Tone, chip, chip_width, draw_icon, draw_text, focus_ring, kept, width_of
from gui.palette import mixed
from gui.prompt_rows import Kind, Row
from gui.prompt_text import Preview, Texts, preview_of
from gui.shapes import not_recorded
from gui.state import State
from gui.theme import ICON, INSET, RAIL, ROW_PROMPT, RULE_TEXT_X, Theme
from gui.translation import say

RULE_ROW = 28
UNRECORDED_ROW = 62
NUMBER_END, TEXT_X = 64, 93
TOKENS = 84
CHEVRON = 12

HEIGHTS = {
    Kind.UNRECORDED: UNRECORDED_ROW,
    Kind.ASSUMED: RULE_ROW,
    Kind.CACHED: RULE_ROW,
    Kind.BLOCK: ROW_PROMPT,
    Kind.RUN: ROW_PROMPT,
    Kind.NOTE: ROW_PROMPT,
    Kind.LOST: 28,
    Kind.RAW: 8,
}
ROLE_NAMES = frozenset(
    {"user", "assistant", "toolResult", "compactionSummary", "branchSummary", "bashExecution", "custom"}
)


@dataclass(frozen=True, slots=True)
class Page:
    """What the rows speak of."""

    state: State
    assembled: Assembled
    texts: Texts


@dataclass(frozen=True, slots=True)
class Stand:
    """How this one row stands at the moment."""

    selected: bool = False
    focused: bool = False
    hovered: bool = False
    chosen: bool = False
    """The selection of text holds all of it."""
    covered: int = 0
    """Pixels at the right end that the scroll bar covers."""


def role_name(role: str) -> str:
    """The role in words; a role nobody knows is a message."""
    return say(phrase(f"prompt.role.{role if role in ROLE_NAMES else 'message'}"))


def _from(rect: QRectF, left: float, right: float) -> QRectF:
    """The part of a row from `left` to `right`."""
    return QRectF(left, rect.top(), max(0.0, right - left), rect.height())


def entry_id(page: Page, row: int) -> str:
    """The entry's id, short enough for a row."""
    return page.state.session.columns.ids[row][:8]


def block_id(page: Page, index: int) -> str:
    rows = page.assembled.blocks[index].origin.rows
    return entry_id(page, rows[0]) if rows else ""


class RowPainter:
    """Paints rows of `page` with `theme`; `rect` is the row at full width, the body of an open block not included."""

    def __init__(self, page: Page, theme: Theme) -> None:
        self.page = page
        self.theme = theme

    def height(self, row: Row) -> int:
        """Pixels of the row without the body of an open block."""
        return self.theme.px(HEIGHTS[row.kind])

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
            Kind.BLOCK: self._block,
            Kind.RUN: self._run,
            Kind.NOTE: self._note,
            Kind.LOST: self._lost,
        }.get(row.kind)
        if paint is not None:
            paint(painter, row, rect, stand)
        if stand.focused and row.reachable:
            focus_ring(painter, ground, theme, radius=theme.pxf(4), gap=-2)

    def rail(self, painter: QPainter, row: Row, top: float, bottom: float) -> None:
        """The cache state of the block's tokens, over the whole height of its text."""
        state = self.page.assembled.states[row.first]
        area = QRectF(self.theme.px(INSET), top + 1, self.theme.px(RAIL), bottom - top - 2)
        self.theme.cache(state).draw(painter, area)

    # one method per kind of row

    def _right(self, rect: QRectF) -> float:
        return rect.right() - self.theme.px(INSET)

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

    def _unrecorded(self, painter: QPainter, row: Row, rect: QRectF, stand: Stand) -> None:
        theme, size = self.theme, self.page.assembled.unrecorded
        box = QRectF(
            theme.px(INSET), rect.top() + theme.px(8), self._right(rect) - theme.px(INSET), rect.height() - theme.px(16)
        )
        not_recorded(painter, box, theme)
        x = box.left() + theme.px(14)
        for name, role in (("wrench", "tools"), ("shield", "system")):
            area = QRectF(x, box.top(), theme.px(ICON), box.height())
            draw_icon(painter, area, name, theme.px(ICON), theme.role(role).text)
            x += theme.px(27)
        title = QRectF(x, box.top(), box.right() - x - theme.px(14), box.height())
        x += theme.px(9) + draw_text(
            painter, title, say(phrase("prompt.unrecorded")), theme.font("body", 600), theme.ink2
        )
        note = phrase("prompt.unrecorded_unknown") if size is None else phrase("prompt.unrecorded_size", n=size)
        space = QRectF(x, box.top(), max(0.0, box.right() - theme.px(14) - x), box.height())
        draw_text(painter, space, say(note), theme.font("body"), theme.ink2)

    def _rule(self, painter: QPainter, rect: QRectF, label: str, note: str, ink: QColor, pen: QPen) -> None:
        """A line across the list; its words begin where those of all rules do. A ● in the note is drawn small."""
        theme, gap = self.theme, self.theme.px(9)
        left, right = theme.px(INSET + RULE_TEXT_X), self._right(rect)
        left += gap + draw_text(painter, _from(rect, left, right), label, theme.font("rule"), ink)
        before, dot, after = note.partition(Mark.RECORDED.glyph)
        for words in (before, after.lstrip() if dot else ""):
            if words and left < right:
                left += draw_text(painter, _from(rect, left, right), words, theme.font("secondary"), theme.ink2)
            if dot and words is before and left < right:
                with kept(painter):
                    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                    painter.setPen(Qt.PenStyle.NoPen)
                    painter.setBrush(theme.ink2)
                    radius = theme.pxf(2.8)
                    painter.drawEllipse(QPointF(left + radius, rect.center().y()), radius, radius)
                left += theme.px(9)
        left += gap
        if left < right:
            middle = round(rect.center().y()) + 0.5
            with kept(painter):
                painter.setPen(pen)
                painter.drawLine(QPointF(left, middle), QPointF(right, middle))

    def _assumed(self, painter: QPainter, row: Row, rect: QRectF, stand: Stand) -> None:
        label, note = say(phrase("prompt.boundary")), say(phrase("prompt.boundary_note"))
        self._rule(painter, rect, label, note, self.theme.ink3, dashed_pen(self.theme.ink3))

    def _cached(self, painter: QPainter, row: Row, rect: QRectF, stand: Stand) -> None:
        label = say(phrase("prompt.cached"))
        which = "prompt.cached_note" if self.page.assembled.cached_exact else "prompt.cached_about"
        note = say(phrase(which, n=self.page.assembled.cached_tokens))
        self._rule(painter, rect, label, note, self.theme.read_text, QPen(self.theme.read, 1))

    def _block(self, painter: QPainter, row: Row, rect: QRectF, stand: Stand) -> None:
        theme, page = self.theme, self.page
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
        said = page.texts.preview(block)
        if row.open:  # its beginning stands below: say its length instead
            length = say(phrase("prompt.characters", n=len(page.texts.document(block))))
            said = replace(said, text=length, calls=(), thinking=False, plain=True)
        self._words(painter, rect, left, right, block_id(page, row.first), said, block.message)

    def _words(
        self, painter: QPainter, rect: QRectF, left: float, right: float, name: str, said: Preview, message: Message
    ) -> None:
        """Entry id, chips and preview, from `left` to `right`."""
        theme = self.theme
        left += theme.px(10) + draw_text(
            painter, QRectF(left, rect.top(), right - left, rect.height()), name, theme.font("id"), theme.ink3
        )
        for text, icon, tone in self._chips(said, message):
            if left + chip_width(text, theme, icon_name=icon) > right:
                break
            place = QPointF(left, rect.center().y())
            left = chip(painter, place, text, theme, tone, icon_name=icon, max_width=theme.px(180)).right()
            left += theme.px(8)
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

    def _chips(self, said: Preview, message: Message) -> list[tuple[str, str | None, Tone]]:
        chips: list[tuple[str, str | None, Tone]] = []
        if message.role == "compactionSummary":
            replaced = len(self.page.assembled.context.summarised)
            if replaced:
                chips.append((say(phrase("prompt.replaces", n=replaced)), None, Tone.PLAIN))
        if said.tool:
            chips.append((said.tool, None, Tone.PLAIN))
        if said.failed:
            chips.append((say(phrase(f"prompt.{said.failed}")), "octagon-x", Tone.DIFF))
        if said.images:
            chips.append((say(phrase("prompt.images", n=said.images)), "image", Tone.PLAIN))
        if said.thinking:
            chips.append((say(phrase("prompt.label.thinking")), "brain", Tone.PLAIN))
        return chips

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
        state = assembled.states[row.first]
        what = "run_open" if row.open else "run_read" if state == "read" else "run_folded"
        space = QRectF(left, rect.top(), max(0.0, right - left), rect.height())
        draw_text(painter, space, say(phrase(f"prompt.{what}", n=count)), theme.font("body"), theme.ink3)
        self._tokens(painter, rect, sum(assembled.tokens[row.first : row.last + 1]))

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
