"""One setting each: a threshold with its gauge, a choice, a switch, patterns. Values come in, wishes go out."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.layer import Gauge
from core.phrase import phrase
from core.settings import Choice, Number, Patterns, Spec
from gui import icons, setting_words
from gui.gauge_slider import GaugeSlider
from gui.paint import width_of
from gui.plain_label import PlainLabel
from gui.segmented import Segmented
from gui.theme import Look
from gui.translation import say


class SettingRow(QWidget):
    """Head with the title, a mark when it is not as chosen, and a button that brings that back; then the control."""

    chosen = Signal(object)
    restored = Signal()

    def __init__(self, look: Look, layer: str, field: str, spec: Spec, parent: QWidget) -> None:
        super().__init__(parent)
        self.look, self.layer, self.field, self.spec = look, layer, field, spec
        self.name = setting_words.title(layer, field)
        self.title = PlainLabel(look, "body", 600)
        self.title.setText(self.name)
        self.restore = QToolButton()
        words = say(phrase("dock.reset_setting", name=self.name))
        self.restore.setAccessibleName(words)
        self.restore.setToolTip(words)
        self.restore.clicked.connect(self.restored)
        self.help = PlainLabel(look, "secondary", tone="hint", wrap=True)
        self.help.setText(setting_words.help_text(layer, field))
        if not self.help.text():  # made visible without a parent it would be a window for a moment
            self.help.hide()
        self.head = QHBoxLayout()
        self.head.setContentsMargins(0, 0, 0, 0)
        self.head.addWidget(self.title)
        self.head.addWidget(self.restore)
        self.column = QVBoxLayout(self)
        self.column.addLayout(self.head)
        self.restyle()
        look.changed.connect(self.restyle)

    def restyle(self) -> None:
        theme = self.look.theme
        self.column.setContentsMargins(0, theme.px(6), 0, theme.px(6))
        self.column.setSpacing(theme.px(2))
        self.head.setSpacing(theme.px(6))
        self.restore.setIcon(icons.qicon("rotate-ccw", theme.px(14), theme.accent))
        self.restore.setIconSize(QSize(theme.px(14), theme.px(14)))
        self.restore.setFixedSize(theme.px(28), theme.px(24))

    def show_value(self, value: object, base: object, gauge: Gauge | None) -> None:
        """`base`: as chosen. Subclasses put `value` into their control."""
        changed = value != base
        self.restore.setVisible(changed)
        self.title.setText(say(phrase("dock.changed_setting", name=self.name)) if changed else self.name)


class NumberRow(SettingRow):
    """A slider that is the gauge, its value in words, the default; while dragging the consequence instead."""

    spec: Number

    def __init__(self, look: Look, layer: str, field: str, spec: Number, parent: QWidget) -> None:
        super().__init__(look, layer, field, spec, parent)
        self.measured = PlainLabel(look, "secondary", tone="quiet", shrinks=True)
        self.measured.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.head.addWidget(self.measured, 1)
        self.slider = GaugeSlider(look, spec)
        self.slider.setAccessibleName(self.name)
        self.value = PlainLabel(look, "secondary", 600, tone="accent", shrinks=True)
        self.default = PlainLabel(look, "secondary", tone="hint")
        foot = QHBoxLayout()
        foot.setContentsMargins(0, 0, 0, 0)
        foot.addWidget(self.value, 1)
        foot.addWidget(self.default)
        self.column.addWidget(self.slider)
        self.column.addLayout(foot)
        self.column.addWidget(self.help)
        self.slider.moved.connect(lambda value: self.chosen.emit(value))
        self._value = spec.default
        self._told = ""
        self._gauge: Gauge | None = None

    def show_value(self, value: object, base: object, gauge: Gauge | None) -> None:
        super().show_value(value, base, gauge)
        assert isinstance(value, int | float)
        assert isinstance(base, int | float)
        self._value = value
        measured = setting_words.measured_in(self.spec, gauge, value) if gauge is not None else None
        self.slider.show_values(value, base, measured)
        self._gauge = gauge
        self._fit()
        self.default.setText(setting_words.default_text(self.layer, self.field, self.spec, base))
        self._tell()

    def _fit(self) -> None:
        """What was measured, without its name where that leaves no room for the number."""
        if self._gauge is None:
            self.measured.setText("")
            return
        room = self.width() - self.title.sizeHint().width() - self.head.spacing()
        room -= self.restore.width() + self.head.spacing() if self.restore.isVisibleTo(self) else 0
        words = setting_words.measured_text(self.layer, self._gauge)
        if self.isVisible() and width_of(words, self.measured.font()) > room:
            words = setting_words.measured_text(self.layer, self._gauge, bare=True)
        self.measured.setText(words)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()

    def tell(self, words: str) -> None:
        """The consequence of the drag under way; "" = none."""
        if words != self._told:
            self._told = words
            self._tell()

    def _tell(self) -> None:
        words = setting_words.value_text(self.layer, self.field, self.spec, self._value)
        short = setting_words.plain_value(self.spec, self._value)
        self.value.setText(say(phrase("dock.consequence", value=short, what=self._told)) if self._told else words)
        self.default.setVisible(not self._told)
        self.slider.setAccessibleDescription(", ".join(filter(None, (words, self.measured.text(), self._told))))


class ChoiceRow(SettingRow):
    """Joined parts where they fit beside the title or below it, else a list to unfold."""

    spec: Choice

    def __init__(self, look: Look, layer: str, field: str, spec: Choice, parent: QWidget) -> None:
        super().__init__(look, layer, field, spec, parent)
        self._labels = [setting_words.option(layer, field, value) for value in spec.options]
        self.parts = Segmented(look, self.name, self)
        self.parts.show_parts(self._labels, 0)
        self.parts.chosen.connect(self._choose)
        self.list = QComboBox(self)
        self.list.setAccessibleName(self.name)
        self.list.addItems(self._labels)
        self.list.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.list.setMinimumContentsLength(8)
        self.list.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.list.activated.connect(self._choose)
        self.list.wheelEvent = lambda event: event.ignore()  # type: ignore[method-assign]
        self.head.addStretch(1)
        self.head.addWidget(self.parts)
        self.column.addWidget(self.list)
        self.column.addWidget(self.help)
        self._arrange()

    def _choose(self, index: int) -> None:
        self.chosen.emit(self.spec.options[index])

    def show_value(self, value: object, base: object, gauge: Gauge | None) -> None:
        changed = self.restore.isVisibleTo(self)
        super().show_value(value, base, gauge)
        index = self.spec.options.index(str(value))
        if index != self.list.currentIndex() or index != self.parts.current:
            self.list.setCurrentIndex(index)
            self.parts.show_parts(self._labels, index)
        if changed != self.restore.isVisibleTo(self):
            self._arrange()

    def _arrange(self) -> None:
        room = self.width() - self.title.sizeHint().width() - self.look.theme.px(16)
        room -= self.restore.width() if self.restore.isVisibleTo(self) else 0
        fits = len(self._labels) > 1 and self.parts.sizeHint().width() <= room
        self.parts.setVisible(fits)
        self.list.setVisible(not fits)

    def minimumSizeHint(self) -> QSize:
        """As narrow as the list to unfold: the joined parts give way to it."""
        return QSize(self.look.theme.px(120), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()


class SwitchRow(SettingRow):
    def __init__(self, look: Look, layer: str, field: str, spec: Spec, parent: QWidget) -> None:
        super().__init__(look, layer, field, spec, parent)
        self.box = QCheckBox()
        self.box.setAccessibleName(self.name)
        self.box.clicked.connect(lambda on: self.chosen.emit(on))
        self.head.addStretch(1)
        self.head.addWidget(self.box)
        self.column.addWidget(self.help)

    def show_value(self, value: object, base: object, gauge: Gauge | None) -> None:
        super().show_value(value, base, gauge)
        self.box.setChecked(bool(value))


class PatternsRow(SettingRow):
    """Tool names with `*`, separated by commas; what is typed holds from Enter or from leaving the field."""

    spec: Patterns

    def __init__(self, look: Look, layer: str, field: str, spec: Patterns, parent: QWidget) -> None:
        super().__init__(look, layer, field, spec, parent)
        self.line = QLineEdit()
        self.line.setAccessibleName(self.name)
        self.line.setPlaceholderText(say(phrase("dock.patterns_none")))
        self.line.editingFinished.connect(self._finish)
        self.head.addStretch(1)
        self.column.addWidget(self.line)
        self.column.addWidget(self.help)
        self._shown: tuple[str, ...] = ()

    def _finish(self) -> None:
        wanted = tuple(part.strip() for part in self.line.text().split(",") if part.strip())
        if wanted != self._shown:
            self.chosen.emit(wanted)

    def show_value(self, value: object, base: object, gauge: Gauge | None) -> None:
        super().show_value(value, base, gauge)
        assert isinstance(value, tuple)
        if value != self._shown or not self.line.hasFocus():
            self._shown = value
            self.line.setText(", ".join(value))
