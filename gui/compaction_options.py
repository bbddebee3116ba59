"""What a compaction is done with: its settings and those of the summarizer as forms, and what a person adds in words.

The forms are made from the Settings of the core; a slider ends where a person would, not where the rule does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QScrollArea, QVBoxLayout, QWidget

from core import compaction
from core.compaction import HUGE, Settings, Texts
from core.phrase import phrase
from core.settings import Number, Spec, specs
from core.summarizer import summarizer
from gui.compaction_desk import Desk
from gui.plain_label import PlainLabel
from gui.settings_form import SettingsForm
from gui.theme import INSET, Look
from gui.translation import say

SLIDER = 100_000
"""Tokens at the end of a slider of the compaction."""
STEP = 500
SAFEGUARD = frozenset({"turns", "quality", "retries", "cap", "share"})
"""Settings that only this mode reads."""


def sliding() -> dict[str, Spec]:
    """The specs of the compaction's settings, with limits for a slider."""

    def limited(spec: Spec) -> Spec:
        return replace(spec, high=SLIDER, step=STEP) if isinstance(spec, Number) and spec.high == HUGE else spec

    return {name: limited(spec) for name, spec in specs(Settings).items()}


class TextLine(QWidget):
    """A title, a line to type in, and what it is for. `told(text)` from Enter or from leaving it."""

    told = Signal(str)

    def __init__(self, look: Look, id: str) -> None:
        super().__init__()
        self.title = PlainLabel(look, "body", 600)
        self.title.setText(say(phrase(f"compaction_tab.options.{id}")))
        self.line = QLineEdit()
        self.line.setAccessibleName(self.title.text())
        self.help = PlainLabel(look, "secondary", tone="hint", wrap=True)
        self.help.setText(say(phrase(f"compaction_tab.options.{id}_help")))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, look.theme.px(6), 0, look.theme.px(6))
        column.setSpacing(look.theme.px(4))
        for widget in (self.title, self.line, self.help):
            column.addWidget(widget)
        self.line.editingFinished.connect(lambda: self.told.emit(self.line.text()))

    def show_text(self, text: str) -> None:
        if not self.line.hasFocus():
            self.line.setText(text)


class Options(QScrollArea):
    """`changed`: something about the desk is another. A wrong value is refused by the desk and shown as it was."""

    changed = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._desk: Desk | None = None
        self._own: dict[str, SettingsForm] = {}
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(say(phrase("compaction_tab.options.title")))
        self.form = SettingsForm(look, compaction.ID, Settings(), None, sliding())
        self.form.changed.connect(lambda name, value: self._change(lambda desk: desk.change(name, value)))
        self.form.restored.connect(self._restore)
        self.focus = TextLine(look, "focus")
        self.own = TextLine(look, "own")
        self.workspace = TextLine(look, "workspace")
        self.model = TextLine(look, "model")
        self.url = TextLine(look, "url")
        self.focus.told.connect(lambda text: self._texts(focus=text))
        self.own.told.connect(lambda text: self._texts(own=text))
        self.workspace.told.connect(lambda text: self._set("workspace", text))
        self.model.told.connect(lambda text: self._set("model", text))
        self.url.told.connect(lambda text: self._set("base_url", text))
        self.by = PlainLabel(look, "title")
        self.rules = PlainLabel(look, "title")
        self.rules.setText(say(phrase("compaction_tab.options.title")))
        self._slot = QVBoxLayout()
        sides = QWidget(), QWidget()
        left, right = map(QVBoxLayout, sides)
        for column in (left, right):
            column.setContentsMargins(0, 0, 0, 0)
        left.addWidget(self.rules)
        left.addWidget(self.form)
        left.addStretch(1)
        right.addWidget(self.by)
        right.addLayout(self._slot)
        for line in (self.model, self.url, self.focus, self.own, self.workspace):
            right.addWidget(line)
        right.addStretch(1)
        inside = QWidget()
        self._row = QHBoxLayout(inside)
        for side in sides:
            self._row.addWidget(side, 1)
        self.setWidget(inside)
        self.restyle()
        look.changed.connect(self.restyle)

    def restyle(self) -> None:
        theme = self._look.theme
        inset = theme.px(INSET)
        self._row.setContentsMargins(inset, theme.px(8), inset, theme.px(12))
        self._row.setSpacing(theme.px(32))

    def show_desk(self, desk: Desk) -> None:
        self._desk = desk
        self.form.show_values(desk.settings, desk.base, ())
        open_ = desk.phase != "running"
        for name, row in self.form.rows.items():
            row.setVisible(name not in SAFEGUARD or desk.settings.mode == "safeguard")
            row.setEnabled(open_ and not (name == "floor" and desk.settings.mode == "pi"))
        self._show_own(desk, open_)
        texts = desk.texts
        self.focus.show_text(texts.focus or "")
        self.own.show_text(texts.own or "")
        self.model.show_text(desk.model)
        self.model.line.setPlaceholderText(desk.model_asked())
        self.url.show_text(desk.base_url)
        self.workspace.show_text(desk.workspace)
        self.workspace.setVisible(desk.settings.mode == "safeguard")
        self.own.setVisible(desk.settings.identifiers == "custom")
        for line in (self.model, self.url):
            line.setVisible(desk.leaves)

    def _show_own(self, desk: Desk, open_: bool) -> None:
        self.by.setText(say(summarizer(desk.summarizer).TITLE))
        form = self._own.get(desk.summarizer)
        if form is None:
            own = desk.own_settings(desk.summarizer)
            form = self._own[desk.summarizer] = SettingsForm(self._look, desk.summarizer, own)
            form.changed.connect(lambda name, value: self._change(lambda desk: desk.change_own(name, value)))
            form.restored.connect(self._restore_own)
            self._slot.addWidget(form)
        for name, other in self._own.items():
            other.setVisible(name == desk.summarizer)
        form.show_values(desk.own_settings(desk.summarizer), type(desk.own_settings(desk.summarizer))(), ())
        form.set_open(open_)

    # wishes

    def _change(self, change: Callable[[Desk], None]) -> None:
        if self._desk is not None:
            change(self._desk)
            self.changed.emit()

    def _restore(self, name: str) -> None:
        self._change(lambda desk: desk.change(name, getattr(desk.base, name)))

    def _restore_own(self, name: str) -> None:
        def restore(desk: Desk) -> None:
            default = type(desk.own_settings(desk.summarizer))()
            desk.change_own(name, getattr(default, name))

        self._change(restore)

    def _texts(self, **said: str) -> None:
        desk = self._desk
        if desk is None:
            return
        texts: Texts = replace(desk.texts, **{name: text.strip() or None for name, text in said.items()})
        if texts != desk.texts:
            desk.texts = texts
            self.changed.emit()

    def _set(self, name: str, text: str) -> None:
        if self._desk is not None and getattr(self._desk, name) != text.strip():
            setattr(self._desk, name, text.strip())
            self.changed.emit()
