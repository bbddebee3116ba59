"""A session file with one entry more: the compaction, as the agent would have appended it.

    version 3      the bytes of the file, then one line
    version 1, 2   header and entries as version 3 has them (the agent migrates such a file when it opens it), then it

Nothing here looks at a clock: the entry follows the last one of its path by a millisecond, and its id comes from what
it says. Its parent is the end of the path that was compacted; as the last line of the file it is the active leaf.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from core.compaction_run import Compaction
from core.errors import RequestError
from core.javascript import json_text
from core.messages import Json
from core.phrase import phrase
from core.session import Session

_PIECE = 1 << 20
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def entry(session: Session, done: Compaction) -> Json:
    """The entry. RequestError when the run was stopped.

    `fromHook` as the safeguard leaves it, which is an extension: its file lists are not taken over next time."""
    if done.stopped:
        raise RequestError(phrase("compaction.stopped_entry"))
    plan, found = done.plan, done.plan.preparation
    last = plan.path[-1]
    files = {"readFiles": list(found.files.read_files), "modifiedFiles": list(found.files.modified_files)}
    return {
        "type": "compaction",
        "id": _fresh_id(session, last, done.summary),
        "parentId": session.columns.ids[last],
        "timestamp": _after(session, plan.path),
        "summary": done.summary,
        "firstKeptEntryId": session.columns.ids[found.first_kept],
        "tokensBefore": found.tokens_before,
        "details": files,
        **({"fromHook": True} if plan.settings.mode == "safeguard" else {}),
    }


def file_with(session: Session, line: Json) -> Iterator[bytes]:
    """The bytes of the new file. RequestError where the agent would not read it as a session: it begins with none."""
    header = session.header
    if header is None or any(problem.code in ("header_late", "header_missing") for problem in session.problems):
        raise RequestError(phrase("compaction.no_header"))
    ends = True
    if header.read_as >= 3:
        for at in range(0, session.size, _PIECE):
            piece = session.read(at, min(_PIECE, session.size - at))
            ends = piece.endswith(b"\n")
            yield piece
    else:
        yield _line({**header.raw, "version": 3})
        for row in range(len(session)):
            yield _line(session.body(row))
    yield (b"" if ends else b"\n") + _line(line)


def _line(value: Json) -> bytes:
    return json_text(value).encode("utf-8") + b"\n"


def _fresh_id(session: Session, parent: int, summary: str) -> str:
    """Eight hex digits that no entry has."""
    number = 0
    while True:
        said = f"{session.columns.ids[parent]}\n{number}\n{summary}".encode("utf-8", "surrogatepass")
        id = hashlib.blake2b(said, digest_size=4).hexdigest()
        if session.row_of(id) is None:
            return id
        number += 1


def _after(session: Session, path: tuple[int, ...]) -> str:
    times = [time for row in path if (time := session.entry(row).time) is not None]
    try:
        moment = _EPOCH + timedelta(milliseconds=max(times, default=0) + 1)
    except OverflowError:  # a time that no calendar holds
        moment = _EPOCH
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"
