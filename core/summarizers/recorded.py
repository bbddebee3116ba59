"""The summary that the file has at this place: the answer to whatever is asked, so that its effects can be studied."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.errors import RequestError
from core.phrase import phrase
from core.summarizer import Answer, Ask, Progress, Scene

ID = "recorded"
TITLE = phrase("compaction.summarizer.recorded")
LEAVES = False


@dataclass(frozen=True, slots=True)
class Settings:
    pass


@dataclass(frozen=True, slots=True)
class Recorded:
    summary: str

    def answer(self, ask: Ask, progress: Progress, cancelled: Callable[[], bool]) -> Answer:
        progress(len(self.summary))
        return Answer(self.summary)


def make(settings: Settings, scene: Scene) -> Recorded:
    """RequestError where the file has no compaction at this place."""
    if not scene.recorded:
        raise RequestError(phrase("compaction.nothing_recorded"))
    return Recorded(scene.recorded)
