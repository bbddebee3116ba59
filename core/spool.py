"""Packed session files (`.jsonl.zst`): unpacked once into a temporary file, which is then read by spans as any other.

The packed file is only read. What comes out is bounded: by LIMIT, by the space that is left on the disk, and by the
memory that a frame may ask for (128 MB, the library's own bound).
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass

from core.errors import UnreadableFile
from core.phrase import literal, phrase

MAGIC = b"\x28\xb5\x2f\xfd"
LIMIT = 8 << 30
"""Bytes that one file may unpack to."""
LEFT = 1 << 29
"""Bytes that stay free on the disk."""
_PIECE = 1 << 20
_CHECKED = 64 * _PIECE

_folder: str | None = None


def use(folder: str) -> None:
    """Unpack into this folder; whoever made it also removes it."""
    global _folder
    _folder = folder


def _place() -> str:
    global _folder
    if _folder is None:
        _folder = tempfile.mkdtemp(prefix="stratascope-")
        atexit.register(shutil.rmtree, _folder, ignore_errors=True)
    return _folder


@dataclass(frozen=True, slots=True)
class Unpacked:
    """`place`: the temporary file. `fault`: why the end is missing, "" when all of it came out."""

    place: str
    fault: str = ""


def packed(head: bytes) -> bool:
    """By its first bytes; the name does not matter."""
    return head.startswith(MAGIC)


def unpack(path: str) -> Unpacked:
    """Raises UnreadableFile when nothing comes out, or too much; OSError as reading does."""
    facts = os.stat(path)
    name = hashlib.blake2b(f"{path}\0{facts.st_size}\0{facts.st_mtime_ns}".encode("utf-8", "replace"), digest_size=12)
    place = os.path.join(_place(), name.hexdigest() + ".jsonl")
    if os.path.exists(place):
        return Unpacked(place)
    fault, size = "", 0
    with open(place + ".part", "wb") as target:
        try:
            for piece in _pieces(path):
                target.write(piece)
                size += len(piece)
                if size > LIMIT or (size % _CHECKED < _PIECE and shutil.disk_usage(_place()).free < LEFT):
                    raise UnreadableFile(phrase("file.too_large_packed", path=path, size=size))
        except (ValueError, EOFError) as error:  # what the library raises for damage is one of these
            fault = str(error) or "damaged"
        except UnreadableFile:
            target.close()
            os.unlink(place + ".part")
            raise
    if not size:
        os.unlink(place + ".part")
        raise UnreadableFile(phrase("file.damaged_archive", path=path, reason=literal(fault or "–")))
    if fault:
        os.replace(place + ".part", place + ".cut")
        return Unpacked(place + ".cut", fault)
    os.replace(place + ".part", place)
    return Unpacked(place)


def _pieces(path: str) -> Iterator[bytes]:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    decoder = None
    try:
        with open(path, "rb") as file:
            while data := file.read(_PIECE):
                while data:
                    decoder = decoder or zstd.ZstdDecompressor()
                    yield decoder.decompress(data, _PIECE)
                    while not decoder.eof and not decoder.needs_input:
                        yield decoder.decompress(b"", _PIECE)
                    data = b""
                    if decoder.eof:  # another frame may follow
                        data, decoder = decoder.unused_data, None
    except zstd.ZstdError as error:
        raise ValueError(str(error)) from error
    if decoder is not None:
        raise EOFError("the archive ends in the middle")
