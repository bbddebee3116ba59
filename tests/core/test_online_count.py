"""Counting by the provider, against a server on this machine: what is sent, what comes of it, and what never leaves."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from core import online_count, provider
from core.errors import RequestError
from core.online_count import OnlineCount, Preview, count, preview
from core.provider import KEY
from core.summarizer import Scene
from tests.core.summarizers.loopback import Server, serving

SECRET = "sk-ant-api03-SecretKeyOfTheTest0123456789abcdef"
TOKEN = "ghp_" + "a1" * 18
REQUEST = {
    "model": "claude-test",
    "max_tokens": 5,
    "tools": [{"name": "read", "input_schema": {}}],
    "system": [{"type": "text", "text": "be kind", "cache_control": {"type": "ephemeral"}}],
    "messages": [{"role": "user", "content": f"use {TOKEN} \ud800"}],
}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    with serving() as found:
        found.reply = lambda reply: answer(found, reply)
        yield found


def answer(server: Server, reply: Any) -> None:
    """1,000 tokens for tools, 200 for the system prompt, 30 for the messages."""
    body = server.requests[-1][1]
    tokens = 1_000 * ("tools" in body) + 200 * ("system" in body) + 30
    reply.bytes(json.dumps({"input_tokens": tokens}).encode(), 200, "application/json")


def scene(server: Server, **more: Any) -> Scene:
    return Scene(**{"base_url": server.address, "consent": True, "environ": {KEY: SECRET}, **more})


def counted(server: Server, shown: Preview | None = None, **more: Any) -> OnlineCount:
    return count(shown or preview(REQUEST, server.address), scene(server, **more), lambda: False)


def test_parts_by_difference(server: Server) -> None:
    """Three calls: whole, without tools, messages alone."""
    assert counted(server) == OnlineCount(1_230, 1_000, 200, 30)
    sent = [sorted(body) for _, body in server.requests]
    assert sent == [["messages", "model", "system", "tools"], ["messages", "model", "system"], ["messages", "model"]]


def test_only_what_is_there_is_asked_for(server: Server) -> None:
    """Messages alone are one call."""
    shown = preview({"model": "m", "messages": REQUEST["messages"]}, server.address)
    assert counted(server, shown) == OnlineCount(30, None, None, 30)
    bare = preview({**REQUEST, "tools": []}, server.address)
    assert counted(server, bare) == OnlineCount(230, None, 200, 30)


def test_the_preview_is_what_is_sent(server: Server) -> None:
    """Every body to the byte, secrets replaced, the rest of the request left out."""
    shown = preview(REQUEST, server.address)
    counted(server, shown)
    assert [body for _, body in server.requests] == list(shown.bodies)
    assert "max_tokens" not in shown.bodies[0]
    assert (shown.secrets, shown.images, shown.model, shown.address) == (1, 0, "claude-test", server.address)
    assert shown.size == sum(len(json.dumps(body, ensure_ascii=False).encode()) for body in shown.bodies)
    assert TOKEN not in shown.text
    assert "[redacted: GitHub token 1]" in shown.text
    assert "be kind" in shown.text


def test_pictures_go_along() -> None:
    """Their bytes are what is counted; their number is shown before."""
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}
    shown = preview({"model": "m", "messages": [{"role": "user", "content": [picture]}]})
    assert shown.images == 1
    assert shown.bodies[0]["messages"][0]["content"] == [picture]
    assert shown.address == "https://api.anthropic.com"


@pytest.mark.parametrize(
    ("request_", "said"),
    [({"model": "m"}, "no messages"), ({"messages": []}, "no messages")],
)
def test_nothing_to_count(request_: dict[str, Any], said: str) -> None:
    with pytest.raises(RequestError, match=said):
        preview(request_)


def test_too_deep_to_be_sent() -> None:
    """Recorded arguments nest as deeply as they like."""
    deep: Any = "x"
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(RequestError, match="too deep"):
        preview({"model": "m", "messages": [{"role": "user", "content": deep}]})


def test_without_consent_no_socket_opens(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is a key looked for."""

    def never(*arguments: object, **options: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", never)
    monkeypatch.setattr(provider, "key_of", never)
    with pytest.raises(RequestError, match="Nothing was sent"):
        counted(server, consent=False)
    assert server.requests == []


@pytest.mark.parametrize(
    ("status", "kind", "said"),
    [
        (429, "rate_limit_error", "rate limit"),
        (401, "authentication_error", "refused the call"),
        (500, "api_error", "The provider failed"),
        (504, "timeout_error", "did not answer in time"),
    ],
)
def test_refusals(server: Server, status: int, kind: str, said: str) -> None:
    """One sentence each, without a word of what the provider wrote."""
    server.reply = lambda reply: reply.error(status, kind, f"bad {TOKEN} {SECRET}")
    with pytest.raises(RequestError, match=said) as caught:
        counted(server)
    assert TOKEN not in str(caught.value)
    assert SECRET not in str(caught.value)
    assert len(server.requests) == 1


@pytest.mark.parametrize("body", [b"{}", b'{"input_tokens": "many"}', b'{"input_tokens": -4}', b"<html>"])
def test_what_is_no_count(server: Server, body: bytes) -> None:
    """Of a proxy or another API: no number is made of it."""
    server.reply = lambda reply: reply.bytes(body, 200, "application/json")
    with pytest.raises(RequestError, match="no answer of this API"):
        counted(server)


def test_silence_is_a_time_out(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(online_count, "TIMEOUT", 0.6)
    server.reply = lambda reply: reply.silence()
    with pytest.raises(RequestError, match="Anthropic did not answer in time"):
        counted(server)


def test_stopping_while_nothing_comes(server: Server) -> None:
    """Long before the time-out."""
    server.reply = lambda reply: reply.silence()
    stop = threading.Event()
    timer = threading.Timer(0.3, stop.set)
    timer.start()
    began = time.monotonic()
    with pytest.raises(RequestError, match="stopped"):
        count(preview(REQUEST, server.address), scene(server), stop.is_set)
    timer.join()
    assert time.monotonic() - began < 5
