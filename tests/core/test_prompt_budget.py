"""What fills the window at a stage, in both units."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.estimate import guard_chars
from core.prompt_budget import GuardCounts, RoleSums, by_role
from tests.core.stepped import blocks, profile, reply, result, trace, user

SUMMARY = {"role": "compactionSummary", "summary": "All of it."}
TALK = [SUMMARY, user("go"), reply("I will", "a"), result("a", "x" * 1_800), reply("", "b"), result("b", "y" * 300)]


def test_by_role_in_any_unit() -> None:
    """toolResult, summary, assistant, user; a summary stays one when it is sent as a user's message."""
    assert by_role(blocks(TALK), (1, 10, 100, 1_000, 100, 1_000)) == (2_000, 1, 200, 10)
    done = trace(TALK, profile("provider_messages"))
    assert done.blocks[0].message.role == "user"
    assert by_role(done.blocks, (1, 10, 100, 1_000, 100, 1_000)) == (2_000, 1, 200, 10)


@given(
    st.lists(st.tuples(st.lists(st.integers(0, 5), min_size=3, max_size=8), st.integers(1, 50)), min_size=1, max_size=6)
)
def test_sums_kept_from_prompt_to_prompt(prompts: list[tuple[list[int], int]]) -> None:
    """Law: whatever was summed before, the sums are those of the prompt and sizes at hand."""
    pool, sums = blocks(TALK), RoleSums()
    for chosen, size in prompts:
        shown = tuple(pool[index] for index in chosen)
        sizes = tuple(size * (index + 1) for index in chosen)
        assert sums.of(shown, sizes) == by_role(shown, sizes)


def test_the_guard_counts_messages_results_twice_and_what_it_took() -> None:
    """Before the guard nothing is cut; behind it, and behind the conversion, what it left and what it took."""
    wanted = profile("strip_details", ("guard_context", {"share": 0.75}), "guard_overflow", "provider_messages")
    done = trace(TALK, wanted)
    counts = GuardCounts()
    whole = sum(guard_chars(block.message) for block in done.steps[0].after)
    before = counts.budget(done, 1, wanted, 1_000)
    assert (before.total, before.cut) == (whole, 0)
    assert (before.window, before.cuts, before.stops) == (4_000, 3_000, 3_600)
    after = counts.budget(done, 2, wanted, 1_000)
    assert after.cut > 0
    assert after.total + after.cut == whole
    assert after.total <= 3_000
    assert counts.budget(done, len(done.steps) - 1, wanted, 1_000) == after
    assert after.sizes[1] == 256


def test_lines_only_where_a_step_draws_them() -> None:
    """A guard that is off, or does not check for overflow, has no line."""
    wanted = profile("guard_context", ("guard_overflow", {"raises": False})).switch("guard_context", False)
    found = GuardCounts().budget(trace(TALK, wanted), 0, wanted, 1_000)
    assert (found.cuts, found.stops) == (None, None)
