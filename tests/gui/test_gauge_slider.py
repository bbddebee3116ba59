"""GaugeSlider: where ring, fill and triangle stand, and every gesture that moves the ring."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QColor, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.settings import Number
from gui.gauge_slider import SNAP, GaugeSlider
from gui.theme import Look

SHARE = Number(0.75, 0.05, 1.0, "share", False, 0.01, "total")
TURNS = Number(0, 0, 10_000, "turns", True, 1, "turns")
Make = Callable[..., GaugeSlider]
LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def make(qtbot: QtBot) -> Make:
    """A slider of 332 pixels, ring and default at 0.75, 0.8 measured, unless told otherwise."""

    def made(spec: Number = SHARE, threshold: float = 0.75, default: float = 0.75, measured: float | None = 0.8):  # type: ignore[no-untyped-def]
        slider = GaugeSlider(Look("light"), spec)
        qtbot.addWidget(slider)
        slider.resize(332, 27)
        slider.show_values(threshold, default, measured)
        slider.heard = []  # type: ignore[attr-defined]
        slider.moved.connect(slider.heard.append)  # type: ignore[attr-defined]
        slider.show()
        return slider

    return made


def at(slider: GaugeSlider, value: float, aside: float = 0) -> QPoint:
    return QPoint(round(slider.x_of(value) + aside), 12)


def drag(slider: GaugeSlider, *places: QPoint, held: Qt.KeyboardModifier = NONE) -> None:
    QTest.mousePress(slider, LEFT, NONE, places[0])
    for place in places[1:]:
        move(slider, place, held)
    QTest.mouseRelease(slider, LEFT, NONE, places[-1])


def move(slider: GaugeSlider, place: QPoint, held: Qt.KeyboardModifier = NONE) -> None:
    """QTest's own mouseMove knows no modifiers."""
    event = QMouseEvent(QEvent.Type.MouseMove, QPointF(place), slider.mapToGlobal(QPointF(place)), LEFT, LEFT, held)
    QApplication.sendEvent(slider, event)


# values


def test_showing_tells_nothing(make: Make) -> None:
    """Only the person moves a threshold."""
    slider = make()
    slider.show_values(0.5, 0.75, 0.9)
    assert slider.threshold == 0.5
    assert slider.heard == []


def test_excess_is_what_was_measured_beyond_the_ring(make: Make) -> None:
    """Below the threshold there is none; without a measure neither."""
    assert make().excess == pytest.approx(0.05)
    assert make(measured=0.5).excess == 0
    assert make(measured=None).excess == 0


def test_the_track_reaches_as_far_below_the_default_as_above(make: Make) -> None:
    """50 % to 100 % around 75 %, so that 4 % too much are in sight."""
    slider = make()
    assert slider.low == pytest.approx(0.5)
    assert slider.x_of(0.5) < slider.x_of(0.75) < slider.x_of(1.0)
    assert slider.x_of(0.79) - slider.x_of(0.75) > 20


def test_a_value_below_opens_the_track(make: Make) -> None:
    """What is set is always on the track."""
    assert make(threshold=0.2).low == SHARE.low


def test_leaving_the_ring_at_the_beginning_opens_the_track(make: Make) -> None:
    """Home, and again Home: every value of the setting is within reach."""
    slider = make()
    QTest.keyClick(slider, Qt.Key.Key_Home)
    assert slider.threshold == pytest.approx(0.5)
    assert slider.low == SHARE.low
    QTest.keyClick(slider, Qt.Key.Key_Home)
    assert slider.threshold == pytest.approx(0.05)


def test_wide_ranges_are_logarithmic(make: Make) -> None:
    """Of 0 to 10,000 turns the first twenty take a good part of the track, and every place leads back to its value."""
    slider = make(TURNS, 20, 0, 34)
    assert slider.x_of(20) > slider.width() * 0.3
    for value in (0, 1, 5, 20, 300, 10_000):
        assert abs(slider.index_at(slider.x_of(value)) - value) <= 1


@pytest.mark.parametrize(("spec", "value"), [(SHARE, 0.6), (SHARE, 0.75), (SHARE, 1.0), (TURNS, 0), (TURNS, 10_000)])
def test_place_and_value_agree(make: Make, spec: Number, value: float) -> None:
    """A press on the place of a value gives that value."""
    slider = make(spec, value, spec.default, None)
    assert slider.value_at(slider.index_at(slider.x_of(value))) == pytest.approx(value)


# painting


def colours(slider: GaugeSlider) -> list[QColor]:
    picture = slider.grab().toImage()
    ratio = picture.devicePixelRatio()
    return [picture.pixelColor(round(x * ratio), round(12 * ratio)) for x in range(slider.width())]


def test_grey_to_the_ring_and_red_beyond(make: Make) -> None:
    """The fill is what was measured, the excess is red, the rest is empty."""
    slider = make(measured=0.9)
    theme = slider._look.theme
    row = colours(slider)
    assert row[round(slider.x_of(0.6))] == theme.system_text
    assert row[round(slider.x_of(0.85))] == theme.diff
    assert row[round(slider.x_of(0.97))] == theme.track


def test_a_small_excess_is_not_hidden_by_the_ring(make: Make) -> None:
    """One part in a thousand too much is still a mark beside the ring."""
    slider = make(measured=0.751)
    assert slider._look.theme.diff in colours(slider)
    assert make(measured=0.75)._look.theme.diff not in colours(make(measured=0.75))


# gestures


def test_keys(make: Make) -> None:
    """Arrows one step, Page ten, End the limit; each press is a gesture of its own."""
    slider = make()
    grasped: list[bool] = []
    slider.grasped.connect(grasped.append)
    for key, value in (
        (Qt.Key.Key_Left, 0.74),
        (Qt.Key.Key_Right, 0.75),
        (Qt.Key.Key_Up, 0.76),
        (Qt.Key.Key_PageDown, 0.66),
        (Qt.Key.Key_PageUp, 0.76),
        (Qt.Key.Key_End, 1.0),
    ):
        QTest.keyClick(slider, key)
        assert slider.threshold == pytest.approx(value)
    assert grasped == [False] * 6
    assert len(slider.heard) == 6


def test_a_repeating_key_continues_its_gesture(make: Make) -> None:
    """Held down for a while, it is one change."""
    slider = make()
    grasped: list[bool] = []
    slider.grasped.connect(grasped.append)
    for repeats in (False, True, True):
        event = QKeyEvent(QKeyEvent.Type.KeyPress, Qt.Key.Key_Left, NONE, "", repeats)
        QApplication.sendEvent(slider, event)
    assert grasped == [False, True, True]
    assert slider.threshold == pytest.approx(0.72)


def test_dragging_the_ring(make: Make) -> None:
    """The ring follows the pointer, grasped where it was pressed; values come while it moves."""
    slider = make()
    states: list[str] = []
    slider.grasped.connect(lambda _: states.append("grasped"))
    slider.released.connect(lambda: states.append("released"))
    drag(slider, at(slider, 0.75, 3), at(slider, 0.9, 3), at(slider, 0.95, 3))
    assert slider.threshold == pytest.approx(0.95)
    assert slider.heard == [pytest.approx(0.9), pytest.approx(0.95)]
    assert states == ["grasped", "released"]


def test_a_press_on_the_ring_moves_nothing(make: Make) -> None:
    """Even beside its middle."""
    slider = make()
    drag(slider, at(slider, 0.75, 5))
    assert slider.heard == []


def test_a_press_on_the_track_brings_the_ring(make: Make) -> None:
    """And drags on from there."""
    slider = make()
    drag(slider, at(slider, 0.6), at(slider, 0.65))
    assert slider.heard == [pytest.approx(0.6), pytest.approx(0.65)]


def test_snaps_to_the_default(make: Make) -> None:
    """Within six pixels of the triangle; a default between two steps is met exactly. Alt lets go of it."""
    slider = make(threshold=0.9, default=0.753)
    drag(slider, at(slider, 0.9), at(slider, 0.753, SNAP - 1))
    assert slider.threshold == 0.753
    slider.show_values(0.9, 0.753, 0.8)
    drag(slider, at(slider, 0.9), at(slider, 0.753, SNAP - 1), held=Qt.KeyboardModifier.AltModifier)
    assert slider.threshold != 0.753
    assert 0.753 < slider.threshold <= 0.77


def test_double_click_goes_to_the_default(make: Make) -> None:
    """It continues the gesture of its first press."""
    slider = make(threshold=0.9)
    grasped: list[bool] = []
    slider.grasped.connect(grasped.append)
    QTest.mouseClick(slider, LEFT, NONE, at(slider, 0.6))
    QTest.mouseDClick(slider, LEFT, NONE, at(slider, 0.6))
    assert slider.threshold == 0.75
    assert grasped[0] is False
    assert grasped[-1] is True


def test_the_wheel_is_for_scrolling(make: Make) -> None:
    """Nobody changes a threshold in passing."""
    slider = make()
    event = QWheelEvent(
        QPointF(50, 12), QPointF(50, 12), QPoint(), QPoint(0, 120), LEFT, NONE, Qt.ScrollPhase.NoScrollPhase, False
    )
    event.setAccepted(True)
    QApplication.sendEvent(slider, event)
    assert slider.heard == []
    assert not event.isAccepted()


def test_the_right_button_moves_nothing(make: Make) -> None:
    slider = make()
    QTest.mouseClick(slider, Qt.MouseButton.RightButton, NONE, at(slider, 0.6))
    assert slider.heard == []


def test_screen_readers_know_a_slider(make: Make) -> None:
    """With a role, a name and a value that can be asked."""
    slider = make()
    slider.setAccessibleName("Budget")
    found = QAccessible.queryAccessibleInterface(slider)
    assert found.role() == QAccessible.Role.Slider
    assert found.text(QAccessible.Text.Name) == "Budget"
    assert found.valueInterface() is not None
