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
from tests.bench.window import Desk, both, desk, idle, longest

TIMES = 7
LIMIT, DEAF = 500, 50


def measure(place: Path) -> list[Figure]:
    chosen = [("generated, 2.4 MB", files.write(place / "corpus-like.jsonl", files.CORPUS_LIKE))]
    corpus = os.environ.get("STRATASCOPE_CORPUS")
    if corpus:
        chosen += [(path.name, path) for path in sorted(Path(corpus).glob("pi-*.jsonl"))]
    found = []
    with desk(place) as seen:
        still = idle(seen)
        first = longest(seen.gaps_while(lambda: seen.window.open(str(chosen[0][1]))))
        found += both("longest gap, first file of all", [first], "max", DEAF, still)
        for name, path in chosen:
            found += _open(seen, name, path, still)
    return found


def _open(seen: Desk, name: str, path: Path, still: Yardstick) -> list[Figure]:
    times, gaps, collected = [], [], []
    seen.open(path)
    for _ in range(TIMES):
        seen.window.close_session()
        seen.run(lambda: False, 0.5)  # what was closed is cleared away
        seen.pauses.found.clear()
        times.append(seen.open(path))
        collected += seen.pauses.found
        seen.window.close_session()
        seen.run(lambda: False, 0.5)
        gaps.append(longest(seen.gaps_while(lambda: seen.window.open(str(path)))))
    return [
        *both(
            f"open to all views painted, {name}", times, "median", LIMIT, Yardstick("parse of its lines", _parse(path))
        ),
        *both(f"longest gap while opening, {name}", gaps, "median", DEAF, still),
        Figure(f"longest garbage collection, {name}", (max(collected, default=0.0),), "max", DEAF),
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
