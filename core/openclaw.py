"""By which signs a session was written by OpenClaw rather than by pi, whose format it shares.

Header and plain messages are alike, so that a session without any sign counts as pi's. Signs (session formats 1.5, 2;
agent pipeline 3): the state folder in the file's place or working directory; entries of type `leaf` or `reset`; custom
entries of OpenClaw's kinds; delivery mirrors; `provenance` of a user message; a heartbeat prompt.
"""

from __future__ import annotations

import os
import re

from core.messages import Json

ENTRY_TYPES = frozenset({"leaf", "reset"})
_KINDS = frozenset({"model-snapshot"})
_PLACE = re.compile(r"(^|/)(\.(openclaw|clawdbot|moltbot)(/|$)|agents/[^/]+/sessions/[^/]+$)")
_HEARTBEATS = ("Read HEARTBEAT.md", "Run the following periodic tasks")


def place(path: str) -> bool:
    """…/.openclaw/…, or agents/NAME/sessions/FILE as its state folder is laid out."""
    return bool(_PLACE.search(path.replace(os.sep, "/").replace("\\", "/")))


def custom_kind(kind: Json) -> bool:
    """`customType` of a custom entry or message."""
    return isinstance(kind, str) and (kind.startswith("openclaw") or kind in _KINDS)


def user_message(message: dict[str, Json]) -> bool:
    """A user message that came from elsewhere, or a heartbeat prompt."""
    if "provenance" in message:
        return True
    content = message.get("content")
    if isinstance(content, list):
        content = next((block.get("text") for block in content if isinstance(block, dict)), None)
    return isinstance(content, str) and content.lstrip().startswith(_HEARTBEATS) and "HEARTBEAT_OK" in content
