"""HTTP for the Anthropic SDK that can be stopped while it waits: the same libraries, but reading asks whether to go on.

A thread could not stop it (the core has none), and a short time-out would break the connection. Imported only by what
talks to the provider, together with the SDK that brings httpx2 and httpcore2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpcore2
import httpx2

POLL = 0.2
"""Seconds after which a silent connection asks whether to go on."""


def transport(url: str, cancelled: Callable[[], bool]) -> httpx2.BaseTransport:
    """For requests to this address; `cancelled()` is asked every POLL seconds while nothing comes."""

    class Stream(httpcore2.NetworkStream):  # type: ignore[misc]
        def __init__(self, stream: Any) -> None:
            self._stream = stream

        def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
            waited = 0.0
            while True:
                if cancelled():
                    raise httpcore2.ReadError("stopped")
                try:
                    data: bytes = self._stream.read(max_bytes, POLL)
                    return data
                except httpcore2.ReadTimeout:
                    waited += POLL
                    if timeout is not None and waited >= timeout:
                        raise

        def write(self, buffer: bytes, timeout: float | None = None) -> None:
            self._stream.write(buffer, timeout)

        def close(self) -> None:
            self._stream.close()

        def start_tls(self, ssl_context: Any, server_hostname: Any = None, timeout: Any = None) -> Stream:
            return Stream(self._stream.start_tls(ssl_context, server_hostname, timeout))

        def get_extra_info(self, info: str) -> Any:
            return self._stream.get_extra_info(info)

    class Backend(httpcore2.SyncBackend):  # type: ignore[misc]
        def connect_tcp(self, *arguments: Any, **options: Any) -> Stream:
            return Stream(super().connect_tcp(*arguments, **options))

    options: dict[str, Any] = {"ssl_context": httpx2.create_ssl_context(), "network_backend": Backend()}
    proxy = _proxy(url)
    pool = httpcore2.HTTPProxy(proxy, **options) if proxy else httpcore2.ConnectionPool(**options)

    class Body(httpx2.SyncByteStream):  # type: ignore[misc]
        def __init__(self, stream: Any) -> None:
            self._stream = stream

        def __iter__(self) -> Iterator[bytes]:
            with _named_errors():
                yield from self._stream

        def close(self) -> None:
            self._stream.close()

    class Transport(httpx2.BaseTransport):  # type: ignore[misc]
        def handle_request(self, request: Any) -> Any:
            asked = httpcore2.Request(
                request.method,
                str(request.url),
                headers=request.headers.raw,
                content=request.stream,
                extensions=request.extensions,
            )
            with _named_errors():
                got = pool.handle_request(asked)
            return httpx2.Response(got.status, headers=got.headers, stream=Body(got.stream), extensions=got.extensions)

        def close(self) -> None:
            pool.close()

    return Transport()


@contextmanager
def _named_errors() -> Iterator[None]:
    """Errors of the lower library as the upper one names them, by which the SDK tells a time-out from a lost line."""
    try:
        yield
    except httpcore2.TimeoutException:
        raise httpx2.ReadTimeout("timed out") from None
    except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.ProxyError):
        raise httpx2.ReadError("connection lost") from None


def _proxy(url: str) -> str | None:
    """The proxy of the environment for this address, if any."""
    parts = urlsplit(url)
    if not parts.hostname or proxy_bypass(parts.hostname):
        return None
    proxies = getproxies()
    return proxies.get(parts.scheme) or proxies.get("all")
