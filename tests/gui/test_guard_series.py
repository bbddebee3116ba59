"""The guard's counts as arrays: every request in its column, what was cut away on top, the axis above everything."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.guard_limits import limits
from core.guarded import Counted, Guarded
from core.profile import policy
from gui.guard_series import GuardShown, column, guard_ceiling, guard_series

NAMES = ("guard_context", "guard_overflow")
sizes = st.tuples(*[st.integers(0, 10**6)] * 4)
rows = st.lists(
    st.builds(Counted, sizes, sizes, st.integers(-500, 10**6), st.integers(0, 10**6), st.sampled_from(["", *NAMES])),
    max_size=8,
)


@given(rows, st.integers(0, 8))
def test_every_request_has_its_column(found: list[Counted], count: int) -> None:
    """Law: levels rise from the bottom up, end at what is left, then at that and what was cut; missing ones are 0."""
    series = guard_series(Guarded.of(found, NAMES), count)
    assert series.count == count
    for index in range(count + 1):
        tops = series.stack[:, index].tolist()
        if index >= len(found):
            assert tops == [0] * 5
            assert not series.stops[index]
            continue
        counted = found[index]
        assert tops == column(counted).tolist()
        assert tops == sorted(tops)
        assert tops[3] == counted.left
        assert tops[4] == counted.left + max(0, counted.cut)
        assert series.largest[index] == counted.largest
        assert series.stops[index] == bool(counted.stop)


@given(rows, st.integers(1_000, 10**6), st.floats(0.05, 1.5))
def test_everything_lies_below_the_end_of_the_axis(found: list[Counted], window: int, share: float) -> None:
    """Law: no bar and no line beyond it."""
    profile = policy("openclaw-2026.4.5").set("guard_overflow", share=round(share, 2))
    series = guard_series(Guarded.of(found, NAMES), len(found))
    lines = limits(profile, window)
    full = guard_ceiling(series, window * 4, lines)
    assert full > max(window * 4, series.peak, *(line.chars for line in lines))


def test_the_request_in_focus_is_told_before_the_others() -> None:
    """`tops`: of the inspection point as it is now, of the others as they were."""
    old, new = Counted((9, 0, 0, 0), (9, 0, 0, 0), 0, 9), Counted((9, 0, 0, 0), (4, 0, 0, 0), 5, 9)
    shown = GuardShown(guard_series(Guarded.of([old, old], NAMES), 1), (), 100, current=(1, new), stale=True)
    tops = [shown.tops(number) for number in (1, 2, 3)]
    assert [found.tolist() if found is not None else None for found in tops] == [[4, 4, 4, 4, 9], [9] * 5, None]
