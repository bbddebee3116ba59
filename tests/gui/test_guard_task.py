"""The worker's side: counts by path, keeps what came to the guard, tells how far it is, begins anew with the file."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from core import passage
from core.guard_replay import Past, replay
from core.phrase import Phrase
from core.profile import policy
from core.session_key import NOTHING
from gui import guard_task
from gui.guard_task import count_requests
from gui.worker import forget, load
from tests.gui.guard_answers import SAMPLES

OURS = policy("openclaw-2026.4.5")


def go_on(said: Phrase, share: float | None) -> bool:
    return True


@pytest.fixture
def file(tmp_path: Path) -> str:
    place = tmp_path / "guard.jsonl"
    shutil.copy(SAMPLES / "guard.jsonl", place)
    return str(place)


def test_it_counts_what_the_window_shows(file: str) -> None:
    """The same path, the same counter: as many requests as the timeline has, and what would be sent next."""
    loaded = load(file, None, None, go_on)
    assert loaded is not None
    found = count_requests(file, loaded.timeline.leaf, loaded.counts.counter, OURS, NOTHING, go_on)
    assert len(found) == len(loaded.timeline.summaries) + 1
    assert loaded.session is not None
    assert list(found) == list(replay(Past(loaded.session, loaded.timeline), loaded.counts, OURS))


def test_a_moved_threshold_reads_nothing_again(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What came to the guard stays with the worker; another branch or counter is another matter."""
    loaded = load(file, None, None, go_on)
    assert loaded is not None
    count_requests(file, loaded.timeline.leaf, "chars", OURS, NOTHING, go_on)
    monkeypatch.setattr(passage, "arrivals", lambda *a: pytest.fail("read again"))
    monkeypatch.setattr(guard_task, "show", lambda *a: pytest.fail("counted again"))
    count_requests(file, loaded.timeline.leaf, "chars", OURS.set("guard_context", share=0.4), NOTHING, go_on)


@pytest.mark.parametrize("how", ["grew", "was read again"])
def test_another_file_begins_anew(file: str, how: str) -> None:
    """A file that an agent has written to, or that was closed and opened."""
    first = load(file, None, None, go_on)
    assert first is not None
    before = count_requests(file, first.timeline.leaf, "chars", OURS, NOTHING, go_on)
    lines = Path(file).read_text(encoding="utf-8").splitlines(keepends=True)
    Path(file).write_text("".join(lines[: len(lines) // 2]), encoding="utf-8")
    if how == "was read again":
        forget(file, go_on)
    second = load(file, None, None, go_on)
    assert second is not None
    after = count_requests(file, second.timeline.leaf, "chars", OURS, NOTHING, go_on)
    assert len(after) == len(second.timeline.summaries) + 1 < len(before)


def test_it_tells_how_far_it_is_and_stops(file: str) -> None:
    """ "Updating 8 of 33"; cancelled, it gives what it has."""
    loaded = load(file, None, None, go_on)
    assert loaded is not None
    said: list[Phrase] = []

    def report(words: Phrase, share: float | None) -> bool:
        said.append(words)
        return words.id != "guard_axis.job" or dict(words.values)["n"] < 8  # type: ignore[operator]

    found = count_requests(file, loaded.timeline.leaf, "chars", OURS, NOTHING, report)
    whole = len(loaded.timeline.summaries) + 1
    assert [dict(words.values) for words in said if words.id == "guard_axis.job"] == [
        {"n": 0, "all": whole},
        {"n": 8, "all": whole},
    ]
    assert len(found) == 9
