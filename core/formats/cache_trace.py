"""OpenClaw cache traces: what single calls sent, stage by stage, beside a session. Recognised and named, no session.

Signs: agent pipeline 4 (one record a stage, with `runId`, `seq` and `stage`).
"""

from __future__ import annotations

from collections.abc import Sequence

from core.messages import Json
from core.phrase import phrase

ID = "openclaw_cache_trace"
TITLE = phrase("format.cache_trace")
SUPPORTED = False
REFUSED = phrase("format.cache_trace_refused")


def score(objects: Sequence[Json]) -> int:
    return sum(30 for value in objects if {"runId", "seq", "stage"} <= value.keys())
