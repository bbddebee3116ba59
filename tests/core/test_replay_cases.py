"""Cleanings before a history is sent again: every recorded case of layer k."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from core import call_ids, context, heartbeat, sanitizing, session_key, trailing
from core.format import open_session
from core.messages import Message
from tests.reference.vectors import UNDEFINED, Case, assert_same, cases, defined, lines_of

PREFIX = "Run the following periodic tasks now; " + "p" * 37
ACK = "when nothing needs attention reply HEARTBEAT_OK " + "a" * 3
SYMBOLS = {
    "{{HB_TASK_PREFIX}}": PREFIX,
    "{{HB_TASK_ACK}}": ACK,
    "{{GOOGLE_BOOTSTRAP}}": sanitizing.GOOGLE_BOOTSTRAP,
    "{{QUEUED_NOTE}}": sanitizing.QUEUED_NOTE,
    "{{HISTORY_IMAGE_MARKER}}": sanitizing.IMAGE_MARKER,
}
CONFIG = {
    "channels": {
        "telegram": {
            "dmHistoryLimit": 10,
            "historyLimit": 50,
            "dms": {"42": {"historyLimit": 3}, "a:b": {"historyLimit": 4}, "7": {}, "8": {"historyLimit": 0}},
        },
        "Discord": {"historyLimit": 20},
        "slack": [1],
        "bad": None,
        " Kimi ": {"dmHistoryLimit": 6},
    }
}


def spoken(value: object) -> object:
    """Our own text of the recorded length in the place of each symbol."""
    if isinstance(value, str):
        return re.sub(r"\{\{\w+\}\}", lambda m: SYMBOLS.get(m[0], m[0]), value)
    if isinstance(value, dict):
        return {key: spoken(item) for key, item in value.items()}
    return [spoken(item) for item in value] if isinstance(value, list) else value


def given(case: Case, name: str) -> object:
    value = spoken(case.input.get(name))
    return None if value is UNDEFINED else value


def messages(case: Case) -> list[Message]:
    return [Message.of(defined(raw)) for raw in spoken(case.input["messages"])]  # type: ignore[attr-defined]


def agree(case: Case, before: list[Message], after: tuple[Message, ...]) -> None:
    if case.output.get("sameRef"):
        assert len(after) == len(before)
        assert all(a is b for a, b in zip(after, before, strict=True))
    assert_same([message.json() for message in after], spoken(case.output["messages"]))


def test_our_texts_have_the_recorded_lengths() -> None:
    """Only position and length of the agent's own sentences are known."""
    assert (len(PREFIX), len(ACK)) == (75, 51)
    lengths = [len(text) for text in (sanitizing.IMAGE_MARKER, sanitizing.GOOGLE_BOOTSTRAP, sanitizing.QUEUED_NOTE)]
    assert lengths == [49, 19, 75]


@pytest.mark.parametrize("case", cases("stripHeartbeatToken"))
def test_strip_token(case: Case) -> None:
    """The token goes from both ends, never from the middle."""
    options = case.input.get("options") or {}
    skip, text, stripped = heartbeat.strip_token(
        given(case, "raw"), options.get("mode", "message"), options.get("maxAckChars")
    )
    assert_same({"shouldSkip": skip, "text": text, "didStrip": stripped}, case.output["value"])


@pytest.mark.parametrize("case", cases("isHeartbeatUserMessage"))
def test_is_question(case: Case) -> None:
    """The configured prompt, or a generated one, at the beginning."""
    asks = heartbeat.is_question(Message.of(given(case, "message")), given(case, "heartbeatPrompt"), PREFIX, ACK)
    assert asks is case.output["value"]


@pytest.mark.parametrize("case", cases("isHeartbeatOkResponse"))
def test_is_answer(case: Case) -> None:
    """Text only, and nothing beside the token but a short acknowledgement."""
    assert heartbeat.is_answer(Message.of(given(case, "message")), given(case, "ackMaxChars")) is case.output["value"]


@pytest.mark.parametrize("case", cases("filterHeartbeatPairs"))
def test_pairs(case: Case) -> None:
    """Both messages of a pair go, the rest stays in order."""
    before = messages(case)
    gone = set(heartbeat.pairs(before, given(case, "ackMaxChars"), given(case, "heartbeatPrompt"), PREFIX, ACK))
    after = [message.json() for index, message in enumerate(before) if index not in gone]
    assert_same(after, spoken(case.output["messages"]))


@pytest.mark.parametrize("case", cases("dropThinkingBlocks"))
def test_old_thinking(case: Case) -> None:
    """From all assistants but the last one with a list."""
    before = messages(case)
    agree(case, before, sanitizing.without_old_thinking(before))


@pytest.mark.parametrize("case", cases("sanitizeToolCallId"))
def test_safe_id(case: Case) -> None:
    """Letters and digits only; nine of them in strict9."""
    assert call_ids.safe(given(case, "id"), case.input["mode"]) == case.output["value"]


@pytest.mark.parametrize("case", cases("sanitizeToolCallIds"))
def test_distinct_ids(case: Case) -> None:
    """Each call its own id, each result that of its call."""
    before = messages(case)
    native = bool(case.input.get("preserveNativeAnthropicToolUseIds"))
    agree(case, before, call_ids.distinct(before, case.input["mode"], native))


@pytest.mark.parametrize("case", cases("pruneProcessedHistoryImages"))
def test_old_images(case: Case) -> None:
    """Images before the third completed turn from the end become a marker."""
    before = messages(case)
    after = sanitizing.without_old_images(before)
    changed = any(a is not b for a, b in zip(after, before, strict=True))
    assert changed is case.output["changed"]
    assert_same([message.json() for message in after], spoken(case.output["messages"]))


@pytest.mark.parametrize("case", cases("getHistoryLimitFromSessionKey"))
def test_history_limit(case: Case) -> None:
    """Per person, else per channel kind."""
    config = CONFIG if case.input["config"] == "CFG" else given(case, "config")
    expected = case.output["value"]
    found = session_key.history_limit(given(case, "sessionKey"), config)
    assert_same(found, None if expected is UNDEFINED else expected)


@pytest.mark.parametrize("case", cases("removeTrailingUser"))
def test_trailing_user(case: Case, tmp_path: Path) -> None:
    """A user message at the leaf is not sent: the leaf moves to its parent, in memory only."""
    path = tmp_path / "session.jsonl"
    path.write_bytes(lines_of(case.input))
    session = open_session(path)
    leaf = session.active_leaf
    if case.throws is not None:
        assert trailing.before_unanswered(session, leaf) != leaf
        return
    after = trailing.before_unanswered(session, leaf)
    names = [None if row is None else session.columns.ids[row] for row in (leaf, after)]
    assert names == [case.output["leafBefore"], case.output["leafAfter"]]
    assert (after != leaf) is case.output["removed"]
    if case.output["messages"] is not None:
        built = context.build(session, session.path_to(after))
        assert_same([message.json() for message in built.messages], case.output["messages"])


@pytest.mark.parametrize("case", cases("mergeOrphanedTrailingUserPrompt"))
def test_merge_unanswered(case: Case) -> None:
    """2026.4.14 puts the unanswered text in front of the new prompt."""
    prompt, merged = sanitizing.merge_unanswered(
        str(given(case, "prompt")), str(given(case, "trigger")), Message.of(given(case, "leafMessage"))
    )
    assert_same({"prompt": prompt, "merged": merged}, spoken(case.output["value"]))


@pytest.mark.parametrize("case", cases("stripThoughtSignatures"))
def test_signatures(case: Case) -> None:
    """Signatures of another provider's kind go."""
    options = case.input.get("options") or {}
    after = sanitizing.without_signatures(
        given(case, "content"), bool(options.get("allowBase64Only")), bool(options.get("includeCamelCase"))
    )
    assert_same(after, case.output["value"])


@pytest.mark.parametrize("case", cases("sanitizeGoogleTurnOrdering"))
def test_bootstrap(case: Case) -> None:
    """A leading assistant gets a user message in front."""
    before = messages(case)
    agree(case, before, sanitizing.bootstrapped(before, 1_700_000_000_000))
