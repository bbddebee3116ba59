"""What can go wrong, in one tree. An error stops an action; a Problem is recoverable and travels with the value.

StratascopeError                 says what, where, and what to do next (a Phrase)
├── InputError                   a file cannot be read at all
│   ├── UnreadableFile           missing, no permission, a directory, empty, binary
│   └── UnsupportedFormat        recognised as something else, which is named
├── RequestError                 the file is fine, what was asked of it is not there
├── UsageError                   the command line is wrong (exit code 2)
└── ContractError                a plug-in does not keep its contract
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.phrase import Phrase, render


class StratascopeError(Exception):
    """Carries a Phrase; `str()` renders it in English."""

    def __init__(self, said: Phrase) -> None:
        super().__init__(said)
        self.phrase = said

    def __str__(self) -> str:
        return render(self.phrase, "en")


class InputError(StratascopeError):
    pass


class UnreadableFile(InputError):
    pass


class UnsupportedFormat(InputError):
    pass


class RequestError(StratascopeError):
    pass


class UsageError(StratascopeError):
    pass


class ContractError(StratascopeError):
    pass


Severity = Literal["note", "warning", "error"]


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in a file that did not stop the reading: shown with its line, never silent.

    `line` is the physical line, from 1; `entry` the id of the entry concerned, if it has one. The catalogues hold
    `problem.CODE` (the sentence) and `problem.CODE_hint` (what to do next), both filled from `values`, `line`, `entry`.
    """

    code: str
    line: int | None = None
    entry: str | None = None
    severity: Severity = "warning"
    values: tuple[tuple[str, object], ...] = ()

    @property
    def message(self) -> Phrase:
        return Phrase(f"problem.{self.code}", self._all())

    @property
    def hint(self) -> Phrase:
        return Phrase(f"problem.{self.code}_hint", self._all())

    def _all(self) -> tuple[tuple[str, object], ...]:
        return (
            ("line", self.line if self.line is not None else "–"),
            ("entry", self.entry or "–"),
            *self.values,
        )
