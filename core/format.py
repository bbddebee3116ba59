"""The contract of a session format. Implementations: `core/formats/`, one module each, or `stratascope.formats`.

    ID: str                                   "pi"
    TITLE: Phrase                             its name on screen
    SUPPORTED: bool                           False: recognised, named and refused
    def score(objects) -> int                 how sure this format is of the early JSON objects of a file (0 = not at all)
    def read(source, progress) -> Session     only where SUPPORTED

`open_session` is the way in: it sniffs, chooses and reads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType

from core.messages import Json
from core.plugins import discover

Progress = Callable[[int, int, int], bool]
"""(bytes read, bytes in all, entries so far) -> go on? False cancels: what was read is kept."""


def formats() -> dict[str, ModuleType]:
    """Every known format by id."""
    return discover("core.formats", ("TITLE", "SUPPORTED", "score"), "stratascope.formats")


def choose(objects: Sequence[Json]) -> ModuleType | None:
    """The format that is surest of these objects; None when none recognises anything."""
    scored = [(module.score(objects), name) for name, module in formats().items()]
    best = max(scored, default=(0, ""))
    return formats()[best[1]] if best[0] > 0 else None
