"""What stands around the list of the session graph: title row, heads of the columns, foot."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.phrase import Phrase, phrase
from gui.dag_menu import FilterMenu
from gui.dag_table import DagTable
from gui.icons import qicon
from gui.paint import LEFT, RIGHT, draw_text, elided
from gui.theme import ICON, INSET, TITLE_ROW, Look
from gui.translation import say

FOOT = 32
PARTIAL = 26


class DagHeading(QFrame):
    """The title row: name, counts, filter, fold."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.setProperty("titlerow", True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._title = QLabel(say(phrase("dag.title")), self)
        self._counts = QLabel(self)
        for label in (self._title, self._counts):
            label.setTextFormat(Qt.TextFormat.PlainText)
        self._counts.setProperty("tone", "hint")
        self._counts.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._said = ""
        self.filter = self._button("dag.filter")
        self.fold = self._button("dag.fold_all")
        self.menu = FilterMenu(self)
        self.filter.setMenu(self.menu)
        self.filter.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._row = QHBoxLayout(self)
        self._row.setSpacing(0)
        self._row.addWidget(self._title)
        self._row.addWidget(self._counts, 1)
        self._row.addWidget(self.filter)
        self._row.addWidget(self.fold)
        self.restyle()

    def _button(self, id: str) -> QToolButton:
        button = QToolButton(self)
        button.setAccessibleName(say(phrase(id)))
        button.setToolTip(say(phrase(id)))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def sizeHint(self) -> QSize:
        """A dock asks its title bar for this, whatever height is fixed."""
        return QSize(super().sizeHint().width(), self._look.theme.px(TITLE_ROW))

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), self._look.theme.px(TITLE_ROW))

    def restyle(self) -> None:
        theme = self._look.theme
        self._title.setFont(theme.font("body", 600))
        self._counts.setFont(theme.font("body"))
        self._row.setContentsMargins(theme.px(INSET), 0, theme.px(12), 0)
        self._counts.setContentsMargins(theme.px(10), 0, theme.px(8), 0)
        for button, icon in ((self.filter, "list-filter"), (self.fold, "fold-vertical")):
            button.setIcon(qicon(icon, theme.px(ICON), theme.ink2, on=theme.accent))
            button.setIconSize(QSize(theme.px(ICON), theme.px(ICON)))
        self.setFixedHeight(theme.px(TITLE_ROW))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room = self._counts.width() - self._counts.contentsMargins().left() - self._counts.contentsMargins().right()
        self._counts.setText(elided(self._said, self._counts.font(), room))
        self._counts.setAccessibleName(self._said)

    def tell(self, counts: str, *, filtered: bool, folding: bool) -> None:
        """`filtered`: marks the filter button; `folding`: what the fold button would do next."""
        self._said = counts
        self._fit()
        self.filter.setCheckable(True)
        self.filter.setChecked(filtered)
        words = say(phrase("dag.unfold_all" if folding else "dag.fold_all"))
        self.fold.setToolTip(words)
        self.fold.setAccessibleName(words)


class DagFoot(QWidget):
    """What is in the request in view and what follows; a second line when not every entry stands in its own row."""

    show_all = Signal()

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look
        self._inside, self._follow, self._rows = QLabel(self), QLabel(self), QLabel(self)
        for label in (self._inside, self._follow, self._rows):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setProperty("tone", "hint")
        self._inside.setProperty("tone", "quiet")
        self._all = QPushButton(say(phrase("dag.show_all")), self)
        self._all.setProperty("link", True)
        self._all.clicked.connect(self.show_all)
        self._first, self._second = QHBoxLayout(), QHBoxLayout()
        self._first.addWidget(self._inside)
        self._first.addStretch(1)
        self._first.addWidget(self._follow)
        self._second.addWidget(self._rows)
        self._second.addWidget(self._all)
        self._second.addStretch(1)
        self._line = QWidget(self)
        self._line.setLayout(self._second)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 1, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._first)
        column.addWidget(self._line)
        self._marked = False
        self.restyle()

    def restyle(self) -> None:
        theme = self._look.theme
        for widget in (self._inside, self._follow, self._rows, self._all):
            widget.setFont(theme.font("secondary"))
        self._first.setContentsMargins(theme.px(28), 0, theme.px(INSET), 0)
        self._second.setContentsMargins(theme.px(28), 0, theme.px(INSET), theme.px(6))
        self._second.setSpacing(theme.px(6))
        for label in (self._inside, self._follow, self._rows):
            self._put(label, label.text())
        self._line.setFixedHeight(theme.px(PARTIAL))
        self.update()

    def tell(self, inside: str, follow: str, rows: Phrase | None, *, marked: bool) -> None:
        """`rows`: how many rows of how many are shown, None = all. `marked`: with the accent of the bracket."""
        self._put(self._inside, inside)
        self._put(self._follow, follow)
        self._line.setVisible(rows is not None)
        if rows is not None:
            self._put(self._rows, say(rows))
        self._marked = marked
        self._fit()
        self.update()

    def _put(self, label: QLabel, words: str) -> None:
        """A label of a fixed size: other words of the same width do not lay out the whole window."""
        label.setText(words)
        height = label.sizeHint().height() if label is self._rows else self._look.theme.px(FOOT - 1)
        label.setFixedSize(label.sizeHint().width(), height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """What follows gives way where there is no room for both."""
        margins = self._first.contentsMargins()
        room = self.width() - margins.left() - margins.right() - self._look.theme.px(12)
        self._follow.setVisible(self._inside.sizeHint().width() + self._follow.sizeHint().width() <= room)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.panel)
        painter.fillRect(0, 0, self.width(), 1, theme.line)
        if self._marked:
            middle = self._inside.geometry().center().y()
            painter.fillRect(theme.px(INSET), middle - theme.px(7), theme.px(4), theme.px(14), theme.accent)
        painter.end()


class DagColumns(QWidget):
    """The heads of the columns over the list."""

    HEIGHT = 32

    def __init__(self, look: Look, table: DagTable, parent: QWidget) -> None:
        super().__init__(parent)
        self._look, self._table = look, table
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(self._look.theme.px(300), self._look.theme.px(self.HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.panel)
        columns = self._table.delegate.columns(self._table.viewport().width())
        font, height = theme.font("secondary"), float(self.height())

        def head(left: float, right: float, words: str, align: Qt.AlignmentFlag = LEFT) -> None:
            draw_text(painter, QRectF(left, 0, right - left, height), words, font, theme.ink3, align)

        head(0, columns.number_right, "#", RIGHT)
        head(columns.icon + theme.px(6), columns.text_right, say(phrase("dag.head_entry")))
        head(columns.text_right - theme.px(20), columns.right, say(phrase("dag.head_tokens")), RIGHT)
        painter.end()
