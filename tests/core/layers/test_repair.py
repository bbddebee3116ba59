"""Repairing calls and pairs, stripping details, validating turns, limiting history: every recorded case of layer c."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import pairing
from core.context import Origin
from core.layer import StepContext, Target
from core.layers import limit_history, repair_inputs, repair_pairs, strip_details, validate_turns
from core.messages import Message
from core.prompt import Block, Blocks
from tests.reference.vectors import UNDEFINED, Case, assert_same, cases, decode, defined

NOW = 1_700_000_000_000
STEP = StepContext(window=200_000, target=Target("anthropic", "anthropic-messages", "m", "anthropic"), now=NOW)
SYMBOLS = {
    "{{MISSING_TOOL_RESULT}}": pairing.MISSING_RESULT,
    "{{REDACTED}}": repair_inputs.REDACTED,
    "{{TOOL_CALLS_OMITTED}}": validate_turns.OMITTED,
}


def blocks_of(messages: list[object]) -> Blocks:
    return tuple(Block.of(Message.of(raw), Origin((row,))) for row, raw in enumerate(messages))


def spoken(value: object) -> object:
    if isinstance(value, str):
        return re.sub(r"\{\{\w+\}\}", lambda m: SYMBOLS.get(m[0], m[0]), value)
    if isinstance(value, dict):
        return {key: spoken(item) for key, item in value.items()}
    if isinstance(value, list):
        return [spoken(item) for item in value]
    return value


def as_json(value: object) -> object:
    """A recorded input as it stands in a file: members that are undefined exist only where a case is about them."""
    if isinstance(value, dict):
        return {key: None if item is UNDEFINED else as_json(item) for key, item in value.items()}
    return [as_json(item) for item in value] if isinstance(value, list) else value


def agree(case: Case, before: Blocks, after: Blocks) -> None:
    assert (after is before) is case.output["sameRef"]
    assert_same([block.message.json() for block in after], spoken(case.output["messages"]))


@pytest.mark.parametrize("case", cases("stripToolResultDetails"))
def test_strip_details(case: Case) -> None:
    """`details` goes, whatever it is, null included."""
    before = blocks_of(as_json(case.input["messages"]))  # type: ignore[arg-type]
    agree(case, before, strip_details.apply(before, strip_details.Settings(), STEP).blocks)


@pytest.mark.parametrize("case", cases("repairToolCallInputs"))
def test_repair_inputs(case: Case) -> None:
    """Calls without id, name, input or with a forbidden name are dropped."""
    before = blocks_of(case.input["messages"])
    allowed = case.input.get("allowedToolNames") or ()
    settings = repair_inputs.Settings(names=case.version, allowed=tuple(allowed))
    agree(case, before, repair_inputs.apply(before, settings, STEP).blocks)


@pytest.mark.parametrize("case", cases("repairToolUseResultPairing"))
def test_repair_pairs(case: Case) -> None:
    """Same order, same made-up results, same counts, and the very list where the agent returns it."""
    before = blocks_of(defined(case.input["messages"]))
    if case.version == "2026.3.24":
        errored = "preserve" if case.input.get("preserveErroredAssistantResults") else "drop"
    else:
        errored = case.input.get("erroredAssistantResultPolicy") or "preserve"
    settings = repair_pairs.Settings(variant=case.version, errored=errored)
    walk = repair_pairs.repair(before, settings, STEP)
    assert walk.duplicates == case.output["droppedDuplicateCount"]
    assert walk.orphans == case.output["droppedOrphanCount"]
    assert walk.added == len(case.output["addedIds"])
    assert walk.changed is case.output["moved"]
    agree(case, before, repair_pairs.apply(before, settings, STEP).blocks)


@pytest.mark.parametrize("case", cases("validateAnthropicTurns"))
def test_validate_anthropic(case: Case) -> None:
    """Users in a row become one; unanswered toolUse blocks go. (The agent always returns a new list.)"""
    before = blocks_of(case.input["messages"])
    after = validate_turns.apply(before, validate_turns.Settings("never", "never", "always"), STEP).blocks
    assert_same([block.message.json() for block in after], spoken(case.output["messages"]))


@pytest.mark.parametrize("case", cases("validateGeminiTurns"))
def test_validate_gemini(case: Case) -> None:
    """Assistants in a row become one."""
    before = blocks_of(case.input["messages"])
    after = validate_turns.apply(before, validate_turns.Settings("never", "always", "never"), STEP).blocks
    assert_same([block.message.json() for block in after], spoken(case.output["messages"]))


@pytest.mark.parametrize("case", cases("validateReplayTurns"))
def test_validate_replay(case: Case) -> None:
    """Gemini's rule first, then Anthropic's, as the policy says."""
    before = blocks_of(case.input["messages"])
    policy = case.input["policy"]
    wanted = [policy.get(key) for key in ("validateGeminiTurns", "validateAnthropicTurns")]
    settings = validate_turns.Settings("never", *("always" if on else "never" for on in wanted))
    after = validate_turns.apply(before, settings, STEP).blocks
    assert_same([block.message.json() for block in after], spoken(case.output["messages"]))


@pytest.mark.parametrize("case", cases("limitHistoryTurns"))
def test_limit_history(case: Case) -> None:
    """Kept from the user message on with which the limit is reached; leading others stay when it is not."""
    roles = tuple(message["role"] for message in case.input["messages"])
    limit = case.input.get("limit")
    limit = limit if isinstance(limit, int | float) and not isinstance(limit, bool) else 0
    start = limit_history.first_kept(roles, limit)
    assert start == case.output["startIndex"]
    assert len(roles) - start == case.output["count"]
    assert (start == 0) is case.output["sameRef"]


@pytest.mark.parametrize("case", cases("extractToolCallsFromAssistant"))
def test_calls(case: Case) -> None:
    """Ids untrimmed, names only where they are strings."""
    found = [
        {"id": call.id, **({} if call.name is None else {"name": call.name})}
        for call in pairing.calls(Message.of(case.input["message"]))
    ]
    assert_same(found, case.output["value"])


@pytest.mark.parametrize("case", cases("extractToolResultId"))
def test_result_id(case: Case) -> None:
    """toolCallId, else toolUseId, if non-empty."""
    assert pairing.result_id(Message.of(case.input["message"])) == decode(case.output["value"])


# laws

ids = st.sampled_from(["x", "y", "z"])
message = st.one_of(
    st.just({"role": "user", "content": [{"type": "text", "text": "u"}]}),
    st.builds(
        lambda called, stop: {
            "role": "assistant",
            "content": [{"type": "toolCall", "id": id, "name": "bash", "arguments": {}} for id in called],
            "stopReason": stop,
        },
        st.lists(ids, max_size=3, unique=True),
        st.sampled_from(["toolUse", "stop", "error", "aborted"]),
    ),
    st.builds(lambda id: {"role": "toolResult", "toolCallId": id, "toolName": "bash", "content": []}, ids),
    st.just({"role": "custom", "content": "c"}),
)
lists = st.lists(message, max_size=14)
SAFE = repair_pairs.Settings(variant="safe")


@given(lists)
def test_the_safe_repair_is_idempotent(raw: list[object]) -> None:
    """Repairing what was repaired changes nothing: the very same blocks."""
    once = repair_pairs.apply(blocks_of(raw), SAFE, STEP).blocks
    assert repair_pairs.apply(once, SAFE, STEP).blocks is once


@given(lists)
def test_after_the_safe_repair_every_call_has_its_result(raw: list[object]) -> None:
    """Directly behind the assistant, one result a call, in the order of the calls, and no other result anywhere."""
    after = repair_pairs.apply(blocks_of(raw), SAFE, STEP).blocks
    index = 0
    while index < len(after):
        message = after[index].message
        assert message.role != "toolResult"
        wanted = (
            [] if pairing.failed(message) else [c.id for c in pairing.calls(message) if message.role == "assistant"]
        )
        got = [pairing.result_id(b.message) for b in after[index + 1 : index + 1 + len(wanted)]]
        assert got == wanted
        index += 1 + len(wanted)


def _turn(called: list[str], answers: list[str], user: bool) -> list[object]:
    say = {"role": "user", "content": [{"type": "text", "text": "u"}]}
    calls = [{"type": "toolCall", "id": id, "name": "bash", "arguments": {}} for id in called]
    reply = {"role": "assistant", "content": calls, "stopReason": "toolUse"}
    results = [{"role": "toolResult", "toolCallId": id, "toolName": "bash", "content": []} for id in answers]
    return [reply, *([say] if user else []), *results]


turns = st.lists(
    st.builds(
        _turn,
        st.lists(ids, min_size=1, max_size=3, unique=True),
        st.lists(ids, max_size=4),
        st.booleans(),
    ),
    min_size=2,
    max_size=4,
).map(lambda parts: [message for part in parts for message in part])
"""Turns whose ids are those of other turns too, with results missing, twice, late and of nobody: chance alone makes
hardly a list in which two turns keep a result each."""


@given(st.one_of(lists, turns), st.sampled_from(["2026.4.5", "2026.3.24", "safe"]))
def test_calls_and_results_of_other_turns_never_mix(raw: list[object], variant: str) -> None:
    """A result that is kept stood in the span of the assistant behind which it stands now."""
    before = blocks_of(raw)
    after = repair_pairs.apply(before, repair_pairs.Settings(variant=variant), STEP).blocks
    owner_before: dict[Origin, Origin | None] = {}
    owner: Origin | None = None
    for block in before:
        if block.message.role == "assistant":
            owner = block.origin
        owner_before[block.origin] = owner
    owner = None
    for block in after:
        if block.message.role == "assistant":
            owner = block.origin
        if block.message.role == "toolResult" and block.origin.rows:
            assert owner_before[block.origin] == owner


@given(lists, st.integers(0, 6))
def test_inputs_stay_untouched(raw: list[object], limit: int) -> None:
    """No layer changes what it was given."""
    before = blocks_of(raw)
    kept = [block.message.json() for block in before]
    for layer, settings in (
        (strip_details, strip_details.Settings()),
        (repair_inputs, repair_inputs.Settings()),
        (repair_pairs, repair_pairs.Settings()),
        (validate_turns, validate_turns.Settings("always", "always", "always")),
        (limit_history, limit_history.Settings(turns=limit)),
    ):
        layer.apply(before, settings, STEP)  # type: ignore[attr-defined]
    assert [block.message.json() for block in before] == kept
