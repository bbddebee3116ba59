"""A prompt of 5 MB in the window: shown, scrolled, searched and held against another one while one waits for it.

2,000 blocks, one of 1 MB, three with lines of 400,000 characters, every text unfolded. A frame is the list scrolled by
one turn of the wheel and painted; the difference is that of the request in focus with the one before it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from core.difference import first_difference
from gui.prompt_rows import Kind
from tests.bench import bench_prompt_big as big
from tests.bench.figure import Figure
from tests.bench.window import Desk, Took, both, desk, idle

TIMES = 5
WHEEL = 120
FRAMES = 120
WORDS = ("zebra", "line of", "y", "word", "é")


def measure(place: Path) -> list[Figure]:
    path = big.write(place / "big.jsonl")
    with desk(place) as seen:
        still, often = idle(seen), idle(seen, "p95")
        seen.open(path)
        state, window = seen.state, seen.window

        def again() -> None:
            window.show_state(None)
            window.show_state(state)

        shown = [seen.timed(again) for _ in range(TIMES)]
        view = window.prompt
        last = len(state.timeline.summaries)
        to_it = []
        for _ in range(TIMES):
            seen.timed(lambda: state.go(request=2))
            to_it.append(seen.timed(lambda: state.go(request=last)))
        for block in state.shown.blocks:
            view.folds.opened.add(block.key)
        view.toggle_everything()
        seen.settle()
        frames = _frames(seen)
        view.find()
        seen.timed(lambda: None)
        searches = [_own(lambda word=word: view._search(word)) for word in WORDS for _ in range(TIMES)]
        view._close_find()
        found: list[Took] = []
        for request in range(last - TIMES, last):
            blocks = []
            state.compare("bench", lambda trace, kept=blocks: kept.append(trace.blocks), request=request)
            seen.run(lambda kept=blocks: bool(kept))
            trace = state.trace
            assert trace is not None
            after = trace.blocks
            found.append(_own(lambda before=blocks[0], after=after: first_difference(before, after)))
    return [
        *both("another session's prompt shown, 5 MB", shown, "median", 300, still),
        *both("back from request 2 to the prompt of 5 MB", to_it, "median", 300, still),
        *both("a frame of scrolling, all texts open", frames, "p95", 16, often),
        *both("find, as typed", searches, "p95", 50, often),
        *both("first difference with an earlier request", found, "median", 100, still),
    ]


def _frames(seen: Desk) -> list[Took]:
    """Over the longest texts, and from the top."""
    shown = seen.window.prompt.list
    assert shown.places is not None
    places = [
        shown.places.tops[at]
        for at, row in enumerate(shown.rows)
        if row.kind is Kind.BLOCK and row.first in (41, 301, 999, big.BLOCKS // 2)
    ]
    bar, found = shown.verticalScrollBar(), []
    for start in (0, *places):
        bar.setValue(start)
        seen.settle()
        for step in range(FRAMES):

            def turn(to: int = start + step * WHEEL) -> None:
                bar.setValue(to)
                shown.viewport().repaint()

            found.append(_own(turn))
    return found


def _own(work: Callable[[], object]) -> Took:
    clock, own = time.perf_counter(), time.thread_time()
    work()
    return Took((time.perf_counter() - clock) * 1000, (time.thread_time() - own) * 1000)
