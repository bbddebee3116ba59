"""OpenClaw trajectory side files: what one run compiled and sent, beside a session. Recognised and named, no session.

Signs: session formats 0 and 2.1.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.messages import Json
from core.phrase import phrase

ID = "openclaw_trajectory"
TITLE = phrase("format.trajectory")
SUPPORTED = False
REFUSED = phrase("format.trajectory_refused")


def score(objects: Sequence[Json]) -> int:
    return sum(30 for value in objects if value.get("traceSchema") == "openclaw-trajectory")
