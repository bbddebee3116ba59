"""Session files of pi (versions 1, 2, 3) and of OpenClaw, which are pi v3 with additions.

    header      {type:"session", version?, id, timestamp, cwd}          the first one counts, wherever it stands
    v1          no ids: a straight line; firstKeptEntryIndex counts parsed records, the header being 0
    v2          ids and parents; role hookMessage
    v3          role custom instead

Versions 1 and 2 are read as 3, in memory only; the file is never rewritten. Rules: session formats 1 and 2, and the
recorded cases of layer h (`openSession`). Where pi skips a line silently, or would start an empty session over a broken
header, the entries are read and a Problem tells of it.

`Session.format` is "openclaw" as soon as one sign of it is found, in the file or its place, else "pi": the header and
the entries that both write are alike.
"""

from __future__ import annotations

import gc
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from operator import attrgetter

import numpy as np
import orjson
from numpy.typing import NDArray

from core import openclaw
from core.errors import Problem
from core.format import Progress
from core.heads import Head, Said, from_elsewhere, moments, numbers, prices, spent
from core.heads import heads as heads_of
from core.instants import instants
from core.lines import RecordedFile, rescue, span
from core.messages import Json
from core.phrase import phrase
from core.pi_records import KNOWN, Records
from core.pi_session import since
from core.session import UNMEASURED, Session, is_mirror

ID = "pi"
TITLE = phrase("format.pi")
SUPPORTED = True

_PROGRESS_BYTES = 1 << 20
_NO_STAMP = "0000-00-00T00:00:00.000Z"
"""Stands for the time of a line that is read another way."""
_who = attrgetter("provider", "model", "api", "stopReason")


def score(objects: Sequence[Json]) -> int:
    points = 0
    for value in objects:
        kind = value.get("type")
        if kind == "session":
            points += 50 if isinstance(value.get("id"), str) or "version" in value else 20
        elif isinstance(kind, str) and "parentId" in value and isinstance(value.get("id"), str):
            points += 10
        elif isinstance(kind, str) and kind in KNOWN and "uuid" not in value and "traceSchema" not in value:
            points += 8 if kind != "message" or isinstance(value.get("message"), dict) else 0
    return points


def plausible(value: Json) -> bool:
    """A record of a session, rather than an object inside one."""
    kind = value.get("type") if isinstance(value, dict) else None
    if not isinstance(kind, str):
        return False
    return kind == "session" or kind in KNOWN or ("id" in value and "parentId" in value)


def read(source: RecordedFile, progress: Progress | None = None) -> Session:
    """Raises UnreadableFile when the file goes away while it is read."""
    reading = Reading(source)
    with uncollected():
        for offset, lines in source.batches(_PROGRESS_BYTES):
            reading.take(offset, lines)
            going = progress is None or progress(reading.end, source.size, len(reading.columns))
            if not going and reading.end < source.size:
                reading.stopped()
                break
    return reading.session()


@contextmanager
def uncollected() -> Iterator[None]:
    """Without the search for circles of garbage, of which reading makes none: a quarter of its time would go there."""
    on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if on:
            gc.enable()


class Reading(Records):
    """One pass over a file, as far as it goes; it may go on where it stopped when the file has grown.

    What `session` gives is final for what was taken.
    """

    def __init__(self, source: RecordedFile) -> None:
        super().__init__(source)
        self._named: dict[tuple[str | None, ...], tuple[int, ...]] = {}
        self.open_line = False  # the last line was taken, but its line end is not written yet

    # lines

    def take(self, offset: int, lines: Sequence[bytes]) -> None:
        """The next physical lines, with their line ends; `offset`: where the first of them begins."""
        heads = heads_of(lines)
        whole = np.fromiter(map(len, lines), dtype=np.int64, count=len(lines))
        ends = np.cumsum(whole) + offset
        offsets = array("q", (ends - whole).tobytes())
        sizes = array("q", (whole - _line_ends(lines)).tobytes())
        times = instants([_NO_STAMP if found is None else found.timestamp for found in heads])
        start = 0
        for at in [at for at, found in enumerate(heads) if found is None] + [len(heads)]:
            if start < at:
                part = slice(start, at)
                self._plain(heads[part], offsets[part], sizes[part], times[part])  # type: ignore[arg-type]
            if at < len(heads):
                self._line(offsets[at], lines[at])
            start = at + 1
        self.end = int(ends[-1])
        self.open_line = bool(lines) and not lines[-1].endswith(b"\n")

    def _line(self, offset: int, line: bytes) -> None:
        """One line, the general way."""
        self.lines += 1
        try:
            value = orjson.loads(line)
        except orjson.JSONDecodeError:
            self.broken(line, offset, self.lines)
        else:
            self.record(value, offset, span(line), self.lines)

    def broken(self, line: bytes, offset: int, number: int) -> None:
        found = rescue(line, plausible)
        if not found.records and not found.faults:
            return
        self.first_line = self.first_line or number
        unfinished = not line.endswith(b"\n")
        for record in found.records:
            self.record(record.value, offset + record.start, record.end - record.start, number, found.by_agent)
        for fault in found.faults:
            if fault.code == "bad_json" and unfinished and len(self.columns):
                self.unfinished = offset
            elif fault.code == "bad_json" and number == self.first_line:
                self.unreadable = number, dict(fault.values)["reason"]
            else:
                entry = self.columns.ids[-1] if found.records and len(self.columns) else None
                self.problems.append(Problem(fault.code, number, entry, "warning", fault.values))

    def stopped(self) -> None:
        """Cancelled: what was read is kept."""
        self.problems.add("reading_cancelled", self.lines, done=self.end, size=self.source.size)

    def resume(self, source: RecordedFile) -> bool:
        """Go on in a file that has grown. A last line that was not finished is taken again; False where that would not
        be the same as reading it all again."""
        if self.unfinished is not None:
            self.end, self.lines, self.unfinished = self.unfinished, self.lines - 1, None
        elif self.open_line and source(self.end, 1) != b"\n":
            return False  # the rest of a line of which something was taken already
        elif self.open_line:
            self.end += 1
            self.open_line = False
        self.problems.forget("reading_cancelled")
        self.source = source
        return True

    def _plain(self, heads: Sequence[Head], offsets: array[int], sizes: array[int], times: array[int]) -> None:
        """Entries about which there is nothing to say but what they are: column by column."""
        columns, first, count = self.columns, len(self.columns), len(heads)
        number = self.lines + 1
        self.lines += count
        self.first_line = self.first_line or number
        said = [found.message for found in heads]
        roles = ["" if one is None else one.role for one in said]
        answers = [at for at, role in enumerate(roles) if role == "assistant"]
        if answers:
            self._answers(answers, said, times, first)  # type: ignore[arg-type]
        if not self.openclaw:
            customs = [found.customType for found in heads if found.customType is not None and found.message is None]
            users = [one for one in said if one is not None and one.role == "user"]
            self.openclaw = any(map(openclaw.custom_kind, customs)) or any(map(from_elsewhere, users))
        elsewhere = [
            (row, spent(one.usage))
            for row, one in enumerate(said, first)
            if one is not None and one.usage is not None and one.role != "assistant"
        ]
        columns.other_usage += [(row, usage) for row, usage in elsewhere if usage.any]
        ids = [found.id for found in heads]
        if "" in ids:
            self.without_id += [first + at for at, id in enumerate(ids) if not id]
        self.any_id = self.any_id or any(ids)
        if self.header is None or self.header.read_as == 1:
            self.parsed.extend(range(first, first + count))
        columns.extend(
            ids=ids,
            parents=[found.parentId for found in heads],
            kinds=[found.type for found in heads],
            roles=roles,
            times=times,
            chars=array("q", [UNMEASURED]) * count,
            offsets=offsets,
            sizes=sizes,
            lines=array("q", np.arange(number, number + count).tobytes()),
        )

    def _answers(self, places: Sequence[int], said: Sequence[Said], times: array[int], first: int) -> None:
        """`places`: where in `said` and `times` the answers are; the first of these is row `first`."""
        replies, known = self.columns.replies, self._named
        answers = list(map(said.__getitem__, places))
        who = list(map(_who, answers))
        for new in dict.fromkeys(who):  # in order: names are numbered as they come
            if new not in known:
                known[new] = tuple(replies.name(name or "") for name in new)
                self.openclaw = self.openclaw or is_mirror(*new[:2])
        both = [0] * (2 * len(answers))
        both[::2] = moments([one.timestamp for one in answers])
        both[1::2] = map(times.__getitem__, places)
        usages = [one.usage for one in answers]
        replies.extend(
            array("q", [first + at for at in places]),
            array("i", list(chain.from_iterable(map(known.__getitem__, who)))),
            array("q", both),
            numbers(usages),
            array("d", prices(usages)),
            array("b", [usage is not None for usage in usages]),
        )

    # the end

    def session(self) -> Session:
        """Everything that was taken so far."""
        return self.since(0)[0]

    def since(self, first: int) -> tuple[Session, int]:
        """(the entries from row `first` on, with rows counted from the start of the file; the version it is read as).

        What is wrong with the whole file is told by all its problems, every time.
        """
        return since(self, first)


def _line_ends(lines: Sequence[bytes]) -> NDArray[np.int64] | int:
    """Lengths of the line ends."""
    if lines[-1].endswith(b"\n") and b"\r\n" not in [line[-2:] for line in lines]:
        return 1
    return np.array([len(line) - span(line) for line in lines], dtype=np.int64)
