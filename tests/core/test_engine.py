"""The contract of a context engine: legacy changes nothing, the template keeps it, packages may add theirs."""

from __future__ import annotations

import sys
from dataclasses import fields, replace
from types import ModuleType, SimpleNamespace

import pytest
from hypothesis import given

from core import engine as contract
from core import plugins
from core.engine import Assembly, CompactResult, EngineInfo, MaintenanceResult
from core.engines import _example, legacy
from core.errors import ContractError, RequestError
from core.messages import Message
from core.phrase import Phrase
from tests.core.drawn import opened, said
from tests.core.made import prompts, reply, user

METHODS = ("bootstrap", "ingest", "ingest_batch", "assemble", "compact", "after_turn", "maintain")


@pytest.fixture
def offered(monkeypatch):
    """Entry points of installed packages: (id, package, module)."""

    def offer(*found):
        points = [
            SimpleNamespace(name=id, value=m.__name__, load=lambda m=m: m, dist=SimpleNamespace(name=package))
            for id, package, m in found
        ]
        real = plugins.points
        monkeypatch.setattr(plugins, "points", lambda group: points if group == "stratascope.engines" else real(group))
        contract.engines.cache_clear()

    yield offer
    contract.engines.cache_clear()


def test_the_house_has_them():
    """One module each, called as its id; the template stays out."""
    known = contract.engines().by_id
    assert "legacy" in known
    assert "first_and_newest" not in known
    for id, offer in known.items():
        if offer.built_in:
            module = offer.load()
            assert sys.modules[f"core.engines.{id}"] is module
            assert isinstance(module.TITLE, Phrase)
            assert module.make().info.id == id
            assert contract.built_in(id)


@pytest.mark.parametrize("module", [legacy, _example])
def test_every_method_answers(module, tmp_path):
    """The host asks all seven, in the order of a session's life, and each gives what the contract says."""
    session = opened(said("user", "hello"), said("assistant", "hi"), tmp_path=tmp_path)
    engine = module.make()
    assert all(callable(getattr(engine, name)) for name in METHODS)
    assert isinstance(engine.info, EngineInfo)
    message = Message.of(user("a"))
    store: dict = {}
    assert engine.bootstrap(session, store).imported == 0
    assert engine.ingest(message).ingested is False
    assert engine.ingest_batch([message, message]).ingested == 0
    found = engine.assemble((message,), token_budget=1_000, model="m", prompt="a")
    assert isinstance(found, Assembly)
    assert found.messages == (message,)
    assert engine.compact(token_budget=1_000, force=True, instructions="") == CompactResult(
        True, False, engine.compact(token_budget=1_000, force=False, instructions="").reason
    )
    assert engine.after_turn([message], before_count=0) is None
    assert engine.maintain(lambda id, new: False) == MaintenanceResult(False)


@given(prompts)
def test_legacy_hands_on_the_very_messages(blocks):
    messages = tuple(block.message for block in blocks)
    assert legacy.make().assemble(messages, token_budget=1, model="", prompt="").messages is messages


@given(prompts)
def test_the_template_keeps_order_and_the_first_question(blocks):
    """Messages of the input, in their order, cut only in front of a user message; it remembers what it left out."""
    messages = tuple(block.message for block in blocks)
    engine = _example.make()
    kept = engine.assemble(messages, token_budget=100, model="", prompt="").messages
    places = [next(i for i, m in enumerate(messages) if m is message) for message in kept]
    assert engine.store["left_out"] == len(messages) - len(kept)
    asked = [i for i, message in enumerate(messages) if message.role == "user"]
    if kept:
        assert kept[0].role == "user"
        assert any(messages[asked[0]] is message for message in kept)
    assert [p for p in places[1:] if p == places[0]] == [] or len(set(map(id, kept))) < len(kept)


def test_the_template_fits_its_share():
    """Four characters a token: of turns of 100 tokens each, half a window of 600 takes two, and the first stays."""
    turns = [Message.of(raw) for n in range(6) for raw in (user(str(n) * 200), reply("r" * 200))]
    found = _example.make().assemble(tuple(turns), token_budget=600, model="", prompt="")
    assert [message.text()[0] for message in found.messages if message.role == "user"] == ["0", "3", "4", "5"]
    assert found.estimated_tokens == 7 * 50


def test_an_installed_one(offered):
    """Offered through the entry-point group it can be made by its name; it is not one of ours."""
    offered(("first_and_newest", "far", _example))
    assert contract.make("first_and_newest").info.name == "First and newest"
    assert contract.engines().by_id["first_and_newest"].owner == "far"
    assert not contract.built_in("first_and_newest")


def test_its_name_alone_imports_nothing(offered):
    """Which engines there are is asked when the window starts: a package that hangs while it is imported must not."""
    imported = []
    offered(("slow", "far", ModuleType("far.slow")))
    contract.engines().by_id["slow"] = replace(contract.engines().by_id["slow"], load=lambda: imported.append(1))
    assert "slow" in contract.engines().by_id
    assert imported == []


def test_one_that_lacks_a_name(offered):
    broken = ModuleType("far.broken")
    broken.ID = "broken"
    offered(("broken", "far", broken))
    with pytest.raises(ContractError, match=r"far\.broken"):
        contract.make("broken")


def test_one_that_calls_itself_otherwise(offered):
    offered(("mine", "far", _example))
    with pytest.raises(ContractError, match="first_and_newest"):
        contract.make("mine")


def test_an_unknown_name():
    """Those that exist are named."""
    with pytest.raises(RequestError, match="legacy"):
        contract.make("nobody")


def test_results_are_values():
    """Frozen, so that they may be kept beside a trace."""
    for kind in (EngineInfo, Assembly, CompactResult, MaintenanceResult, contract.BootstrapResult):
        assert kind.__dataclass_params__.frozen
        assert fields(kind)
