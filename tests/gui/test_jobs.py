"""Jobs run in another process; of a lane only the newest counts; what fails says so; what dies is replaced."""

from __future__ import annotations

import multiprocessing

import pytest

from gui.jobs import Jobs
from tests.gui import tasks


@pytest.fixture
def jobs(qapp):
    made = Jobs()
    yield made
    made.close()


def test_done(jobs, qtbot):
    """The answer arrives in the window's thread, after its progress."""
    got, told = [], []
    jobs.run("a", tasks.double, 21, done=got.append, progress=lambda said, share: told.append((str(said), share)))
    qtbot.waitUntil(lambda: got == [42], timeout=10_000)
    assert told == [("half way", 0.5)]
    assert not jobs.working


def test_idle(jobs, qtbot):
    """`idle` comes when nothing runs and nothing waits."""
    with qtbot.waitSignal(jobs.idle, timeout=10_000):
        jobs.run("a", tasks.double, 1, done=lambda _: None)


def test_a_refusal_is_a_sentence(jobs, qtbot):
    """What the core refuses arrives as its Phrase, without a traceback."""
    failures = []
    jobs.run("a", tasks.refuse, done=lambda _: None, failed=failures.append)
    qtbot.waitUntil(lambda: bool(failures), timeout=10_000)
    assert str(failures[0].said) == "no such thing"
    assert failures[0].trace == ""


def test_a_fault_of_ours_brings_its_report(jobs, qtbot):
    """An unexpected exception brings the traceback for *Copy report*."""
    failures = []
    jobs.run("a", tasks.break_down, done=lambda _: None, failed=failures.append)
    qtbot.waitUntil(lambda: bool(failures), timeout=10_000)
    assert "ZeroDivisionError" in failures[0].trace


def test_newest_wins(jobs, qtbot):
    """
    lane a: last_forever, double(1), double(2)    ─▶   only double(2) answers
    """
    got = []
    jobs.run("a", tasks.last_forever, done=lambda value: got.append(("old", value)))
    jobs.run("a", tasks.double, 1, done=got.append)
    jobs.run("a", tasks.double, 2, done=got.append)
    qtbot.waitUntil(lambda: 4 in got, timeout=10_000)
    assert got == [4]


def test_cancel_keeps_what_there_is(jobs, qtbot):
    """A cancelled job still delivers what it has."""
    got = []
    jobs.run("a", tasks.last_forever, done=got.append)
    with qtbot.waitSignal(jobs.busy, timeout=10_000):
        pass
    assert jobs.cancel("a")
    qtbot.waitUntil(lambda: bool(got), timeout=10_000)
    assert isinstance(got[0], int)
    assert not jobs.cancel()


def test_a_dead_worker_is_replaced(jobs, qtbot):
    """A job whose process ends is told so; the next job finds a new worker."""
    failures, got = [], []
    jobs.run("a", tasks.die, done=got.append, failed=failures.append)
    qtbot.waitUntil(lambda: bool(failures), timeout=10_000)
    assert failures[0].said.id == "job.worker_lost"
    jobs.run("a", tasks.double, 4, done=got.append)
    qtbot.waitUntil(lambda: got == [8], timeout=10_000)


def test_close_twice(qapp):
    """Closing is final and harmless to repeat."""
    made = Jobs()
    made.close()
    made.close()


def test_a_late_worker_comes_with_the_first_job(qtbot):
    """Nothing is started until it is asked for: by a job, or to be warm; closing before that ends nothing."""
    before = set(multiprocessing.active_children())
    idle = Jobs(at_once=False)
    idle.close()
    late = Jobs(at_once=False)
    assert set(multiprocessing.active_children()) == before
    late.warm()
    late.warm()
    assert len(set(multiprocessing.active_children()) - before) == 1
    late.close()
    asked = Jobs(at_once=False)
    found = []
    asked.run("lane", tasks.double, 4, done=found.append)
    qtbot.waitUntil(lambda: found == [8], timeout=20_000)
    asked.close()
