"""Requests as arrays and as columns of pixels: nothing visible is lost, whatever the zoom."""

from __future__ import annotations

from array import array

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.leading_sizes import LeadingSizes
from gui.request_series import LEVELS, WIDE, Series, ceiling, columns, series, with_leading
from tests.gui.request_timeline import request, sample, timeline


@st.composite
def views(draw: st.DrawFn) -> tuple[float, float, float, int]:
    """(low, high, width, count): a range of x on some pixels, over some requests."""
    count = draw(st.integers(1, 3_000))
    low = draw(st.floats(0.5, count))
    span = draw(st.floats(0.5, count + 1))
    return low, low + span, draw(st.floats(1, 2_000)), count


@given(views())
def test_every_visible_request_is_in_exactly_one_column(view: tuple[float, float, float, int]) -> None:
    """Law: the columns cover the visible requests in order, without gap or overlap, each at least one pixel wide."""
    low, high, width, count = view
    cols = columns(low, high, width, count)
    seen = [n for n in range(1, count + 1) if n + 0.5 > low + 1e-9 and n - 0.5 < high - 1e-9]
    if seen:
        assert cols.first <= seen[0]
        assert cols.last >= seen[-1]
    if cols.last < cols.first:
        return
    assert cols.starts[0] == 0
    assert (np.diff(cols.starts) > 0).all()
    assert cols.starts[-1] <= cols.last - cols.first
    assert (cols.right > cols.left).all()
    assert (cols.left[1:] == cols.right[:-1]).all()


@given(views(), st.data())
def test_columns_keep_the_largest_and_the_smallest(view: tuple[float, float, float, int], data: st.DataObject) -> None:
    """Law: the highest prompt in sight is as high in its column, and the emptiest read as low: no break is hidden."""
    low, high, width, count = view
    cols = columns(low, high, width, count)
    if cols.last < cols.first:
        return
    values = np.array(data.draw(st.lists(st.integers(0, 10**9), min_size=count, max_size=count)), np.int64)
    seen = values[cols.first - 1 : cols.last]
    assert cols.largest(values).max() == seen.max()
    assert cols.smallest(values).min() == seen.min()
    for k, start in enumerate(cols.starts):  # and each column speaks of its own requests only
        stop = cols.starts[k + 1] if k + 1 < len(cols.starts) else len(seen)
        assert cols.largest(values)[k] == seen[start:stop].max()


@given(views())
def test_wide_requests_have_a_column_each(view: tuple[float, float, float, int]) -> None:
    """Law: from one pixel per request on there is a column per request; wide ones are bars of their own."""
    low, high, width, count = view
    cols = columns(low, high, width, count)
    if cols.pitch > 1.001 and cols.last >= cols.first:
        assert len(cols.left) == cols.last - cols.first + 1
    assert cols.single == (cols.pitch >= WIDE)


@given(st.integers(1, 50_000), st.integers(1, 900))
def test_no_more_columns_than_pixels(count: int, width: int) -> None:
    """Law: however many requests there are, what is painted is bounded by the width (and one column cut at an edge)."""
    assert len(columns(0.5, count + 0.5, width, count).left) <= width + 1


def test_the_stack_is_cumulated_from_the_bottom_up() -> None:
    """results, + summary, + assistant, + user, + not recorded; the top is the recorded prompt."""
    found = series(timeline([request(1, 0, 100), request(2, 100, 60, 40)], next_tokens=(10, 20, 30, 40)))
    assert found.stack.T.tolist() == [[50, 50, 75, 75, 100], [100, 100, 150, 150, 200]]
    assert found.cache.T.tolist() == [[0, 100, 100], [100, 160, 200]]
    assert found.next.tolist() == [10, 30, 60, 100, 150], "tools and system as in the last request"
    assert found.cost.tolist() == [0.01, 0.02]
    assert len(LEVELS) == len(found.stack)


def test_the_sample_adds_up_to_its_recorded_prompts() -> None:
    """Where the messages are estimated smaller than the recorded prompt, the stack is as high as that prompt."""
    whole = sample().timeline
    tops = series(whole).stack[-1].tolist()
    for top, summary in zip(tops, whole.summaries, strict=True):
        assert top == max(summary.request.usage.prompt, summary.messages)


def test_a_path_without_requests_has_only_what_would_be_sent_next() -> None:
    """No usage: empty arrays of the right form, and the budget of the messages."""
    found = series(timeline([], next_tokens=(1, 2, 3, 4)))
    assert found.count == 0
    assert found.stack.shape == (5, 0)
    assert found.next.tolist() == [1, 3, 6, 10, 10]
    assert found.peak == 10
    assert not found.uncached
    assert columns(0.5, 24.5, 600, 0).left.tolist() == []


@pytest.mark.parametrize(
    ("prompt", "window", "least", "most"),
    [(150_000, 200_000, 200_000, 220_000), (300_000, 200_000, 300_000, 330_000), (4_000, 200_000, 4_000, 8_000)],
)
def test_the_axis_ends_above_the_window_unless_prompts_are_tiny_or_larger(
    prompt: int, window: int, least: int, most: int
) -> None:
    """The window line is in the picture, except where it would press the bars flat."""
    assert least < ceiling(series(timeline([request(1, prompt, 0)], (0, 0, 0, 0))), window) <= most


@pytest.mark.parametrize(("uncached", "told"), [(0, False), (3, False), (500, True)])
def test_the_odd_uncached_token_is_not_worth_a_legend(uncached: int, told: bool) -> None:
    """A few tokens outside of the cache are in every request; a percent of the prompt is worth telling."""
    assert series(timeline([request(1, 10_000, 0, uncached)])).uncached is told


def test_tools_and_system_prompt_on_top() -> None:
    """Where traces tell them they lie on the messages, and only what they do not explain of the recorded size above
    them; sizes of another path change nothing."""
    plain = Series(
        2,
        np.array([[1, 2], [1, 2], [3, 4], [5, 6], [15, 9]]),
        np.zeros((3, 2), np.int64),
        np.zeros(2),
        np.array([1, 1, 1, 1, 9]),
    )
    told = with_leading(plain, LeadingSizes(array("q", [4, 2, 4]), array("q", [5, 3, 4])))
    assert told.levels[-3:] == ("system", "tools", "unrecorded")
    assert told.stack[-3:].tolist() == [[9, 8], [14, 11], [15, 11]]
    assert told.next.tolist() == [1, 1, 1, 1, 5, 9, 9]
    assert told.rest
    grown = with_leading(plain, LeadingSizes(array("q", [4, 2]), array("q", [5, 3])))
    assert grown.stack.tolist() == told.stack.tolist()
    assert grown.next.tolist() == [1, 1, 1, 1, 3, 6, 9]
    assert with_leading(plain, LeadingSizes(array("q", [4] * 4), array("q", [5] * 4))) is plain
    assert with_leading(told, LeadingSizes(array("q", [4, 2, 4]), array("q", [5, 3, 4]))) is told
