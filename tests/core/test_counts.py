"""The table of counts: what counts by row, what counts nothing, and what a session's own usage adds."""

from __future__ import annotations

import pickle

import pytest

from core.context import build
from core.counter import counters, make
from core.counts import Counts, count
from core.messages import Message
from tests.core.drawn import call, opened, said
from tests.core.talk import SYSTEM, Talk

USAGE = {"input": 10, "output": 5, "cacheRead": 0, "cacheWrite": 0}


class Words:
    """One token per word of what is sent; knows no usage."""

    id = "words"

    def count(self, message: Message) -> int:
        return len(message.text().split()) + len(str(message.get("summary") or "").split())


def test_what_counts(tmp_path):
    """Messages by their words; a compaction by its summary; settings, labels and unknown entries nothing."""
    session = opened(
        {"type": "model_change", "provider": "p", "modelId": "m"},
        said("user", "one two three"),
        said("assistant", "four", call("ls"), usage=USAGE, stopReason="toolUse"),
        said("toolResult", "five six", toolCallId="t1"),
        {"type": "custom_message", "customType": "x", "content": "seven eight nine ten", "display": False},
        {"type": "compaction", "summary": "a b", "firstKeptEntryId": "e3", "tokensBefore": 9},
        {"type": "branch_summary", "summary": "c d e", "fromId": "e1"},
        {"type": "branch_summary", "summary": "", "fromId": "e1"},
        {"type": "label", "targetId": "e1", "label": "x"},
        {"type": "from_the_future", "message": {"role": "user", "content": "never sent"}},
        tmp_path=tmp_path,
    )
    found = count(session, Words())
    assert found.counter == "words"
    assert list(found.tokens) == [0, 3, 1, 2, 4, 2, 3, 0, 0, 0]
    assert (found.error, found.exact, found.unrecorded, found.calibration) == (None, b"", None, None)


def test_what_is_not_sent_again(tmp_path):
    """A failed or aborted reply and a delivery mirror count nothing in any table without evidence that they were."""
    session = opened(
        said("user", "one two"),
        said("assistant", "half an answ", usage=USAGE, stopReason="aborted"),
        said("assistant", "", usage=USAGE, stopReason="error", errorMessage="overloaded"),
        said("assistant", "the answer", usage=USAGE, stopReason="stop", provider="p", model="m"),
        said("assistant", "the answer", usage={}, stopReason="stop", provider="openclaw", model="delivery-mirror"),
        tmp_path=tmp_path,
    )
    for name in ("chars", "bpe", "recorded"):
        tokens = count(session, make(name, session)).tokens
        assert [bool(n) for n in tokens] == [True, False, False, True, False], name


def test_embedded_and_edited_messages(tmp_path):
    """Messages inside a compaction and the target of an edit are counted where they stand."""
    kept = {"role": "user", "content": "kept in the compaction"}
    session = opened(
        said("user", "one two three"),
        {"type": "compaction", "summary": "a b", "retainedTail": [kept], "tokensBefore": 9},
        said("user", "four five"),
        {"type": "context_edit", "targetId": "e2", "replacement": {"content": "six"}},
        {"type": "context_edit", "targetId": "e2", "replacement": None},
        tmp_path=tmp_path,
    )
    for counter in (Words(), make("recorded", session), make("chars", session)):
        found = count(session, counter)
        assert found.tails == {1: (("user", counter.count(Message.of(kept))),)}
        assert found.edits == {3: counter.count(Message.of({"role": "user", "content": "six"}))}


def test_recorded_counts_are_told_apart(tmp_path):
    """With the counter that learns, the table says which rows are exact, its error, and what is not in the file."""
    talk = Talk()
    talk.message("user", "Why does the test fail?")
    talk.work(40)
    session = talk.open(tmp_path)
    found = count(session, make("recorded", session))
    assert [found.tokens[row] for row in range(len(session)) if found.exact[row]] == talk.true[1:-2]
    assert found.error is not None
    assert found.error == found.calibration.error
    assert found.unrecorded == pytest.approx(SYSTEM, abs=10)
    assert pickle.loads(pickle.dumps(found)) == found  # the worker process sends it to the window


def test_summaries_are_counted_by_every_counter(tmp_path):
    """A row's number is that of the message which step 0 builds for it."""
    session = opened(
        said("user", "one"),
        said("user", "two"),
        {"type": "compaction", "summary": "what happened", "firstKeptEntryId": "e1", "tokensBefore": 9},
        said("user", "three"),
        tmp_path=tmp_path,
    )
    context = build(session, session.path_to(session.active_leaf))
    for name in counters():
        counter = make(name, session)
        found = count(session, counter)
        for message, origin in zip(context.messages, context.origins, strict=True):
            assert found.tokens[origin.rows[0]] == counter.count(message) > 0


@pytest.mark.parametrize("name", ["chars", "recorded"])
def test_end_early(name, tmp_path):
    """Asked to stop, it stops within 256 rows and leaves the rest at 0."""
    session = opened(*(said("user", f"number {number}") for number in range(700)), tmp_path=tmp_path)
    asked = []
    found = count(session, make(name, session), lambda row: asked.append(row) or row < 256)
    assert asked[-1] <= 512
    assert len(found.tokens) == 700
    assert not any(found.tokens[513:])
    assert isinstance(found, Counts)
