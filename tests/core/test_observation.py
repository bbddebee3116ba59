"""What the agent observes of its own cache, and which breaks come and go as its thresholds move."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.fingerprints import names_digest
from core.observation import Observations, Snapshot, Thresholds, agent_breaks, key_of
from core.trace_records import text_digest
from tests.reference.vectors import UNDEFINED, assert_same, cases

BASE = {
    "sessionId": "s1",
    "provider": "anthropic",
    "modelId": "m",
    "modelApi": "anthropic-messages",
    "cacheRetention": "short",
    "streamStrategy": "boundary",
    "transport": "sse",
    "systemPrompt": "SYS",
    "toolNames": ["a", "b"],
}
"""The call of the recorded cases (their description, section 8)."""

numbers = st.lists(st.one_of(st.none(), st.integers(0, 10**6), st.just(float("nan"))), max_size=20)
thresholds = st.builds(Thresholds, st.floats(0.01, 1), st.integers(0, 100_000))


def snapshot(told) -> Snapshot:
    known = {name: None if value is UNDEFINED else value for name, value in told.items()}
    return Snapshot(
        known.get("provider"),
        known.get("modelId"),
        known.get("modelApi"),
        known.get("cacheRetention"),
        known.get("transport"),
        known.get("streamStrategy"),
        text_digest(known["systemPrompt"]),
        names_digest(known["toolNames"]),
    )


@pytest.mark.parametrize("case", cases("promptCacheObservation"))
def test_observation_agrees(case):
    """Changes against the previous begin, the read against the last one, 512 sessions at most."""
    observed = Observations()
    found = []
    for step in case.input["steps"]:
        told = {**BASE, **step.get("set", {}), **step.get("key", {})}
        key = key_of(told.get("sessionKey"), told["sessionId"])
        if step["op"] == "fill":
            for number in range(step["n"]):
                observed, _ = observed.begin(f"{step['prefix']}{number}", snapshot(BASE))
            found.append({"trackers": len(observed.trackers)})
        elif step["op"] == "begin":
            observed, begun = observed.begin(key, snapshot(told))
            found.append({"changes": begun.changes or None, "previousCacheRead": begun.last})
        else:
            usage = step.get("usage")
            observed, broke = observed.complete(key, usage.get("cacheRead") if isinstance(usage, dict) else None)
            said = broke and {"previousCacheRead": broke.last, "cacheRead": broke.read}
            found.append(said and {**said, "changes": broke.changes or None})
    assert_same({"steps": found, "trackerCount": len(observed.trackers)}, case.output)


@given(numbers, thresholds)
def test_the_detector_is_the_observation(reads, limits):
    """Over the answers of one session, the detector that looks at reads alone says what the observation says."""
    observed, _ = Observations().begin("s", snapshot(BASE))
    told = []
    for read in reads:
        observed, broke = observed.complete("s", read, limits)
        told.append(broke is not None)
    assert agent_breaks(reads, limits) == tuple(told)


@given(numbers)
def test_reads_that_are_none_are_passed_over(reads):
    """What is no number never counts as the previous read."""
    kept = iter(agent_breaks([read for read in reads if isinstance(read, int)]))
    assert agent_breaks(reads) == tuple(next(kept) if isinstance(read, int) else False for read in reads)
