"""The problem strip under the tool bar: what is wrong with the file, in one sentence. Never a modal box."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QToolBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.errors import Problem
from core.phrase import Phrase
from gui import icons
from gui.theme import Look
from gui.translation import say
from gui.visible import visible


@dataclass(frozen=True, slots=True)
class Notice:
    """What the strip says. `problem`: the first problem of the session, if that is what it is about."""

    said: Phrase
    severity: str = "warning"
    problem: Problem | None = None
    report: str = ""
    """Text of *Copy report*; with it the strip offers Retry and Copy report."""


class ProblemStrip(QToolBar):
    """Shown while there is an unread notice."""

    show_problem = Signal(object)
    show_all = Signal()
    retry = Signal()
    copy_report = Signal(str)
    dismissed = Signal()

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("problem_strip")
        self.setWindowTitle(self.tr("Problems"))
        self.setMovable(False)
        self._look = look
        self._notice: Notice | None = None
        self._inner = QWidget(self)
        layout = QHBoxLayout(self._inner)
        layout.setContentsMargins(16, 0, 12, 0)
        self._glyph = QLabel(self._inner)
        self._words = QLabel(self._inner)
        self._words.setTextFormat(Qt.TextFormat.PlainText)
        self._words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.show_button = self._button(
            self.tr("Show"), lambda: self.show_problem.emit(self._notice and self._notice.problem)
        )
        self.all_button = self._button("", self.show_all.emit)
        self.retry_button = self._button(self.tr("Retry"), self.retry.emit)
        self.report_button = self._button(
            self.tr("Copy report"), lambda: self.copy_report.emit(self._notice.report if self._notice else "")
        )
        self._close = QToolButton(self._inner)
        self._close.setAccessibleName(self.tr("Dismiss"))
        self._close.setToolTip(self.tr("Dismiss"))
        self._close.clicked.connect(self.dismiss)
        layout.addWidget(self._glyph)
        layout.addWidget(self._words, 1)
        for button in (self.show_button, self.all_button, self.retry_button, self.report_button):
            layout.addWidget(button)
        layout.addWidget(self._close)
        self.addWidget(self._inner)
        self.hide()

    def _button(self, words: str, run: object) -> QPushButton:
        button = QPushButton(words, self._inner)
        button.setProperty("link", True)
        button.clicked.connect(run)
        return button

    @property
    def notice(self) -> Notice | None:
        """What it says; None = nothing, and it is hidden."""
        return self._notice

    def show_notice(self, notice: Notice | None, count: int = 0) -> None:
        """`count`: how many problems the session has in all."""
        self._notice = notice
        if notice is None:
            self.hide()
            return
        text = visible(say(notice.said))
        self._words.setText(text)
        self.setAccessibleDescription(text)
        self.show_button.setVisible(notice.problem is not None and notice.problem.line is not None)
        self.all_button.setText(self.tr("All {count}").replace("{count}", f"{count:,}"))
        self.all_button.setVisible(count > 1)
        self.retry_button.setVisible(bool(notice.report))
        self.report_button.setVisible(bool(notice.report))
        self.restyle()
        self.show()

    def restyle(self) -> None:
        theme = self._look.theme
        style = theme.severity(self._notice.severity if self._notice else "warning")
        self.setStyleSheet(
            f"QToolBar#problem_strip {{ background: {style.background.name()}; padding: 0; margin: 0; min-height: 0;"
            f" border: none; spacing: 0; }}"
            f" QLabel {{ color: {style.ink.name()}; }}"
        )
        self.layout().setContentsMargins(0, 0, 0, 0)
        self.setFixedHeight(theme.px(32))
        self._inner.setFixedHeight(theme.px(32))
        self._words.setFont(theme.font("body"))
        self._glyph.setPixmap(icons.icon(style.icon, theme.px(16), style.ink))
        self._close.setIcon(icons.qicon("x", theme.px(15), theme.ink2))
        self._close.setIconSize(QSize(theme.px(15), theme.px(15)))

    def dismiss(self) -> None:
        self._notice = None
        self.hide()
        self.dismissed.emit()


class ProblemList(QDialog):
    """All problems of a session with line, entry, sentence and hint, as plain text that can be copied."""

    def __init__(self, look: Look, problems: Sequence[Problem], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Problems of this file"))
        text = QPlainTextEdit(self)
        text.setReadOnly(True)
        text.setFont(look.theme.font("content"))
        text.setPlainText("\n\n".join(visible(f"{say(p.message)}\n    {say(p.hint)}") for p in problems))
        text.setAccessibleName(self.tr("Problems of this file"))
        layout = QVBoxLayout(self)
        layout.addWidget(text)
        self.resize(look.theme.px(760), look.theme.px(460))
