"""The signs by which a session is OpenClaw's (each of them in a whole file: tests/core/formats/test_pi.py)."""

from __future__ import annotations

import pytest

from core import openclaw


@pytest.mark.parametrize(
    ("path", "sign"),
    [
        ("/home/a/.openclaw/agents/main/sessions/x.jsonl", True),
        ("/home/a/.openclaw", True),
        ("C:\\Users\\a\\.openclaw\\agents\\main\\sessions\\x.jsonl", True),
        ("agents/main/sessions/x.jsonl", True),
        ("/agents/main/sessions/old/x.jsonl", False),
        ("/home/a/openclaw/x.jsonl", False),
        ("/home/a/.openclawish/x.jsonl", False),
        ("", False),
    ],
)
def test_place(path, sign):
    assert openclaw.place(path) is sign


@pytest.mark.parametrize(
    ("kind", "sign"), [("openclaw.cache-ttl", True), ("model-snapshot", True), ("other", False), (7, False)]
)
def test_custom_kind(kind, sign):
    assert openclaw.custom_kind(kind) is sign


@pytest.mark.parametrize("content", [None, 7, [], [None], [{}], [{"text": 5}], "", "HEARTBEAT_OK", "Read HEARTBEAT.md"])
def test_ordinary_user_messages(content):
    assert not openclaw.user_message({"role": "user", "content": content})
