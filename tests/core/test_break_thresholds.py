"""Breaks under other thresholds: candidates are judged as the detectors judge, and every break is told once.

reads   0   5,000   4,900   3,800   10           share 0.95, at least 1,000 tokens
agent                               ▲  ▲         0.995, at least 50: three of them
"""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.break_thresholds import USUAL, Limits, candidates, shifts
from core.cache import breaks
from core.observation import Thresholds
from tests.core.test_cache import call, opened, user

__all__ = ["opened"]


@pytest.fixture
def session(opened):
    """Every request writes 100 tokens more than it needs; the reads are drawn above."""
    reads = (0, 5_000, 4_900, 3_800, 10)
    return opened(user(), *(call(minute, read, 5_100 - read) for minute, read in enumerate(reads)))


def told(rows):
    return [(row.candidate.found.request, sorted(row.before), sorted(row.after)) for row in rows]


def test_as_they_move(session):
    """A looser limit of the agent's finds one more; a limit beyond every drop finds none."""
    found = candidates(session, session.requests())
    both = ["agent", "ours"]
    usual = shifts(found, USUAL)
    assert told(usual.rows) == [(3, ["ours"], ["ours"]), (4, both, both), (5, both, both)]
    assert usual.appear.breaks == usual.vanish.breaks == 0
    loose = shifts(found, Limits(Thresholds(0.995, 50)))
    assert told(loose.rows)[0] == (3, ["ours"], both)
    strict = shifts(found, Limits(Thresholds(0.5, 5_000), 0.9))
    assert told(strict.rows) == [(3, ["ours"], []), (4, both, []), (5, both, ["ours"])]
    assert (strict.vanish.breaks, strict.after.breaks, strict.quiet) == (2, 1, len(found) - 3)


def test_money(session):
    """What vanished and what is left is what there was."""
    found = candidates(session, session.requests())
    moved = shifts(found, Limits(Thresholds(0.5, 5_000), 0.9))
    assert moved.before.cost == moved.after.cost + moved.vanish.cost - moved.appear.cost
    assert moved.after.cost == found[-1].found.cost > Decimal(0)


def test_the_first_request_is_none(session):
    """Nothing was there before it."""
    assert all(item.found.request > 1 for item in candidates(session, session.requests()))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.integers(0, 8_000), st.integers(0, 3_000)), min_size=1, max_size=8),
    st.floats(0.01, 1),
    st.integers(0, 4_000),
    st.floats(0, 0.99),
)
def test_judged_as_the_detectors_judge(opened, usage, share, tokens, ours):
    """Whatever the limits: the same breaks by the same detectors as when the session is looked through anew."""
    made = opened(*(call(minute, read, write) for minute, (read, write) in enumerate(usage)))
    requests = made.requests()
    limits = Limits(Thresholds(share, tokens), ours)
    anew = {item.request: item for item in breaks(made, requests, None, limits.agent, share=limits.ours)}
    judged = {row.candidate.found.request: row for row in shifts(candidates(made, requests), limits).rows if row.after}
    assert {number: row.after for number, row in judged.items()} == {n: item.detectors for n, item in anew.items()}
    for number, row in judged.items():
        assert (row.candidate.found.cost, row.candidate.found.cause) == (anew[number].cost, anew[number].cause)
