"""The headline of a view: one sentence whose numbers are strong, painted from runs, never from markup."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.headline import Run
from gui.glyphs import note
from gui.numbers import Mark
from gui.theme import Look, Theme
from gui.visible import utf16

LINES = 2
"""Lines a headline is given; a third is made room for only when the words need it."""


class Headline(QWidget):
    """Wraps; grows with its words. Screen readers hear the marks as words."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._runs: Sequence[Run] = ()
        self._laid: dict[tuple[int, Theme], QTextLayout] = {}
        """Layouts of the words, by width: a layout of the window asks for the height many times."""
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        look.changed.connect(self.updateGeometry)

    @property
    def text(self) -> str:
        return "".join(run.text for run in self._runs)

    def say(self, runs: Sequence[Run]) -> None:
        """Show another sentence, and announce it."""
        if tuple(runs) == tuple(self._runs):
            return
        before = self.heightForWidth(self.width())
        self._runs = tuple(runs)
        self._laid.clear()
        self.setAccessibleName(spoken(runs))
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, self.accessibleName()))
        if self.heightForWidth(self.width()) != before:
            self.updateGeometry()  # lays out and paints all around anew
        self.update()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        line = self._look.theme.line_height("headline")
        return line * max(LINES, self._layout(width).lineCount())

    def sizeHint(self) -> QSize:
        width = max(self.width(), self._look.theme.px(240))
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._look.theme.px(200), self._look.theme.line_height("headline") * LINES)

    def _layout(self, width: int) -> QTextLayout:
        kept = (width, self._look.theme)
        found = self._laid.get(kept)
        if found is None:
            if len(self._laid) >= 8:
                self._laid.clear()
            found = self._laid[kept] = self._lay_out(width)
        return found

    def _lay_out(self, width: int) -> QTextLayout:
        theme = self._look.theme
        text, formats, at = "", [], 0
        for run in self._runs:
            # A mark belongs to its number: a narrow space that does not break.
            words = run.text + "\u202f" if run.kind == "mark" else run.text
            found = QTextLayout.FormatRange()
            found.start, found.length = at, utf16(words, len(words))
            form = QTextCharFormat()
            if run.kind == "strong":
                form.setFont(theme.font("headline", 600))
            elif run.kind == "mark":
                form.setFont(theme.font("chart" if run.text == Mark.RECORDED.glyph else "headline"))
                form.setForeground(theme.ink2)
            found.format = form
            formats.append(found)
            text += words
            at += found.length
        note(text)
        layout = QTextLayout(text, theme.font("headline"))
        layout.setFormats(formats)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WordWrap)
        layout.setTextOption(option)
        line_height = theme.line_height("headline")
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(max(40, width))
            line.setPosition(QPointF(0, line.lineNumber() * line_height + (line_height - line.height()) / 2))
        layout.endLayout()
        return layout

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = self._look.theme, QPainter(self)
        painter.setPen(theme.ink)
        layout = self._layout(self.width())
        shown = max(1, self.height() // theme.line_height("headline"))
        if layout.lineCount() <= shown:
            layout.draw(painter, QPointF(0, 0), [], QRectF(self.rect()))
            return
        for number in range(shown - 1):
            layout.lineAt(number).draw(painter, QPointF(0, 0))
        last = layout.lineAt(shown - 1)  # a window too low for the sentence says that there is more of it
        font = theme.font("headline")
        rest = layout.text().encode("utf-16-le")[2 * last.textStart() :].decode("utf-16-le", "replace")
        painter.setFont(font)
        words = QFontMetricsF(font).elidedText(rest, Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(QPointF(0, last.y() + last.ascent()), words)


def spoken(runs: Sequence[Run]) -> str:
    """The sentence as a screen reader should say it: the word instead of the mark."""
    words = {mark.glyph: mark.word() for mark in Mark}
    return "".join(words.get(run.text, run.text) + " " if run.kind == "mark" else run.text for run in runs)
