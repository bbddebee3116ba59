"""An id belongs to one owner: the same may offer it again, anybody else is refused and named."""

from __future__ import annotations

from types import ModuleType

import pytest

from core import plugins
from core.engines import _example
from core.errors import ContractError
from core.offers import CORE, Offer, module_of, offered, settled
from core.phrase import render
from tests.core.rogues import point


def offer(id: str, owner: str, place: str = "x") -> Offer:
    return Offer(id, owner, place, lambda: None)


def test_the_first_owner_keeps_the_id():
    """legacy (stratascope) ← legacy (far): refused, in words."""
    ours, theirs = offer("legacy", CORE), offer("legacy", "far", "far.legacy")
    found = settled((ours, theirs))
    assert found.by_id == {"legacy": ours}
    [said] = found.refused
    assert render(said) == "The id “legacy” belongs to stratascope; that of far (far.legacy) is not used."


def test_the_same_owner_may_offer_it_again():
    """A package that names its engine twice: the later one counts, and nothing is refused."""
    first, second = offer("memory", "far", "far.old"), offer("memory", "far", "far.new")
    assert settled((first, second)) == settled((second,))
    assert settled((first, second)).by_id == {"memory": second}


def test_three_owners():
    """Whoever came second or third is named, each."""
    found = settled((offer("m", "a"), offer("m", "b"), offer("n", "b"), offer("m", "c")))
    assert [one.owner for one in found.by_id.values()] == ["a", "b"]
    assert len(found.refused) == 2


def test_ours_come_first_and_are_ours(monkeypatch):
    """Whatever is installed: the modules of the folder, in their order, owned by us; templates are no offer."""
    theirs = ModuleType("far.legacy")
    theirs.ID = "legacy"
    monkeypatch.setattr(plugins, "points", lambda group: [point(theirs), point(_example)])
    found = offered("core.engines", "stratascope.engines")
    assert list(found.by_id) == ["keep_newest", "legacy", "first_and_newest"]
    assert [one.built_in for one in found.by_id.values()] == [True, True, False]
    assert len(found.refused) == 1


@pytest.mark.parametrize(
    ("load", "said"),
    [
        (lambda: 1 / 0, "ZeroDivisionError"),
        (lambda: "text", "far"),
        (lambda: ModuleType("far"), "ID, TITLE"),
    ],
)
def test_what_is_no_engine_is_named(load, said):
    """Its place, and what it lacks or raised."""
    with pytest.raises(ContractError, match=said):
        module_of(Offer("m", "far", "far.m", load), ("TITLE",))
