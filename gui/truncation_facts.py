"""What window and worker tell each other about a truncation: small values that cross a pipe. No Qt in here."""

from __future__ import annotations

from dataclasses import dataclass

from core.errors import Problem
from core.phrase import Phrase
from core.truncation import Settings
from core.truncation_rows import Row


@dataclass(frozen=True, slots=True)
class Wish:
    """`path`: as the worker knows the file. `entries`: how many the window knows of: one that grew is
    looked at anew."""

    path: str
    leaf: int | None
    settings: Settings
    entries: int


@dataclass(frozen=True, slots=True)
class Facts:
    """A dry run. `more`: rows beyond those that are shown. `labels`: (id of the entry, label) of those that safe mode
    keeps. `branches`: how many leave the summarised part, `branch_entries`: with how many entries. `reason`: why
    nothing would be done."""

    rows: tuple[Row, ...]
    more: int
    entries: tuple[int, int]
    bytes: tuple[int, int]
    reparented: tuple[str, ...]
    messages: tuple[int, int]
    equal: bool
    labels: tuple[tuple[str, str], ...]
    lost_labels: tuple[str, ...]
    branches: int
    branch_entries: int
    warnings: tuple[Problem, ...]
    reason: Phrase | None
    needs_ids: bool


@dataclass(frozen=True, slots=True)
class Written:
    """`archive`: "" for a new file. `back`: it was an undo."""

    target: str
    archive: str
    size: int
    equal: bool
    back: bool = False
