"""What traces tell of one request, as it is handed to a window."""

from __future__ import annotations

import pickle

import pytest

from core import counter as counters
from core import counts as tables
from core import timeline
from core.boundary import BOUNDARY
from core.format import open_session
from core.recorded_prompt import EMPTY, RecordedPrompt, recorded_prompt
from core.trace_calls import recordings
from core.trace_findings import all_findings
from tests.core.traces import answer, event, result, session_lines, user, write

TALK = session_lines(user("a"), answer("b", "c1"), result("c1", "r"), answer("d"), user("e"), answer("f"))


def told(place, trace, number: int | None) -> RecordedPrompt:
    session = open_session(write(place / "s.jsonl", TALK))
    write(place / "s.trajectory.jsonl", trace)
    counter = counters.make("chars", session)
    counts = tables.count(session, counter)
    line = timeline.build(session, session.active_leaf, counts)
    found = recordings(session, ())
    return recorded_prompt(session, line, counts, counter, number, found, all_findings(found))


def run(leaf: str, system: str, *tools: str):
    listed = [{"name": name} for name in tools]
    return event("context.compiled", 1, run=leaf, transcriptLeafId=leaf, systemPrompt=system, tools=listed)


TRACE = [run("e1", f"a{BOUNDARY}b", "read", "exec"), run("e4", f"a{BOUNDARY}c", "read", "exec")]


@pytest.mark.parametrize(
    ("second", "leading", "unit", "cause"),
    [
        (run("e4", f"a{BOUNDARY}c", "read", "exec"), 2, 0, None),
        (run("e4", f"x{BOUNDARY}b", "read", "exec"), 1, 0, "stable_changed"),
        (run("e4", f"a{BOUNDARY}b", "read"), 0, len('[{"name":"read"}'), "tools_shrank"),
        (run("e4", f"a{BOUNDARY}b{BOUNDARY}", "read", "exec"), 2, 1, "second_marker"),
    ],
)
def test_where_it_differs_from_the_request_before(tmp_path, second, leading, unit, cause):
    """The first part that is not as it was, the unit in it, and its cause where there is a warning."""
    found = told(tmp_path, [TRACE[0], second], 3).parted
    assert found is not None
    assert (found.leading, found.unit, found.cause) == (leading, unit, cause)
    assert found.before != found.after


def test_within_a_run_nothing_differs(tmp_path):
    """The system prompt is compiled once; the first request has nothing before it."""
    assert told(tmp_path, TRACE, 2).parted is None
    assert told(tmp_path, TRACE, 1).parted is None


def test_it_is_small(tmp_path):
    """Nothing of the trace goes along but what this request needs."""
    found = told(tmp_path, TRACE, 3)
    assert len(pickle.dumps(found)) < 6_000
    assert pickle.loads(pickle.dumps(found)) == found
    assert found.marks == (1,)
    assert found.tail


def test_without_a_call_of_this_session(tmp_path):
    """Nothing is known; what is wrong with the trace is told all the same."""
    other = event("context.compiled", 1, session="other", systemPrompt="S")
    assert told(tmp_path, [other], 1) == EMPTY
