"""The order in which the agents sort names: Unicode collation with the root order, not code points.

    _ - , ; : ! ? . ' " ( ) [ ] { } @ * / \\ & # % ` ^ + < = > | ~  $  0-9  a A b B …

Punctuation counts and comes before digits and letters, accents count after all letters, case after accents. The agents
use ICU's root collation (`localeCompare`; recorded cases of layers e and o). Here pyuca does it, with Unicode 10's own
table (DUCET). Held beside ICU 77 the order is the same for ASCII, punctuation, symbols, emoji, Latin, Greek, Cyrillic,
Hebrew, Arabic, Devanagari, Thai, kana and Hangul. What differs: Han characters (here by code point, in ICU by radical
and stroke), and characters that came after Unicode 10.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

Key = tuple[int, ...]

_ASCII = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz"
_PRIMARY = {character: rank for rank, character in enumerate(_ASCII, 1)} | {
    letter.upper(): rank for rank, letter in enumerate(_ASCII, 1) if letter.isalpha()
}


def keys(names: Sequence[str]) -> list[Key]:
    """What the names are sorted by: to be compared with one another, not with those of another call."""
    key = ascii_key if all(map(_plain, names)) else root_key
    return list(map(key, names))


def collated(names: Sequence[str]) -> list[str]:
    """The names in collation order; equal ones keep theirs."""
    found = keys(names)
    return [names[index] for index in sorted(range(len(names)), key=found.__getitem__)]


def ascii_key(name: str) -> Key:
    """The key of a name of printable ASCII characters, without the table: it takes a fifth of a second to read."""
    return (*(_PRIMARY[character] for character in name), 0, *map(str.isupper, name))


def root_key(name: str) -> Key:
    """The key of any name. Half a surrogate pair sorts as the character that stands for what cannot be read."""
    whole = name.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    weights: Key = _table().sort_key(whole)
    return weights


def _plain(name: str) -> bool:
    return name.isascii() and name.isprintable()


@cache
def _table() -> Any:
    from pyuca import Collator  # reads 1.5 MB of weights

    return Collator()
