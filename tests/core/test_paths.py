"""Rows of a path: where they stand is the same whether they rise or not, and in whichever form they come."""

from __future__ import annotations

from array import array

from hypothesis import given
from hypothesis import strategies as st

from core.paths import Numbers, Places, as_array

PATHS = st.lists(st.integers(0, 40), unique=True, max_size=15)


@given(PATHS, st.booleans(), st.booleans())
def test_places(rows, rising, column):
    """As `index` says; None for what is not there."""
    path = sorted(rows) if rising else rows
    path = array("q", path) if column else tuple(path)
    assert as_array(path).tolist() == list(path)
    places, numbers = Places(path), Numbers(path)
    for row in range(-1, 42):
        at = list(path).index(row) if row in path else None
        assert places.of(row) == at
        assert numbers.get(row) == (None if at is None else at + 1)
        assert (row in numbers) == (at is not None)
        if at is not None:
            assert numbers[row] == at + 1
    assert places.all(list(path)) == list(range(len(path)))
