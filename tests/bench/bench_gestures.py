"""Another branch, another zoom, the other theme: how long until the whole window shows it, and how long it is deaf.

Nothing is promised for these but that the window stays awake: no gap of 50 ms where the answer is not one repaint of
everything.
"""

from __future__ import annotations

from pathlib import Path

from tests.bench import files
from tests.bench.figure import Figure, Yardstick
from tests.bench.window import Desk, both, desk, idle, longest

TIMES = 8


def measure(place: Path) -> list[Figure]:
    with desk(place) as seen:
        still = idle(seen)
        seen.open(files.write(place / "branched.jsonl", files.BRANCHED))
        return [
            *_branches(seen, still),
            *_zooms(seen, still),
            *_themes(seen, still),
        ]


def _branches(seen: Desk, still: Yardstick) -> list[Figure]:
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
            gaps.append(longest(seen.gaps_while(lambda leaf=to: state.go(leaf=leaf))))
    return [
        *both("another branch painted", times, "median", None, still),
        *both("longest gap, another branch", gaps, "median", 50, still),
    ]


def _zooms(seen: Desk, still: Yardstick) -> list[Figure]:
    window = seen.window
    zooms = [ask for _ in range(TIMES // 2) for ask in (window.look.zoom_in, window.look.zoom_out)]
    times = [seen.timed(ask) for ask in zooms]
    gaps = [longest(seen.gaps_while(ask)) for ask in zooms]
    return [
        *both("another zoom painted", times, "median", None, still),
        *both("longest gap, another zoom", gaps, "median", None, still),
    ]


def _themes(seen: Desk, still: Yardstick) -> list[Figure]:
    press = seen.window.bar.toggle_theme.emit
    times = [seen.timed(press) for _ in range(TIMES)]
    gaps = [longest(seen.gaps_while(press)) for _ in range(TIMES)]
    return [
        *both("other theme painted", times, "median", None, still),
        *both("longest gap, other theme", gaps, "median", None, still),
    ]
