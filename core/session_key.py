"""The agent's key of a session, and the limit of turns that the channel settings derive from it.

    telegram:dm:42            agent:main:discord:channel:777:thread:5

Source: recorded cases of layer k (`getHistoryLimitFromSessionKey`), OpenClaw 2026.4.5.
"""

from __future__ import annotations

import re
from typing import Literal

from core import javascript
from core.messages import Json

_THREAD = re.compile(r":(?:thread|topic):\d+$", re.IGNORECASE)
_ALIASES = {"kimi-code": "kimi", "kimi-coding": "kimi"}


def _provider(name: str) -> str:
    plain = javascript.trim(name).lower()
    return _ALIASES.get(plain, plain)


def _parts(key: str) -> list[str]:
    """Provider, kind and what follows; a leading `agent:ID` is skipped."""
    parts = [part for part in key.split(":") if part]
    return parts[2:] if len(parts) >= 3 and parts[0] == "agent" else parts


def kind(key: str) -> Literal["dm", "channel", ""]:
    """What the key is of: a direct message, a channel or group, or neither."""
    parts = _parts(key)
    named = parts[1].lower() if len(parts) > 1 else ""
    return "dm" if named in ("dm", "direct") else "channel" if named in ("channel", "group") else ""


def history_limit(key: Json, config: Json) -> Json:
    """Turns to keep, as configured (0 is a value); None when nothing says so."""
    if not isinstance(key, str) or not key or not isinstance(config, dict):
        return None
    parts = _parts(key)
    provider = _provider(parts[0]) if parts else ""
    channel = _channel(config, provider) if provider else None
    if channel is None:
        return None
    of = kind(key)
    if of == "dm":
        user = _THREAD.sub("", ":".join(parts[2:]), count=1)
        people = channel.get("dms")
        own = people.get(user) if user and isinstance(people, dict) else None
        if isinstance(own, dict) and "historyLimit" in own:
            return own["historyLimit"]
        return channel.get("dmHistoryLimit")
    return channel.get("historyLimit") if of == "channel" else None


def _channel(config: dict[str, Json], provider: str) -> dict[str, Json] | None:
    channels = config.get("channels")
    if not isinstance(channels, dict):
        return None
    found = next((value for name, value in channels.items() if _provider(name) == provider), None)
    return found if isinstance(found, dict) else None
