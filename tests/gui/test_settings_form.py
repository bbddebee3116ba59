"""The form made from a layer's Settings: a row per field, values put in place, wishes out, the mark of a change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.layer import Gauge, layers
from core.layers import guard_context, limit_history
from core.phrase import LANGUAGES
from core.settings import choice, number, patterns, specs, switch
from gui import setting_words, translation
from gui.setting_rows import ChoiceRow, NumberRow, PatternsRow, SwitchRow
from gui.settings_form import SettingsForm
from gui.theme import Look

TOTAL = Gauge("total", 623_126, 600_000, "guard_chars", "share")


@dataclass(frozen=True, slots=True)
class Foreign:
    """Settings of a layer of a third party: no words in the catalogues."""

    how_much: int = number(5, 0, 10, unit="count", gauge="seen")
    side: str = choice("left", "left", "right")
    loud: bool = switch(True)
    tools: tuple[str, ...] = patterns("read")


Make = Callable[..., SettingsForm]


@pytest.fixture
def make(qtbot: QtBot) -> Make:
    def made(layer: str = "guard_context", settings: object = None, width: int = 340) -> SettingsForm:
        value = settings if settings is not None else guard_context.Settings()
        form = SettingsForm(Look("light"), layer, value)
        qtbot.addWidget(form)
        form.resize(width, 600)
        form.show_values(value, type(value)(), (TOTAL,))
        form.show()
        return form

    return made


def wishes(form: SettingsForm) -> list[tuple[str, object]]:
    heard: list[tuple[str, object]] = []
    form.changed.connect(lambda field, value: heard.append((field, value)))
    return heard


def test_a_row_for_every_field_in_order(make: Make) -> None:
    """Numbers, choices, switches and patterns, as the layer declares them."""
    form = make("foreign", Foreign())
    assert [type(row) for row in form.rows.values()] == [NumberRow, ChoiceRow, SwitchRow, PatternsRow]
    assert list(make().rows) == list(specs(guard_context.Settings))


def test_words_of_the_gauge(make: Make) -> None:
    """Title, what was measured, the value under its ring, the default."""
    row = make().rows["share"]
    assert isinstance(row, NumberRow)
    assert row.title.text() == "Budget"
    assert row.measured.text() == "Messages ◇623k of 600k guard chars"
    assert row.value.text() == "75\u202f% of the window × 4"
    assert row.default.text() == "default 75\u202f%"
    assert row.slider.measured == pytest.approx(0.75 * 623_126 / 600_000)
    assert row.slider.accessibleName() == "Budget"
    assert "623k" in row.slider.accessibleDescription()


def test_a_changed_setting_says_so_and_offers_the_way_back(make: Make) -> None:
    """Beside its title, and only then."""
    form = make()
    assert not form.rows["share"].restore.isVisible()
    changed = replace(guard_context.Settings(), share=0.6)
    form.show_values(changed, guard_context.Settings(), (TOTAL,))
    row = form.rows["share"]
    assert row.title.text() == "Budget · changed"
    assert row.restore.isVisible()
    asked: list[str] = []
    form.restored.connect(asked.append)
    row.restore.click()
    assert asked == ["share"]


def test_showing_values_asks_for_nothing(make: Make) -> None:
    """Putting values in place is not a wish."""
    form = make("foreign", Foreign())
    heard = wishes(form)
    form.show_values(Foreign(7, "right", False, ("a", "b")), Foreign(), ())
    assert heard == []


def test_wishes_of_each_kind(make: Make) -> None:
    """In the setting's own type."""
    form = make("foreign", Foreign())
    heard = wishes(form)
    number_row, choice_row, switch_row, patterns_row = form.rows.values()
    assert isinstance(number_row, NumberRow)
    assert isinstance(choice_row, ChoiceRow)
    assert isinstance(switch_row, SwitchRow)
    assert isinstance(patterns_row, PatternsRow)
    QTest.keyClick(number_row.slider, Qt.Key.Key_Right)
    QTest.keyClick(choice_row.parts, Qt.Key.Key_Right)
    QTest.keyClick(switch_row.box, Qt.Key.Key_Space)
    patterns_row.line.setFocus()
    patterns_row.line.setText("web_*, , exec")
    QTest.keyClick(patterns_row.line, Qt.Key.Key_Return)
    assert heard == [("how_much", 6), ("side", "right"), ("loud", False), ("tools", ("web_*", "exec"))]


def test_leaving_a_field_unchanged_asks_for_nothing(make: Make) -> None:
    form = make("foreign", Foreign())
    heard = wishes(form)
    row = form.rows["tools"]
    assert isinstance(row, PatternsRow)
    row.line.editingFinished.emit()
    assert heard == []


def test_a_choice_unfolds_where_it_does_not_fit(make: Make) -> None:
    """Joined parts beside the title, else a list: nothing is cut off in a narrow dock."""
    form = make()
    row = form.rows["order"]
    assert isinstance(row, ChoiceRow)
    assert row.parts.isVisible()
    assert not row.list.isVisible()
    form.resize(240, 600)
    QTest.qWait(1)
    assert not row.parts.isVisible()
    assert row.list.isVisible()
    heard = wishes(form)
    row.list.activated.emit(1)
    assert heard == [("order", "oldest")]


def test_a_number_is_not_cut_where_its_name_finds_no_room(make: Make) -> None:
    """Beside "Budget · changed" and the way back there is room for the number alone; without them for its name too."""
    form = make(width=330)
    row = form.rows["share"]
    assert row.measured.text() == "Messages ◇623k of 600k guard chars"
    changed = replace(guard_context.Settings(), share=0.5)
    form.show_values(changed, guard_context.Settings(), (TOTAL,))
    form.layout().activate()
    assert row.measured.text() == "◇623k of 600k guard chars"
    form.resize(520, 600)
    form.layout().activate()
    assert row.measured.text() == "Messages ◇623k of 600k guard chars"


def test_a_drag_tells_its_consequence_at_the_ring(make: Make) -> None:
    """In place of value and default, and only at the ring that is dragged."""
    form = make()
    form.tell("share", "empties 3 more results")
    row = form.rows["share"]
    assert isinstance(row, NumberRow)
    assert row.value.text() == "75\u202f% → empties 3 more results"
    assert not row.default.isVisible()
    other = form.rows["single_share"]
    assert isinstance(other, NumberRow)
    assert "→" not in other.value.text()
    form.tell("", "")
    assert row.value.text() == "75\u202f% of the window × 4"
    assert row.default.isVisible()


def test_a_drag_is_announced_with_its_field(make: Make) -> None:
    form = make()
    heard: list[object] = []
    form.grasped.connect(lambda field, again: heard.append((field, again)))
    form.released.connect(lambda: heard.append("released"))
    row = form.rows["share"]
    assert isinstance(row, NumberRow)
    QTest.mouseClick(row.slider, Qt.MouseButton.LeftButton, pos=QPoint(40, 12))
    assert heard == [("share", False), "released"]


def test_no_limit_has_a_word(make: Make) -> None:
    """0 turns is not "newest 0 turns"."""
    form = make("limit_history", limit_history.Settings())
    row = form.rows["turns"]
    assert isinstance(row, NumberRow)
    assert row.value.text() == "no limit"


def test_a_layer_that_is_off_cannot_be_set(make: Make) -> None:
    form = make()
    form.set_open(False)
    assert not any(row.isEnabled() for row in form.rows.values())


def test_unknown_settings_have_readable_names(make: Make) -> None:
    """A layer of a third party brings no words: its field names stand for them."""
    form = make("foreign", Foreign())
    assert form.rows["how_much"].name == "how much"
    assert form.rows["side"].help.text() == ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_setting_of_every_layer_has_its_words(language: str) -> None:
    """Title, help and the words of each option, in both languages; a version number is its own word."""
    translation.use(language)
    try:
        for name, layer in layers().items():
            for field, spec in specs(layer.Settings).items():
                assert setting_words.known(f"setting.{name}.{field}"), (name, field)
                assert setting_words.known(f"setting.{name}.{field}_help"), (name, field)
                words = setting_words.default_text(name, field, spec, spec.default)
                assert "{" not in words
                assert "(" not in words or "Phrase" not in words
    finally:
        translation.use("en")
