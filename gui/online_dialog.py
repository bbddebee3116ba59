"""Before anything leaves the machine: exactly what would be sent, how much, where to. Then the count beside ours.

Nothing has left this machine yet. Counting would send 0.4 MB to https://api.anthropic.com in 3 calls.
2 secrets replaced. No image. Counting costs nothing.
{ "model": …                                                        the first body, word for word
                                        [Copy all]  [Cancel]  [Count with Anthropic]
"""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from core.online_count import OnlineCount
from core.phrase import Phrase, phrase
from gui import online_rows
from gui.figure_list import FigureHead, FigureList
from gui.online_task import Prepared
from gui.page_parts import Answer
from gui.plain_label import PlainLabel
from gui.prompt_geometry import safe
from gui.theme import INSET, Look
from gui.translation import say


class OnlineDialog(QDialog):
    """`confirmed`: the person saw what is sent and wants it sent. Closing it says no, and stops a count under way."""

    confirmed = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.look = look
        self.prepared: Prepared | None = None
        self.counted: OnlineCount | None = None
        self.setWindowTitle(say(phrase("online.title")))
        self.answer = Answer(look)
        self.facts = PlainLabel(look, "secondary", tone="quiet", wrap=True)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setUndoRedoEnabled(False)
        self.text.setAccessibleName(say(phrase("online.text")))
        self.head, self.list = FigureHead(look), FigureList(look, choosable=False)
        table = QWidget()
        rows = QVBoxLayout(table)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        rows.addWidget(self.head)
        rows.addWidget(self.list, 1)
        self.pages = QStackedWidget()
        self.pages.addWidget(self.text)
        self.pages.addWidget(table)
        self.copy = QPushButton(say(phrase("online.copy")))
        self.leave = QPushButton(say(phrase("online.cancel")))
        self.send = QPushButton(say(phrase("online.send")))
        self.send.setProperty("primary", True)
        for button in (self.copy, self.send):
            button.setAutoDefault(False)  # Enter alone never sends anything
        self.leave.setDefault(True)
        self.copy.clicked.connect(self._copy)
        self.leave.clicked.connect(self.reject)
        self.send.clicked.connect(self._confirm)
        self._row, self._foot = QHBoxLayout(), QHBoxLayout()
        self._row.addWidget(self.facts)
        self._foot.addWidget(self.copy)
        self._foot.addStretch(1)
        self._foot.addWidget(self.leave)
        self._foot.addWidget(self.send)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.answer)
        column.addLayout(self._row)
        column.addWidget(self.pages, 1)
        column.addLayout(self._foot)
        theme = look.theme
        self.resize(theme.px(820), theme.px(600))
        self.restyle()
        look.changed.connect(self.restyle)
        self.send.setEnabled(False)
        self.copy.setEnabled(False)
        self.answer.say(phrase("online.preparing"))

    def restyle(self) -> None:
        theme = self.look.theme
        inset = theme.px(INSET)
        self._row.setContentsMargins(inset, 0, inset, theme.px(10))
        self._foot.setContentsMargins(inset, theme.px(8), inset, theme.px(10))
        self._foot.setSpacing(theme.px(8))
        self.text.setFont(theme.font("content"))

    def show_prepared(self, prepared: Prepared) -> None:
        """What would be sent; from now on it can be confirmed."""
        self.prepared = prepared
        self.answer.say(online_rows.before(prepared))
        self.facts.setText(" ".join(online_rows.facts(prepared)))
        self.text.setPlainText(safe(prepared.text))
        self.send.setEnabled(True)
        self.copy.setEnabled(True)

    def show_counted(self, counted: OnlineCount) -> None:
        assert self.prepared is not None
        self.counted = counted
        found = online_rows.figures(counted, self.prepared.ours)
        self.answer.say(online_rows.after(counted, self.prepared.ours))
        self.facts.setText(say(phrase("online.off_why")))
        self.head.show_figures(found)
        self.list.show_figures(found)
        self.list.setAccessibleName(found.head)
        self.pages.setCurrentIndex(1)
        self.send.hide()
        self.leave.setText(say(phrase("online.close")))

    def show_failed(self, said: Phrase) -> None:
        """Why there is no count; what was prepared can be sent again."""
        self.answer.say(said)
        self.send.setEnabled(self.prepared is not None)

    def _confirm(self) -> None:
        self.send.setEnabled(False)
        self.answer.say(phrase("online.counting"))
        self.confirmed.emit()

    def _copy(self) -> None:
        if self.prepared is not None:
            QGuiApplication.clipboard().setText(safe(self.prepared.preview.text))
