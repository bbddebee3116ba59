"""Rows that are copied instead of painted look the same, and only rows that would look the same are copied."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from gui.painted_rows import MOST, PaintedRows

GROUND = QColor("#eeeeee")


def drawn(rows: PaintedRows, key: str, colour: str, calls: list[str], ratio: float = 1.0, top: int = 10) -> QImage:
    """A picture with one row, a bar of `colour`, at `top`; `calls` notes which rows were painted."""
    picture = QImage(round(60 * ratio), round(60 * ratio), QImage.Format.Format_RGB32)
    picture.setDevicePixelRatio(ratio)
    picture.fill("white")
    painter = QPainter(picture)

    def paint(inner: QPainter, rect: QRectF) -> None:
        assert rect.topLeft().isNull()
        calls.append(key)
        inner.fillRect(rect.adjusted(5, 5, -5, -5), QColor(colour))

    rows.draw(painter, QRectF(0, top, 60, 20), GROUND, key, None, paint)
    painter.end()
    return picture


def test_a_row_that_stays_is_painted_twice(qapp: object) -> None:
    """At first where it stands, then as a picture; from then on it is copied, and all of them are equal."""
    rows, calls = PaintedRows(), []
    first = drawn(rows, "a", "red", calls)
    assert rows.fresh
    rows.fresh = False
    picture, again = drawn(rows, "a", "red", calls), drawn(rows, "a", "red", calls)
    assert first == picture == again
    assert not rows.fresh
    assert calls == ["a", "a"]
    lower = drawn(rows, "a", "red", calls, top=30)
    assert lower.pixelColor(10, 40) == QColor("red")
    assert lower.pixelColor(10, 20) == QColor("white")
    assert calls == ["a", "a"]


def test_another_look_is_another_row(qapp: object) -> None:
    """Another key, or a sharper screen, is painted anew."""
    rows, calls = PaintedRows(), []
    drawn(rows, "a", "red", calls)
    assert drawn(rows, "b", "blue", calls).pixelColor(10, 20) == QColor("blue")
    assert drawn(rows, "a", "red", calls, ratio=2.0).pixelColor(20, 40) == QColor("red")
    assert calls == ["a", "b", "a"]


def test_between_two_pixels_nothing_is_copied(qapp: object) -> None:
    """At 150 % rows begin between two pixels: each is painted where it stands."""
    rows, calls = PaintedRows(), []
    for _ in range(2):
        assert drawn(rows, "a", "red", calls, ratio=1.5).pixelColor(20, 30) == QColor("red")
    assert calls == ["a", "a"]


def test_no_more_are_kept_than_some_screens_full(qapp: object) -> None:
    """The row not looked at for longest goes first."""
    rows, calls = PaintedRows(), []
    for number in range(MOST):
        drawn(rows, str(number), "red", calls)
        drawn(rows, str(number), "red", calls)
    drawn(rows, "0", "red", calls)
    for _ in range(2):
        drawn(rows, "new", "red", calls)
    calls.clear()
    drawn(rows, "0", "red", calls)
    drawn(rows, "1", "red", calls)
    assert calls == ["1"]
