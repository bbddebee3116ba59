"""From a request to its trace: what the layers get to know, and that running again runs only what changed."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import pytest

from core import counter as counting
from core import counts, steps
from core.assembled import assemble
from core.errors import RequestError
from core.format import open_session
from core.judge import judge
from core.phrase import render
from core.pipeline import Trace
from core.profile import policies, policy
from core.sizes import message_chars
from core.timeline import build
from core.trailing import before_unanswered
from tests.core.drawn import call, opened, said

SAMPLES = Path(str(files("resources.samples")))
MODEL = {"provider": "anthropic", "api": "anthropic-messages", "model": "claude-x", "stopReason": "stop"}
USAGE = {"input": 10, "output": 5, "cacheRead": 0, "cacheWrite": 90}
START = 1_767_607_200_000
LATEST = policy("openclaw-2026.4.5")


def answer(*blocks, **more):
    return said("assistant", *blocks, **{**MODEL, "usage": USAGE, "timestamp": START, **more})


def looked_at(session, name="chars"):
    counted = counts.count(session, counting.make(name, session))
    return session, build(session, session.active_leaf, counted), counted


@pytest.fixture
def talk(tmp_path):
    """user · reply with a call · result · reply · user"""
    return looked_at(
        opened(
            said("user", "hello"),
            answer("look", call("read", "x")),
            said("toolResult", "found", toolCallId="x", toolName="read", details={"a": 1}),
            answer("done", model="claude-y", timestamp=START + 60_000),
            said("user", "thanks"),
            tmp_path=tmp_path,
        )
    )


def begun(looked, number, profile=LATEST, **more):
    session, timeline, counted = looked
    return steps.begin(session, timeline, counted, assemble(session, timeline, counted, number), profile, **more)


# what the layers get to know


def test_a_request_sends_what_stands_before_its_answer(talk):
    """Request 1: the question alone; 2: with reply and result; next: all."""
    sizes = [len(steps.trace(*talk, number, LATEST).blocks) for number in (1, 2, None)]
    assert sizes == [1, 3, 5]
    with pytest.raises(RequestError, match="it has 2"):
        steps.trace(*talk, 3, LATEST)


def test_time_and_target_are_those_of_the_request(talk):
    """The start that its reply records; the model that answered it. Of what comes next no time is recorded."""
    first, second, then = (begun(talk, number).step for number in (1, 2, None))
    assert (first.now, second.now, then.now) == (START, START + 60_000, None)
    assert (first.target.model, second.target.model, then.target.model) == ("claude-x", "claude-y", "claude-y")
    assert {s.target.api for s in (first, second, then)} == {"anthropic-messages"}
    assert first.target.family == "anthropic"


@pytest.mark.parametrize(
    ("entries", "target"),
    [
        ([said("user", "a")], ("", "", "", "google")),  # nothing recorded: the profile's family
        (
            [{"type": "model_change", "provider": "openai", "modelId": "gpt"}],
            ("openai", "openai-responses", "gpt", "openai"),
        ),
        ([{"type": "model_change", "provider": "far", "modelId": "m"}], ("far", "", "m", "google")),
        (
            [
                answer("a", provider="far", api="openai-completions", model="n"),
                {"type": "model_change", "provider": "far", "modelId": "m"},
            ],
            ("far", "openai-completions", "m", "openai"),
        ),
        (
            [answer("a"), answer("b", provider="openclaw", model="delivery-mirror", api="openai-responses")],
            ("anthropic", "anthropic-messages", "claude-x", "anthropic"),
        ),
        ([{"type": "model_change", "provider": None, "modelId": ["m"]}], ("", "", "", "google")),
    ],
)
def test_the_target_of_what_comes_next(tmp_path, entries, target):
    """The model that the agent would take up: mirrors name none; its API from its own replies, else its provider's."""
    looked = looked_at(opened(*entries, tmp_path=tmp_path))
    found = begun(looked, None, replace(LATEST, family="google")).step.target
    assert (found.provider, found.api, found.model, found.family) == target


def test_whose_window(talk):
    """What the person says, else the profile, else the model."""
    wide = replace(LATEST, window=50_000)

    def window(profile, **more):
        found = begun(talk, None, profile, **more)
        gauge = next(s for s in steps.run(found, profile).steps if s.instance == "guard_context").gauges[0]
        return gauge.threshold // 3

    assert window(LATEST) == 200_000
    assert window(wide) == 50_000
    assert window(wide, window=1_000) == 1_000


def test_the_prompt_at_the_leaf_is_sent(tmp_path):
    """An OpenClaw session that ends in a user message: it is the prompt; step 0 says what another would do to it."""
    (tmp_path / "agents" / "main" / "sessions").mkdir(parents=True)
    looked = looked_at(
        opened(said("user", "a"), answer("b"), said("user", "c"), tmp_path=tmp_path / "agents/main/sessions")
    )
    session = looked[0]
    assert session.format == "openclaw"
    done = steps.trace(*looked, None, LATEST)
    assert [block.message.text() for block in done.blocks] == ["a", "b", "c"]
    assert "never answered" in render(done.steps[0].notes[0])
    assert before_unanswered(session, session.active_leaf) == 1
    assert steps.trace(*looked, 1, LATEST).steps[0].notes == ()


def test_a_pi_session_says_nothing_of_it(talk):
    """The rule is OpenClaw's."""
    assert steps.trace(*talk, None, LATEST).steps[0].notes == ()


# sizes


def test_sizes_of_entries_come_from_the_session(talk):
    """Characters and tokens of step 0 are those of the columns and the counts."""
    session, timeline, counted = talk
    done = steps.trace(*talk, None, LATEST)
    assert done.steps[0].chars_after == sum(session.columns.chars)
    assert done.steps[0].tokens_after == sum(counted.tokens) == sum(timeline.next_tokens)


@pytest.mark.parametrize(
    "path",
    [SAMPLES / item["file"] for item in json.loads((SAMPLES / "index.json").read_text(encoding="utf-8"))],
    ids=lambda path: path.stem,
)
def test_sizes_of_a_sample(path):
    """Every step begins where the one before ended, and a count of what is sent gives the last one's characters."""
    looked = looked_at(open_session(path), "recorded")
    for number in (1, len(looked[1].summaries), None):
        start = begun(looked, number)
        done = steps.run(start, LATEST)
        assert done.steps[0].tokens_after == sum(start.assembled.tokens)
        assert done.steps[-1].chars_after == sum(map(message_chars, (b.message for b in done.blocks)))
        assert done.steps[-1].tokens_after == sum(map(start.sizes.tokens, done.blocks))
        for before, after in pairwise(done.steps):
            assert (after.chars_before, after.tokens_before) == (before.chars_after, before.tokens_after)


def test_a_cut_result_keeps_its_share_of_recorded_tokens(tmp_path):
    """Half of the characters are half of the tokens, by a counter that learned from usage; others count them."""
    entries = [
        said("user", "a"),
        answer(call("read", "x")),
        said("toolResult", "r" * 40_000, toolCallId="x", toolName="read"),
    ]
    looked = looked_at(opened(*entries, tmp_path=tmp_path))
    cut = LATEST.set("guard_single", share=0.05)

    def tokens(**more):
        start = begun(looked, None, cut, **more)
        [edit] = next(s for s in steps.run(start, cut).steps if s.instance == "guard_single").edits
        return edit.chars_before, edit.tokens_before, edit.chars_after, edit.tokens_after

    chars, whole, left, kept = tokens()
    assert (chars, whole) == (40_000, looked[2].tokens[2])
    assert kept == round(whole * left / chars)

    class Words:
        id = "words"

        def count(self, message):
            return 7

    assert tokens(counter=Words())[3] == 7


def test_what_is_made_up_is_estimated(tmp_path):
    """A result that is not recorded has no tokens in the table."""
    looked = looked_at(opened(said("user", "a"), answer(call("read", "x")), said("user", "b"), tmp_path=tmp_path))
    step = next(s for s in steps.trace(*looked, None, LATEST).steps if s.instance == "repair_pairs")
    [edit] = step.edits
    assert (edit.kind, edit.chars_after, edit.tokens_after) == ("inserted", 105, 27)


def test_merged_messages_keep_the_tokens_of_both(tmp_path):
    looked = looked_at(opened(said("user", "a" * 40), said("user", "b" * 80), answer("c"), tmp_path=tmp_path))
    step = next(s for s in steps.trace(*looked, None, LATEST).steps if s.instance == "validate_turns")
    assert step.tokens_before == step.tokens_after


# running again


@pytest.mark.parametrize("name", sorted(policies()))
def test_only_what_changed_runs_again(name, talk):
    """Steps above the changed one are the very same objects; the rest is what a whole run gives."""
    profile = policy(name)
    start = begun(talk, None, profile)
    first = steps.run(start, profile)
    assert steps.run(start, profile, first, profile) is first
    for at, instance in enumerate(profile.instances):
        other = profile.switch(instance.name, False)
        again = steps.run(start, other, first, profile)
        assert all(a is b for a, b in zip(again.steps[: at + 1], first.steps, strict=False))
        assert told(again) == told(steps.run(start, other))


def test_another_window_runs_all(talk):
    """It is no threshold of a step: every step may see it."""
    narrow = replace(LATEST, window=1)
    start = begun(talk, None)
    first = steps.run(start, LATEST)
    assert told(steps.run(start, narrow, first, LATEST)) == told(steps.run(start, narrow))


def told(trace: Trace):
    return [
        (s.instance, s.on, s.fired, render(s.why), s.gauges, s.chars_after, s.tokens_after, s.first_touched, s.notes)
        for s in trace.steps
    ], [block.key for block in trace.blocks]


def test_requests_share_a_memory():
    """The same cut of the same result in two requests is one object."""
    looked = looked_at(open_session(SAMPLES / "guard.jsonl"))
    memory = steps.Memory()
    tight = LATEST.set("guard_single", share=0.05)
    seen: dict[bytes, object] = {}
    shared = 0
    for number in range(1, len(looked[1].summaries) + 1):
        done = steps.run(begun(looked, number, tight, memory=memory), tight)
        for edit in next(s for s in done.steps if s.instance == "guard_single").edits:
            shared += edit.before.key in seen
            assert seen.setdefault(edit.before.key, edit.after) is edit.after
    assert shared


# the samples show what they promise


def test_the_guard_at_work():
    """At least five layers fire on one request, and one request overflows by the words of user and assistant alone."""
    looked = looked_at(open_session(SAMPLES / "guard.jsonl"))
    fired, words = 0, []
    for number in range(1, len(looked[1].summaries) + 1):
        start = begun(looked, number)
        done = steps.run(start, LATEST)
        fired = max(fired, sum(s.fired for s in done.steps[1:]))
        overflow = next(s for s in done.steps if s.instance == "guard_overflow")
        alone = sum(
            start.step.sizes["guard"][block.key] for block in overflow.after if block.message.role != "toolResult"
        )
        if overflow.overflow and alone > overflow.gauges[0].threshold:
            words.append(number)
    assert fired >= 5
    assert words


def test_broken_tool_pairs():
    """Four rules of pairing at once, and what is sent is valid."""
    looked = looked_at(open_session(SAMPLES / "broken-pairs.jsonl"))
    start = begun(looked, None)
    done = steps.run(start, LATEST)
    assert sum(s.fired for s in done.steps[1:]) >= 5
    assert judge(start.assembled.blocks, "anthropic")
    assert judge(done.blocks, "anthropic") == ()
    why = render(next(s for s in done.steps if s.instance == "repair_pairs").why)
    assert "had no result; added one" in why
    assert "without a call" in why


def test_blocks_of_the_assembled_prompt_are_the_first():
    """What the Prompt tab shows and what the steps start from are the same objects: before and after align."""
    looked = looked_at(open_session(SAMPLES / "guard.jsonl"))
    start = begun(looked, 1)
    assert steps.run(start, LATEST).steps[0].after is start.assembled.blocks
