"""The engine as a step: its messages become blocks again; an exception or nonsense leaves the prompt as it was."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engine import Assembly, EngineInfo
from core.engine_play import play
from core.engines import legacy
from core.layers import context_engine
from core.messages import Message
from core.pairing import calls, result_id
from core.phrase import render
from core.pipeline import compare
from tests.core.made import SIZES, blocks_of, call, prompts, reply, result, step, user


@dataclass
class Engine:
    """Answers whatever it was made with; remembers what it was asked. Its other methods answer as the legacy one's."""

    answer: object
    info: EngineInfo = EngineInfo("theirs", "Theirs", "1")  # noqa: RUF009
    asked: dict | None = None

    def __getattr__(self, name):
        return getattr(legacy.make(), name)

    def assemble(self, messages, *, token_budget, model, prompt):
        self.asked = {"messages": messages, "token_budget": token_budget, "model": model, "prompt": prompt}
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer(messages) if callable(self.answer) else self.answer


def settings(engine):
    """As a policy of another computer may have them: the choices are those of this one."""
    return context_engine.Settings(engine)


@pytest.fixture
def applied(monkeypatch):
    def apply(blocks, answer):
        engine = Engine(answer)
        monkeypatch.setattr(context_engine, "ask", lambda question: play(lambda: engine, question, trusted=True))
        outcome = context_engine.apply(blocks, settings("theirs"), step(50_000))
        return outcome, engine

    return apply


PROMPT = blocks_of(user("first"), reply(call("x")), result("x"), user("last"))


def test_legacy():
    """The very blocks, and it says that it is legacy."""
    outcome = context_engine.apply(PROMPT, context_engine.Settings(), step())
    assert outcome.blocks is PROMPT
    assert render(outcome.why) == "Legacy engine; passes messages through."
    assert outcome.failed == ""


def test_what_an_engine_is_told(applied):
    """All messages, the window, the model, and what the user asked last."""
    _, engine = applied(PROMPT, lambda messages: Assembly(messages))
    assert engine.asked == {
        "messages": tuple(block.message for block in PROMPT),
        "token_budget": 50_000,
        "model": "claude-x",
        "prompt": "last",
    }


def test_an_engine_that_changes_nothing(applied):
    outcome, _ = applied(PROMPT, lambda messages: Assembly(tuple(messages)))
    assert outcome.blocks is PROMPT
    assert render(outcome.why) == "Theirs passes every message on."


def test_added_and_dropped(applied):
    """New messages are the engine's; what it leaves out is dropped; the rest are the blocks that came in."""
    new = Message.of(user("remembered"))
    outcome, _ = applied(PROMPT, lambda messages: Assembly((new, *messages[3:])))
    added, kept = outcome.blocks
    assert kept is PROMPT[3]
    assert (added.message, added.origin.made_by, added.origin.rows) == (new, "context_engine", ())
    assert render(outcome.why) == "Theirs: added 1 message, dropped 3 messages."
    edits = compare(PROMPT, outcome.blocks, outcome.reasons, SIZES)
    assert sorted(edit.kind for edit in edits) == ["dropped", "dropped", "dropped", "inserted"]
    assert all(edit.reason is not None for edit in edits)


def test_rewritten_messages_name_what_they_stand_for(applied):
    """With `sources` a new message replaces the one of the input; without, it would be one gone and one added."""
    short = Message.of(result("x", "short"))

    def answer(messages):
        return Assembly((messages[0], messages[1], short, messages[3]), sources=(0, 1, 2, 3))

    outcome, _ = applied(PROMPT, answer)
    assert outcome.blocks[2].before is PROMPT[2]
    assert outcome.blocks[2].origin == PROMPT[2].origin
    assert render(outcome.why) == "Theirs: changed 1 message."
    assert [edit.kind for edit in compare(PROMPT, outcome.blocks, outcome.reasons, SIZES)] == ["replaced"]


def test_another_order(applied):
    prompt = blocks_of(user("a"), reply("b"), user("c"))
    outcome, _ = applied(prompt, lambda messages: Assembly(messages[::-1]))
    assert outcome.blocks == prompt[::-1]
    assert render(outcome.why) == "Theirs sends the messages in another order."


def test_an_addition_to_the_system_prompt_is_noted(applied):
    outcome, _ = applied(PROMPT, lambda messages: Assembly(messages, system_addition="Remember: 😀"))
    assert outcome.blocks is PROMPT
    assert "adds 12 characters to the system prompt" in render(outcome.notes[0])


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (RuntimeError("out of memory"), "RuntimeError: out of memory"),
        (None, "gave NoneType"),
        ({"messages": []}, "gave dict"),
        (Assembly(None), "not an Assembly of messages"),
        (Assembly(("text",)), "something that is no message"),
        (lambda messages: Assembly(messages, system_addition=7), "no text"),
        (lambda messages: Assembly(messages, sources=(0,)), "more or fewer sources"),
        (lambda messages: Assembly(messages, sources=(0, 0, 1, 2)), "named twice"),
        (lambda messages: Assembly(messages, sources=(0, 1, 2, 9)), "not there"),
        (lambda messages: Assembly(messages[:1], sources=("first",)), "not there"),
    ],
)
def test_a_failing_engine_changes_nothing(applied, answer, said):
    """The messages go on as they were, and the step says what went wrong."""
    outcome, _ = applied(PROMPT, answer)
    assert outcome.blocks is PROMPT
    assert said in outcome.failed
    assert "the messages go on as they were" in render(outcome.why)


def test_an_engine_that_is_not_there():
    """A policy of another computer: those that are here are named."""
    outcome = context_engine.apply(PROMPT, context_engine.Settings("far"), step())
    assert outcome.blocks is PROMPT
    assert "legacy" in outcome.failed


def lonely(messages):
    """Results before which no call with their id stands."""
    open_calls, found = set(), 0
    for message in messages:
        if message.role == "assistant":
            open_calls |= {call.id for call in calls(message)}
        found += message.role == "toolResult" and result_id(message) not in open_calls
    return found


@given(prompts, st.data())
def test_any_choice_of_messages(blocks, data):
    """Whatever an engine keeps, in whatever order: kept blocks are those that came in, each once. A choice that parts
    results from their calls is none: the messages go on as they were, and the step says so."""
    order = data.draw(st.permutations(range(len(blocks))))
    kept = [index for index in order if data.draw(st.booleans())]
    engine = Engine(lambda messages: Assembly(tuple(messages[index] for index in kept)))
    before = context_engine.ask
    context_engine.ask = lambda question: play(lambda: engine, question, trusted=True)
    try:
        outcome = context_engine.apply(blocks, context_engine.Settings("theirs"), step())
    finally:
        context_engine.ask = before
    chosen = [blocks[index].message for index in kept]
    if lonely(chosen) > lonely([block.message for block in blocks]):
        assert outcome.blocks is blocks
        assert "without their calls" in outcome.failed
        return
    assert outcome.failed == ""
    assert [block.message for block in outcome.blocks] == chosen
    assert len({id(block) for block in outcome.blocks}) == len(kept)
    assert all(any(block is old for old in blocks) for block in outcome.blocks)
