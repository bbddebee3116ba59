"""One piece of recorded text laid out as lines: a `QTextLayout`, and the way between its positions and the text's.

Places in a document are code points of the recorded text; Qt's positions are UTF-16 units of its visible form.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QTextLayout, QTextOption

from gui.glyphs import note
from gui.visible import Places, visible

TAB = 4
"""Cells from tab stop to tab stop."""


@dataclass(frozen=True, slots=True)
class Laid:
    """One chunk laid out: lines of `line` pixels, and the way between places of the document and Qt's positions."""

    layout: QTextLayout
    start: int
    end: int
    shown: str
    places: Places | None
    flat: bool
    """One UTF-16 unit for each shown character."""
    line: int
    height: int

    def position(self, place: int) -> int:
        """Qt's position of a place of the document (clamped to the chunk)."""
        index = min(max(place, self.start), self.end) - self.start
        if self.places is not None:
            index = self.places.shown(index)
        return index if self.flat else len(self.shown[:index].encode("utf-16-le")) // 2

    def place(self, position: int) -> int:
        """The place of the document at Qt's position."""
        if not self.flat:
            head = self.shown.encode("utf-16-le")[: 2 * position]
            position = len(head.decode("utf-16-le", "ignore"))
        index = position if self.places is None else self.places.source(position)
        return min(self.start + index, self.end)


def lay_out(text: str, start: int, font: QFont, width: float, line_height: int) -> Laid:
    """A piece of recorded text as lines no wider than `width`; what is hidden in it is named."""
    shown = visible(text)
    places = None if shown is text else Places(text)
    note(shown)
    layout = QTextLayout(shown.replace("\n", "\u2028"), font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    metrics = QFontMetricsF(font)
    option.setTabStopDistance(TAB * metrics.horizontalAdvance(" "))
    # A line that begins with Arabic or Hebrew stays where all lines begin; its own letters still run right to left.
    option.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute)
    layout.setTextOption(option)
    layout.setCacheEnabled(True)
    shift = (line_height - metrics.ascent() - metrics.descent()) / 2 + metrics.ascent()
    layout.beginLayout()
    y = 0
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        # Lines stand on one grid, whatever fallback font a line needs.
        line.setPosition(QPointF(0, round(y + shift - line.ascent())))
        y += line_height
    layout.endLayout()
    flat = shown.isascii() or max(shown) <= "\uffff"
    return Laid(layout, start, start + len(text), shown, places, flat, line_height, max(y, line_height))
