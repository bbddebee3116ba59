"""Pass 2: the layers once more over what a compaction left, and what it all costs."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import counter as counting
from core import counts as tables
from core.assembled import assemble
from core.compaction import Settings, plan
from core.compaction_run import run as compact
from core.format import open_session
from core.models import Price
from core.payback import call_cost, payback
from core.profile import policy
from core.second_pass import second_pass
from core.steps import begin, run
from core.summarizer import Scene
from core.summarizers import extractive
from core.summarizing import Rules, Summarizing, Work
from core.timeline import build
from tests.core.test_summarizing import HISTORY

GUARD = Path(__file__).parent.parent.parent / "resources" / "samples" / "guard.jsonl"
PRICE = Price(Decimal(3), Decimal(15), Decimal("0.3"), Decimal("3.75"), Decimal(6))


@pytest.fixture(scope="module")
def guard():
    """The bundled sample whose last request overflows in spite of all cuts, and what its steps start from."""
    session = open_session(GUARD)
    counter = counting.make("recorded", session)
    counts = tables.count(session, counter)
    timeline = build(session, session.active_leaf, counts)
    profile = policy("openclaw-2026.4.5")
    assembled = assemble(session, timeline, counts, len(timeline.summaries))
    return session, begin(session, timeline, counts, assembled, profile, counter=counter), profile


def compacted(session, start, **settings):
    rows = [block.origin.rows[0] for block in start.assembled.blocks if block.origin.rows]
    path = session.path_to(rows[-1])
    found = plan(session, path, 200_000, Settings(**settings))
    assert found is not None
    return compact(session, found, extractive.make(extractive.Settings(), Scene()))


def test_a_compaction_ends_the_overflow(guard) -> None:
    """Pass 1 raises, pass 2 does not; the tail is made of the same blocks, with the sizes they had."""
    session, start, profile = guard
    first = run(start, profile)
    assert first.overflow
    done = compacted(session, start)
    second = second_pass(session, start, done, profile)
    assert not second.overflow
    before = {id(block) for block in start.assembled.blocks}
    came_in = second.steps[0].after
    assert came_in[0].message.role == "compactionSummary"
    assert all(id(block) in before for block in came_in[1:])
    assert 0 < second.steps[0].tokens_after < first.steps[0].tokens_after


def test_still_over(guard) -> None:
    """A tail that is too large is too large after the compaction as well: the agent gives up."""
    session, start, profile = guard
    done = compacted(session, start, keep=150_000)
    assert second_pass(session, start, done, profile.set("guard_overflow", share=0.05, budget_share=0.0)).overflow


def test_payback() -> None:
    """20,000 of 120,000 tokens stay: the break and the calls are paid for after some requests."""
    run_ = Summarizing(extractive.make(extractive.Settings(), Scene()).answer, Rules())
    run_.with_fallback(Work(HISTORY, 1_000, 20_000, 500))
    found = payback(120_000, 20_000, run_.calls, PRICE)
    assert found.reclaimed == 100_000
    assert found.calls == call_cost(run_.calls, PRICE) > 0
    assert found.broken == Decimal("0.069")
    assert found.saved == Decimal("0.03")
    assert found.requests == 3
    assert payback(1_000, 2_000, (), PRICE).requests is None


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_it_has_paid_after_so_many_requests_and_not_before(before: int, after: int) -> None:
    """What is saved until then covers what was spent; one request less would not."""
    found = payback(before, after, (), PRICE)
    if found.requests is None:
        assert before <= after
        return
    spent = found.calls + found.broken
    assert found.requests * found.saved >= spent
    assert found.requests == 0 or (found.requests - 1) * found.saved < spent
