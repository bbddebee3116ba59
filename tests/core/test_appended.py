"""Stages over a growing history: after any flow they hold what the layer makes of all blocks so far."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import appended
from core.appended import Flow, Quick, Stage, Through, Whole
from core.layer import Outcome, layers
from core.phrase import literal
from core.profile import Instance, policies
from core.prompt import Block, Blocks
from tests.core.made import CLAUDE, GEMINI, GPT, blocks_of, call, prompts, reply, result, step, user

IMAGE = {"type": "image", "data": "AAAA", "mimeType": "image/png"}
THINKING = {"type": "thinking", "thinking": "hm", "thinkingSignature": "s"}
BEAT = {"role": "user", "content": "Read HEARTBEAT.md if it exists. Else HEARTBEAT_OK."}
SAID = [
    user("u"),
    user("v", extra=1),
    {"role": "user", "content": [IMAGE]},
    {"role": "user", "content": "a string"},
    reply("said"),
    reply(THINKING, "thought", call("x")),
    reply(THINKING, call("y")),
    reply(call("x"), call("y")),
    reply(call("x"), call("x")),
    reply("gone", call("x"), stop="aborted"),
    reply({"type": "toolUse", "id": "x", "name": "bash", "input": {}}),
    reply(call("", "bash"), call("z", "")),
    reply("HEARTBEAT_OK"),
    reply(),
    {**reply("copy"), "provider": "openclaw", "model": "delivery-mirror"},
    result("x", "r" * 300, details={"d": 1}),
    result("y", name=" "),
    result("x"),
    BEAT,
    BEAT,
    {"role": "bashExecution", "command": "c", "output": "o", "excludeFromContext": True},
    {"role": "custom", "content": "c"},
    {"role": "", "content": []},
    None,
]
SCENES = [
    [reply(call("x"), call("y")), result("y"), result("x")],
    [reply(call("z:1")), result("z:1")],
    [reply(call("z:1"), call("z:1")), result("z:1"), result("z:1")],
    [reply(call("x")), user("between"), result("x")],
    [BEAT, reply("HEARTBEAT_OK")],
    [user("u"), reply("a")],
]
talks = st.lists(st.sampled_from([*([one] for one in SAID), *SCENES, *SCENES]), max_size=10).map(
    lambda scenes: blocks_of(*chain.from_iterable(scenes))
)
"""Of few different messages, so that what belongs together meets."""
histories = st.one_of(talks, prompts)

INSTANCES = list({(made.layer, made.settings): made for p in policies().values() for made in p.instances}.values())
QUICK = [made for made in INSTANCES if layers()[made.layer] in appended.QUICK]
for _layer, _values in (
    ("repair_pairs", {"variant": "safe"}),
    ("repair_pairs", {"errored": "preserve"}),
    ("replay_filter", {"ids": "repeated", "old_thinking": "drop", "old_images": True}),
    ("replay_filter", {"ids": "strict9", "native_ids": False, "heartbeats": False}),
    ("validate_turns", {"first": "always", "assistants": "always", "users": "always"}),
    ("limit_history", {"turns": 2}),
):
    QUICK.append(Instance(f"{_layer}: {_values}", _layer, True, replace(layers()[_layer].Settings(), **_values)))


class Sink:
    """Takes up flows as the next stage would."""

    def __init__(self) -> None:
        self.fixed: list[Block] = []
        self.loose: Blocks = ()
        self.renewed = 0

    def take(self, flow: Flow) -> Blocks:
        if flow.anew:
            self.fixed.clear()
            self.renewed += 1
        self.fixed += flow.fixed
        self.loose = flow.loose
        return (*self.fixed, *flow.loose)


def keys(blocks: Blocks) -> list[bytes]:
    return [block.key for block in blocks]


def pieces(data: st.DataObject, blocks: Blocks) -> list[Blocks]:
    cuts = data.draw(st.lists(st.integers(0, len(blocks)), max_size=6).map(sorted), label="cuts")
    ends = [*cuts, len(blocks)]
    return [blocks[start:end] for start, end in zip([0, *ends[:-1]], ends, strict=True)]


def whole(instance: Instance, blocks: Blocks, target=CLAUDE) -> Blocks:
    return layers()[instance.layer].apply(blocks, instance.settings, step(target=target, window=400)).blocks


@settings(max_examples=600)
@given(histories, st.sampled_from(QUICK), st.sampled_from([CLAUDE, GPT, GEMINI]), st.data())
def test_a_stage_gives_what_its_layer_gives_of_the_whole(blocks, instance, target, data):
    """However the history grows: what stays and what is loose are the layer's own answer, message by message."""
    stage, sink, seen = appended.stage(instance), Sink(), ()
    for piece in pieces(data, blocks):
        seen = (*seen, *piece)
        there = sink.take(stage.take(Flow(piece), step(target=target, window=400)))
        assert keys(there) == keys(whole(instance, seen, target))


@settings(max_examples=300)
@given(histories, st.sampled_from(QUICK), st.integers(0, 3), st.data())
def test_loose_blocks_may_go_again(blocks, instance, many, data):
    """What was loose at one request need not be there at the next: nothing of it may stay behind."""
    stage, sink, seen = appended.stage(instance), Sink(), ()
    for piece in pieces(data, blocks):
        end = max(0, len(piece) - many)
        there = sink.take(stage.take(Flow(piece[:end], piece[end:]), step(window=400)))
        assert keys(there) == keys(whole(instance, (*seen, *piece), CLAUDE))
        seen = (*seen, *piece[:end])


@given(histories, histories, st.sampled_from(QUICK))
def test_a_new_beginning_forgets_everything(before, blocks, instance):
    """A compaction: ids, open calls and runs of the history before it play no part any more."""
    stage, sink = appended.stage(instance), Sink()
    sink.take(stage.take(Flow(before), step(window=400)))
    there = sink.take(stage.take(Flow(blocks, (), True), step(window=400)))
    assert keys(there) == keys(whole(instance, blocks))


@given(histories, st.sampled_from(sorted(policies())), st.data())
def test_stages_behind_each_other_are_the_pipeline(blocks, name, data):
    """The whole row of steps of a policy, one behind the other."""
    instances = policies()[name].instances
    stages, sink, seen = [appended.stage(made) for made in instances], Sink(), ()
    for piece in pieces(data, blocks):
        flow, seen = Flow(piece), (*seen, *piece)
        wanted = seen
        for stage, instance in zip(stages, instances, strict=True):
            flow = stage.take(flow, step(window=400))
            wanted = layers()[instance.layer].apply(wanted, instance.settings, step(window=400)).blocks
        assert keys(sink.take(flow)) == keys(wanted)


def turns(count: int) -> Blocks:
    """Turns of a user and two calls with their results; ids and roles as a real session has them."""
    raw = []
    for n in range(count):
        raw += [user(f"ask {n}"), reply("I look.", call(f"toolu_{n}a")), result(f"toolu_{n}a", f"found {n}")]
        raw += [reply(call(f"toolu_{n}b")), result(f"toolu_{n}b", "more"), reply("Done.")]
    return blocks_of(*raw)


LIMITED = "limit_history: "  # a limit on turns begins anew with every turn, by its nature


@pytest.mark.parametrize("instance", [made for made in QUICK if LIMITED not in made.name], ids=lambda made: made.name)
def test_an_ordinary_session_is_never_begun_anew(instance):
    """That is the gain: with each message only the end is looked at again, and little of it stays open."""
    stage, sink = appended.stage(instance), Sink()
    for block in turns(30):
        sink.take(stage.take(Flow((block,)), step()))
        assert len(sink.loose) <= 3
    assert sink.renewed == 0


def layer_of(apply) -> ModuleType:
    made = ModuleType("made_up")
    made.apply = apply  # type: ignore[attr-defined]
    return made


def test_a_layer_that_nothing_is_known_of_passes_on_what_it_left_alone():
    """Quiet for two requests, then it cuts: only then begin the steps behind it anew."""
    wide = user("x" * 900)

    def apply(blocks: Blocks, settings: object, context: object) -> Outcome:
        if len(blocks) < 3:
            return Outcome(blocks, literal("quiet"))
        return Outcome((*blocks[1:],), literal("dropped the first"))

    stage = Whole(layer_of(apply), None)
    one, two, three = blocks_of(wide, user("b"), user("c"))
    assert stage.take(Flow((one,)), step()) == Flow((one,))
    assert stage.take(Flow((two,)), step()) == Flow((two,))
    assert stage.take(Flow((three,)), step()) == Flow((two, three), (), True)


@pytest.mark.parametrize("fault", ["raises", "nonsense", "no blocks"])
def test_a_fault_hands_the_blocks_on(fault):
    """As in the pipeline: a step that fails passes its input on."""

    def apply(blocks: Blocks, settings: object, context: object) -> object:
        if fault == "raises":
            raise ValueError("broken")
        return Outcome((1, 2), literal("")) if fault == "no blocks" else "nothing"  # type: ignore[arg-type]

    blocks = turns(1)
    assert Whole(layer_of(apply), None).take(Flow(blocks), step()) == Flow(blocks)


def test_a_quick_stage_that_fails_becomes_the_layer_itself():
    """A fault of the short cut is no fault of the layer: from then on it looks at everything."""
    instance = next(made for made in QUICK if made.layer == "repair_pairs")
    stage, sink = Quick(layers()["repair_pairs"], instance.settings), Sink()
    blocks = turns(2)
    sink.take(stage.take(Flow(blocks[:3]), step()))

    class Broken:
        def take(self, flow: Flow, context: object) -> Flow:
            raise IndexError

    stage._stages = [Broken()]  # type: ignore[list-item]
    for block in blocks[3:]:
        there = sink.take(stage.take(Flow((block,)), step()))
    assert keys(there) == keys(whole(instance, blocks))


def test_what_is_switched_off_or_unknown_does_nothing():
    """An instance that is off, and one of a layer that is not installed."""
    known = INSTANCES[0]
    assert isinstance(appended.stage(replace(known, on=False)), Through)
    assert isinstance(appended.stage(replace(known, layer="of_a_plugin_not_here")), Through)


def test_a_heartbeat_question_waits_for_its_answer():
    """Left out only when the answer was "nothing to do": until then it is loose, so that nothing begins anew."""
    instance = next(made for made in QUICK if made.layer == "replay_filter" and made.settings.heartbeats)
    stage: Stage = appended.stage(instance)
    ask, quiet, next_ask = blocks_of(
        {"role": "user", "content": "Read HEARTBEAT.md if it exists."}, reply("HEARTBEAT_OK"), user("Go on.")
    )
    assert stage.take(Flow((ask,)), step()).loose == (ask,)
    assert stage.take(Flow((quiet,)), step()) == Flow((), ())
    assert stage.take(Flow((next_ask,)), step()) == Flow((next_ask,), ())


LATE = {
    "permuted results, then a stray": ("repair_pairs", {}, [*SCENES[0], reply("next"), user("u")], [result("stray")]),
    "unsafe ids, then a repeated one": ("replay_filter", {"ids": "repeated"}, SCENES[1], SCENES[2]),
    "an image, then three turns": (
        "replay_filter",
        {"old_images": True},
        [{"role": "user", "content": [IMAGE]}, reply("seen")],
        [user("u"), reply("a"), user("u"), reply("a"), user("u"), reply("a")],
    ),
}


@pytest.mark.parametrize("name", LATE)
def test_what_is_changed_late_is_told_anew(name):
    """Some layers change their mind about what went before: then everything behind them must begin again, once."""
    layer, values, first, later = LATE[name]
    instance = Instance(layer, layer, True, replace(layers()[layer].Settings(), **values))
    stage, sink, seen = appended.stage(instance), Sink(), ()
    blocks, context = blocks_of(*first, *later), step()
    for block in blocks:
        seen = (*seen, block)
        there = sink.take(stage.take(Flow((block,)), context))
        assert keys(there) == keys(whole(instance, seen))
    assert sink.renewed == 1
    assert keys(blocks) != keys(there)
