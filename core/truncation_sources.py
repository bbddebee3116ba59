"""Where the bytes of a session file come from: what kinds of entries they are, and how many are there twice or dead.

kinds          every byte of every entry, by type and role; `rest`: header, line ends, malformed lines
dead           entries on no path to the active leaf
duplicates     entries that say what an earlier one says: the same but for id, parent and time
reappended     of those, stretches of a branch that were written again on another: a0 ─ b ─ c     (b ─ c twice)
                                                                                    └─ x ─ b ─ c
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.lines import parse
from core.measure import lines_of
from core.messages import digest
from core.session import Session


@dataclass(frozen=True, slots=True)
class Share:
    """Some of the entries. `kind`: type, and for messages the role behind a slash."""

    kind: str
    entries: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Sources:
    """`kinds`: largest first. All others overlap with them and with one another. `runs`: re-appended stretches."""

    bytes: int
    kinds: tuple[Share, ...]
    rest: int
    dead: Share
    duplicates: Share
    reappended: Share
    runs: int


def sources(session: Session, go_on: Callable[[int], bool] = lambda _: True) -> Sources:
    """Looks at every line once. `go_on(rows done)`: False ends the search for duplicates. Raises UnreadableFile."""
    size = np.asarray(session.columns.size, dtype=np.int64)
    active = np.zeros(len(session), dtype=bool)
    active[list(session.path_to(session.active_leaf))] = True
    twin = _twins(session, go_on)
    again = _reappended(session, twin)
    parent = np.asarray(session.columns.parent, dtype=np.int64)
    inside = again & (parent >= 0) & np.where(parent >= 0, again[np.maximum(parent, 0)], False)
    return Sources(
        session.size,
        _kinds(session, size),
        session.size - int(size.sum()),
        _share("dead", ~active, size),
        _share("duplicates", twin >= 0, size),
        _share("reappended", again, size),
        int(np.count_nonzero(again & ~inside)),
    )


def _share(kind: str, rows: NDArray[np.bool_], size: NDArray[np.int64]) -> Share:
    return Share(kind, int(np.count_nonzero(rows)), int(size[rows].sum()))


def _kinds(session: Session, size: NDArray[np.int64]) -> tuple[Share, ...]:
    columns = session.columns
    role = np.asarray(columns.role, dtype=np.int64)
    both = np.asarray(columns.kind, dtype=np.int64) * len(columns.roles) + role
    found = []
    for number in np.unique(both).tolist():
        kind, role_number = divmod(number, len(columns.roles))
        name = columns.kinds[kind] + (f"/{columns.roles[role_number]}" if role_number else "")
        found.append(_share(name, both == number, size))
    return tuple(sorted(found, key=lambda share: (-share.bytes, share.kind)))


_APART = ("id", "parentId", "timestamp")


def _twins(session: Session, go_on: Callable[[int], bool]) -> NDArray[np.int64]:
    """For each row the first earlier one that says the same; -1 without one. Eight bytes of a digest a row tell."""
    said = np.zeros(len(session), dtype=np.uint64)
    done = 0
    for row, line in lines_of(session):
        said[row] = _said(line)
        done = row + 1
        if row % 1024 == 0 and not go_on(row):
            break
    _, first, place = np.unique(said[:done], return_index=True, return_inverse=True)
    twin = np.full(len(session), -1, dtype=np.int64)
    earlier = first[place]
    rows = np.arange(done)
    twin[:done] = np.where(earlier < rows, earlier, -1)
    return twin


def _said(line: bytes) -> int:
    try:
        value = parse(line)
    except ValueError:
        return int.from_bytes(digest(line.hex())[:8], "big")
    if isinstance(value, dict):
        for key in _APART:
            value.pop(key, None)
    return int.from_bytes(digest(value)[:8], "big")


def _reappended(session: Session, twin: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Rows of stretches of two and more whose twins stand in the same order, parent to child."""
    parent = np.asarray(session.columns.parent, dtype=np.int64)
    copied = np.flatnonzero((twin >= 0) & (parent >= 0))
    above = parent[copied]
    follows = copied[(twin[above] >= 0) & (parent[twin[copied]] == twin[above])]
    found = np.zeros(len(session), dtype=bool)
    found[follows] = True
    found[parent[follows]] = True
    return found
