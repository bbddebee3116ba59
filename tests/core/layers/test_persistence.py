"""Guard and cap on writing as steps: the functions that write, and a mark that says they change the file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import persistence
from core.context import Origin
from core.layer import StepContext, Target, layers
from core.layers import hard_cap, persist_guard
from core.messages import Message
from core.pairing import result_id
from core.prompt import Block, Blocks
from tests.core.test_persistence import NOW, called, many, result, sequences, spoken, user
from tests.reference.vectors import Case, assert_same, cases

STEP = StepContext(window=200_000, target=Target("anthropic", "anthropic-messages", "m", "anthropic"), now=NOW)


def blocks_of(*messages: Message) -> Blocks:
    return tuple(Block.of(message, Origin((row,))) for row, message in enumerate(messages))


def test_the_marks() -> None:
    """Soft pruning changes one request, hard pruning the file."""
    marks = {id: layer.MARK for id, layer in layers().items()}
    assert {id for id, mark in marks.items() if mark == "file"} == {"hard_cap", "persist_guard"}
    assert set(marks.values()) == {"request", "file"}


@pytest.mark.parametrize("case", cases("capToolResultSize"))
def test_the_cap_as_a_step(case: Case) -> None:
    """The recorded caps, and the very blocks when nothing is over."""
    before = blocks_of(Message.of(case.input["message"]))
    settings = hard_cap.Settings(most=persistence.CAPS[case.version])
    after = hard_cap.apply(before, settings, STEP).blocks
    assert (after is before) is case.output["sameRef"]
    assert_same(after[0].message.json(), spoken(case.output["message"]))


@pytest.mark.parametrize("case", cases("sessionToolResultGuard"))
def test_the_guard_as_a_step(case: Case) -> None:
    """Guard and cap, one after the other, give what the agent writes in one go."""
    given = case.input["options"]
    settings = persist_guard.Settings(
        invent=given.get("allowSyntheticToolResults", True),
        at_end=case.input["flushAtEnd"],
        allowed=tuple(given.get("allowedToolNames") or ()),
    )
    before = blocks_of(*map(Message.of, case.input["appends"]))
    written = persist_guard.apply(before, settings, STEP).blocks
    after = hard_cap.apply(written, hard_cap.Settings(), STEP).blocks
    assert_same([block.message.json() for block in after], spoken(case.output["persisted"]))


def test_what_is_said_of_a_cap() -> None:
    """One result that fits afterwards, one of many blocks that does not."""
    before = blocks_of(user(), many(90_000), many(*[3_000] * 40))
    outcome = hard_cap.apply(before, hard_cap.Settings(), STEP)
    assert [outcome.reasons[block].id for block in before[1:]] == ["layer.hard_cap.cut", "layer.hard_cap.still_over"]
    assert outcome.why.id == "layer.also"
    assert outcome.gauges[0].value == 120_000


def test_a_cap_that_cuts_nothing_is_quiet() -> None:
    """Over the cap, but every block is within its minimum: the very blocks."""
    before = blocks_of(many(*[2_000] * 30))
    outcome = hard_cap.apply(before, hard_cap.Settings(), STEP)
    assert outcome.blocks is before
    assert outcome.why.id == "layer.hard_cap.quiet"


def test_the_cap_by_window() -> None:
    """2026.9: the same result, cut to 16,000, 32,000 or 64,000 by the window alone."""
    before = blocks_of(many(90_000))
    settings = hard_cap.Settings(by_window=True, notice="count")
    for window, most in ((50_000, 16_000), (150_000, 32_000), (200_000, 64_000)):
        step = StepContext(window=window, target=STEP.target)
        outcome = hard_cap.apply(before, settings, step)
        assert persistence.text_chars(outcome.blocks[0].message) == most
        assert [note.id for note in outcome.notes] == ["layer.from_reports"]


def test_what_is_said_of_the_guard() -> None:
    """Every deed has its reason, also a made-up result and a reply that is not written."""
    before = blocks_of(called("a"), result("a"), called("b", "c"), user(), called("d", name="no name"))
    outcome = persist_guard.apply(before, persist_guard.Settings(), STEP)
    made = [block for block in outcome.blocks if block.origin.made_by == "persist_guard"]
    assert [result_id(block.message) for block in made] == ["b", "c"]
    assert outcome.reasons[before[4]].id == "layer.persist_guard.dropped"
    assert outcome.reasons[before[1]].id == "layer.persist_guard.named"
    assert all(block in outcome.reasons for block in made)


@given(sequences)
def test_writing_twice_is_writing_once(messages: list[Message]) -> None:
    """Idempotent: what was written is written as it is. (Strays are persisted too, so they change nothing.)"""
    settings = persist_guard.Settings(at_end=True)
    once = persist_guard.apply(blocks_of(*messages), settings, STEP).blocks
    assert persist_guard.apply(once, settings, STEP).blocks is once


@given(st.lists(st.integers(0, 5_000), min_size=1, max_size=4), st.integers(1_000, 8_000), st.integers(2_000, 3_000))
def test_the_cap_never_makes_a_result_longer(sizes: list[int], most: int, keep: int) -> None:
    """Cut blocks shrink, or are left alone: a block is cut only when it is over its minimum and the notice."""
    before = blocks_of(many(*sizes))
    after = hard_cap.apply(before, hard_cap.Settings(most=most, min_keep=keep), STEP).blocks
    assert persistence.text_chars(after[0].message) <= sum(sizes)
