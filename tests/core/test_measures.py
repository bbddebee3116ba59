"""Measures of a whole session: of every entry what its message alone would give, however they are held."""

from __future__ import annotations

from pathlib import Path

import pytest

from core import measures as module
from core.calibration import NOTHING, Measure
from core.context import message_of, summary_message
from core.format import choose, open_session, sniff
from core.lines import RecordedFile
from core.measures import measures

CASES = [
    path
    for path in sorted((Path(__file__).parent.parent / "cases").glob("*.jsonl"))
    if (objects := sniff(RecordedFile.at(path))) and getattr(choose(objects), "SUPPORTED", False)
]


def alone(session, row):
    message = message_of(session, row)
    if session.type_of(row) == "compaction":
        message = summary_message(session.body(row))
    return NOTHING if message is None else Measure.of(message)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_as_one_by_one(path, monkeypatch):
    """Entry by entry, by slices and from the end; also when hardly any text is held at once."""
    session = open_session(path)
    expected = [alone(session, row) for row in range(len(session))]
    for characters in (1 << 20, 50):
        monkeypatch.setattr(module, "_CHARACTERS", characters)
        found = measures(session, lambda _: True)
        assert list(found) == expected
        assert found[1:4] == tuple(expected[1:4])
        if expected:
            assert found[-1] == expected[-1]
            with pytest.raises(IndexError):
                found[len(expected)]


def test_it_stops(tmp_path):
    """Asked at the first entry already."""
    session = open_session(CASES[0])
    assert measures(session, lambda _: False) is None
