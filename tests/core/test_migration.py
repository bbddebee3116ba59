"""Versions as JavaScript compares them, and what an index of version 1 means."""

from __future__ import annotations

import math
from array import array

import pytest

from core.migration import kept_row, line_ids, read_as, version_number


@pytest.mark.parametrize(
    ("version", "number"),
    [
        (None, 1),
        (True, 1),
        (False, 0),
        (2, 2),
        (2.5, 2.5),
        (" 2 ", 2),
        ("", 0),
        ("x", math.nan),
        ([], math.nan),
        ({}, math.nan),
    ],
)
def test_version_number(version, number):
    assert version_number(version) == number or (math.isnan(number) and math.isnan(version_number(version)))


@pytest.mark.parametrize(
    ("number", "rules"), [(-1, 1), (0, 1), (1.9, 1), (2, 2), (2.9, 2), (3, 3), (4, 3), (math.nan, 3)]
)
def test_read_as(number, rules):
    assert read_as(number) == rules


NOTHING = (0, 3, 5, -1, 1.5, "1", True, math.inf, None)


@pytest.mark.parametrize(("index", "row"), [(1, 0), (2, 1), (4, 2), (1.0, 0), *((index, None) for index in NOTHING)])
def test_kept_row(index, row):
    """
    parsed  header r0 r1 header r2 r3       a compaction in row 2: headers and what comes after it mean nothing
    """
    assert kept_row(array("q", [-1, 0, 1, -1, 2, 3]), index, 2) == row


def test_line_ids():
    assert line_ids(3) == ["00000001", "00000002", "00000003"]
    assert len(set(line_ids(300))) == 300
