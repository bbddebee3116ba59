"""Policies beside the recorded ones: what each is known to do to a whole session, request after request."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from itertools import pairwise

import pytest

from core import counter, counts, steps, sticky
from core.assembled import assemble
from core.format import open_session
from core.judge import judge
from core.layers import mask_results
from core.phrase import LANGUAGES, catalogue
from core.pipeline import Trace, run
from core.profile import Profile, policy
from core.timeline import build

NAMES = ("mask-10", "mask-polling", "sliding-window-20", "keep-newest-result", "openclaw-2026.9")
SAMPLES = ("guard", "broken-pairs", "flaky-test", "two-branches")


@cache
def opened(sample: str):  # type: ignore[no-untyped-def]
    with_path = str(files("resources") / "samples" / f"{sample}.jsonl")
    session = open_session(with_path)
    counted = counts.count(session, counter.make("chars"))
    return session, build(session, session.active_leaf, counted), counted


@cache
def folded(sample: str, profile: Profile, window: int | None = None) -> list[Trace]:
    """Every request of the path in order, each with what the one before handed over."""
    session, timeline, counted = opened(sample)
    found: list[Trace] = []
    carries: dict[str, object] = {}
    memory = steps.Memory()
    for number in range(1, len(timeline.summaries) + 1):
        assembled = assemble(session, timeline, counted, number)
        start = steps.begin(session, timeline, counted, assembled, profile, memory=memory)
        step = steps.replace(start.step, window=window or start.window)
        done = run(assembled.context, assembled.blocks, profile, step, start.sizes, carries)
        carries = {made.instance: made.carry for made in done.steps}
        found.append(done)
    return found


@pytest.mark.parametrize("name", NAMES)
def test_each_says_where_it_comes_from(name: str) -> None:
    """Title, source and oddities in both languages."""
    found = policy(name)
    for id in (found.source, *found.oddities, *([found.title] if found.title.startswith("policy.") else [])):
        assert all(id in catalogue(language) for language in LANGUAGES), id
    assert found.oddities


@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("name", NAMES)
def test_every_request_of_the_samples(name: str, sample: str) -> None:
    """No step fails; masks and windows leave nothing that a provider would refuse for its pairs."""
    for done in folded(sample, policy(name)):
        assert not [step.failed for step in done.steps if step.failed]
        if name != "openclaw-2026.9":
            faults = {fault.code for fault in judge(done.blocks, "anthropic")}
            assert not faults & {"no_result", "stray_result", "repeated_result", "unknown_role"}, faults


def said(done: Trace) -> list[object]:
    """What the model reads: a made-up result bears the time of its request, which no provider gets."""
    return [{**block.message.json(), "timestamp": None} for block in done.blocks]


def breaks(traces: list[Trace]) -> int:
    """Requests whose prompt does not begin with the whole prompt of the one before."""
    return sum(after[: len(before)] != before for before, after in pairwise(map(said, traces)))


def results(done: Trace) -> list[bool]:
    """For each result that is sent: is it whole?"""
    return [b.message.text() != mask_results.MASK for b in done.blocks if b.message.role == "toolResult"]


def masks(done: Trace) -> list[bool]:
    """For each result that could be masked, in order: is it?"""
    step = next(step for step in done.steps if step.layer == "mask_results")
    pairs = zip(step.before, step.after, strict=True)
    found = [(old, new) for old, new in pairs if old.message.role == "toolResult"]
    return [new is not old for old, new in found if len(old.message.text()) > len(mask_results.MASK)]


@pytest.mark.parametrize(
    ("name", "least", "most"), [("mask-10", 10, 10), ("mask-polling", 10, 14), ("keep-newest-result", 1, 1)]
)
def test_masks_keep_the_newest(name: str, least: int, most: int) -> None:
    """Masked, then whole: of many results at most so many whole ones, never fewer than so many of few."""
    for done in folded("flaky-test", policy(name)):
        found = masks(done)
        assert found == sorted(found, reverse=True)
        assert found.count(False) <= most
        assert found.count(True) == 0 or found.count(False) >= least - (len(results(done)) - len(found))


def test_what_a_rule_does_to_the_cached_prompt() -> None:
    """Two branches, 38 requests: masking or sliding at each step rewrites the prompt at each step; in steps of five
    far less often; and where nothing is cut, only where the session itself turns."""
    names = ("none", "mask-polling", "mask-10", "sliding-window-20", "keep-newest-result")
    none, polling, mask, window, newest = (breaks(folded("two-branches", policy(name))) for name in names)
    assert none <= 2
    assert polling - none <= (mask - none) / 4 + 1
    assert mask > 12
    assert window > 12
    assert newest > 25


def test_the_window_is_as_long_as_it_says() -> None:
    """Twenty messages, the task and a summary; what pairing makes up comes on top."""
    for done in folded("flaky-test", policy("sliding-window-20")):
        assert len([block for block in done.blocks if block.origin.rows]) <= 22


def test_sticky_cuts_through_the_whole_pipeline() -> None:
    """2026.9 with little room: what a request sent shortened, every later one sends in the same bytes, until the
    result is gone from the context."""
    traces = folded("guard", policy("openclaw-2026.9").set("project_results", budget=8_000), window=20_000)
    sent: dict[object, bytes] = {}
    most = 0
    for done in traces:
        step = next(step for step in done.steps if step.instance == "project_results")
        now = {}
        for old, new in zip(step.before, step.after, strict=True):
            which = sticky.identity(old)
            assert which not in sent or new.key == sent[which]
            if new.key != old.key:
                now[which] = new.key
        most = max(most, len(now))
        sent = now
    assert most > 10


def test_without_sticky_cuts_change() -> None:
    """The same without: a result that was cut in part is cut further later on."""
    profile = policy("openclaw-2026.9").set("project_results", budget=8_000, sticky=False)
    sent: dict[object, bytes] = {}
    changed = 0
    for done in folded("guard", profile, window=20_000):
        step = next(step for step in done.steps if step.instance == "project_results")
        pairs = zip(step.before, step.after, strict=True)
        cuts = {sticky.identity(old): new.key for old, new in pairs if new.key != old.key and old.origin.rows}
        changed += sum(sent.get(which, key) != key for which, key in cuts.items())
        sent = cuts
    assert changed > 0


def test_the_recorded_version_sends_whole_again_what_it_pruned() -> None:
    """2026.4.5: pruned after a pause, whole again at the next request, which says so; sticky, the cuts stay."""
    profile = policy("openclaw-2026.4.5").set("ttl_pruning", gate="request", soft=0.0, min_prunable=0, ttl=120)
    fired, noted = _pruned(profile)
    assert any(fired)
    assert any(noted)
    assert all(again or now for before, now, again in zip(fired, fired[1:], noted[1:], strict=False) if before)
    fired, noted = _pruned(profile.set("ttl_pruning", sticky=True))
    first = fired.index(True)
    assert all(fired[first:])
    assert not any(noted)


def _pruned(profile: Profile) -> tuple[list[bool], list[bool]]:
    """For each request: did pruning cut, and did it say that something is whole again?"""
    made = [next(s for s in done.steps if s.instance == "ttl_pruning") for done in folded("guard", profile)]
    again = "layer.ttl_pruning.whole_again"
    return [bool(step.edits) for step in made], [again in [note.id for note in step.notes] for step in made]
