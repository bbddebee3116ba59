"""The selected step: title, badge, why; its settings; oddities; and in a neutral box what the nearest alternative does.

Built once per layer; a moved threshold only puts other values into the same widgets.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from core.phrase import Phrase, phrase
from core.pipeline import Step
from core.profile import Instance
from gui import icons
from gui.engine_lines import EngineLines
from gui.paint import Tone, chip, chip_width, draw_text, width_of
from gui.plain_label import PlainLabel
from gui.settings_form import SettingsForm
from gui.theme import Look
from gui.translation import say

INSET, RIGHT = 24, 18
"""Left and right margin; the scroll bar adds to the right one."""


class TitleLine(QWidget):
    """The step's title and, beside it where both fit, else below, the badge."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.title, self.badge, self.tone = "", "", Tone.PLAIN
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.restyle()
        look.changed.connect(self.restyle)

    def tell(self, title: str, badge: str, tone: Tone) -> None:
        if (title, badge, tone) != (self.title, self.badge, self.tone):
            self.title, self.badge, self.tone = title, badge, tone
            self.setAccessibleName(", ".join(filter(None, (title, badge))))
            self.restyle()

    def restyle(self) -> None:
        theme = self._look.theme
        self.setFixedHeight(theme.px(26 if self._beside() else 50))
        self.update()

    def _beside(self) -> bool:
        theme = self._look.theme
        if not self.badge:
            return True
        wide = width_of(self.title, theme.font("title")) + theme.px(10)
        return wide + chip_width(self.badge, theme) <= self.width()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.restyle()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = self._look.theme, QPainter(self)
        line = QRectF(0, 0, self.width(), theme.px(26))
        end = draw_text(painter, line, self.title, theme.font("title"), theme.ink)
        if self.badge:
            beside = self._beside()
            x, y = (end + theme.px(10), line.center().y()) if beside else (0.0, theme.pxf(37))
            chip(painter, QPointF(x, y), self.badge, theme, self.tone, max_width=self.width() - x)
        painter.end()


class NeutralBox(QWidget):
    """A sentence on the second ground with a line at its left: a consequence, not a warning."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.title = PlainLabel(look, "secondary", 600, wrap=True)
        self.words = PlainLabel(look, "secondary", tone="quiet", wrap=True)
        self._column = QVBoxLayout(self)
        self._column.addWidget(self.title)
        self._column.addWidget(self.words)
        self.restyle()
        look.changed.connect(self.restyle)

    def restyle(self) -> None:
        theme = self._look.theme
        self._column.setContentsMargins(theme.px(14), theme.px(8), theme.px(12), theme.px(8))
        self._column.setSpacing(theme.px(2))

    def tell(self, title: str, words: str) -> None:
        self.title.setText(title)
        self.words.setText(words)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = self._look.theme, QPainter(self)
        painter.fillRect(self.rect(), theme.panel2)
        painter.fillRect(QRectF(0, 0, theme.px(3), self.height()), theme.ink2)
        painter.end()


class StepDetail(QWidget):
    """`changed(field, value)`, `restored(field)`, `reset()`: wishes of the person for the instance that is shown."""

    changed = Signal(str, object)
    restored = Signal(str)
    reset = Signal()
    grasped = Signal(str, bool)
    released = Signal()
    explained = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.form: SettingsForm | None = None
        self._forms: dict[str, SettingsForm] = {}
        self.head = TitleLine(look)
        self.ask = QToolButton()
        self.undo_all = QToolButton()
        for button, words in ((self.ask, "dock.explain"), (self.undo_all, "dock.reset_layer")):
            button.setAccessibleName(say(phrase(words)))
            button.setToolTip(say(phrase(words)))
        self.ask.clicked.connect(self.explained)
        self.undo_all.clicked.connect(self.reset)
        self.why = PlainLabel(look, "body", tone="quiet", wrap=True)
        self.did = PlainLabel(look, "body", tone="quiet", wrap=True)
        self.notes = PlainLabel(look, "secondary", tone="hint", wrap=True)
        self.mark = PlainLabel(look, "secondary", tone="hint", wrap=True)
        self.engine = EngineLines(look)
        self.box = NeutralBox(look)
        top = Qt.AlignmentFlag.AlignTop
        self._rows = (QHBoxLayout(), QHBoxLayout())
        for row, widget, button in zip(self._rows, (self.head, self.why), (self.undo_all, self.ask), strict=True):
            row.setContentsMargins(0, 0, 0, 0)
            row.addWidget(widget, 1)
            row.addWidget(button, 0, top)
        self._slot = QVBoxLayout()
        self._column = QVBoxLayout(self)
        for row in self._rows:
            self._column.addLayout(row)
        self._column.addWidget(self.did)
        self._column.addLayout(self._slot)
        self._column.addWidget(self.notes)
        self._column.addWidget(self.engine)
        self._column.addWidget(self.mark)
        self._column.addSpacing(4)
        self._column.addWidget(self.box)
        self._column.addStretch(1)
        self.restyle()
        look.changed.connect(self.restyle)

    def restyle(self) -> None:
        theme = self._look.theme
        self._column.setContentsMargins(theme.px(INSET), theme.px(12), theme.px(RIGHT), theme.px(16))
        self._column.setSpacing(theme.px(4))
        for row in self._rows:
            row.setSpacing(theme.px(4))
        size = theme.px(15)
        for button, icon in ((self.ask, "circle-help"), (self.undo_all, "rotate-ccw")):
            button.setIcon(icons.qicon(icon, size, theme.ink2, disabled=theme.line2))
            button.setIconSize(QSize(size, size))
            button.setFixedSize(theme.px(28), theme.px(26))

    # what is shown

    def show_words(self, title: str, why: str, did: str, notes: str) -> None:
        self.head.tell(title, self.head.badge, self.head.tone)
        for label, words in ((self.why, why), (self.did, did), (self.notes, notes)):
            if label.text() != words:
                label.setText(words)
            label.setVisible(bool(words))

    def show_settings(self, instance: Instance | None, base: object | None, step: Step | None, changed: bool) -> None:
        """The form of an instance, made on first use; None hides it."""
        form = self._form(instance)
        if form is not self.form:
            if self.form is not None:
                self.form.hide()
            self.form = form
            if form is not None:
                form.show()
        self.undo_all.setEnabled(changed)
        self.undo_all.setVisible(instance is not None)
        if form is not None and instance is not None:
            gauges = step.gauges if step is not None else ()
            form.show_values(instance.settings, base if base is not None else instance.settings, gauges)
            form.set_open(instance.on)

    def _form(self, instance: Instance | None) -> SettingsForm | None:
        if instance is None:
            return None
        known = self._forms.get(instance.name)
        if known is not None and known.kind is type(instance.settings):
            return known
        form = SettingsForm(self._look, instance.layer, instance.settings, self)
        form.changed.connect(self.changed)
        form.restored.connect(self.restored)
        form.grasped.connect(self.grasped)
        form.released.connect(self.released)
        form.hide()
        self._forms[instance.name] = form
        self._slot.addWidget(form)
        return form

    def show_mark(self, mark: str) -> None:
        """Whether the step changes this request only, or the file; "" says nothing."""
        self.mark.setVisible(bool(mark))
        self.mark.setText(say(phrase(f"dock.mark.{mark}")) if mark else "")

    def show_badge(self, words: str, tone: Tone) -> None:
        self.head.tell(self.head.title, words, tone)

    def show_alternative(self, title: Phrase | None, said: Phrase | None) -> None:
        """What the nearest alternative does; None: not computed yet, or there is none."""
        self.box.setVisible(title is not None and said is not None)
        if title is not None and said is not None:
            self.box.tell(say(title), say(said))
