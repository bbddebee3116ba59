"""What traces tell of all requests of a path, in a value small enough to be handed to a window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.cache import Break
from core.counter import Counter
from core.leading_sizes import LeadingSizes, leading_sizes
from core.prompt_source import Given
from core.session import Session
from core.timeline import Timeline
from core.trace_calls import Recorded
from core.traced_breaks import Found, traced_breaks


@dataclass(frozen=True, slots=True)
class TracedPath:
    """`breaks`: all breaks of the path, those with the causes that the traces show among them."""

    sizes: LeadingSizes
    breaks: tuple[Break, ...]


def traced_path(
    session: Session,
    timeline: Timeline,
    counter: Counter,
    recordings: Sequence[Recorded],
    findings: Found,
    given: Given,
) -> TracedPath:
    """Of every request of the timeline's path."""
    sizes = leading_sizes(session, timeline, counter, recordings, given)
    return TracedPath(sizes, traced_breaks(session, timeline, recordings, findings).breaks)
