"""The request as the provider gets it, and where its cache marks stand.

    Anthropic messages    tools → system → messages, at most four marks           core/payload_anthropic.py
    OpenAI responses      tools, input: developer text, messages; marks implicit   core/payload_openai.py

Where an agent sets its marks (prompt cache 5):

    openclaw      system above its boundary, last block of the last user message
    pi            system, last block of the last user message
    claude_code   both parts of the system prompt, last block of the last user message, all for an hour
    none          nowhere

Only what makes the prompt stands in it: sampling, thinking budgets and headers are recorded nowhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.cache_control import cache_control
from core.errors import RequestError
from core.layer import Target
from core.messages import Json
from core.payload_anthropic import Control, anthropic_request
from core.payload_openai import openai_request
from core.phrase import phrase
from core.profile import Profile
from core.prompt import Blocks
from core.prompt_source import PromptSource

Placement = Literal["openclaw", "pi", "claude_code", "none"]
PLACEMENTS: tuple[Placement, ...] = ("openclaw", "pi", "claude_code", "none")
Retention = Literal["none", "short", "long"]
RETENTIONS: tuple[Retention, ...] = ("none", "short", "long")
Mark = Literal["5m", "1h"]

ADDRESS = "https://api.anthropic.com"
"""Where a request to the provider "anthropic" goes; of others the address is not in a session."""


@dataclass(frozen=True, slots=True)
class Payload:
    """`request`: JSON as the provider gets it. `marks`: per block in prompt order, tools (one), system (one per text
    block that is sent), then the messages; None = no mark at its end."""

    request: dict[str, Json]
    marks: tuple[Mark | None, ...]


def placement_of(profile: Profile, format: str) -> Placement:
    """Where the agent of a policy sets its marks; a policy that is nobody's takes the session's own agent."""
    name = profile.base or profile.id
    if name.startswith("openclaw") or name == "pi":
        return "pi" if name == "pi" else "openclaw"
    if format == "claude_code":
        return "claude_code"
    return "openclaw" if format == "openclaw" else "pi"


def payload(
    source: PromptSource,
    blocks: Blocks,
    target: Target,
    placement: Placement,
    retention: Retention = "short",
    session: str = "",
    max_tokens: int | None = None,
) -> Payload:
    """`blocks`: what is sent of the messages. `session`: its id, by which OpenAI routes. `max_tokens`: of the answer,
    which Anthropic wants to be told; the agent's own number is not recorded. RequestError where nobody has told the
    form of the provider's requests."""
    system = source.system.text if source.system is not None else None
    if target.family == "anthropic":
        made = anthropic_request(system, source.tools, blocks, target.model, _control(placement, retention, target))
        if max_tokens is not None:
            made.request["max_tokens"] = max_tokens
        return Payload(made.request, tuple(map(_mark, made.controls)))
    if target.family == "openai":
        request = openai_request(system, source.tools, blocks, target.model, session, retention == "long")
        count = len(blocks) + (source.tools is not None) + (len(source.system.sent) if source.system else 0)
        return Payload(request, (None,) * count)
    raise RequestError(phrase("payload.no_family", name=target.provider or target.family))


def _control(placement: Placement, retention: Retention, target: Target) -> Control:
    if placement == "none":
        return Control(None)
    if placement == "claude_code":
        return Control({"type": "ephemeral", "ttl": "1h"}, every_part=True)
    address = ADDRESS if target.provider == "anthropic" else None
    return Control(cache_control(address, retention))


def _mark(control: Json) -> Mark | None:
    if not isinstance(control, dict):
        return None
    return "1h" if control.get("ttl") == "1h" else "5m"
