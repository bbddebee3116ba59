"""While 50 MB and 500 MB are read the window shows rows after at most 300 ms and is deaf for at most 50 ms at a time.

Gaps are told apart: while rows arrive, and when counts and timeline of the whole session arrive. The yardstick is the
gap of the same window when nobody asks for anything.
"""

from __future__ import annotations

import time
from pathlib import Path

from PySide6.QtCore import QTimer

from tests.bench import made
from tests.bench.bench_large import chosen
from tests.bench.figure import Figure
from tests.bench.window import Desk, both, desk, idle, longest

FIRST, DEAF = 300, 50
COUNTED = {"50 MB": 120.0, "500 MB": 400.0}
"""Seconds to wait for counts and timeline at most."""


def measure(place: Path) -> list[Figure]:
    found: list[Figure] = []
    sample = made.write(place / "sample.jsonl", 400, 600)
    for name, count, mean, bad, _ in chosen():
        file = made.write(place / f"made-{count}.jsonl", count, mean, bad=bad)
        with desk(place) as seen:
            seen.open(sample)  # what only the first file of all needs is measured elsewhere
            still = idle(seen)
            found += _load(seen, name, file, count, still)
    return found


def _load(seen: Desk, name: str, file: Path, count: int, still: object) -> list[Figure]:
    began, first, rows, completed = 0.0, 0.0, 0.0, 0.0
    sessions = seen.app.sessions

    def opened(state: object) -> None:
        nonlocal first
        first = time.perf_counter()

    def done(state: object) -> None:
        nonlocal completed
        completed = time.perf_counter()

    sessions.opened.connect(opened)
    sessions.completed.connect(done)

    def all_rows() -> bool:
        nonlocal rows
        state = seen.window.state
        if not rows and first and state is not None and len(state.session) == count:
            rows = time.perf_counter()
        return bool(rows) and time.perf_counter() - rows > 0.7

    def ask() -> None:
        nonlocal began
        began = time.perf_counter()
        seen.window.open(str(file))

    seen.settle()
    seen.ticks.start()
    QTimer.singleShot(0, ask)
    seen.run(all_rows)
    gaps = seen.ticks.stop()
    found = [Figure(f"first rows, {name}", ((first - began) * 1000,), "median", FIRST)]
    found.append(Figure(f"all rows in the window, {name}", ((rows - began) * 1000,), "median", None))
    found += both(f"longest gap while rows arrive, {name}", [longest(gaps)], "max", DEAF, still)  # type: ignore[arg-type]
    if COUNTED[name]:
        seen.ticks.start()
        seen.run(lambda: bool(completed), COUNTED[name])
        seen.run(lambda: False, 1.5)
        gaps = seen.ticks.stop()
        found.append(Figure(f"counts and timeline, {name}", ((completed - began) * 1000,), "median", None))
        found += both(f"longest gap while and when they arrive, {name}", [longest(gaps)], "max", DEAF, still)  # type: ignore[arg-type]
    return found
