"""Least squares with a prior: exact on exact data, unmoved by outliers, honest about what is left out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.regression import dot, fit

PRIOR = (1.0, 2.0, 10.0)


def observations(count: int, truth, noise=lambda i: 0.0):
    """Observations whose rows are no multiples of each other."""
    xs = [(float(7 * i % 13 + 1), float(5 * i % 11), 1.0) for i in range(count)]
    ys = [dot(x, truth) + noise(i) for i, x in enumerate(xs)]
    return xs, ys, [max(20.0, y) for y in ys]


@given(st.tuples(st.floats(0.3, 3), st.floats(0.5, 6), st.floats(3, 30)))
def test_many_exact_observations_overrule_the_prior(truth):
    """Four hundred observations without noise give the coefficients they were made with, and no errors."""
    found = fit(*observations(400, truth), PRIOR)
    assert found.coefficients == pytest.approx(truth, rel=0.03, abs=0.06)
    assert max(map(abs, found.errors)) < 1


def test_nothing_to_learn_from():
    """Without observations the prior stands."""
    found = fit([], [], [], PRIOR)
    assert found.coefficients == pytest.approx(PRIOR)
    assert (found.errors, found.kept) == ((), b"")


def test_what_is_never_seen_stays_at_its_prior():
    """A trait that no observation has keeps its coefficient."""
    xs, ys, sizes = observations(30, (1.5, 0.0, 8.0))
    found = fit([(x[0], 0.0, x[2]) for x in xs], ys, sizes, PRIOR)
    assert found.coefficients[1] == pytest.approx(2.0)


def test_outliers_take_no_part():
    """Every eighth observation is far off: left out, and the rest still give the truth."""
    truth = (1.2, 2.5, 12.0)
    xs, ys, sizes = observations(64, truth, lambda i: 400.0 if i % 8 == 0 else 0.0)
    found = fit(xs, ys, [min(size, 60.0) for size in sizes], PRIOR)
    assert [i for i, kept in enumerate(found.kept) if not kept] == list(range(0, 64, 8))
    assert found.coefficients == pytest.approx(truth, rel=0.05)
    assert all(found.errors[i] == pytest.approx(400, rel=0.05) for i in range(0, 64, 8))


@given(st.lists(st.floats(-6, 6), min_size=12, max_size=20), st.integers(0, 11))
def test_the_error_left_out_is_that_of_a_fit_without_it(noise, index):
    """residual / (1 − leverage) equals what a second fit without the observation gives."""
    xs, ys, _ = observations(len(noise), (1.2, 2.5, 12.0), lambda i: noise[i])
    sizes = [200.0] * len(ys)  # errors stay small against this: nothing is an outlier
    whole = fit(xs, ys, sizes, PRIOR)
    rest = [i for i in range(len(xs)) if i != index]
    without = fit([xs[i] for i in rest], [ys[i] for i in rest], [sizes[i] for i in rest], PRIOR)
    if all(whole.kept) and all(without.kept):
        assert whole.errors[index] == pytest.approx(ys[index] - dot(xs[index], without.coefficients), abs=1e-6)
