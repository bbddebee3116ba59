"""Opening in the worker, rows before numbers, following real appends, rewrites and disappearances."""

from __future__ import annotations

import json
import os

import pytest

from core.phrase import phrase
from gui import opened
from gui.cursor import Change
from gui.jobs import Jobs
from gui.sessions import Sessions
from gui.worker import Failure

HEADER = {"type": "session", "version": 3, "id": "s", "timestamp": "2026-01-05T10:00:00.000Z", "cwd": "/w"}


def line(number: int, text: str = "x", parent: int | None = -1) -> str:
    above = number - 1 if parent == -1 else parent
    message = {"role": "user", "content": text}
    if number % 2:
        usage = {"input": 3, "output": 5, "cacheRead": 100 * number, "cacheWrite": 50, "totalTokens": 0}
        message = {"role": "assistant", "content": [{"type": "text", "text": text}], "usage": usage, "model": "m"}
        message |= {"provider": "p", "api": "a", "stopReason": "stop"}
    entry = {
        "type": "message",
        "id": f"e{number}",
        "parentId": f"e{above}" if above is not None and above >= 0 else None,
    }
    return json.dumps({**entry, "timestamp": f"2026-01-05T10:00:{number % 60:02d}.000Z", "message": message}) + "\n"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "s.jsonl"
    path.write_text(json.dumps(HEADER) + "\n" + "".join(line(n) for n in range(10)), encoding="utf-8")
    return path


@pytest.fixture
def jobs(qapp):
    made = Jobs()
    yield made
    made.close()


@pytest.fixture
def sessions(jobs):
    made = Sessions(jobs)
    yield made
    made.deleteLater()


@pytest.fixture
def open_(sessions, qtbot):
    def open_(path, **more):
        with qtbot.waitSignal(sessions.completed, timeout=30_000) as found:
            sessions.open(str(path), **more)
        return found.args[0]

    return open_


def append(path, text: str) -> None:
    with open(path, "a", encoding="utf-8") as file:
        file.write(text)


def test_several_files_at_once(sessions, qtbot, tmp_path, file):
    """Each opens in its own lane: none drives another out."""
    other = tmp_path / "t.jsonl"
    other.write_bytes(file.read_bytes())
    sessions.open(str(file))
    sessions.open(str(other))
    qtbot.waitUntil(lambda: len(sessions.states) == 2, timeout=30_000)
    qtbot.waitUntil(lambda: all(state.timeline.summaries for state in sessions.states), timeout=10_000)


def test_appended_entries_appear_and_the_cursor_stays(open_, file, qtbot):
    """
    e0 … e9, cursor at request 2      + e10 e11     rows at once, then their requests; still at request 2
    """
    state = open_(file, request=2)
    entry = state.cursor.entry
    kinds = []
    state.changed.connect(kinds.append)
    append(file, line(10) + line(11))
    qtbot.waitUntil(lambda: len(state.session) == 12, timeout=10_000)
    assert state.cursor.request == 2
    qtbot.waitUntil(lambda: len(state.timeline.summaries) == 6, timeout=10_000)
    assert (state.cursor.request, state.cursor.entry) == (2, entry)
    assert state.timeline.leaf == state.session.active_leaf == 11
    assert any(kind & Change.GROWTH for kind in kinds)
    assert state.body(11)["id"] == "e11"


def test_a_half_written_line_waits_for_its_rest(open_, file, qtbot):
    state = open_(file)
    whole = line(10)
    append(file, whole[:40])
    qtbot.waitUntil(lambda: any(p.code == "unfinished_line" for p in state.session.problems), timeout=10_000)
    assert len(state.session) == 10
    append(file, whole[40:])
    qtbot.waitUntil(lambda: len(state.session) == 11, timeout=10_000)
    assert state.session.problems == ()


def test_a_fork_elsewhere_leaves_the_branch_in_view(open_, file, qtbot):
    """
    e0 … e9 in view     e10(e3): another branch ends the file now; the path in view stays
    """
    state = open_(file)
    append(file, line(10, parent=3))
    qtbot.waitUntil(lambda: len(state.counts.tokens) == 11, timeout=10_000)
    assert state.timeline.leaf == 9
    assert state.session.active_leaf == 10


@pytest.mark.parametrize("how", ["cut", "replaced", "rewritten in place"])
def test_a_file_that_is_another_one_is_read_again_with_a_note(how, sessions, open_, file, qtbot):
    state = open_(file)
    state.go(entry=state.session.row_of("e4"))
    fresh = json.dumps(HEADER) + "\n" + "".join(line(n, "other") for n in range(7))
    notes = []
    sessions.noted.connect(lambda _, notice: notes.append(str(notice.said)))
    with qtbot.waitSignals([sessions.noted, sessions.completed], timeout=20_000):
        if how == "cut":
            os.truncate(file, len(json.dumps(HEADER)) + 1 + sum(len(line(n)) for n in range(7)))
        elif how == "replaced":
            (file.parent / "new").write_text(fresh, encoding="utf-8")
            os.replace(file.parent / "new", file)
        else:
            file.write_text(fresh.replace("/w", "/v"), encoding="utf-8")
    assert len(notes) == 1
    assert "read again" in notes[0]
    [again] = sessions.states
    assert again is not state
    assert len(again.session) == 7
    assert again.session.columns.ids[again.cursor.entry] == "e4"


def test_a_file_that_goes_away_is_told_once(sessions, open_, file, qtbot):
    """What was read stays; nothing hangs, and when it is back it is read on (or again, if it looks like another)."""
    state = open_(file)
    data = file.read_bytes()
    notes = []
    sessions.noted.connect(lambda _, notice: notes.append(str(notice.said)))
    file.unlink()
    qtbot.waitUntil(lambda: len(notes) == 1, timeout=10_000)
    assert "cannot be read any more" in notes[0]
    assert len(state.session) == 10
    file.write_bytes(data + line(10).encode())
    qtbot.waitUntil(lambda: len(sessions.states[0].session) == 11, timeout=20_000)


def test_a_worker_that_is_lost_is_not_a_file_that_is_gone(sessions, open_, file, qtbot):
    """Where the worker process dies while a file is followed, the file is not said to be unreadable."""
    open_(file)
    notes = []
    sessions.noted.connect(lambda _, notice: notes.append(notice.said.id))
    [one] = sessions.follower._followed
    sessions.follower._failed(one, Failure(phrase("job.worker_lost")))
    assert notes == ["job.worker_lost"]
    one.gone = False
    sessions.follower._failed(one, Failure(phrase("reading.unreadable", path="x", reason="y")))
    assert notes[1:] == ["follow.gone"]


def test_a_large_file_shows_rows_before_numbers(sessions, qtbot, tmp_path, jobs):
    """Parts arrive while it is read: the first rows long before the last, all of them before the counts."""
    path = tmp_path / "large.jsonl"
    text = json.dumps(HEADER) + "\n" + "".join(line(n, "word " * 60) for n in range(12_000))
    path.write_text(text, encoding="utf-8")
    assert len(text) > opened.SMALL
    sizes, timelines = [], []
    sessions.opened.connect(lambda state: state.changed.connect(lambda _: sizes.append(len(state.session))))
    sessions.opened.connect(lambda state: (sizes.append(len(state.session)), timelines.append(state.timeline.leaf)))
    with qtbot.waitSignal(sessions.completed, timeout=60_000) as found:
        sessions.open(str(path), request=7)
    state = found.args[0]
    assert timelines == [None]
    assert sizes == sorted(sizes)
    assert len(state.session) == 12_000
    assert state.cursor.request == 7
    assert len(state.timeline.summaries) == 6_000
    assert not sessions.counting(state)


def test_cancelling_keeps_what_was_read(sessions, qtbot, tmp_path, jobs):
    path = tmp_path / "large.jsonl"
    body = "".join(line(n, "word " * 400) for n in range(500))
    path.write_text(json.dumps(HEADER) + "\n" + body * 60, encoding="utf-8")
    sessions.open(str(path))
    with qtbot.waitSignal(jobs.busy, timeout=20_000):
        pass
    jobs.cancel()
    qtbot.waitUntil(lambda: bool(sessions.states) and not jobs.busy_with(f"open {path}"), timeout=30_000)
    state = sessions.states[0]
    qtbot.waitUntil(lambda: any(p.code == "reading_cancelled" for p in state.session.problems), timeout=10_000)
    assert 0 < len(state.session) < 30_000
