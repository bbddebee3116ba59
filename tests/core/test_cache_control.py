"""Marks of an Anthropic request: the recorded cases of OpenClaw 2026.4.5."""

from __future__ import annotations

import pytest

from core.cache_control import cache_control, marked_chat, marked_payload
from tests.reference.vectors import UNDEFINED, Case, assert_same, cases, defined


@pytest.mark.parametrize("case", cases("resolveAnthropicEphemeralCacheControl"))
def test_what_a_mark_says(case: Case) -> None:
    """An hour only where the address is known to grant it; "none" sets no mark at all."""
    given = defined(case.input)
    default = given.get("env", {}).get("PI_CACHE_RETENTION") if isinstance(given.get("env"), dict) else None
    found = cache_control(given.get("baseUrl"), given.get("cacheRetention"), "long" if default == "long" else "short")
    expected = case.output["value"]
    assert (found is None) if expected in (UNDEFINED, None) else found == expected


@pytest.mark.parametrize("case", cases("applyAnthropicPayloadPolicyToParams"))
def test_marks_of_a_request(case: Case) -> None:
    """The system prompt is cut at its boundary and marked above it; so is the end of the last user message."""
    given, policy = defined(case.input)["payload"], defined(case.input)["policy"]
    tier = policy.get("serviceTier") if policy.get("allowsServiceTier") else None
    assert_same(marked_payload(given, policy.get("cacheControl"), tier), case.output["payload"])


@pytest.mark.parametrize("case", cases("applyAnthropicEphemeralCacheControlMarkers"))
def test_marks_of_a_chat_request(case: Case) -> None:
    assert_same(marked_chat(defined(case.input)["payload"]), case.output["payload"])
