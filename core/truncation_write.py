"""A truncation on the disk: to a new file, or in place with an archive; and back.

write      the finished file is opened again and its context proven, before it gets its name
replace    the same, and the old file stands beside it as NAME.bak-1 before anything changes
undo       the archive takes its place again, with what an agent wrote since; what stood there is archived too
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from core.copying import Change, copied
from core.errors import InputError, Problem, RequestError
from core.file_operations import FileOperations
from core.format import Progress, recognised
from core.lines import RecordedFile
from core.phrase import phrase
from core.session import Session
from core.storage import OPERATIONS, Replaced, replace, write_new
from core.truncation_after import seen, unchanged
from core.truncation_bytes import changes, without_ids
from core.truncation_look import Truncation

GoOn = Callable[[int], bool]


def read(path: str, progress: Progress | None = None) -> Session:
    """The entries and their graph, without the sizes of their texts: all that a truncation needs."""
    source = RecordedFile.at(path)
    session: Session = recognised(source).read(source, progress)
    return session


def write(session: Session, made: Truncation, path: str, go_on: GoOn = lambda _: True) -> int:
    """The truncated session as a new file; its bytes. RequestError as `write_new`, or when the proof fails."""
    return write_new(path, _chunks(session, made, go_on), proven=_proof(session, made))


def write_in_place(
    session: Session,
    made: Truncation,
    go_on: GoOn = lambda _: True,
    files: FileOperations = OPERATIONS,
) -> Replaced:
    """RequestError as `replace`; when the context would change; when the file has no ids and none were allowed."""
    if not made.equal:
        raise RequestError(phrase("truncation.context_changes", path=session.path))
    if without_ids(session) and not made.plan.settings.migrate:
        raise RequestError(phrase("truncation.needs_ids", path=session.path))
    return replace(source_of(session), _chunks(session, made, go_on), _proof(session, made), files)


def on_the_way(path: str, done: Replaced) -> list[Problem]:
    """What a person should know of a file that was replaced: a link was followed, another name has the old content."""
    found = []
    if os.path.abspath(path) != done.target:
        found.append(Problem("truncation_linked", None, None, "note", (("target", done.target), ("path", path))))
    if done.names > 1:
        found.append(Problem("truncation_other_names", None, None, "warning", (("n", done.names - 1),)))
    return found


def source_of(session: Session) -> RecordedFile:
    if not isinstance(session.read, RecordedFile):
        raise RequestError(phrase("storage.changed", path=session.path))
    return session.read


def _chunks(session: Session, made: Truncation, go_on: GoOn) -> Iterator[bytes]:
    return copied(session, changes(session, made.plan), go_on)


def _proof(session: Session, made: Truncation) -> Callable[[str], None]:
    def proven(path: str) -> None:
        refused = RequestError(phrase("truncation.not_proven", path=session.path))
        try:
            later = read(path)
        except InputError as error:  # it would not even be taken for a session
            raise refused from error
        if unchanged(session, made.plan, later) != made.equal:
            raise refused

    return proven


# back


@dataclass(frozen=True, slots=True, eq=False)
class Undo:
    """`restored`: rows of the archive that come back. `since`: rows written after the truncation, which stay."""

    now: Session
    archive: Session
    restored: tuple[int, ...]
    since: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Undone:
    """`equal`: an agent takes up the same before and after."""

    replaced: Replaced
    equal: bool


def undo_of(now: Session, archive: Session) -> Undo:
    """What restoring would do. RequestError when the archive is none of this file, or when what was written since could
    not stay."""
    ours, theirs = now.header, archive.header
    foreign = ours is None or theirs is None or ours.id != theirs.id or source_of(archive).packed
    unknown = [bool(id) and archive.row_of(id) is None for id in now.columns.ids]
    first = unknown.index(True) if True in unknown else len(unknown)
    if foreign or any(id and not new for id, new in zip(now.columns.ids[first:], unknown[first:], strict=True)):
        raise RequestError(phrase("truncation.not_its_archive", archive=archive.path, path=now.path))
    since = tuple(range(first, len(now)))
    if since and without_ids(archive):
        raise RequestError(phrase("truncation.undo_loses", archive=archive.path, path=now.path, n=len(since)))
    restored = tuple(row for row, id in enumerate(archive.columns.ids) if id and now.row_of(id) is None)
    return Undo(now, archive, restored, since)


def undo(planned: Undo, go_on: GoOn = lambda _: True) -> Undone:
    """Put the archive back, followed by what was written since. RequestError as `replace`."""
    now, archive, since = planned.now, planned.archive, planned.since
    equal = True

    def chunks() -> Iterator[bytes]:
        yield from copied(archive, (), go_on)
        if since:
            if archive.read(archive.size - 1, 1) != b"\n":
                yield b"\n"
            start = now.columns.offset[since[0]]
            yield from copied(now, [Change(0, start)], go_on)

    def proven(path: str) -> None:
        nonlocal equal
        made = read(path)
        if made.columns.ids != (*archive.columns.ids, *(now.columns.ids[row] for row in since)):
            raise RequestError(phrase("truncation.not_proven", path=now.path))
        equal = seen(now, now.active_leaf).same(seen(made, made.active_leaf))

    done = replace(source_of(now), chunks(), proven)
    return Undone(done, equal)
