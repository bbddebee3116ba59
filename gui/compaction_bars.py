"""The bars of the Compaction tab: headline and place, pages and run, the confirmation, and what has left the machine.

90 entries, ≈90,999 tokens, became a summary of …            [Before request 31 ▾]
[Overview | Calls | Runs | Settings]            [Extractive ▾] [Run] [Save as …]
┃ 3 calls, ≈92,000 tokens, at most $0.42, would go to api.anthropic.com   [Send] [Do not send]
🔒 Nothing has left this machine.                                       Cancel (Esc)
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QComboBox, QHBoxLayout, QPushButton, QToolButton, QVBoxLayout, QWidget

from core import models
from core.headline import Run as Words
from core.messages import Usage
from core.phrase import phrase
from core.summarizer import summarizers
from core.summarizers.anthropic import DEFAULT_MODEL, DEFAULT_URL
from gui.compaction_desk import Desk
from gui.compaction_facts import Facts
from gui.headline import Headline
from gui.icons import qicon
from gui.paint import draw_icon, hairline
from gui.plain_label import PlainLabel
from gui.segmented import Segmented
from gui.text_link import TextLink
from gui.theme import INSET, Look
from gui.translation import say
from gui.visible import visible_line

NARROW = 600
"""Pixels at 100 % below which the bars are two rows each."""
PAGES = ("overview", "calls", "runs", "settings")


class Head(QWidget):
    """`placed(index)`: another compaction was chosen from the list. `paged(index)`: of PAGES. `chosen(name)`: another
    summarizer. `run`, `saved`: the buttons."""

    placed = Signal(int)
    paged = Signal(int)
    chosen = Signal(str)
    run = Signal()
    saved = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.headline = Headline(look, self)
        self.places = QComboBox()
        self.places.setAccessibleName(say(phrase("compaction_tab.place.title")))
        self.places.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.places.activated.connect(self.placed)
        self.pages = Segmented(look, say(phrase("compaction_tab.page.title")))
        self.pages.chosen.connect(self.paged)
        self.by = QComboBox()
        self.by.setAccessibleName(say(phrase("compaction_tab.by.title")))
        self.by.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.by.setMinimumContentsLength(14)
        self._names = tuple(summarizers())
        self.by.addItems([say(summarizers()[name].TITLE) for name in self._names])
        self.by.activated.connect(lambda at: self.chosen.emit(self._names[at]))
        self.go = QPushButton(say(phrase("compaction_tab.run")))
        self.go.setProperty("primary", True)
        self.go.clicked.connect(self.run)
        self.save = QToolButton()
        self.save.setAccessibleName(say(phrase("compaction_tab.save")))
        self.save.setToolTip(say(phrase("compaction_tab.save_help")))
        self.save.clicked.connect(self.saved)
        beside = QBoxLayout.Direction.LeftToRight
        self._top, self._bar, self._runs = QHBoxLayout(), QBoxLayout(beside), QHBoxLayout()
        self._top.addWidget(self.headline, 1)
        self._top.addWidget(self.places, 0, Qt.AlignmentFlag.AlignTop)
        self._bar.addWidget(self.pages)
        self._bar.addLayout(self._runs, 1)
        self._runs.addStretch(1)
        for widget in (self.by, self.go, self.save):
            self._runs.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._top)
        column.addLayout(self._bar)
        self.restyle()
        look.changed.connect(self.restyle)

    def restyle(self) -> None:
        theme = self._look.theme
        inset, size = theme.px(INSET), theme.px(16)
        self._top.setContentsMargins(inset, theme.px(8), inset, theme.px(4))
        self._top.setSpacing(theme.px(12))
        self._bar.setContentsMargins(inset, theme.px(2), inset, theme.px(8))
        self._bar.setSpacing(theme.px(8))
        self._runs.setSpacing(theme.px(8))
        self._arrange()
        self.save.setIcon(qicon("save", size, theme.ink2, disabled=theme.line2))
        self.save.setIconSize(QSize(size, size))

    def _arrange(self) -> None:
        """Where there is little width, one under the other."""
        narrow = self.width() < self._look.theme.px(NARROW)
        direction = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        if self._bar.direction() == direction:
            return
        self._bar.setDirection(direction)
        if narrow:
            self._top.removeWidget(self.places)
            self._runs.insertWidget(0, self.places)
        else:
            self._runs.removeWidget(self.places)
            self._top.addWidget(self.places, 0, Qt.AlignmentFlag.AlignTop)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        hairline(painter, QRectF(self.rect()), self._look.theme)
        painter.end()

    def show_places(self, names: Sequence[str], current: int) -> None:
        known = [self.places.itemText(at) for at in range(self.places.count())]
        if known != list(names):
            self.places.clear()
            self.places.addItems(list(names))
        self.places.setCurrentIndex(current)

    def show_desk(self, desk: Desk, words: Sequence[Words], page: int) -> None:
        self.headline.say(words)
        self.pages.show_parts([say(phrase(f"compaction_tab.page.{name}")) for name in PAGES], page)
        self.by.setCurrentIndex(self._names.index(desk.summarizer))
        idle = desk.phase in ("idle", "looking")
        self.by.setEnabled(idle)
        self.go.setEnabled(idle and desk.facts is not None and bool(desk.facts.chunks))
        run = desk.shown
        self.save.setEnabled(idle and run is not None and run.by is not None and not run.outcome.raised)


class Confirm(QWidget):
    """Before anything leaves: what would go where, how large it is, what it costs at most. `sent`, `left`: buttons."""

    sent = Signal()
    left = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.words = PlainLabel(look, "body", wrap=True)
        self.send = QPushButton(say(phrase("compaction_tab.confirm.send")))
        self.send.setProperty("primary", True)
        self.leave = QPushButton(say(phrase("compaction_tab.confirm.leave")))
        self.send.clicked.connect(self.sent)
        self.leave.clicked.connect(self.left)
        self._row = QHBoxLayout(self)
        self._row.addWidget(self.words, 1)
        self._row.addWidget(self.send, 0, Qt.AlignmentFlag.AlignTop)
        self._row.addWidget(self.leave, 0, Qt.AlignmentFlag.AlignTop)
        self.restyle()
        look.changed.connect(self.restyle)
        self.hide()

    def restyle(self) -> None:
        theme = self._look.theme
        self._row.setContentsMargins(theme.px(INSET) + theme.px(22), theme.px(8), theme.px(INSET), theme.px(8))
        self._row.setSpacing(theme.px(8))

    def show_desk(self, desk: Desk) -> None:
        on = desk.phase == "confirming" and desk.facts is not None
        if on and desk.facts is not None:
            self.words.setText(confirm_words(desk, desk.facts))
            self.setAccessibleName(self.words.text())
        was = self.isVisible()
        self.setVisible(on)
        if on and not was:
            self.leave.setFocus(Qt.FocusReason.OtherFocusReason)  # Enter must not send by accident

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = self._look.theme, QPainter(self)
        painter.fillRect(self.rect(), theme.warning_tint)
        size = theme.px(16)
        place = QRectF(theme.px(INSET), theme.px(8), size, theme.line_height("body"))
        draw_icon(painter, place, "triangle-alert", size, theme.warning)
        painter.end()


def confirm_words(desk: Desk, facts: Facts) -> str:
    """Calls, tokens out and back, the price at most, whom it goes to, how many secrets were replaced."""
    found = facts.estimate
    model = desk.model_asked() or DEFAULT_MODEL
    secrets = sum(len(chunk.marks) for chunk in facts.chunks)
    allowed = getattr(desk.own_settings(desk.summarizer), "output", None)
    output = sum(chunk.most if allowed is None else min(chunk.most, allowed) for chunk in facts.chunks)
    values: dict[str, object] = {
        "n": len(facts.chunks),
        "tokens": found.input if found is not None else 0,
        "output": output,
        "model": visible_line(model, 60),
        "to": visible_line(desk.base_url or DEFAULT_URL, 80),
    }
    asked = Usage(input=found.input, output=output) if found is not None else None
    cost = models.cost(model, asked, None) if asked is not None else None
    first = phrase("compaction_tab.confirm.priced", cost=cost, **values) if cost is not None else None
    said = say(first if first is not None else phrase("compaction_tab.confirm.unpriced", **values))
    return f"{said} {say(phrase('compaction_tab.confirm.secrets', n=secrets))}"


class Left(QWidget):
    """The foot: what has left this machine, or how far a run is. `cancelled`: the link was pressed."""

    cancelled = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.words = PlainLabel(look, "secondary", tone="quiet", shrinks=True)
        self.cancel = TextLink(look)
        self.cancel.pressed.connect(self.cancelled)
        self._icon = "lock"
        self._row = QHBoxLayout(self)
        self._row.addWidget(self.words, 1)
        self._row.addWidget(self.cancel)
        self.restyle()
        look.changed.connect(self.restyle)

    def restyle(self) -> None:
        theme = self._look.theme
        self.setFixedHeight(theme.px(28))
        self._row.setContentsMargins(theme.px(INSET) + theme.px(22), 0, theme.px(INSET), 0)
        self.update()

    def show_desk(self, desk: Desk) -> None:
        said, sent = desk.told, desk.sent
        running = desk.phase in ("running", "looking") and said is not None
        if running and said is not None:
            self._icon = "hourglass"
            self.words.setText(say(said))
        elif sent.calls:
            self._icon = "external-link"
            to = visible_line(sent.to or DEFAULT_URL, 80)
            self.words.setText(say(phrase("compaction_tab.left.sent", n=sent.calls, tokens=sent.tokens, to=to)))
        else:
            self._icon = "lock"
            self.words.setText(say(phrase("compaction_tab.left.nothing")))
        self.cancel.say(say(phrase("compaction_tab.cancel")) if running else "")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = self._look.theme, QPainter(self)
        hairline(painter, QRectF(self.rect()), theme, Qt.Edge.TopEdge)
        size = theme.px(14)
        draw_icon(painter, QRectF(theme.px(INSET), 0, size, self.height()), self._icon, size, theme.ink3)
        painter.end()
