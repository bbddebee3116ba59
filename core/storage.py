"""The one way in which files are written: whole or not at all, and never over what is there.

    .name.PID.part   written, flushed to the disk   ─▶   name         a new name that appears with all its bytes

A crash leaves the old state and perhaps a `.part` file, never half a session.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from core.errors import RequestError
from core.phrase import literal, phrase


def write_new(path: str | os.PathLike[str], chunks: Iterable[bytes], mode: int = 0o600) -> int:
    """Write `chunks` to a file that does not exist yet; the number of bytes.

    RequestError when something has this name, its folder is missing, or writing fails; then nothing is left behind.
    An error of `chunks` itself is passed on, and nothing is left behind either. `mode`: permissions of the new file."""
    target = Path(path)
    if _there(target):
        raise RequestError(phrase("storage.exists", path=str(target)))
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    made = False
    try:
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        made = True
        size = _fill(handle, chunks)
        _name(part, target)
        _settle(target.parent)
    except OSError as error:
        if isinstance(error, FileExistsError) and _there(target):
            raise RequestError(phrase("storage.exists", path=str(target))) from error
        reason = literal(error.strerror or str(error))
        raise RequestError(phrase("storage.failed", path=str(target), reason=reason)) from error
    finally:
        if made:
            with suppress(OSError):
                os.unlink(part)
    return size


def _there(target: Path) -> bool:
    return os.path.lexists(target)


def _fill(handle: int, chunks: Iterable[bytes]) -> int:
    size = 0
    with os.fdopen(handle, "wb") as file:
        for chunk in chunks:
            size += file.write(chunk)
        file.flush()
        os.fsync(file.fileno())
    return size


def _name(part: Path, target: Path) -> None:
    """Give the finished file its name, which must be free: a link fails where a rename would replace."""
    try:
        os.link(part, target)
    except FileExistsError:
        raise
    except OSError:  # a file system without links: take the name first, then put the file in its place
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        try:
            os.replace(part, target)
        except OSError:
            os.unlink(target)
            raise


def _settle(folder: Path) -> None:
    """The new name, too, must survive a power cut; where a folder cannot be synced the file itself is safe."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
