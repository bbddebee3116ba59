"""What a truncation of a session file after the latest compaction of a path takes out, and who hangs where afterwards.

    before    m1 ─ s ─ m2 ─ m3 ─ m4 ─ C(keep m4) ─ m5          m messages, s settings, C the compaction
                        └─ b1 ─ b2
    after     s ─ m4 ─ C ─ m5          m1, m2, m3 are summarised and go; s stays, m4 and b1 hang from it
              └─ b1 ─ b2

Mode "reference" does what the agent does (recorded cases of layer i and n: `truncateSessionAfterCompaction`), with
its defects. Mode "safe" holds back what those lose: see core/truncation_holds.py. Nothing is written here.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from core.context import kept_rows
from core.line_ends import LineEnds
from core.session import Session
from core.settings import choice, number, switch
from core.truncation_holds import Held, branch_rows, held

ID = "truncate"

EMPTY, NO_COMPACTION = "EMPTY", "NO_COMPACTION"
AT_ROOT, NOTHING, BELOW_SIZE = "COMPACTION_AT_ROOT", "NOTHING_TO_REMOVE", "BELOW_SIZE"
"""Why nothing is done; the first four as the agent names them."""


@dataclass(frozen=True, slots=True)
class Settings:
    """`above`: bytes a file must have before it is touched at all. `migrate`: a version 1 file, which has no ids, may
    get some in place (a new file gets them without asking)."""

    mode: str = choice("safe", "safe", "reference")
    keep_labelled: bool = switch(True)
    keep_side_branches: bool = switch(True)
    above: int = number(0, 0, 1 << 40, unit="bytes", step=500_000)
    migrate: bool = switch(False)

    @property
    def safe(self) -> bool:
        return self.mode == "safe"


SAFE = Settings()


@dataclass(frozen=True, slots=True)
class Reparented:
    """An entry that stays and whose parent goes. `old`, `new`: ids as the file has them, None for a root."""

    row: int
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """`removed`: rows, ascending. `parents`: row of the new parent of every re-parented entry that finds one in the
    file. `held`: rows that the agent would remove and that stay, with why. `reason`: why nothing is done, or None.
    `first_kept`: row where the kept tail begins; that of the compaction when nothing before it is kept."""

    settings: Settings
    leaf: int | None
    path: Sequence[int]
    compaction: int | None
    first_kept: int | None
    removed: array[int]
    reparented: tuple[Reparented, ...]
    parents: dict[int, int]
    held: tuple[Held, ...]
    reason: str | None


def plan(session: Session, leaf: int | None, settings: Settings = SAFE) -> Plan:
    """The plan for the path to `leaf`. Raises UnreadableFile when the file changed since it was opened."""
    path = array("q", session.path_to(leaf))
    at = _latest_compaction(session, path)
    reason = None
    if not path:
        reason = EMPTY
    elif at is None:
        reason = NO_COMPACTION
    elif at == 0:
        reason = AT_ROOT
    elif session.size < settings.above:
        reason = BELOW_SIZE
    if at is None or reason is not None:
        where = None if at is None else path[at]
        return Plan(settings, leaf, path, where, None, array("q"), (), {}, (), reason)
    first = len(path[: at + 1]) - len(kept_rows(session, path[: at + 1], session.body))
    taken = _Taken(session, path, first, leaf, settings)
    removed = taken.rows()
    reparented, parents = _reparented(session, taken.gone)
    return Plan(
        settings,
        leaf,
        path,
        path[at],
        path[first],
        removed,
        reparented,
        parents,
        tuple(taken.stayed),
        None if len(removed) else NOTHING,
    )


def _latest_compaction(session: Session, path: Sequence[int]) -> int | None:
    """Its index in the path."""
    kinds, kind = session.columns.kinds, session.columns.kind
    if "compaction" not in kinds:
        return None
    wanted = kinds.index("compaction")
    return next((at for at in range(len(path) - 1, -1, -1) if kind[path[at]] == wanted), None)


class _Taken:
    """Marks the rows that go; `stayed`: those that would, and are held back."""

    def __init__(self, session: Session, path: Sequence[int], first: int, leaf: int | None, settings: Settings) -> None:
        self.session = session
        self.gone = bytearray(len(session))
        self.stayed: list[Held] = []
        self._held = held(session, leaf, settings.keep_labelled) if settings.safe else {}
        self._lines = LineEnds(session)
        self._twins = _twins(session)
        self._safe = settings.safe
        self._messages(path[:first])
        if not settings.safe:
            self._hanging(None)
            return
        where = bytearray(len(session))
        for row in path[:first]:
            where[row] = 1
        if not settings.keep_side_branches:
            for row in sorted(branch_rows(session, path, first)):
                where[row] = 1
                self._take(row)
        self._hanging(where)

    def rows(self) -> array[int]:
        return array("q", (row for row, gone in enumerate(self.gone) if gone))

    def _messages(self, summarised: Sequence[int]) -> None:
        for row in sorted(summarised):
            for twin in self._twins.get(self.session.columns.ids[row], (row,)):
                if self.session.type_of(twin) == "message":
                    self._take(twin)

    def _hanging(self, where: bytearray | None) -> None:
        """Labels of what goes and branch summaries below what goes, in one pass in file order: what goes later in the
        file is not seen (recorded cases n). `where`: marks the rows whose branch summaries may go (None: all)."""
        session, parent = self.session, self.session.columns.parent
        for row in sorted(session.rows_of("label") + session.rows_of("branch_summary")):
            if self.gone[row]:
                continue
            if session.type_of(row) == "label":
                target = session.body(row).get("targetId")
                on = session.row_of(target) if isinstance(target, str) else None
            elif where is not None and not where[row]:
                continue
            else:
                on = parent[row] if parent[row] >= 0 else session.row_of(session.columns.named_parent.get(row, ""))
            if on is not None and self.gone[on]:
                self._take(row)

    def _take(self, row: int) -> None:
        """Mark the row and, as the agent goes by ids, all that share its id; hold it back where there is a reason."""
        if self.gone[row]:
            return
        twins = self._twins.get(self.session.columns.ids[row], ())
        why = self._held.get(row) or ("repeated_id" if twins and self._safe else "")
        if not why and not self._lines.alone(row):
            why = "shared_line"
        if why:
            self.stayed.append(Held(row, why))
            return
        self.gone[row] = 1
        for twin in twins:
            self.gone[twin] = self._lines.alone(twin)


def _twins(session: Session) -> dict[str, list[int]]:
    """Rows of every id that is there more than once; most files have none."""
    ids = session.columns.ids
    if len(session.named_rows) == len(ids) - ids.count(""):
        return {}
    found: dict[str, list[int]] = {}
    last = session.named_rows
    twice = {id for row, id in enumerate(ids) if id and last[id] != row}
    for row, id in enumerate(ids):
        if id in twice:
            found.setdefault(id, []).append(row)
    return found


def _reparented(session: Session, gone: bytearray) -> tuple[tuple[Reparented, ...], dict[int, int]]:
    """Every entry that stays below one that goes hangs from its nearest surviving ancestor; a parent that the file does
    not have stays named."""
    columns = session.columns
    parent, ids = columns.parent, columns.ids
    found: list[Reparented] = []
    rows: dict[int, int] = {}
    known: dict[int, int] = {}
    for row in range(len(ids)):
        above = parent[row]
        if gone[row] or above < 0 or not gone[above]:
            continue
        walked = []
        while above >= 0 and gone[above] and above not in known:
            walked.append(above)
            if parent[above] < 0:
                break
            above = parent[above]
        above = known.get(above, above)
        for step in walked:
            known[step] = above
        if gone[above]:  # the topmost one, which goes too
            name = columns.named_parent.get(above, "")
            new = name if name and session.row_of(name) is None else None
        else:
            new = ids[above]
            rows[row] = above
        found.append(Reparented(row, ids[parent[row]], new))
    return tuple(found), rows
