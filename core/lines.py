"""The physical lines of a file of JSON records, and what can be rescued of those that are no JSON.

Lines end at `\\n` only (U+2028, U+2029 and U+0085 occur inside strings), lose one `\\r`, and the file its BOM
(session formats 0). Nothing of the file is kept: a line is asked for again by its byte span.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from stat import S_ISDIR, S_ISREG

import orjson

from core import spool
from core.errors import UnreadableFile
from core.javascript import trim
from core.messages import Json
from core.phrase import Phrase, literal, phrase

BOM = b"\xef\xbb\xbf"
_HEAD = 4096
_BUFFER = 1 << 20
_LOOKS = 200
_FIRST, _LEAST = 1 << 16, 3 << 17


@dataclass(frozen=True, slots=True)
class RecordedFile:
    """One file as it stood when it was opened: cheap to pickle, opened anew for every access.

    Calling it with (offset, size) gives those bytes. A file that only grew still gives them (an agent may be writing
    it); one that shrank, was replaced or rewritten raises UnreadableFile.
    """

    path: str
    size: int
    modified: int
    inode: int
    head: bytes = field(repr=False)
    place: str = ""
    """Where the bytes are: the file itself, or what was unpacked from it (core/spool.py)."""
    fault: str = ""
    """Why its end could not be unpacked, "" as a rule."""
    archive: tuple[int, int, int] | None = None
    """Of a packed file: what `stamp` said of it when it was unpacked."""

    @classmethod
    def at(cls, path: str | os.PathLike[str]) -> RecordedFile:
        """Raises UnreadableFile for what is missing, empty, forbidden, binary, or no regular file."""
        name = os.fspath(path)
        try:
            facts = os.stat(name)
            if S_ISDIR(facts.st_mode):
                raise UnreadableFile(phrase("file.directory", path=name))
            if not S_ISREG(facts.st_mode):
                raise UnreadableFile(phrase("file.special", path=name))
            with open(name, "rb") as file:
                head = file.read(_HEAD)
            place, fault, archive = name, "", None
            if spool.packed(head):
                archive = facts.st_size, facts.st_mtime_ns, facts.st_ino
                unpacked = spool.unpack(name)
                place, fault = unpacked.place, unpacked.fault
                facts = os.stat(place)
                with open(place, "rb") as file:
                    head = file.read(_HEAD)
        except OSError as error:
            raise UnreadableFile(_refusal(name, error)) from error
        except ValueError as error:  # a NUL in the name
            raise UnreadableFile(phrase("file.missing", path=name)) from error
        if not head:
            raise UnreadableFile(phrase("file.empty", path=name))
        if _binary(head):
            raise UnreadableFile(phrase("file.binary", path=name))
        return cls(name, facts.st_size, facts.st_mtime_ns, facts.st_ino, _digest(head), place, fault, archive)

    def __call__(self, offset: int, size: int) -> bytes:
        try:
            with open(self.place or self.path, "rb", buffering=0) as file:
                facts = self._at_rest(file.fileno())
                if (facts.st_size, facts.st_mtime_ns, facts.st_ino) != (self.size, self.modified, self.inode):
                    self._only_grew(facts, file.read(min(_HEAD, self.size)))
                file.seek(offset)
                found = file.read(size)
                while len(found) < size and (more := file.read(size - len(found))):
                    found += more
        except OSError as error:
            raise UnreadableFile(_refusal(self.path, error)) from error
        if len(found) < size:
            raise UnreadableFile(phrase("file.changed", path=self.path))
        return found

    def _at_rest(self, descriptor: int) -> os.stat_result:
        """What is known of the open file. Whoever appends to it may have stamped it already and not lengthened it yet:
        it is then looked at again, and the writer given its turn."""
        facts = os.fstat(descriptor)
        for _ in range(_LOOKS):
            if facts.st_size != self.size or facts.st_mtime_ns == self.modified:
                break
            if hasattr(os, "sched_yield"):
                os.sched_yield()
            facts = os.fstat(descriptor)
        return facts

    def _only_grew(self, facts: os.stat_result, head: bytes) -> None:
        if facts.st_ino != self.inode or facts.st_size <= self.size or _digest(head) != self.head:
            raise UnreadableFile(phrase("file.changed", path=self.path))

    @property
    def packed(self) -> bool:
        """It was unpacked: what becomes of the file shows only when it is unpacked again."""
        return self.archive is not None

    def stamp(self) -> tuple[int, int, int]:
        """(size, time of change, inode) of the file as it stands there now. Raises UnreadableFile."""
        try:
            facts = os.stat(self.path)
        except OSError as error:
            raise UnreadableFile(_refusal(self.path, error)) from error
        return facts.st_size, facts.st_mtime_ns, facts.st_ino

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """(offset, line with its line end), streamed, as far as the file went when it was opened."""
        try:
            with open(self.place or self.path, "rb", buffering=_BUFFER) as file:
                offset = len(BOM) if file.read(len(BOM)) == BOM else 0
                file.seek(offset)
                for line in file:
                    if offset + len(line) > self.size:
                        line = line[: self.size - offset]
                    if not line:
                        return
                    yield offset, line
                    offset += len(line)
        except OSError as error:
            raise UnreadableFile(_refusal(self.path, error)) from error

    def head_until(self, size: int) -> bytes:
        """`head` as it would be if the file ended after `size` bytes: a file that grew keeps it."""
        return _digest(self(0, min(_HEAD, size)))

    def batches(self, size: int, start: int = 0) -> Iterator[tuple[int, list[bytes]]]:
        """(offset, the lines from there on with their line ends), up to about `size` bytes at a time, at first less so
        that something can be shown at once; from `start`, where a line begins, as far as the file went when it was
        opened."""
        try:
            with open(self.place or self.path, "rb", buffering=_BUFFER) as file:
                offset = start or (len(BOM) if file.read(len(BOM)) == BOM else 0)
                file.seek(offset)
                wanted = min(size, _FIRST)
                while lines := file.readlines(wanted):
                    end = file.tell()
                    while end > self.size and lines:  # written since
                        end -= len(lines[-1])
                        rest = lines.pop()[: max(0, self.size - end)]
                        if rest:
                            lines.append(rest)
                            end += len(rest)
                    if not lines:
                        return
                    yield offset, lines
                    offset = end
                    wanted = min(size, max(_LEAST, offset >> 7))  # what is held at once is a small part of the whole
        except OSError as error:
            raise UnreadableFile(_refusal(self.path, error)) from error

    def whole(self) -> bytes:
        """All bytes without the BOM."""
        return self(0, self.size).removeprefix(BOM)

    @property
    def name(self) -> str:
        return Path(self.path).name


def _digest(head: bytes) -> bytes:
    return hashlib.blake2b(head, digest_size=16).digest()


def _binary(head: bytes) -> bool:
    """No text in it: NUL bytes, unless a record begins the file, or there are few of them: runs of zeros are what a
    crash leaves inside a JSON file."""
    if b"\0" not in head or _RECORD.match(head):
        return False
    return b"{" not in head or head.count(b"\0") * 10 > len(head) or head[:2] in (b"PK", b"\x1f\x8b")


_RECORD = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"')


def _refusal(path: str, error: OSError) -> Phrase:
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return phrase("file.missing", path=path)
    if isinstance(error, PermissionError):
        return phrase("file.forbidden", path=path)
    if isinstance(error, IsADirectoryError):
        return phrase("file.directory", path=path)
    return phrase("file.failed", path=path, reason=literal(error.strerror or str(error)))


def span(line: bytes) -> int:
    """Length of the line without its line end."""
    end = len(line)
    if line[-1:] == b"\n":
        return end - 2 if line[-2:] == b"\r\n" else end - 1
    return end


@dataclass(frozen=True, slots=True)
class Record:
    """A JSON value and the bytes [start, end) of its line."""

    value: Json
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Fault:
    """What was wrong with a line: the code of a Problem and its values."""

    code: str
    values: tuple[tuple[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class Rescue:
    """What became of a line that the fast parser refused. `by_agent`: would the agent's own parser read the line?"""

    records: tuple[Record, ...]
    faults: tuple[Fault, ...]
    by_agent: bool = True


def parse(line: bytes) -> Json:
    """The JSON value of a line, by the fast parser or the tolerant one; ValueError when it is none."""
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError:
        return _tolerant(line)[0]


def rescue(line: bytes, plausible: Callable[[Json], bool]) -> Rescue:
    """Read a line that `orjson` refused.

    The standard parser takes lone surrogates, NaN and numbers without bounds. Of a line that is no JSON either, whole
    records are recovered: `plausible` tells a record of the format from a mere object inside a broken one.
    """
    if not trim(line.decode("utf-8", "replace")):
        return Rescue((), ())
    end = span(line)
    try:
        value, faults = _tolerant(line)
    except ValueError as error:
        return _spliced(line[:end], plausible, error)
    strict = all(fault.code != "not_strict_json" for fault in faults)
    return Rescue((Record(value, 0, end),), faults, by_agent=strict)


def _tolerant(line: bytes) -> tuple[Json, tuple[Fault, ...]]:
    faults: list[Fault] = []
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        text = line.decode("utf-8", "replace")
        faults.append(Fault("invalid_utf8", (("position", error.start),)))
    constants: list[str] = []

    def constant(name: str) -> float:
        constants.append(name)
        return float(name)

    try:
        value = json.loads(text, parse_constant=constant, parse_int=_integer)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if constants:
        faults.append(Fault("not_strict_json", (("constant", constants[0]),)))
    if _lone_surrogate(value):
        faults.append(Fault("lone_surrogate"))
    return value, tuple(faults)


def _integer(digits: str) -> int | float:
    """Python refuses to convert very long ones; JavaScript has them as doubles."""
    return int(digits) if len(digits) <= _DIGITS else float(digits)


_DIGITS = 4000


def _lone_surrogate(value: Json) -> bool:
    waiting = [value]
    while waiting:
        found = waiting.pop()
        if isinstance(found, str):
            try:
                found.encode("utf-8")
            except UnicodeEncodeError:
                return True
        elif isinstance(found, dict):
            waiting.extend(found)
            waiting.extend(found.values())
        elif isinstance(found, list):
            waiting.extend(found)
    return False


_TRIES = 200
"""A cut record has one broken beginning per level of nesting."""


def _spliced(line: bytes, plausible: Callable[[Json], bool], error: ValueError) -> Rescue:
    """Whole records inside a broken line: two that share it, or one behind the beginning of a cut one.

    Latin-1 keeps one character per byte, and JSON's own signs are ASCII, so positions are byte positions.
    """
    text = line.decode("latin-1")
    decoder = json.JSONDecoder(parse_int=_integer)
    records: list[Record] = []
    tries, effort = _TRIES, 8 * len(text)  # what a hostile line may cost: beginnings tried, characters looked at
    at = text.find('{"')
    while at >= 0 and tries > 0 and effort > 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except json.JSONDecodeError as broken:
            tries -= 1
            effort -= broken.pos - at
            at = text.find('{"', at + 1)
            continue
        except (ValueError, RecursionError):
            break
        if plausible(value):
            with suppress(ValueError):
                records.append(Record(parse(line[at:end]), at, end))
        at = text.find('{"', end)
    if not records:
        return Rescue((), (Fault("bad_json", (("reason", literal(_reason(error))),)),), by_agent=False)
    kept = sum(record.end - record.start for record in records)
    skipped = len(line.strip()) - kept
    n = ("n", len(records))
    if skipped <= len(records) and not text.replace("\0", "").strip().startswith(","):
        return Rescue(tuple(records), (Fault("glued_records", (n,)),), by_agent=False)
    return Rescue(tuple(records), (Fault("spliced_record", (n, ("skipped", skipped))),), by_agent=False)


def _reason(error: ValueError) -> str:
    return f"{error.msg}, column {error.colno}" if isinstance(error, json.JSONDecodeError) else str(error)
