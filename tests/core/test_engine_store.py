"""The memory of an engine: a mapping like any other, whose forks share what did not change and nothing else."""

from __future__ import annotations

import pickle
from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engine_store import DEEPEST, GONE, ForkedStore, only_json

names = st.sampled_from("abcde")
values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3),
    lambda held: st.lists(held, max_size=2) | st.dictionaries(st.text(max_size=2), held, max_size=2),
    max_leaves=4,
)
acts = st.lists(
    st.one_of(
        st.tuples(st.just("set"), names, values),
        st.tuples(st.just("delete"), names, st.none()),
        st.tuples(st.just("grow"), names, values),
        st.tuples(st.just("fork"), names, st.none()),
        st.tuples(st.just("fork back"), names, st.none()),
    ),
    max_size=60,
)


@given(acts)
def test_every_fork_is_a_dict_of_its_own(acts):
    """Against plain dicts that are copied whole: setting, deleting and changing in place reach no other fork."""
    stores, dicts = [ForkedStore()], [{}]
    for act, name, value in acts:
        store, expected = stores[-1], dicts[-1]
        if act == "set":
            store[name] = deepcopy(value)
            expected[name] = deepcopy(value)
        elif act == "delete" and name in expected:
            del store[name]
            del expected[name]
        elif act == "grow" and isinstance(expected.get(name), list):
            store[name].append(value)
            expected[name].append(deepcopy(value))
        elif act == "fork":
            stores.append(store.fork())
            dicts.append(deepcopy(expected))
        elif act == "fork back":  # the same request once more, under another threshold
            at = ord(name) % len(stores)
            stores.append(stores[at].fork())
            dicts.append(deepcopy(dicts[at]))
            break  # what stands below a fork is not written to again
    assert [dict(store) for store in stores] == dicts
    assert [len(store) for store in stores] == [len(expected) for expected in dicts]
    assert dict(pickle.loads(pickle.dumps(stores[-1]))) == dicts[-1]


@given(st.dictionaries(names, values), st.dictionaries(names, values | st.just(GONE)))
def test_changes_make_the_same_store_elsewhere(held, changes):
    """What crosses to another process is what changed, and with it the other side has the same."""
    below = ForkedStore(held)
    fork = below.fork()
    for name, value in changes.items():
        if value is GONE:
            fork.pop(name, None)
        else:
            fork[name] = value
    assert dict(below.with_changes(fork.changed())) == dict(fork)
    assert all(held.get(name, GONE) != value for name, value in fork.changed().items())
    assert dict(below) == held


def test_reading_changes_nothing():
    """A list that was only looked at is not told as changed."""
    fork = ForkedStore({"a": [1, 2]}).fork()
    assert fork["a"] == [1, 2]
    assert fork.changed() == {}


def test_a_thousand_requests_stay_shallow():
    """Forks upon forks are laid together now and then, so that the oldest name is still found in a few steps."""
    store = ForkedStore({"first": 1})
    for number in range(1_000):
        store = store.fork()
        store[f"n{number}"] = number
    assert store["first"] == 1
    assert len(store) == 1_001
    assert store._depth <= DEEPEST


def test_names_are_texts_and_values_json():
    store = ForkedStore()
    with pytest.raises(TypeError):
        store[1] = 2
    for bad in ({1, 2}, float("nan"), object()):
        with pytest.raises((TypeError, ValueError)):
            only_json({"a": bad})
    only_json({"a": [1, None, "x"], "b": GONE})
