"""What requests bring to the first step, told as what is new: put together, it is step 0 of each request."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import counter as counting
from core import counts as tables
from core import timeline as timelines
from core.arrivals import Sending, arrivals
from core.assembled import assemble
from core.context import message_of
from core.errors import UnsupportedFormat
from core.format import open_session
from core.session import Session
from tests.core.drawn import call, opened, said


def readable(path: Path) -> bool:
    try:
        open_session(str(path))
    except UnsupportedFormat:
        return False
    return True


CASES = [path for path in sorted((Path(__file__).parents[1] / "cases").glob("*.jsonl")) if readable(path)]
SAMPLES = Path(__file__).parents[2] / "resources" / "samples"


def agree(session: Session) -> int:
    """Every request of the active path: its blocks are those that are assembled for it alone. How many began anew."""
    counts = tables.count(session, counting.make("chars", session))
    timeline = timelines.build(session, session.active_leaf, counts)
    sending = Sending(session, session.body, lambda row: message_of(session, row))
    there, renewed, last = [], 0, len(timeline.summaries)
    found = list(arrivals(session, timeline, sending))
    assert [arrival.number for arrival in found] == list(range(1, last + 2))
    for arrival in found:
        if arrival.flow.anew:
            there.clear()
            renewed += 1
        there += arrival.flow.fixed
        assert not arrival.flow.loose
        wanted = assemble(session, timeline, counts, arrival.number if arrival.number <= last else None)
        assert [(b.key, b.origin) for b in there] == [(b.key, b.origin) for b in wanted.blocks]
        assert arrival.unrecorded == wanted.unrecorded
        assert (arrival.summary.request if arrival.summary else None) == wanted.request
    return renewed


def asked(text: str = "u"):
    return said("user", text)


def answered(*blocks, number: int = 1):
    usage = {"input": 100 * number, "output": 5, "cacheRead": 0, "cacheWrite": 0}
    return said("assistant", *blocks, provider="p", model="m", stopReason="stop", usage=usage)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem[:30])
def test_every_case_file(path):
    """Compactions, resets, edits, retained tails, branches, broken files."""
    agree(open_session(str(path)))


@pytest.mark.parametrize("name", ["two-branches", "broken-pairs"])
def test_samples(name):
    """Whole sessions."""
    agree(open_session(str(SAMPLES / f"{name}.jsonl")))


def test_a_summary_takes_the_place_of_what_was_there(tmp_path):
    """u a u C(keep u) a u a: from the compaction on the context is another, and grows again."""
    session = opened(
        asked("one"),
        answered("a"),
        asked("two"),
        {"type": "compaction", "summary": "so far", "firstKeptEntryId": "e2", "tokensBefore": 9},
        answered("b"),
        asked("three"),
        answered("c"),
        tmp_path=tmp_path,
    )
    assert agree(session) == 1


def test_an_edit_at_the_end_only_is_no_new_beginning(tmp_path):
    """An edit of a message that no request has carried yet: what was there before stays the beginning."""
    session = opened(
        asked("one"),
        answered("a"),
        asked("two"),
        {"type": "context_edit", "targetId": "e2", "replacement": {"content": "shorter"}},
        answered("b"),
        {"type": "context_edit", "targetId": "e0", "replacement": None},
        answered("c"),
        tmp_path=tmp_path,
    )
    assert agree(session) == 1


ENTRIES = st.sampled_from(
    [
        asked(),
        answered("a"),
        answered(call("bash")),
        said("toolResult", "r", toolCallId="t1"),
        said("bashExecution", command="c", output="o"),
        {"type": "custom_message", "customType": "x", "content": "c"},
        {"type": "branch_summary", "summary": "left", "fromId": "e0"},
        {"type": "compaction", "summary": "s", "firstKeptEntryId": "e1"},
        {"type": "compaction", "summary": "s", "retainedTail": [{"role": "user", "content": "kept"}]},
        {"type": "reset"},
        {"type": "context_edit", "targetId": "e1", "replacement": None},
        {"type": "context_edit", "targetId": "e4", "replacement": {"content": "other"}},
        {"type": "context_edit", "targetId": "e4", "replacement": {}},
        {"type": "label", "targetId": "e0", "label": "l"},
    ]
)


@settings(max_examples=150)
@given(st.lists(ENTRIES, max_size=12))
def test_any_path(tmp_path_factory, entries):
    """Whatever stands on the path, in whatever order (an edit may even name an entry that comes later)."""
    agree(opened(*entries, tmp_path=tmp_path_factory.mktemp("any")))
