"""The lines of the guard: which a profile has, where they lie, and what a place on the axis means as a setting."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import guard
from core.guard_limits import chars_of, guards, limits, share_of
from core.profile import policies, policy

OURS = policy("openclaw-2026.4.5")


def kinds(profile, window=200_000):
    return {limit.kind: limit for limit in limits(profile, window)}


def test_the_three_lines_of_the_recorded_agent():
    """Window 200,000: one result 200k, cuts above 600k, error above 720k, of 800k guard characters."""
    found = kinds(OURS)
    assert {kind: (limit.share, limit.chars) for kind, limit in found.items()} == {
        "single": (0.5, 200_000),
        "cuts": (0.75, 600_000),
        "stops": (0.9, 720_000),
    }
    assert [limit.instance for limit in found.values()] == ["guard_single", "guard_context", "guard_overflow"]


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("pi", []),
        ("none", []),
        ("openclaw-2026.4.14", ["single", "stops"]),
        ("article-2", ["single", "cuts"]),
        ("article-1", ["single", "cuts", "stops"]),
    ],
)
def test_a_line_for_each_step_that_does_something(name, wanted):
    """No budget pass, no line that cuts; an agent that does not check has no line for the error."""
    assert list(kinds(policy(name))) == wanted
    assert bool(guards(policy(name))) == bool(wanted)


def test_a_step_that_is_off_has_no_line():
    """Neither line nor guard."""
    off = OURS
    for name in ("guard_single", "guard_context", "guard_overflow"):
        off = off.switch(name, False)
        assert name not in [limit.instance for limit in limits(off, 200_000)]
    assert guards(off) == ()


def test_the_error_is_never_below_the_budget_that_it_names():
    """The overflow limit has the context budget as its floor."""
    low = kinds(OURS.set("guard_overflow", share=0.5))["stops"]
    assert (low.share, low.chars, low.floor) == (0.5, 600_000, 0.75)


def test_of_two_steps_of_a_kind_the_last_one_counts():
    """As the bar of the prompt has it."""
    twice = replace(OURS.instance("guard_context"), name="guard_context#2")
    profile = replace(OURS, instances=(*OURS.instances, twice)).set("guard_context#2", share=0.6)
    assert kinds(profile)["cuts"].instance == "guard_context#2"
    assert kinds(profile.switch("guard_context#2", False))["cuts"].instance == "guard_context"


@given(st.sampled_from(["single", "cuts", "stops"]), st.integers(20_000, 2_000_000), st.integers(5, 100))
def test_a_place_on_the_axis_and_its_share_are_one(kind, window, percent):
    """There and back within one character."""
    share = percent / 100
    chars = chars_of(kind, window, share)
    assert abs(share_of(kind, window, chars) - share) <= 1 / (2 * window)
    assert chars >= guard.LEAST


@pytest.mark.parametrize("name", policies())
def test_every_policy_can_be_asked(name):
    """With a tiny window too: no line is below the least limit of the agent."""
    assert all(limit.chars >= guard.LEAST for limit in limits(policies()[name], 1))
