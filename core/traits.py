"""What a text is made of, as far as the number of its tokens depends on it. Eight counts, cheap enough for megabytes.

    "let userId = 42;\\n"     letters 9 · words 2 · humps 1 · digits 2 · numbers 1 · lines 1 · marks 2 · foreign 0

A tokenizer gives most words a token, a hump in a name and a run of marks one more, blanks none. With these counts
instead of the length alone, the growth of recorded prompts is met three to five times as closely: on the two sessions
of prompt cache 8 the median error falls from 2.6 and 3.9 % (bytes, calibrated) to 0.8 and 0.7 %.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

TRAITS = ("letters", "words", "humps", "digits", "numbers", "lines", "marks", "foreign")
"""letters: A-Z, a-z. words, numbers, marks: runs of letters, of digits, of ASCII punctuation. humps: a capital after
a small letter. lines: line ends. foreign: UTF-8 bytes outside ASCII."""

Traits = tuple[int, ...]
NONE: Traits = (0,) * len(TRAITS)


def _signs(members: bytes) -> bytes:
    """A table that makes 1 of the members and 0 of every other byte."""
    return bytes(ord("1") if byte in members else ord("0") for byte in range(256))


_SMALL = _signs(bytes(range(ord("a"), ord("z") + 1)))
_LARGE = _signs(bytes(range(ord("A"), ord("Z") + 1)))
_DIGITS = _signs(b"0123456789")
_MARKS = _signs(bytes(byte for byte in range(0x21, 0x7F) if not chr(byte).isalnum()))
_FOREIGN = bytes(range(0x80, 0x100))


def traits(text: str) -> Traits:
    """The counts in the order of TRAITS. Lone surrogates count as three foreign bytes.

    Each class of characters becomes one long binary number, a bit per byte of the text: then a count is `bit_count`,
    and the first ones of all runs are those whose left neighbour is not set. No byte is looked at by Python itself.
    """
    raw = text.encode("utf-8", "surrogatepass")
    if not raw:
        return NONE
    small, large, digits, marks = (int(raw.translate(table), 2) for table in (_SMALL, _LARGE, _DIGITS, _MARKS))
    letters = small | large
    foreign = 0 if text.isascii() else len(raw) - len(raw.translate(None, _FOREIGN))
    return (
        letters.bit_count(),
        _runs(letters),
        ((small >> 1) & large).bit_count(),
        digits.bit_count(),
        _runs(digits),
        raw.count(b"\n"),
        _runs(marks),
        foreign,
    )


def _runs(bits: int) -> int:
    return (bits & ~(bits >> 1)).bit_count()


def added(one: Traits, other: Traits) -> Traits:
    return tuple(a + b for a, b in zip(one, other, strict=True))


# many texts at once

OTHER, SMALL, LARGE, DIGIT, MARK, LINE, FOREIGN = range(7)
"""Classes of bytes."""
_WIDTH = 3
"""Bits of a class."""


def _class_of(byte: int) -> int:
    character = chr(byte)
    if byte >= 0x80:
        return FOREIGN
    if character.isalpha():
        return LARGE if character.isupper() else SMALL
    if character.isdigit():
        return DIGIT
    return LINE if character == "\n" else MARK if 0x21 <= byte < 0x7F else OTHER


_CLASSES = bytes(map(_class_of, range(256)))
_LETTERS = (SMALL, LARGE)


def _counts_as(before: int, now: int) -> Traits:
    """What a byte of class `now` behind one of class `before` adds to each of TRAITS."""
    letter = now in _LETTERS
    return (
        letter,
        letter and before not in _LETTERS,
        (before, now) == (SMALL, LARGE),
        now == DIGIT,
        now == DIGIT and before != DIGIT,
        now == LINE,
        now == MARK and before != MARK,
        now == FOREIGN,
    )


_PAIRS = 1 << 2 * _WIDTH
_MEANING = np.array([_counts_as(pair >> _WIDTH, pair & 7) for pair in range(_PAIRS)], dtype=np.int64)

_WINDOW = 1 << 18
"""Bytes looked at together: what is made of them fits into the processor's cache."""


def tally(groups: Iterable[Iterable[str]]) -> NDArray[np.int64]:
    """For each group of texts the counts in the order of TRAITS, of all its texts together: [groups, TRAITS].

    What `traits` and `added` give, in less than half of the time where texts are short and many: how often which class
    of byte stands behind which other tells every count.
    """
    raws = ["\0".join(texts).encode("utf-8", "surrogatepass") for texts in groups]
    ends = np.cumsum(np.fromiter((len(raw) + 1 for raw in raws), np.int64, len(raws)))
    classes = np.frombuffer(b"\0".join((b"", *raws, b"")).translate(_CLASSES), np.uint8)
    found = np.zeros((len(raws), _PAIRS), np.int64)
    for start in range(0, len(classes) - 1, _WINDOW):
        stop = min(start + _WINDOW, len(classes) - 1)
        pairs = (classes[start:stop] << _WIDTH) | classes[start + 1 : stop + 1]
        first, last = np.searchsorted(ends, start, "right"), np.searchsorted(ends, stop, "left")
        sizes = np.diff(np.concatenate(([start], ends[first:last], [stop])))
        here = np.arange(len(sizes)) * _PAIRS
        counted = np.bincount(np.repeat(here, sizes) + pairs, minlength=len(sizes) * _PAIRS)
        found[first : first + len(sizes)] += counted.reshape(-1, _PAIRS)
    counts: NDArray[np.int64] = found @ _MEANING
    return counts
