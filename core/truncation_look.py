"""A truncation looked at before anything is written: the plan, the bytes, whether the context stays, and what is lost.

look(session, leaf, settings)  ─▶  Truncation          the dry run of command line and window
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.errors import Problem, RequestError
from core.labels import labels
from core.phrase import Phrase, literal, phrase
from core.session import Session
from core.truncation import SAFE, Plan, Settings, plan
from core.truncation_after import Seen, after, leaf_after, seen, unchanged
from core.truncation_bytes import bytes_after, without_ids
from core.truncation_holds import talks

FORMATS = frozenset({"pi", "openclaw"})
"""Whose files these are the rules of."""


@dataclass(frozen=True, slots=True, eq=False)
class Truncation:
    """`equal`: an agent takes up the same as before, at the chosen leaf and where the file opens. `messages`: of the
    context at the chosen leaf, before and after."""

    plan: Plan
    equal: bool
    bytes_before: int
    bytes_after: int
    messages: tuple[int, int]
    warnings: tuple[Problem, ...]


def look(session: Session, leaf: int | None, settings: Settings = SAFE) -> Truncation:
    """RequestError for a file of another kind; UnreadableFile when it changed since it was opened."""
    if session.format not in FORMATS:
        raise RequestError(phrase("truncation.other_format", path=session.path))
    planned = plan(session, leaf, settings)
    if planned.reason is not None:
        seen_now = seen(session, leaf)
        count = len(seen_now.messages)
        return Truncation(planned, True, session.size, session.size, (count, count), ())
    later = after(session, planned)
    before, then = seen(session, leaf), seen(later, leaf_after(session, planned, leaf))
    return Truncation(
        planned,
        unchanged(session, planned, later, before),
        session.size,
        bytes_after(session, planned),
        (len(before.messages), len(then.messages)),
        tuple(_warnings(session, planned, later, before, then)),
    )


def why_not(planned: Plan, size: int) -> Phrase | None:
    """The sentence for `Plan.reason`."""
    if planned.reason is None:
        return None
    return phrase(f"truncation.reason.{planned.reason}", size=size, above=planned.settings.above)


def _warnings(session: Session, planned: Plan, later: Session, before: Seen, then: Seen) -> list[Problem]:
    found: list[Problem] = []
    gone = marked(session, planned.removed)
    ids = session.columns.ids

    def warn(code: str, row: int | None = None, **values: object) -> None:
        line, entry = (None, None) if row is None else (session.columns.line[row], ids[row])
        found.append(Problem(f"truncation_{code}", line, entry, "warning", tuple(values.items())))

    if without_ids(session):
        warn("ids", n=len(later))
    if planned.first_kept is not None and gone[planned.first_kept]:
        warn("tail_lost", planned.first_kept, n=len(before.messages) - len(then.messages))
    elif before.messages != then.messages:
        warn("context_changed", n=len(before.messages) - len(then.messages))
    if before.model != then.model:
        warn("model_lost", before=_model(before), after=_model(then))
    if session.active_leaf is not None and gone[session.active_leaf]:
        warn("leaf_moves", session.active_leaf, leaf=later.columns.ids[later.active_leaf or 0] if len(later) else "–")
    lost = [
        label for target, label in labels(session).items() if (row := session.row_of(target)) is not None and gone[row]
    ]
    if lost:
        warn("labels_lost", labels=", ".join(f"“{label}”" for label in lost[:_NAMED]), n=len(lost))
    on_path = marked(session, planned.path, session.path_to(session.active_leaf))
    moved = [item.row for item in planned.reparented if not on_path[item.row] and talks(session, item.row)]
    if moved:
        warn("branch_changed", moved[0], n=len(moved))
    unread = sum(gone[row] for row in before.fell_out)
    if unread:
        warn("unsummarised", n=unread)
    return found


_NAMED = 5


def marked(session: Session, *rows: Iterable[int]) -> bytearray:
    """1 for each of these rows: a byte an entry, where a set would take sixty."""
    found = bytearray(len(session))
    for some in rows:
        for row in some:
            found[row] = 1
    return found


def _model(found: Seen) -> Phrase:
    if found.model is None:
        return phrase("truncation.no_model")
    return literal("/".join(str(part) for part in found.model))
