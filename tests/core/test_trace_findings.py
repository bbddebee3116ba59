"""What broke the cache between two recorded calls: each cause found, named, at its very character."""

from __future__ import annotations

import pytest

from core import boundary
from core.format import open_session
from core.javascript import units
from core.phrase import LANGUAGES, render
from core.trace_calls import recordings
from core.trace_findings import all_findings, findings
from tests.core.traces import event, session_lines, stage, traced, user
from tests.resources.test_samples import FOLDER

READ, EXEC, BROWSER = {"name": "read"}, {"name": "exec"}, {"name": "browser", "parameters": {"type": "object"}}


def found(tmp_path, *lines):
    _, recorded = traced(tmp_path, session_lines(user("a")), lines)
    return findings(recorded)


def systems(*texts: str) -> list:
    return [stage("stream:context", at, system=text) for at, text in enumerate(texts)]


def rosters(*tools: list) -> list:
    return [event("context.compiled", at, tools=roster) for at, roster in enumerate(tools)]


def test_the_sample():
    """Its four causes, in the order of the session, once each though two traces tell of them.

    request   5 tools shrank · 8 returned · 12 a time above the boundary · 15 a second marker
    """
    session = open_session(FOLDER / "traced-session.jsonl")
    numbers = {request.entry: request.number for request in session.requests()}
    told = [
        (item.code, numbers[item.request], item.section, item.title)
        for _, item in all_findings(recordings(session, ()))
    ]
    assert told == [
        ("tools_shrank", 5, "tools", ""),
        ("tools_returned", 8, "tools", ""),
        ("clock_above_boundary", 12, "system", "Workspace"),
        ("second_marker", 15, "system", "/home/pilot/sandvig/HEARTBEAT.md"),
    ]


def test_the_sample_at_the_right_character():
    """The texts of the trace part at the unit named, and nowhere before it."""
    session = open_session(FOLDER / "traced-session.jsonl")
    first = recordings(session, ())[0]
    clock, marker = findings(first)
    old, new = (first.trace.contents(first.calls[number - 1].record).system for number in (11, 12))
    assert units(old)[: clock.unit] == units(new)[: clock.unit]
    assert units(old)[clock.unit] != units(new)[clock.unit]
    assert (clock.before, clock.after) == ("2026-04-08T09:41:07Z", "2026-04-08T09:58:30Z")
    text = units(first.trace.contents(first.calls[14].record).system)
    assert text[marker.unit :].startswith(boundary.BOUNDARY.strip())
    assert text.index(boundary.BOUNDARY) < marker.unit


def test_units_behind_an_emoji(tmp_path):
    """Places are UTF-16 units: an emoji before the difference counts two."""
    (changed,) = found(tmp_path, *systems("😀 alpha" + boundary.BOUNDARY, "😀 beta" + boundary.BOUNDARY))
    assert (changed.code, changed.unit, changed.before, changed.after) == ("stable_changed", 3, "alpha", "beta")


def test_below_the_boundary_anything_may_change(tmp_path):
    texts = [f"stable{boundary.BOUNDARY}now {n}" for n in (1, 2)]
    assert found(tmp_path, *systems(*texts)) == ()


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("at 09:41", "at 09:52", "clock_above_boundary"),
        ("on 2026-04-05", "on 2026-04-06", "clock_above_boundary"),
        ("ms 1767607200000", "ms 1767607260000", "clock_above_boundary"),
        ("3:15 PM", "3:16 PM", "clock_above_boundary"),
        ("version 2.15.1", "version 2.15.2", "stable_changed"),
        ("17 files", "18 files", "stable_changed"),
        ("a", "a longer", "stable_changed"),
    ],
)
def test_a_time_is_told_from_other_changes(tmp_path, old, new, code):
    assert [item.code for item in found(tmp_path, *systems(f"{old}\nrest", f"{new}\nrest"))] == [code]


def test_markers_are_told_when_they_appear(tmp_path):
    """Not with every call that has them; without its line ends a marker is none at all."""
    mark = boundary.BOUNDARY
    twice = f"a{mark}b{mark}c"
    told = found(tmp_path, *systems(f"a{mark}b", twice, twice))
    assert [(item.code, item.call, item.count) for item in told] == [("second_marker", 2, 2)]
    (loose,) = found(tmp_path, *systems(f"a {mark.strip()} b"))
    assert (loose.code, loose.unit) == ("broken_marker", 2)


@pytest.mark.parametrize(
    ("rosters_", "told"),
    [
        ([[READ, EXEC], [READ]], [("tools_shrank", ("exec",))]),
        ([[READ, EXEC], [READ], [READ, EXEC]], [("tools_shrank", ("exec",)), ("tools_returned", ("exec",))]),
        ([[READ], [READ, BROWSER]], [("tools_grew", ("browser",))]),
        ([[READ, EXEC], [EXEC, READ]], [("tools_reordered", ("exec", "read"))]),
        ([[READ], [{"name": "read", "description": "d"}]], [("tool_changed", ("read",))]),
        (
            [[{"name": "a", "x": 1}], [{"x": 1, "name": "a"}]],
            [("tool_changed", ("a",))],
        ),  # key order is part of the prompt
        ([[READ], [READ]], []),
    ],
)
def test_rosters(tmp_path, rosters_, told):
    assert [(item.code, item.names) for item in found(tmp_path, *rosters(*rosters_))] == told


def test_a_list_that_was_cut_hides_the_rest(tmp_path):
    """A trajectory's lists end at 64: what is missing behind that is not known to be gone."""
    many = [{"name": f"t{n}"} for n in range(64)]
    assert found(tmp_path, *rosters(many, many[:63])) == ()
    assert [item.code for item in found(tmp_path, *rosters(many, [*many[1::-1], *many[2:]]))] == ["tools_reordered"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_cause_has_words(tmp_path, language):
    lines = [*systems("a 09:41", "a 09:42", "b"), *systems(f"b{boundary.BOUNDARY}c{boundary.BOUNDARY}")]
    for number, item in enumerate(found(tmp_path, *lines)):
        said = render(item.said(number or None, "t.jsonl"), language)
        assert "finding." not in said
        assert "{" not in said
