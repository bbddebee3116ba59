"""An engine over a whole session: what it remembers reaches the next request, what it rewrites its very first step."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from core import counter as counting
from core import counts as tables
from core import replay, steps
from core import timeline as timelines
from core.assembled import assemble
from core.compaction import Settings as Compacting
from core.compaction import plan
from core.engine import Assembly, BootstrapResult, EngineInfo, IngestBatchResult, IngestResult, MaintenanceResult
from core.engine_host import compaction_owner
from core.engine_log import lifecycle, lifecycle_document
from core.engine_memory import addition, pending
from core.guard_replay import Past
from core.guard_replay import replay as guard_replay
from core.guarded import TraceCount
from core.layers import context_engine
from core.phrase import render
from core.profile import Profile, policy
from core.step_documents import policies_document, steps_document
from tests.core.drawn import call, opened, said
from tests.core.rogues import ROGUES, Ordinary, module

LONG = "x" * 3_000
USAGE = {"input": 10, "output": 1, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 11}


def answered(*parts, stop: str = "stop"):
    return said("assistant", *parts, provider="p", model="m", api="anthropic-messages", usage=USAGE, stopReason=stop)


def three_turns(tmp_path):
    """
    e0 u  [e1 a → call]  e2 result, long  [e3 a]        requests 1, 2: one turn
    e4 u  [e5 a]                                        request 3
    e6 u  [e7 a]                                        request 4
    """
    session = opened(
        said("user", "one"),
        answered(call("bash", "t1"), stop="toolUse"),
        said("toolResult", LONG, toolCallId="t1", toolName="bash"),
        answered("first"),
        said("user", "two"),
        answered("second"),
        said("user", "three"),
        answered("third"),
        tmp_path=tmp_path,
    )
    counts = tables.count(session, counting.make("chars", session))
    return session, timelines.build(session, session.active_leaf, counts), counts


class Diary:
    """Writes down what it is told; shortens long results where they stand, once the turn is over."""

    info = EngineInfo("diary", "Diary", "1", owns_compaction=True)

    def bootstrap(self, session, store):
        self.store = store
        store.setdefault("seen", [])
        return BootstrapResult(True, len(session))

    def ingest(self, message):
        self.store["seen"].append(message.role)
        return IngestResult(True)

    def ingest_batch(self, messages):
        return IngestBatchResult(sum(self.ingest(message).ingested for message in messages))

    def assemble(self, messages, *, token_budget, model, prompt):
        self.store["asked"] = self.store.get("asked", 0) + 1
        return Assembly(messages, system_addition=f"{len(self.store['seen'])} messages so far, {prompt}")

    def compact(self, *, token_budget, force, instructions):
        from core.engine import CompactResult

        return CompactResult(True, True, "full", tokens_before=9, tokens_after=3)

    def after_turn(self, messages, *, before_count):
        self.store["turns"] = [*self.store.get("turns", []), [before_count, len(messages)]]

    def maintain(self, rewrite):
        count = 0
        for id, message in rewrite.entries:
            if message.role == "toolResult" and len(message.text()) > 100:
                count += rewrite(id, {**message.json(), "content": [{"type": "text", "text": "short"}]})
        return MaintenanceResult(count > 0, count)


DIARY = module(Diary, "diary")


def profile(engine: str = "diary", window: int = 50_000) -> Profile:
    """The recorded policy with an engine that this computer may not have when the settings were declared."""
    found = replace(policy("openclaw-2026.4.5"), window=window)
    made = found.instance("context_engine")
    changed = replace(made, settings=context_engine.Settings(engine))
    return replace(found, instances=tuple(changed if one is made else one for one in found.instances))


def engine_step(trace):
    return next(step for step in trace.steps if step.layer == "context_engine")


def test_what_it_remembers_reaches_the_next_request(installed, tmp_path):
    """Requests 1 to 4 and the next one: what was written in between is ingested once, turns end where they end."""
    installed(DIARY)
    known = three_turns(tmp_path)
    carries = list(replay.fold(*known, profile()))
    held = [found.get("context_engine") for found in carries]
    assert held[0] is None
    assert [len(carry.store["seen"]) for carry in held[1:]] == [1, 3, 5, 7]
    assert [carry.store.get("turns") for carry in held[1:]] == [
        None,
        [[0, 4]],
        [[0, 4], [4, 6]],
        [[0, 4], [4, 6], [6, 8]],
    ]
    assert [carry.store["asked"] for carry in held[1:]] == [1, 2, 3, 4]
    _, trace = replay.trace(*known, None, profile())
    step = engine_step(trace)
    assert step.carry.store["seen"][-1] == "assistant"
    assert addition(step.carry for step in trace.steps) == "8 messages so far, three"
    assert not pending(step.carry for step in trace.steps)


def test_every_request_in_turn_is_the_trace_of_each(installed, tmp_path):
    """With its carries a request gets the answer that it got in the fold: a fork, asked twice, changes nothing."""
    installed(DIARY)
    known = three_turns(tmp_path)
    for number in (1, 2, 3, 4, None, 3):
        _, trace = replay.trace(*known, number, profile())
        assert engine_step(trace).carry.store["asked"] == (number or 5)


def test_a_rewritten_entry_is_seen_by_the_next_request(installed, tmp_path):
    """The turn of requests 1 and 2 ends: from request 3 on the long result is short from step 0, before any limit."""
    installed(DIARY)
    known = three_turns(tmp_path)
    texts = []
    for number in (2, 3, None):
        start, trace = replay.trace(*known, number, profile())
        shown = [block for block in trace.steps[0].after if block.message.role == "toolResult"]
        texts.append([block.message.text() for block in shown])
        before = [block.message.text() for block in start.assembled.blocks if block.message.role == "toolResult"]
        assert before == [LONG], "the file stays as it is"
    assert texts == [[LONG], ["short"], ["short"]]
    assert shown[0].before is not None
    said_of = [render(note) for note in trace.steps[0].notes]
    assert said_of == [
        "1 entry stands here as an engine rewrote it: in a copy, a branch in front of it with 5 entries appended again."
    ]
    limit = next(step for step in trace.steps if step.layer == "limit_history")
    assert limit.before[2].message.text() == "short"
    assert trace.steps[0].chars_after < sum(map(start.sizes.chars, start.assembled.blocks))


def test_another_engine_begins_step_0_anew(installed, tmp_path):
    """diary → legacy and back, as a person switches: no step is kept that stands on the other branch."""
    installed(DIARY)
    session, timeline, counts = three_turns(tmp_path)
    start = steps.begin(session, timeline, counts, assemble(session, timeline, counts, 3), profile())
    carries = replay.carries_at(session, timeline, counts, 3, profile())
    rewritten = steps.run(start, profile(), carries=carries)
    plain = steps.run(start, profile("legacy"), rewritten, profile())
    assert plain.steps[0].after == start.assembled.blocks
    assert plain == steps.run(start, profile("legacy"))
    again = steps.run(start, profile(), plain, profile("legacy"), carries)
    assert [block.message.text() for block in again.steps[0].after if block.message.role == "toolResult"] == ["short"]
    assert [len(step.after) for step in again.steps] == [len(step.after) for step in rewritten.steps]


def test_the_guard_counts_the_same(installed, tmp_path):
    """The axis of all requests, without a Trace of each, carries engines along too."""
    installed(DIARY)
    session, timeline, counts = three_turns(tmp_path)
    tight = profile(window=1_000)
    found = guard_replay(Past(session, timeline), counts, tight)
    one = TraceCount()
    for number in (1, 2, 3, 4, None):
        _, trace = replay.trace(session, timeline, counts, number, tight)
        assert found[(number or 5) - 1] == one.of(trace), number


def test_who_owns_compaction(installed, tmp_path):
    """Above window less reserve such an engine is asked, and the agent's own trigger is told to stay silent."""
    installed(DIARY)
    known = three_turns(tmp_path)
    for window, asked in ((50_000, False), (20_200, True)):
        _, trace = replay.trace(*known, 2, profile(window=window))
        step = engine_step(trace)
        assert ("compact" in [call.method for call in step.carry.calls]) == asked
        assert "Diary compacts by itself: the agent's own trigger stays silent." in map(render, step.notes)
    session, timeline, _ = known
    for owner, now in (("", True), (compaction_owner(profile()), False)):
        planned = plan(session, timeline.path, 1_000, Compacting(keep=0, reserve=999, floor=0), owner=owner)
        assert planned is not None
        assert (planned.due, planned.owner) == (now, owner)
    assert compaction_owner(profile()) == "Diary"
    assert compaction_owner(profile("legacy")) == ""


@pytest.mark.parametrize("name", ROGUES)
def test_a_rogue_changes_no_request(installed, tmp_path, name):
    """The whole session under an engine that fails: every request is that of legacy, and the step says why."""
    act, why = ROGUES[name]
    installed(module(lambda: Ordinary(methods={"assemble": lambda messages, **_: act(messages)})))
    said_so_far = (said("user", "one"), answered(call("bash", "t1"), stop="toolUse"))
    session = opened(
        *said_so_far, said("toolResult", "r", toolCallId="t1", toolName="bash"), said("user", "two"), tmp_path=tmp_path
    )
    counts = tables.count(session, counting.make("chars", session))
    known = session, timelines.build(session, session.active_leaf, counts), counts
    _, trace = replay.trace(*known, None, profile("rogue"))
    _, plain = replay.trace(*known, None, profile("legacy"))
    assert why in engine_step(trace).failed
    assert [block.key for block in trace.blocks] == [block.key for block in plain.blocks]
    assert "the messages go on as they were" in render(engine_step(trace).why)
    assert "Rogue" in render(engine_step(trace).why)


def test_an_engine_that_fails_once(installed, tmp_path):
    """At request 2 only: it is asked again at request 3, with the memory it had."""

    class Stumbling(Diary):
        def assemble(self, messages, **given):
            asked = super().assemble(messages, **given)
            if self.store["asked"] == 2:
                raise RuntimeError("once")
            return asked

    installed(module(Stumbling, "diary"))
    known = three_turns(tmp_path)
    failed = [engine_step(replay.trace(*known, number, profile())[1]).failed for number in (1, 2, 3)]
    assert failed == ["", "RuntimeError: once", ""]


def test_steps_tell_the_calls(installed, tmp_path):
    """`steps --json`: the lifecycle on that step alone, each call in words, with the names it stored."""
    installed(DIARY)
    session, *known = three_turns(tmp_path)
    start, trace = replay.trace(session, *known, 2, profile())
    document = steps_document(session, start, trace, profile(), (), "chars", "en")
    [told] = [step["lifecycle"] for step in document["steps"] if "lifecycle" in step]
    assert [(call["call"], call["said"], call["stored"], call["failed"]) for call in told] == [
        ("bootstrap", "goes on with what it stored", [], False),
        ("ingest_batch", "took 2 of 2 messages", ["seen"], False),
        ("assemble", "sends 3 of 3 messages", ["asked"], False),
        ("after_turn", "saw the turn's end, 4 messages", ["turns"], False),
        ("maintain", "rewrites 1 entry", [], False),
    ]
    assert lifecycle_document(engine_step(trace).carry, "zh_CN")[0]["said"] == "继续使用已存内容"
    assert lifecycle(None) == ()


def test_policies_tell_the_engines(installed):
    """With the package each comes from; whoever wanted an id that is taken is named."""
    installed(DIARY, ("greedy", "legacy", module(Diary, "legacy")))
    told = policies_document({}, "en")
    assert [(one["engine"], one["owner"]) for one in told["engines"]] == [
        ("keep_newest", "stratascope"),
        ("legacy", "stratascope"),
        ("diary", "far"),
    ]
    assert told["refused"] == ["The id “legacy” belongs to stratascope; that of greedy (far.legacy) is not used."]


def test_what_is_carried_crosses_to_another_process(installed, tmp_path):
    installed(DIARY)
    carries = replay.carries_at(*three_turns(tmp_path), None, profile())
    there = pickle.loads(pickle.dumps(carries))
    assert dict(there["context_engine"].store) == dict(carries["context_engine"].store)
