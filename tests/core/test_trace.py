"""Reading traces: both kinds, what is wrong with a line, and that nothing in one can stop the reading."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError, UnsupportedFormat
from core.phrase import LANGUAGES, render
from core.trace import beside, open_trace
from core.trace_records import json_digest, messages_digest
from tests.core.traces import event, opened, stage, user, write

CASE_45 = Path(__file__).parents[1] / "cases" / "45-trajectory-sidecar-with-two-markers.jsonl"


def codes(trace) -> list[tuple[str, int | None]]:
    return [(problem.code, problem.line) for problem in trace.problems]


def test_case_45():
    """A trajectory, told by its lines: no session. It is cut at the first marker, the second one is seen, and so are
    the file that was cut and the one that was missing."""
    trace = open_trace(CASE_45)
    assert (trace.kind, len(trace.records), trace.problems) == ("trajectory", 5, ())
    (call,) = trace.calls()
    assert (call.leaf, call.strays) == ("e0000002", 1)
    assert [tool.name for tool in call.tools or ()] == ["read"]
    report = trace.report("run-1")
    assert (report.per_file, report.total) == (12_000, 60_000)
    assert [(f.name, f.missing, f.raw, f.injected, f.truncated) for f in report.files] == [
        ("AGENTS.md", False, 33_071, 12_000, True),
        ("HEARTBEAT.md", True, 0, 0, False),
    ]
    assert trace.contents(call).system.startswith("You are an assistant.")


def test_a_cache_trace(tmp_path):
    """Digests and sizes are kept, texts are read again from the line."""
    lines = [
        stage("session:loaded", 1, seq=1, messages=[user("a")]),
        stage("stream:context", 2, seq=2, system="S", messages=[user("a"), user("b")]),
    ]
    trace = opened(tmp_path, lines)
    assert trace.kind == "cache_trace"
    assert [record.messages for record in trace.records] == [1, 2]
    (call,) = trace.calls()
    held = trace.contents(call)
    assert (held.system, [message.text() for message in held.messages]) == ("S", ["a", "b"])
    assert call.system is not None
    assert "S" not in repr(trace)


def test_a_system_prompt_in_blocks(tmp_path):
    blocks = [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]
    trace = opened(tmp_path, [stage("stream:context", 1, system=blocks)])
    assert trace.contents(trace.records[0]).system == "one\n\ntwo"


def test_digests_of_the_agent(tmp_path):
    """SHA-256 of the JSON with sorted keys; one that does not fit its text is told."""
    assert json_digest({"b": [1, {"d": 1.0, "c": "é"}], "a": None}) == json_digest(
        {"a": None, "b": [1, {"c": "é", "d": 1}]}
    )
    assert messages_digest(["x", "y"]) == json_digest("x|y")
    told = stage("stream:context", 1, system="S", systemDigest=json_digest("S"))
    assert codes(opened(tmp_path, [told])) == []
    assert codes(opened(tmp_path, [{**told, "system": "T"}])) == [("trace_digest", 1)]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ('{"stage": "stream:con', "trace_bad_line"),
        ('{"a": 1}{"b": 2}', "trace_bad_line"),
        ("[1, 2]", "trace_foreign_line"),
        ('{"type": "message"}', "trace_foreign_line"),
        (event("context.compiled", 1), "trace_foreign_line"),
        (stage("no:such", 1), "trace_unknown_stage"),
        (stage("session:after", 3, seq=9), "trace_gap"),
    ],
)
def test_a_line_that_is_wrong(tmp_path, line, code):
    """It becomes a Problem with its line, and the others are read."""
    lines = [stage("session:loaded", 1, seq=1), line, "", stage("stream:context", 2, seq=2, system="S")]
    trace = opened(tmp_path, lines)
    assert (code, 2) in codes(trace)
    assert len(trace.calls()) == 1
    for language in LANGUAGES:
        for problem in trace.problems:
            for said in (problem.message, problem.hint):
                assert "problem." not in render(said, language)


def test_fields_of_a_wrong_type_are_not_recorded(tmp_path):
    """Hostile values are as good as none."""
    odd = {"messages": "x", "system": 7, "tools": {}, "messageFingerprints": 3, "options": [], "ts": {}, "seq": "1"}
    (record,) = opened(tmp_path, [{"runId": 5, "sessionId": [], "stage": "stream:context", **odd}]).records
    assert (record.system, record.tools, record.messages, record.time, record.seq) == (None, None, None, None, None)


def test_no_trace(tmp_path):
    with pytest.raises(UnsupportedFormat):
        open_trace(write(tmp_path / "x.jsonl", [{"type": "session", "id": "s"}]))
    with pytest.raises(InputError):
        open_trace(tmp_path / "missing.jsonl")


def test_reading_can_be_stopped(tmp_path):
    lines = [stage("stream:context", n, system="S") for n in range(200)]
    trace = open_trace(write(tmp_path / "t.jsonl", lines), lambda done, size: False)
    assert [problem.code for problem in trace.problems] == ["reading_cancelled"]
    assert 0 < len(trace.records) < 200


def test_what_lies_beside_a_session(tmp_path):
    """The faithful one first; the session itself is none."""
    for name in ("s.jsonl", "s.trajectory.jsonl", "s.cache-trace.jsonl", "other.trajectory.jsonl"):
        write(tmp_path / name, [{}])
    names = [Path(path).name for path in beside(tmp_path / "s.jsonl")]
    assert names == ["s.cache-trace.jsonl", "s.trajectory.jsonl"]
    assert beside(tmp_path / "nobody.jsonl") == ()


@given(
    st.lists(st.binary(max_size=60) | st.sampled_from([b'{"stage":"stream:context","runId":""}', b"null"]), max_size=8)
)
def test_no_bytes_stop_the_reading(tmp_path_factory, lines):
    """Law: whatever a file holds, it is read or refused with words."""
    path = write(tmp_path_factory.mktemp("t") / "t.jsonl", lines)
    try:
        trace = open_trace(path)
    except InputError:
        return
    for record in trace.records:
        trace.contents(record)
