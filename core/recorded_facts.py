"""What traces tell of one request, as values: made by `core.recorded_prompt`, held by a window that makes none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.errors import Problem
from core.phrase import Phrase

if TYPE_CHECKING:
    from core.leading import Leading
    from core.trace_findings import Code


@dataclass(frozen=True, slots=True)
class Verdict:
    """Blocks of ours against the recorded call `call` of `file`; `began`: (stage, step of ours or None)."""

    file: str
    call: int
    equal: int
    differs: int
    not_comparable: int
    began: tuple[str, str | None] | None

    @property
    def comparable(self) -> int:
        return self.equal + self.differs


@dataclass(frozen=True, slots=True)
class Parted:
    """`leading`: index of the first of tools and system parts that is not as it was at the request before, `unit`: the
    UTF-16 unit in it; `cause`: its name, None for a change nobody warns of. `before`, `after`: both texts from there
    on, the beginning of them."""

    leading: int
    unit: int
    cause: Code | None
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Cause:
    """What a finding of the traces says of this request, and in which section it is."""

    code: Code
    section: str
    said: Phrase


@dataclass(frozen=True, slots=True)
class RecordedPrompt:
    """`leading`: not yet sized by usage. `marks`: which of them end in a cache mark; `tail`: the last message does."""

    leading: tuple[Leading, ...] = ()
    marks: tuple[int, ...] = ()
    tail: bool = False
    verdict: Verdict | None = None
    parted: Parted | None = None
    causes: tuple[Cause, ...] = ()
    problems: tuple[tuple[str, Problem], ...] = ()
    """What is wrong with the traces themselves: (name, problem), the first of them."""


EMPTY = RecordedPrompt()
