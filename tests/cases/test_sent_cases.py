"""What is sent of the small sessions after public bug reports: the whole way from the file through the layers."""

from __future__ import annotations

import json
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest

from core import counter, counts, replay
from core.assembled import assemble
from core.errors import UnsupportedFormat
from core.format import open_session
from core.judge import judge
from core.pairing import calls, result_id
from core.profile import default_policy, policies, policy
from core.steps import begin, run, trace
from core.timeline import build

HERE = Path(__file__).resolve().parent
EXPECTED = {}
for name, table in tomllib.loads((HERE / "sent.toml").read_text(encoding="utf-8")).items():
    again = {key: value for key, value in table.items() if isinstance(value, dict)}
    EXPECTED[name] = {key: value for key, value in table.items() if key not in again}
    EXPECTED |= {f"{name}.{key}": value for key, value in again.items()}


def opened(name: str):
    session = open_session(HERE / f"{name}.jsonl")
    counted = counts.count(session, counter.make("chars"))
    return session, build(session, session.active_leaf, counted), counted


@pytest.mark.parametrize("name", EXPECTED)
def test_sends(name):
    """Roles in order, what had to fire, what is made up, what is gone, and whether the provider would take it."""
    wanted = EXPECTED[name]
    session, timeline, counted = opened(name.partition(".")[0])
    profile = policy(wanted["policy"]) if "policy" in wanted else default_policy(session.format)
    done = trace(session, timeline, counted, None, profile)
    sent = done.blocks
    ids = session.columns.ids
    assert [block.message.role for block in sent] == wanted["roles"]
    assert [fault.code for fault in judge(sent, "anthropic")] == wanted.get("faults", [])
    assert set(wanted.get("fired", ())) <= {step.instance for step in done.steps if step.fired}
    assert not [step.failed for step in done.steps if step.failed]
    made = [
        [place, result_id(block.message), ids[before.origin.rows[-1]]]
        for place, (before, block) in enumerate(pairwise(sent), 1)
        if not block.origin.rows
    ]
    assert made == wanted.get("made_up", [])
    assert all(sent[place].message.get("isError") is True for place, _, _ in made)
    rows = {row for block in sent for row in block.origin.rows}
    assert [
        ids[block.origin.rows[0]] for block in done.steps[0].after if not rows & {*block.origin.rows}
    ] == wanted.get("gone", [])
    if "pairs" in wanted:
        called = [call.id for block in sent for call in calls(block.message)]
        assert len(set(called)) == len(called)
        results = [block.message for block in sent if block.message.role == "toolResult"]
        assert [result_id(message) for message in results] == called
        assert [message.text() for message in results] == wanted["pairs"]
    said = json.dumps([block.message.json() for block in sent], ensure_ascii=False)
    for text in wanted.get("present", ()):
        assert json.dumps(text, ensure_ascii=False) in said or text in said
    for text in wanted.get("absent", ()):
        assert f'"{text}"' not in said
    if "model" in wanted:
        assert (
            begin(session, timeline, counted, assemble(session, timeline, counted, None), profile).step.target.model
            == (wanted["model"])
        )


@pytest.mark.parametrize("path", sorted(HERE.glob("*.jsonl")), ids=lambda path: path.stem)
def test_every_policy_runs_every_case(path):
    """Whatever a file holds: no step fails, and every request of it has a trace under every policy."""
    try:
        session, timeline, counted = opened(path.stem)
    except UnsupportedFormat:
        return
    for profile in policies().values():
        for number in (None, *range(1, len(timeline.summaries) + 1)):
            done = trace(session, timeline, counted, number, profile)
            assert not [step.failed for step in done.steps if step.failed]
            assert len(done.steps) == len(profile.instances) + 1


EAGER = policy("openclaw-2026.9").set("project_results", budget=1_000).set("ttl_pruning", gate="open", min_prunable=0)
"""The policy whose cuts stay, so set that it cuts in small files."""


@pytest.mark.parametrize("path", sorted(HERE.glob("*.jsonl")), ids=lambda path: path.stem)
def test_what_is_handed_on_in_every_case(path):
    """The requests of any file can be folded, under every policy that hands something on, and go on from there."""
    try:
        session, timeline, counted = opened(path.stem)
    except UnsupportedFormat:
        return
    for profile in (EAGER, *(found for found in policies().values() if replay.hands_on(found))):
        found = list(replay.fold(session, timeline, counted, profile))
        assert len(found) == len(timeline.summaries) + 1
        _, done = replay.trace(session, timeline, counted, None, profile)
        assert not [step.failed for step in done.steps if step.failed]


def test_a_huge_result_is_cut_to_the_half_of_its_limit():
    """250,000 characters in a window of 200,000 tokens: at most 100,000 are left, and what was cut can be read."""
    session, timeline, counted = opened("41-huge-lines")
    start = begin(session, timeline, counted, assemble(session, timeline, counted, None), policy("openclaw-2026.4.5"))
    step = next(s for s in run(start, policy("openclaw-2026.4.5")).steps if s.instance == "guard_single")
    [edit] = step.edits
    assert edit.chars_before == 250_000
    assert 90_000 < edit.chars_after <= 100_000
    assert len(edit.after.before.message.text()) == 250_000
