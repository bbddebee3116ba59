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

from core.context import SENDING
from core.session import Session
from core.truncation import Plan

LANES = 4
"""Branches beyond are drawn in the last one."""


FEW = 400
"""Rows up to which every change is told for itself; of more, settings between messages that go are folded with them."""


@dataclass(frozen=True, slots=True)
class Row:
    """Entries `first` … `last` (rows of the session), `count` of them, of which `stay` stay. `parent`: the row (of
    these) that it hangs from before, -1 for none; `above`: after. `hung`: id of the new parent where it has one, "" for
    a root, else None."""

    first: int
    last: int
    count: int
    stay: int
    lane: int
    parent: int
    above: int
    hung: str | None
    kept_for: str

    @property
    def gone(self) -> bool:
        return self.stay == 0


def rows(session: Session, planned: Plan) -> tuple[Row, ...]:
    """In file order of their first entries. Nothing where there is nothing to do."""
    if planned.reason is not None:
        return ()
    gone = frozenset(planned.removed)
    hung = {item.row: item.new or "" for item in planned.reparented}
    held = {item.row: item.why for item in planned.held}
    lanes = _lanes(session, planned)
    stretches = [piece for stretch in _stretches(session, planned, gone, {*hung, *held}) for piece in _shown(stretch)]
    if len(stretches) > FEW:
        stretches = _quiet(session, planned, stretches, gone, held)
    place = {row: at for at, stretch in enumerate(stretches) for row in stretch}
    parent = session.columns.parent
    made = []
    for stretch in stretches:
        first = stretch[0]
        staying = [row for row in stretch if row not in gone]
        before = place.get(parent[first], -1)
        after = before
        if staying and staying[0] in hung:
            above = planned.parents.get(staying[0])
            after = -1 if above is None else place[above]
        one = len(stretch) == 1
        made.append(
            Row(
                first,
                stretch[-1],
                len(stretch),
                len(staying),
                lanes.get(first, 0),
                before,
                after,
                hung.get(staying[0]) if len(staying) == len(stretch) else None,
                held.get(first, "") if one else "",
            )
        )
    return tuple(made)


def _stretches(session: Session, planned: Plan, gone: frozenset[int], alone: set[int]) -> list[list[int]]:
    """Entries that follow one another and share a fate; what stands alone has something of its own to tell."""
    apart = {*alone, planned.compaction, planned.first_kept, planned.leaf}
    found: list[list[int]] = []
    for row in range(len(session)):
        last = found[-1][-1] if found else -1
        goes_on = bool(found) and session.columns.parent[row] == last == row - 1
        goes_on = goes_on and last not in apart and row not in apart and len(session.children(last)) == 1
        if goes_on and (last in gone) == (row in gone):
            found[-1].append(row)
        else:
            found.append([row])
    return found


def _quiet(
    session: Session, planned: Plan, stretches: list[list[int]], gone: frozenset[int], held: Mapping[int, str]
) -> list[list[int]]:
    """Neighbours on the path before its kept tail as one stretch, as far as none of them would be sent or is held."""
    first_kept = planned.first_kept if planned.first_kept is not None else 0
    on_path = frozenset(planned.path)

    def quiet(row: int) -> bool:
        if row not in on_path or row >= first_kept or row in held:
            return False
        return row in gone or session.type_of(row) not in SENDING

    found: list[list[int]] = []
    for stretch in stretches:
        still = quiet(stretch[0])
        if still and found and quiet(found[-1][0]) and session.columns.parent[stretch[0]] == found[-1][-1]:
            found[-1] = found[-1] + stretch
        else:
            found.append(stretch)
    return found


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
