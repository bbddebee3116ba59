"""Names in the agents' order: Unicode collation, not code points."""

from __future__ import annotations

import string

from hypothesis import given, settings
from hypothesis import strategies as st

from core.collation import ascii_key, collated, root_key

plain = st.text(string.ascii_letters + string.digits + string.punctuation + " ", max_size=8)


def test_order_of_ascii():
    """As the recorded cases' description lists it."""
    order = "_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$09aAbBzZ"
    assert "".join(collated(sorted(order))) == order


@settings(max_examples=200)
@given(st.lists(plain, max_size=6))
def test_the_short_way_is_the_long_way(names):
    """ASCII names are sorted without the table, in the order that the table gives."""
    assert sorted(names, key=ascii_key) == sorted(names, key=root_key)


def test_accents_and_ligatures():
    """Accents count after all letters, ß as ss and after it; equal names keep their order."""
    assert collated(["z", "é", "ea", "e", "E"]) == ["e", "E", "é", "ea", "z"]
    assert collated(["ß", "ss", "sz"]) == ["ss", "ß", "sz"]
    assert collated(["\u00e9", "e\u0301"]) == ["\u00e9", "e\u0301"]
    assert collated(["e\u0301", "\u00e9"]) == ["e\u0301", "\u00e9"]


def test_half_a_character_is_sorted_too():
    assert len(collated(["\ud83d", "a"])) == 2
