"""The bars of the Truncation tab: headline, heads of both sides, what stays and what changes, settings, the button.

Truncation would remove 89 entries … This is a dry run.      [Side by side | Overlay]
Before 164 entries · ●1.00 MB    │ After 75 entries · ◇0.39 MB          --- new parent
✓ Context unchanged   ✓ Label kept   ✓ Both branches kept   ⚠ 3 parents change
Keep labelled entries  ☑   Only above a size ━◯━━━   Write to [New file|In place]   [Write 0.39 MB]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from core.headline import Run
from core.phrase import phrase
from core.settings import Number, specs
from core.truncation import ID, SAFE, Settings
from gui.hatch import dashed_pen
from gui.headline import Headline
from gui.numbers import Mark, size
from gui.paint import RIGHT, draw_icon, draw_text, hairline, width_of
from gui.plain_label import PlainLabel
from gui.segmented import Segmented
from gui.setting_rows import NumberRow, SwitchRow
from gui.text_link import TextLink
from gui.theme import ICON, INSET, TITLE_ROW, Look
from gui.translation import say
from gui.truncation_bytes import PAGES
from gui.truncation_facts import Facts
from gui.truncation_words import Verdict

MOST, STEP = 1 << 30, 100_000
"""Bytes: end and step of the slider."""
NARROW = 760


class Head(QWidget):
    """`turned(page)`: another way of looking was chosen (an index of PAGES)."""

    turned = Signal(int)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.headline = Headline(look, self)
        self.switch = Segmented(look, say(phrase("truncation_tab.way")), self)
        self.switch.chosen.connect(self.turned)
        self._row = QHBoxLayout(self)
        self._row.addWidget(self.headline, 1)
        self._row.addWidget(self.switch, 0, Qt.AlignmentFlag.AlignTop)
        self.restyle()
        look.changed.connect(self.restyle)

    def restyle(self) -> None:
        theme = self._look.theme
        self._row.setContentsMargins(theme.px(INSET), theme.px(10), theme.px(INSET), theme.px(10))
        self._row.setSpacing(theme.px(INSET))

    def show_words(self, runs: Sequence[Run], page: int) -> None:
        self.headline.say(runs)
        self.switch.show_parts([say(phrase(f"truncation_tab.{way}")) for way in PAGES], page)


class Sides(QWidget):
    """The heads of the two columns: how many entries, how many bytes; what the dashed line means."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._facts: Facts | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        look.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        return QSize(self._look.theme.px(400), self._look.theme.px(TITLE_ROW - 4))

    def show_facts(self, facts: Facts | None) -> None:
        self._facts = facts
        self.setVisible(facts is not None and facts.reason is None)
        self.setAccessibleName(" · ".join(f"{name} {rest}" for name, rest in self.words()))
        self.update()

    def words(self) -> list[tuple[str, str]]:
        """(side, what there is to say of it)."""
        facts = self._facts
        if facts is None:
            return []
        found = []
        for at, (side, mark) in enumerate((("before", Mark.RECORDED), ("after", Mark.SIMULATED))):
            rest = say(phrase("truncation_tab.side", n=facts.entries[at], size=size(facts.bytes[at], mark)))
            if facts.more and at == 0:
                rest += " · " + say(
                    phrase("truncation_tab.partial", n=len(facts.rows), all=len(facts.rows) + facts.more)
                )
            found.append((say(phrase(f"truncation_tab.{side}")), rest))
        return found

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme, rect = self._look.theme, QRectF(self.rect())
        painter.fillRect(rect, theme.panel2)
        hairline(painter, rect, theme, Qt.Edge.TopEdge)
        hairline(painter, rect, theme)
        half, end = rect.width() / 2, 0.0
        for at, (name, rest) in enumerate(self.words()):
            left = at * half + theme.px(INSET)
            wide = draw_text(painter, _part(rect, left, half), name, theme.font("body", 600), theme.ink)
            left += wide + theme.px(8)
            draw_text(painter, _part(rect, left, half - wide), rest, theme.font("body"), theme.ink2)
            end = left + width_of(rest, theme.font("body"))
        told = say(phrase("truncation_tab.legend"))
        font, right = theme.font("secondary"), rect.right() - theme.px(INSET)
        x, y = right - width_of(told, font) - theme.px(36), rect.center().y()
        if end + theme.px(8) < x:
            draw_text(painter, QRectF(rect.left(), rect.top(), right, rect.height()), told, font, theme.ink2, RIGHT)
            painter.setPen(dashed_pen(theme.accent, theme.pxf(2.25)))
            painter.drawLine(QPointF(x, y), QPointF(x + theme.px(28), y))
        painter.end()


def _part(rect: QRectF, left: float, width: float) -> QRectF:
    return QRectF(left, rect.top(), width, rect.height())


class Verdicts(QWidget):
    """What stays and what changes, in four columns of two lines: a sign and a word, never a colour alone."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.verdicts: Sequence[Verdict] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        look.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        return QSize(self._look.theme.px(400), self._look.theme.px(56))

    def show_verdicts(self, verdicts: Sequence[Verdict]) -> None:
        self.verdicts = tuple(verdicts)
        self.setAccessibleName(". ".join(f"{found.title}: {found.detail}" for found in verdicts))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme, rect = self._look.theme, QRectF(self.rect())
        hairline(painter, rect, theme, Qt.Edge.TopEdge)
        hairline(painter, rect, theme)
        inset, sign = theme.px(INSET), theme.px(ICON)
        column = (rect.width() - 2 * inset) / max(1, len(self.verdicts))
        for at, found in enumerate(self.verdicts):
            left = inset + at * column
            icon, ink = ("check", theme.better) if found.good else ("triangle-alert", theme.warning)
            draw_icon(painter, QRectF(left, rect.top() + theme.px(9), sign, theme.px(19)), icon, sign, ink)
            text = QRectF(left + sign + theme.px(8), 0, column - sign - theme.px(20), theme.px(19))
            draw_text(painter, text.translated(0, theme.px(9)), found.title, theme.font("body", 600), theme.ink)
            draw_text(painter, text.translated(0, theme.px(28)), found.detail, theme.font("secondary"), theme.ink2)
        painter.end()


class Controls(QWidget):
    """`changed(field, value)`: a setting. `written(in_place)`: the button. `undone`: the link that brings it back."""

    changed = Signal(str, object)
    written = Signal(bool)
    undone = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        known = specs(Settings)
        above = known["above"]
        assert isinstance(above, Number)
        self.labelled = SwitchRow(look, ID, "keep_labelled", known["keep_labelled"], self)
        self.branches = SwitchRow(look, ID, "keep_side_branches", known["keep_side_branches"], self)
        self.above = NumberRow(look, ID, "above", replace(above, high=MOST, step=STEP), self)
        self.rows = {"keep_labelled": self.labelled, "keep_side_branches": self.branches, "above": self.above}
        for field, row in self.rows.items():
            row.chosen.connect(lambda value, field=field: self.changed.emit(field, value))
            row.restored.connect(lambda field=field: self.changed.emit(field, getattr(SAFE, field)))
        self.above.help.hide()
        self.to = PlainLabel(look, "body", 600)
        self.to.setText(say(phrase("truncation_tab.write_to")))
        self.way = Segmented(look, self.to.text(), self)
        self.way.chosen.connect(self._choose)
        self.button = QPushButton()
        self.button.setProperty("primary", True)
        self.button.clicked.connect(lambda: self.written.emit(self.in_place))
        self.undo = TextLink(look, self)
        self.undo.pressed.connect(self.undone)
        self.in_place = False
        self._settings = SAFE
        self._facts: Facts | None = None
        self._columns = QHBoxLayout(self)
        self._switches = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        for row in (self.labelled, self.branches):
            self._switches.addWidget(row, 1, Qt.AlignmentFlag.AlignTop)
        self._columns.addLayout(self._switches, 0)
        self._columns.addWidget(self.above, 1, Qt.AlignmentFlag.AlignTop)
        self._last = QVBoxLayout()
        head = QHBoxLayout()
        head.addWidget(self.to)
        head.addStretch(1)
        head.addWidget(self.undo)
        self._last.addLayout(head)
        self._last.addWidget(self.way)
        self._last.addStretch(1)
        self._last.addWidget(self.button, 0, Qt.AlignmentFlag.AlignRight)
        self._columns.addLayout(self._last, 0)
        self.restyle()
        look.changed.connect(self.restyle)

    def restyle(self) -> None:
        theme = self._look.theme
        self._columns.setContentsMargins(theme.px(INSET), theme.px(6), theme.px(INSET), theme.px(10))
        self._columns.setSpacing(theme.px(INSET))
        self._switches.setSpacing(theme.px(INSET))
        self._arrange()
        self._last.setContentsMargins(0, theme.px(6), 0, 0)
        self._last.setSpacing(theme.px(6))

    def _arrange(self) -> None:
        """Where there is little width, the switches stand one below the other, without the lines under them."""
        narrow = self.width() < self._look.theme.px(NARROW)
        way = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        if way != self._switches.direction():
            self._switches.setDirection(way)
            for row in (self.labelled, self.branches):
                row.help.setVisible(not narrow)
            self._show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _choose(self, index: int) -> None:
        self.in_place = index == 1
        self._show()

    def show_facts(self, facts: Facts | None, settings: Settings, details: tuple[str, str], archive: str) -> None:
        """`details`: what stands under the two switches. `archive`: of the last truncation in place, "" for none."""
        self._facts, self._settings = facts, settings
        for row, text in zip((self.labelled, self.branches), details, strict=True):
            row.help.setText(text)
        for field, row in self.rows.items():
            row.show_value(getattr(settings, field), getattr(SAFE, field), None)
        any_size = say(phrase("truncation_tab.any_size"))
        self.above.value.setText(size(settings.above) if settings.above else any_size)
        self.above.default.setText(say(phrase("dock.default", value=any_size)))
        self.above.measured.setText(size(facts.bytes[0], Mark.RECORDED) if facts is not None else "")
        self.undo.say(say(phrase("truncation_tab.undo")) if archive else "")
        self._show()

    def _show(self) -> None:
        facts = self._facts
        narrow = self._switches.direction() == QBoxLayout.Direction.TopToBottom
        words = [
            say(phrase(f"truncation_tab.{way}")) for way in ("new_file", "in_place_short" if narrow else "in_place")
        ]
        self.way.show_parts(words, int(self.in_place))
        able = facts is not None and facts.reason is None and (facts.equal or not self.in_place)
        self.button.setEnabled(able)
        bytes_after = facts.bytes[1] if facts is not None else 0
        known = (
            phrase("truncation_tab.write", size=size(bytes_after)) if able else phrase("truncation_tab.write_nothing")
        )
        self.button.setText(say(known))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._look.theme.panel)
        hairline(painter, QRectF(self.rect()), self._look.theme, Qt.Edge.TopEdge)
        painter.end()
