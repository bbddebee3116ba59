"""Capability ids in an order that does not depend on where they came from, and the run-time line that names them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities import Runtime, capability_ids
from tests.reference.vectors import assert_same, cases

FIELDS = {
    "agentId": "agent",
    "host": "host",
    "repoRoot": "repo",
    "os": "os",
    "arch": "arch",
    "node": "node",
    "model": "model",
    "defaultModel": "default_model",
    "shell": "shell",
}


@pytest.mark.parametrize("case", cases("normalizePromptCapabilityIds"))
def test_ids_agree(case):
    assert_same(capability_ids(case.input["capabilities"]), case.output["value"])


@pytest.mark.parametrize("case", cases("buildRuntimeLine"))
def test_runtime_line_agrees(case):
    told = case.input
    known = {FIELDS[name]: value for name, value in (told.get("runtimeInfo") or {}).items() if name in FIELDS and value}
    runtime = Runtime(
        **known,
        channel=told.get("runtimeChannel") or "",
        capabilities=tuple(told.get("capabilities") or ()),
        thinking=told.get("defaultThinkLevel") or "",
    )
    assert_same(runtime.line, case.output["value"])


@given(
    st.lists(st.sampled_from(["reactions", "inlineButtons", "Reactions", " threads ", "a_b", "a-b", "1"])), st.data()
)
def test_the_order_they_came_in_does_not_matter(ids, data):
    """Any shuffle of the same ids gives the same line: the cache stays."""
    assert capability_ids(ids) == capability_ids(data.draw(st.permutations(ids)))
