"""A server on this machine that speaks the Messages API as far as a summarizer needs it, and fails as it is told."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Event = dict[str, Any]


def events(*texts: str, input_tokens: int = 321, output_tokens: int = 45, stop: str = "end_turn") -> list[Event]:
    """The events of an answer that comes in these pieces."""
    usage = {"input_tokens": input_tokens, "output_tokens": 1, "cache_read_input_tokens": 0}
    message = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "content": [],
        "model": "m",
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    return [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "ping"},
        *({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}} for text in texts),
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": stop, "stop_sequence": None},
            "usage": {"output_tokens": output_tokens},
        },
        {"type": "message_stop"},
    ]


class Server:
    """`address` to ask. `requests`: (headers, body) of each that came. `reply`: what to do with the next ones."""

    def __init__(self) -> None:
        self.requests: list[tuple[dict[str, str], dict[str, Any]]] = []
        self.reply: Callable[[Reply], None] = lambda reply: reply.stream(events("fine"))
        self.released = threading.Event()
        """Set when the test is over: whatever still waits may go."""
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                outer.requests.append(({name.lower(): value for name, value in self.headers.items()}, body))
                outer.reply(Reply(self, outer.released))

            def log_message(self, *arguments: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}"

    def serve(self) -> None:
        self._server.serve_forever(0.02)

    def close(self) -> None:
        self.released.set()
        self._server.shutdown()
        self._server.server_close()


class Reply:
    """One answer. After each of its methods the connection is at its end."""

    def __init__(self, handler: BaseHTTPRequestHandler, released: threading.Event) -> None:
        self._handler = handler
        self._released = released

    def error(self, status: int, kind: str, message: str, **headers: str) -> None:
        body = {"type": "error", "error": {"type": kind, "message": message}}
        self.bytes(json.dumps(body).encode(), status, "application/json", **headers)

    def bytes(self, body: bytes, status: int = 200, kind: str = "text/event-stream", **headers: str) -> None:
        self._begin(status, kind, {"content-length": str(len(body)), **headers})
        self._handler.wfile.write(body)

    def stream(self, told: list[Event], stall_after: int | None = None, break_after: int | None = None) -> None:
        """The events one by one; after so many of them silence, or a connection that is cut."""
        self._begin(200, "text/event-stream", {"transfer-encoding": "chunked"})
        for number, event in enumerate(told):
            if number == stall_after:
                self._released.wait(30)
                return self._cut()
            if number == break_after:
                return self._cut()
            text = f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()
            self._handler.wfile.write(b"%x\r\n%s\r\n" % (len(text), text))
            self._handler.wfile.flush()
        self._handler.wfile.write(b"0\r\n\r\n")
        return None

    def silence(self) -> None:
        """Not even a status line."""
        self._released.wait(30)
        self._cut()

    def _begin(self, status: int, kind: str, headers: dict[str, str]) -> None:
        self._handler.send_response(status)
        self._handler.send_header("content-type", kind)
        for name, value in headers.items():
            self._handler.send_header(name.replace("_", "-"), value)
        self._handler.end_headers()

    def _cut(self) -> None:
        self._handler.close_connection = True


@contextmanager
def serving() -> Iterator[Server]:
    server = Server()
    thread = threading.Thread(target=server.serve, name="loopback", daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.close()
        thread.join(5)
