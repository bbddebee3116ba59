"""A prompt of 5 MB: the time until it is first shown, and no gap of more than 50 ms on the way there.

Then scrolling it by pages, which only lays out what comes into sight.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt

from tests.bench import files
from tests.bench.figure import Figure
from tests.bench.window import both, desk, idle, longest

TIMES = 5


def measure(place: Path) -> list[Figure]:
    path = files.write(place / "long-prompt.jsonl", files.LONG_PROMPT)
    times, gaps, collected = [], [], []
    with desk(place) as seen:
        still, often = idle(seen), idle(seen, "p95")
        seen.open(files.write(place / "corpus-like.jsonl", files.CORPUS_LIKE))  # imports and fonts are paid for
        for _ in range(TIMES):
            seen.pauses.found.clear()
            times.append(seen.open(path))
            collected += seen.pauses.found
            seen.window.close_session()
            seen.run(lambda: False, 0.5)  # what was closed is cleared away
            gaps.append(longest(seen.gaps_while(lambda: seen.window.open(str(path)))))
            seen.window.close_session()
            seen.run(lambda: False, 0.5)
        seen.open(path)
        seen.window.prompt.list.setFocus()
        seen.press(Qt.Key.Key_Home)
        seen.window.prompt.toggle_everything()
        pages = [seen.press(Qt.Key.Key_PageDown) for _ in range(60)]
    return [
        *both("open to prompt painted, 5 MB", times, "median", None, still),
        *both("longest gap on the way", gaps, "median", 50, still),
        Figure("longest garbage collection on the way", (max(collected, default=0.0),), "max", 50),
        *both("a page further", pages, "p95", 50, often),
    ]
