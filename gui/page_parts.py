"""What pages of bars share: the headline and its ground, the legend of roles, a sentence instead of a page."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLayout, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from core.headline import runs
from core.phrase import Phrase
from gui.headline import Headline
from gui.plain_label import PlainLabel
from gui.shapes import swatch_label
from gui.theme import INSET, Look
from gui.translation import language, say


class Answer(QWidget):
    """The one sentence above a page, with the distances that every tab of the centre has."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.headline = Headline(look, self)
        self._box = QVBoxLayout(self)
        self._box.addWidget(self.headline)
        self.restyle()
        look.changed.connect(self.restyle)

    def restyle(self) -> None:
        theme = self._look.theme
        self._box.setContentsMargins(theme.px(INSET), theme.px(8), theme.px(INSET), theme.px(10))

    def say(self, said: Phrase) -> None:
        self.headline.say(runs(said, language()))

    @property
    def text(self) -> str:
        return self.headline.text


class Legend(QWidget):
    """Swatches with their words, in one row."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._entries: Sequence[tuple[str, str]] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_entries(self, entries: Sequence[tuple[str, str]]) -> None:
        """(role, word) of each."""
        self._entries = tuple(entries)
        self.setAccessibleName(", ".join(word for _, word in entries))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._look.theme.px(200), self._look.theme.px(28))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = self._look.theme, QPainter(self)
        x = float(theme.px(INSET))
        for role, word in self._entries:
            x += swatch_label(painter, QPointF(x, self.height() / 2), role, word, theme) + theme.px(16)
        painter.end()


class Pages(QStackedWidget):
    """The page, or a sentence that says what is missing and how to get it."""

    def __init__(self, look: Look, page: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.empty = PlainLabel(look, "body", tone="hint", wrap=True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.page = page
        self.addWidget(self.empty)
        self.addWidget(page)

    def show_empty(self, said: Phrase) -> None:
        self.empty.setText(say(said))
        self.setCurrentWidget(self.empty)

    def show_page(self) -> None:
        self.setCurrentWidget(self.page)


def pages_in(
    view: QWidget,
    look: Look,
    above: Sequence[QWidget | QLayout],
    middle: QWidget,
    below: Sequence[QWidget],
) -> Pages:
    """Pages that fill `view`: parts one below the other, of which `middle` takes the room and the focus."""
    page = QWidget()
    column = QVBoxLayout(page)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for part in above:
        column.addLayout(part) if isinstance(part, QLayout) else column.addWidget(part)
    column.addWidget(middle, 1)
    for part in below:
        column.addWidget(part)
    pages = Pages(look, page)
    whole = QVBoxLayout(view)
    whole.setContentsMargins(0, 0, 0, 0)
    whole.addWidget(pages)
    view.setFocusProxy(middle)
    return pages
