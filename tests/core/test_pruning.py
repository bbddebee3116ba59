"""Cache-TTL pruning: every recorded case of layer d, and its pins in n."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import pruning
from core.context import Origin
from core.estimate import weighted_length
from core.layer import StepContext, Target
from core.messages import Message
from core.prompt import Block, Blocks
from core.pruning import Rules
from core.pruning_config import effective, patterns_of
from tests.reference.vectors import Case, assert_same, cases, select

STEP = StepContext(window=200_000, target=Target("anthropic", "anthropic-messages", "m", "anthropic"))
FILLER = "~" * 38
"""The recordings' own stand-in for an image."""


def blocks_of(messages: list[object]) -> Blocks:
    return tuple(Block.of(Message.of(raw), Origin((row,))) for row, raw in enumerate(messages))


def rules_of(case: Case) -> Rules:
    given = case.input["settings"]
    more = {
        "image_marker": FILLER,
        "weighted": case.version != "2026.3.24",
        "thinking_dropped": bool(case.input.get("dropThinkingBlocksForEstimate")),
    }
    if given == "DEFAULT":
        return Rules(**more)  # type: ignore[arg-type]
    return Rules(
        ttl_ms=given["ttlMs"],
        keep_last_assistants=given["keepLastAssistants"],
        soft_ratio=given["softTrimRatio"],
        hard_ratio=given["hardClearRatio"],
        min_prunable=given["minPrunableToolChars"],
        allow=patterns_of(given["tools"].get("allow")),
        deny=patterns_of(given["tools"].get("deny")),
        max_chars=given["softTrim"]["maxChars"],
        head=given["softTrim"]["headChars"],
        tail=given["softTrim"]["tailChars"],
        hard_clear=given["hardClear"]["enabled"],
        placeholder=given["hardClear"]["placeholder"],
        **more,  # type: ignore[arg-type]
    )


def window_of(case: Case) -> float:
    wanted = case.input.get("contextWindowTokensOverride")
    if isinstance(wanted, int | float) and math.isfinite(wanted) and wanted > 0:
        return wanted
    return case.input.get("modelContextWindow") or 0


def spoken(value: object) -> object:
    """Our own notes of the recorded lengths in the place of the symbols."""
    if isinstance(value, str):
        return re.sub(
            r"\{\{SOFT_TRIM_NOTE:(\d+),(\d+),(\d+)\}\}",
            lambda m: pruning.trim_note(int(m[1]), int(m[2]), int(m[3])),
            value,
        )
    if isinstance(value, dict):
        return {key: spoken(item) for key, item in value.items()}
    return [spoken(item) for item in value] if isinstance(value, list) else value


def test_our_texts_have_the_recorded_lengths() -> None:
    """Only position and length of the agent's own sentences are known."""
    assert len(pruning.IMAGE_MARKER) == 38
    assert len(pruning.trim_note(1500, 1500, 9000)) == 81
    assert len(pruning.trim_note(0, 7, 12345)) == 69 + 7
    assert pruning.trim_note(1, 2, 3).startswith("\n\n")


@pytest.mark.parametrize("case", cases("pruneContextMessages"))
def test_prune(case: Case) -> None:
    """Same results trimmed and cleared, same characters kept, and the very blocks when nothing is replaced."""
    before = blocks_of(case.input["messages"])
    found = pruning.prune(STEP, before, rules_of(case), window_of(case))
    if case.throws is not None:
        return  # a null message: the agent's crash is no rule
    assert (found.blocks is before) is case.output["sameRef"]
    assert_same([block.message.json() for block in found.blocks], spoken(case.output["messages"]))


@pytest.mark.parametrize("case", cases("estimateStringChars"))
def test_weighted_length(case: Case) -> None:
    """Each Chinese, Japanese or Korean character counts 4."""
    assert weighted_length(case.input["text"]) == case.output["value"]


@pytest.mark.parametrize("case", cases("computeEffectiveSettings"))
def test_effective(case: Case) -> None:
    """What the agent's configuration means."""
    found = effective(case.input["raw"])
    wanted = case.output["value"]
    if wanted is None or found is None:
        assert found is wanted
        return
    tools = wanted["tools"]
    assert found == Rules(
        ttl_ms=wanted["ttlMs"],
        keep_last_assistants=wanted["keepLastAssistants"],
        soft_ratio=wanted["softTrimRatio"],
        hard_ratio=wanted["hardClearRatio"],
        min_prunable=wanted["minPrunableToolChars"],
        allow=patterns_of(tools.get("allow")),
        deny=patterns_of(tools.get("deny")),
        max_chars=wanted["softTrim"]["maxChars"],
        head=wanted["softTrim"]["headChars"],
        tail=wanted["softTrim"]["tailChars"],
        hard_clear=wanted["hardClear"]["enabled"],
        placeholder=wanted["hardClear"]["placeholder"],
    )


@pytest.mark.parametrize(
    ("ttl", "ms"),
    [("10", 600_000), ("90s", 90_000), ("1.5h", 5_400_000), ("1h30m", 5_400_000), (" 250MS ", 250), ("2d", 172_800_000)]
    + [(bad, 300_000) for bad in ("", "soon", "1h x", "-5m", "h", 7, None, ["5m"])],
)
def test_lifetimes(ttl: object, ms: int) -> None:
    """Minutes without a unit; what cannot be read is the default."""
    found = effective({"mode": "cache-ttl", "ttl": ttl})
    assert found is not None
    assert found.ttl_ms == ms


def test_all_cases_are_here() -> None:
    """Layer d and the pins: none is left out of the tests above."""
    names = ("pruneContextMessages", "computeEffectiveSettings", "estimateStringChars")
    assert len(select(*names)) >= 150


texts = st.one_of(
    st.text(max_size=30), st.builds(lambda s, n: s * n, st.sampled_from(["ab\n", "漢字", "😀"]), st.integers(0, 3000))
)
content = st.lists(
    st.one_of(
        st.builds(lambda text: {"type": "text", "text": text}, texts),
        st.just({"type": "image", "data": "x", "mimeType": "image/png"}),
    ),
    max_size=3,
)
messages = st.lists(
    st.one_of(
        st.builds(lambda text: {"role": "user", "content": text}, texts),
        st.builds(lambda text: {"role": "assistant", "content": [{"type": "text", "text": text}]}, texts),
        st.builds(
            lambda blocks, name: {
                "role": "toolResult",
                "toolCallId": "c",
                "toolName": name,
                "content": blocks,
                "details": 1,
            },
            content,
            st.sampled_from(["bash", "read", " Read "]),
        ),
    ),
    max_size=14,
)
rules = st.builds(
    Rules,
    keep_last_assistants=st.integers(0, 3),
    soft_ratio=st.sampled_from([0.0, 0.3, 0.7]),
    hard_ratio=st.sampled_from([0.0, 0.5, 1.0]),
    min_prunable=st.sampled_from([0, 500, 50_000]),
    deny=st.sampled_from([(), ("read",), ("re*",)]),
    max_chars=st.sampled_from([0, 100, 4_000]),
    head=st.integers(0, 200),
    tail=st.integers(0, 200),
    hard_clear=st.booleans(),
    whole_characters=st.booleans(),
)


@given(messages, rules, st.integers(1, 6_000))
def test_only_old_allowed_results_are_touched(raw: list[object], rule: Rules, window: int) -> None:
    """Nothing is dropped or moved; the last assistants, what precedes the first user, and denied tools stay."""
    before = blocks_of(raw)
    kept = [block.message.json() for block in before]
    after = pruning.prune(STEP, before, rule, window).blocks
    assert [block.message.json() for block in before] == kept
    assert len(after) == len(before)
    end = pruning.cutoff(before, rule.keep_last_assistants)
    users = [index for index, block in enumerate(before) if block.message.role == "user"]
    for index, (old, new) in enumerate(zip(before, after, strict=True)):
        if new is not old:
            assert old.message.role == "toolResult"
            assert end is not None
            assert users[0] < index < end
            assert not (rule.deny and str(old.message.get("toolName")).strip().lower() == "read")
            assert new.message.get("details") == 1
            assert new.origin == old.origin


@given(messages, rules, st.integers(1, 6_000))
def test_the_sum_is_kept(raw: list[object], rule: Rules, window: int) -> None:
    """The running sum of the two passes equals the estimate of what comes out."""
    found = pruning.prune(STEP, blocks_of(raw), rule, window)
    assert found.after == sum(pruning.chars(STEP, block, rule) for block in found.blocks)


@given(messages, rules, st.integers(1, 6_000))
def test_a_held_result_is_never_touched(raw: list[object], rule: Rules, window: int) -> None:
    """What was sent shortened before is left alone, whatever the sizes say."""
    before = blocks_of(raw)
    held = frozenset(range(0, len(before), 2))
    after = pruning.prune(STEP, before, rule, window, held).blocks
    assert all(after[index] is before[index] for index in held)


@given(texts, st.integers(0, 60), st.integers(0, 60))
def test_whole_characters(text: str, head: int, tail: int) -> None:
    """2026.9: no half character at either edge of the cut (a text without lone surrogates stays without)."""
    message = Message.of({"role": "toolResult", "content": [{"type": "text", "text": text}]})
    cut = pruning.soft_trim(message, Rules(max_chars=0, head=head, tail=tail, whole_characters=True))
    cut.text().encode("utf-8")


@given(messages, rules, st.integers(1, 6_000))
def test_where_a_cut_may_grow(raw: list[object], rule: Rules, window: int) -> None:
    """A soft trim adds at most its gap and note to what it keeps, a hard clear at most the placeholder's length;
    an image always shrinks. These are the only ways in which a result gets larger."""
    before = blocks_of(raw)
    found = pruning.prune(STEP, before, rule, window)
    note = len(pruning.trim_note(9999, 9999, 99999)) + 5
    for index in {*found.trimmed, *found.cleared}:
        grown = pruning.chars(STEP, found.blocks[index], rule) - pruning.chars(STEP, before[index], rule)
        assert grown <= note
