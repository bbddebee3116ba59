"""The two sides of a line to an engine of a package: the same answers as without it, and nothing believed."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import engine_desk
from core.engine import Assembly
from core.engine_desk import Desk, fixed
from core.engine_line import Line
from core.engine_memory import Question
from core.engine_play import play
from core.engine_store import ForkedStore
from core.engines import _example, keep_newest
from core.messages import Message
from tests.core.made import call, messages, prompts, reply, result, user
from tests.core.rogues import MUTANTS, PRINTS, Ordinary

MESSAGES = tuple(map(Message.of, (user("first"), reply(call("x", a=0)), result("x"), user("last"))))


def question(given=MESSAGES, store=None, **more) -> Question:
    known = {"begins": True, "new": 0, "window": 300, "model": "m", "prompt": "last"} | more
    return Question("rogue", store if store is not None else ForkedStore(), messages=given, **known)


@pytest.fixture
def line(monkeypatch):
    """A line to a desk whose only engine is given."""

    def make(engine):
        monkeypatch.setattr(engine_desk, "make", lambda name: engine())
        return Line(Desk().answer)

    return make


def plain(played):
    """As values, for comparison; the near side alone knows stores and what was printed."""
    items = played.items and [(item.source, item.message and item.message.json()) for item in played.items]
    calls = [(called.method, dict(called.facts), called.stored, called.fault) for called in played.calls]
    return played.info, items, calls, played.addition, played.same, str(played.fault), dict(played.store or {})


@given(prompts.map(lambda blocks: tuple(block.message for block in blocks)), st.sampled_from([_example, keep_newest]))
def test_the_line_changes_no_answer(given, module):
    """Across JSON, numbers and copies an engine answers what it answers to the messages themselves."""
    before = engine_desk.make
    engine_desk.make = lambda name: module.make()
    try:
        over = {"over": True, "reply": Message.of(reply("done")), "ids": tuple(f"e{n}" for n in range(len(given) + 1))}
        asked = question(given, **over)
        there = Line(Desk().answer).ask(asked)
        here = play(module.make, asked)
    finally:
        engine_desk.make = before
    assert plain(there) == plain(here)


def test_messages_cross_once():
    """Of the second request only what is new is sent: a long session would take minutes otherwise."""
    sent = []

    def send(text):
        sent.append(json.loads(text))
        return json.dumps(engine_desk.told(play(Ordinary, question())) | {"printed": 0})

    line = Line(send)
    more = Message.of(user("more"))
    first = line.ask(question())
    line.ask(question((*MESSAGES, more), store=first.store))
    assert [len(text["add"]) for text in sent] == [4, 1]
    assert sent[1]["messages"] == [0, 1, 2, 3, 4]
    assert sent[1]["store"] == sent[0]["next"]
    assert "whole" not in sent[1]


def test_a_store_of_long_ago_crosses_whole(line):
    """The far side keeps the newest; a fork of an old one, or one after a restart, is sent as it is."""

    class Counting(Ordinary):
        def bootstrap(self, session, store):
            store["n"] = store.get("n", 0) + 1
            return super().__getattr__("bootstrap")(session, store)

    there = line(Counting)
    first = there.ask(question())
    stores = [first.store]
    for _ in range(40):
        stores.append(there.ask(question(store=stores[-1])).store)
    assert [store["n"] for store in stores] == list(range(1, 42))
    assert there.ask(question(store=stores[2])).store["n"] == 4
    there.reset()
    assert there.ask(question(store=stores[5])).store["n"] == 7


@pytest.mark.parametrize("name", MUTANTS)
def test_a_message_says_no(line, name):
    """An engine that writes into what it was given is named, and neither side sees another message."""
    before = [message.json() for message in MESSAGES]
    there = line(lambda: Ordinary(methods={"assemble": lambda messages, **_: MUTANTS[name](messages)}))
    played = there.ask(question())
    assert "a message of the prompt is never changed" in played.fault
    assert played.items is None
    assert [message.json() for message in MESSAGES] == before
    seen = []
    there = line(
        lambda: Ordinary(methods={"assemble": lambda messages, **_: seen.extend(messages) or Assembly(messages)})
    )
    there.ask(question())
    assert [message.json() for message in seen] == before


@given(messages)
def test_fixed_json_is_the_same_json(raw):
    """Equal, readable as before, and not one way to write into it."""
    held = fixed(raw)
    assert held == raw
    assert Message.of(held).json() == Message.of(raw).json()
    if isinstance(held, dict):
        for act in (
            lambda: held.update(a=1),
            lambda: held.pop("role", 0),
            lambda: held.clear(),
            lambda: held.setdefault("a"),
        ):
            with pytest.raises(TypeError):
                act()
    elif isinstance(held, list):
        for act in (lambda: held.append(1), held.sort, held.clear, held.reverse):
            with pytest.raises(TypeError):
                act()


def test_what_is_printed_is_counted(line, capsys):
    """It would stand in the middle of a verb's JSON."""
    played = line(lambda: Ordinary(methods={"assemble": lambda messages, **_: PRINTS(messages)})).ask(question())
    assert played.printed == 101
    assert played.same
    assert capsys.readouterr().out == ""


GARBAGE = ["", "[]", "7", "{}", "null", '{"broken": "x"}', '{"items": 1}', "[1", '{"changes": {}, "gone": 3}', "\x00"]


@pytest.mark.parametrize("answer", GARBAGE)
def test_an_answer_that_is_none(answer):
    """Whatever comes back: a fault of the engine's, in words, never an exception of ours."""
    played = Line(lambda text: answer).ask(question())
    assert played.items is None
    assert "cannot be read" in str(played.fault)


@given(
    st.dictionaries(
        st.sampled_from(["info", "items", "calls", "changes", "gone", "same", "addition"]),
        st.none() | st.integers() | st.lists(st.integers()),
    )
)
def test_an_answer_that_is_bent(bent):
    """Any part of an honest answer replaced: an answer or a fault."""
    honest = engine_desk.told(play(Ordinary, question())) | {"printed": 0}
    played = Line(lambda text: json.dumps(honest | bent)).ask(question())
    assert played.fault == "" or "cannot be read" in str(played.fault)


def test_an_engine_sees_no_more_of_the_session_than_there_was(line, tmp_path):
    """`bootstrap` gets the path before its first message as a Session of its own."""
    from core.engine_history import entries_before, history
    from tests.core.drawn import opened, said

    session = opened(
        {"type": "model_change", "provider": "anthropic", "modelId": "m"},
        said("user", "hello"),
        said("assistant", "secret"),
        tmp_path=tmp_path,
    )
    seen = []

    class Looking(Ordinary):
        def bootstrap(self, session, store):
            seen.append([session.body(row) for row in range(len(session))])
            return super().__getattr__("bootstrap")(session, store)

    before = history(entries_before(session, session.path_to(session.active_leaf), 1))
    there = line(Looking)
    there.ask(question(history=before))
    there.ask(replace(question(), history=before))
    assert [[body["type"] for body in bodies] for bodies in seen] == [["model_change"]] * 2
    assert seen[0][0]["modelId"] == "m"
    assert before.header.id == "s"
