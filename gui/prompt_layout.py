"""Long text as chunks: a document of any length is laid out only where it is looked at.

    document   section ─ section ─────────────────────── section
    chunks     ▒▒▒▒▒▒▒   ▒▒▒▒▒▒▒▒│▒▒▒▒▒▒▒▒│▒▒▒▒▒▒▒▒      ▒▒▒        about 2,000 characters each, ended at a line break

A chunk is one `QTextLayout`. Until it is laid out its height is an estimate; what a view shows is laid out first
(`settle`), so a wrong estimate moves only what is out of sight.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QTextCharFormat, QTextLayout

from gui.laid import Laid, lay_out
from gui.paint import draw_icon, draw_text, kept
from gui.prompt_text import Document, Section, Style
from gui.theme import Theme
from gui.translation import say

CHUNK = 2_000
"""Characters of a chunk: about a millisecond of layout."""
KEPT = 160
"""Laid chunks that are kept."""

Mark = tuple[int, int, QColor, QColor | None]
"""Characters [start, end) of the document on a ground, with an ink of their own or None."""


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line through, under or around characters [start, end)."""

    start: int
    end: int
    form: Literal["through", "under", "around"]
    colour: QColor
    ground: QColor | None = None


class Body:
    """The text of one document at a width: chunks, their heights, what is where.

    `y` and `height` are pixels from the body's top. Heights of chunks not yet seen are estimates.
    """

    def __init__(self, document: Document, width: float, theme: Theme) -> None:
        self.document = document
        self.width = max(40.0, width)
        self._theme = theme
        self._line = theme.line_height("content")
        self._label, self._gap = theme.px(26), theme.px(8)
        self._fonts = {style: _font(style, theme) for style in ("text", "thinking", "name", "call", "error", "other")}
        cell = QFontMetricsF(self._fonts["text"]).horizontalAdvance("0")
        self._columns = max(8, int(self.width / max(1.0, cell)))
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._sections: list[int] = []
        self._labels: list[int] = []  # height of the label above the chunk
        self._heights: list[int] = []
        self._known: list[bool] = []
        self._split()
        self._laid: OrderedDict[int, Laid] = OrderedDict()
        self._sum()

    def _split(self) -> None:
        text = self.document.text
        for number, section in enumerate(self.document.sections):
            at = section.start
            apart = number > 0 and section.style != "call"  # a call's arguments belong to its name
            labelled = self._label if section.label is not None else self._gap if apart else 0
            while True:
                stop, following = _cut(text, at, section.end, self._columns)
                self._starts.append(at)
                self._ends.append(stop)
                self._sections.append(number)
                self._labels.append(labelled)
                bare = section.style == "image" or (section.start == section.end and section.label is not None)
                lines = 0 if bare else _lines(text, at, stop, self._columns)
                self._heights.append(lines * self._line)
                self._known.append(lines == 0)
                labelled = 0
                at = following
                if stop >= section.end:
                    break

    def _sum(self) -> None:
        both = (label + height for label, height in zip(self._labels, self._heights, strict=True))
        self._tops = list(accumulate(both, initial=0))

    @property
    def height(self) -> int:
        return self._tops[-1]

    def section(self, chunk: int) -> Section:
        return self.document.sections[self._sections[chunk]]

    def chunks(self, top: float, bottom: float) -> range:
        """Chunks that [top, bottom) touches."""
        if not self._starts or bottom <= 0 or top >= self.height:
            return range(0)
        first = max(0, bisect_right(self._tops, top) - 1)
        last = max(0, bisect_right(self._tops, bottom) - 1)
        return range(min(first, len(self._starts) - 1), min(last, len(self._starts) - 1) + 1)

    def settle(self, top: float, bottom: float) -> int:
        """Lay out what [top, bottom) shows; returns by how much the body's height changed."""
        before = self.height
        at = self.chunks(top, bottom).start
        while at < len(self._starts) and self._tops[at] < bottom:
            if not self._known[at]:
                laid = self.laid(at)
                self._known[at] = True
                if laid.height != self._heights[at]:
                    self._heights[at] = laid.height
                    self._sum()
            at += 1
        return self.height - before

    def laid(self, chunk: int) -> Laid:
        found = self._laid.get(chunk)
        if found is None:
            start, end = self._starts[chunk], self._ends[chunk]
            font = self._fonts[self.section(chunk).style]
            found = lay_out(self.document.text[start:end], start, font, self.width, self._line)
            self._laid[chunk] = found
            while len(self._laid) > KEPT:
                self._laid.popitem(last=False)
        else:
            self._laid.move_to_end(chunk)
        return found

    def chunk_of(self, place: int) -> int:
        return max(0, bisect_right(self._starts, place) - 1)

    def y_of(self, place: int) -> int:
        """Top of the line that shows a place of the document."""
        if not self._starts:
            return 0
        chunk = self.chunk_of(place)
        y = self._tops[chunk] + self._labels[chunk]
        if self._heights[chunk] == 0:
            return y
        laid = self.laid(chunk)
        line = laid.layout.lineForTextPosition(laid.position(place))
        return y + (line.lineNumber() * laid.line if line.isValid() else 0)

    def place_at(self, x: float, y: float) -> int:
        """The place of the document under a point; the nearest one outside the text."""
        if not self._starts or y < 0:
            return 0
        if y >= self.height:
            return len(self.document.text)
        chunk = self.chunks(y, y + 0.1).start
        inside = y - self._tops[chunk] - self._labels[chunk]
        if self._heights[chunk] == 0 or inside < 0:
            return self._starts[chunk]
        laid = self.laid(chunk)
        number = min(max(0, int(inside // laid.line)), laid.layout.lineCount() - 1)
        return laid.place(laid.layout.lineAt(number).xToCursor(x)) if number >= 0 else self._starts[chunk]

    def paint(
        self,
        painter: QPainter,
        x: float,
        y: float,
        top: float,
        bottom: float,
        marks: Sequence[Mark] = (),
        grounds: Sequence[Mark] = (),
        strokes: Sequence[Stroke] = (),
    ) -> None:
        """Paint what [top, bottom) shows, the body's left top at (x, y).

        `marks` are few and may change the ink. `grounds` lie behind the text, `strokes` over it; both are in order,
        may be thousands, and do not overlap (but for boxes, which are few).
        """
        starts = [ground[0] for ground in grounds]
        boxes = [stroke for stroke in strokes if stroke.form == "around"]
        lined = [stroke for stroke in strokes if stroke.form != "around"] if boxes else strokes
        lines = [stroke.start for stroke in lined]
        for chunk in self.chunks(top, bottom):
            section = self.section(chunk)
            start = y + self._tops[chunk]
            if self._labels[chunk]:
                area = QRectF(x, start, self.width, self._labels[chunk])
                paint_label(painter, area, section, self._theme)
                start += self._labels[chunk]
            if self._heights[chunk] == 0:
                continue
            laid = self.laid(chunk)
            painter.setPen(_ink(section.style, self._theme))
            seen = (y + top, y + bottom)
            drawn = [*lined[_first(lines, laid.start) : bisect_left(lines, laid.end + 1)], *boxes]
            for stroke in drawn:
                if stroke.ground is not None:
                    for area in _areas(laid, stroke.start, stroke.end, x, start, *seen):
                        painter.fillRect(area, stroke.ground)
            for ground in grounds[_first(starts, laid.start) : bisect_left(starts, laid.end)]:
                for area in _areas(laid, ground[0], ground[1], x, start, *seen):
                    painter.fillRect(area, ground[2])
            ranges = [_range(laid, mark) for mark in marks if mark[0] < laid.end + 1 and mark[1] > laid.start]
            laid.layout.draw(painter, QPointF(x, start), ranges)
            for stroke in drawn:
                for area in _areas(laid, stroke.start, stroke.end, x, start, *seen):
                    _paint_stroke(painter, area, stroke, self._theme)


def _cut(text: str, at: int, end: int, columns: int) -> tuple[int, int]:
    """Where the chunk that begins at `at` ends, and where the next begins (after the line break that parts them)."""
    if end - at <= CHUNK:
        return end, end
    broken = text.rfind("\n", at, at + CHUNK)
    if broken >= at:
        return broken, broken + 1
    space = text.rfind(" ", at + CHUNK - 200, at + CHUNK)
    if space > 0:
        return space + 1, space + 1
    whole = at + max(columns, CHUNK // columns * columns)  # full lines, so that no seam shows in a long word
    return min(whole, end), min(whole, end)


def _lines(text: str, start: int, end: int, columns: int) -> int:
    """About how many lines a chunk takes."""
    if end - start <= columns and text.find("\n", start, end) < 0:
        return 1
    wide = 1 if text.isascii() else 1.3
    return sum(1 + int(max(0, len(line) * wide - 1) // columns) for line in text[start:end].split("\n"))


def _range(laid: Laid, mark: Mark) -> QTextLayout.FormatRange:
    found = QTextLayout.FormatRange()
    found.start = laid.position(mark[0])
    found.length = laid.position(mark[1]) - found.start
    form = QTextCharFormat()
    form.setBackground(mark[2])
    if mark[3] is not None:
        form.setForeground(mark[3])
    found.format = form
    return found


def _first(starts: Sequence[int], place: int) -> int:
    """Of stretches in order the first that can reach a place: one may begin in the chunk before."""
    return max(0, bisect_left(starts, place) - 1)


def _areas(laid: Laid, start: int, end: int, x: float, y: float, top: float, bottom: float) -> Iterator[QRectF]:
    """Where characters stand, line by line, as far as they are in sight. `y`: the chunk's top."""
    first, last = laid.position(start), laid.position(end)
    if end < laid.start or start > laid.end or (first == last and start != end):
        return
    number = laid.layout.lineForTextPosition(first).lineNumber() if laid.layout.lineCount() else 0
    number = max(number, int((top - y) // laid.line))
    while 0 <= number < laid.layout.lineCount():
        line, place = laid.layout.lineAt(number), y + number * laid.line
        if place >= bottom or line.textStart() >= last > first or line.textStart() > last:
            return
        left = line.cursorToX(max(first, line.textStart()))[0]
        right = line.cursorToX(min(last, line.textStart() + line.textLength()))[0]
        yield QRectF(x + min(left, right), place, abs(right - left), laid.line)
        if first == last:
            return
        number += 1


def _paint_stroke(painter: QPainter, area: QRectF, stroke: Stroke, theme: Theme) -> None:
    width = max(1.0, theme.pxf(1.2))
    if stroke.form == "around":
        least = max(area.width(), theme.pxf(5))  # a line break has no width of its own
        with kept(painter):
            painter.setPen(QPen(stroke.colour, max(1.5, theme.pxf(1.5))))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(area.left() - 1, area.top() + 1, least + 2, area.height() - 2))
        return
    y = area.center().y() + theme.pxf(1) if stroke.form == "through" else area.bottom() - theme.pxf(2.5)
    painter.fillRect(QRectF(area.left(), round(y), area.width(), width), stroke.colour)


def _font(style: Style, theme: Theme) -> QFont:
    if style == "name":
        return theme.font("content", 600)
    font = theme.font("content")
    if style == "thinking":
        font = QFont(font)
        font.setItalic(True)
    return font


def _ink(style: Style, theme: Theme) -> QColor:
    return {"thinking": theme.ink3, "error": theme.diff_text, "call": theme.ink2}.get(style, theme.ink)


def paint_label(painter: QPainter, area: QRectF, section: Section, theme: Theme) -> None:
    """The words above a section, with the icon of its kind."""
    if section.label is None:
        return
    name = {"thinking": "brain", "name": "wrench", "image": "image", "error": "octagon-x"}.get(section.style, "braces")
    ink = theme.diff_text if section.style == "error" else theme.ink3
    size = theme.px(14)
    draw_icon(painter, QRectF(area.left(), area.top(), size, area.height()), name, size, ink)
    left = area.left() + size + theme.px(6)
    words = QRectF(left, area.top(), area.right() - left, area.height())
    draw_text(painter, words, say(section.label), theme.font("secondary"), ink)
