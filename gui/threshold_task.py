"""The worker's side of the page on break thresholds: every candidate of a path, with its cause and its cost. No Qt."""

from __future__ import annotations

from typing import Any

from core.break_thresholds import Candidate, candidates
from core.evidence import gather
from core.phrase import phrase
from gui.opened import opened

EVERY = 1_024
"""Rows and requests between two questions whether to go on."""


class _Stopped(Exception):
    """Nobody waits for it any more."""


def candidates_of(path: str, leaf: int | None, report: Any) -> tuple[Candidate, ...]:
    """Of the path to `leaf`. Stopped: none."""
    session = opened(path, report).session
    requests = session.requests(session.path_to(leaf))
    done, whole = 0, max(1, len(session) + len(requests))

    def step() -> None:
        nonlocal done
        done += 1
        if done % EVERY == 0 and not report(phrase("thresholds.job"), min(1.0, done / whole)):
            raise _Stopped

    try:
        return candidates(session, requests, gather(session, step), step)
    except _Stopped:
        return ()
