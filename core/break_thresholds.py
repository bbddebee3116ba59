"""Which cache breaks there are under other thresholds of the two detectors, and which come and go as they move.

    every request that read less than was there, or less than the one before      the candidates, with cause and money
    agent   read < 95 % of the last read, at least 1,000 tokens less              both numbers move
    ours    more than 2 % of what was left in the cache was not read              so does this one

Cause and cost of a candidate do not depend on thresholds: they are worked out once, judging is arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from core.cache import OUR_SHARE, Break, Detector, breaks, our_break, read_drops
from core.evidence import Evidence, gather
from core.observation import AGENT, Thresholds
from core.session import Request, Session

EVERYTHING = Thresholds(1.0, 0)
"""Of the agent's detector: any read below the last one."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The thresholds of both detectors. `ours`: share of what was there that may be missing."""

    agent: Thresholds = AGENT
    ours: float = OUR_SHARE


USUAL = Limits()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A request that some thresholds call a break. `found`: its size, cause and cost, as of any break (its `detectors`
    are those of the loosest thresholds). `last`: the last recorded read before it, where that was more."""

    found: Break
    last: float | None

    def detectors(self, limits: Limits) -> frozenset[Detector]:
        """Which of the two call it a break."""
        told: set[Detector] = set()
        if self.last is not None and limits.agent.broken(self.last, self.found.read):
            told.add("agent")
        if our_break(self.found.expected, self.found.read, limits.ours):
            told.add("ours")
        return frozenset(told)


def candidates(
    session: Session,
    requests: Sequence[Request],
    evidence: Evidence | None = None,
    step: Callable[[], object] = lambda: None,
) -> tuple[Candidate, ...]:
    """Of `requests`, those of one path, in their order. `step` is called for every request."""
    known = evidence or gather(session)
    last = {drop.index: drop.last for drop in read_drops(session, requests, known)}
    found = breaks(session, requests, known, EVERYTHING, step, 0.0)
    return tuple(Candidate(item, last.get(item.request)) for item in found)


@dataclass(frozen=True, slots=True)
class Shift:
    """A candidate that is a break before, after, or both; () = none of the detectors calls it one."""

    candidate: Candidate
    before: frozenset[Detector]
    after: frozenset[Detector]

    @property
    def appears(self) -> bool:
        return bool(self.after) and not self.before

    @property
    def vanishes(self) -> bool:
        return bool(self.before) and not self.after


@dataclass(frozen=True, slots=True)
class Sum:
    """`cost`: of those whose price is known."""

    breaks: int
    cost: Decimal


@dataclass(frozen=True, slots=True)
class Shifts:
    """Breaks under either limits, in the order of the requests. `quiet`: candidates that are none under both."""

    rows: tuple[Shift, ...]
    quiet: int
    before: Sum
    after: Sum
    appear: Sum
    vanish: Sum


def shifts(given: Sequence[Candidate], after: Limits, before: Limits = USUAL) -> Shifts:
    """What changes as the limits move from `before` to `after`."""
    judged = [Shift(one, one.detectors(before), one.detectors(after)) for one in given]
    rows = tuple(shift for shift in judged if shift.before or shift.after)
    return Shifts(
        rows,
        len(judged) - len(rows),
        _sum(row for row in rows if row.before),
        _sum(row for row in rows if row.after),
        _sum(row for row in rows if row.appears),
        _sum(row for row in rows if row.vanishes),
    )


def _sum(rows: Iterable[Shift]) -> Sum:
    costs = [row.candidate.found.cost for row in rows]
    return Sum(len(costs), sum((cost for cost in costs if cost is not None), Decimal(0)))
