"""The provider's own count of a whole request: Anthropic's `count_tokens`, asked for by a person who saw what is sent.

    request ─▶ preview (secrets replaced, size, address) ─ confirmed ─▶ up to three calls ─▶ tools · system · messages
                                                                         whole, without tools, messages alone

It is no counter of `core.counters`: those count one message, at any time and without a network, and their numbers
stand beside every block. This one counts a request, exactly, and its parts by difference. A secret that was replaced
counts as its note, an image as itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from core.errors import RequestError
from core.messages import Json
from core.phrase import phrase
from core.provider import DEFAULT_URL, called, sendable
from core.redaction import redact
from core.summarizer import Scene, SummaryError

KEPT = ("model", "tools", "tool_choice", "system", "messages", "thinking")
"""What of a request counts; everything else is not sent."""
TIMEOUT, CONNECT = 60.0, 10.0
"""Seconds without a byte, and until there is a connection."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What would leave the machine, and where to. `bodies`: one per call, exactly as they are sent; `size`: bytes of
    them all. `secrets`: how many were replaced; `images`: how many go along."""

    address: str
    model: str
    bodies: tuple[dict[str, Json], ...]
    size: int
    secrets: int
    images: int

    @property
    def text(self) -> str:
        """The first body, which holds all that the others do, for reading."""
        return json.dumps(self.bodies[0], ensure_ascii=False, indent=2)


@dataclass(frozen=True, slots=True)
class OnlineCount:
    """Tokens as the provider counted them. `total` of the whole request; the parts by difference, None = it has none
    of them. What frames the messages is in `messages`."""

    total: int
    tools: int | None
    system: int | None
    messages: int


def preview(request: Mapping[str, Json], base_url: str = "") -> Preview:
    """`request`: as Anthropic gets it (`core.payload`). Nothing is opened. RequestError when there is nothing to count,
    or it could not be sent at all."""
    if not request.get("messages"):
        raise RequestError(phrase("online_count.no_messages"))
    tally = _Tally()
    try:
        whole = {name: tally.cleaned(request[name]) for name in KEPT if request.get(name)}
        bodies = [whole]
        if "tools" in whole:
            bodies.append(_without(bodies[-1], "tools", "tool_choice"))
        if "system" in whole:
            bodies.append(_without(bodies[-1], "system"))
        size = sum(len(json.dumps(body, ensure_ascii=False).encode()) for body in bodies)
    except RecursionError:
        raise RequestError(phrase("online_count.too_deep")) from None
    model = whole.get("model")
    return Preview(base_url or DEFAULT_URL, str(model or ""), tuple(bodies), size, tally.secrets, tally.images)


def count(shown: Preview, scene: Scene, cancelled: Callable[[], bool]) -> OnlineCount:
    """Asks. `scene.consent`: a person confirmed `shown`. RequestError says why there is no count."""
    try:
        counts = called(scene, TIMEOUT, CONNECT, cancelled, lambda client: _counts(client, shown, cancelled))
    except SummaryError as error:
        why = phrase("online_count.timeout") if error.kind == "timeout" else error.phrase
        raise RequestError(phrase("online_count.none", why=why)) from None
    left = list(counts)
    total = left[0]
    parts: dict[str, int] = {}
    for name in ("tools", "system"):
        if name in shown.bodies[0]:
            parts[name] = left[0] - left[1]
            left.pop(0)
    return OnlineCount(total, parts.get("tools"), parts.get("system"), left[0])


def _counts(client: Any, shown: Preview, cancelled: Callable[[], bool]) -> tuple[int, ...]:
    found = []
    for body in shown.bodies:
        if cancelled():
            raise SummaryError("aborted")
        tokens = client.messages.count_tokens(**body).input_tokens
        if type(tokens) is not int or tokens < 0:
            raise SummaryError("malformed")
        found.append(tokens)
    return tuple(found)


def _without(body: Mapping[str, Json], *names: str) -> dict[str, Json]:
    return {name: value for name, value in body.items() if name not in names}


class _Tally:
    """Copies JSON with secrets replaced and halves of characters made whole, and keeps count."""

    def __init__(self) -> None:
        self.secrets = self.images = 0

    def cleaned(self, value: Json) -> Json:
        if isinstance(value, str):
            found = redact(sendable(value))
            self.secrets += len(found.marks)
            return found.text
        if isinstance(value, list | tuple):
            return [self.cleaned(item) for item in value]
        if not isinstance(value, dict):
            return value
        if value.get("type") == "image" and isinstance(value.get("source"), dict):
            self.images += 1  # of a picture only the bytes: a text in their place could not be counted
            return dict(value)
        return {name if isinstance(name, str) else str(name): self.cleaned(item) for name, item in value.items()}
