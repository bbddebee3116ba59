"""Asks a model of Anthropic for a summary: streaming, and stopping also while nothing comes.

    Ask ─▶ prompt (secrets replaced) ─▶ POST /v1/messages, stream ─▶ Answer with the provider's token counts
                                          └ 429, 529, 400 too long, time-outs, broken streams ─▶ SummaryError

Off until a person has confirmed; the talking itself, the key and what is kept silent: `core.provider`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from core.phrase import Phrase, phrase
from core.provider import DEFAULT_URL as DEFAULT_URL
from core.provider import KEY as KEY
from core.provider import called, key_of, sendable
from core.settings import number
from core.summarizer import Answer, Ask, Progress, Scene, SummaryError
from core.summary_prompt import prompt

ID = "anthropic"
TITLE = phrase("compaction.summarizer.anthropic")
LEAVES = True

DEFAULT_MODEL = "claude-sonnet-4-5"


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
        wait, connect = self.settings.timeout, self.settings.connect
        return called(
            self.scene, wait, connect, cancelled, lambda client: self._asked(client, ask, progress, cancelled)
        )

    def _asked(self, client: Any, ask: Ask, progress: Progress, cancelled: Callable[[], bool]) -> Answer:
        sent = prompt(ask)
        stream = client.messages.create(
            model=self.scene.model or DEFAULT_MODEL,
            max_tokens=min(self.settings.output, max(256, ask.max_output)),
            system=sent.system,
            messages=[{"role": "user", "content": sendable(sent.user.text)}],
            stream=True,
        )
        with stream:
            return _read(stream, progress, cancelled)


def hindrance(scene: Scene) -> Phrase | None:
    """Why nobody can be asked at all: no SDK, no key. None where nothing is in the way; no key is looked for before a
    person has confirmed."""
    if find_spec("anthropic") is None:
        return phrase("compaction.no_sdk")
    if not scene.consent:
        return phrase("compaction.no_consent")
    return None if key_of(scene.environ) else phrase("compaction.no_key", name=KEY)


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
