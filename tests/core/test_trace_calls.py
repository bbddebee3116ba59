"""Which recorded call is which request: by its last message, by the entry of its prompt, by the clock."""

from __future__ import annotations

from core.trace_calls import recordings
from tests.core.traces import answer, event, opened, result, session_lines, stage, traced, user

TALK = session_lines(user("a"), answer("b", "c1"), result("c1", "r"), answer("d"), user("e"), answer("f"))
"""u1 a2 r3 a4 u5 a6: three requests, answered by e2, e4 and e6."""


def rows(session, recorded) -> list[tuple[str | None, str | None]]:
    return [
        (session.columns.ids[call.request] if call.request is not None else None, call.by) for call in recorded.calls
    ]


def sent(*numbers: int) -> list:
    """The messages of these lines of TALK."""
    return [TALK[number]["message"] for number in numbers]


def test_by_the_last_message(tmp_path):
    """The prompt by its time, a tool result by the call that it answers, whatever the clock says."""
    trace = [
        stage("stream:context", 900, messages=sent(1)),
        stage("stream:context", 900, messages=sent(1, 2, 3)),
        stage("stream:context", 900, messages=sent(1, 2, 3, 4, 5)),
    ]
    assert rows(*traced(tmp_path, TALK, trace)) == [("e2", "message"), ("e4", "message"), ("e6", "message")]


def test_ids_that_lost_their_signs(tmp_path):
    """The agent makes call ids safe for the provider: letters and digits stay."""
    lines = session_lines(user("a"), answer("b", "c_1|x"), result("c_1|x", "r"), answer("d"))
    changed = {**lines[3]["message"], "toolCallId": "c1x", "timestamp": None}
    recorded = traced(tmp_path, lines, [stage("stream:context", 1, messages=[changed])])
    assert rows(*recorded) == [("e4", "message")]


def test_a_retry_is_answered_once(tmp_path):
    """Of two calls with the same last message the later one was answered."""
    trace = [stage("stream:context", at, messages=sent(1)) for at in (12, 14)]
    assert rows(*traced(tmp_path, TALK, trace)) == [(None, None), ("e2", "message")]


def test_by_the_entry_of_the_prompt(tmp_path):
    """A trajectory names the leaf its prompt was hung on: the first answer below it, past the prompt."""
    trace = [event("context.compiled", 900, transcriptLeafId="e4", messages=[]), event("context.compiled", 1)]
    assert rows(*traced(tmp_path, TALK, trace))[0] == ("e6", "leaf")
    trace = [event("context.compiled", 1, transcriptLeafId="nobody")]
    assert rows(*traced(tmp_path, TALK, trace)) == [(None, None)]


def test_by_the_clock_alone(tmp_path):
    """Without messages: the last call before the answer began, and none that lies too far back."""
    trace = [stage("stream:context", at, system="S") for at in (14.5, 34.9, 54)]
    assert rows(*traced(tmp_path, TALK, trace)) == [("e2", "time"), ("e4", "time"), ("e6", "time")]
    late = [stage("stream:context", 300, system="S")]
    assert rows(*traced(tmp_path, TALK, late)) == [(None, None)]


def test_stages_belong_to_the_first_call_of_their_run(tmp_path):
    trace = [
        stage("session:loaded", 1, messages=[]),
        stage("prompt:before", 2, prompt="a"),
        stage("session:loaded", 3, run="other"),
        stage("stream:context", 14, messages=sent(1)),
        stage("stream:context", 34, messages=sent(1, 2, 3)),
    ]
    _, recorded = traced(tmp_path, TALK, trace)
    assert [[record.stage for record in call.stages] for call in recorded.calls] == [
        ["session:loaded", "prompt:before"],
        [],
    ]


def test_one_file_for_all_sessions(tmp_path):
    """Only the session's own lines count; a trace of others says so and holds no call."""
    own = stage("stream:context", 14, messages=sent(1))
    session, recorded = traced(tmp_path, TALK, [stage("stream:context", 13, session="s2"), own])
    assert rows(session, recorded) == [("e2", "message")]
    _, recorded = traced(tmp_path, TALK, [stage("stream:context", 14, session="s2", messages=sent(1))])
    assert recorded.calls == ()
    assert [problem.code for problem in recorded.problems] == ["trace_other_session"]


def test_a_branch_has_its_own_call(tmp_path):
    """
    e1 ─ e2          the same prompt, asked again from the same place: two answers,
      └─ e3          told apart by the clock
    """
    lines = session_lines(user("a"), answer("b"), answer("c"))
    lines[3]["parentId"] = "e1"
    trace = [stage("stream:context", at, messages=[lines[1]["message"]]) for at in (14, 24)]
    assert rows(*traced(tmp_path, lines, trace)) == [("e2", "message"), ("e3", "message")]


def test_a_trace_that_did_not_change_is_not_read_again(tmp_path):
    """A session grows while it is followed, its trace is large: the index of its lines stays."""
    session, first = traced(tmp_path, TALK, [stage("stream:context", 14, messages=sent(1))])
    path = first.trace.path
    (again,) = recordings(session, (path,), {path: first.trace})
    assert again.trace is first.trace
    opened(tmp_path, [stage("stream:context", 14, messages=sent(1)), stage("stream:context", 34, system="S")])
    (other,) = recordings(session, (path,), {path: first.trace})
    assert len(other.calls) == 2
