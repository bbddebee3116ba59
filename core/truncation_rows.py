"""A truncation as rows, before and after side by side: stretches of the graph that share a fate, folded.

    before            after
    o settings        o settings             a row each, on both sides in the same place
    x user            ┆                      x goes; ┆ the new parent is further up
    x … 35 more       ┆
    o user, labelled  o      parent: settings

Integers only, no pixels. Lane 0 is the chosen path; a branch takes the first lane that is free where it begins.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.session import Session
from core.truncation import Plan

LANES = 4
"""Branches beyond are drawn in the last one."""


@dataclass(frozen=True, slots=True)
class Row:
    """Entries `first` … `last` (rows of the session), `count` of them. `parent`: the row (of these) that it hangs from
    before, -1 for none; `above`: after. `hung`: id of the new parent where it has one, "" for a root, else None."""

    first: int
    last: int
    count: int
    lane: int
    gone: bool
    parent: int
    above: int
    hung: str | None
    kept_for: str


def rows(session: Session, planned: Plan) -> tuple[Row, ...]:
    """In file order of their first entries. Nothing where there is nothing to do."""
    if planned.reason is not None:
        return ()
    gone = frozenset(planned.removed)
    hung = {item.row: item.new or "" for item in planned.reparented}
    held = {item.row: item.why for item in planned.held}
    lanes = _lanes(session, planned)
    alone = {planned.compaction, planned.first_kept, planned.leaf, *hung, *held}
    found: list[list[int]] = []
    for row in range(len(session)):
        above = session.columns.parent[row]
        last = found[-1][-1] if found else -1
        goes_on = bool(found) and above == last == row - 1 and last not in alone and row not in alone
        if goes_on and (last in gone) == (row in gone) and len(session.children(last)) == 1:
            found[-1].append(row)
        else:
            found.append([row])
    stretches = [piece for stretch in found for piece in _shown(stretch)]
    place = {row: at for at, stretch in enumerate(stretches) for row in stretch}
    parent = session.columns.parent
    made = []
    for stretch in stretches:
        first = stretch[0]
        before = place.get(parent[first], -1)
        after = place.get(planned.parents[first], -1) if first in planned.parents else -1 if first in hung else before
        made.append(
            Row(
                first,
                stretch[-1],
                len(stretch),
                lanes.get(first, 0),
                first in gone,
                before,
                after,
                hung.get(first),
                held.get(first, ""),
            )
        )
    return tuple(made)


def _shown(stretch: list[int]) -> list[list[int]]:
    """The first entry for itself, the others together; two or three one by one."""
    if len(stretch) <= 3:
        return [[row] for row in stretch]
    return [stretch[:1], stretch[1:]]


def _lanes(session: Session, planned: Plan) -> Mapping[int, int]:
    """Lanes of the rows that are not on the chosen path."""
    on_path = frozenset(planned.path)
    lanes: dict[int, int] = {}
    busy: dict[int, int] = {}  # lane -> last row of the branch that uses it
    ends = _ends(session)
    for row in range(len(session)):
        if row in on_path:
            continue
        above = session.columns.parent[row]
        if above in lanes and session.children(above)[0] == row:
            lanes[row] = lanes[above]
            continue
        free = next((lane for lane in range(1, LANES) if busy.get(lane, -1) < row), LANES - 1)
        lanes[row] = free
        busy[free] = ends[row]
    return lanes


def _ends(session: Session) -> dict[int, int]:
    """For every row the last row of its own straight continuation (first children)."""
    ends: dict[int, int] = {}
    for row in range(len(session) - 1, -1, -1):
        children = [child for child in session.children(row) if child > row]
        ends[row] = ends[children[0]] if children else row
    return ends
