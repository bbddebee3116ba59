"""Source: a piece of recorded text with its facts. Text: spans kept of a Source, with inserts between.

A cut never copies: it is arithmetic on spans in UTF-16 units, the agents' own unit.

    Source  "aaaaaaaaaa\nbbbbbbbbbb"            length 21
    Text    [0,10) + "…cut…" + [16,21)          length 10 + 5 + 5
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from core import javascript


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """Recorded text, held *in units* (see `core.javascript.units`), with facts computed once.

    `units`: the text, index = UTF-16 unit. `key`: 16-byte digest of it. Compare by `key`, never by identity.
    """

    units: str
    key: bytes = field(repr=False)

    @classmethod
    def of(cls, text: str) -> Source:
        """From any Python string; lone surrogates are kept."""
        held = javascript.units(text)
        return cls(held, hashlib.blake2b(held.encode("utf-16-le", "surrogatepass"), digest_size=16).digest())

    def __len__(self) -> int:
        return len(self.units)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Source) and (self is other or self.key == other.key)

    def __hash__(self) -> int:
        return hash(self.key)


@dataclass(frozen=True, slots=True)
class Span:
    """Units [start, end) of a Source."""

    start: int
    end: int


Piece = Span | str


@dataclass(frozen=True, slots=True)
class Text:
    """What is kept of `source`: spans of it and inserted strings (in units), in order."""

    source: Source
    pieces: tuple[Piece, ...]

    @classmethod
    def of(cls, text: str | Source) -> Text:
        source = text if isinstance(text, Source) else Source.of(text)
        return cls(source, (Span(0, len(source)),))

    @property
    def whole(self) -> bool:
        """Nothing was cut and nothing inserted."""
        if len(self.pieces) != 1:
            return False
        piece = self.pieces[0]
        return isinstance(piece, Span) and piece.start == 0 and piece.end == len(self.source.units)

    def __len__(self) -> int:
        return sum(len(p) if isinstance(p, str) else p.end - p.start for p in self.pieces)

    @property
    def units(self) -> str:
        """The text in units; the very string of the source when nothing was cut."""
        if self.whole:
            return self.source.units
        return "".join(p if isinstance(p, str) else self.source.units[p.start : p.end] for p in self.pieces)

    def __str__(self) -> str:
        return javascript.joined(self.units)

    def cut(self, *pieces: Piece) -> Text:
        """Another selection of the same source."""
        return Text(self.source, tuple(p for p in pieces if isinstance(p, str) or p.end > p.start))

    def part(self, start: int, end: int) -> tuple[Piece, ...]:
        """The pieces that make up units [start, end) of this text: what a further cut keeps of it."""
        kept: list[Piece] = []
        at = 0
        for piece in self.pieces:
            size = len(piece) if isinstance(piece, str) else piece.end - piece.start
            low, high = max(0, start - at), min(size, end - at)
            if low < high:
                if isinstance(piece, str):
                    kept.append(piece[low:high])
                else:
                    kept.append(Span(piece.start + low, piece.start + high))
            at += size
        return tuple(kept)
