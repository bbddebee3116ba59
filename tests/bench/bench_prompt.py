"""A prompt of 5 MB: the time until it is first shown, and no gap of more than 50 ms on the way there.

Then scrolling it by pages, which only lays out what comes into sight.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt

from tests.bench import files
from tests.bench.figure import Figure, Yardstick
from tests.bench.window import desk

TIMES = 5


def measure(place: Path) -> list[Figure]:
    path = files.write(place / "long-prompt.jsonl", files.LONG_PROMPT)
    times, gaps = [], []
    with desk(place) as seen:
        idle_gaps = seen.idle_gaps()
        seen.open(files.write(place / "corpus-like.jsonl", files.CORPUS_LIKE))  # imports and fonts are paid for
        for _ in range(TIMES):
            times.append(seen.open(path))
            seen.window.close_session()
            gaps.append(max(seen.gaps_while(lambda: seen.window.open(str(path)))))
            seen.window.close_session()
        seen.open(path)
        seen.window.prompt.list.setFocus()
        seen.press(Qt.Key.Key_Home)
        seen.window.prompt.toggle_everything()
        pages = [seen.press(Qt.Key.Key_PageDown) for _ in range(60)]
        collected = max(seen.pauses.found, default=0.0)
    return [
        Figure("open to prompt painted, 5 MB", tuple(times)),
        Figure("longest garbage collection", (collected,), "max", 50),
        Figure("longest gap on the way", tuple(gaps), "median", 50, Yardstick("idle gap", max(idle_gaps))),
        Figure("a page further", tuple(pages), "p95", 50, Yardstick("idle gap", Figure("", idle_gaps).p95)),
    ]
