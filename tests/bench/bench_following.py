"""A session to which an agent appends 1,000 lines a second shows them, deaf for at most 50 ms at a time, and its graph
scrolls at 16 ms a frame (95 of 100).

A process of its own writes; the figure `behind` says how many seconds the rows in the window lag at the end.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

from tests.bench import made
from tests.bench.figure import Figure
from tests.bench.window import Desk, Took, both, desk, idle, longest

A_SECOND, SECONDS, DEAF, FRAME = 1_000, 8, 50, 16
_WRITER = """
import sys, time
target, source, rate, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
lines = open(source, "rb").readlines()[-count:]
began = time.perf_counter()
with open(target, "ab", buffering=0) as file:
    for number, line in enumerate(lines):
        wait = number / rate - (time.perf_counter() - began)
        if wait > 0:
            time.sleep(wait)
        file.write(line)
"""


SIZES = (2_000, 100_000, 1_000_000)
"""Entries that are there before; the last only with STRATASCOPE_MILLION=1: its file takes minutes to make and read."""


def measure(place: Path) -> list[Figure]:
    sizes = SIZES if os.environ.get("STRATASCOPE_MILLION") == "1" else SIZES[:-1]
    return [figure for begun in sizes for figure in _follow(place, begun)]


def _follow(place: Path, begun: int) -> list[Figure]:
    count = A_SECOND * SECONDS
    whole = made.write(place / f"whole-{begun}.jsonl", begun + count, 600 if begun < 1_000_000 else 120)
    target = place / f"growing-{begun}.jsonl"
    with whole.open("rb") as lines:
        target.write_bytes(b"".join(next(lines) for _ in range(begun + 1)))
    with desk(place) as seen:
        seen.open(target)
        still = idle(seen)
        seen.settle()
        command = [sys.executable, "-c", _WRITER, str(target), str(whole), str(A_SECOND), str(count)]
        writer = subprocess.Popen(command)
        frames = Frames(seen)
        seen.ticks.start()
        seen.run(lambda: writer.poll() is not None, SECONDS * 4)
        frames.stop()
        ended = time.perf_counter()
        there = len(seen.state.session)
        seen.run(lambda: len(seen.state.session) == begun + count, 30)
        lag = time.perf_counter() - ended
        gaps = seen.ticks.stop()
    name = f"{begun:,} entries"
    return [
        *both(f"longest gap while lines come, {name}", [longest(gaps)], "max", DEAF, still),
        Figure(f"95 % of the gaps, {name}", tuple(gap.clock for gap in gaps), "p95", None, still),
        *both(f"scroll frame while lines come, {name}", frames.took, "p95", FRAME, still),
        Figure(f"rows there when the last line was written, {name}", (float(there - begun),), unit="rows"),
        Figure(f"behind at the end, {name}", (lag * 1000,), "median", 1000),
    ]


class Frames(QObject):
    """Scrolls the graph by three rows, up and down again, 20 times a second, and takes the time of each frame."""

    def __init__(self, seen: Desk) -> None:
        super().__init__(seen.window)
        self.took: list[Took] = []
        self._table = seen.window.dag.table
        self._timer = QTimer(self)
        self._timer.setInterval(50)
        self._timer.timeout.connect(self._frame)
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()

    def _frame(self) -> None:
        bar = self._table.verticalScrollBar()
        by = 3 * bar.singleStep() * (-1 if len(self.took) // 40 % 2 == 0 else 1)
        began = time.perf_counter(), time.thread_time()
        bar.setValue(bar.value() + by)
        self._table.viewport().repaint()
        self.took.append(Took((time.perf_counter() - began[0]) * 1000, (time.thread_time() - began[1]) * 1000))
