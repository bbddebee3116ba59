"""All requests as the guard counts: the same numbers as the Trace of each, told without it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import counter as counting
from core import counts as tables
from core import passage, steps
from core import timeline as timelines
from core.budget import ROLES
from core.estimate import guard_chars
from core.format import open_session
from core.guard_replay import Past, replay
from core.guarded import Counted, Guarded, TraceCount
from core.layer import layers
from core.profile import Instance, Profile, policies, policy
from core.prompt_budget import GuardCounts
from core.session import Session
from tests.core.drawn import call, opened, said

OURS = policy("openclaw-2026.4.5")
SAMPLES = Path(__file__).parents[2] / "resources" / "samples"


@cache
def sample(name: str):
    session = open_session(str(SAMPLES / f"{name}.jsonl"))
    return read(session)


def read(session: Session):
    counts = tables.count(session, counting.make("chars", session))
    return session, timelines.build(session, session.active_leaf, counts), counts


def traced(session, timeline, counts, number: int, profile: Profile, window: int | None = None):
    last = len(timeline.summaries)
    return steps.trace(session, timeline, counts, number if number <= last else None, profile, window=window)


def agree(session, profile: Profile, window: int | None = None, numbers=None) -> Guarded:
    """Each request against its own Trace: by role before and after, what was cut, the largest, the step that stops."""
    session, timeline, counts = read(session) if isinstance(session, Session) else session
    found = replay(Past(session, timeline), counts, profile, window)
    last = len(timeline.summaries) + 1
    assert len(found) == last
    one = TraceCount()
    for number in numbers or range(1, last + 1):
        trace = traced(session, timeline, counts, number, profile, window)
        assert found[number - 1] == one.of(trace), number
        check(trace, profile, window or timeline.window, found[number - 1])
    return found


def check(trace, profile: Profile, window: int, counted: Counted) -> None:
    """TraceCount itself, against sums over the blocks, and against the bar of the Prompt tab."""
    guards = [step for step in trace.steps if step.on and step.layer.startswith("guard_")]
    assert counted.stop == next((step.instance for step in trace.steps if step.overflow), "")
    if not guards:
        return
    assert counted.total == sum(guard_chars(block.message) for block in guards[0].before)
    assert counted.left == sum(guard_chars(block.message) for block in guards[-1].after)
    bar = GuardCounts().budget(trace, len(trace.steps) - 1, profile, window)
    assert (bar.sizes, bar.cut) == (counted.after, counted.cut)
    results = [guard_chars(b.message) for b in guards[0].before if b.message.role == "toolResult"]
    assert counted.largest == max(results, default=0)


# samples


@pytest.mark.parametrize("name", policies())
def test_the_guard_at_work(name):
    """The sample in which most layers fire and one request overflows, under every policy."""
    agree(sample("guard"), policy(name), numbers=[1, 5, 12, 20, *range(24, len(sample("guard")[1].summaries) + 2, 3)])


@pytest.mark.parametrize("name", ["flaky-test", "broken-pairs", "two-branches"])
@pytest.mark.parametrize("share", [0.1, 0.6])
def test_samples_under_a_tight_guard(name, share):
    """With little room nearly every request is cut; pairs, branches and a compaction on the way."""
    tight = OURS.set("guard_context", share=share, single_share=0.1).set("guard_single", share=0.1)
    _, timeline, _ = sample(name)
    agree(sample(name), tight, numbers=range(1, len(timeline.summaries) + 2, 5))


def test_what_the_sample_teaches():
    """One request overflows by user and assistant text alone; others are cut; most are left alone."""
    found = list(agree(sample("guard"), OURS, numbers=[1]))
    stops = [counted for counted in found if counted.stop]
    assert {counted.stop for counted in stops} == {"guard_overflow"}
    assert any(counted.cut > 0 for counted in found)
    assert any(counted.cut == 0 for counted in found)
    assert all(counted.total - counted.cut == counted.left for counted in found)


def test_before_and_after_are_by_role():
    """Only results are cut: the rest is the same before and after."""
    found = replay(Past(*sample("guard")[:2]), sample("guard")[2], OURS)
    for counted in found:
        for role, before, after in zip(ROLES, counted.before, counted.after, strict=True):
            assert role == "toolResult" or before == after
        assert counted.before[0] - counted.after[0] == counted.cut


# any session


def asked(text: str):
    return said("user", text)


def answered(*blocks, model: str = "claude-x", **more):
    usage = {"input": 100, "output": 5, "cacheRead": 0, "cacheWrite": 0}
    fields = {"provider": "anthropic", "api": "anthropic-messages", "model": model, "stopReason": "stop"}
    return said("assistant", *blocks, **{**fields, "usage": usage, **more})


def result(id: str, size: int, **more):
    return said("toolResult", "r" * size, **{"toolCallId": id, "toolName": "bash", **more})


GEMINI = {"provider": "google", "api": "google-generative-ai", "model": "gemini-x"}
IMAGE = {"type": "image", "data": "AAAA", "mimeType": "image/png"}
SCENES = st.sampled_from(
    [
        [asked("u" * 50)],
        [asked("u" * 900)],
        [answered("a" * 100)],
        [answered(call("bash", "x"), call("read", "y")), result("x", 3_000), result("y", 40, toolName="read")],
        [answered(call("read", "x")), result("x", 1_500, toolName="read")],
        [answered(call("bash", "x:1")), result("x:1", 700, details={"d": "d" * 400})],
        [answered(call("bash", "x"), stopReason="aborted"), result("x", 200)],
        [answered({"type": "thinking", "thinking": "t" * 300, "thinkingSignature": "s"}, "ok")],
        [answered("b", **GEMINI), answered("c", **GEMINI)],
        [said("user", "look", IMAGE)],
        [result("stray", 100)],
        [{"type": "compaction", "summary": "s" * 90, "firstKeptEntryId": "e1"}],
        [{"type": "branch_summary", "summary": "left", "fromId": "e0"}],
        [{"type": "context_edit", "targetId": "e2", "replacement": {"content": "shorter"}}],
        [{"type": "custom_message", "customType": "x", "content": "c"}],
    ]
)
SESSIONS = st.lists(SCENES, max_size=9).map(lambda scenes: [entry for scene in scenes for entry in scene])


@settings(max_examples=250, deadline=None)
@given(SESSIONS, st.sampled_from(sorted(policies())), st.sampled_from([1, 600, 1_500, 4_000]))
def test_any_session_under_any_policy(tmp_path_factory, entries, name, window):
    """Requests of two providers, broken pairs, images, compactions and edits, in any order; a small window, so that
    every pass of the guard comes to work."""
    agree(opened(*entries, tmp_path=tmp_path_factory.mktemp("any")), policy(name), window)


@settings(max_examples=100, deadline=None)
@given(SESSIONS, st.permutations(range(len(OURS.instances))), st.data())
def test_any_order_of_the_steps(tmp_path_factory, entries, order, data):
    """A profile that a person has put together: guards before other steps, switched off, or twice."""
    instances = tuple(OURS.instances[index] for index in order)
    more = replace(OURS.instance("guard_single"), name="guard_single#2")
    instances = (*instances, more) if data.draw(st.booleans()) else instances
    profile = replace(OURS, instances=instances)
    off = data.draw(st.sampled_from(instances)).name
    agree(opened(*entries, tmp_path=tmp_path_factory.mktemp("any")), profile.switch(off, False), 900)


@pytest.mark.parametrize("place", [0, 10, 11])
def test_steps_that_ask_for_tokens_are_told_them(place):
    """A step that looks at the whole prompt in tokens, before the guard and between its steps: it gets to know of each
    request what it gets to know in the trace of that request."""
    edits = layers()["provider_edits"].Settings(trigger=60_000, keep=2)
    instances = list(OURS.instances)
    instances.insert(place, Instance("provider_edits", "provider_edits", True, edits))
    profile = replace(OURS, instances=tuple(instances))
    session, timeline, _ = sample("guard")
    counts = tables.count(session, counting.make("recorded", session))
    timeline = timelines.build(session, timeline.leaf, counts)
    found = agree((session, timeline, counts), profile, numbers=range(1, len(timeline.summaries) + 2, 4))
    without = replay(Past(session, timeline), counts, OURS)
    assert [counted.left for counted in found] != [counted.left for counted in without]


# what a change costs, progress, cancel


def test_a_threshold_moves_without_the_steps_before_it(monkeypatch):
    """What came to the guard is remembered: only the guard runs again, and its numbers are those of a fresh run."""
    session, timeline, counts = sample("guard")
    past = Past(session, timeline)
    replay(past, counts, OURS)
    monkeypatch.setattr(passage, "arrivals", lambda *a: pytest.fail("read again"))
    moved = OURS.set("guard_context", share=0.5)
    again = replay(past, counts, moved)
    monkeypatch.undo()
    assert list(again) == list(replay(Past(session, timeline), counts, moved))
    assert list(again) != list(replay(Past(session, timeline), counts, OURS))


@pytest.mark.parametrize("how", ["a step before", "the window", "back"])
def test_what_came_to_the_guard_is_not_taken_for_another(how):
    """Another step before the guard, another window: everything is read again."""
    session, timeline, counts = sample("guard")
    past = Past(session, timeline)
    replay(past, counts, OURS)
    other = OURS.switch("strip_details", False) if how != "the window" else replace(OURS, window=90_000)
    found = replay(past, counts, other)
    if how == "back":
        found, other = replay(past, counts, OURS), OURS
    assert list(found) == list(replay(Past(session, timeline), counts, other))


def test_it_tells_how_far_it_is_and_can_be_stopped():
    """Now and then it asks whether to go on; what it has so far is right."""
    session, timeline, counts = sample("guard")
    whole, seen = replay(Past(session, timeline), counts, OURS), []

    def report(done: int) -> bool:
        seen.append(done)
        return done < 16

    past = Past(session, timeline)
    part = replay(past, counts, OURS, report=report)
    assert seen == [0, 8, 16]
    assert len(part) == 17
    assert list(part) == list(whole)[:17]
    assert list(replay(past, counts, OURS)) == list(whole), "what was stopped half way is not taken for the whole"


def test_the_table_crosses_processes(tmp_path):
    """Numbers in one array; reading a row that is not there is an error, as of any sequence."""
    import pickle

    session, timeline, counts = sample("guard")
    found = replay(Past(session, timeline), counts, OURS)
    again = pickle.loads(pickle.dumps(found))
    assert list(again) == list(found)
    with pytest.raises(IndexError):
        found[len(found)]
    assert list(Guarded.of(list(found), found.names)) == list(found)
