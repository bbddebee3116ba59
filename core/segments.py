"""What two texts have in common: kept, removed and inserted segments that rebuild both sides.

    before   aaaa RRRR bb            kept "aaaa "  removed "RRRR"  inserted "II"  kept " bb"
    after    aaaa II bb

A cut of one Source is known exactly (`of_texts`): it is arithmetic on spans. Any other pair is compared (`of_strings`):
ends trimmed, then by lines, then by words inside changed lines of at most WORDS characters. The work is bounded by a
number of steps, not by a clock: beyond it the answer is coarser, never wrong (measured: Qt notes 5).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from core.javascript import joined
from core.matching import Steps, runs
from core.text import Span, Text

Kind = Literal["kept", "removed", "inserted"]

WORDS = 2_048
"""Characters of a changed stretch that is still compared by words."""
STEPS = 60_000
"""Steps of comparison for one pair of texts: about 15 ms."""


@dataclass(frozen=True, slots=True)
class Segment:
    """`before` and `after`: [start, end) in each text. kept: equal text on both sides. removed: `after` is empty, at
    the place where it was. inserted: `before` is empty. Removed stands before inserted where both meet."""

    kind: Kind
    before: tuple[int, int]
    after: tuple[int, int]


Segments = tuple[Segment, ...]


class _Writer:
    """Collects stretches from left to right and joins neighbours of one kind."""

    def __init__(self) -> None:
        self._found: list[Segment] = []
        self._before = self._after = 0
        self._removed = self._inserted = 0

    def keep(self, size: int) -> None:
        if size <= 0:
            return
        self._flush()
        last = self._found[-1] if self._found else None
        before, after = (self._before, self._before + size), (self._after, self._after + size)
        if last is not None and last.kind == "kept":
            self._found[-1] = Segment("kept", (last.before[0], before[1]), (last.after[0], after[1]))
        else:
            self._found.append(Segment("kept", before, after))
        self._before, self._after = before[1], after[1]

    def remove(self, size: int) -> None:
        self._removed += size

    def insert(self, size: int) -> None:
        self._inserted += size

    def _flush(self) -> None:
        at, to = self._before, self._after
        if self._removed:
            self._found.append(Segment("removed", (at, at + self._removed), (to, to)))
        if self._inserted:
            end = at + self._removed
            self._found.append(Segment("inserted", (end, end), (to, to + self._inserted)))
        self._before, self._after = at + self._removed, to + self._inserted
        self._removed = self._inserted = 0

    def segments(self) -> Segments:
        self._flush()
        return tuple(self._found)


# a known cut


def of_texts(before: Text, after: Text) -> Segments | None:
    """The segments of two selections of one Source, in UTF-16 units; None when it is not known what was cut.

    What both keep of the Source is kept, wherever the same characters stand besides: nothing is guessed."""
    if before.source is not after.source and before.source.key != after.source.key:
        return None
    kept = _shared(before, after)
    if kept is None:
        return None
    writer = _Writer()
    old, new = before.units, after.units
    at = to = 0
    for start, place, size in (*kept, (len(old), len(new), 0)):
        gone, come = old[at:start], new[to:place]
        # A notice that both sides carry is no part of the Source, but the same text.
        same = _alike(gone, come, _note(before, at), _note(after, to))
        last = 0 if same else _alike(gone[::-1], come[::-1], _note(before, start, True), _note(after, place, True))
        writer.keep(same)
        writer.remove(len(gone) - same - last)
        writer.insert(len(come) - same - last)
        writer.keep(last)
        writer.keep(size)
        at, to = start + size, place + size
    return writer.segments()


def _spans(text: Text) -> list[tuple[int, int, int]]:
    """(place in the text, start, end in the source) of what is kept of the source."""
    found, at = [], 0
    for piece in text.pieces:
        if isinstance(piece, Span):
            found.append((at, piece.start, piece.end))
            at += piece.end - piece.start
        else:
            at += len(piece)
    return found


def _shared(before: Text, after: Text) -> list[tuple[int, int, int]] | None:
    """(place before, place after, size) of what both keep; None when one of them is not in the order of the source."""
    old, new = _spans(before), _spans(after)
    for spans in (old, new):
        if any(a[2] > b[1] for a, b in pairwise(spans)):
            return None
    found, i, j = [], 0, 0
    while i < len(old) and j < len(new):
        (at, start, end), (to, first, last) = old[i], new[j]
        low, high = max(start, first), min(end, last)
        if low < high:
            found.append((at + low - start, to + low - first, high - low))
        if end <= last:
            i += 1
        else:
            j += 1
    return found


def _note(text: Text, place: int, ends: bool = False) -> int:
    """Length of the inserted string that begins (or ends) exactly at this place, 0 when none does."""
    at = 0
    for piece in text.pieces:
        size = len(piece) if isinstance(piece, str) else piece.end - piece.start
        if (at + size if ends else at) == place and isinstance(piece, str):
            return size
        at += size
    return 0


def _alike(one: str, other: str, note: int, other_note: int) -> int:
    """The length of a notice that begins both texts; 0 where they are two notices, however alike they end."""
    return note if note == other_note and one[:note] == other[:note] else 0


def in_characters(segments: Segments, before: str, after: str) -> Segments:
    """The segments of two texts in units, counted in characters of the joined strings. A character of which only one
    half is kept is no kept character: it is removed before, and what is left of it is inserted."""
    if before.isascii() and after.isascii():
        return segments
    writer = _Writer()
    old, new = _Characters(before), _Characters(after)
    for found in segments:
        (a, b), (c, d) = found.before, found.after
        if found.kind == "removed":
            writer.remove(old.upto(b))
            continue
        if found.kind == "inserted":
            writer.insert(new.upto(d))
            continue
        low = a + (old.inside(a) or new.inside(c))  # the half that begins here belongs to what stood before
        high = b - (old.inside(b) or new.inside(d))
        if low >= high:
            writer.remove(old.upto(b))
            writer.insert(new.upto(d))
            continue
        writer.remove(old.upto(low))
        writer.insert(new.upto(c + low - a))
        writer.keep(old.upto(high))
        new.upto(c + high - a)
    writer.remove(old.upto(len(before)))
    writer.insert(new.upto(len(after)))
    return writer.segments()


class _Characters:
    """Walks through a text in units and counts the characters passed."""

    def __init__(self, units: str) -> None:
        self._units = units
        self._at = 0

    def inside(self, place: int) -> bool:
        """Does this place split a surrogate pair?"""
        units = self._units
        if not 0 < place < len(units):
            return False
        return "\ud800" <= units[place - 1] <= "\udbff" and "\udc00" <= units[place] <= "\udfff"

    def upto(self, place: int) -> int:
        """Characters from where we are to the place; a character that it would split stays ahead."""
        place -= self.inside(place)
        if place <= self._at:
            return 0
        passed, self._at = joined(self._units[self._at : place]), place
        return len(passed)


# any two texts


def common_prefix(one: str, other: str) -> int:
    """Characters that two texts begin with alike."""
    size, step = min(len(one), len(other)), 4_096
    for at in range(0, size, step):
        a, b = one[at : at + step], other[at : at + step]
        if a != b:
            return at + next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return size


def common_suffix(one: str, other: str, most: int) -> int:
    """Characters that two texts end with alike, at most `most`."""
    size, step = min(len(one), len(other), most), 4_096
    for at in range(0, size, step):
        width = min(step, size - at)
        a = one[len(one) - at - width : len(one) - at]
        b = other[len(other) - at - width : len(other) - at]
        if a != b:
            return at + next(i for i in range(width) if a[width - 1 - i] != b[width - 1 - i])
    return size


def of_strings(before: str, after: str, steps: int = STEPS) -> Segments:
    """The segments of any two texts, in characters. `steps` bounds the work, see STEPS."""
    head = common_prefix(before, after)
    tail = common_suffix(before, after, min(len(before), len(after)) - head)
    writer = _Writer()
    head, tail = _whole_lines(before, after, head, tail)
    writer.keep(head)
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    if old and new:
        _by_lines(old, new, Steps(steps), writer)
    else:
        writer.remove(len(old))
        writer.insert(len(new))
    writer.keep(tail)
    return writer.segments()


def _whole_lines(before: str, after: str, head: int, tail: int) -> tuple[int, int]:
    """Equal ends cut back to where lines begin, if lines changed at all: `two⏎` is gone from `one⏎two⏎three⏎`, and not
    `wo⏎t`, which is as true."""
    if "\n" not in before[head : len(before) - tail] and "\n" not in after[head : len(after) - tail]:
        return head, tail
    into = head - (before.rfind("\n", 0, head) + 1)
    end = len(before) - tail
    if not (_fresh(before, end) and _fresh(after, len(after) - tail)):
        line = before.find("\n", end)
        rest = (line + 1 if line >= 0 else len(before)) - end
        tail -= rest if rest <= WORDS else 0
    return head - (into if into <= WORDS else 0), tail


def _fresh(text: str, place: int) -> bool:
    """Does a line begin here?"""
    return place == 0 or text[place - 1] == "\n"


def _by_lines(old: str, new: str, steps: Steps, writer: _Writer) -> None:
    before, after = _lines(old), _lines(new)
    for a, b, equal in runs(before, after, steps):
        if equal:
            writer.keep(sum(map(len, a)))
            continue
        gone, come = "".join(a), "".join(b)
        if gone and come and len(gone) <= WORDS and len(come) <= WORDS:
            _by_words(gone, come, steps, writer)
        else:
            head = common_prefix(gone, come)
            tail = common_suffix(gone, come, min(len(gone), len(come)) - head)
            writer.keep(head)
            writer.remove(len(gone) - head - tail)
            writer.insert(len(come) - head - tail)
            writer.keep(tail)


def _lines(text: str) -> list[str]:
    return [line + "\n" for line in text.split("\n")[:-1]] + [text[text.rfind("\n") + 1 :]]


_WORD = re.compile("[\u2e80-\u9fff\uac00-\ud7af]|[^\\W\u2e80-\u9fff\uac00-\ud7af]+|\\s+|.", re.DOTALL)
"""A word, a run of white space, one Chinese or Korean character, or one other sign."""


def _by_words(old: str, new: str, steps: Steps, writer: _Writer) -> None:
    found = list(runs(_WORD.findall(old), _WORD.findall(new), steps))
    for index, (a, b, equal) in enumerate(found):
        lonely = equal and 0 < index < len(found) - 1 and not "".join(a).strip()
        if equal and not lonely:
            writer.keep(sum(map(len, a)))
        else:  # a space between two changes is easier to read as part of them
            writer.remove(sum(map(len, a)))
            writer.insert(sum(map(len, b)))
