"""Rows by id, filled late: the answers are those of a table that was always full."""

from __future__ import annotations

import pickle
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from core import names as module
from core.names import Names
from core.part import Part, grown
from tests.core.drawn import shaped

IDS = st.lists(st.sampled_from(["", "a", "b", "c", "d\n", "e"]), max_size=12)


@given(st.lists(IDS, max_size=4), st.integers(1, 5), st.data())
def test_as_if_it_were_full(parts, together, data):
    """Filled in pieces or at once, in the middle or at the end: of a repeated id the last row, of "" none."""
    before, module._TOGETHER = module._TOGETHER, together
    try:
        names, ids = Names(), []
        for part in parts:
            ids += part
            for _ in names.filling(ids):
                if data.draw(st.booleans()):
                    break
        names.fill(ids)
    finally:
        module._TOGETHER = before
    assert names.rows == {id: row for row, id in enumerate(ids) if id}
    assert names.repeats == (len(set(ids) - {""}) != len(ids))


def test_the_rest_of_a_session_is_another():
    """A part that begins before the end takes the place of what stood there, for `row_of` too."""
    old, new = shaped((-1, 0, 1)), shaped((-1, 0, 1, 2))
    assert old.row_of(old.columns.ids[2]) == 2
    ids = (*old.columns.ids[:2], "other", "new")
    cut = {name: getattr(new.columns, name)[2:] for name in NUMBERS}
    tail = replace(new, columns=replace(new.columns, ids=ids[2:], **cut))
    made = grown(old, Part(2, tail))
    assert [made.row_of(id) for id in ids] == [0, 1, 2, 3]


NUMBERS = ("offset", "size", "line", "parent", "kind", "role", "time", "chars")


@given(IDS)
def test_columns_cross_to_another_process(ids):
    """Whatever is in an id; line ends too."""
    session = shaped((-1, 0))
    columns = replace(session.columns, ids=tuple(ids))
    assert pickle.loads(pickle.dumps(columns)).ids == tuple(ids)
    again = pickle.loads(pickle.dumps(session.columns))
    assert again.offset == session.columns.offset
    assert again.kind == session.columns.kind
    assert again.kind.typecode == "i"
