"""Between the Compaction tab and the worker: lanes, parts, failures, stopping, the file that is written; and what graph
and plot make of the compaction that is looked at."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QObject, Signal
from pytestqt.qtbot import QtBot

from core.errors import StratascopeError
from core.payback import Payback, recorded
from core.phrase import Phrase, phrase
from core.timeline import Timeline
from gui.compaction_binding import APPEND, LOOK, RUN, CompactionRuns
from gui.compaction_mark import Marked
from gui.dag_words import spoken
from gui.problem_strip import Notice
from gui.request_lane import paid_words
from gui.request_marks import marks
from gui.request_words import card
from gui.theme import Look
from gui.views.compaction import CompactionView
from gui.views.dag import DagView
from gui.worker import Failure
from tests.gui.compaction_session import compacted, small, state_at, talked


class Jobs(QObject):
    """Runs a job where it stands, or keeps it (`held`) until somebody says go."""

    idle = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.lanes: list[str] = []
        self.held: list[Callable[[], None]] | None = None
        self.cancelled: list[str] = []
        self.running: set[str] = set()

    def run(self, lane: str, task: Callable[..., Any], *arguments: Any, **told: Any) -> None:
        def go() -> None:
            report = SimpleReport(told.get("progress"), told.get("part"))
            try:
                told["done"](task(*arguments, report))
            except StratascopeError as error:
                told["failed"](Failure(error.phrase))

        self.lanes.append(lane)
        if self.held is None:
            go()
        else:
            self.held.append(go)

    def cancel(self, lane: str) -> bool:
        self.cancelled.append(lane)
        return lane in self.running


class SimpleReport:
    def __init__(self, progress: Any, part: Any) -> None:
        self._progress, self.part = progress, part or (lambda value: None)

    def __call__(self, said: Phrase, share: float | None) -> bool:
        if self._progress is not None:
            self._progress(said, share)
        return True


@pytest.fixture
def bound(qtbot: QtBot, tmp_path: Path) -> Any:
    """(view, runs, jobs, notices) at a session without a compaction."""
    view = CompactionView(Look("light"))
    qtbot.addWidget(view)
    jobs, notices = Jobs(), list[Notice]()
    window: Any = SimpleNamespace(
        jobs=jobs,
        sessions=SimpleNamespace(path_of=lambda state: state.session.path),
        strip=SimpleNamespace(show_notice=notices.append),
    )
    runs = CompactionRuns(window, view)
    state = state_at(talked(tmp_path / "talk.jsonl"))
    view.show_state(state)
    small(view.desk)
    view.show()
    view.flush()
    view._soon.stop()
    view._ask()
    yield view, runs, jobs, notices
    view.show_state(None)
    view.hide()


def test_a_look_and_a_run_have_lanes_of_their_own(bound: Any) -> None:
    """A run is not cancelled by the next look, but takes the place of the one under way."""
    view, _, jobs, _ = bound
    assert view.desk.facts is not None
    view.run()
    assert jobs.lanes == [LOOK, RUN]
    assert LOOK in jobs.cancelled
    assert view.desk.runs[0].outcome.summary


def test_what_was_dropped_is_given_up(bound: Any) -> None:
    """Esc drops what waits: the tab does not wait for it for ever, and asks anew."""
    view, _, jobs, _ = bound
    jobs.held = []
    view.run()
    assert view.desk.phase == "running"
    view.stop_wanted.emit()
    assert view.desk.phase == "idle"
    assert RUN in jobs.cancelled
    view.run()
    jobs.running.add(RUN)
    view.stop_wanted.emit()  # it runs: its end is waited for
    assert view.desk.phase == "running"
    jobs.idle.emit()
    assert view.desk.phase == "idle"


def test_the_new_file_is_chosen_and_told(bound: Any, tmp_path: Path) -> None:
    """Beside the session, under another name; an existing file is refused and said; no name, no file."""
    view, runs, jobs, notices = bound
    view.run()
    offered: list[str] = []
    target = tmp_path / "new.jsonl"
    runs.choose = lambda suggested: offered.append(suggested) or str(target)
    view.head.saved.emit()
    assert offered == [str(tmp_path / "talk-compacted.jsonl")]
    assert target.exists()
    assert (jobs.lanes[-1], notices[-1].severity) == (APPEND, "note")
    view.head.saved.emit()
    assert notices[-1].severity == "error"
    runs.choose = lambda suggested: ""
    before = len(jobs.lanes)
    view.head.saved.emit()
    assert len(jobs.lanes) == before


def test_a_fault_of_ours_is_reported(bound: Any) -> None:
    """With its traceback in the report; a plain refusal stands in the headline alone."""
    view, runs, _, notices = bound
    wish = view.desk.asked
    runs._failed(wish, Failure(phrase("compaction.nothing", keep=5)))
    assert notices == []
    runs._failed(wish, Failure(phrase("job.failed", error="x"), "Traceback …"))
    assert "Traceback" in notices[-1].report
    assert view.desk.phase == "idle"


# graph and plot


def test_the_graph_shows_what_was_replaced(qtbot: QtBot, tmp_path: Path) -> None:
    """A bracket beside the rows, and the word for who cannot see it; none while nobody looks."""
    state = state_at(compacted(tmp_path / "c.jsonl"), 20)
    view = DagView(Look("light"))
    qtbot.addWidget(view)
    view.resize(404, 600)
    view.show_state(state)
    view.show()
    view.flush()
    view.show_all()
    assert view.items is not None
    at = view.items.shown.index_of(2)
    plain = view.table.grab().toImage()
    assert "replaced by the compaction" not in spoken(view.items, at, "x")
    state.mark(Marked(tuple(range(28)), 17, False, named=frozenset({2})))
    view.flush()
    assert "replaced by the compaction" in spoken(view.items, at, "x")
    assert "replaced by the compaction" not in spoken(view.items, view.items.shown.index_of(40), "x")
    assert view.table.grab().toImage() != plain
    state.mark(None)
    view.flush()
    assert view.table.grab().toImage() == plain
    view.show_state(None)


def _timeline(tmp_path: Path) -> Timeline:
    return state_at(compacted(tmp_path / "c.jsonl"), 20).timeline


def test_a_recorded_compaction_says_when_it_has_paid(tmp_path: Path) -> None:
    """By recorded usage: how much smaller the prompt is than the one before, and what its break cost."""
    timeline = _timeline(tmp_path)
    found = recorded(timeline)
    assert set(found) == {17}
    before, after = timeline.summaries[15].request.usage.prompt, timeline.summaries[16].request.usage.prompt
    assert found[17].reclaimed == before - after
    assert found[17].broken > 0
    assert any("Compaction" in line for line in card(timeline, 17))
    assert not any("Compaction" in line for line in card(timeline, 16))


def test_one_that_nobody_made_is_marked_as_simulated(tmp_path: Path) -> None:
    """In place of whatever stands at its request, hollow and with ◇."""
    timeline = _timeline(tmp_path)
    ours = Payback(12_345, *(recorded(timeline)[17].calls,) * 3, 4)
    found = marks(timeline, Marked((0, 1), 9, True, ours))
    mark = next(mark for mark in found if mark.request == 9)
    assert (mark.cause, mark.sure, mark.broke) == ("compaction", False, False)
    assert paid_words(mark) == "◇ −12k, pays after 4"
    assert [mark.request for mark in found] == sorted(mark.request for mark in found)
    assert card(timeline, 9, Marked((0, 1), 9, True, ours))[2].startswith("◇ Compaction: 12,345 tokens less")
    assert card(timeline, 9, Marked((0, 1), 8, True, ours)) == card(timeline, 9)
    assert marks(timeline, Marked((0, 1), 17, False, ours)) == marks(timeline)
