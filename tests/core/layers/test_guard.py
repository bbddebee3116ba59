"""The tool-result guard as three layers in a row: every recorded case of layer b (and its pins in n) agrees."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import guard, guard_budget
from core.context import Origin
from core.layer import Outcome, StepContext, Target
from core.layers import guard_context, guard_overflow, guard_single
from core.messages import Message
from core.phrase import render
from core.prompt import Block, Blocks
from tests.reference.vectors import Case, assert_same, cases

SETTINGS = {
    "2026.4.5": (guard_single.Settings(), guard_context.Settings(), guard_overflow.Settings()),
    "2026.3.24": (
        guard_single.Settings(cut="head_full"),
        guard_context.Settings(order="oldest", first="placeholder", protect_latest_read=False),
        guard_overflow.Settings(),
    ),
    # 2026.4.14 has no budget pass, and its overflow limit knows no budget.
    "2026.4.14": (guard_single.Settings(cut="head_counting"), None, guard_overflow.Settings(budget_share=0.0)),
}
OVERFLOW = ("{{OVERFLOW_MESSAGE}}", "{{OVERFLOW_MESSAGE_414}}")


def context(window: float) -> StepContext:
    return StepContext(window=window, target=Target("anthropic", "anthropic-messages", "m", "anthropic"))  # type: ignore


def blocks_of(messages: list[object]) -> Blocks:
    return tuple(Block.of(Message.of(raw), Origin((row,))) for row, raw in enumerate(messages))


def run(version: str, blocks: Blocks, step: StepContext) -> tuple[Blocks, bool]:
    """(blocks after the layers, whether one of them raises the overflow error)."""
    for layer, settings in zip((guard_single, guard_context, guard_overflow), SETTINGS[version], strict=True):
        if settings is not None:
            outcome: Outcome = layer.apply(blocks, settings, step)
            if outcome.overflow:
                return outcome.blocks, True
            blocks = outcome.blocks
    return blocks, False


def spoken(value: object) -> object:
    """The recorded messages with our own notices of the recorded lengths in the place of the symbols."""
    if isinstance(value, str):
        value = value.replace("{{PREEMPTIVE_NOTICE}}", guard_budget.PREEMPTIVE_NOTICE)
        return re.sub(r"\{\{MORE_CHARS_NOTICE:(\d+)\}\}", lambda m: f"[... {m[1]} more characters truncated]", value)
    if isinstance(value, dict):
        return {key: spoken(item) for key, item in value.items()}
    if isinstance(value, list):
        return [spoken(item) for item in value]
    return value


@pytest.mark.parametrize("case", cases("toolResultContextGuard"))
def test_guard(case: Case) -> None:
    """Same decisions, same kept characters, same error, and the very blocks when there is nothing to do."""
    before = blocks_of(case.input["messages"])
    step = context(case.input["contextWindowTokens"])
    after, overflow = run(case.version, before, step)
    limits = case.output.get("limits")
    if limits is not None and "contextBudgetChars" in limits:
        assert guard.budget_limit(step.window, 0.75) == limits["contextBudgetChars"]
        assert guard.single_limit(step.window, 0.5) == limits["maxSingleToolResultChars"]
    assert overflow is (case.throws in OVERFLOW)
    if case.throws is not None:
        return
    if case.output["sameRef"] and not case.output.get("inputMutated"):
        assert after is before
    if "estimatedBefore" in case.output:
        assert guard.total(step, before) == case.output["estimatedBefore"]
        assert guard.total(step, after) == case.output["estimatedAfter"]
    assert_same([block.message.json() for block in after], spoken(case.output["messages"]))


def test_the_worked_example_of_article_1() -> None:
    """A 128k window: 384k characters for the context, 128k for one result."""
    assert guard.budget_limit(128_000, 0.75) == 384_000
    assert guard.single_limit(128_000, 0.5) == 128_000


def told(layer: object, sizes: list[int], settings: object, window: int) -> str:
    raw = [
        {
            "role": "toolResult",
            "toolCallId": "c",
            "toolName": "bash",
            "content": [{"type": "text", "text": "x\n" * size}],
        }
        for size in sizes
    ]
    found: Outcome = layer.apply(blocks_of(raw), settings, context(window))  # type: ignore[attr-defined]
    return render(found.why)


@pytest.mark.parametrize(
    ("order", "first", "window", "said"),
    [
        ("second_newest", "partial", 600, "cut 3 results, second-newest first."),
        ("second_newest", "partial", 300, "cut 3 and emptied 1 of the results, second-newest first."),
        ("oldest", "partial", 900, "cut 1 result, oldest first."),
        ("newest", "placeholder", 600, "emptied 2 results, newest first."),
        ("oldest", "placeholder", 900, "emptied 1 result, oldest first."),
    ],
)
def test_the_budget_says_what_it_did_and_where_it_began(order: str, first: str, window: int, said: str) -> None:
    """Cut and emptied are told apart, whatever the order is."""
    settings = guard_context.Settings(order=order, first=first, protect_latest_read=False)
    assert told(guard_context, [200] * 4, settings, window).endswith(said)


def test_a_result_whose_text_fits_is_not_said_to_be_cut() -> None:
    """Counted twice it is over the limit, its text alone is not: the head of 2026.3.24 takes all of it."""
    said = told(guard_single, [300], guard_single.Settings(cut="head_full"), 1_000)
    assert said == "Largest result 1k of 1k guard chars; its text alone fits, so nothing is cut."
    assert "kept" in told(guard_single, [300], guard_single.Settings(), 1_000)


messages = st.lists(
    st.one_of(
        st.builds(lambda n: {"role": "user", "content": "u" * n}, st.integers(0, 900)),
        st.builds(lambda n: {"role": "assistant", "content": [{"type": "text", "text": "a" * n}]}, st.integers(0, 900)),
        st.builds(
            lambda n, name, tail: {
                "role": "toolResult",
                "toolCallId": "c",
                "toolName": name,
                "content": [{"type": "text", "text": "line\n" * (n // 5) + tail}],
                "details": {"x": 1},
            },
            st.integers(0, 9000),
            st.sampled_from(["read", "bash"]),
            st.sampled_from(["", "Error: failed", "}"]),
        ),
    ),
    max_size=12,
)


@given(messages, st.integers(1, 9000), st.sampled_from(sorted(SETTINGS)))
def test_only_tool_results_are_touched(raw: list[object], window: int, version: str) -> None:
    """The guard neither drops nor moves nor changes anything but tool results, and leaves its input as it was."""
    before = blocks_of(raw)
    kept = [block.message.json() for block in before]
    after, _ = run(version, before, context(window))
    assert len(after) == len(before)
    for old, new in zip(before, after, strict=True):
        assert new is old or old.message.role == "toolResult"
        assert new.origin == old.origin
    assert [block.message.json() for block in before] == kept


@given(messages, st.integers(1, 9000), st.sampled_from(sorted(SETTINGS)))
def test_below_the_threshold_the_very_same_object(raw: list[object], window: int, version: str) -> None:
    """Nothing over its limit: identity, not merely equality."""
    before = blocks_of(raw)
    step = context(window)
    single = guard.single_limit(window, 0.5)
    fits = all(guard.chars(step, block) <= single for block in before if guard.is_result(block))
    if fits and guard.total(step, before) <= guard.budget_limit(window, 0.75):
        assert run(version, before, step)[0] is before
