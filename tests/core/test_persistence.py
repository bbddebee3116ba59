"""What the agent does when it writes: every recorded case of the persistence guard and of the hard cap."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import cutting, javascript, pairing, persistence
from core.call_inputs import REDACTED
from core.messages import Message
from core.persistence import CAPS, Options, Persisted, persist
from tests.reference.vectors import Case, assert_same, cases

NOW = 1_700_000_000_000
SYMBOLS = {
    "{{GUARD_SUFFIX}}": persistence.GUARD_SUFFIX,
    "{{MISSING_TOOL_RESULT}}": pairing.MISSING_RESULT,
    "{{REDACTED}}": REDACTED,
}


def spoken(value: object) -> object:
    if isinstance(value, str):
        value = re.sub(r"\{\{\w+\}\}", lambda m: SYMBOLS.get(m[0], m[0]), value)
        return re.sub(r"\{\{MORE_CHARS_NOTICE:(\d+)\}\}", lambda m: cutting.more_characters(int(m[1])), value)
    if isinstance(value, dict):
        return {key: spoken(item) for key, item in value.items()}
    return [spoken(item) for item in value] if isinstance(value, list) else value


def test_our_notice_has_the_recorded_length() -> None:
    """Two newlines, the warning sign, and 151 units in all."""
    assert javascript.length(persistence.GUARD_SUFFIX) == 151
    assert persistence.GUARD_SUFFIX.startswith("\n\n⚠️ ")


@pytest.mark.parametrize("case", cases("capToolResultSize"))
def test_hard_cap(case: Case) -> None:
    """400,000 characters in 2026.3.24, 40,000 in 2026.4.5; the very message when it fits."""
    message = Message.of(case.input["message"])
    capped = persistence.hard_cap(message, CAPS[case.version])
    assert (capped is message) is case.output["sameRef"]
    assert_same(capped.json(), spoken(case.output["message"]))


@pytest.mark.parametrize("case", cases("truncateToolResultMessage", version="2026.4.14"))
def test_the_notice_that_counts(case: Case) -> None:
    """2026.4.14 tells how many characters it dropped."""
    message = Message.of(case.input["message"])
    keep = case.input.get("minKeepChars", cutting.MIN_KEEP)
    capped = persistence.hard_cap(message, case.input["maxChars"], cutting.more_characters, keep)
    assert (capped is message) is case.output["sameRef"]
    assert_same(capped.json(), spoken(case.output["message"]))


@pytest.mark.parametrize("case", cases("sessionToolResultGuard"))
def test_persist(case: Case) -> None:
    """Every message as it is written, made-up results where they are written, and what stays pending."""
    given = case.input["options"]
    options = Options(
        invent=given.get("allowSyntheticToolResults", True), allowed=tuple(given.get("allowedToolNames") or ())
    )
    found = persist([Message.of(raw) for raw in case.input["appends"]], options, NOW, case.input["flushAtEnd"])
    assert list(found.pending) == case.output["pendingIds"]
    assert_same([written.message.json() for written in found.written], spoken(case.output["persisted"]))


def user(text: str = "q") -> Message:
    return Message.of({"role": "user", "content": text})


def called(*ids: str, stop: str = "toolUse", name: str = "bash") -> Message:
    content = [{"type": "toolCall", "id": id, "name": name, "arguments": {}} for id in ids]
    return Message.of({"role": "assistant", "content": content, "stopReason": stop})


def result(id: str, size: int = 3, **more: object) -> Message:
    content = [{"type": "text", "text": "x" * size}]
    return Message.of({"role": "toolResult", "toolCallId": id, "content": content, **more})


def drawn(found: Persisted) -> list[object]:
    """Source indices in file order; a made-up result as the id it answers."""
    return [pairing.result_id(w.message) if w.source is None else w.source for w in found.written]


@pytest.mark.parametrize(
    ("messages", "written", "dropped", "pending"),
    [
        ([called("a", "b"), result("b"), user()], [0, 1, "a", 2], (), []),
        ([called("a", "b"), result("b")], [0, 1], (), ["a"]),
        ([called("a", stop="aborted"), user()], [0, 1], (), []),
        ([called("a"), called("b", name="no name")], [0, "a"], (1,), []),
        ([result("z"), user()], [0, 1], (), []),
    ],
)
def test_where_made_up_results_are_written(
    messages: list[Message], written: list[object], dropped: tuple[int, ...], pending: list[str]
) -> None:
    """Before the next message that is no result; not for failed assistants; strays are written as they are."""
    found = persist(messages, Options(), NOW)
    assert drawn(found) == written
    assert found.dropped == dropped
    assert list(found.pending) == pending


def test_it_goes_on_where_it_stopped() -> None:
    """Written in two goes or in one: the same file."""
    messages = [called("a", "b"), result("b"), user(), called("c"), result("c", 50_000)]
    whole = persist(messages, Options(), NOW)
    first = persist(messages[:2], Options(), NOW)
    second = persist(messages[2:], Options(), NOW, pending=first.pending)
    assert [w.message.json() for w in whole.written] == [w.message.json() for w in (*first.written, *second.written)]


def test_deeds_are_told_apart() -> None:
    """A result without a name gets that of its call, one that is too long is cut, and both are said."""
    found = persist([called("a", "b"), result("a", 50_000), result("b", 5, toolName=" bash ")], Options(), NOW)
    assert [w.deed for w in found.written] == ["as_is", "named_and_capped", "named"]
    assert set(persistence.DEEDS) == {"calls_repaired", "named", "capped", "named_and_capped", "made_up"}


@pytest.mark.parametrize(
    ("window", "cap"),
    [
        *[(8_000, 9_600), (20_000, 16_000), (99_999, 16_000), (100_000, 32_000), (199_999, 32_000), (200_000, 64_000)],
        *[(1_000_000, 64_000), (0, 0), (-10, -12)],
    ],
)
def test_cap_by_window(window: int, cap: int) -> None:
    """2026.9: 16,000; 32,000 from 100k tokens, 64,000 from 200k; never over 30 % of the window."""
    assert persistence.cap_by_window(window) == cap


def many(*sizes: int, tail: str = "") -> Message:
    content = [{"type": "text", "text": "y" * size + tail} for size in sizes]
    return Message.of({"role": "toolResult", "toolCallId": "a", "toolName": "bash", "content": content})


def test_many_small_blocks_stay_over_the_cap() -> None:
    """Each keeps 2,000 units and its notice, whatever its share says: 40 blocks of 3,000 stay far over 40,000."""
    found = persistence.preview(many(*[3_000] * 40), 40_000)
    assert found.cut
    assert {block.share for block in found.blocks} == {1_000}
    assert {block.budget for block in found.blocks} == {2_151}
    assert found.kept == 40 * 2_151
    assert found.over == 40 * 2_151 - 40_000


def test_the_words_that_matched() -> None:
    """The preview shows where in the tail the agent found something important, and keeps that tail."""
    text = "a\n" * 40_000 + "3 failed\nProcess done, exit code 1 }\n"
    found = persistence.preview(many(0, tail=text), 40_000)
    words = found.blocks[0].words
    assert [word for _, _, word in words] == ["failed", "done", "exit code", "}"]
    assert all(text[start:end] == word for start, end, word in words)
    assert found.after.text().endswith("exit code 1 }\n" + persistence.GUARD_SUFFIX)


def test_no_words_without_a_tail() -> None:
    """Where only the head is kept, no word is claimed to have mattered."""
    assert persistence.preview(many(90_000), 40_000).blocks[0].words == ()
    assert persistence.preview(user(), 40_000).blocks == ()


texts = st.one_of(
    st.text(max_size=60),
    st.builds(
        lambda n, tail: "line\n" * n + tail, st.integers(0, 3_000), st.sampled_from(["", "Error", "FAILED İ", "}"])
    ),
)


@given(st.lists(texts, max_size=5), st.integers(0, 6_000))
def test_capping_again_changes_nothing_more_than_notices(blocks: list[str], most: int) -> None:
    """A cut result holds, per block, at most its budget; so a second cap cuts no block below its minimum again."""
    message = Message.of({"role": "toolResult", "content": [{"type": "text", "text": text} for text in blocks]})
    found = persistence.preview(message, most)
    for block in found.blocks:
        assert block.kept <= max(block.budget, 0) or block.kept == block.chars
    assert found.kept <= found.chars or not found.cut


@given(st.text(max_size=3_000))
def test_words_lie_in_the_tail(text: str) -> None:
    """Whatever is in a text, the places that are shown are places in it."""
    units = javascript.units(text)
    for start, end, word in persistence.important_words(units):
        assert max(0, len(units) - 2_000) <= start < end <= len(units)
        assert units[start:end].lower() == word


ids = st.sampled_from(["a", "b", "c"])
sequences = st.lists(
    st.one_of(
        st.just(user()),
        st.builds(
            lambda found, stop: called(*found, stop=stop), st.lists(ids, max_size=3), st.sampled_from(["stop", "error"])
        ),
        st.builds(result, ids),
    ),
    max_size=12,
)


@given(sequences, st.booleans())
def test_nothing_is_lost_on_writing(messages: list[Message], flush: bool) -> None:
    """Every appended message is written once, in order, or dropped; made-up results answer calls that have none."""
    found = persist(messages, Options(), NOW, flush)
    sources = [w.source for w in found.written if w.source is not None]
    assert sorted([*sources, *found.dropped]) == list(range(len(messages)))
    assert sources == sorted(sources)
    assert not (flush and found.pending)
    for at, written in enumerate(found.written):
        if written.source is None:
            before = [w.message for w in found.written[:at]]
            owner = max(i for i, m in enumerate(before) if m.role == "assistant" and pairing.calls(m))
            id = pairing.result_id(written.message)
            assert id in [call.id for call in pairing.calls(before[owner])]
            assert id not in [pairing.result_id(m) for m in before[owner + 1 :] if m.role == "toolResult"]


@given(sequences)
def test_without_inventing_only_appended_messages_are_written(messages: list[Message]) -> None:
    """Switched off: what the file gets is what was appended."""
    found = persist(messages, Options(invent=False), NOW, True)
    assert all(w.source is not None for w in found.written)


# what the preview shows


def shown_of(*texts: str, most: int = 6_000) -> tuple[persistence.Preview, persistence.WrittenText]:
    content = [{"type": "text", "text": text} for text in texts]
    seen = persistence.preview(Message.of({"role": "toolResult", "toolCallId": "x", "content": content}), most)
    return seen, persistence.written_text(seen)


def test_the_text_as_it_is_written() -> None:
    """Blocks one below the other; notices and the words of the tail where they stand now."""
    seen, found = shown_of("x" * 9_000 + " it failed", "short", most=8_000)
    assert seen.cut
    assert found.units.endswith("short")
    assert [found.units[start:end] for start, end in found.words] == ["failed"]
    assert [found.units[start:end] for start, end in found.notices] == [
        *(cutting.MIDDLE_OMISSION, persistence.GUARD_SUFFIX)
    ]


@given(st.lists(st.text(max_size=40).map(lambda text: text * 200), max_size=4), st.sampled_from(["", " error", "}"]))
def test_places_are_those_of_the_written_text(texts: list[str], end: str) -> None:
    """Whatever is cut: the marked units are notices and important words, none beyond the end; uncut, nothing is marked
    and all is there."""
    seen, found = shown_of(*texts, "y" * 7_000 + end)
    for start, stop in found.notices:
        assert found.units[start:stop] in (cutting.MIDDLE_OMISSION, persistence.GUARD_SUFFIX)
    assert all(0 <= start < stop <= len(found.units) for start, stop in found.words)
    parts = [part.text.units for part in seen.after.parts if part.text is not None]
    assert found.units.replace("\n\n", "") == "".join(parts).replace("\n\n", "")
