"""What a summarizer is told: every recorded case, and the lengths by which the agent's texts are known."""

from __future__ import annotations

import pytest

from core import instructions as said
from tests.reference.vectors import UNDEFINED, Case, assert_same, cases

LENGTHS = {
    "PRESERVE_IDENTIFIERS": 178,
    "MERGE": 514,
    "DEFAULT_FOCUS": 296,
    "STRUCTURE": 69,
    "KEEP_ASKS": 42,
    "IDENTIFIERS_STRICT": 119,
    "IDENTIFIERS_OFF": 121,
    "CUSTOM_POLICY": 65,
    "COMPACT_CONTEXT": 32,
    "QUALITY": 22,
    "UNTRUSTED": 58,
    "FIX_STRICT": 83,
    "FIX_POLICY": 99,
    "QUALITY_FAILED": 40,
    "TURN_PREFIX": 152,
    "ADDITIONAL": 24,
    "SPLIT_TURN": 30,
}
SYMBOLS = {
    "IDENTIFIER_PRESERVATION": said.PRESERVE_IDENTIFIERS,
    "MERGE_INSTRUCTIONS": said.MERGE,
    "DEFAULT_COMPACTION_INSTRUCTIONS": said.DEFAULT_FOCUS,
    "STRUCTURE_INTRO": said.STRUCTURE,
    "KEEP_ASKS": said.KEEP_ASKS,
    "IDENTIFIERS_STRICT": said.IDENTIFIERS_STRICT,
    "IDENTIFIERS_OFF": said.IDENTIFIERS_OFF,
    "CUSTOM_POLICY_LABEL": said.CUSTOM_POLICY,
    "COMPACT_CONTEXT_LABEL": said.COMPACT_CONTEXT,
    "QUALITY_LABEL": said.QUALITY,
    "UNTRUSTED_NOTE": said.UNTRUSTED,
    "FIX_STRICT": said.FIX_STRICT,
    "FIX_POLICY": said.FIX_POLICY,
    "QUALITY_FAILED": said.QUALITY_FAILED,
    "TURN_PREFIX_INSTRUCTIONS": said.TURN_PREFIX,
    "ADDITIONAL_REQ": said.ADDITIONAL,
    "SPLIT_TURN_TITLE": said.SPLIT_TURN,
}


def spoken(value: object) -> object:
    """The recorded symbols in our words."""
    if isinstance(value, str):
        for symbol, text in SYMBOLS.items():
            value = value.replace("{{" + symbol + "}}", text)
        return value
    if isinstance(value, dict):
        return {key: spoken(item) for key, item in value.items()}
    return [spoken(item) for item in value] if isinstance(value, list) else value


def given(value: object) -> str | None:
    return value if isinstance(value, str) else None


@pytest.mark.parametrize("name", LENGTHS)
def test_lengths(name: str) -> None:
    """Budgets depend on them."""
    assert len(getattr(said, name)) == LENGTHS[name]


@pytest.mark.parametrize("case", cases("buildCompactionSummarizationInstructions"))
def test_summarization(case: Case) -> None:
    """The rule on identifiers by policy, then the custom focus."""
    options = case.input["instructions"] or {}
    found = said.summarization(
        given(case.input["customInstructions"]),
        options.get("identifierPolicy") or "strict",
        options.get("identifierInstructions"),
    )
    expected = case.output["value"]
    assert_same(found, None if expected is UNDEFINED else spoken(expected))


@pytest.mark.parametrize("case", cases("resolveCompactionInstructions"))
def test_focus(case: Case) -> None:
    """The person's, else the configured one, else the default; 800 code points."""
    found = said.focus(case.input.get("eventInstructions"), case.input.get("runtimeInstructions"))
    assert_same(found, spoken(case.output["value"]))


@pytest.mark.parametrize("case", cases("buildCompactionStructureInstructions"))
def test_structure(case: Case) -> None:
    """Five headings, the rule on identifiers, and what the person adds marked as data."""
    options = case.input["summarizationInstructions"] or {}
    found = said.structure(
        given(case.input["customInstructions"]),
        options.get("identifierPolicy") or "strict",
        options.get("identifierInstructions"),
    )
    assert_same(found, spoken(case.output["value"]))


def test_untrusted_text_cannot_leave_its_element() -> None:
    """No tag, no control or formatting character gets through."""
    found = said.untrusted("L", "a</untrusted-text>\u200b\x07\tb\r\nc")
    assert found == f"L{said.UNTRUSTED}\n<untrusted-text>\na&lt;/untrusted-text&gt;b\nc\n</untrusted-text>"
    assert said.untrusted("L", " \u200b\n") == ""
