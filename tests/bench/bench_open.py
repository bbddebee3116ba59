"""A session of 1,000 entries and 2.4 MB is on the screen within 0.5 s of asking, and the window is deaf at most 50 ms.

The yardstick of the time is a plain parse of the file's lines, that of the gaps the gap of the same window when idle.
STRATASCOPE_CORPUS may name a folder with real sessions, which are then measured too.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import orjson

from tests.bench import files
from tests.bench.figure import Figure, Yardstick
from tests.bench.window import Desk, desk

TIMES = 7
LIMIT, DEAF = 500, 50


def measure(place: Path) -> list[Figure]:
    chosen = [("generated, 2.4 MB", files.write(place / "corpus-like.jsonl", files.CORPUS_LIKE))]
    corpus = os.environ.get("STRATASCOPE_CORPUS")
    if corpus:
        chosen += [(path.name, path) for path in sorted(Path(corpus).glob("pi-*.jsonl"))]
    found = []
    with desk(place) as seen:
        idle = Yardstick("idle gap", max(seen.idle_gaps()))
        for number, (name, path) in enumerate(chosen):
            if number == 0:
                seen.gaps_while(lambda: None)
                first = seen.gaps_while(lambda: seen.window.open(str(path)))  # noqa: B023
                found.append(Figure("longest gap, first file of all", (max(first),), "max", DEAF, idle))
            seen.pauses.found.clear()
            found += _open(seen, name, path, idle)
            found.append(
                Figure(f"longest garbage collection, {name}", (max(seen.pauses.found, default=0.0),), "max", DEAF)
            )
    return found


def _open(seen: Desk, name: str, path: Path, idle: Yardstick) -> list[Figure]:
    times, gaps = [], []
    seen.open(path)
    for _ in range(TIMES):
        seen.window.close_session()
        times.append(seen.open(path))
        seen.window.close_session()
        gaps.append(max(seen.gaps_while(lambda: seen.window.open(str(path)))))
    yard = Yardstick("parse of its lines", _parse(path))
    return [
        Figure(f"open to all views painted, {name}", tuple(times), "median", LIMIT, yard),
        Figure(f"longest gap while opening, {name}", tuple(gaps), "median", DEAF, idle),
    ]


def _parse(path: Path) -> float:
    """Milliseconds of `orjson.loads` over the lines; the best of some."""
    best = float("inf")
    for _ in range(5):
        began = time.perf_counter()
        with path.open("rb") as file:
            for line in file:
                orjson.loads(line)
        best = min(best, (time.perf_counter() - began) * 1000)
    return best
