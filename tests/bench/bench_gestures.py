"""Another branch, another zoom, the other theme: how long until the whole window shows it, and how long it is deaf.

Nothing is promised for these but that the window stays awake: no gap of 50 ms where the answer is not one repaint of
everything.
"""

from __future__ import annotations

from pathlib import Path

from tests.bench import files
from tests.bench.figure import Figure, Yardstick
from tests.bench.window import Desk, desk

TIMES = 8


def measure(place: Path) -> list[Figure]:
    with desk(place) as seen:
        idle = Yardstick("idle gap", max(seen.idle_gaps()))
        seen.open(files.write(place / "branched.jsonl", files.BRANCHED))
        return [
            *_branches(seen, idle),
            *_zooms(seen, idle),
            *_themes(seen, idle),
        ]


def _branches(seen: Desk, idle: Yardstick) -> list[Figure]:
    state = seen.state
    leaves = state.session.leaves
    times, gaps = [], []
    for turn in range(TIMES):
        to = leaves[turn % len(leaves)]
        if to != state.timeline.leaf:
            times.append(seen.timed(lambda leaf=to: state.go(leaf=leaf)))
            assert state.timeline.leaf == to, "the branch was not switched"
    for turn in range(TIMES):
        to = leaves[turn % len(leaves)]
        if to != state.timeline.leaf:
            gaps.append(max(seen.gaps_while(lambda leaf=to: state.go(leaf=leaf))))
    return [
        Figure("another branch painted", tuple(times)),
        Figure("longest gap, another branch", tuple(gaps), "median", 50, idle),
    ]


def _zooms(seen: Desk, idle: Yardstick) -> list[Figure]:
    window = seen.window
    zooms = [ask for _ in range(TIMES // 2) for ask in (window.look.zoom_in, window.look.zoom_out)]
    times = [seen.timed(ask) for ask in zooms]
    gaps = [max(seen.gaps_while(ask)) for ask in zooms]
    return [
        Figure("another zoom painted", tuple(times)),
        Figure("longest gap, another zoom", tuple(gaps), "median", None, idle),
    ]


def _themes(seen: Desk, idle: Yardstick) -> list[Figure]:
    press = seen.window.bar.toggle_theme.emit
    times = [seen.timed(press) for _ in range(TIMES)]
    gaps = [max(seen.gaps_while(press)) for _ in range(TIMES)]
    return [
        Figure("other theme painted", tuple(times)),
        Figure("longest gap, other theme", tuple(gaps), "median", None, idle),
    ]
