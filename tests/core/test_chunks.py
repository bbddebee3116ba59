"""Cutting a history into chunks: every recorded case of layer g and its pins, and the laws for any history."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import chunks
from core.estimate import pi_tokens
from core.messages import Message
from core.pairing import MISSING_RESULT, calls, failed, result_id
from tests.reference.vectors import UNDEFINED, Case, assert_same, cases, defined

NOW = 1_700_000_000_000


def messages(raw: list[object]) -> tuple[Message, ...]:
    return tuple(Message.of(defined(item)) for item in raw)


def generation(case: Case) -> str:
    return "2026.3" if case.version == "2026.3.24" else "2026.4"


def places(found: tuple[chunks.Chunk, ...]) -> list[list[int]]:
    """The chunks as indices: they are cut from one list, so counting on is enough."""
    listed, at = [], 0
    for chunk in found:
        listed.append(list(range(at, at + len(chunk))))
        at += len(chunk)
    return listed


@pytest.mark.parametrize("case", cases("splitMessagesByTokenShare"))
def test_by_share(case: Case) -> None:
    """Up to so many parts of about the same size; since 2026.4 calls stay with their results where that is possible."""
    given_messages = messages(case.input["messages"])
    parts = case.input.get("parts", UNDEFINED)
    found = chunks.by_share(
        given_messages, chunks.PARTS if parts is UNDEFINED else parts, pairs=generation(case) != "2026.3"
    )
    assert_same(places(found), case.output["chunks"])
    assert [m for chunk in found for m in chunk] == list(given_messages)
    assert_same(chunks.tokens(given_messages), case.output["totalTokens"])


@pytest.mark.parametrize("case", cases("chunkMessagesByMaxTokens"))
def test_by_maximum(case: Case) -> None:
    """Chunks of at most the maximum with its margin; what is larger stands alone."""
    found = chunks.by_maximum(messages(case.input["messages"]), case.input["maxTokens"])
    assert_same(places(found), case.output["chunks"])


@pytest.mark.parametrize("case", cases("computeAdaptiveChunkRatio"))
def test_ratio(case: Case) -> None:
    """0.4 of the window, less when messages are large."""
    assert_same(chunks.ratio(messages(case.input["messages"]), case.input["contextWindow"]), case.output["value"])


@pytest.mark.parametrize("case", cases("isOversizedForSummary"))
def test_oversized(case: Case) -> None:
    """Over half of the window with the margin."""
    message = Message.of(defined(case.input["message"]))
    assert chunks.oversized(message, case.input["contextWindow"]) is case.output["value"]


@pytest.mark.parametrize("case", cases("pruneHistoryForContextShare"))
def test_pruned(case: Case) -> None:
    """Chunks go from the front until the rest fits; pairs are repaired after every round."""
    given_input = case.input
    options = {}
    if given_input.get("maxHistoryShare") is not None:
        options["share"] = given_input["maxHistoryShare"]
    if given_input.get("parts") is not None:
        options["parts"] = given_input["parts"]
    found = chunks.pruned(
        messages(given_input["messages"]),
        given_input["maxContextTokens"],
        generation=generation(case),
        now=NOW,
        **options,
    )
    told = {
        "kept": [m.json() for m in found.kept],
        "dropped": [m.json() for m in found.dropped],
        "droppedChunks": found.rounds,
        "droppedMessages": found.messages,
        "droppedTokens": found.tokens,
        "keptTokens": found.kept_tokens,
        "budgetTokens": found.budget,
    }
    assert_same(told, _spoken(case.output))


def _spoken(value: object) -> object:
    if isinstance(value, str):
        return value.replace("{{MISSING_TOOL_RESULT}}", MISSING_RESULT)
    if isinstance(value, dict):
        return {key: _spoken(item) for key, item in value.items()}
    return [_spoken(item) for item in value] if isinstance(value, list) else value


# laws

ids = st.sampled_from(["x", "y", "z"])
text = st.integers(0, 900).map(lambda n: [{"type": "text", "text": "w" * n}])
message = st.one_of(
    st.builds(lambda content: {"role": "user", "content": content}, text),
    st.builds(
        lambda called, stop, content: {
            "role": "assistant",
            "content": [*content, *({"type": "toolCall", "id": id, "name": "bash", "arguments": {}} for id in called)],
            "stopReason": stop,
        },
        st.lists(ids, max_size=3, unique=True),
        st.sampled_from(["toolUse", "stop", "error"]),
        text,
    ),
    st.builds(lambda id, content: {"role": "toolResult", "toolCallId": id, "content": content}, ids, text),
)
histories = st.lists(message, max_size=16).map(messages)


@given(histories, st.integers(-1, 6), st.booleans())
def test_shares_joined_are_the_input(history: chunks.Chunk, parts: int, pairs: bool) -> None:
    """Nothing is lost, doubled or moved, there are no empty chunks and no more than were asked for."""
    found = chunks.by_share(history, parts, pairs=pairs)
    assert tuple(m for chunk in found for m in chunk) == history
    assert all(found)
    assert len(found) <= max(1, parts)


@given(histories, st.integers(0, 900))
def test_chunks_joined_are_the_input(history: chunks.Chunk, maximum: int) -> None:
    """And a chunk is over its limit only when it ends with a message that is so alone."""
    found = chunks.by_maximum(history, maximum)
    assert tuple(m for chunk in found for m in chunk) == history
    limit = chunks.chunk_end(maximum)
    for chunk in found:
        assert chunks.tokens(chunk) <= limit or (len(chunk) == 1 and pi_tokens(chunk[0]) > limit)


@given(histories, st.integers(2, 5))
def test_a_complete_call_stays_with_its_results(history: chunks.Chunk, parts: int) -> None:
    """Between an assistant's calls and a result they wait for no chunk ends, unless it begins with those calls."""
    found = chunks.by_share(history, parts)
    at = 0
    for chunk in found[:-1]:
        at += len(chunk)
        pending: set[str] = set()
        owner = 0
        for index, one in enumerate(history[:at]):
            if one.role == "assistant":
                pending, owner = set() if failed(one) else {call.id for call in calls(one)}, index
            elif one.role == "toolResult" and pending:
                id = result_id(one)
                pending = set() if id is None else pending - {id}
        later = next((i for i in range(at, len(history)) if history[i].role == "assistant"), len(history))
        torn = pending & {result_id(one) for one in history[at:later] if one.role == "toolResult"}
        assert not torn or owner == at - len(chunk)


@given(histories, st.integers(1, 2_000))
def test_what_is_pruned_fits_or_cannot_be_cut(history: chunks.Chunk, most: int) -> None:
    """The rest fits into the budget, or it is one chunk."""
    found = chunks.pruned(history, most, now=NOW)
    assert found.kept_tokens <= found.budget or len(chunks.by_share(found.kept, 2)) <= 1
    assert found.messages >= len(found.dropped)
