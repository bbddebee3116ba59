"""Marks of cache breaks: who stands together, and whose words find room."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace
from typing import Any, cast

from hypothesis import given
from hypothesis import strategies as st

from core.cache import Place
from gui.request_marks import GAP, Cluster, Mark, clusters, labels, marks
from gui.request_shown import retold
from tests.gui.request_timeline import broken, request, sample, timeline

ICON, ARM = 14.0, 4.5


def mark(number: int, cause: str = "ttl_expired", lost: int = 1) -> Mark:
    return Mark(number, cause, True, True, lost)


def drawn(groups: list[Cluster], seen: list[Mark]) -> str:
    """Each cluster as its first and last request and the first letter of its cause."""
    return " ".join(f"{seen[g.start].cause[0]}{seen[g.start].request}-{seen[g.stop - 1].request}" for g in groups)


def test_neighbours_with_one_cause_stand_together() -> None:
    """
    request   1  2  3     7  8        20
    cause     a  a  b     b  b        b
    becomes   └──┘  b     └──┘        b        far from each other: apart, though the cause is the same
    """
    seen = [mark(1, "a"), mark(2, "a"), mark(3, "b"), mark(7, "b"), mark(8, "b"), mark(20, "b")]
    assert drawn(clusters(seen, [m.request * 20.0 for m in seen], 10), seen) == "a1-2 b3-3 b7-8 b20-20"


def test_marks_that_would_touch_become_one() -> None:
    """At two pixels a request, breaks four requests apart cannot have a triangle each."""
    seen = [mark(1), mark(5), mark(9), mark(40)]
    assert drawn(clusters(seen, [m.request * 2.0 for m in seen], 10), seen) == "t1-9 t40-40"


def test_a_first_request_is_no_break() -> None:
    """What could not have been read is marked apart from what was lost, even beside it."""
    seen = [replace(mark(1, "first"), broke=False), mark(2, "first")]
    assert len(clusters(seen, [1.0, 2.0], 10)) == 2


def test_the_sample_is_marked_where_its_story_breaks() -> None:
    """Cold start at 1; then each break of the timeline, with its cause."""
    found = marks(sample().timeline)
    assert (found[0].request, found[0].cause, found[0].broke) == (1, "first", False)
    assert [m.request for m in found[1:]] == [b.request for b in sample().timeline.breaks]
    assert all(m.broke for m in found[1:])


def test_certain_causes_are_told_from_likely_ones() -> None:
    """Recorded and computed are sure; likely and unknown are not."""
    levels = ("recorded", "computed", "likely", "unknown")
    path = [broken(request(n, 0, 9), "compaction", 9, certainty=level) for n, level in enumerate(levels, 1)]
    assert [m.sure for m in marks(timeline(path))] == [True, True, False, False]


@st.composite
def lanes(draw: st.DrawFn) -> tuple[list[Mark], float, float]:
    """Marks in order, pixels per request, width of the lane."""
    numbers = sorted(draw(st.sets(st.integers(1, 200), min_size=1, max_size=60)))
    seen = [mark(n, draw(st.sampled_from("abc")), draw(st.integers(0, 9))) for n in numbers]
    pitch = draw(st.floats(1, 40))
    return seen, pitch, 201 * pitch


@given(lanes(), st.floats(5, 150))
def test_labels_overlap_nothing(lane: tuple[list[Mark], float, float], wide: float) -> None:
    """Law: labels stay in the lane, apart from each other and clear of every other mark."""
    seen, pitch, width = lane
    groups = clusters(seen, [m.request * pitch for m in seen], 2 * ARM + 1)
    found = labels(groups, seen, width, lambda group: ("words", wide), ICON, ARM)
    spans = sorted((label.left, label.left + label.width) for label in found)
    assert all(left >= 0 and right <= width for left, right in spans)
    assert all(end + GAP <= start + 1e-6 for (_, end), (start, _) in pairwise(spans))
    for label in found:
        for k, group in enumerate(groups):
            clear = group.right + ARM <= label.left + 1e-6 or group.left - ARM >= label.left + label.width - 1e-6
            assert k == label.cluster or clear


@given(lanes())
def test_a_label_stands_with_its_mark(lane: tuple[list[Mark], float, float]) -> None:
    """Law: the icon of a single mark stands over it, never beside another's."""
    seen, pitch, width = lane
    groups = clusters(seen, [m.request * pitch for m in seen], 2 * ARM + 1)
    for label in labels(groups, seen, width, lambda group: ("words", 40.0), ICON, ARM):
        group = groups[label.cluster]
        if group.count == 1:
            assert label.left - ICON <= group.left <= label.left + 2 * ICON


def test_the_dearest_break_gets_the_room() -> None:
    """Two breaks too close for two words: the one that lost more is named."""
    seen = [mark(1, "a", lost=10), mark(3, "b", lost=90_000)]
    groups = clusters(seen, [20.0, 60.0], 10)
    found = {label.cluster: label.words for label in labels(groups, seen, 200, lambda g: ("w", 70.0), ICON, ARM)}
    assert found == {1: "w", 0: ""}


def test_marks_of_the_worker_get_the_causes_of_traces() -> None:
    """Only breaks that a trace tells of change; without any the marks are the very same."""
    place = Place(0, "tools", None, 5, "t.jsonl", "a", "b")
    found = (
        Mark(2, "system_changed", False, True, 900),
        Mark(3, "first", True, False, 0),
        Mark(4, "unknown", False, True, 9),
    )
    broke = SimpleNamespace(request=2, place=place, told="tools_changed")
    quiet = SimpleNamespace(request=4, place=None, told="unknown")
    assert retold(found, cast(Any, SimpleNamespace(breaks=(broke, quiet)))) == (
        Mark(2, "tools_changed", True, True, 900),
        *found[1:],
    )
    assert retold(found, cast(Any, SimpleNamespace(breaks=(quiet,)))) is found
