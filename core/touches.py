"""When the provider's cache was last touched, as far as the session file tells: what cache-TTL pruning waits for.

OpenClaw writes an `openclaw.cache-ttl` custom entry after each turn while this pruning is switched on (session formats
2); a file without one was written with pruning off, or by another agent. The start of the last successful request is
what the provider's own clock runs from (prompt cache 1).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from core.javascript import epoch_ms
from core.messages import Json
from core.session import Session, is_request

MARKER = "openclaw.cache-ttl"
FARTHEST = 500
"""Custom entries that are looked at: one is written every turn, so that further back there is none."""


def touches(session: Session, path: Sequence[int]) -> dict[str, Json]:
    """For `StepContext.extra`: `cache_marker` (time of the last marker) and `last_request` (start of the last request
    that succeeded) on the path before a request, epoch ms; a key is absent where nothing is recorded."""
    found: dict[str, Json] = {}
    for name, time in (("cache_marker", last_marker(session, path)), ("last_request", last_request(session, path))):
        if time is not None:
            found[name] = time
    return found


def last_marker(session: Session, path: Sequence[int]) -> int | None:
    """Epoch ms of the last marker on the path that has a time; its entry's own time where its data has none."""
    if "custom" not in session.columns.kinds:
        return None
    custom = (row for row in reversed(path) if session.type_of(row) == "custom")
    for row in islice(custom, FARTHEST):
        if MARKER.encode() not in session.line_bytes(row):
            continue
        time = _time(session.body(row))
        if time is not None:
            return time
    return None


def _time(body: Json) -> int | None:
    if body.get("customType") != MARKER:
        return None
    data = body.get("data")
    time = epoch_ms(data.get("timestamp")) if isinstance(data, dict) else None
    return epoch_ms(body.get("timestamp")) if time is None else time


def last_request(session: Session, path: Sequence[int]) -> int | None:
    """Epoch ms of the start of the last request on the path that neither failed nor was aborted."""
    for row in reversed(path):
        reply = session.reply(row)
        if reply is None or reply.stop in ("error", "aborted") or not is_request(reply):
            continue
        if reply.start is not None:
            return reply.start
    return None
