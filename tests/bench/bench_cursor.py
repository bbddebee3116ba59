"""The cursor goes to another request within 50 ms (95 of 100 times): real keys, until all views have painted.

`]` and `[` through the requests of a session of 1,000 entries and 2.4 MB, and Alt+Left back again; the same keys where
every prompt is up to 5 MB long.
"""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import Qt

from tests.bench import files
from tests.bench.figure import Figure, Yardstick
from tests.bench.window import Desk, both, desk, idle

PRESSED = 120
LIMIT = 50


def measure(place: Path) -> list[Figure]:
    chosen = [
        ("generated, 2.4 MB", files.write(place / "corpus-like.jsonl", files.CORPUS_LIKE), LIMIT),
        ("prompt of 5 MB", files.write(place / "long-prompt.jsonl", files.LONG_PROMPT), None),
    ]
    corpus = os.environ.get("STRATASCOPE_CORPUS")
    if corpus:
        chosen += [(path.name, path, LIMIT) for path in sorted(Path(corpus).glob("pi-*.jsonl"))]
    found = []
    with desk(place) as seen:
        still = idle(seen, "p95")
        for name, path, limit in chosen:
            seen.open(path)
            found += _walk(seen, name, limit, still)
    return found


def _walk(seen: Desk, name: str, limit: float | None, still: Yardstick) -> list[Figure]:
    state, back = seen.state, (Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    count = len(state.timeline.summaries)
    steps = min(PRESSED, count - 1)
    seen.window.prompt.list.setFocus()
    backward = [seen.press(Qt.Key.Key_BracketLeft) for _ in range(steps)]
    assert state.cursor.request == count - steps, "the keys did not move the cursor"
    forward = [seen.press(Qt.Key.Key_BracketRight) for _ in range(steps)]
    assert state.cursor.request == count, "the keys did not move the cursor"
    state.go(request=1)
    jumps = []
    for number in range(1, 21):
        jumps.append(seen.timed(lambda to=number * count // 21: state.go(request=max(1, to))))
    again = [seen.press(*back) for _ in range(15)]
    return [
        *both(f"[ to the request before, {name}", backward, "p95", limit, still),
        *both(f"] to the next request, {name}", forward, "p95", limit, still),
        *both(f"jump to a far request, {name}", jumps, "p95", limit, still),
        *both(f"Alt+Left, {name}", again, "p95", limit, still),
    ]
