"""Audits of a session's recorded compactions and of ours, on one index of the path.

path   m1 m2 m3 C1(m2) m4 m5 C2(m5) m6
C1     summarised m1        tail m2 m3       later m4 … m6
C2     summarised m4 (2026.3) or m2 … m4 (2026.4)      tail m5      later m6
       2026.3: m2 m3 fell out, they are in no summary and are not sent
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.audit import Audit, Region, audit
from core.compaction_run import Compaction
from core.context import SENDING
from core.retention import Mentions
from core.safeguard_sections import CAP
from core.session import Session


@dataclass(frozen=True, slots=True)
class Place:
    """A recorded compaction. `row` of its entry, `at` its place on the path, `first_kept` the row it keeps from (None:
    nothing was kept), `summary` and `tokens_before` as recorded."""

    row: int
    at: int
    first_kept: int | None
    summary: str
    tokens_before: int | None
    region: Region


def places(session: Session, path: Sequence[int], generation: str = "2026.4") -> tuple[Place, ...]:
    """All compactions on the path, in order."""
    at_of = {session.columns.ids[row]: at for at, row in enumerate(path)}
    found: list[Place] = []
    covered: list[range] = []
    begin, previous = 0, None
    for at, row in enumerate(path):
        if session.type_of(row) != "compaction":
            continue
        body = session.body(row)
        named = body.get("firstKeptEntryId")
        kept = at_of.get(named, at) if isinstance(named, str) else at
        kept = kept if kept < at else at
        covered.append(range(begin, max(begin, kept)))
        summary, before = body.get("summary"), body.get("tokensBefore")
        region = Region(
            covered[-1],
            range(kept, at),
            range(at + 1, len(path)),
            previous,
            _fallen(session, path, kept, covered),
        )
        found.append(
            Place(
                row,
                at,
                path[kept] if kept < at else None,
                summary if isinstance(summary, str) else "",
                before if isinstance(before, int) else None,
                region,
            )
        )
        previous = found[-1].summary
        begin = kept if generation != "2026.3" and kept < at else at + 1
    return tuple(found)


def _fallen(session: Session, path: Sequence[int], kept: int, covered: Sequence[range]) -> tuple[int, ...]:
    """Places of messages in front of the cut that were in the input of no summary."""
    gaps: list[int] = []
    reached = 0
    for part in covered:
        gaps += range(reached, min(part.start, kept))
        reached = max(reached, part.stop)
    gaps += range(reached, kept)
    columns = session.columns
    return tuple(at for at in gaps if columns.kinds[columns.kind[path[at]]] in SENDING and columns.chars[path[at]] > 0)


def of_recorded(index: Mentions, place: Place, cap: int = CAP) -> Audit:
    return audit(index, place.region, place.summary, cap)


def of_run(session: Session, index: Mentions, done: Compaction) -> Audit:
    """`index`: of a path that the plan's path is the beginning of; what lies behind it is what came later."""
    return audit(index, region(session, index.path, done), done.summary, done.plan.settings.cap)


def region(session: Session, path: Sequence[int], done: Compaction) -> Region:
    plan = done.plan
    found = plan.preparation
    end = len(plan.path)
    cut = end - len(found.kept)
    rows = (*found.rows, *found.prefix_rows)
    begin = path.index(min(rows)) if rows else cut
    old = places(session, plan.path, "2026.3" if plan.settings.generation == "2026.3" else "2026.4")
    covered = [*(place.region.summarised for place in old), range(begin, cut)]
    fallen = _fallen(session, path, cut, covered)
    return Region(range(begin, cut), range(cut, end), range(end, len(path)), found.previous_summary, fallen)
