"""An engine through one request: every method asked, each failing by itself, nothing believed."""

from __future__ import annotations

import pytest

from core.engine import (
    Assembly,
    BootstrapResult,
    CompactResult,
    EngineInfo,
    IngestBatchResult,
    IngestResult,
    MaintenanceResult,
)
from core.engine_memory import Question
from core.engine_play import play
from core.engine_store import ForkedStore
from core.messages import Message
from tests.core.made import call, reply, result, user
from tests.core.rogues import ROGUES, Ordinary

MESSAGES = tuple(map(Message.of, (user("first"), reply(call("x", a=0)), result("x"), user("last"))))
REPLY = Message.of(reply("Done."))


def question(**more) -> Question:
    given = {"begins": True, "messages": MESSAGES, "new": 0, "window": 9_000, "model": "m", "prompt": "last"} | more
    return Question("rogue", given.pop("store", ForkedStore()), **given)


class Everything:
    """Uses every method; what it was asked stands in its store."""

    info = EngineInfo("all", "All", "2", owns_compaction=True)

    def bootstrap(self, session, store):
        self.store = store
        self.store["asked"] = ["bootstrap"]
        return BootstrapResult(True, 3, "found them")

    def _note(self, name):
        self.store["asked"] = [*self.store["asked"], name]

    def ingest(self, message):
        self._note("ingest")
        return IngestResult(True)

    def ingest_batch(self, messages):
        self._note("ingest_batch")
        return IngestBatchResult(len(messages))

    def assemble(self, messages, *, token_budget, model, prompt):
        self._note("assemble")
        return Assembly(messages, 42, "Remember.", why="because")

    def compact(self, *, token_budget, force, instructions):
        self._note("compact")
        return CompactResult(True, True, "full", "summary", "e1", 900, 100)

    def after_turn(self, messages, *, before_count):
        self._note(f"after_turn {len(messages)} {before_count}")

    def maintain(self, rewrite):
        self._note("maintain")
        told = [id for id, _ in rewrite.entries]
        assert rewrite(told[0], {"role": "user", "content": "shorter"})
        assert not rewrite("nowhere", {"role": "user"})
        assert not rewrite(told[0], {"role": "assistant"})
        return MaintenanceResult(True, 1, 7)


def test_all_seven_in_order():
    """begins ─ batch ─ compaction is due ─ assemble ─ the turn ends."""
    ids = ("e1", "e2", "", "e4", "e5")
    asked = question(due=True, over=True, reply=REPLY, before_count=3, ids=ids)
    played = play(Everything, asked)
    methods = ["bootstrap", "ingest_batch", "compact", "assemble", "after_turn", "maintain"]
    assert [called.method for called in played.calls] == methods
    assert not any(called.fault for called in played.calls)
    assert played.store["asked"][4:] == ["after_turn 5 3", "maintain"]
    assert played.same
    assert (played.addition, played.estimated, played.why) == ("Remember.", 42, "because")
    assert played.rewrites == (("e1", {"role": "user", "content": "shorter"}),)
    assert all(called.stored == ("asked",) for called in played.calls)
    assert dict(asked.store) == {}, "the store it stands upon is not written to"
    assert played.calls[-1].facts | {"taken": 1, "refused": 2, "freed": 7} == played.calls[-1].facts


def test_one_new_message_is_ingested_alone():
    played = play(Everything, question(new=3))
    assert [called.method for called in played.calls] == ["bootstrap", "ingest", "assemble"]


def test_nothing_new_is_not_ingested():
    """Asked again at the same request, under another threshold."""
    assert [c.method for c in play(Everything, question(new=4)).calls] == ["bootstrap", "assemble"]


def test_who_owns_compaction_is_asked():
    """The agent's trigger fires: an engine that owns compaction is asked, one that does not is left alone."""
    assert "compact" in [c.method for c in play(Everything, question(due=True)).calls]
    assert "compact" not in [c.method for c in play(Everything, question(due=False)).calls]
    assert "compact" not in [c.method for c in play(Ordinary, question(due=True)).calls]


@pytest.mark.parametrize("method", ["bootstrap", "ingest_batch", "after_turn", "maintain"])
def test_a_failing_method_is_told_and_the_others_go_on(method):
    """Only `assemble` decides whether there is an answer."""

    def fails(*_, **__):
        raise OSError("no disk")

    played = play(lambda: Ordinary(methods={method: fails}), question(over=True))
    assert {c.method: c.fault for c in played.calls if c.fault} == {method: "OSError: no disk"}
    assert played.same
    assert played.fault == ""


@pytest.mark.parametrize("method", ["bootstrap", "ingest_batch", "maintain"])
def test_a_method_that_gives_something_else(method):
    played = play(lambda: Ordinary(methods={method: lambda *_, **__: "yes"}), question(over=True))
    [fault] = [c.fault for c in played.calls if c.fault]
    assert fault.startswith(f"TypeError: {method} gave str, not ")


@pytest.mark.parametrize("name", ROGUES)
def test_no_answer_is_better_than_a_bad_one(name):
    """Whatever `assemble` does: no items, and what was wrong in a few words."""
    act, said = ROGUES[name]
    played = play(lambda: Ordinary(methods={"assemble": lambda messages, **_: act(messages)}), question())
    assert played.items is None
    assert said in played.fault
    assert played.calls[-1].method == "assemble"
    assert played.calls[-1].fault == played.fault


def test_an_engine_that_cannot_be_made():
    def make():
        raise SystemExit

    assert play(make, question()).fault == "SystemExit"
    assert "not an EngineInfo" in play(lambda: Ordinary(info="me"), question()).fault
    assert "not an EngineInfo" in play(lambda: Ordinary(info=EngineInfo(1, 2, 3)), question()).fault


def test_a_store_takes_no_nonsense():
    """What is no JSON is taken out again, and the method that put it in is named; the rest of the store stays."""

    class Hoarder(Ordinary):
        def bootstrap(self, session, store):
            store["good"] = 1
            self.__dict__["store"] = store
            return BootstrapResult(True)

        def ingest_batch(self, messages):
            self.store["bad"] = messages
            return IngestBatchResult(0)

    played = play(Hoarder, question(store=ForkedStore({"old": [1]})))
    assert "no JSON" in next(c.fault for c in played.calls if c.method == "ingest_batch")
    assert dict(played.store) == {"old": [1], "good": 1}


def test_order_and_choice_are_told_by_identity():
    """Kept, left out, made: with the place each had."""
    new = Message.of(user("made"))
    played = play(
        lambda: Ordinary(methods={"assemble": lambda messages, **_: Assembly((new, messages[3], messages[0]))}),
        question(),
    )
    assert [item.source for item in played.items] == [None, 3, 0]
    assert [item.message and item.message.json() for item in played.items] == [new.json(), None, None]
    assert played.items[0].message is not new, "what a foreign engine made is made again"
