"""Asks a model of Anthropic through the real SDK: streaming, and stopping also while nothing comes.

    Ask ─▶ prompt (secrets replaced) ─▶ POST /v1/messages, stream ─▶ Answer with the provider's token counts
                                          └ 429, 529, 400 too long, time-outs, broken streams ─▶ SummaryError

Off until a person has confirmed: without `Scene.consent` no socket is opened and no key is looked for. The key comes
from ANTHROPIC_API_KEY or, where the package `keyring` is installed, from the system's keyring (service "stratascope",
user "anthropic"); it is held only while a call runs. The SDK's own logging, tracing and retries are off: what fails is
told as a kind of failure and nothing else. Needs the optional dependency `stratascope[anthropic]`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from core.phrase import phrase
from core.settings import number
from core.summarizer import Answer, Ask, FailureKind, Progress, Scene, SummaryError
from core.summary_prompt import prompt

ID = "anthropic"
TITLE = phrase("compaction.summarizer.anthropic")
LEAVES = True

DEFAULT_MODEL = "claude-sonnet-4-5"
DEFAULT_URL = "https://api.anthropic.com"
KEY = "ANTHROPIC_API_KEY"
SERVICE, USER = "stratascope", "anthropic"
_LOGGERS = ("anthropic", "httpx2", "httpcore2")


@dataclass(frozen=True, slots=True)
class Settings:
    """`timeout`: seconds without a byte, `connect`: until there is a connection. `output`: most tokens of an answer."""

    timeout: float = number(60.0, 1.0, 600.0, unit="seconds", step=1)
    connect: float = number(10.0, 1.0, 60.0, unit="seconds", step=1)
    output: int = number(8_192, 256, 64_000, unit="tokens", step=256)


@dataclass(frozen=True, slots=True)
class Anthropic:
    settings: Settings
    scene: Scene

    def answer(self, ask: Ask, progress: Progress, cancelled: Callable[[], bool]) -> Answer:
        if not self.scene.consent:
            raise SummaryError("refused", phrase("compaction.no_consent"))
        if cancelled():
            raise SummaryError("aborted")
        key = _key(self.scene.environ)
        if not key:
            raise SummaryError("refused", phrase("compaction.no_key", name=KEY))
        failure: SummaryError
        with _silence():
            try:
                return self._asked(ask, key, progress, cancelled)
            except SummaryError as error:
                failure = error
            except ImportError:
                failure = SummaryError("refused", phrase("compaction.no_sdk"))
            except Exception as error:  # whatever SDK and network raise; it may hold key and text
                failure = SummaryError("aborted") if cancelled() else _failure(error)
        raise failure  # here, so that it carries no other exception along

    def _asked(self, ask: Ask, key: str, progress: Progress, cancelled: Callable[[], bool]) -> Answer:
        import anthropic
        import httpx2

        from core.transport import transport

        wait = self.settings.timeout
        timeout = httpx2.Timeout(wait, connect=self.settings.connect)
        url = self.scene.base_url or DEFAULT_URL
        sent = prompt(ask)
        with (
            anthropic.DefaultHttpxClient(transport=transport(url, cancelled), timeout=timeout) as http,
            anthropic.Anthropic(
                api_key=key, base_url=url, timeout=timeout, max_retries=0, http_client=http, open_telemetry=False
            ) as client,
        ):
            stream = client.messages.create(
                model=self.scene.model or DEFAULT_MODEL,
                max_tokens=min(self.settings.output, max(256, ask.max_output)),
                system=sent.system,
                messages=[{"role": "user", "content": _sendable(sent.user.text)}],
                stream=True,
            )
            with stream:
                return _read(stream, progress, cancelled)


def _read(stream: Any, progress: Progress, cancelled: Callable[[], bool]) -> Answer:
    """The answer from its events; malformed when they do not come to an end."""
    pieces: list[str] = []
    size = 0
    taken = given = None
    ended = False
    for event in stream:
        if cancelled():
            raise SummaryError("aborted")
        match event.type:
            case "message_start":
                usage = event.message.usage
                read, written = usage.cache_read_input_tokens, usage.cache_creation_input_tokens
                taken = usage.input_tokens + (read or 0) + (written or 0)
            case "content_block_delta" if event.delta.type == "text_delta":
                pieces.append(event.delta.text)
                size += len(event.delta.text)
                progress(size)
            case "message_delta":
                given = event.usage.output_tokens
                if event.delta.stop_reason == "refusal":
                    raise SummaryError("refused", phrase("compaction.model_refused"))
            case "message_stop":
                ended = True
    if not ended:
        raise SummaryError("malformed")
    return Answer("".join(pieces), taken, given)


def make(settings: Settings, scene: Scene) -> Anthropic:
    return Anthropic(settings, scene)


def _sendable(text: str) -> str:
    """Halves of surrogate pairs, which no UTF-8 can hold, become question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _key(environ: Mapping[str, str]) -> str | None:
    key = environ.get(KEY, "").strip()
    if key:
        return key
    try:
        import keyring

        found = keyring.get_password(SERVICE, USER)
    except Exception:  # not installed, no backend, locked: no key
        return None
    return found if isinstance(found, str) else None


@contextmanager
def _silence() -> Iterator[None]:
    """No log of SDK and HTTP library while a call runs: it would hold headers and, when debugging, the request."""
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    before = [logger.disabled for logger in loggers]
    children = [
        child
        for name, child in logging.Logger.manager.loggerDict.items()
        if isinstance(child, logging.Logger) and name.startswith(tuple(f"{root}." for root in _LOGGERS))
    ]
    before_children = [child.disabled for child in children]
    try:
        for logger in (*loggers, *children):
            logger.disabled = True
        yield
    finally:
        for logger, was in zip((*loggers, *children), (*before, *before_children), strict=True):
            logger.disabled = was


# failures


def _failure(error: Exception) -> SummaryError:
    """What went wrong, without a word of what the error says: that may quote the request."""
    import anthropic
    import httpx2

    if isinstance(error, anthropic.APIStatusError):
        return _of_status(error)
    if isinstance(error, anthropic.APITimeoutError | httpx2.TimeoutException):
        return SummaryError("timeout")
    if isinstance(error, anthropic.APIConnectionError | httpx2.TransportError):
        return SummaryError("unreachable")
    return SummaryError("malformed")


_BY_TYPE: dict[str, FailureKind] = {
    "rate_limit_error": "rate_limited",
    "overloaded_error": "overloaded",
    "timeout_error": "timeout",
    "request_too_large": "overflow",
}


def _of_status(error: Any) -> SummaryError:
    status, kind = error.status_code, error.type
    wait = _seconds(error.response.headers.get("retry-after"))
    if kind in _BY_TYPE:  # also for an error that comes in the middle of a stream, with status 200
        return SummaryError(_BY_TYPE[kind], retry_after=wait)
    if status == 429:
        return SummaryError("rate_limited", retry_after=wait)
    if status in (503, 529):
        return SummaryError("overloaded", retry_after=wait)
    if status == 413 or (status == 400 and "too long" in str(error.api_message or "").lower()):
        return SummaryError("overflow")
    if 400 <= status < 500:
        return SummaryError("refused", phrase("compaction.refused", status=status))
    return SummaryError("failed", phrase("compaction.server_failed", status=status), wait)


def _seconds(value: str | None) -> float | None:
    try:
        return max(0.0, float(value)) if value else None
    except ValueError:  # a date: the usual delays have to do
        return None
