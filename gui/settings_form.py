"""The settings of one layer as a form, made from their specs: gauges, switches, choices, patterns.

    Budget                    messages ◇623k of 600k guard chars
    ━━━━━━━━━━━━━━━━━━━━◯▒▒────────────
    75 % of the window × 4                         default 75 %

A form is built once per layer; moving a threshold only puts other values into the same widgets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.layer import Gauge
from core.settings import Choice, Number, Patterns, Spec, Switch, specs
from gui.setting_rows import ChoiceRow, NumberRow, PatternsRow, SettingRow, SwitchRow
from gui.theme import Look

ROWS: Mapping[type, type[SettingRow]] = {
    Number: NumberRow,
    Choice: ChoiceRow,
    Switch: SwitchRow,
    Patterns: PatternsRow,
}


class SettingsForm(QWidget):
    """`changed(field, value)`, `restored(field)`; `grasped(field, again)` and `released()` around a drag."""

    changed = Signal(str, object)
    restored = Signal(str)
    grasped = Signal(str, bool)
    released = Signal()

    def __init__(
        self,
        look: Look,
        layer: str,
        settings: object,
        parent: QWidget | None = None,
        known: Mapping[str, Spec] | None = None,
    ) -> None:
        """`known`: the fields to show, with limits that suit a slider where those of the rule are far apart."""
        super().__init__(parent)
        self.layer = layer
        self.kind = type(settings)
        self.rows: dict[str, SettingRow] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for name, spec in (specs(settings) if known is None else known).items():
            row = ROWS[type(spec)](look, layer, name, spec, self)
            row.chosen.connect(lambda value, field=name: self.changed.emit(field, value))
            row.restored.connect(lambda field=name: self.restored.emit(field))
            if isinstance(row, NumberRow):
                row.slider.grasped.connect(lambda again, field=name: self.grasped.emit(field, again))
                row.slider.released.connect(self.released)
            self.rows[name] = row
            column.addWidget(row)

    def show_values(self, settings: object, base: object, gauges: Sequence[Gauge]) -> None:
        """`base`: the same settings as they were chosen; `gauges`: what the step measured."""
        by_field = {gauge.setting: gauge for gauge in gauges if gauge.setting}
        for name, row in self.rows.items():
            row.show_value(getattr(settings, name), getattr(base, name), by_field.get(name))

    def tell(self, field: str, words: str) -> None:
        """The consequence of the drag under way, at its ring; "" ends it."""
        for name, row in self.rows.items():
            if isinstance(row, NumberRow):
                row.tell(words if name == field else "")

    def set_open(self, on: bool) -> None:
        """Whether the settings can be changed (not while the layer is switched off)."""
        for row in self.rows.values():
            row.setEnabled(on)
