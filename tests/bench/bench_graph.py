"""The session graph of 100,000 and 1,000,000 entries is painted within 100 ms of being laid out and scrolls at 16 ms a
frame (95 of 100).

The rows are arrays without a file behind them: titles are those of entries whose text cannot be read. The time that
laying out takes is a figure of its own, without a limit: it is not part of a frame.
"""

from __future__ import annotations

import random
import time
from array import array
from pathlib import Path

from PySide6.QtWidgets import QApplication

from core.counts import Counts
from core.session import NO_TIME, Columns, Session
from core.timeline import uncounted
from gui.state import State
from gui.theme import Look
from gui.views.dag import DagView
from tests.bench.figure import Figure

FIRST, FRAME = 100, 16
_BODY = b'{"type":"message","id":"e","message":{"role":"user","content":"What stands in this row is the same in all."}}'


def session(count: int, forks: float) -> Session:
    """A made session: one turn in five begins with a user message; `forks`: share of entries that leave a branch."""
    chance = random.Random(3)
    parent = array("q", range(-1, count - 1))
    for row in range(40, count):
        if chance.random() < forks:
            parent[row] = row - chance.randrange(2, 30)
    roles = array("i", [(1, 2, 3, 2, 3)[row % 5] for row in range(count)])
    columns = Columns(
        ids=tuple(f"e{row:07x}" for row in range(count)),
        offset=array("q", bytes(8 * count)),
        size=array("q", [len(_BODY)]) * count,
        line=array("q", range(2, count + 2)),
        parent=parent,
        kind=array("i", bytes(4 * count)),
        role=roles,
        time=array("q", [NO_TIME]) * count,
        chars=array("q", [40]) * count,
        kinds=("message",),
        roles=("", "user", "assistant", "toolResult"),
    )
    body = {"type": "message", "message": {"role": "user", "content": "What stands in this row is the same in all."}}
    return Session("", "pi", None, columns, (), count, 0, lambda at, size: _BODY, lambda session, row, line: body)


def measure(place: Path) -> list[Figure]:
    qt = QApplication.instance() or QApplication(["bench"])
    look = Look("light", 100)
    look.apply(qt)
    found: list[Figure] = []
    for count in (100_000, 1_000_000):
        for forks in (0.0, 0.01):
            found += _one(qt, look, count, forks)
    return found


def _one(qt: QApplication, look: Look, count: int, forks: float) -> list[Figure]:
    made = session(count, forks)
    counts = Counts("bench", array("q", [20]) * count)
    state = State(made, uncounted("bench"), counts)
    view = DagView(look)
    view.resize(400, 900)
    view.show()
    qt.processEvents()
    view.show_state(state)
    began = time.perf_counter(), time.thread_time()
    view.flush()
    laid = _since(began)
    qt.processEvents()
    viewport, bar = view.table.viewport(), view.table.verticalScrollBar()
    bar.setValue(bar.maximum() // 3)
    began = time.perf_counter(), time.thread_time()
    viewport.repaint()
    painted = _since(began)
    wheel, pages = [], []
    for frames, by, many in ((wheel, 3 * bar.singleStep(), 200), (pages, bar.pageStep(), 80)):
        for _ in range(many):
            began = time.perf_counter(), time.thread_time()
            bar.setValue(bar.value() + by)
            viewport.repaint()
            frames.append(_since(began))
    name = f"{count:,} entries, {'no forks' if not forks else 'a fork in 100'}"
    view.close()
    view.show_state(None)
    view.deleteLater()
    qt.processEvents()
    found = []
    for at, kind in enumerate(("", ", own work alone")):
        found += [
            Figure(f"laid out, {name}{kind}", (laid[at],)),
            Figure(f"first paint, {name}{kind}", (painted[at],), "max", FIRST),
            Figure(f"scroll frame, {name}{kind}", tuple(frame[at] for frame in wheel), "p95", FRAME),
            Figure(f"page of new rows, {name}{kind}", tuple(frame[at] for frame in pages), "p95"),
        ]
    return found


def _since(began: tuple[float, float]) -> tuple[float, float]:
    """(ms on the clock, ms of this thread's work)."""
    return (time.perf_counter() - began[0]) * 1000, (time.thread_time() - began[1]) * 1000
