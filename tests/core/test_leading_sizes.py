"""Tools and system prompt of all requests at once: the sizes that each request's own prompt shows."""

from __future__ import annotations

from pathlib import Path

from core.assembled import assemble
from core.counter import make
from core.counts import count
from core.format import open_session
from core.leading_sizes import leading_sizes
from core.prompt_source import NOTHING, resolve
from core.timeline import build
from core.trace_calls import recordings
from core.trace_findings import all_findings
from core.traced_path import traced_path

SAMPLES = Path(__file__).parents[2] / "resources" / "samples"


def test_as_each_prompt_shows_them() -> None:
    """For every request of the traced sample, whose tools go and come back, and for what would be sent next: the sum of
    the prompt's own parts."""
    session = open_session(str(SAMPLES / "traced-session.jsonl"))
    counter = make("recorded", session)
    counts = count(session, counter)
    timeline = build(session, session.active_leaf, counts)
    recorded = recordings(session, ())
    found = leading_sizes(session, timeline, counter, recorded)
    last = len(timeline.summaries)
    assert len(found.tools) == len(found.system) == last + 1
    for number in range(1, last + 1):
        shown = assemble(session, timeline, counts, number)
        row = timeline.summaries[number - 1].request.entry
        shown = shown.with_source(resolve(session, timeline.path, row, recorded), counter.count)
        sizes = {name: sum(i.tokens for i in shown.leading if i.section == name) for name in ("tools", "system")}
        assert (found.tools[number - 1], found.system[number - 1]) == (sizes["tools"], sizes["system"])
    assert found.tools[4] < min(found.tools[3], found.tools[7])  # three tools went with request 5
    path = traced_path(session, timeline, counter, recorded, all_findings(recorded), NOTHING)
    assert path.sizes == found
    assert [item.request for item in path.breaks] == [item.request for item in timeline.breaks]


def test_nothing_is_known() -> None:
    """Without any source all are 0."""
    session = open_session(str(SAMPLES / "two-branches.jsonl"))
    counter = make("recorded", session)
    timeline = build(session, session.active_leaf, count(session, counter))
    found = leading_sizes(session, timeline, counter, ())
    assert set(found.tools) | set(found.system) == {0}
