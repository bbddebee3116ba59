"""The Anthropic summarizer against a server on this machine: answers, failures, stopping, and what stays secret."""

from __future__ import annotations

import logging
import socket
import sys
import threading
import time
import traceback
from collections.abc import Iterator

import pytest

from core import provider
from core.messages import Message
from core.summarizer import Answer, Ask, Scene, SummaryError
from core.summarizers import anthropic
from core.summarizing import Rules, Summarizing, Work
from tests.core.summarizers.loopback import Server, events, serving

KEY = "sk-ant-api03-SecretKeyOfTheTest0123456789abcdef"
HIDDEN = "the-words-of-the-session-4711"
MESSAGES = (
    Message.of({"role": "user", "content": f"please deploy {HIDDEN}"}),
    Message.of({"role": "assistant", "content": [{"type": "text", "text": "used GITHUB_TOKEN=ghp_" + "a1" * 18}]}),
)
ASK = Ask(1, "chunk", 1, 1, MESSAGES, "before", "Keep names.", 500)
QUICK = anthropic.Settings(timeout=1.0, connect=1.0)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    with serving() as found:
        yield found


def summarizer(server: Server, settings: anthropic.Settings = QUICK, **scene: object) -> anthropic.Anthropic:
    known = {"base_url": server.address, "model": "claude-test", "consent": True, "environ": {anthropic.KEY: KEY}}
    return anthropic.make(settings, Scene(**{**known, **scene}))  # type: ignore[arg-type]


def asked(summarizer: anthropic.Anthropic, **more: object) -> Answer:
    return summarizer.answer(ASK, lambda size: None, lambda: False)


def failure(summarizer: anthropic.Anthropic) -> SummaryError:
    with pytest.raises(SummaryError) as caught:
        asked(summarizer)
    return caught.value


def keys(headers: dict[str, str]) -> list[str]:
    """Where the SDK puts the key is its own affair; it must stand in one place."""
    return [value.removeprefix("Bearer ") for name, value in headers.items() if name in ("authorization", "x-api-key")]


# answers


def test_streams_the_answer(server: Server) -> None:
    """The text in its pieces, the provider's counts, and how far it is."""
    server.reply = lambda reply: reply.stream(events("## Goal\n", "deploy", " ü漢"))
    sizes: list[int] = []
    answer = summarizer(server).answer(ASK, sizes.append, lambda: False)
    assert answer == Answer("## Goal\ndeploy ü漢", 321, 45)
    assert sizes == [8, 14, 17]


def test_sends_the_prompt_and_nothing_else(server: Server) -> None:
    """Model, limit, key in its header; secrets of the session replaced."""
    asked(summarizer(server))
    ((headers, body),) = server.requests
    assert keys(headers) == [KEY]
    assert body["model"] == "claude-test"
    assert body["max_tokens"] == 500
    assert body["stream"] is True
    ((text,),) = [[m["content"] for m in body["messages"]]]
    assert HIDDEN in text
    assert "<previous-summary>\nbefore\n</previous-summary>" in text
    assert text.endswith("Keep names.")
    assert "ghp_" not in text
    assert "[redacted: GitHub token 1]" in text
    assert set(body) == {"model", "max_tokens", "messages", "stream", "system"}


def test_lone_surrogates_can_be_sent(server: Server) -> None:
    """They stand in recorded sessions; no UTF-8 can hold them."""
    ask = Ask(1, "chunk", 1, 1, (Message.of({"role": "user", "content": "x\ud800y"}),), None, None, 500)
    assert summarizer(server).answer(ask, lambda size: None, lambda: False).text == "fine"


# failures


@pytest.mark.parametrize(
    ("status", "kind", "message", "expected"),
    [
        (429, "rate_limit_error", "slow down", "rate_limited"),
        (529, "overloaded_error", "Overloaded", "overloaded"),
        (503, "api_error", "down", "overloaded"),
        (400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum", "overflow"),
        (413, "request_too_large", "too large", "overflow"),
        (400, "invalid_request_error", "max_tokens: wrong", "refused"),
        (401, "authentication_error", "invalid x-api-key", "refused"),
        (403, "permission_error", "no", "refused"),
        (404, "not_found_error", "model: claude-test", "refused"),
        (500, "api_error", "oops", "failed"),
        (504, "timeout_error", "timed out", "timeout"),
    ],
)
def test_refusals(server: Server, status: int, kind: str, message: str, expected: str) -> None:
    """Each by its kind, asked once: the ladder decides what to try again."""
    server.reply = lambda reply: reply.error(status, kind, message, retry_after="7")
    error = failure(summarizer(server))
    assert error.kind == expected
    if expected in ("rate_limited", "overloaded", "failed", "timeout"):
        assert error.retry_after == 7.0
    assert len(server.requests) == 1


def test_the_ladder_waits_as_long_as_the_provider_asks(server: Server) -> None:
    """429 with retry-after, then 529, then an answer: three attempts, two waits."""
    replies = [
        lambda reply: reply.error(429, "rate_limit_error", "slow", retry_after="3.5"),
        lambda reply: reply.error(529, "overloaded_error", "Overloaded"),
        lambda reply: reply.stream(events("at last")),
    ]
    server.reply = lambda reply: replies.pop(0)(reply)
    waited: list[float] = []
    run = Summarizing(summarizer(server).answer, Rules(), wait=waited.append)
    told = run.with_fallback(Work(MESSAGES, 50_000, 200_000, 500))
    assert (told.text, told.rung) == ("at last", 1)
    assert waited == [3.5, 1.0]
    assert [(call.error, call.counted) for call in run.calls] == [
        ("rate_limited", False),
        ("overloaded", False),
        (None, True),
    ]


def test_a_prompt_that_is_too_long_goes_to_the_next_rung_at_once(server: Server) -> None:
    """It would be too long again; without the oversized message it is not."""
    large = Message.of({"role": "toolResult", "content": [{"type": "text", "text": "x" * 500_000}]})

    def reply(reply) -> None:
        if "[Tool result]" in str(server.requests[-1][1]):
            reply.error(400, "invalid_request_error", "prompt is too long")
        else:
            reply.stream(events("short"))

    server.reply = reply
    run = Summarizing(summarizer(server).answer, Rules())
    told = run.with_fallback(Work((*MESSAGES, large), 500_000, 200_000, 500))
    assert told.rung == 2
    assert told.text.startswith("short\n\n[Large toolResult (~125K tokens)")
    assert [call.error for call in run.calls] == ["overflow", None]


def test_an_error_in_the_middle_of_the_stream(server: Server) -> None:
    """The status was 200 by then; the kind counts."""
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    server.reply = lambda reply: reply.stream([*events("half")[:4], error])
    assert failure(summarizer(server)).kind == "overloaded"


@pytest.mark.parametrize("after", [1, 4])
def test_a_stream_that_breaks(server: Server, after: int) -> None:
    """Half an answer is none."""
    server.reply = lambda reply: reply.stream(events("half", "more"), break_after=after)
    assert failure(summarizer(server)).kind == "unreachable"


@pytest.mark.parametrize(
    "body",
    [
        b"<html>It works!</html>",
        b"",
        b"event: message_start\ndata: {not json\n\n",
        b"event: message_start\ndata: {}\n\n",
        b'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta"}}\n\n',
        b"\xff\xfe\x00garbage\n\n",
    ],
)
def test_what_is_no_answer(server: Server, body: bytes) -> None:
    """Of a proxy, a captive portal, another API."""
    server.reply = lambda reply: reply.bytes(body)
    assert failure(summarizer(server)).kind == "malformed"


def test_a_stream_without_an_end(server: Server) -> None:
    """Closed properly, but the message is not."""
    server.reply = lambda reply: reply.stream(events("half")[:5])
    assert failure(summarizer(server)).kind == "malformed"


def test_nobody_there(server: Server) -> None:
    """A refused connection."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}"
    assert failure(summarizer(server, base_url=address)).kind == "unreachable"


@pytest.mark.parametrize("where", ["before", "within"])
def test_silence_is_a_time_out(server: Server, where: str) -> None:
    """Before the first byte and between two of them."""
    if where == "before":
        server.reply = lambda reply: reply.silence()
    else:
        server.reply = lambda reply: reply.stream(events("half"), stall_after=4)
    began = time.monotonic()
    assert failure(summarizer(server)).kind == "timeout"
    assert time.monotonic() - began < 5


# stopping


@pytest.mark.parametrize("where", ["before", "within"])
def test_stopping_while_nothing_comes(server: Server, where: str) -> None:
    """Long before the time-out, also when the server says nothing at all."""
    if where == "before":
        server.reply = lambda reply: reply.silence()
    else:
        server.reply = lambda reply: reply.stream(events("half"), stall_after=4)
    stop = threading.Event()
    timer = threading.Timer(0.4, stop.set)
    timer.start()
    began = time.monotonic()
    with pytest.raises(SummaryError) as caught:
        summarizer(server, anthropic.Settings(timeout=20.0)).answer(ASK, lambda size: None, stop.is_set)
    timer.join()
    assert caught.value.kind == "aborted"
    assert time.monotonic() - began < 5


def test_stopping_between_two_pieces(server: Server) -> None:
    """What came is thrown away."""
    server.reply = lambda reply: reply.stream(events("one", "two", "three"))
    sizes: list[int] = []
    with pytest.raises(SummaryError) as caught:
        summarizer(server).answer(ASK, sizes.append, lambda: bool(sizes))
    assert caught.value.kind == "aborted"
    assert len(sizes) == 1


# what stays secret


def test_without_consent_no_socket_opens(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """And no key is looked for: not even the SDK is loaded."""

    def never(*arguments: object, **options: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", never)
    monkeypatch.setattr(socket, "create_connection", never)
    monkeypatch.setattr(provider, "key_of", never)
    error = failure(summarizer(server, consent=False))
    assert error.kind == "refused"
    assert error.phrase.id == "compaction.no_consent"
    assert server.requests == []


def test_without_a_key_nothing_is_sent(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment is the scene's, not the process's."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setitem(sys.modules, "keyring", None)
    error = failure(summarizer(server, environ={}))
    assert error.phrase.id == "compaction.no_key"
    assert server.requests == []


def test_the_key_may_come_from_the_keyring(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the environment has none."""

    class Keyring:
        @staticmethod
        def get_password(service: str, user: str) -> str:
            assert (service, user) == ("stratascope", "anthropic")
            return KEY

    monkeypatch.setitem(sys.modules, "keyring", Keyring)
    asked(summarizer(server, environ={}))
    assert keys(server.requests[0][0]) == [KEY]


def test_without_the_sdk(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is an optional dependency: a sentence says what to install."""
    monkeypatch.setitem(sys.modules, "anthropic", None)
    assert failure(summarizer(server)).phrase.id == "compaction.no_sdk"


@pytest.mark.parametrize(
    "reply",
    [
        lambda reply: reply.stream(events("fine")),
        lambda reply: reply.error(401, "authentication_error", f"invalid x-api-key {KEY}"),
        lambda reply: reply.error(400, "invalid_request_error", f"messages.0: {HIDDEN} is wrong"),
        lambda reply: reply.stream(events("half"), break_after=4),
        lambda reply: reply.bytes(b"<html></html>"),
    ],
)
def test_neither_key_nor_text_gets_out(server: Server, reply, caplog, capfd, monkeypatch, tmp_path) -> None:
    """Not into logs however loud they are, not onto the screen, not into files, not into the exception or its chain."""
    monkeypatch.setenv("ANTHROPIC_LOG", "debug")
    monkeypatch.chdir(tmp_path)
    caplog.set_level(logging.DEBUG)
    for name in ("anthropic", "anthropic._base_client", "httpx2", "httpcore2", "httpcore2.http11"):
        logging.getLogger(name).setLevel(logging.DEBUG)
    server.reply = reply
    error = None
    try:
        asked(summarizer(server))
    except SummaryError as raised:
        error = raised
    assert error is None or (error.__cause__ is None and error.__context__ is None)
    seen = "".join(traceback.format_exception(error)) + repr(vars(error)) + str(error.phrase) if error else ""
    out, err = capfd.readouterr()
    everything = "\n".join((seen, caplog.text, out, err, repr(summarizer(server))))
    assert KEY not in everything
    assert HIDDEN not in everything
    assert list(tmp_path.iterdir()) == []
    assert not logging.getLogger("anthropic").disabled


def test_loggers_are_as_they_were(server: Server) -> None:
    """Somebody else in the process may use the same libraries."""
    logging.getLogger("httpx2").disabled = True
    asked(summarizer(server))
    assert logging.getLogger("httpx2").disabled
    logging.getLogger("httpx2").disabled = False
