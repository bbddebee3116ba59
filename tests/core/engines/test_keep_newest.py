"""keep_newest: the newest result whole, the oldest make room, and the same messages give the same answer."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.engine_memory import Question
from core.engine_play import play
from core.engine_store import ForkedStore
from core.engines import keep_newest
from core.estimate import guard_chars
from core.guard import budget_limit
from core.layers import context_engine, guard_context, repair_pairs
from core.messages import Message
from core.phrase import render
from tests.core.made import blocks_of, call, prompts, reply, result, step, user

WINDOW = 4_000
LIMIT = budget_limit(WINDOW, keep_newest.SHARE)
"""12,000 guard characters: six results of 1,000."""


def turns(*sizes: int) -> list[dict]:
    """A turn of a question, a call and its result per size."""
    said = []
    for number, size in enumerate(sizes):
        said += [user(f"q{number}"), reply(call(f"c{number}")), result(f"c{number}", str(number) * size)]
    return said


def assembled(said: list[dict], window: int = WINDOW):
    messages = tuple(map(Message.of, said))
    return messages, keep_newest.make().assemble(messages, token_budget=window, model="", prompt="")


def shown(asked) -> str:
    """Results as the first letter of their text and their length, notes as `-`."""
    results = [m for m in asked.messages if m.role == "toolResult"]
    return " ".join("-" if m.text() == keep_newest.NOTE else f"{m.text()[0]}:{len(m.text())}" for m in results)


def test_what_fits_passes_on():
    """The very tuple, so that the step is the legacy engine's; the guard has nothing to do either."""
    messages, asked = assembled(turns(1_000, 1_000))
    assert asked.messages is messages
    assert not asked.system_addition


def test_the_oldest_make_room():
    """
    0:2500 1:1000 2:1000 3:3000      15,016 of 12,000: 3,016 too much, 4,500 in eighths of the limit
    -      1:1000 2:1000 3:3000
    """
    _, asked = assembled(turns(2_500, 1_000, 1_000, 3_000))
    assert shown(asked) == "- 1:1000 2:1000 3:3000"
    assert asked.sources == tuple(range(12))
    assert "Run a tool again" in asked.system_addition
    assert "over the limit of 12k" in render(asked.why)


def test_room_is_made_in_parts():
    """One request more that adds a little needs no other note: the prefix stays, and with it the cache."""
    sizes = [1_000] * 7
    before = shown(assembled(turns(*sizes))[1]).split()
    after = shown(assembled([*turns(*sizes), user("and?"), reply("x" * 200)])[1]).split()
    assert before[:7] == after[:7]
    assert before.count("-") == 2


def test_the_newest_alone_may_be_too_much():
    """It stays whole all the same; what is before it goes, and the guard's limit for one result is not ours."""
    _, asked = assembled(turns(1_000, 1_000, 20_000))
    assert shown(asked) == "2:20000"
    assert (
        asked.messages[0].text()
        == "[6 older messages of this session are not shown; newer tool results needed the room]"
    )
    assert asked.sources == (None, 6, 7, 8)


def test_a_summary_stays():
    """What stands before the first question (a compaction's summary) is no turn."""
    summary = {"role": "compactionSummary", "summary": "s" * 100}
    _, asked = assembled([summary, *turns(1_000, 20_000)])
    assert [m.role for m in asked.messages] == ["compactionSummary", "user", "user", "assistant", "toolResult"]


def test_a_prompt_behind_the_newest_result():
    """Its turn stays too, or the newest result would go with it."""
    _, asked = assembled([*turns(1_000, 20_000), user("z" * 9_000)])
    assert shown(asked) == "1:20000"


@settings(max_examples=50)
@given(prompts, st.integers(256, 2_000))
def test_laws_for_any_prompt(blocks, window):
    """Behind the pairing layers: deterministic; messages in their order; the newest result untouched; no result loses
    its call."""
    paired = repair_pairs.apply(blocks, repair_pairs.Settings(), step()).blocks
    messages = tuple(block.message for block in paired)
    ask = lambda: keep_newest.make().assemble(messages, token_budget=window, model="", prompt="")  # noqa: E731
    asked, again = ask(), ask()
    assert [m.json() for m in asked.messages] == [m.json() for m in again.messages]
    places = [source for source in asked.sources if source is not None]
    assert places == sorted(set(places))
    newest = [index for index, message in enumerate(messages) if message.role == "toolResult"][-1:]
    assert all(any(message is messages[index] for message in asked.messages) for index in newest)
    assert play(keep_newest.make, Question("x", ForkedStore(), True, messages, 0, window, "", "")).fault == ""
    if sum(map(guard_chars, messages)) <= budget_limit(window, keep_newest.SHARE):
        assert asked.messages is messages


@pytest.mark.parametrize("engine", ["legacy", "keep_newest"])
def test_the_guard_behind_it(engine):
    """The answer to the article's question: under legacy the guard cuts, under keep_newest there is nothing to cut."""
    prompt = blocks_of(*turns(2_500, 1_000, 1_000, 3_000))
    outcome = context_engine.apply(prompt, context_engine.Settings(engine), step(WINDOW))
    after = guard_context.apply(outcome.blocks, guard_context.Settings(), step(WINDOW))
    assert (after.blocks is outcome.blocks) == (engine == "keep_newest")
    assert prompt[-1] in after.blocks
    if engine == "keep_newest":
        assert outcome.blocks[2].before is prompt[2]
        assert render(outcome.why).startswith("keep_newest: changed 1 message.")
        assert "adds 98 characters to the system prompt" in render(outcome.notes[0])
