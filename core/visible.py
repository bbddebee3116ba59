"""Make text from a session file safe to look at: what cannot be seen, or would reorder the line, gets a visible name.

A session may hold anything a tool printed: escape codes, overrides of the writing direction that make a line read
differently than the model read it, zero-width characters and tag characters that hide instructions, and halves of
surrogate pairs that Qt would drop silently. Each is replaced for display only: ESC by ⟨ESC⟩, U+202E by ⟨RLO⟩, a lone
half by ⟨D83D⟩. What joins visible characters to one picture stays: joiners inside an emoji or between letters of
scripts that need them, and one variation selector after an emoji.
"""

from __future__ import annotations

import re
from bisect import bisect_right

_NAMES: dict[int, str] = {
    0x007F: "DEL",
    0x00AD: "SHY",
    0x034F: "CGJ",
    0x061C: "ALM",
    0x115F: "HCF",
    0x1160: "HJF",
    0x17B4: "KIVAQ",
    0x17B5: "KIVAA",
    0x180E: "MVS",
    0x200B: "ZWSP",
    0x200C: "ZWNJ",
    0x200D: "ZWJ",
    0x200E: "LRM",
    0x200F: "RLM",
    0x2028: "LS",
    0x2029: "PS",
    0x202A: "LRE",
    0x202B: "RLE",
    0x202C: "PDF",
    0x202D: "LRO",
    0x202E: "RLO",
    0x2060: "WJ",
    0x2061: "FA",
    0x2062: "IT",
    0x2063: "IS",
    0x2064: "IP",
    0x2066: "LRI",
    0x2067: "RLI",
    0x2068: "FSI",
    0x2069: "PDI",
    0x3164: "HF",
    0xFEFF: "BOM",
    0xFFA0: "HHF",
    0xFFF9: "IAA",
    0xFFFA: "IAS",
    0xFFFB: "IAT",
    # Qt lays out an inline object here, which is nothing at all in plain text.
    0xFFFC: "OBJ",
    0x0085: "NEL",
    0x008D: "RI",
    0x0090: "DCS",
    0x009B: "CSI",
    0x009C: "ST",
    0x009D: "OSC",
}

# The control pictures (␛) are in few fonts and unreadable in the rest, so controls are named like all others.
# fmt: off
_C0 = (
    "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "HT", "LF", "VT", "FF", "CR", "SO", "SI",
    "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US",
)
# fmt: on

# Everything above by class, with the ranges that have no single names: C0 (but tab and newline) and C1,
# deprecated format characters, shorthand and musical formats, variation selectors, tags, surrogates, noncharacters.
_HIDDEN = (
    "\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\xad\\u034f\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u115f\\u1160"
    "\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ud800-\\udfff"
    "\\ufdd0-\\ufdef\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffc\\ufffe\\uffff"
    "\\U000110bd\\U000110cd\\U00013430-\\U0001343f\\U0001bca0-\\U0001bca3\\U0001d173-\\U0001d17a"
    "\\U000e0000-\\U000e0fff"
)
_NONCHARACTERS = "".join(f"\\U{plane:04x}fffe\\U{plane:04x}ffff" for plane in range(1, 17))
_PICTURE = "\\xa9\\xae\\u203c-\\u3299\\U0001f000-\\U0001faff"
_JOINING = "\\u0620-\\u06dc\\u06de-\\u070e\\u0710-\\u088f\\u08a0-\\u08e1\\u08e3-\\u0dff"
# The class comes first, so that ordinary text is skipped at the speed of one table look-up per character. What
# follows leaves joiners and selectors alone that do their ordinary work.
_HIDDEN_CHARACTER = re.compile(
    f"[{_HIDDEN}{_NONCHARACTERS}]"
    f"(?<![{_PICTURE}\\ufe0f]\\u200d(?=[{_PICTURE}]))"
    f"(?<![{_JOINING}][\\u200c\\u200d](?=[{_JOINING}]))"
    f"(?<![{_PICTURE}][\\ufe0e\\ufe0f])"
    "(?<![0-9#*]\\ufe0f(?=\\u20e3))"
)


def _name(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return f"⟨{_C0[code]}⟩"
    if 0xFE00 <= code <= 0xFE0F:
        return f"⟨VS{code - 0xFE00 + 1}⟩"
    if 0xE0100 <= code <= 0xE01EF:
        return f"⟨VS{code - 0xE0100 + 17}⟩"
    if 0xE0020 < code < 0xE007F:
        # Tag characters mirror ASCII: show what they would secretly spell.
        return f"⟨TAG {chr(code - 0xE0000)}⟩"
    return f"⟨{_NAMES.get(code) or f'{code:04X}'}⟩"


def _named(match: re.Match[str]) -> str:
    return _name(match[0])


def visible(text: str, *, newline: str = "\n", tab: str = "\t") -> str:
    """`text` with every hidden character named; the same object when there is none.

    `newline` and `tab` say what those two become: themselves for many lines, a space or a glyph for one line.
    The result holds no other control, format, direction, surrogate or separator character.
    """

    if _HIDDEN_CHARACTER.search(text):
        text = _HIDDEN_CHARACTER.sub(_named, text)
    if newline != "\n":
        text = text.replace("\n", newline)
    return text if tab == "\t" else text.replace("\t", tab)


def visible_line(text: str, limit: int = 2_000) -> str:
    """The beginning of `text` as one line: at most `limit` characters of it, breaks and tabs as spaces."""
    return visible(text[:limit].replace("\r\n", " "), newline=" ", tab=" ")


class Places:
    """Where each character of a text stands in its visible form, for marks such as search hits.

        places = Places(text)
        places.shown(i)      position in visible(text) of text[i]; the end for len(text)
        places.source(j)     the character of text that is shown at position j

    Newlines and tabs must stay one character each. Positions count code points, like Python; `utf16` counts
    those of Qt's layouts.
    """

    def __init__(self, text: str) -> None:
        self._length = len(text)
        self._sources: list[int] = []  # positions of replaced characters
        self._ends: list[int] = []  # where their names end in the visible text
        grown = 0
        for match in _HIDDEN_CHARACTER.finditer(text):
            grown += len(_name(match[0])) - 1
            self._sources.append(match.start())
            self._ends.append(match.start() + 1 + grown)

    def shown(self, index: int) -> int:
        """Position in the visible text of the character at `index` (0 … length)."""
        index = min(max(index, 0), self._length)
        before = bisect_right(self._sources, index - 1)
        return index if before == 0 else self._ends[before - 1] + index - self._sources[before - 1] - 1

    def source(self, position: int) -> int:
        """The character whose visible form covers `position`."""
        before = bisect_right(self._ends, position)
        found = position if before == 0 else self._sources[before - 1] + 1 + position - self._ends[before - 1]
        if before < len(self._sources):
            found = min(found, self._sources[before])
        return min(max(found, 0), self._length)


def utf16(text: str, index: int) -> int:
    """How many UTF-16 units stand before the character at `index`: Qt's own count of positions."""
    head = text[:index]
    return len(head) + sum(character > "\uffff" for character in head)
