"""What would be written: a tool result after the agent's cap on writing, with the words that keep its tail.

48,211 characters would be written as 39,998 of 40,000. The tail stays: “error”, “failed” stand in it.
Cap [40,000 ⌃⌄]  changes the file
block 1   ▒▒▒▒▒▒▒▒▒▯▯   48,211   40,000   40,000   39,998
the text as it would stand in the file, notices and words marked
"""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from core import javascript
from core.persistence import WrittenText, written_text
from core.phrase import phrase
from core.profile import Profile
from core.prompt import Blocks
from gui import persist_rows
from gui.figure_list import FigureHead, FigureList
from gui.figures import LOW
from gui.page_parts import Answer
from gui.persist_rows import Written
from gui.plain_label import PlainLabel
from gui.prompt_geometry import safe
from gui.theme import INSET, Look
from gui.translation import say

LEAST, MOST, STEP = 1_000, 2_000_000, 1_000
RESTS = 120
"""Milliseconds without another cap before the text is cut anew."""
ROWS = 4
"""Text blocks that are in sight at once."""
_SHOWN = str.maketrans({"\r": "␍", "\0": "␀", "\u2028": " ", "\u2029": " "})
"""Units that an editor would swallow or take for two; places in the text would shift."""


class PersistPreview(QDialog):
    """Of the result at `index` of the blocks that came in; `profile` and `window` (tokens) give the cap to begin with.

    Plain text only: what stands in a session is never taken for markup."""

    def __init__(
        self, look: Look, blocks: Blocks, index: int, profile: Profile, window: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.look = look
        self._given = (blocks, index, profile, window)
        self.shown: Written = persist_rows.written(*self._given)
        self.setWindowTitle(say(phrase("preview.title")))
        self.answer = Answer(look)
        self.cap = QSpinBox()
        self.cap.setRange(LEAST, MOST)
        self.cap.setSingleStep(STEP)
        self.cap.setGroupSeparatorShown(True)
        self.cap.setValue(self.shown.cap.most)
        self.cap.setAccessibleName(say(phrase("preview.cap")))
        self.notes = PlainLabel(look, "secondary", tone="hint", wrap=True)
        self.head = FigureHead(look)
        self.list = FigureList(look, choosable=False, row_height=LOW)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setUndoRedoEnabled(False)
        self.text.setAccessibleName(say(phrase("preview.text")))
        close = QPushButton(say(phrase("preview.close")))
        close.clicked.connect(self.accept)
        label = PlainLabel(look, "body", tone="quiet")
        label.setText(say(phrase("preview.cap")))
        label.setBuddy(self.cap)
        self._row, self._foot = QHBoxLayout(), QHBoxLayout()
        for widget in (label, self.cap):
            self._row.addWidget(widget)
        self._row.addStretch(1)
        self._foot.addWidget(self.notes, 1)
        self._foot.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.answer)
        column.addLayout(self._row)
        for part in (self.head, self.list):
            column.addWidget(part)
        column.addWidget(self.text, 1)
        column.addLayout(self._foot)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(RESTS)
        self._timer.timeout.connect(self.cut_again)
        self.cap.valueChanged.connect(lambda _: self._timer.start())
        theme = look.theme
        self.resize(theme.px(820), theme.px(620))
        self.restyle()
        look.changed.connect(self.restyle)

    def restyle(self) -> None:
        theme = self.look.theme
        inset = theme.px(INSET)
        self._row.setContentsMargins(inset, 0, inset, theme.px(10))
        self._row.setSpacing(theme.px(8))
        self._foot.setContentsMargins(inset, theme.px(8), inset, theme.px(10))
        self.text.setFont(theme.font("content"))
        self._show()

    def cut_again(self) -> None:
        """With another cap."""
        self._timer.stop()
        if self.cap.value() != self.shown.cap.most:
            self.shown = persist_rows.written(*self._given, self.cap.value())
            self._show()

    def _show(self) -> None:
        shown = self.shown
        self.answer.say(persist_rows.headline(shown))
        self.notes.setText(persist_rows.notes(shown))
        figures = persist_rows.figures(shown)
        for part in (self.head, self.list):
            part.show_figures(figures)
            part.setVisible(bool(figures.rows))
        self.list.setFixedHeight(min(len(figures.rows), ROWS) * self.look.theme.px(LOW) + 2)
        found = written_text(shown.seen)
        self.text.setPlainText(safe(javascript.joined(found.units)).translate(_SHOWN))
        self.text.setExtraSelections(self._marks(found))
        self._bring_in_sight(found.notices[0][0] if found.notices else 0)

    def _bring_in_sight(self, place: int) -> None:
        """The first cut in the middle of the page."""
        cursor = QTextCursor(self.text.document())
        cursor.setPosition(place)
        self.text.setTextCursor(cursor)
        self.text.centerCursor()

    def _marks(self, found: WrittenText) -> list[QTextEdit.ExtraSelection]:
        theme = self.look.theme
        marks = [self._mark(span, theme.written_tint, theme.written_text) for span in found.notices]
        return marks + [self._mark(span, theme.warning_tint, theme.warning) for span in found.words]

    def _mark(self, span: tuple[int, int], ground: QColor, ink: QColor) -> QTextEdit.ExtraSelection:
        made = QTextEdit.ExtraSelection()
        cursor = QTextCursor(self.text.document())
        cursor.setPosition(span[0])
        cursor.setPosition(span[1], QTextCursor.MoveMode.KeepAnchor)
        made.cursor = cursor
        form = QTextCharFormat()
        form.setBackground(ground)
        form.setForeground(ink)
        made.format = form
        return made
