"""Running layers one after another: what is written down of each step, and what must hold for any prompt and policy."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import pipeline
from core.context import Context, Origin
from core.edits import compare_again
from core.layer import NO_REASONS, Outcome, layers
from core.messages import Message
from core.phrase import literal, render
from core.pipeline import Edit, Trace, compare, first_difference, run
from core.profile import Instance, Profile, policies, policy
from core.prompt import Block, Blocks
from core.settings import specs
from tests.core.made import (
    CLAUDE,
    GEMINI,
    GPT,
    SIZES,
    blocks_of,
    call,
    context_of,
    prompts,
    reply,
    result,
    step,
    user,
)

TARGETS = st.sampled_from([CLAUDE, GPT, GEMINI])
POLICIES = st.sampled_from(sorted(policies()))
WINDOWS = st.sampled_from([1, 400, 2_000, 200_000])


def ran(blocks: Blocks, profile: Profile, **more) -> Trace:
    return run(context_of(blocks), blocks, profile, step(**more), SIZES)


def replayed(before: Blocks, edits: tuple[Edit, ...]) -> list[Block]:
    """What the edits make of `before`: take away what was dropped, moved or replaced, put in what stands in `after`."""
    gone = {id(edit.before) for edit in edits if edit.before is not None}
    out = [block for block in before if id(block) not in gone]
    for edit in edits:  # in the order of the prompt
        if edit.after is not None:
            out.insert(edit.index, edit.after)
    return out


# laws


@given(prompts, POLICIES, WINDOWS, TARGETS)
def test_any_prompt_under_any_policy(blocks, name, window, target):
    """No step fails; the input is as it was; each step takes up what the one before left, and its edits lead from
    before to after exactly, in blocks and in sizes."""
    raw = copy.deepcopy([block.message.json() for block in blocks])
    done = ran(blocks, policy(name), window=window, target=target)
    assert [block.message.json() for block in blocks] == raw
    assert not [found.failed for found in done.steps if found.failed]
    for before, after in pairwise(done.steps):
        assert after.before is before.after
        assert (after.chars_before, after.tokens_before) == (before.chars_after, before.tokens_after)
    for found in done.steps[1:]:
        assert [block.key for block in replayed(found.before, found.edits)] == [block.key for block in found.after]
        assert found.chars_after == sum(map(SIZES.chars, found.after))
        assert found.tokens_after == sum(map(SIZES.tokens, found.after))
        assert (found.first_touched is None) == (not found.edits)
        assert found.fired == (bool(found.edits) or found.overflow)
        for edit in found.edits:
            assert edit.chars_before == (SIZES.chars(edit.before) if edit.before else 0)
            assert edit.chars_after == (SIZES.chars(edit.after) if edit.after else 0)
            for gauge in found.gauges:
                assert gauge.setting in (*specs(layers()[found.layer].Settings), "")
    assert done.blocks is done.steps[-1].after


@given(prompts, POLICIES, TARGETS)
def test_why_and_reasons_can_be_read(blocks, name, target):
    """Every sentence of a trace is in the catalogues, with all of its fields."""
    for found in ran(blocks, policy(name), window=600, target=target).steps:
        said = [found.title, found.why, *found.notes, *(edit.reason for edit in found.edits if edit.reason)]
        said += [found.short] if found.short is not None else []
        for language in ("en", "zh_CN"):
            for sentence in said:
                text = render(sentence, language)
                assert text
                assert "{" not in text.replace("{}", "")
                assert not text.startswith(("layer.", "policy."))


@given(prompts, POLICIES)
def test_a_quiet_step_hands_on_the_very_same_object(blocks, name):
    """Nothing edited: identity, not merely equality. (The agent's own repair sometimes copies its list; its blocks are
    the same objects.)"""
    for found in ran(blocks, policy(name)).steps[1:]:
        if not found.edits:
            assert found.after is found.before or all(a is b for a, b in zip(found.before, found.after, strict=True))


@given(prompts, TARGETS)
def test_the_legacy_engine_is_no_engine(blocks, target):
    """With legacy, the pipeline equals the pipeline without the step."""
    whole = policy("openclaw-2026.4.5")
    without = replace(whole, instances=tuple(i for i in whole.instances if i.layer != "context_engine"))
    first, second = ran(blocks, whole, target=target), ran(blocks, without, target=target)
    assert first.blocks == second.blocks
    assert [s.instance for s in first.steps if s.instance != "context_engine"] == [s.instance for s in second.steps]


@given(prompts, POLICIES, st.data())
def test_running_from_a_step_on_is_running_all(blocks, name, data):
    """The steps above the changed one are taken over; the outcome is the same as from the start."""
    profile = policy(name)
    before = run(context_of(blocks), blocks, profile, step(window=500), SIZES)
    at = data.draw(st.integers(0, len(profile.instances) - 1))
    other = profile.switch(profile.instances[at].name, False)
    whole = run(context_of(blocks), blocks, other, step(window=500), SIZES)
    part = run(context_of(blocks), blocks, other, step(window=500), SIZES, previous=before, start=at + 1)
    assert part.blocks == whole.blocks
    assert [(s.why, s.chars_after, s.first_touched) for s in part.steps] == [
        (s.why, s.chars_after, s.first_touched) for s in whole.steps
    ]
    assert all(a is b for a, b in zip(part.steps[: at + 1], before.steps, strict=False))


DRAGS = st.sampled_from(
    [
        ("guard_context", "share", st.sampled_from([0.05, 0.1, 0.3, 0.5, 0.75, 1.0])),
        ("guard_single", "share", st.sampled_from([0.01, 0.05, 0.2, 0.5])),
        ("limit_history", "turns", st.integers(0, 5)),
    ]
)


@given(prompts, st.sampled_from(["article-1", "article-2", "openclaw-2026.4.5"]), DRAGS, st.data())
def test_a_drag_tells_what_a_run_from_nothing_tells(blocks, name, drag, data):
    """A threshold goes through many values, each run made from the one before: steps, edits and sums are those of a
    run that knows nothing.

        share  0.75 ─▶ 0.1 ─▶ 0.3 …     every stop: edits, reasons, first difference, sizes as from nothing
    """
    layer, field, values = drag
    dragged(blocks, name, 600, layer, field, data.draw(st.lists(values, min_size=1, max_size=5)))


def dragged(blocks: Blocks, name: str, window: int, layer: str, field: str, values: Sequence[object]) -> None:
    profile, held = policy(name), step(window=window)
    at = next((n for n, found in enumerate(profile.instances) if found.layer == layer), None)
    if at is None:
        return
    trace = run(context_of(blocks), blocks, profile, held, SIZES)
    for value in values:
        profile = profile.set(profile.instances[at].name, **{field: value})
        trace = run(context_of(blocks), blocks, profile, held, SIZES, previous=trace, start=at + 1)
        whole = run(context_of(blocks), blocks, profile, step(window=window), SIZES)
        assert trace.blocks == whole.blocks
        for mine, theirs in zip(trace.steps, whole.steps, strict=True):
            assert [(e.kind, e.index, e.before, e.after, e.reason) for e in mine.edits] == [
                (e.kind, e.index, e.before, e.after, e.reason) for e in theirs.edits
            ]
            assert (mine.why, mine.fired, mine.first_touched) == (theirs.why, theirs.fired, theirs.first_touched)
            assert (mine.chars_after, mine.tokens_after) == (theirs.chars_after, theirs.tokens_after)


@pytest.mark.parametrize("name", ["article-1", "openclaw-2026.3.24", "openclaw-2026.4.5"])
@pytest.mark.parametrize(
    ("layer", "field", "values", "again"),
    [
        ("guard_context", "share", [0.75, 0.7, 0.62, 0.6, 0.64, 0.7, 0.8, 0.55], 5),
        ("guard_single", "share", [0.3, 0.14, 0.138, 0.136, 0.13, 0.138, 0.14, 0.5], 2),
        ("limit_history", "turns", [22, 21, 18, 19, 17, 12, 15, 23, 0, 20], 4),
    ],
)
def test_a_drag_over_a_long_prompt(monkeypatch, name, layer, field, values, again):
    """Of a long prompt only what stands otherwise is told anew, and it is what a run from nothing tells.

    24 turns: user, call, result of 200 … 720 characters; each stop of the drag cuts, empties or drops a few more
    """
    messages = []
    for n in range(24):
        messages += [user(f"go {n}"), reply(call(f"c{n}")), result(f"c{n}", f"{n} " + "r" * (200 + 37 * n % 521))]
    told = []

    def spied(*arguments: Any) -> Any:
        told.append(compare_again(*arguments))
        return told[-1]

    monkeypatch.setattr(pipeline, "compare_again", spied)
    dragged(blocks_of(*messages), name, 5_000, layer, field, values)
    assert sum(found is not None and len(found) > 0 for found in told) >= again, "it was told from nothing"


@given(prompts, POLICIES, WINDOWS)
def test_the_same_edit_is_the_same_object(blocks, name, window):
    """A second run over the same memory makes the same blocks: what is painted need not be laid out again."""
    held = step(window=window)
    first = run(context_of(blocks), blocks, policy(name), held, SIZES)
    second = run(context_of(blocks), blocks, policy(name), held, SIZES)
    guard = [found for found in second.steps if found.layer.startswith("guard")]
    for found in guard:
        twin = next(other for other in first.steps if other.instance == found.instance)
        assert found.after == twin.after
        for edit in found.edits:
            assert any(edit.after is other.after for other in twin.edits)


@given(st.permutations(range(6)), st.sets(st.integers(0, 5)), st.sets(st.integers(0, 5)), st.integers(0, 3))
def test_edits_of_any_change(order, dropped, replaced, added):
    """Moved, dropped, replaced and inserted at once: the edits account for everything, and nothing is told twice."""
    before = blocks_of(*(user(str(i)) for i in range(6)))
    after: list[Block] = []
    for i in order:
        if i not in dropped:
            block = before[i]
            if i in replaced:
                block = Block.of(Message.of(user(f"new {i}")), block.origin, block)
            after.append(block)
    for i in range(added):
        after.insert(min(i * 2, len(after)), Block.of(Message.of(user(f"added {i}")), Origin((), "test")))
    edits = compare(before, tuple(after), NO_REASONS, SIZES)
    assert replayed(before, edits) == after
    touched = [id(edit.before) for edit in edits if edit.before is not None]
    assert len(touched) == len(set(touched))
    kinds = [edit.kind for edit in edits]
    assert kinds.count("inserted") == added
    assert kinds.count("dropped") == len(dropped)
    assert kinds.count("replaced") == len(replaced - dropped)


def test_steps_that_get_what_they_got_are_taken_over():
    """A moved threshold that changes nothing leaves all steps below as they are, and so does a moved last one."""
    blocks = blocks_of(user("go"), reply(call("x")), result("x", "r" * 4_000))
    held = step(window=50_000)
    base = policy("openclaw-2026.4.5")
    first = run(context_of(blocks), blocks, base, held, SIZES)
    names = [found.instance for found in first.steps]
    at = names.index("guard_single")
    moved = run(context_of(blocks), blocks, base.set("guard_single", share=0.4), held, SIZES, previous=first, start=at)
    assert moved.steps[at] is not first.steps[at]
    assert all(a is b for a, b in zip(moved.steps[at + 1 :], first.steps[at + 1 :], strict=True))
    cut = run(context_of(blocks), blocks, base.set("guard_single", share=0.05), held, SIZES, previous=first, start=at)
    assert cut.steps[at].fired
    assert not any(a is b for a, b in zip(cut.steps[at + 1 :], first.steps[at + 1 :], strict=True))


# what is written down


def test_edits_in_the_order_of_the_prompt():
    """Dropped ones where they stood; a block that went past others is moved, those it passed are not."""
    a, b, c, d = before = blocks_of(*map(user, "abcd"))
    new = Block.of(Message.of(user("new")), Origin((), "test"))
    other = Block.of(Message.of(user("B")), b.origin, b)
    edits = compare(before, (d, other, new, c), NO_REASONS, SIZES)
    assert [(edit.kind, edit.index) for edit in edits] == [
        ("moved", 0),
        ("dropped", 0),
        ("replaced", 1),
        ("inserted", 2),
    ] or [(edit.kind, edit.before) for edit in edits] == [
        ("dropped", a),
        ("moved", d),
        ("replaced", b),
        ("inserted", None),
    ]


def test_a_copy_is_no_edit():
    """A layer of somebody else may build its blocks anew: equal key and origin are the same block."""
    before = blocks_of(user("a"), user("b"))
    copies = tuple(Block.of(block.message, block.origin) for block in before)
    assert compare(before, copies, NO_REASONS, SIZES) == ()
    assert first_difference(before, copies) is None


@pytest.mark.parametrize(
    ("after", "index"),
    [("abc", None), ("abX", 2), ("Xbc", 0), ("ab", 2), ("abcX", 3), ("", 0), ("bc", 0)],
)
def test_first_difference(after, index):
    """The first block from which on the cached prefix is gone."""
    before = blocks_of(*map(user, "abc"))
    known = dict(zip("abc", before, strict=True))
    new = Block.of(Message.of(user("X")), Origin((), "test"))
    assert first_difference(before, tuple(known.get(letter, new) for letter in after)) == index


def test_reasons_go_with_their_edits():
    """By the block that came in, or by the new one."""
    before = blocks_of(user("a"), user("b"))
    new = Block.of(Message.of(user("c")), Origin((), "test"))
    why, because = literal("why"), literal("because")
    edits = compare(before, (before[1], new), {before[0]: why, new: because}, SIZES)
    assert [(edit.kind, edit.reason) for edit in edits] == [("dropped", why), ("inserted", because)]


# step 0


@pytest.mark.parametrize(
    ("compaction", "summarised", "fell_out", "said"),
    [
        (None, (), (), "2 messages, none replaced by a summary."),
        (3, (0, 1, 2), (), "Replaced 3 entries by a summary; 2 messages now."),
        (3, (0,), (1, 2), "1 entry by a summary; 2 messages now. 2 messages fell out without being in any summary."),
    ],
)
def test_session_context(compaction, summarised, fell_out, said):
    """What the compaction rule made of the path; a step like the others, which nobody can switch off."""
    blocks = blocks_of(user("abcd"), user("e"))
    whole = context_of(blocks)
    context = Context(whole.messages, whole.origins, compaction, summarised, fell_out, "off", None)
    found = run(context, blocks, policy("none"), step(), SIZES).steps[0]
    assert said in render(found.why)
    assert found.fired is (compaction is not None)
    assert (found.instance, found.on, found.chars_before, found.chars_after) == ("session_context", True, 0, 5)
    assert found.after is blocks


# steps that fail


def installed(monkeypatch, **modules) -> None:
    known = {**layers(), **modules}
    monkeypatch.setattr(pipeline, "layers", lambda: known)


def layer(apply) -> ModuleType:
    module = ModuleType("theirs")
    module.ID, module.TITLE, module.MARK, module.apply = "theirs", literal("Theirs"), "request", apply
    return module


def explode(blocks, settings, context):
    raise RuntimeError("its own trouble")


@pytest.mark.parametrize(
    ("apply", "said"),
    [
        (explode, "RuntimeError: its own trouble"),
        (lambda *_: None, "TypeError"),
        (lambda blocks, *_: Outcome(list(blocks), literal("done")), "TypeError"),
        (lambda blocks, *_: Outcome((*blocks, "text"), literal("done")), "AttributeError"),
    ],
)
def test_a_failing_layer_hands_on_its_input_and_says_so(monkeypatch, apply, said):
    """An exception or nonsense: the steps after it run on what it got."""
    installed(monkeypatch, theirs=layer(apply))
    profile = policy("none")
    profile = replace(profile, instances=(Instance("theirs", "theirs", True, None), *profile.instances))
    blocks = blocks_of(user("a"))
    done = ran(blocks, profile)
    assert said in done.steps[1].failed
    assert "goes on unchanged" in render(done.steps[1].why)
    assert done.steps[1].after is blocks
    assert done.steps[1].fired is False
    assert done.blocks == blocks


def test_a_layer_that_is_not_there():
    """A policy of another computer may name a layer that is not installed here."""
    profile = replace(policy("none"), instances=(Instance("far", "far", True, None),))
    done = ran(blocks_of(user("a")), profile)
    assert "far" in done.steps[1].failed
    assert render(done.steps[1].title) == "far"


def test_a_layer_that_is_off():
    """It does nothing and says that it is off; it is not failed."""
    blocks = blocks_of(user("a"), reply(call("x")), result("y"))
    done = ran(blocks, policy("openclaw-2026.4.5").switch("repair_pairs", False))
    off = next(found for found in done.steps if found.instance == "repair_pairs")
    assert (off.on, off.fired, off.failed, off.gauges) == (False, False, "", ())
    assert render(off.why) == "Switched off."


def test_second_instances_are_numbered():
    done = ran(blocks_of(user("a")), policy("openclaw-2026.4.5"))
    titles = [render(found.title) for found in done.steps]
    assert titles[3] == "Repair pairs"
    assert titles[7] == "Repair pairs (2nd)"
    third = policy("none")
    third = replace(third, instances=(replace(third.instances[0], name="provider_messages#3"),))
    assert render(ran(blocks_of(user("a")), third).steps[1].title) == "Provider messages (no. 3)"


def test_overflow_is_told_by_the_trace():
    """Words alone over 90 % of the window: no cutting helps, the agent raises its error."""
    done = ran(blocks_of(user("w" * 4_000)), policy("openclaw-2026.4.5"), window=1_000)
    assert done.overflow
    assert [found.instance for found in done.steps if found.overflow] == ["guard_overflow"]
    assert not ran(blocks_of(user("w" * 4_000)), policy("article-2"), window=1_000).overflow


def test_the_carry_is_of_its_instance(monkeypatch):
    """What an instance handed over at the last request is what it gets, and no other's."""
    seen = []

    def apply(blocks, settings, context):
        seen.append(context.carry)
        return Outcome(blocks, literal("done"), carry="next")

    installed(monkeypatch, theirs=layer(apply))
    profile = replace(policy("none"), instances=(Instance("a", "theirs", True, 0), Instance("b", "theirs", True, 0)))
    blocks = blocks_of(user("a"))
    done = run(context_of(blocks), blocks, profile, step(), SIZES, carries={"b": "before"})
    assert seen == [None, "before"]
    assert [found.carry for found in done.steps[1:]] == ["next", "next"]
