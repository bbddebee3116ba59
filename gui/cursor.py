"""Where the person stands, and what kind of thing can change: the two small values that State and views share."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Flag, auto


class Change(Flag):
    """What kind of thing changed."""

    SESSION = auto()  # another session
    GROWTH = auto()  # more rows of the same session
    TIMELINE = auto()  # path, counts, requests
    CURSOR = auto()
    PROBLEMS = auto()
    LOOK = auto()  # theme, zoom, language
    PROFILE = auto()  # policy, thresholds, switches, order
    TRACE = auto()  # the steps of the request in focus came later than cursor or profile moved, or went stale
    COMPACTION = auto()  # which compaction is looked at: what it replaced, what it costs
    TRACED = auto()  # what traces tell of all requests came: causes of breaks, sizes of tools and system prompt
    ALL = SESSION | GROWTH | TIMELINE | CURSOR | PROBLEMS | LOOK | PROFILE | TRACE | COMPACTION | TRACED


@dataclass(frozen=True, slots=True)
class Cursor:
    """`request`: number on the path, None = what would be sent next. `entry`: row of the session. `block`: index into
    the blocks of the prompt in focus (`State.shown`); None = no block in focus. `step`: layer instance after which one
    stands, None = all steps applied."""

    leaf: int | None = None
    request: int | None = None
    step: str | None = None
    block: int | None = None
    entry: int | None = None
