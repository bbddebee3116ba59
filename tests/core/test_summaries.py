"""Requests as columns: whichever way they are asked for, and wherever they were sent, they are the same."""

from __future__ import annotations

import pickle
from array import array
from dataclasses import replace
from decimal import Decimal
from itertools import accumulate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import summaries as module
from core.budget import ROLES
from core.messages import Usage
from core.packing import packed, unpacked
from core.reply import RepliesBuilder, Reply
from core.summaries import entries_of, summaries_of
from core.timeline import uncounted

MONEY = st.none() | st.decimals(0, 50, places=6) | st.just(Decimal(1) / 3) | st.just(Decimal("0.1000000000000000055"))
REQUEST = st.tuples(MONEY, st.booleans(), st.none() | st.integers(0, 90), st.integers(0, 2**40), st.sampled_from("ab"))


def made(requests):
    """Summaries of (cost, whether it is recorded, compaction, tokens, model), and those costs."""
    builder, costs = RepliesBuilder(), []
    for at, (cost, recorded, _, tokens, model) in enumerate(requests):
        kept = Decimal(repr(float(cost))) if cost is not None else None  # as reading keeps a recorded one
        usage = Usage(input=tokens, cost=kept if recorded else None)
        builder.add(Reply(3 * at, "p", model, "", "stop", None, at, usage))
        costs.append(kept if recorded else cost)
    held = [((tokens % 7, 1, 2, at), compaction) for at, (*_, compaction, tokens, _) in enumerate(requests)]
    notes = [module.NOTES[tokens % len(module.NOTES)] for *_, tokens, _ in requests]
    return summaries_of(builder.finish(), held, costs, notes, {}), costs


@given(st.lists(REQUEST, max_size=150), st.data())
@settings(max_examples=40)
def test_all_ways_lead_to_the_same(requests, data):
    """One by one, all together, from the end, by slices of slices; money to the last digit."""
    found, costs = made(requests)
    one_by_one = [found[at] for at in range(len(found))]
    assert list(found._each()) == one_by_one == list(found) == list(reversed(list(reversed(found))))
    assert [one.cost for one in one_by_one] == costs
    assert [one.total_cost for one in one_by_one] == list(accumulate(cost or Decimal(0) for cost in costs))
    assert [one.cost_recorded for one in one_by_one] == [
        recorded and cost is not None for cost, recorded, *_ in requests
    ]
    assert [one.compaction for one in one_by_one] == [request[2] for request in requests]
    assert [one.request.number for one in one_by_one] == list(range(1, len(requests) + 1))
    assert entries_of(found) == entries_of(tuple(one_by_one)) == array("q", range(0, 3 * len(requests), 3))
    fresh, _ = made(requests)
    cut = data.draw(st.slices(len(requests)))
    assert list(fresh[cut]) == one_by_one[cut]
    assert list(entries_of(fresh[cut])) == [one.request.entry for one in one_by_one[cut]]
    assert list(fresh[cut][::-1]) == one_by_one[cut][::-1]


@given(st.lists(REQUEST, max_size=80))
@settings(max_examples=30)
def test_another_process_gets_the_same(requests):
    """Through a pipe, alone and within a timeline; a path comes as an array."""
    found, _ = made(requests)
    assert pickle.loads(pickle.dumps(found)) == found
    path = tuple(range(len(requests) * 3))
    whole = replace(uncounted("bpe"), summaries=found, path=path, leaf=7)
    again = pickle.loads(pickle.dumps(whole))
    assert replace(again, path=path) == whole
    assert tuple(again.path) == path


def test_made_some_at_a_time():
    """Whoever must not be away for long makes them in pieces; afterwards they are kept, and are the same."""
    found, _ = made([(None, False, None, n, "a") for n in range(200)])
    assert sum(1 for _ in found.making()) == 4
    assert found[3] is found[3]
    assert found._made == tuple(made([(None, False, None, n, "a") for n in range(200)])[0])


def test_many_are_not_kept(monkeypatch):
    """Beyond the bound each is made again, every time."""
    monkeypatch.setattr(module, "KEPT", 9)
    found, _ = made([(None, False, None, n, "a") for n in range(10)])
    list(found)
    assert found[3] is not found[3]
    assert list(found.making()) == []


def test_out_of_range():
    found, _ = made([(None, False, None, 1, "a")])
    with pytest.raises(IndexError):
        found[1]
    assert found[-1].tokens == (1, 1, 2, 0)
    assert len(found[-1].tokens) == len(ROLES)


@given(st.lists(st.integers(-(2**63), 2**63 - 1)) | st.lists(st.integers(-130, 130)))
def test_packing(values):
    """Every number comes back, out of no more bytes than before."""
    column = array("q", values)
    small = packed(column)
    assert unpacked(small) == column
    assert small.itemsize <= column.itemsize
    assert small.itemsize == 1 or any(not -128 <= value < 128 for value in values) or not values
