"""The worker's side of what earlier requests hand on. No Qt in here.

request 1 ─▶ 2 ─▶ 3 ─▶ …        the fold of the paths asked last is kept: the next request goes on from there
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from core.engine_memory import remembered
from core.phrase import phrase
from core.profile import Profile
from core.replay import EVERY, NO_CARRIES, Carries, fold, hands_on
from core.session_key import Told
from gui.engine_task import with_answers
from gui.opened import opened, show

KEPT = 3


@dataclass(slots=True)
class _Fold:
    """`going`: what comes to the requests after those of `known`."""

    file: object
    size: int
    going: Iterator[Carries]
    known: list[Carries] = field(default_factory=list)

    def upto(self, number: int, go_on: Callable[[int], bool]) -> Carries | None:
        while len(self.known) < number:
            self.known.append(next(self.going))
            if len(self.known) % EVERY == 0 and not go_on(len(self.known)):
                return None
        return self.known[number - 1]


_folds: OrderedDict[object, _Fold] = OrderedDict()


def carries(
    path: str, leaf: int | None, counter: str, number: int | None, profile: Profile, told: Told, report: Any
) -> Carries | None:
    """What comes to request `number` of the path to `leaf` (None: to what would be sent next). None: it was stopped."""
    file = opened(path, report)
    loaded = show(path, counter, leaf, report)
    whole = number if number is not None else len(loaded.timeline.summaries) + 1
    instances = hands_on(profile)
    known = file.session, loaded.timeline, loaded.counts

    def go_on(done: int) -> bool:
        return bool(report(phrase("carry.job", n=done, all=whole), done / max(1, whole)))

    found: Carries | None = NO_CARRIES
    if instances:
        frame = (profile.window, profile.family, profile.reserve, told)
        key = (path, leaf, counter, repr(instances), repr(frame))
        held = _folds.pop(key, None)
        if held is None or held.file is not file or held.size != len(file.session):
            held = _Fold(file, len(file.session), fold(*known, profile, told=told))
        found = held.upto(whole, go_on)
        lost = any(carry.lost for carry in remembered((found or NO_CARRIES).values()))
        if not lost:  # one that hung may be asked once more
            _folds[key] = held
            while len(_folds) > KEPT:
                _folds.popitem(last=False)
    return with_answers(*known, number, profile, found, told) if found is not None else None
