"""The template of a counter keeps the contract it teaches."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest
from hypothesis import given

from core import counter as contract
from core import plugins
from core.counters import _example
from core.errors import ContractError, RequestError
from core.messages import Message
from tests.core.test_estimate import messages


def test_it_is_no_plug_in():
    """A leading underscore keeps it out of the list; the three counters of the house are in it."""
    assert {"chars", "bpe", "recorded"} <= set(contract.counters())
    assert "words" not in contract.counters()


class Point:
    """An entry point of an installed package."""

    name, value = "words", "my_package.words"

    def __init__(self, module) -> None:
        self.load = lambda: module


def offer(monkeypatch, module) -> None:
    real = plugins.points
    monkeypatch.setattr(
        plugins, "points", lambda group: [Point(module)] if group == "stratascope.counters" else real(group)
    )


def test_an_installed_one_is_found(monkeypatch):
    """Offered through the entry-point group it stands beside the others, and counts."""
    offer(monkeypatch, _example)
    made = contract.make("words")
    assert made.id == "words"
    assert made.count(Message.of({"role": "user", "content": "three words here"})) == 3


def test_one_that_lacks_a_name(monkeypatch):
    """The contract is checked when it is found, and the place named."""
    broken = ModuleType("my_package.words")
    broken.ID = "words"
    offer(monkeypatch, broken)
    with pytest.raises(ContractError, match=r"my_package\.words"):
        contract.counters()


def test_an_unknown_name():
    """Those that exist are named."""
    with pytest.raises(RequestError, match="bpe"):
        contract.make("nobody")


@given(messages)
def test_any_message_is_counted(raw):
    assert _example.make(None).count(Message.of(raw)) >= 0


def test_the_modules_name_themselves():
    """The id is the module's name, so that a name in a file leads to its code."""
    for name, module in contract.counters().items():
        if module.__name__.startswith("core."):
            assert sys.modules[f"core.counters.{name}"] is module
            assert module.make(None).id == name
