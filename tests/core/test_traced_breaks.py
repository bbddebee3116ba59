"""Causes of breaks where a trace tells what both requests sent: told by the first difference, not guessed."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from core.cli import run
from core.counter import make
from core.counts import count
from core.format import open_session
from core.session import Session
from core.timeline import Timeline, build
from core.trace_calls import Recorded, recordings
from core.trace_findings import all_findings
from core.traced_breaks import retold, traced_break, traced_breaks

SAMPLE = Path(__file__).parents[2] / "resources" / "samples" / "traced-session.jsonl"


@pytest.fixture(scope="module")
def traced() -> tuple[Session, Timeline, tuple[Recorded, ...]]:
    session = open_session(str(SAMPLE))
    timeline = build(session, session.active_leaf, count(session, make("recorded", session)))
    return session, timeline, recordings(session, ())


def test_each_cause_at_its_character(traced: tuple[Session, Timeline, tuple[Recorded, ...]]) -> None:
    """Four breaks of the sample, as it was made: three tools go, they come back, a clock above the boundary, and the
    dynamic part; each computed, in the right block at the right character, with both texts."""
    session, timeline, recorded = traced
    found = traced_breaks(session, timeline, recorded, all_findings(recorded))
    told = [
        (b.request, b.cause, b.certainty, b.place.block, b.place.unit, b.place.finding) for b in found.breaks if b.place
    ]
    assert told == [
        (5, "tools_changed", "computed", 0, 2325, "tools_shrank"),
        (8, "tools_changed", "computed", 0, 2325, "tools_returned"),
        (12, "system_changed", "computed", 1, 2026, "clock_above_boundary"),
        (15, "system_changed", "computed", 2, 154, ""),
    ]
    shrank, returned = (b.place for b in found.breaks[:2])
    assert shrank is not None
    assert returned is not None
    assert (shrank.before, shrank.after) == (returned.after, returned.before)
    assert [s.broke for s in found.summaries if s.broke is not None] == list(found.breaks)
    assert [(b.read, b.lost, b.cost) for b in found.breaks] == [(b.read, b.lost, b.cost) for b in timeline.breaks]


def test_what_comes_first_stays(traced: tuple[Session, Timeline, tuple[Recorded, ...]]) -> None:
    """Another model or thinking level is the cause, whatever else changed with it; so is a second writer."""
    session, timeline, recorded = traced
    for cause in ("model_changed", "thinking_changed", "second_writer"):
        item = replace(timeline.breaks[0], cause=cause, certainty="computed")
        assert traced_break(session, timeline, item, recorded, ()) is item


def test_without_a_trace_nothing_changes(traced: tuple[Session, Timeline, tuple[Recorded, ...]]) -> None:
    """No trace, or one that tells nothing of the two requests: the very same timeline, the very same break."""
    session, timeline, recorded = traced
    assert traced_breaks(session, timeline, (), ()) is timeline
    silent = tuple(
        replace(one, calls=tuple(call for call in one.calls if call.request is None or call.number < 3))
        for one in recorded
    )
    assert traced_breaks(session, timeline, silent, ()) is timeline


def test_told_again_of_a_path_that_grew(traced: tuple[Session, Timeline, tuple[Recorded, ...]]) -> None:
    """What was read off the traces holds for the same answers; breaks that came since keep their own cause."""
    session, timeline, recorded = traced
    found = traced_breaks(session, timeline, recorded, all_findings(recorded)).breaks
    again = retold(timeline, found[:2])
    assert again.breaks == (*found[:2], *timeline.breaks[2:])
    assert [s.broke for s in again.summaries if s.broke is not None] == list(again.breaks)
    assert retold(timeline, ()) is timeline


def test_documents_gain_keys_only_with_a_trace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`breaks` tells block and character where traces lie beside the file; alone it says what it always said."""
    alone = tmp_path / "alone.jsonl"
    shutil.copy(SAMPLE, alone)
    documents = []
    for path in (SAMPLE, alone):
        assert run(["breaks", str(path), "--json"]) == 0
        documents.append(json.loads(capsys.readouterr().out)["breaks"])
    added = set(documents[0][0]) - set(documents[1][0])
    assert added == {"block", "section", "part", "character", "before", "after", "trace", "finding", "where"}
    assert {one["certainty"] for one in documents[1]} == {"likely"}
    assert run(["breaks", str(SAMPLE), "--lang", "en"]) == 0
    assert "tools, character 2,326" in capsys.readouterr().out
    trace = SAMPLE.with_name("traced-session.trajectory.jsonl")
    assert run(["breaks", str(alone), "--trace", str(trace), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["breaks"][0]["cause"] == "tools_changed"


def test_a_message_that_was_not_sent_as_before(tmp_path: Path) -> None:
    """Tools and system prompt are the same, a message in the middle is not: the trace of whole messages shows where,
    counted behind tools and the two parts of the system prompt."""
    lines = [json.loads(line) for line in SAMPLE.read_text().splitlines()]
    answers = [
        line for line in lines if "usage" in line.get("message", {}) and line["message"]["usage"].get("cacheRead")
    ]
    answer = answers[1]  # nothing breaks there
    usage = answer["message"]["usage"]
    usage["cacheWrite"], usage["cacheRead"] = usage["cacheRead"] + usage["cacheWrite"], 0
    session_path = tmp_path / SAMPLE.name
    session_path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    session = open_session(str(session_path))
    timeline = build(session, session.active_leaf, count(session, make("recorded", session)))
    number = next(s.request.number for s in timeline.summaries if session.columns.ids[s.request.entry] == answer["id"])
    shutil.copy(SAMPLE.with_name("traced-session.trajectory.jsonl"), tmp_path)
    whole = SAMPLE.with_name("traced-session.cache-trace.jsonl")
    records = [json.loads(line) for line in whole.read_text().splitlines()]
    calls = [record for record in records if record["stage"] == "stream:context"]
    (recorded, *_) = recordings(open_session(str(SAMPLE)), (str(whole),))
    row = timeline.summaries[number - 1].request.entry
    changed = calls[next(at for at, call in enumerate(recorded.calls) if call.request == row)]["messages"][0]
    changed["content"] = json.loads(json.dumps(changed["content"]).replace("skippers", "sailors"))
    (tmp_path / whole.name).write_text("".join(json.dumps(record) + "\n" for record in records))
    traces = recordings(session, ())
    broken = traced_breaks(session, timeline, traces, all_findings(traces))
    found = next(item for item in broken.breaks if item.request == number)
    assert (found.cause, found.certainty) == ("messages_changed", "computed")
    assert found.place is not None
    assert (found.place.block, found.place.section, found.place.message) == (3, "messages", 0)
    assert found.place.before.startswith("kippers")
    assert found.place.after.startswith("ailors")
