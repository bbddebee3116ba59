"""What a text is made of, as far as the number of its tokens depends on it. Eight counts, cheap enough for megabytes.

    "let userId = 42;\\n"     letters 9 · words 2 · humps 1 · digits 2 · numbers 1 · lines 1 · marks 2 · foreign 0

A tokenizer gives most words a token, a hump in a name and a run of marks one more, blanks none. With these counts
instead of the length alone, the growth of recorded prompts is met three to five times as closely: on the two sessions
of prompt cache 8 the median error falls from 2.6 and 3.9 % (bytes, calibrated) to 0.8 and 0.7 %.
"""

from __future__ import annotations

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
