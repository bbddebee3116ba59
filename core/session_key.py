"""The agent's key of a session, and the limit of turns that the channel settings derive from it.

    telegram:dm:42            agent:main:discord:channel:777:thread:5

Source: recorded cases of layer k (`getHistoryLimitFromSessionKey`), OpenClaw 2026.4.5. A session file does not hold its
key: the agent's index beside it (`sessions.json`, an object from key to what is known of the session) and the lines of
a trajectory file do (session formats 2); `core.beside` reads them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from core import javascript
from core.messages import Json


@dataclass(frozen=True, slots=True)
class Told:
    """What is known of a session beside its file. `key`: the agent's own, "" = unknown. `source`: where it stands:
    the index, a trajectory file, or a person said it. `config`: the channels' limits, see `limits`."""

    key: str = ""
    source: Literal["index", "trajectory", "given", ""] = ""
    config: Json = None


NOTHING = Told()

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


# where a key stands


def key_in_index(index: Json, session_id: str, file_name: str) -> str:
    """The key of a session in the agent's index, "" when it is not there.

    An entry names its file, its session, or both; the file decides where several keys share a session (topics)."""
    if not isinstance(index, dict):
        return ""
    known = [(str(key), entry) for key, entry in index.items() if isinstance(entry, dict)]
    for key, entry in known:
        place = entry.get("sessionFile")
        if file_name and isinstance(place, str) and re.split(r"[/\\]", place)[-1] == file_name:
            return key
    return next((key for key, entry in known if session_id and entry.get("sessionId") == session_id), "")


def limits(config: Json) -> Json:
    """Of an agent's configuration only what `history_limit` asks for: it may hold secrets, and none is kept."""
    channels = config.get("channels") if isinstance(config, dict) else None
    if not isinstance(channels, dict):
        return None
    return {"channels": {name: dict(_limits_of(value)) for name, value in channels.items() if isinstance(value, dict)}}


def _limits_of(channel: dict[str, Json]) -> Iterator[tuple[str, Json]]:
    for name in ("historyLimit", "dmHistoryLimit"):
        if name in channel:
            yield name, channel[name]
    people = channel.get("dms")
    if isinstance(people, dict):
        kept = {user: own for user, own in people.items() if isinstance(own, dict) and "historyLimit" in own}
        yield "dms", {user: {"historyLimit": own["historyLimit"]} for user, own in kept.items()}
