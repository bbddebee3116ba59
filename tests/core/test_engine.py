"""The contract of a context engine: legacy changes nothing, the template keeps it, packages may add theirs."""

from __future__ import annotations

import sys
from dataclasses import fields
from types import ModuleType

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
    """Modules offered through the entry-point group."""

    def offer(*modules):
        points = [
            type("Point", (), {"name": m.__name__, "value": m.__name__, "load": lambda _, m=m: m})() for m in modules
        ]
        real = plugins._points
        monkeypatch.setattr(plugins, "_points", lambda group: points if group == "stratascope.engines" else real(group))
        contract.engines.cache_clear()

    yield offer
    contract.engines.cache_clear()


def test_the_house_has_them():
    """One module each, called as its id; the template stays out."""
    known = contract.engines()
    assert "legacy" in known
    assert "first_and_newest" not in known
    for id, module in known.items():
        assert sys.modules[f"core.engines.{id}"] is module
        assert isinstance(module.TITLE, Phrase)
        assert module.make().info.id == id


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
    """Offered through the entry-point group it can be made by its name."""
    offered(_example)
    assert contract.make("first_and_newest").info.name == "First and newest"


def test_one_that_lacks_a_name(offered):
    broken = ModuleType("far.broken")
    broken.ID = "broken"
    offered(broken)
    with pytest.raises(ContractError, match=r"far\.broken"):
        contract.engines()


def test_an_unknown_name():
    """Those that exist are named."""
    with pytest.raises(RequestError, match="legacy"):
        contract.make("nobody")


def test_results_are_values():
    """Frozen, so that they may be kept beside a trace."""
    for kind in (EngineInfo, Assembly, CompactResult, MaintenanceResult, contract.BootstrapResult):
        assert kind.__dataclass_params__.frozen
        assert fields(kind)
