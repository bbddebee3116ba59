"""A threshold moves under the mouse: the layers below it run again and everything is repainted within 16 ms (95 of 100
times) for the guard and within 50 ms for the slowest layer.

10,000 messages of 25 MB, 3,000 of them tool results, one request that sends them all. Each slider is taken with the
mouse and dragged across a part of its track; measured is every move, from the event until the steps are up to date and
all views have painted. Beside it stands the gap of the same window when idle.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gui.gauge_slider import GaugeSlider
from tests.bench import files
from tests.bench.figure import Figure, Yardstick
from tests.bench.window import Desk, Took, both, desk, idle

POLICIES = ("article-1", "openclaw-2026.4.5")
GUARDS = ("guard_single", "guard_context", "guard_overflow")
MOVES = 60
GUARD_LIMIT, LIMIT = 16, 50
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def measure(place: Path) -> list[Figure]:
    path = files.write(place / "live.jsonl", files.LIVE)
    found = []
    with desk(place) as seen:
        seen.open(path)
        still = idle(seen, "p95")
        for policy in POLICIES:
            seen.timed(lambda name=policy: seen.state.choose(name))
            found += _drag_all(seen, policy, still)
    return found


def _drag_all(seen: Desk, policy: str, still: Yardstick) -> list[Figure]:
    figures = []
    for layer, instance, slider in _sliders(seen):
        moves = list(_drag(seen, slider))
        limit = GUARD_LIMIT if layer in GUARDS else LIMIT
        field = slider.accessibleName() or "threshold"
        figures += both(f"{policy}: {instance}, {field}", moves, "p95", limit, still)
    return figures


def _sliders(seen: Desk) -> Iterator[tuple[str, str, GaugeSlider]]:
    """(layer, instance, slider) of every threshold that stands on a slider, its step selected."""
    dock = seen.window.layers
    for instance in seen.state.profile.instances:
        seen.timed(lambda name=instance.name: dock.select(name))
        for slider in dock.detail.findChildren(GaugeSlider):
            if slider.isVisible() and slider.isEnabled():
                yield instance.layer, instance.name, slider


def _drag(seen: Desk, slider: GaugeSlider) -> Iterator[Took]:
    """The ring from where it stands to the middle of the track and back, one move at a time, as a hand would."""
    begin, middle = slider.x_of(slider.threshold), slider.width() / 2
    end = middle if abs(middle - begin) > 20 else slider.width() * 0.8
    height = 12
    seen.timed(lambda: QTest.mousePress(slider, LEFT, NONE, QPoint(round(begin), height)))
    for number in range(MOVES):
        share = (number + 1) / MOVES * 2
        x = begin + (end - begin) * (share if share <= 1 else 2 - share)
        yield seen.timed(lambda at=x: _move(slider, QPointF(at, height)))
    seen.timed(lambda: QTest.mouseRelease(slider, LEFT, NONE, QPoint(round(begin), height)))


def _move(slider: GaugeSlider, place: QPointF) -> None:
    """A move with the button held, sent as the window system would (QTest sends none with a button)."""
    there = slider.mapToGlobal(place)
    QApplication.sendEvent(
        slider, QMouseEvent(QEvent.Type.MouseMove, place, there, Qt.MouseButton.NoButton, LEFT, NONE)
    )
