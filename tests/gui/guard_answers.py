"""Counting for the tests of the guard's axis: what the worker would answer, at once."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from core.guard_replay import Past, replay
from core.guarded import Guarded
from core.profile import Profile
from gui.state import State
from gui.views.requests import RequestsView
from gui.worker import Loaded, load
from tests.gui.request_timeline import sample, sample_state

SAMPLES = Path(__file__).parents[2] / "resources" / "samples"
OURS = "openclaw-2026.4.5"


@cache
def _guard() -> Loaded:
    found = load(str(SAMPLES / "guard.jsonl"), None, None, lambda said, share: True)
    assert found is not None
    return found


def guard_state() -> State:
    """The sample in which the guard cuts, and one request overflows; a State of its own for each test."""
    loaded = _guard()
    assert loaded.session is not None
    return State(loaded.session, loaded.timeline, loaded.counts)


@cache
def counted(timeline_id: int, profile: Profile) -> Guarded:
    loaded = next(found for found in (_guard(), sample()) if id(found.timeline) == timeline_id)
    return replay(Past(loaded.session, loaded.timeline), loaded.counts, profile)  # type: ignore[arg-type]


def answer(view: RequestsView) -> Guarded:
    """The worker's answer to what the view asks for now."""
    assert view.state is not None
    ask = view.guard.asked(view.state)
    found = counted(id(ask.timeline), ask.profile)
    view.guard.take(ask, found)
    view.show_counts()
    return found


__all__ = ["OURS", "SAMPLES", "answer", "counted", "guard_state", "sample_state"]
