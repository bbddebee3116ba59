"""What providers take out by themselves: triggers, what is kept, what comes free. By their documentation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import server_edits
from core.context import Origin
from core.layer import Outcome, StepContext, Target
from core.layers import provider_edits
from core.layers.provider_edits import Settings
from core.messages import Message
from core.pairing import calls
from core.prompt import Block, Blocks

WINDOW = 200_000


def block(row: int, raw: dict[str, object]) -> Block:
    return Block.of(Message.of(raw), Origin((row,)))


def user(row: int) -> Block:
    return block(row, {"role": "user", "content": "q"})


def used(row: int, size: int, tool: str = "bash", thinking: str = "") -> Blocks:
    """A call in row, its result in row + 1; a result counts a token for every character of ten."""
    said = [{"type": "thinking", "thinking": thinking}] if thinking else []
    call = {"type": "toolCall", "id": f"c{row}", "name": tool, "arguments": {"path": "p" * 40}}
    result = {"role": "toolResult", "toolCallId": f"c{row}", "toolName": tool, "isError": False}
    content = [{"type": "text", "text": str(row).ljust(size, "x")}]
    return (
        block(row, {"role": "assistant", "content": [*said, call]}),
        block(row + 1, {**result, "content": content}),
    )


def tokens(found: Block) -> int:
    return sum(len(part.text) if part.text is not None else len(str(part.raw)) for part in found.message.parts)


def run(blocks: Blocks, model: str = "claude-opus-4-5", other: int = 0, **settings: object) -> Outcome:
    step = StepContext(
        window=WINDOW,
        target=Target("anthropic", "anthropic-messages", model, "anthropic"),
        extra={"unrecorded_tokens": other},
        tokens=tokens,
    )
    return provider_edits.apply(blocks, Settings(**settings), step)  # type: ignore[arg-type]


SIX: Blocks = (user(0), *(found for row in range(1, 13, 2) for found in used(row, 30_000)))
"""Six tool uses, a good 180,000 tokens."""


def cleared(blocks: Blocks) -> list[int]:
    return [found.origin.rows[0] for found in blocks if found.message.text() == server_edits.CLEARED]


@pytest.mark.parametrize(
    ("settings", "gone", "why"),
    [
        ({}, [2, 4, 6], "cleared_part"),
        ({"keep": 0}, [2, 4, 6, 8, 10, 12], "cleared_part"),
        ({"keep": 9}, [], "nothing"),
        ({"trigger": 190_000}, [], "below"),
        ({"trigger": 50_000, "trigger_share": 0.95}, [], "below"),
        ({"trigger": 50_000, "trigger_share": 0.3}, [2, 4, 6], "cleared_part"),
        ({"trigger_uses": 6}, [], "below_uses"),
        ({"trigger_uses": 5}, [2, 4, 6], "cleared_part"),
        ({"at_least": 89_889}, [2, 4, 6], "cleared_part"),
        ({"at_least": 89_890}, [], "too_little"),
        ({"at_least_share": 0.5}, [], "too_little"),
        ({"tool_uses": False}, [], "switched_off"),
    ],
)
def test_tool_uses(settings: dict[str, object], gone: list[int], why: str) -> None:
    """Above the trigger every use but the newest is cleared, if enough comes free, else none."""
    outcome = run(SIX, **settings)
    assert cleared(outcome.blocks) == gone
    assert outcome.why.id == f"layer.provider_edits.{why}"
    assert (outcome.blocks is SIX) is (not gone)
    assert not outcome.overflow


def test_tools_and_system_count_for_the_trigger() -> None:
    """What is not in the file is in the input all the same."""
    assert run(SIX, trigger=185_000).blocks is SIX
    assert cleared(run(SIX, other=5_000, trigger=185_000).blocks) == [2, 4, 6]


def test_excluded_tools_are_never_cleared() -> None:
    """They keep their results, and their place among the newest."""
    mixed: Blocks = (user(0), *used(1, 60_000, "read"), *used(3, 60_000), *used(5, 60_000))
    assert cleared(run(mixed, keep=1, exclude=("re*",)).blocks) == [4]


def test_inputs_are_cleared_for_the_tools_named() -> None:
    """The arguments of cleared calls become empty; kept calls and other tools keep theirs."""
    mixed: Blocks = (user(0), *used(1, 60_000, "read"), *used(3, 60_000), *used(5, 60_000))
    after = run(mixed, keep=1, inputs=("READ",)).blocks
    arguments = [part.get("arguments") for found in after for part in found.message.parts if part.kind == "toolCall"]
    assert arguments == [{}, {"path": "p" * 40}, {"path": "p" * 40}]
    every = run(mixed, keep=1, inputs=("*",)).blocks
    assert [calls(found.message)[0].id for found in every if found.message.role == "assistant"] == ["c1", "c3", "c5"]
    assert sum(part.get("arguments") == {} for found in every for part in found.message.parts) == 2


def thoughts(blocks: Blocks) -> list[int]:
    return [b.origin.rows[0] for b in blocks if any(part.kind == "thinking" for part in b.message.parts)]


TURNS: Blocks = (
    user(0),
    *used(1, 10, thinking="t" * 500),
    *used(3, 10, thinking="t" * 500),
    user(5),
    *used(6, 10),
    user(8),
    *used(9, 10, thinking="t" * 500),
)


@pytest.mark.parametrize(
    ("settings", "model", "left"),
    [
        ({}, "claude-3-7-sonnet", [1, 3, 9]),
        ({"thinking": "turns"}, "m", [9]),
        ({"thinking": "turns", "thinking_turns": 2}, "m", [1, 3, 9]),
        ({"thinking": "model"}, "claude-opus-4-5-20251101", [1, 3, 9]),
        ({"thinking": "model"}, "claude-sonnet-4-5", [9]),
    ],
)
def test_thinking(settings: dict[str, object], model: str, left: list[int]) -> None:
    """By turns that have some: inside one tool loop it stays together.

    u0 (t1 t3)  u5 (–)  u8 (t9)      the newest two turns with thinking are both
    """
    outcome = run(TURNS, model, **settings)
    assert thoughts(outcome.blocks) == left
    assert (outcome.blocks is TURNS) is (left == [1, 3, 9])


@pytest.mark.parametrize(
    ("model", "keeps"),
    [
        *[("claude-opus-4-5", True), ("claude-opus-4-1", False), ("claude-opus-5", True), ("claude-sonnet-4-6", True)],
        *[("claude-sonnet-4-5-20250929", False), ("claude-sonnet-5-5", True), ("claude-haiku-4-5", False)],
        *[("claude-haiku-5-5", True), ("claude-fable-5-2", True), ("claude-3-5-sonnet-20241022", False)],
        *[("anthropic/claude-mythos-5", True), ("claude-opus-4-20250514", False), ("gpt-5", False), ("", False)],
    ],
)
def test_which_models_keep_all_thinking(model: str, keeps: bool) -> None:
    """Opus from 4.5, Sonnet from 4.6, Fable and Mythos from 5, Haiku after 4.5."""
    assert server_edits.keeps_all_thinking(model) is keeps


def test_two_edits_of_one_block_name_what_came_in() -> None:
    """Thinking and input of the same reply cleared: one replaced block, whose `before` is the block of the prompt."""
    outcome = run(TURNS, thinking="turns", trigger=0, keep=1, inputs=("*",))
    for old, new in zip(TURNS, outcome.blocks, strict=True):
        assert new is old or new.before is old
    assert outcome.blocks[1].message.parts[0].get("arguments") == {}
    assert outcome.why.id == "layer.also"


# truncation


@pytest.mark.parametrize(
    ("truncation", "left", "overflow"), [("none", 13, False), ("auto", 8, False), ("disabled", 13, True)]
)
def test_truncation(truncation: str, left: int, overflow: bool) -> None:
    """A prompt of 230,000 tokens in a window of 200,000: sent as it is, dropped from the start, refused."""
    outcome = run(SIX, other=50_000, tool_uses=False, truncation=truncation)
    assert len(outcome.blocks) == left
    assert outcome.overflow is overflow
    assert outcome.blocks == SIX[13 - left :]


def test_a_prompt_that_fits_is_not_truncated() -> None:
    """Neither dropped nor refused."""
    for truncation in ("auto", "disabled"):
        outcome = run(SIX, tool_uses=False, truncation=truncation)
        assert outcome.blocks is SIX
        assert not outcome.overflow


sessions = st.lists(
    st.one_of(
        st.none(), st.tuples(st.integers(0, 400), st.sampled_from(["bash", "read"]), st.sampled_from(["", "hm"]))
    ),
    max_size=12,
)


@given(sessions, st.integers(0, 4), st.integers(0, 300), st.booleans(), st.sampled_from(["all", "turns"]))
def test_what_holds_for_any_session(shape: list, keep: int, trigger: int, inputs: bool, thinking: str) -> None:
    """Nothing moves or goes, calls keep their ids, the newest uses stay, and a second time changes nothing.

    A result may grow: the provider's placeholder stands also for one that was shorter."""
    blocks: Blocks = ()
    for made in shape:
        blocks = (*blocks, *((user(len(blocks)),) if made is None else used(len(blocks), *made)))
    settings = {"keep": keep, "trigger": trigger, "inputs": ("*",) if inputs else (), "thinking": thinking}
    outcome = run(blocks, **settings)
    again = run(outcome.blocks, **{**settings, "trigger": 0})
    assert [found.origin for found in outcome.blocks] == [found.origin for found in blocks]
    results = [index for index, found in enumerate(blocks) if found.message.role == "toolResult"]
    for index, (old, new) in enumerate(zip(blocks, outcome.blocks, strict=True)):
        assert calls(new.message) == calls(old.message)
        assert new is old or (old in outcome.reasons and new.before is old)
        if index in results[len(results) - keep :] or old.message.role == "user":
            assert new is old
    if outcome.blocks is not blocks and trigger == 0:
        assert again.blocks is outcome.blocks
