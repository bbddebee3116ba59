"""The worker's side of the page on token estimates: a request by every estimate, and the session's growths. No Qt.

A tokenizer takes a while for a long prompt, so what it counted is kept by message; the growths of a session are the
same for all its requests.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from core import counter as counting
from core import replay
from core.context import message_of
from core.counter import Counter
from core.estimators import Coverage, Explained, coverage, margins
from core.growth import growths
from core.messages import Message
from core.phrase import phrase
from core.profile import Profile
from core.session_key import Told
from gui.opened import opened, show

KEPT, MESSAGES = 3, 100_000


@dataclass(slots=True)
class _Counted:
    """A tokenizer that counts each message once."""

    counter: Counter
    known: dict[bytes, int] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return self.counter.id

    def count(self, message: Message) -> int:
        key = message.key()
        found = self.known.get(key)
        if found is None:
            if len(self.known) >= MESSAGES:
                self.known.clear()
            found = self.known[key] = self.counter.count(message)
        return found


_kept: OrderedDict[str, tuple[object, int, _Counted, tuple[Coverage, ...]]] = OrderedDict()


def explain(
    path: str, leaf: int | None, counter: str, number: int | None, profile: Profile, told: Told, report: Any
) -> Explained:
    """The messages of a request as they are sent under `profile`, by every estimate. `number` None: what would be sent
    next. Stopped: with as much of the session as was read."""
    file = opened(path, report)
    loaded = show(path, counter, leaf, report)
    session, timeline = file.session, loaded.timeline
    known = _kept.pop(path, None)
    if known is None or known[0] is not file or known[1] != len(session):
        counted = _Counted(counting.make("bpe", session))
        evidence = growths(session)

        def go_on(done: int) -> bool:
            return bool(report(phrase("margins.job", n=done, all=len(evidence)), done / max(1, len(evidence))))

        found = coverage(session, lambda row: message_of(session, row), bpe=counted, evidence=evidence, go_on=go_on)
        known = (file, len(session), counted, found)
    _kept[path] = known
    while len(_kept) > KEPT:
        _kept.popitem(last=False)
    start, trace = replay.trace(session, timeline, loaded.counts, number, profile, told=told)
    request = start.assembled.request
    prompt = request.usage.prompt if request is not None and request.usage.any else None
    unrecorded = start.assembled.unrecorded if prompt is not None else None
    return Explained(margins(trace.blocks, bpe=known[2], prompt=prompt, unrecorded=unrecorded), known[3])
