"""A label that takes its text as it is, in a font and colour of the theme, and follows both."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from gui.paint import LEFT, RIGHT, draw_text, width_of
from gui.theme import Look

TONES = {
    "": "ink",
    "quiet": "ink2",
    "hint": "ink3",
    "accent": "accent",
    "error": "diff_text",
    "warning": "warning",
}


class PlainLabel(QLabel):
    """Never rich text. `wrap`: over several lines; `shrinks`: gives way in a narrow row and ends in an ellipsis.

    `tone`: of TONES; "accent" only with `shrinks`, where the label paints itself."""

    def __init__(
        self,
        look: Look,
        kind: str = "body",
        weight: int | None = None,
        *,
        tone: str = "",
        wrap: bool = False,
        shrinks: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._look, self._kind, self._weight, self._tone, self._shrinks = look, kind, weight, tone, shrinks
        self._words = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(wrap)
        if shrinks:
            self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        elif wrap:
            self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.setProperty("tone", tone)
        self.restyle()
        look.changed.connect(self.restyle)

    def setText(self, text: str) -> None:
        """Other words. Where the label shrinks they change no geometry, which would lay out the whole window."""
        if not self._shrinks:
            super().setText(text)
        elif text != self._words:
            if self.accessibleName() == self._words:
                self.setAccessibleName(text)
            self._words = text
            self.update()

    def text(self) -> str:
        return self._words if self._shrinks else super().text()

    def sizeHint(self) -> QSize:
        if not self._shrinks:
            return super().sizeHint()
        return QSize(round(width_of(self._words, self.font())), self.fontMetrics().height())

    def set_tone(self, tone: str) -> None:
        if tone != self._tone:
            self._tone = tone
            self.setProperty("tone", tone)
            self.style().unpolish(self)
            self.style().polish(self)

    def restyle(self) -> None:
        self.setFont(self._look.theme.font(self._kind, self._weight))
        self.updateGeometry()
        self.update()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.fontMetrics().height()) if self._shrinks else super().minimumSizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._shrinks:
            super().paintEvent(event)
            return
        painter = QPainter(self)
        align = RIGHT if self.alignment() & Qt.AlignmentFlag.AlignRight else LEFT
        colour = getattr(self._look.theme, TONES[self._tone])
        draw_text(painter, self.rect().toRectF(), self.text(), self.font(), colour, align)
        painter.end()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.EnabledChange:
            self.update()
