"""The contract of a session format. Implementations: `core/formats/`, one module each, or `stratascope.formats`.

    ID: str                                   "pi"
    TITLE: Phrase                             its name on screen
    SUPPORTED: bool                           False: recognised, named and refused
    REFUSED: Phrase                           only where not SUPPORTED: what it is, and what to do next
    def score(objects) -> int                 how sure it is of the early JSON objects of a file (0 = not at all)
    def read(source, progress) -> Session     only where SUPPORTED; `source` is a core.lines.RecordedFile
    class Reading                             optional: reads in pieces, so that rows can be shown before the end, and
                                              the file be followed (core/following.py); core/formats/pi.py has one

`open_session` is the way in: it sniffs, chooses and reads. A score is about 10 per object that fits, and more for a
header, so that the formats can be compared.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cache
from itertools import islice
from types import ModuleType

from core.duplicates import checked, duplicate_keys
from core.errors import ContractError, UnsupportedFormat
from core.lines import RecordedFile, parse, rescue
from core.measure import measured
from core.messages import Json
from core.phrase import phrase
from core.plugins import discover
from core.session import Session

Progress = Callable[[int, int, int], bool]
"""(bytes read, bytes in all, entries so far) -> go on? False cancels: what was read is kept."""

SNIFFED_OBJECTS = 50
"""Early objects that decide the format (session formats 0)."""
SNIFFED_BYTES = 4 << 20
"""No more is parsed twice than this, unless nothing was recognisable until then."""
_LINES = 2000
_DOCUMENT = 64 << 20


@cache
def formats() -> dict[str, ModuleType]:
    """Every known format by id."""
    found = discover("core.formats", ("TITLE", "SUPPORTED", "score"), "stratascope.formats")
    for module in found.values():
        if not hasattr(module, "read" if module.SUPPORTED else "REFUSED"):
            missing = "read" if module.SUPPORTED else "REFUSED"
            raise ContractError(phrase("plugin.missing_names", place=module.__name__, names=missing))
    return found


def choose(objects: Sequence[Json]) -> ModuleType | None:
    """The format that is surest of these objects; None when none recognises anything."""
    scored = [(module.score(objects), name) for name, module in formats().items()]
    best = max(scored, default=(0, ""))
    return formats()[best[1]] if best[0] > 0 else None


def sniff(source: RecordedFile) -> list[Json]:
    """Up to 50 early JSON objects; those of one JSON document when the file is one that spans several lines."""
    objects: list[Json] = []
    seen = 0
    lines = 0
    for _, line in islice(source.lines(), _LINES):
        lines += 1
        seen += len(line)
        try:
            values = [parse(line)]
        except ValueError:
            values = [record.value for record in rescue(line, _typed).records]
        objects += [value for value in values if isinstance(value, dict)]
        if len(objects) >= SNIFFED_OBJECTS or (objects and seen > SNIFFED_BYTES):
            return objects
    if not objects and lines > 1 and source.size <= _DOCUMENT:
        objects = _document(source.whole())
    return objects


def _typed(value: Json) -> bool:
    return isinstance(value, dict) and isinstance(value.get("type"), str)


def _document(data: bytes) -> list[Json]:
    try:
        value = parse(data)
    except ValueError:
        return []
    values = value if isinstance(value, list) else [value]
    return [item for item in values[:SNIFFED_OBJECTS] if isinstance(item, dict)]


def open_session(path: str | os.PathLike[str], progress: Progress | None = None) -> Session:
    """Read a session file, measure its entries and look for keys that stand twice: all there is to know.

    A window takes these steps one after the other (core/following.py).

    Raises UnreadableFile (missing, forbidden, a directory, empty, binary) or UnsupportedFormat (something else, named
    when it is known). Whatever else is wrong with the file is in `Session.problems`.
    """
    source = RecordedFile.at(path)
    session: Session = recognised(source).read(source, progress)
    session = measured(session)
    return checked(session, duplicate_keys(session))


def recognised(source: RecordedFile) -> ModuleType:
    """The format of the file; raises UnsupportedFormat when that is none that can be read."""
    objects = sniff(source)
    if not objects:
        raise UnsupportedFormat(phrase("format.no_json", path=source.path))
    format = choose(objects)
    if format is None:
        raise UnsupportedFormat(phrase("format.unknown", path=source.path))
    if not format.SUPPORTED:
        raise UnsupportedFormat(phrase("format.refused", path=source.path, why=format.REFUSED))
    return format
