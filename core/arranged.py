"""The session graph of a long session, laid out ahead: what a window would take too long for.

    session, path, point ─▶ tree · labels · joins · problems ─▶ rows (folded) ─▶ lanes

As laying it out on the spot would, with no filter and the usual folds; a window that wants it otherwise does it itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.branches import joins, labels
from core.graph import Layout, lay_out
from core.rows import Folding, Visible, visible
from core.session import Session
from core.timeline import Timeline
from core.tree import Tree

LONG = 50_000
"""Entries from which on it is worth it."""


@dataclass(frozen=True, slots=True, eq=False)
class Arranged:
    """`point`: the inspection point that the folds leave open, a row. `size`: entries of the session."""

    size: int
    point: int | None
    tree: Tree
    labels: dict[int, str]
    joins: dict[int, int]
    problems: tuple[int, ...]
    shown: Visible
    layout: Layout


def problem_rows(session: Session) -> tuple[int, ...]:
    """Rows that Problems name by their line."""
    lines = np.array([p.line for p in session.problems if p.line is not None], dtype=np.int64)
    if not len(session) or not len(lines):
        return ()
    column = np.asarray(session.columns.line)
    at = np.searchsorted(column, lines)
    there = at < len(session)
    found = at[there][column[at[there]] == lines[there]]
    return tuple(sorted(set(found.tolist())))


def arrange(session: Session, timeline: Timeline) -> Arranged:
    """With the last request of the timeline as the inspection point."""
    tree = Tree(session)
    named: dict[int, str] = {}
    for row, text in labels(session, tree, session.body):
        if text:
            named[row] = text
        else:
            named.pop(row, None)
    joined = dict(joins(session, tree, session.body))
    problems = problem_rows(session)
    point = timeline.summaries[-1].request.entry if timeline.summaries else None
    shown = visible(tree, None, Folding(True, point, (*named, *problems)))
    layout = lay_out(shown, np.array(timeline.path, dtype=np.int64), joined)
    return Arranged(len(session), point, tree, named, joined, problems, shown, layout)
