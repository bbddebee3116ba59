"""A template for a session format. Copy it, give it another ID, and it is found; as it stands it is left alone.

The format read here is one message per line, without ids: {"who": "user"|"assistant", "said": text, "at": ISO time}.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.columns import ColumnsBuilder
from core.format import Progress
from core.javascript import epoch_ms, length
from core.lines import RecordedFile, parse, span
from core.messages import Json
from core.phrase import literal
from core.problem_log import ProblemLog
from core.session import Session

ID = "example"
TITLE = literal("Example chat log")
SUPPORTED = True


def score(objects: Sequence[Json]) -> int:
    """About 10 per object that fits."""
    return sum(10 for value in objects if "who" in value and "said" in value)


def read(source: RecordedFile, progress: Progress | None = None) -> Session:
    """One pass: every line that parses becomes a row, every other one a Problem."""
    columns, problems = ColumnsBuilder(), ProblemLog()
    number = 0
    for number, (offset, line) in enumerate(source.lines(), 1):
        try:
            value = parse(line)
            said, who = value["said"], value["who"]
        except (ValueError, KeyError, TypeError):
            problems.add("bad_json", number, reason=literal("no chat message"))
            continue
        columns.add(
            id="",
            parent=None,
            kind="message",
            role=who,
            time=epoch_ms(value.get("at")),
            chars=length(said),
            offset=offset,
            size=span(line),
            line=number,
        )
        if progress is not None and not progress(offset + len(line), source.size, len(columns)):
            problems.add("reading_cancelled", number, done=offset + len(line), size=source.size)
            break
    columns.chain(f"{row:08x}" for row in range(1, len(columns) + 1))
    laid = columns.finish(problems)
    return Session(source.path, ID, None, laid, problems.done(), number, source.size, source, decode)


def decode(session: Session, row: int, line: bytes) -> Json:
    """The entry as the rest of the program knows entries: pi's shape (session formats 1)."""
    value = parse(line)
    entry = session.entry(row)
    message = {"role": value["who"], "content": value["said"]}
    return {"type": "message", "id": entry.id, "parentId": entry.parent_id, "message": message}
