"""Talks to Anthropic through the real SDK: whoever asks, and whatever for, asks through here.

    consent ─▶ key ─▶ client of the SDK, its logs and retries off ─▶ what the caller does with it
       └ no: nothing is opened, no key looked for      └ whatever goes wrong: one kind of failure, no text, no key

The key comes from ANTHROPIC_API_KEY or, where the package `keyring` is installed, from the system's keyring (service
"stratascope", user "anthropic"); it is held only while a call runs. Needs the optional `stratascope[anthropic]`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from core.phrase import phrase
from core.summarizer import FailureKind, Scene, SummaryError

DEFAULT_URL = "https://api.anthropic.com"
KEY = "ANTHROPIC_API_KEY"
SERVICE, USER = "stratascope", "anthropic"
_LOGGERS = ("anthropic", "httpx2", "httpcore2")

Got = TypeVar("Got")


def called(
    scene: Scene, timeout: float, connect: float, cancelled: Callable[[], bool], use: Callable[[Any], Got]
) -> Got:
    """What `use` makes of the SDK's client. `timeout`: seconds without a byte, `connect`: until there is a connection.

    Raises SummaryError and nothing else."""
    if not scene.consent:
        raise SummaryError("refused", phrase("compaction.no_consent"))
    if cancelled():
        raise SummaryError("aborted")
    key = key_of(scene.environ)
    if not key:
        raise SummaryError("refused", phrase("compaction.no_key", name=KEY))
    failure: SummaryError
    with _silence():
        try:
            with _client(scene.base_url or DEFAULT_URL, key, timeout, connect, cancelled) as client:
                return use(client)
        except SummaryError as error:
            failure = error
        except ImportError:
            failure = SummaryError("refused", phrase("compaction.no_sdk"))
        except Exception as error:  # whatever SDK and network raise; it may hold key and text
            failure = SummaryError("aborted") if cancelled() else _failure(error)
    raise failure  # here, so that it carries no other exception along


@contextmanager
def _client(url: str, key: str, timeout: float, connect: float, cancelled: Callable[[], bool]) -> Iterator[Any]:
    import anthropic
    import httpx2

    from core.transport import transport

    limits = httpx2.Timeout(timeout, connect=connect)
    with (
        anthropic.DefaultHttpxClient(transport=transport(url, cancelled), timeout=limits) as http,
        anthropic.Anthropic(
            api_key=key, base_url=url, timeout=limits, max_retries=0, http_client=http, open_telemetry=False
        ) as client,
    ):
        yield client


def sendable(text: str) -> str:
    """Halves of surrogate pairs, which no UTF-8 can hold, become question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")


def key_of(environ: Mapping[str, str]) -> str | None:
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
