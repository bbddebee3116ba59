"""Does what it is told to: fails at calls, at words, at large messages, answers nothing or too much. To try the ladder.

fail = 1, 3 or all      the calls that fail             largest = 40000     fails when a message has more tokens
words = "deploy"        fails when a message says it    answers = overlong  what it answers when it does not fail
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.errors import UsageError
from core.estimate import pi_tokens
from core.messages import Message
from core.phrase import phrase
from core.retention import words
from core.settings import choice, number, patterns
from core.summarizer import Answer, Ask, FailureKind, Progress, Scene, SummaryError

ID = "scripted"
TITLE = phrase("compaction.summarizer.scripted")
LEAVES = False

ALL = "all"
_KINDS: dict[str, FailureKind] = {
    "failed": "failed",
    "timeout": "timeout",
    "overflow": "overflow",
    "rate_limited": "rate_limited",
    "overloaded": "overloaded",
    "refused": "refused",
    "unreachable": "unreachable",
    "malformed": "malformed",
    "aborted": "aborted",
}


@dataclass(frozen=True, slots=True)
class Settings:
    """`fail`: numbers of calls, or "all". `kind`: how they fail. `largest`: tokens, 0 = any size is fine.

    `retry_after`: seconds that a failure asks to wait, 0 = none."""

    fail: tuple[str, ...] = patterns()
    kind: str = choice("failed", *_KINDS)
    words: tuple[str, ...] = patterns()
    largest: int = number(0, 0, 10_000_000, unit="tokens")
    answers: str = choice("short", "short", "empty", "overlong")
    retry_after: float = number(0.0, 0.0, 600.0, unit="seconds")


@dataclass(frozen=True, slots=True)
class Scripted:
    settings: Settings

    def answer(self, ask: Ask, progress: Progress, cancelled: Callable[[], bool]) -> Answer:
        if cancelled():
            raise SummaryError("aborted")
        if self._fails(ask):
            raise SummaryError(_KINDS[self.settings.kind], retry_after=self.settings.retry_after or None)
        if self.settings.answers == "empty":
            return Answer("")
        text = f"Scripted summary {ask.number} of {len(ask.messages)} messages."
        if ask.previous is not None:
            text = f"{ask.previous.strip()}\n{text}"
        if self.settings.answers == "overlong":
            text += " And so on." * (ask.max_output * 4 // 10 + 1)
        progress(len(text))
        return Answer(text)

    def _fails(self, ask: Ask) -> bool:
        script = self.settings
        if ALL in script.fail or str(ask.number) in script.fail:
            return True
        if script.largest and any(pi_tokens(message) > script.largest for message in ask.messages):
            return True
        return any(word in text for message in ask.messages for text in _said(message) for word in script.words)


def _said(message: Message) -> tuple[str, ...]:
    found = words(message.json())
    return (*found.asked, *found.other)


def make(settings: Settings, scene: Scene) -> Scripted:
    """UsageError for a call that is no number."""
    for name in settings.fail:
        if name != ALL and not name.isdecimal():
            raise UsageError(phrase("compaction.bad_call", value=name))
    return Scripted(settings)
