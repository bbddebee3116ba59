"""What one request hands to the next: the fold against every request run whole, one after the other."""

from __future__ import annotations

import json
import pickle

import pytest

from core import replay, steps
from core.assembled import assemble
from core.layers import project_results, ttl_pruning
from core.profile import Profile, policy
from core.session_key import Told
from tests.core.drawn import call, opened, said
from tests.core.test_guard_replay import read
from tests.core.test_whatif_policies import folded
from tests.core.test_whatif_policies import opened as sample

WINDOW = 40_000
LATER = policy("openclaw-2026.9").set("project_results", budget=30_000)
"""Little room, so that results of the samples are cut, and cuts put back."""
EAGER = LATER.set("ttl_pruning", gate="open", min_prunable=5_000, soft=0.05, hard=0.1)


def plain(carries: replay.Carries) -> dict[str, object]:
    """Carries as values: what stands for which result, when the cache was touched. A made-up result bears the time at
    which it was first made up; no provider gets it."""
    found: dict[str, object] = {}
    for name, carry in carries.items():
        if isinstance(carry, ttl_pruning.Carry | project_results.Carry):
            held = carry.cuts.sent.items()
            cuts = {identity: json.dumps({**cut.message.json(), "timestamp": 0}) for identity, cut in held}
            found[name] = (cuts, getattr(carry, "touch", None))
    return found


def window(profile: Profile, tokens: int = WINDOW) -> Profile:
    return steps.replace(profile, window=tokens)


@pytest.mark.parametrize(
    ("name", "profile"),
    [("guard", LATER), ("guard", EAGER), ("guard", policy("openclaw-2026.4.5")), ("flaky-test", EAGER)],
)
def test_the_fold_is_every_request_in_turn(name, profile):
    """The same cuts and touches reach every request as when all steps of all requests run."""
    session, timeline, counts = sample(name)
    whole = folded(name, profile, WINDOW)
    known = {made.name for made in replay.hands_on(profile)}
    found = list(replay.fold(session, timeline, counts, window(profile)))
    assert len(found) == len(whole) + 1
    assert plain(found[0]) == {}
    for before, carries in zip(whole, found[1:], strict=True):
        expected = {step.instance: step.carry for step in before.steps if step.instance in known and step.carry}
        assert plain(carries) == plain(expected)


def test_some_sample_has_cuts_that_stay():
    """The law above is not about nothing."""
    for name, profile in (("ttl_pruning", EAGER), ("project_results", LATER)):
        found = list(replay.fold(*sample("guard"), window(profile)))
        assert max(len(plain(carries).get(name, ({}, None))[0]) for carries in found) > 1


@pytest.mark.parametrize("number", [9, 20, None])
def test_a_trace_with_what_came_before(number):
    """The Trace of one request is the last of a run over all."""
    session, timeline, counts = sample("guard")
    start, done = replay.trace(session, timeline, counts, number, window(LATER))
    assert replay.carrying(start, LATER) == ("ttl_pruning", "project_results")
    if number is not None:
        assert [block.key for block in done.blocks] == [
            b.key for b in folded("guard", LATER, WINDOW)[number - 1].blocks
        ]
    alone = steps.trace(session, timeline, counts, number, window(LATER))
    assert len(done.blocks) == len(alone.blocks)


@pytest.mark.parametrize("profile", [LATER, EAGER.switch("project_results", False)])
def test_sticky_cuts_never_change_once_sent(profile):
    """While a result stands in the prompt, what was sent for it shortened is sent again, byte for byte."""
    sent: dict[object, bytes] = {}
    again = 0
    for done in folded("guard", profile, WINDOW):
        steps_ = [step for step in done.steps if step.layer in ("ttl_pruning", "project_results")]
        cut = {edit.after.first.origin for step in steps_ for edit in step.edits if edit.after is not None}
        there = {block.first.origin: block.key for block in steps_[-1].after if block.message.role == "toolResult"}
        for origin, key in sent.items():
            if origin in there:
                assert there[origin] == key
                again += 1
        sent = {origin: key for origin, key in there.items() if origin in sent or origin in cut}
    assert again > 10


# when nothing need be folded


def of(*entries, tmp_path):
    return read(opened(*entries, tmp_path=tmp_path))


def small(tmp_path):
    asked = said("user", "look")
    first = said("assistant", call("read"), provider="anthropic", model="m", stopReason="toolUse")
    first["message"]["usage"] = {"input": 900, "output": 9}
    result = said("toolResult", "x" * 900, toolCallId="t1", toolName="read")
    second = said("assistant", "done", provider="anthropic", model="m", stopReason="stop")
    second["message"]["usage"] = {"input": 1_300, "output": 9}
    return of(asked, first, result, second, tmp_path=tmp_path)


@pytest.mark.parametrize(
    ("profile", "names"),
    [
        (policy("none"), ()),
        (policy("pi"), ()),
        (policy("openclaw-2026.4.5"), ()),  # no marker in the file: its gate never opens
        (policy("openclaw-2026.4.5").set("ttl_pruning", gate="open", sticky=True), ("ttl_pruning",)),
        (policy("openclaw-2026.4.5").set("ttl_pruning", gate="open"), ()),
        (LATER.switch("ttl_pruning", False).set("project_results", sticky=False), ()),
        (LATER.switch("ttl_pruning", False), ("project_results",)),
    ],
)
def test_who_asks_for_earlier_requests(tmp_path, profile, names):
    """Only what can have handed something on."""
    session, timeline, counts = small(tmp_path)
    start = steps.begin(session, timeline, counts, assemble(session, timeline, counts, 2), profile)
    assert replay.carrying(start, profile) == names


def test_stopped_by_the_person(tmp_path):
    """Without the whole fold nothing is handed on: half of the truth would be none."""
    session, timeline, counts = sample("guard")
    assert replay.carries_at(session, timeline, counts, 20, window(LATER), report=lambda done: False) == {}


def test_a_layer_that_fails_hands_nothing_on(monkeypatch, tmp_path):
    """As in the pipeline: its input goes on, its carry is gone."""

    def broken(blocks, settings, context):
        raise ValueError("broken")

    monkeypatch.setattr(project_results, "apply", broken)
    session, timeline, counts = small(tmp_path)
    assert all("project_results" not in carries for carries in replay.fold(session, timeline, counts, LATER))


def test_carries_travel_light():
    """To another process go the cuts alone, and they do the same there."""
    session, timeline, counts = sample("guard")
    heavy = replay.carries_at(session, timeline, counts, 20, window(LATER))
    light = pickle.loads(pickle.dumps(heavy))
    assert plain(light) == plain(heavy)
    cuts = light["project_results"].cuts.sent
    assert cuts
    assert all(cut.before is None for cut in cuts.values())
    start, done = replay.trace(session, timeline, counts, 20, window(LATER))
    again = steps.run(start, window(LATER), carries=light)
    assert [block.key for block in again.blocks] == [block.key for block in done.blocks]


def test_the_key_reaches_the_layers(tmp_path):
    """The limit of a direct message, by the agent's configuration."""
    session, timeline, counts = small(tmp_path)
    told = Told("telegram:dm:42", "given", {"channels": {"telegram": {"dms": {"42": {"historyLimit": 1}}}}})
    start, done = replay.trace(session, timeline, counts, 2, policy("openclaw-2026.4.5"), told=told)
    assert start.step.session_key == "telegram:dm:42"
    step = next(step for step in done.steps if step.instance == "limit_history")
    assert step.notes[0].id == "layer.limit_history.by_config"
