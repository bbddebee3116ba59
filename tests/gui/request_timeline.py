"""Timelines for the tests of the requests dock: the sample's, and drawn ones from a few numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cache
from pathlib import Path

from core.cache import Break
from core.messages import Usage
from core.session import Request
from core.timeline import RequestSummary, Timeline
from gui import worker
from gui.state import State
from gui.worker import Loaded

SAMPLE = Path(__file__).parents[2] / "resources" / "samples" / "flaky-test.jsonl"


@cache
def sample() -> Loaded:
    """The first sample, read and counted once per run."""
    return worker.load(str(SAMPLE), None, None, lambda said, share: True)


def sample_state() -> State:
    """A State of its own for each test."""
    loaded = sample()
    return State(loaded.session, loaded.timeline, loaded.counts)


def request(number: int, read: int, write: int, uncached: int = 0, cost: str | None = "0.01") -> RequestSummary:
    """Request `number` with this usage; its prompt is half results, a quarter answers, the rest not recorded."""
    usage = Usage(uncached, 10, read, write, cost=None if cost is None else Decimal(cost))
    prompt = usage.prompt
    tokens = (prompt // 2, 0, prompt // 4, 0)
    return RequestSummary(
        Request(number, number, "anthropic", "claude", 1_700_000_000_000 + 60_000 * number, None, usage),
        tokens,
        prompt - sum(tokens),
        None,
        None,
        usage.cost,
        cost is not None,
        Decimal(number) * (usage.cost or 0),
    )


def broken(
    summary: RequestSummary, cause: str, lost: int, cost: str | None = "0.10", certainty: str = "likely"
) -> RequestSummary:
    """The same request with a break."""
    found = Break(
        request=summary.request.number,
        entry=summary.request.entry,
        time=summary.request.start,
        gap_s=60.0,
        expected=summary.request.usage.read + lost,
        read=summary.request.usage.read,
        lost=lost,
        cost=None if cost is None else Decimal(cost),
        cause=cause,
        certainty=certainty,  # type: ignore[arg-type]
        detectors=frozenset({"ours"}),
    )
    return replace(summary, broke=found)


def timeline(summaries: Sequence[RequestSummary], next_tokens: tuple[int, ...] = (50, 0, 20, 5)) -> Timeline:
    """A timeline of these requests; everything else is the sample's."""
    return replace(
        sample().timeline,
        summaries=tuple(summaries),
        breaks=tuple(summary.broke for summary in summaries if summary.broke is not None),
        next_tokens=next_tokens,
    )
