"""The worker's side of the Truncation tab. No Qt in here.

look            the dry run: Facts
weigh           where the bytes come from: Sources
write, replace  to a new file, or in place with an archive: Written
restore         an archive goes back to its place: Written
"""

from __future__ import annotations

from typing import Any

from core.labels import labels
from core.phrase import phrase
from core.session import Session
from core.truncation import Plan
from core.truncation_bytes import without_ids
from core.truncation_holds import leaving, talks
from core.truncation_look import Truncation, why_not
from core.truncation_look import look as looked
from core.truncation_rows import rows
from core.truncation_sources import Sources, sources
from core.truncation_write import read, undo, undo_of, write_in_place
from core.truncation_write import write as written
from gui.opened import session_of
from gui.truncation_facts import Facts, Wish, Written

SHOWN = 2_000
"""Rows that are told: a window can take so many at once without being felt."""


def _made(wish: Wish, report: Any) -> tuple[Session, Truncation]:
    session = session_of(wish.path, report)
    report(phrase("job.truncation"), None)
    return session, looked(session, wish.leaf, wish.settings)


def look(wish: Wish, report: Any) -> Facts:
    """Raises what reading raises."""
    session, made = _made(wish, report)
    planned = made.plan
    count, entries = _branches(session, planned)
    known = labels(session)
    named = [(target, session.row_of(target), label) for target, label in known.items()]
    gone = frozenset(planned.removed)
    held = {item.row for item in planned.held if item.why == "labelled"}
    told = rows(session, planned)
    return Facts(
        rows=told[:SHOWN],
        more=max(0, len(told) - SHOWN),
        entries=(len(session), len(session) - len(planned.removed)),
        bytes=(made.bytes_before, made.bytes_after),
        reparented=tuple(session.columns.ids[item.row] for item in planned.reparented),
        messages=made.messages,
        equal=made.equal,
        labels=tuple((target, label) for target, row, label in named if row in held),
        lost_labels=tuple(label for _, row, label in named if row in gone),
        branches=count,
        branch_entries=entries,
        warnings=made.warnings,
        reason=why_not(planned, session.size),
        needs_ids=without_ids(session),
    )


def weigh(path: str, report: Any) -> Sources:
    """Where its bytes come from."""
    session = session_of(path, report)
    count = max(1, len(session))
    return sources(session, lambda row: bool(report(phrase("job.weighing"), row / count)))


def _branches(session: Session, planned: Plan) -> tuple[int, int]:
    """(conversations that leave the path before its kept tail, their entries)."""
    if planned.first_kept is None:
        return 0, 0
    first = list(planned.path).index(planned.first_kept)
    starts = [row for row in leaving(session, planned.path, first) if talks(session, row)]
    waiting, entries = list(starts), 0
    while waiting:
        entries += 1
        waiting.extend(session.children(waiting.pop()))
    return len(starts), entries


def write(wish: Wish, target: str, report: Any) -> Written:
    """RequestError when the name is taken or writing fails."""
    session, made = _made(wish, report)
    size = written(session, made, target, _reporting(session.size, report))
    return Written(target, "", size, made.equal)


def replace(wish: Wish, report: Any) -> Written:
    """RequestError when the file is locked, changed since, read-only, or cannot be written; then it is as it was."""
    session, made = _made(wish, report)
    done = write_in_place(session, made, _reporting(session.size, report))
    return Written(done.target, done.archive, done.size, made.equal)


def restore(path: str, archive: str, report: Any) -> Written:
    """RequestError as `replace`, and when the archive is none of this file."""
    now, old = read(path), read(archive)
    done = undo(undo_of(now, old), _reporting(now.size + old.size, report))
    return Written(done.replaced.target, done.replaced.archive, done.replaced.size, done.equal, back=True)


def _reporting(size: int, report: Any) -> Any:
    return lambda done: bool(report(phrase("job.truncation"), min(1.0, done / max(1, size))))
