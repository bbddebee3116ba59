"""Long work in slices: it comes to its end, the window gets its turns between, and what is cancelled stays silent."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from core.errors import StratascopeError
from core.phrase import phrase
from gui.slices import SLICE, Slices


class Work:
    """Pieces that take `each` seconds of a clock of its own."""

    def __init__(self, count: int, each: float) -> None:
        self.seen: list[int] = []
        self.now = 0.0
        self._count, self._each = count, each

    def __iter__(self) -> Iterator[None]:
        for number in range(self._count):
            self.now += self._each
            self.seen.append(number)
            yield

    def clock(self) -> float:
        return self.now


def test_short_work_is_done_at_once(qapp: object) -> None:
    """Nobody waits for a turn of the event loop that is not needed."""
    work, told = Work(3, 0.0), []
    made = Slices(iter(work), lambda: told.append("done"), clock=work.clock)
    assert (work.seen, told, made.running) == ([0, 1, 2], ["done"], False)


def test_the_window_gets_its_turns(qtbot: QtBot) -> None:
    """Ten slices of work: no turn takes more than its slice and one piece, and other timers run between."""
    work, told = Work(30, SLICE / 3), []
    between: list[int] = []
    other = QTimer()
    other.setInterval(0)
    other.timeout.connect(lambda: between.append(len(work.seen)))
    other.start()
    made = Slices(iter(work), lambda: told.append(len(work.seen)), clock=work.clock)
    assert made.running
    assert len(work.seen) == 4
    qtbot.waitUntil(lambda: bool(told))
    other.stop()
    assert told == [30]
    assert {8, 12, 16} & set(between)


def test_cancelled_work_stays_silent(qtbot: QtBot) -> None:
    """Neither another piece nor its end."""
    work, told = Work(30, SLICE), []
    made = Slices(iter(work), lambda: told.append("done"), clock=work.clock)
    made.cancel()
    count = len(work.seen)
    qtbot.wait(40)
    assert (len(work.seen), told, made.running) == (count, [], False)


def test_a_file_that_went_away_ends_it(qapp: object) -> None:
    """What comes after says so in its own words."""

    def gone() -> Iterator[None]:
        yield
        raise StratascopeError(phrase("file.missing", path="x"))

    told: list[str] = []
    Slices(gone(), lambda: told.append("done"))
    assert told == ["done"]
