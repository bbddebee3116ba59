"""The worker's side of what earlier requests hand on. No Qt in here."""

from __future__ import annotations

from typing import Any

from core.phrase import phrase
from core.profile import Profile
from core.replay import Carries, carries_at
from gui.engine_task import with_answers
from gui.opened import opened, show


def carries(path: str, leaf: int | None, counter: str, number: int | None, profile: Profile, report: Any) -> Carries:
    """What comes to request `number` of the path to `leaf` (None: to what would be sent next). Stopped: nothing."""
    file = opened(path, report)
    loaded = show(path, counter, leaf, report)
    whole = number if number is not None else len(loaded.timeline.summaries) + 1

    def go_on(done: int) -> bool:
        return bool(report(phrase("carry.job", n=done, all=whole), done / max(1, whole)))

    whole_past = (file.session, loaded.timeline, loaded.counts, number, profile)
    found = carries_at(*whole_past, told=loaded.told, report=go_on)
    return with_answers(*whole_past, found, loaded.told)
