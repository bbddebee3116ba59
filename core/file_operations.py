"""The operations of the file system that writing is made of, as one object: tests hand in one that fails at will.

Every method is one call of the system (but `make_like`, which copies what a file has beside its content).
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

_BINARY = getattr(os, "O_BINARY", 0)


class FileOperations:
    """Raises OSError as the system does."""

    def there(self, path: Path) -> bool:
        """Something has this name, be it a link to nowhere."""
        return os.path.lexists(path)

    def where(self, path: str) -> str:
        """Where the name leads, links followed."""
        return os.path.realpath(path, strict=True)

    def facts(self, path: Path) -> os.stat_result:
        return os.stat(path)

    def create(self, path: Path, mode: int) -> int:
        """A handle to a file that was not there."""
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, mode)

    def open(self, path: str) -> int:
        """A handle for reading."""
        return os.open(path, os.O_RDONLY | _BINARY)

    def read(self, handle: int, size: int) -> bytes:
        return os.read(handle, size)

    def write(self, handle: int, data: memoryview) -> int:
        """How many bytes it took, which may be fewer."""
        return os.write(handle, data)

    def flush(self, handle: int) -> None:
        """To the disk itself."""
        os.fsync(handle)

    def close(self, handle: int) -> None:
        os.close(handle)

    def link(self, old: Path, new: Path) -> None:
        """A second name, which must be free."""
        os.link(old, new)

    def rename(self, old: Path, new: Path) -> None:
        """In place of whatever has the new name, at once."""
        os.replace(old, new)

    def unlink(self, path: Path) -> None:
        os.unlink(path)

    def make_like(self, handle: int, other: Path) -> None:
        """Permissions, owner and attributes of another file; OSError when the owner cannot be kept, for then the agent
        could not write any more. Nothing where the system knows no such things."""
        if not hasattr(os, "fchmod"):
            return
        facts, like = os.fstat(handle), os.stat(other)
        if (facts.st_uid, facts.st_gid) != (like.st_uid, like.st_gid):
            os.fchown(handle, like.st_uid, like.st_gid)
        os.fchmod(handle, like.st_mode & 0o7777)
        if hasattr(os, "listxattr"):
            with suppress(OSError):  # access lists are kept there; many file systems have none
                for name in os.listxattr(other):
                    os.setxattr(handle, name, os.getxattr(other, name))

    def flush_folder(self, folder: Path) -> None:
        """The names in it, to the disk; OSError where a folder cannot be opened for that."""
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
