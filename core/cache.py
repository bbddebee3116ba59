"""Breaks of the prompt cache, from recorded usage.

Two named detectors stand side by side. *agent*: the read fell below 95 % of the previous read, by at least 1,000
tokens (OpenClaw 2026.4.5, recorded cases of layer f). *ours*: the shortfall against what the previous request left in
the cache (read + write; for caches that report no writes, read) is above 2 % of that.

The causes stand in `core/causes.py`, what they are told from in `core/evidence.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import isfinite
from typing import Literal

from core import models
from core.causes import Cause, Policy, cause, system_cacheable, system_size
from core.causes import Certainty as Certainty
from core.evidence import Call, Evidence, gather
from core.observation import AGENT, Drop, Thresholds
from core.phrase import Phrase, phrase
from core.session import Request, Session

Detector = Literal["agent", "ours"]
Note = Literal["", "first", "below_minimum", "nothing_before"]

OUR_SHARE = 0.02
USUAL_LIFETIME_S = 300.0
"""Lifetime of an entry that a cache with recorded writes has unless something else is known (prompt cache 1)."""

UNEXPLAINED = phrase("break.unknown")


@dataclass(frozen=True, slots=True)
class Place:
    """Where two requests part, by a trace: `block`: in cache order, tools and parts of the system prompt before the
    messages; `message`: of those the index, None for the others; `unit`: the UTF-16 unit in it, of tools in their JSON,
    None where role or ids differ. `file`: of the trace. `before`, `after`: both texts from there on, the beginning of
    them. `finding`: name of what the traces warn of there (`core.trace_findings`), "" for a change nobody warns of."""

    block: int
    section: Literal["tools", "system", "messages"]
    part: Literal["stable", "dynamic"] | None
    unit: int | None
    file: str
    before: str
    after: str
    finding: str = ""
    message: int | None = None


@dataclass(frozen=True, slots=True)
class Break:
    """A request that read clearly less than was there. Tokens; `cost` in US dollars, None if no price is known.

    `request`: its number among the requests given; `entry`: row of its assistant entry; `time`: epoch ms of its start.
    `gap_s`: seconds from the previous request's start to this one's. `expected`: tokens the previous request left in
    the cache; `lost`: expected - read. `cause`: a name of the vocabulary (`ttl_expired`, `model_changed`,
    `thinking_changed`, `compaction`, `second_writer`, `system_changed`, `messages_changed`, `unknown` …).
    `why`: the evidence for the cause. `idle_s`: seconds since the entry was last used, by a request of any branch.
    `cost`: of what was sent again though it had been cached; after a compaction that can only be tools and system.
    `place`: where the requests part, if a trace of both tells (`core.traced_breaks`).
    """

    request: int
    entry: int
    time: int | None
    gap_s: float | None
    expected: int
    read: int
    lost: int
    cost: Decimal | None
    cause: str
    certainty: Certainty
    detectors: frozenset[Detector]
    why: Phrase = UNEXPLAINED
    idle_s: float | None = None
    place: Place | None = None

    @property
    def told(self) -> str:
        """Name of the words for the cause: `params_changed(effort)` counts as `params_changed`; a system prompt that a
        trace shows to be another one is no longer "tools or system"."""
        if self.cause == "system_changed" and self.place is not None:
            return "system_proven"
        return self.cause.partition("(")[0]

    @property
    def where(self) -> Phrase | None:
        """Block and character at which the requests part, counted from 1."""
        place = self.place
        if place is None:
            return None
        block = phrase(f"table.where_{place.part or place.section}", block=(place.message or 0) + 1)
        return block if place.unit is None else phrase("table.where_at", where=block, unit=place.unit + 1)


def our_break(expected: int, read: int, share: float = OUR_SHARE) -> bool:
    """The shortfall is above 2 % (`share`) of what was there."""
    return expected - read > share * expected


def breaks(
    session: Session,
    requests: Sequence[Request],
    evidence: Evidence | None = None,
    thresholds: Thresholds = AGENT,
    step: Callable[[], object] = lambda: None,
    share: float = OUR_SHARE,
) -> tuple[Break, ...]:
    """The breaks among `requests`: those of one path in its order, or all of the file.

    Each is held against the nearest request above it on its own path; the rest of the file serves as evidence.
    `thresholds`: of the agent's detector, `share`: of ours; which breaks come and go as they move:
    `core.break_thresholds`. `step` is called for every request.
    """
    known = evidence or gather(session)
    reads = _Reads(session, known)
    found: list[Break] = []
    for request in requests:
        step()
        index = known.by_entry[request.entry]
        detectors = _detectors(known, index, reads, thresholds, share)
        if detectors:
            found.append(_break(session, known, index, request.number, detectors))
    return tuple(found)


def _detectors(
    evidence: Evidence, index: int, reads: _Reads, thresholds: Thresholds, share: float
) -> frozenset[Detector]:
    call = evidence.calls[index]
    read = call.request.usage.read
    found: set[Detector] = set()
    if call.previous is None:
        return frozenset()
    if our_break(evidence.expected(index), read, share):
        found.add("ours")
    last = reads.last(call.previous) if reads.any else None
    if last is not None and thresholds.broken(last, read):
        found.add("agent")
    return frozenset(found) if found and reads.recorded(index) else frozenset()


def read_drops(session: Session, requests: Sequence[Request], evidence: Evidence | None = None) -> tuple[Drop, ...]:
    """Every read below the last recorded one on its path, by number of the request: what the agent's detector judges
    under whatever thresholds."""
    known = evidence or gather(session)
    reads = _Reads(session, known)
    found: list[Drop] = []
    for request in requests:
        index = known.by_entry[request.entry]
        previous = known.calls[index].previous
        last = reads.last(previous) if previous is not None else None
        if last and request.usage.read < last and reads.recorded(index):
            found.append(Drop(request.number, last, request.usage.read))
    return tuple(found)


class _Reads:
    """What each request read, told apart from a read that the file does not record (usage counts that as 0)."""

    def __init__(self, session: Session, evidence: Evidence) -> None:
        self._session, self._calls = session, evidence.calls
        self._last: dict[int, int | None] = {}
        self.any = any(call.request.usage.read for call in evidence.calls)

    def recorded(self, index: int) -> bool:
        request = self._calls[index].request
        if request.usage.read:
            return True
        usage = (self._session.body(request.entry).get("message") or {}).get("usage") or {}
        read = usage.get("cacheRead")
        return isinstance(read, int | float) and not isinstance(read, bool) and isfinite(read)

    def last(self, index: int) -> int | None:
        """The last recorded read at this request or above it on its path."""
        climbed: list[int] = []
        at: int | None = index
        while at is not None and at not in self._last and not self.recorded(at):
            climbed.append(at)
            at = self._calls[at].previous
        if at is not None:
            self._last.setdefault(at, self._calls[at].request.usage.read)
        found = None if at is None else self._last[at]
        self._last.update(dict.fromkeys(climbed, found))
        return found


def notes(requests: Sequence[Request], evidence: Evidence) -> dict[int, Note]:
    """By row of the answer: why a request that is no break read nothing.

    "below_minimum": nothing was read or written, and the prompt is too short to be cached. "first": nothing came
    before. "nothing_before": the previous request left nothing, because it was below the minimum.
    """
    found: dict[int, Note] = {}
    for request in requests:
        call = evidence.calls[evidence.by_entry[request.entry]]
        note: Note = ""
        if request.usage.read == 0:
            above = evidence.calls[call.previous].request if call.previous is not None else None
            if _below_minimum(request):
                note = "below_minimum"
            elif above is None:
                note = "first"
            elif _below_minimum(above):
                note = "nothing_before"
        found[request.entry] = note
    return found


def _below_minimum(request: Request) -> bool:
    known, usage = models.find(request.model), request.usage
    minimum = known.minimum if known is not None else None
    return minimum is not None and not usage.read and not usage.write and usage.prompt < minimum


def policy_of(call: Call, explicit: bool) -> Policy:
    """What is known of the model's cache. Of an unknown model nothing, but the usual lifetime if it reports writes."""
    known = models.find(call.request.model)
    if known is None:
        return Policy(None, USUAL_LIFETIME_S if explicit else None)
    return Policy(known.minimum, known.lifetime_s)


def _break(session: Session, evidence: Evidence, index: int, number: int, detectors: frozenset[Detector]) -> Break:
    call = evidence.calls[index]
    assert call.previous is not None
    request, previous = call.request, evidence.calls[call.previous]
    expected = evidence.expected(index)
    why = cause(session, evidence, index, policy_of)
    gap = None
    if call.moment is not None and previous.moment is not None:
        gap = (call.moment - previous.moment) / 1000
    return Break(
        request=number,
        entry=request.entry,
        time=call.moment,
        gap_s=gap,
        expected=expected,
        read=request.usage.read,
        lost=expected - request.usage.read,
        cost=_money(session, evidence, index, why),
        cause=why.name,
        certainty=why.certainty,
        detectors=detectors,
        why=why.why,
        idle_s=evidence.idle_s[index],
    )


def _money(session: Session, evidence: Evidence, index: int, why: Cause) -> Decimal | None:
    """Lost tokens that were sent again, at the price of writing less that of reading them.

    A compaction or reset replaces the messages, so of the new prompt only tools and system had been cached, if they
    are large enough to be cached alone (with this rule the sums of prompt cache 8 come out).
    """
    call = evidence.calls[index]
    usage, explicit = call.request.usage, call.model in evidence.explicit
    price = models.price_at(call.request.model, call.moment, usage.prompt)
    if price is None:
        return None
    again = min(evidence.expected(index), usage.prompt) - usage.read
    if why.why.id in ("break.compaction", "break.reset"):
        kept = system_size(evidence, index) if system_cacheable(evidence, index, policy_of(call, explicit)) else 0
        again = min(again, kept - usage.read)
    written = price.input
    if explicit:
        written = price.write_1h if usage.write_1h else price.write
    return max(0, again) * (written - price.read) / 1_000_000
