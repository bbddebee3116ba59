"""The contract of a summarizer. Implementations: `core/summarizers/`, one module each, or `stratascope.summarizers`.

    ID: str                                        "extractive"
    TITLE: Phrase
    LEAVES: bool                                   True: what it is asked leaves this machine
    class Settings                                 core.settings
    def make(settings: Settings, scene: Scene) -> Summarizer
    def hindrance(scene: Scene) -> Phrase | None   optional: why it cannot be asked at all, before the first call

    Ask (messages without details, previous summary, instructions) ─▶ answer() ─▶ Answer | SummaryError

An Ask never holds `details`. Where LEAVES, nothing may be sent unless `scene.consent` says that a person has seen what
would be, and what goes out is `core.summary_prompt.prompt(ask)`, secrets replaced, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Literal, Protocol

from core.errors import RequestError
from core.messages import Message
from core.phrase import Phrase, phrase
from core.plugins import discover

Stage = Literal["chunk", "merge", "prefix"]
"""A piece of the history, the merge of partial summaries, or the beginning of a split turn."""

FailureKind = Literal[
    "aborted",  # somebody asked to stop
    "timeout",
    "overflow",  # the prompt is too long for the model
    "rate_limited",
    "overloaded",
    "refused",  # the provider says no, and would again: key, permission, malformed request
    "unreachable",
    "malformed",  # an answer that is none
    "empty",
    "failed",  # whatever else
    "broken",  # by hand, to see what comes next
]
FINAL = frozenset({"aborted", "overflow", "refused", "broken"})
"""Failures that asking again would not mend."""


@dataclass(frozen=True, slots=True)
class Ask:
    """One call. `number`: of the call in its run, `chunk`: in its stage, `attempt`: of the same call; all from 1.

    `messages` have no details. `max_output`: tokens that the answer may have.
    """

    number: int
    stage: Stage
    chunk: int
    attempt: int
    messages: tuple[Message, ...]
    previous: str | None
    instructions: str | None
    max_output: int


@dataclass(frozen=True, slots=True)
class Answer:
    """`text` as it came. Tokens as the provider counted them, None where nobody did."""

    text: str
    input_tokens: int | None = None
    output_tokens: int | None = None


class SummaryError(Exception):
    """Why there is no answer. Holds no text of the session and no key: its words are a Phrase and nothing else.

    `retry_after`: seconds that the provider asks to wait."""

    def __init__(self, kind: FailureKind, said: Phrase | None = None, retry_after: float | None = None) -> None:
        super().__init__(kind)
        self.kind = kind
        self.phrase = said if said is not None else phrase(f"compaction.failure.{kind}")
        self.retry_after = retry_after


Progress = Callable[[int], None]
"""Told the UTF-16 units of the answer so far, while it comes in."""


class Summarizer(Protocol):
    """Answers one Ask after the other; raises SummaryError and nothing else."""

    def answer(self, ask: Ask, progress: Progress, cancelled: Callable[[], bool]) -> Answer: ...


@dataclass(frozen=True, slots=True)
class Scene:
    """What a summarizer may know beside its settings. `recorded`: the summary that the file has at this place.

    `model`: id to ask, `base_url`: whom ("" = the summarizer's own default). `consent`: a person has confirmed what
    will be sent. `environ`: the environment, for keys."""

    recorded: str | None = None
    model: str = ""
    base_url: str = ""
    consent: bool = False
    environ: Mapping[str, str] = field(default_factory=dict, repr=False)


def summarizers() -> dict[str, ModuleType]:
    return discover("core.summarizers", ("TITLE", "LEAVES", "Settings", "make"), "stratascope.summarizers")


def summarizer(name: str) -> ModuleType:
    """The module; RequestError names those that exist."""
    known = summarizers()
    if name not in known:
        raise RequestError(phrase("compaction.unknown_summarizer", name=name, known=", ".join(known)))
    return known[name]
