"""From the spawn of the process the start page is on the screen within 1.5 s, the first sample within 2.5 s.

Beside it stands the start of a program that shows an empty Qt window, measured in turns with it.
"""

from __future__ import annotations

from pathlib import Path

from gui import samples
from tests.bench import program
from tests.bench.figure import Figure, Yardstick

TIMES = 7


def measure(place: Path) -> list[Figure]:
    home, sample = place / "home", Path(samples.first().path)
    first = program.start(home)  # compiles what has no bytecode yet
    program.start(home, sample)
    pages, opened, empty = [], [], []
    for _ in range(TIMES):
        empty.append(program.empty_window(home))
        pages.append(program.start(home))
        opened.append(program.start(home, sample))
    yard = Yardstick("empty window", Figure("", tuple(empty)).median)
    return [
        Figure("start page painted", tuple(s.painted for s in pages), limit=1500, yardstick=yard),
        Figure("  … Python runs", tuple(s.python for s in pages)),
        Figure("  … modules imported", tuple(s.imported for s in pages)),
        Figure("  … window built", tuple(s.built for s in pages)),
        Figure("first sample painted", tuple(s.painted for s in opened), limit=2500, yardstick=yard),
        Figure("  … nothing more painted", tuple(s.settled for s in opened)),
        Figure("very first start of all", (first.painted,)),
    ]
