"""What a history must look like for a provider: which cleanings and merges the agent applies for whom.

    Anthropic, Bedrock   users merged, ids strict, a Claude model loses older thinking
    Google               assistants merged, ids strict, a leading assistant gets a user in front
    OpenAI completions   assistants and users merged, ids strict          responses: ids strict only
    any other API        nothing beyond pairing

Source: recorded cases of layer c (`transcriptPolicyFallback`), OpenClaw 2026.4.5: the policy for providers without a
plug-in of their own. Policies of the plug-ins are not recorded. A layer's setting "by_provider" is resolved here from
the target of the request, so that one profile serves a session that changes its model.
"""

from __future__ import annotations

from dataclasses import dataclass

ANTHROPIC = frozenset({"anthropic-messages", "bedrock-converse-stream"})
GOOGLE = frozenset({"google-generative-ai"})
"""`google-vertex` and others fall through to the defaults, as recorded."""
COMPLETIONS = frozenset({"openai-completions"})
OPENAI = COMPLETIONS | {"openai-responses", "openai-codex-responses", "azure-openai-responses"}


@dataclass(frozen=True, slots=True)
class TranscriptPolicy:
    """`sanitize`: "full" or "images-only". `call_ids`: "strict" or "" (ids stay). `preserve_signatures`: of thinking.
    `drop_thinking`: from all assistants but the last. `user_first`: a leading assistant gets a user in front.
    `merge_assistants`, `merge_users`: neighbours become one. `synthetic_results`: may be written for open calls.
    `thought_signatures`: only base64 ones stay, in either spelling.
    """

    sanitize: str
    call_ids: str
    preserve_signatures: bool
    drop_thinking: bool
    user_first: bool
    merge_assistants: bool
    merge_users: bool
    synthetic_results: bool
    thought_signatures: bool


def transcript_policy(api: str, model: str) -> TranscriptPolicy:
    """`transcriptPolicyFallback` for the API and the model of a request."""
    anthropic, google, completions = api in ANTHROPIC, api in GOOGLE, api in COMPLETIONS
    return TranscriptPolicy(
        sanitize="full" if anthropic or google else "images-only",
        call_ids="strict" if anthropic or google or api in OPENAI else "",
        preserve_signatures=anthropic,
        drop_thinking=anthropic and "claude" in model.lower(),
        user_first=google or completions,
        merge_assistants=google or completions,
        merge_users=anthropic or completions,
        synthetic_results=anthropic or google,
        thought_signatures=google,
    )


def family_of(api: str, fallback: str) -> str:
    """Whose rules a prompt for this API must keep: "anthropic", "openai", "google"; `fallback` for any other."""
    if api in ANTHROPIC:
        return "anthropic"
    if api.startswith("google"):
        return "google"
    return "openai" if api in OPENAI else fallback
