"""Rectangles in proportion to numbers: they fill the frame, and none lies over another."""

from __future__ import annotations

import math
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from core.treemap import Rect, squarified

sides = st.floats(1, 2_000)


@given(st.lists(st.integers(0, 10**6), max_size=12), sides, sides)
def test_areas_fill_the_frame(weights, width, height):
    """Each area in proportion, all inside, none over another; what weighs nothing has no area."""
    frame = Rect(10, 20, width, height)
    found = squarified(weights, frame)
    whole = sum(weights)
    for weight, rect in zip(weights, found, strict=True):
        expected = weight / whole * width * height if whole else 0
        assert math.isclose(rect.width * rect.height, expected, rel_tol=1e-6, abs_tol=1e-6 * width * height)
        slack = 1e-9 * max(width, height)
        assert rect.x >= 10 - slack
        assert rect.y >= 20 - slack
        assert rect.x + rect.width <= 10 + width + slack
        assert rect.y + rect.height <= 20 + height + slack
    for one, other in combinations([rect for rect in found if rect.width * rect.height > 0], 2):
        across = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
        down = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
        assert min(across, down) <= 1e-6 * max(width, height)


def test_the_example_of_the_paper():
    """6 6 4 3 2 2 1 on 6 × 4: two columns of 6, as the authors draw it; no rectangle narrower than 1 : 2.8."""
    found = squarified([6, 6, 4, 3, 2, 2, 1], Rect(0, 0, 6, 4))
    assert found[:2] == (Rect(0, 0, 3, 2), Rect(0, 2, 3, 2))
    assert found[2].x == 3
    assert max(max(rect.width / rect.height, rect.height / rect.width) for rect in found) < 2.8


def test_nothing_to_draw():
    """No weight, or no frame: rectangles without area, one for each."""
    assert squarified([], Rect(0, 0, 5, 5)) == ()
    assert squarified([0, -3], Rect(1, 2, 5, 5)) == (Rect(1, 2, 0, 0),) * 2
    assert squarified([1], Rect(0, 0, 0, 5)) == (Rect(0, 0, 0, 0),)
    assert squarified([1e30, 1e-30], Rect(0, 0, 5, 5))[1] == (0, 0, 0, 0)
    assert squarified([7], Rect(0, 0, 4, 5)) == (Rect(0, 0, 4, 5),)
