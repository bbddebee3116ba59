"""The worker's side of the axis "as the guard counts". No Qt in here.

What came to the guard is kept for the paths counted last, so that a moved threshold runs the guard alone.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from core.counts import Counts
from core.guard_replay import Past, replay
from core.guarded import Guarded
from core.phrase import phrase
from core.profile import Profile
from core.session_key import Told
from gui.opened import opened, show

KEPT = 3
_pasts: OrderedDict[tuple[str, int | None, str], tuple[object, int, Past, Counts]] = OrderedDict()


def count_requests(path: str, leaf: int | None, counter: str, profile: Profile, told: Told, report: Any) -> Guarded:
    """All requests on the path to `leaf` under `profile`, then what would be sent next. Stopped: those done so far."""
    past, counts = _past(path, leaf, counter, report)
    past.tell(told)
    whole = len(past.timeline.summaries) + 1

    def go_on(done: int) -> bool:
        return bool(report(phrase("guard_axis.job", n=done, all=whole), done / whole))

    return replay(past, counts, profile, report=go_on)


def _past(path: str, leaf: int | None, counter: str, report: Any) -> tuple[Past, Counts]:
    """A file that was read again, or that grew, begins anew."""
    key, file = (path, leaf, counter), opened(path, report)
    known = _pasts.pop(key, None)
    if known is None or known[0] is not file or known[1] != len(file.session):
        loaded = show(path, counter, leaf, report)
        known = (file, len(file.session), Past(file.session, loaded.timeline, loaded.told), loaded.counts)
    _pasts[key] = known
    while len(_pasts) > KEPT:
        _pasts.popitem(last=False)
    return known[2], known[3]
