"""Heights, ticks and axis labels: everything fits where it is put."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from gui.request_scale import axis_labels, rows, spread, step_for, ticks
from gui.theme import Theme


@given(st.integers(130, 2_000), st.sampled_from([80, 100, 125, 150, 200]))
def test_rows_fill_the_height(height: int, zoom: int) -> None:
    """Law: the rows take all of the height where it is enough for the least of them, and never less than that."""
    theme = Theme.of(False, zoom)
    found = rows(height, theme.px)
    whole = found.top + found.budget + found.lane + found.cache + found.gap + found.cost + found.axis + theme.px(4)
    least = theme.px(40) + theme.px(18) + theme.px(14)
    if height - (whole - found.budget - found.cache - found.cost) >= least:
        assert whole >= height
    assert found.budget >= theme.px(40)
    assert found.cache >= theme.px(18)
    assert found.cost >= theme.px(14)


def test_the_drawn_design_comes_out() -> None:
    """A dock of 300 with a title row of 36: budget 112 and more, cache 46, cost 32 and more (the mock-up's rows)."""
    found = rows(264, Theme.of(False).px)
    assert found.budget >= 112
    assert found.cache >= 46
    assert found.cost >= 32
    assert found.top + found.budget + found.lane + found.cache + found.gap + found.cost + found.axis + 4 == 264


@given(st.floats(1, 5e6))
def test_steps_are_round(least: float) -> None:
    """Law: 1, 2 or 5 and zeros, the smallest that is enough."""
    step = step_for(least)
    assert str(step).rstrip("0") in ("1", "2", "5")
    assert least <= step <= max(1, least * 2.5)


@given(st.integers(1_000, 3_000_000), st.integers(40, 800), st.sampled_from([0, 20_000, 16_384]))
def test_numbers_on_the_axis_do_not_collide(window: int, height: int, reserve: int) -> None:
    """Law: the window is always named, and no two numbers are nearer than digits are high."""
    full = window * 1.06
    limits = (window, window - reserve) if 0 < reserve < window else (window,)
    found = ticks(full, height, limits, 13)
    assert any(tick.at == window and tick.text for tick in found)
    named = sorted((height - tick.at / full * height, tick.strong) for tick in found if tick.text)
    limit_ys = spread([y for y, strong in named if strong], 11, 0)
    ys = sorted([y for y, strong in named if not strong] + limit_ys)
    assert all(high - low >= 10 for low, high in pairwise(ys))


@given(st.integers(1, 5_000), st.floats(0.05, 40), st.integers(0, 5_001))
def test_labels_under_the_plot_do_not_collide(count: int, pitch: float, point: int) -> None:
    """Law: numbers keep apart from each other and from the pill; the last request is named unless the pill is there."""

    def x_of(number: float) -> float:
        return (number - 0.5) * pitch

    held = (x_of(point) - 15, x_of(point) + 15) if 1 <= point <= count else None
    found = axis_labels((1, count, count), pitch, x_of, lambda text: 7.0 * len(text), held, "next", 5)
    spans = [(label.left, label.left + label.width) for label in found] + ([held] if held else [])
    spans.sort()
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    named = {label.number for label in found}
    assert count in named or (held is not None and held[0] - 25 <= x_of(count) <= held[1] + 25)
    assert count + 1 in named, "what would be sent next has room in the margin"


@given(st.lists(st.floats(0, 200), max_size=6).map(sorted), st.integers(1, 20), st.integers(0, 30))
def test_places_are_pushed_apart_no_further_than_needed(ys: list[float], apart: int, top: int) -> None:
    """Law: in order, `apart` from each other, none above the top; where all have room already, nothing moves."""
    found = spread(ys, apart, top)
    assert len(found) == len(ys)
    assert all(y >= top - 1e-9 for y in found)
    assert all(below - above >= apart - 1e-9 for above, below in pairwise(found))
    if all(y >= top for y in ys) and all(below - above >= apart for above, below in pairwise(ys)):
        assert all(abs(a - b) < 1e-9 for a, b in zip(found, ys, strict=True))


def test_a_crowd_moves_in_both_directions() -> None:
    """Three texts at one height: one above, one there, one below."""
    assert spread([50, 50, 50], 10, 0) == [40, 50, 60]
    assert spread([2, 3], 10, 0) == [0, 10]
    assert spread([98, 99], 10, 0, 100) == [90, 100]
