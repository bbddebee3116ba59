"""A session to which an agent appends 1,000 lines a second shows them, deaf for at most 50 ms at a time.

A process of its own writes; the figure `behind` says how many seconds the rows in the window lag at the end.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from tests.bench import made
from tests.bench.figure import Figure
from tests.bench.window import both, desk, idle, longest

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


def measure(place: Path) -> list[Figure]:
    begun, count = 2_000, A_SECOND * SECONDS
    whole = made.write(place / "whole.jsonl", begun + count, 600)
    target = place / "growing.jsonl"
    with whole.open("rb") as lines:
        target.write_bytes(b"".join(next(lines) for _ in range(begun + 1)))
    with desk(place) as seen:
        seen.open(target)
        still = idle(seen)
        seen.settle()
        command = [sys.executable, "-c", _WRITER, str(target), str(whole), str(A_SECOND), str(count)]
        writer = subprocess.Popen(command)
        seen.ticks.start()
        seen.run(lambda: writer.poll() is not None, SECONDS * 4)
        ended = time.perf_counter()
        there = len(seen.state.session)
        seen.run(lambda: len(seen.state.session) == begun + count, 30)
        lag = time.perf_counter() - ended
        gaps = seen.ticks.stop()
    return [
        *both("longest gap while lines come", [longest(gaps)], "max", DEAF, still),
        Figure("95 % of the gaps", tuple(gap.clock for gap in gaps), "p95", None, still),
        Figure("rows there when the last line was written", (float(there - begun),), "median", None, None, "rows"),
        Figure("behind at the end", (lag * 1000,), "median", 1000),
    ]
