"""Offline and deterministic: chooses and copies (`core.extraction`); no model, no network."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.extraction import extract
from core.phrase import phrase
from core.redaction import redact
from core.settings import number
from core.summarizer import Answer, Ask, Progress, Scene

ID = "extractive"
TITLE = phrase("compaction.summarizer.extractive")
LEAVES = False


@dataclass(frozen=True, slots=True)
class Settings:
    """`chars`: UTF-16 units of a summary."""

    chars: int = number(4_000, 600, 16_000, unit="chars", step=100)


@dataclass(frozen=True, slots=True)
class Extractive:
    chars: int

    def answer(self, ask: Ask, progress: Progress, cancelled: Callable[[], bool]) -> Answer:
        """Never longer than `chars` and what the call allows. Secrets are replaced: a summary is read by others."""
        limit = min(self.chars, max(600, 4 * ask.max_output))
        text = redact(extract(ask.messages, ask.previous, limit)).text
        progress(len(text))
        return Answer(text)


def make(settings: Settings, scene: Scene) -> Extractive:
    return Extractive(settings.chars)
