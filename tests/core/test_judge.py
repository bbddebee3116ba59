"""Would a provider take the prompt: each rule with the smallest prompt that breaks it, and what is valid for all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.judge import judge
from core.layers import provider_messages, repair_inputs, repair_pairs, replay_filter
from core.phrase import render
from tests.core.made import CLAUDE, GEMINI, GPT, blocks_of, call, ids, prompts, reply, result, step, user

FAMILIES = ("anthropic", "openai", "google")
THOUGHT = {"type": "thinking", "thinking": "hm", "thinkingSignature": "s"}
LONG = "c" * 65


def codes(family, *messages):
    return [(fault.index, fault.code) for fault in judge(blocks_of(*messages), family)]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(
    "messages",
    [
        [user()],
        [user(), reply("a"), user()],
        [user(), reply(call("x")), result("x"), reply("done")],
        [user(), reply("a", call("x"), call("y")), result("y"), result("x")],  # in whatever order
        [user(), reply(THOUGHT, "a")],
        [user(), user()],
        [user("😀 漢字"), reply(call("x", emoji="😀")), result("x", "é")],
        [{"role": "user", "content": "plain"}],
    ],
)
def test_valid_everywhere(family, messages):
    """Neighbouring users and results in another order than the calls are accepted by all."""
    assert codes(family, *messages) == []


@pytest.mark.parametrize(
    ("families", "messages", "expected"),
    [
        (FAMILIES, [], [(None, "no_messages")]),
        (("anthropic", "google"), [reply("a"), user()], [(0, "first_not_user")]),
        (("openai",), [reply("a"), user()], []),
        (FAMILIES, [user(), reply(call("x")), user()], [(1, "call_without_result")]),
        (FAMILIES, [user(), reply(call("x"))], [(1, "call_without_result")]),
        (FAMILIES, [user(), result("x")], [(1, "result_without_call")]),
        (FAMILIES, [user(), reply("a"), result("x")], [(2, "result_without_call")]),
        (
            FAMILIES,
            [user(), reply(call("x")), user(), result("x")],
            [(1, "call_without_result"), (3, "result_without_call")],
        ),
        (FAMILIES, [user(), reply(call("x")), result("x"), result("x")], [(3, "second_result")]),
        (
            ("anthropic", "openai"),
            [user(), reply(call("x"), call("x")), result("x"), result("x")],
            [(1, "repeated_id")],
        ),
        (
            ("anthropic",),
            [user(), reply(call("x")), result("x"), user(), reply(call("x")), result("x")],
            [(4, "repeated_id")],
        ),
        (("openai", "google"), [user(), reply(call("x")), result("x"), user(), reply(call("x")), result("x")], []),
        (("anthropic",), [user(), reply(call("a:1")), result("a:1")], [(1, "bad_id")]),
        (("openai", "google"), [user(), reply(call("a:1")), result("a:1")], []),
        (("openai",), [user(), reply(call(LONG)), result(LONG)], [(1, "long_id")]),
        (("anthropic", "google"), [user(), reply(call(LONG)), result(LONG)], []),
        (FAMILIES, [user(), reply("a", call(None))], [(1, "call_without_id")]),
        (("anthropic", "openai"), [user(), reply(call("x", "a.b")), result("x")], [(1, "bad_name")]),
        (("google",), [user(), reply(call("x", "a.b")), result("x")], []),
        (FAMILIES, [user(), reply(call("x", None)), result("x")], [(1, "bad_name")]),
        (FAMILIES, [user(), reply(), user()], [(1, "empty_content")]),
        (FAMILIES, [{"role": "user", "content": []}], [(0, "empty_content")]),
        (FAMILIES, [{"role": "user"}], [(0, "empty_content")]),
        (("anthropic",), [user(" \n")], [(0, "empty_text")]),
        (("openai", "google"), [user(" \n")], []),
        (("anthropic",), [user(), reply("", call("x")), result("x")], [(1, "empty_text")]),
        (("openai",), [user(), reply(""), user()], [(1, "empty_content")]),
        (FAMILIES, [user(), reply(call("x")), result("x", "")], []),  # an empty result is one
        (("anthropic",), [user(), reply({"type": "thinking", "thinking": "hm"}, "a")], [(1, "unsigned_thinking")]),
        (("openai",), [user(), reply({"type": "thinking", "thinking": "hm"}, "a")], []),
        (FAMILIES, [user("half \ud83d of one")], [(0, "half_character")]),
        (FAMILIES, [user("wrong \ude00\ud83d order")], [(0, "half_character")]),
        (FAMILIES, [user(), reply(call("x", deep=[{"\ud83d": 1}])), result("x")], [(1, "half_character")]),
        (FAMILIES, [user(), reply(call("x")), result("x", "\ud83d")], [(2, "half_character")]),
        (FAMILIES, [{"role": "custom", "content": "note"}], [(0, "unknown_role")]),
        (FAMILIES, [user(), None], [(1, "unknown_role")]),
        (("google",), [user(), reply("a"), reply("b")], [(2, "replies_in_a_row")]),
        (("anthropic", "openai"), [user(), reply("a"), reply("b")], []),
    ],
)
def test_rule(families, messages, expected):
    """What breaks it, at which block, and for whom."""
    for family in families:
        assert codes(family, *messages) == expected, family


def test_a_fault_names_its_entries_and_says_it():
    """Rows of the block; a sentence in both languages."""
    blocks = blocks_of(user(), reply(call("x")), user())
    [fault] = judge(blocks, "anthropic")
    assert fault.rows == (1,)
    assert render(fault.message) == "The call x has no result right behind it."
    assert render(fault.message, "zh_CN") == "调用 x 之后没有紧跟结果。"


@given(prompts, st.sampled_from(FAMILIES))
def test_any_prompt_is_judged(blocks, family):
    """Never an exception; faults in the order of the prompt, each with its sentence."""
    faults = judge(blocks, family)
    assert [fault.index or 0 for fault in faults] == sorted(fault.index or 0 for fault in faults)
    for fault in faults:
        for language in ("en", "zh_CN"):
            assert not render(fault.message, language).startswith("judge.")
        if fault.index is not None:
            assert fault.rows == blocks[fault.index].origin.rows


talk = st.lists(
    st.one_of(
        st.just(user("u")),
        st.builds(
            lambda called, stop, target: reply("a", *(call(id) for id in called), stop=stop, target=target),
            st.lists(ids.filter(bool), max_size=3),
            st.sampled_from(["stop", "toolUse", "error", "aborted"]),
            st.sampled_from([CLAUDE, GPT]),
        ),
        st.builds(result, ids),
        st.builds(lambda id: {**result(id), "toolName": " "}, ids),
    ),
    max_size=14,
)


@given(talk, st.sampled_from([("anthropic", CLAUDE), ("openai", GPT)]))
def test_after_the_safe_repair_both_families_take_the_pairs(raw, wanted):
    """Ids made safe and distinct, calls cleaned, pairs repaired safely, failed replies left out: whatever stood there,
    no fault of calls and results is left."""
    family, target = wanted
    context = step(target=target)
    blocks = blocks_of(user("first"), *raw)
    for layer, settings in (
        (replay_filter, replay_filter.Settings(ids="strict")),
        (repair_inputs, repair_inputs.Settings(names="2026.3.24")),
        (repair_pairs, repair_pairs.Settings(variant="safe")),
        (provider_messages, provider_messages.Settings()),
    ):
        blocks = layer.apply(blocks, settings, context).blocks
    assert judge(blocks, family) == ()


def test_google_gets_its_turns_from_the_layers():
    """A leading reply and two in a row are what the layers mend for Google."""
    from core.layers import validate_turns

    blocks = blocks_of(reply("a", target=GEMINI), reply("b", target=GEMINI), user())
    assert judge(blocks, "google")
    after = validate_turns.apply(blocks, validate_turns.Settings(), step(target=GEMINI)).blocks
    assert judge(after, "google") == ()
