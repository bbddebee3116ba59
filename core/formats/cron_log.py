"""OpenClaw's log of cron runs: recognised and named, no session. Signs: session formats 0."""

from __future__ import annotations

from collections.abc import Sequence

from core.messages import Json
from core.phrase import phrase

ID = "openclaw_cron_log"
TITLE = phrase("format.cron_log")
SUPPORTED = False
REFUSED = phrase("format.cron_log_refused")


def score(objects: Sequence[Json]) -> int:
    return sum(30 for value in objects if {"ts", "jobId", "action"} <= value.keys())
