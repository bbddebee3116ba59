"""What traces tell of a session in the window: of the request in focus, and of all of its path."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from core.named_sources import NamedPath
from gui import opened
from gui.jobs import Jobs
from gui.sessions import Sessions

SAMPLE = Path(__file__).parents[2] / "resources" / "samples" / "traced-session.jsonl"


@pytest.fixture(scope="module")
def jobs(qapp: Any) -> Any:
    made = Jobs()
    yield made
    made.close()


def test_causes_and_sizes_come_and_go_with_the_trace(qtbot: Any, jobs: Jobs, tmp_path: Path) -> None:
    """Alone, the causes are guesses; a trace that a person names turns them into what it shows, with the sizes of tools
    and system prompt; another source that tells nothing of them brings the guesses back."""
    path = tmp_path / "alone.jsonl"
    shutil.copy(SAMPLE, path)
    loaded = opened.load(str(path), None, None, lambda *_: True)
    assert loaded is not None
    sessions = Sessions(jobs)
    state = sessions.adopt(str(path), loaded, 5)
    guessed = state.timeline.breaks
    assert {item.certainty for item in guessed} == {"likely"}
    qtbot.waitUntil(lambda: not state.traced.waiting, timeout=20_000)
    assert state.traced.path is None
    with qtbot.waitSignal(state.traced.came, timeout=20_000):
        state.traced.name((NamedPath("trace", str(SAMPLE.with_name("traced-session.trajectory.jsonl"))),))
    qtbot.waitUntil(lambda: state.traced.path is not None, timeout=20_000)
    told = state.timeline.breaks
    assert {item.certainty for item in told} == {"computed"}
    assert state.timeline.summaries[4].broke == told[0]
    assert state.traced.path is not None
    assert len(state.traced.path.sizes.tools) == len(state.timeline.summaries) + 1
    state.follow_timeline(loaded.timeline, loaded.counts)
    assert state.timeline.breaks == told
    system = tmp_path / "prompt.txt"
    system.write_text("You are the clerk.")
    state.traced.name((NamedPath("system", str(system)),))
    assert state.timeline.breaks == guessed
    sessions.close_all()
    qtbot.waitUntil(lambda: not jobs.working, timeout=20_000)
