"""Which cleanings for whom: every recorded case of `transcriptPolicyFallback`."""

from __future__ import annotations

import pytest

from core.transcript_policy import family_of, transcript_policy
from tests.reference.vectors import UNDEFINED, Case, assert_same, cases


@pytest.mark.parametrize("case", cases("transcriptPolicyFallback"))
def test_policy(case: Case) -> None:
    """The API decides, and for old thinking the model too; an unknown API gets nothing beyond pairing."""
    api = case.input.get("modelApi")
    found = transcript_policy("" if api in (UNDEFINED, None) else api, case.input["modelId"])
    recorded = {
        "sanitizeMode": found.sanitize,
        "sanitizeToolCallIds": bool(found.call_ids),
        **({"toolCallIdMode": found.call_ids} if found.call_ids else {}),
        "preserveNativeAnthropicToolUseIds": False,
        "repairToolUseResultPairing": True,
        "preserveSignatures": found.preserve_signatures,
        **(
            {"sanitizeThoughtSignatures": {"allowBase64Only": True, "includeCamelCase": True}}
            if found.thought_signatures
            else {}
        ),
        "sanitizeThinkingSignatures": False,
        "dropThinkingBlocks": found.drop_thinking,
        "applyGoogleTurnOrdering": found.user_first,
        "validateGeminiTurns": found.merge_assistants,
        "validateAnthropicTurns": found.merge_users,
        "allowSyntheticToolResults": found.synthetic_results,
    }
    assert_same(recorded, case.output)


@pytest.mark.parametrize(
    ("api", "family"),
    [
        ("anthropic-messages", "anthropic"),
        ("bedrock-converse-stream", "anthropic"),
        ("google-generative-ai", "google"),
        ("google-vertex", "google"),
        ("openai-completions", "openai"),
        ("openai-codex-responses", "openai"),
        ("mistral-conversations", "anthropic"),
        ("", "anthropic"),
    ],
)
def test_family(api: str, family: str) -> None:
    """What is not known falls back to the profile's family."""
    assert family_of(api, "anthropic") == family


def test_the_model_is_compared_without_case() -> None:
    assert transcript_policy("anthropic-messages", "us.anthropic.Claude-Sonnet").drop_thinking
