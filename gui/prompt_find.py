"""The find bar of a prompt: the words, which hit of how many, next, previous, close."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QToolButton, QWidget

from core.phrase import phrase
from gui import icons
from gui.prompt_search import MOST
from gui.theme import INSET, Look
from gui.translation import language, say

PAUSE = 120
"""Milliseconds after the last letter typed before the search begins."""


class FindBar(QWidget):
    """One field, the count, next, previous, close. Enter = next, Shift+Enter = previous, Esc = close."""

    wanted = Signal(str)
    stepped = Signal(int)
    closed = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.field = QLineEdit(self)
        self.field.textEdited.connect(lambda _: self._timer.start())
        self.field.installEventFilter(self)
        self._count = QLabel(self)
        self._count.setTextFormat(Qt.TextFormat.PlainText)
        self._count.setProperty("tone", "quiet")
        self._buttons: list[tuple[QToolButton, str, str]] = []
        row = self._row = QHBoxLayout(self)
        row.addWidget(self.field, 1)
        row.addWidget(self._count)
        steps: Sequence[tuple[str, str, Callable[[], None]]] = (
            ("chevron-up", "prompt.find_previous", lambda: self.stepped.emit(-1)),
            ("chevron-down", "prompt.find_next", lambda: self.stepped.emit(1)),
            ("x", "prompt.find_close", self.closed.emit),
        )
        for name, said, run in steps:
            button = QToolButton(self)
            button.clicked.connect(lambda _=False, run=run: run())
            row.addWidget(button)
            self._buttons.append((button, name, said))
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE)
        self._timer.timeout.connect(self._search)
        self._dressed: tuple[object, ...] = ()
        self.hide()
        self.dress()

    def dress(self) -> None:
        """Icons and words in the current look and language."""
        theme = self._look.theme
        if self._dressed == (dress := (theme, language())):
            return
        self._dressed = dress
        self._row.setContentsMargins(theme.px(INSET), theme.px(6), theme.px(INSET), theme.px(6))
        self._row.setSpacing(theme.px(8))
        self.field.setPlaceholderText(say(phrase("prompt.find")))
        self.field.setAccessibleName(say(phrase("prompt.find")))
        for button, name, said in self._buttons:
            button.setIcon(icons.qicon(name, theme.px(16), theme.ink2))
            button.setToolTip(say(phrase(said)))
            button.setAccessibleName(say(phrase(said)))
            button.setMinimumSize(theme.px(28), theme.px(26))

    @property
    def words(self) -> str:
        return self.field.text()

    def flush(self) -> None:
        """Search now for what was typed (tests need not wait)."""
        if self._timer.isActive():
            self._timer.stop()
            self._search()

    def open(self) -> None:
        self.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def close_bar(self) -> None:
        self._timer.stop()
        self.hide()

    def tell(self, at: int, count: int) -> None:
        """Which hit of how many; `at` counts from 0."""
        if not self.words:
            text = ""
        elif not count:
            text = say(phrase("prompt.find_none"))
        else:
            which = "prompt.find_many" if count >= MOST else "prompt.find_count"
            text = say(phrase(which, at=at + 1, n=count))
        self._count.setText(text)

    def _search(self) -> None:
        self.wanted.emit(self.words)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.field and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Escape:
                self.closed.emit()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
                if self._timer.isActive():
                    self.flush()
                else:
                    self.stepped.emit(-1 if back else 1)
                return True
        return super().eventFilter(watched, event)
