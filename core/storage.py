"""The one way in which session files are written: whole or not at all, and never without the old one.

    write_new    .name.PID.part   written, flushed to the disk   ─▶   name         a name that was free
    replace      .name.PID.part   written, flushed, proven       ─▶   name.bak-1   the old file, complete
                                                                 ─▶   name         renamed over it

At every instant either the old or the new file stands under the name, complete; the archive is complete before that
changes. A crash leaves one of these states and perhaps a `.part` file.
"""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from core.errors import RequestError
from core.file_operations import FileOperations
from core.lines import RecordedFile
from core.phrase import literal, phrase

OPERATIONS = FileOperations()
_PIECE = 1 << 20
_LOCK_SIZE = 4096


def write_new(
    path: str | os.PathLike[str],
    chunks: Iterable[bytes],
    mode: int = 0o600,
    proven: Callable[[str], None] = lambda _: None,
    files: FileOperations = OPERATIONS,
) -> int:
    """Write `chunks` to a file that does not exist yet; the number of bytes.

    RequestError when something has this name, its folder is missing, or writing fails; then nothing is left behind.
    An error of `chunks` itself is passed on, and nothing is left behind either. `mode`: permissions of the new file.
    `proven` is given the path of the finished file before it gets its name, and raises to forbid it."""
    target = Path(path)
    if files.there(target):
        raise RequestError(phrase("storage.exists", path=str(target)))
    part = _part(target)
    made = False
    try:
        handle = files.create(part, mode)
        made = True
        size = _fill(files, handle, chunks)
        proven(str(part))
        _name(files, part, target)
        _settle(files, target.parent)
    except OSError as error:
        if isinstance(error, FileExistsError) and files.there(target):
            raise RequestError(phrase("storage.exists", path=str(target))) from error
        raise RequestError(phrase("storage.failed", path=str(target), reason=_reason(error))) from error
    finally:
        if made:
            _away(files, (part,))
    return size


@dataclass(frozen=True, slots=True)
class Replaced:
    """`target`: the file that changed, where links lead. `archive`: its old content. `names`: how many names it had
    before; the others still have the old content. `size`: bytes of the new one."""

    target: str
    archive: str
    names: int
    size: int


def replace(
    source: RecordedFile,
    chunks: Iterable[bytes],
    proven: Callable[[str], None],
    files: FileOperations = OPERATIONS,
) -> Replaced:
    """Put `chunks` in the place of the file that `source` was read from, keeping the old one as an archive beside it.

    `proven` is given the path of the finished new file before anything changes, and raises to forbid it. RequestError:
    the file is locked by an agent, changed since it was read, read-only, or cannot be written; then it is as it was.
    """
    made: list[Path] = []
    target = Path(source.path)
    try:
        target = Path(files.where(source.path))
        facts = files.facts(target)
        _may(files, source, target, facts)
        part, size = _beside(files, target, chunks, target, made)
        ours = files.facts(part).st_ino
        proven(str(part))
        archive = _archive(files, target, facts, made)
        _free(files, source, target)
        _same(source, target, files.facts(target))
        _rename(files, part, target, ours)
    except OSError as error:
        _away(files, made)
        raise RequestError(phrase("storage.unchanged", path=str(target), reason=_reason(error))) from error
    except BaseException:
        _away(files, made)
        raise
    try:
        _settle(files, target.parent, strict=True)
    except OSError as error:
        raise RequestError(
            phrase("storage.unsettled", path=str(target), archive=str(archive), reason=_reason(error))
        ) from error
    return Replaced(str(target), str(archive), facts.st_nlink, size)


def bytes_of(path: str, files: FileOperations = OPERATIONS) -> Iterator[bytes]:
    """A file in pieces; OSError as reading raises it."""
    handle = files.open(path)
    try:
        while data := files.read(handle, _PIECE):
            yield data
    finally:
        files.close(handle)


def _part(target: Path, number: int = 0) -> Path:
    return target.with_name(f".{target.name}.{os.getpid()}{f'-{number}' if number else ''}.part")


def _fill(files: FileOperations, handle: int, chunks: Iterable[bytes], like: Path | None = None) -> int:
    """Write everything, with the permissions and owner of `like`, and flush it to the disk; closes `handle`."""
    size = 0
    try:
        for piece in _gathered(chunks):
            rest = memoryview(piece)
            while rest:
                done = files.write(handle, rest)
                rest = rest[done:]
                size += done
        if like is not None:
            files.make_like(handle, like)
        files.flush(handle)
    finally:
        files.close(handle)
    return size


def _gathered(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes in larger pieces: a file of many small changes is written with few calls."""
    held: list[bytes] = []
    size = 0
    for chunk in chunks:
        held.append(chunk)
        size += len(chunk)
        if size >= _PIECE:
            yield b"".join(held)
            held.clear()
            size = 0
    if held:
        yield b"".join(held)


def _beside(
    files: FileOperations, target: Path, chunks: Iterable[bytes], like: Path, made: list[Path]
) -> tuple[Path, int]:
    """(a finished file beside the target, its size). A part that a crash left behind is passed by."""
    number = 0
    while True:
        part = _part(target, number)
        try:
            handle = files.create(part, 0o600)
        except FileExistsError:
            number += 1
            continue
        made.append(part)
        return part, _fill(files, handle, chunks, like)


def _name(files: FileOperations, part: Path, target: Path) -> None:
    """Give the finished file its name, which must be free: a link fails where a rename would replace."""
    try:
        files.link(part, target)
    except FileExistsError:
        raise
    except OSError:  # a file system without links: take the name first, then put the file in its place
        files.close(files.create(target, 0o600))
        try:
            files.rename(part, target)
        except OSError:
            files.unlink(target)
            raise


def _settle(files: FileOperations, folder: Path, strict: bool = False) -> None:
    """The new name, too, must survive a power cut. Some systems cannot flush a folder; the file itself is safe there.
    `strict`: a disk that tries and fails is told."""
    try:
        files.flush_folder(folder)
    except OSError as error:
        if strict and error.errno in (errno.EIO, errno.ENOSPC):
            raise


def _archive(files: FileOperations, target: Path, facts: os.stat_result, made: list[Path]) -> Path:
    """A complete copy of the file under the first free name."""
    number = 1
    while files.there(archive := target.with_name(f"{target.name}.bak-{number}")):
        number += 1
    part, size = _beside(files, archive, bytes_of(str(target), files), target, made)
    if size != facts.st_size:
        raise RequestError(phrase("storage.changed", path=str(target)))
    _name(files, part, archive)
    made.append(archive)
    _away(files, (part,))
    _settle(files, archive.parent, strict=True)
    return archive


def _rename(files: FileOperations, part: Path, target: Path, ours: int) -> None:
    try:
        files.rename(part, target)
    except OSError:  # a network file system may have done it all the same
        with suppress(OSError):
            if files.facts(target).st_ino == ours:
                return
        raise


def _away(files: FileOperations, made: Iterable[Path]) -> None:
    for path in made:
        with suppress(OSError):
            files.unlink(path)


def _may(files: FileOperations, source: RecordedFile, target: Path, facts: os.stat_result) -> None:
    _free(files, source, target)
    _same(source, target, facts)
    if source.packed:
        raise RequestError(phrase("storage.packed", path=source.path))
    if not facts.st_mode & 0o222:
        raise RequestError(phrase("storage.read_only", path=str(target)))


def _free(files: FileOperations, source: RecordedFile, target: Path) -> None:
    """No agent holds the session: it keeps `NAME.lock` beside the file while it runs (session formats 2)."""
    for path in dict.fromkeys((source.path, str(target))):
        lock = path + ".lock"
        if not files.there(Path(lock)):
            continue
        holder = "–"
        with suppress(OSError, ValueError, AttributeError):
            holder = str(json.loads(next(bytes_of(lock, files), b"")[:_LOCK_SIZE]).get("pid", "–"))
        raise RequestError(phrase("storage.locked", path=source.path, lock=lock, holder=holder))


def _same(source: RecordedFile, target: Path, facts: os.stat_result) -> None:
    if not stat.S_ISREG(facts.st_mode) or (facts.st_size, facts.st_mtime_ns, facts.st_ino) != (
        source.size,
        source.modified,
        source.inode,
    ):
        raise RequestError(phrase("storage.changed", path=str(target)))


def _reason(error: OSError) -> object:
    return literal(error.strerror or str(error))
