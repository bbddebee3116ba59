"""Stacks as bars and as pictures: both show the same heights, in the colours of their levels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from gui.request_fill import Form, Level, Stack, gap_of, heights
from gui.request_series import columns

LOWER, UPPER = QColor("#CBB98A"), QColor("#B8659F")
HEIGHT, FULL = 50, 100.0


def painted(values: list[list[int]], width: int, levels: list[Level], scale: float = 1.0) -> QImage:
    """The stack of these cumulated values on a white ground, all requests on `width` logical pixels."""
    count = len(values[0])
    rect = QRectF(0, 0, width, HEIGHT)
    cols = columns(0.5, count + 0.5, width, count)
    stack = Stack(cols, [cols.largest(np.array(level)) for level in values], FULL, rect, levels)
    picture = QImage(round(width * scale), round(HEIGHT * scale), QImage.Format.Format_ARGB32)
    picture.setDevicePixelRatio(scale)
    picture.fill(QColor("white"))
    painter = QPainter(picture)
    stack.draw(painter)
    painter.end()
    return picture


def height_at(picture: QImage, x: int, colour: QColor) -> int:
    """Pixels of this colour in a column."""
    return sum(picture.pixelColor(x, y) == colour for y in range(picture.height()))


@given(
    st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=1, max_size=40), st.sampled_from([1, 2, 4, 9])
)
def test_every_width_shows_the_same_heights(qapp: object, parts: list[tuple[int, int]], pitch: int) -> None:
    """Law: at 1, 2, 4 (melted) and 9 (bars) pixels per request each request stands as high as its value says."""
    low, whole = [a for a, _ in parts], [a + b for a, b in parts]
    levels = [Level(Form.SOLID, LOWER), Level(Form.SOLID, UPPER)]
    picture = painted([low, whole], pitch * len(parts), levels)
    for index, (a, b) in enumerate(zip(low, whole, strict=True)):
        x = index * pitch
        below, above = heights(np.array([a, b]), FULL, HEIGHT).tolist()
        assert height_at(picture, x, LOWER) == below
        assert height_at(picture, x, UPPER) == above - below


@given(st.lists(st.integers(0, 100), min_size=50, max_size=400))
def test_a_crowd_is_as_high_as_its_highest(qapp: object, values: list[int]) -> None:
    """Law: several requests in one pixel: the tallest is seen."""
    picture = painted([values], 20, [Level(Form.SOLID, LOWER)])
    tallest = max(height_at(picture, x, LOWER) for x in range(20))
    assert tallest == heights(np.array([max(values)]), FULL, HEIGHT)[0]


@pytest.mark.parametrize("pitch", [1, 2, 4, 9])
@pytest.mark.parametrize("form", [Form.DOTTED, Form.HOLLOW])
def test_what_is_not_recorded_stays_hollow(qapp: object, form: Form, pitch: int) -> None:
    """An outline never becomes a filled area, however narrow the bars."""
    count = 36 // pitch
    level = Level(form, LOWER, width=1.0)
    picture = painted([[80] * count], count * pitch, [level])
    inked = sum(picture.pixelColor(x, y) == LOWER for x in range(picture.width()) for y in range(HEIGHT))
    whole = picture.width() * 40
    assert 0 < inked < whole / 2


@pytest.mark.parametrize("form", [Form.FALLING, Form.RISING])
def test_stripes_lean_their_way(qapp: object, form: Form) -> None:
    """The pattern is the meaning: a summary leans one way, what was written the other, also where bars melt."""
    picture = painted([[100] * 40], 40, [Level(form, LOWER, period=8, share=0.5)])
    row = [picture.pixelColor(x, 20) == LOWER for x in range(40)]
    below = [picture.pixelColor(x, 21) == LOWER for x in range(40)]
    shifted = row[1:] + row[:1] if form is Form.RISING else row[-1:] + row[:-1]
    assert below[4:-4] == shifted[4:-4]
    assert 0.4 <= sum(row) / 40 <= 0.6


@pytest.mark.parametrize("pitch", [1, 9])
def test_sharp_screens_get_sharp_bars(qapp: object, pitch: int) -> None:
    """At two device pixels per pixel the same picture is twice as fine, not blurred."""
    picture = painted([[60] * 10], 10 * pitch, [Level(Form.SOLID, LOWER)], scale=2.0)
    assert height_at(picture, 1, LOWER) == 60


def test_gaps_need_room() -> None:
    """Under three pixels a gap would eat the bar."""
    assert [gap_of(pitch) for pitch in (0.2, 2.9, 3, 11, 12, 40)] == [0, 0, 1, 1, 2, 2]


def test_no_requests_paint_nothing(qapp: object) -> None:
    """An empty path has no columns, and no crash."""
    cols = columns(0.5, 24.5, 100, 0)
    picture = QImage(10, 10, QImage.Format.Format_ARGB32)
    painter = QPainter(picture)
    Stack(cols, [np.zeros(0)], FULL, QRectF(0, 0, 100, HEIGHT), [Level(Form.SOLID, LOWER)]).draw(painter)
    painter.end()
