"""What a summary kept of the part it stands for: identifiers kept, changed, lost, used later; asks, files, errors.

    summarised part ─────────────┐ identifiers found
    summary                      ├─▶ kept · changed (another form of it) · lost
    kept tail                    │   also there?
    everything after ────────────┘   asked for again?          lost and used later: what a compaction costs

Works on the index of a path (`core.retention`), for recorded compactions and for ours alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from core import javascript
from core.identifiers import Identifier, find
from core.instructions import SECTIONS
from core.open_work import OpenError, last_ask, modified_files, open_errors
from core.quality import lines, reflected
from core.retention import Mentions
from core.safeguard_sections import CAP


@dataclass(frozen=True, slots=True)
class Item:
    """One identifier of the summarised part. `first`: row of the entry that first held it.

    `kept`: it stands in the summary as it was. `form`: another form of it that stands there instead ("" = none).
    `in_tail`: it stands in the kept tail. `used`: entries after the compaction that ask for it, `first_use` the row of
    the first."""

    identifier: Identifier
    first: int
    kept: bool
    form: str
    in_tail: bool
    used: int
    first_use: int | None

    @property
    def lost(self) -> bool:
        """In neither summary nor tail, in no form."""
        return not (self.kept or self.form or self.in_tail)

    @property
    def missed(self) -> bool:
        """Lost, and asked for again."""
        return self.lost and self.used > 0


@dataclass(frozen=True, slots=True)
class Audit:
    """`items`: missed first, then lost, then by first mention. Sizes of the summary in UTF-16 units.

    `sections`: which of the five headings stand in it. `ask`: the last request of the summarised part, `ask_kept`
    verbatim, `ask_reflected` in its words. `modified`, `modified_kept`: files. `errors`: open ones, `errors_kept`: how
    many of their lines stand in the summary. `refetched` of `fetches` later calls fetch what had been fetched before.
    `fell_out`: rows that are neither sent nor were ever in the input of a summary, `fallen` their identifiers that are
    used later."""

    items: tuple[Item, ...]
    chars: int
    cap: int
    sections: tuple[bool, ...]
    ask: str | None
    ask_kept: bool
    ask_reflected: bool
    modified: tuple[str, ...]
    modified_kept: tuple[str, ...]
    errors: tuple[OpenError, ...]
    errors_kept: int
    refetched: int
    fetches: int
    fell_out: tuple[int, ...] = ()
    fallen: tuple[Item, ...] = ()

    @property
    def found(self) -> int:
        return len(self.items)

    @property
    def kept(self) -> int:
        return sum(item.kept for item in self.items)

    @property
    def in_tail(self) -> int:
        return sum(item.in_tail for item in self.items)

    @property
    def lost(self) -> tuple[Item, ...]:
        return tuple(item for item in self.items if item.lost)

    @property
    def missed(self) -> tuple[Item, ...]:
        return tuple(item for item in self.items if item.missed)

    @property
    def kept_used(self) -> int:
        """Identifiers that are used later and stand in the summary as they were."""
        return sum(item.kept and item.used > 0 for item in self.items)

    @property
    def over_cap(self) -> bool:
        return self.chars > self.cap


@dataclass(frozen=True, slots=True)
class Region:
    """Which places of the path (`Mentions.path`) play which part. `previous`: the summary that went in with them."""

    summarised: range
    tail: range
    later: range
    previous: str | None = None
    fell_out: tuple[int, ...] = ()


def audit(index: Mentions, region: Region, summary: str, cap: int = CAP) -> Audit:
    """The index is of the whole path, the region says which of its places the summary stands for."""
    held = Held(summary)
    happened = index.happened(region.summarised)
    numbered = index.within(region.summarised)
    items = [_item(index, region, held, index.names[number], number, place) for number, place in numbered.items()]
    items += _inherited(index, region, held, numbered)
    items.sort(key=lambda item: (not item.missed, not item.lost, -item.used, item.first))
    fallen_numbers = {n: place for at in region.fell_out for n, place in index.within(range(at, at + 1)).items()}
    fallen = [
        _item(index, region, held, index.names[number], number, place)
        for number, place in fallen_numbers.items()
        if number not in numbered
    ]
    ask = last_ask(happened)
    modified = modified_files(happened)
    rows = set(lines(summary))
    errors = open_errors(happened)
    refetched, fetches = index.refetched(region.summarised, region.later)
    return Audit(
        items=tuple(items),
        chars=javascript.length(summary),
        cap=cap,
        sections=tuple(section in rows for section in SECTIONS),
        ask=ask,
        ask_kept=ask is None or ask in summary,
        ask_reflected=reflected(summary, ask),
        modified=modified,
        modified_kept=tuple(file for file in modified if held.contains(file)),
        errors=errors,
        errors_kept=sum(error.line in summary for error in errors),
        refetched=refetched,
        fetches=fetches,
        fell_out=tuple(index.path[at] for at in region.fell_out),
        fallen=tuple(sorted((item for item in fallen if item.missed), key=lambda item: (-item.used, item.first))),
    )


def _item(index: Mentions, region: Region, held: Held, name: Identifier, number: int, place: int) -> Item:
    used, first_use = index.used(number, region.later)
    return Item(
        name,
        index.path[place],
        kept := held.contains(name.text),
        "" if kept else held.other_form(name),
        _in(index, number, region.tail),
        used,
        index.path[first_use] if first_use is not None else None,
    )


def _in(index: Mentions, number: int, places: range) -> bool:
    return any(number in index.held[place] for place in places)


def _inherited(index: Mentions, region: Region, held: Held, numbered: dict[int, int]) -> list[Item]:
    """Identifiers of the previous summary that the summarised part does not mention again."""
    if not region.previous or not len(region.summarised):
        return []
    found = []
    for name in find(region.previous):
        number = index.numbers.get(name, -1)
        if number not in numbered:
            found.append(_item(index, region, held, name, number, region.summarised.start))
    return found


_WORD = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
_BEFORE = _WORD | frozenset("/.-~@#")
_AFTER = _WORD | frozenset("/-")


class Held:
    """What a text holds: identifiers exactly, at borders of words, and other forms of them."""

    def __init__(self, text: str) -> None:
        self._text = text
        names = find(text)
        self._exact = {name.text for name in names}
        self._folded = {name.text.casefold(): name.text for name in names}
        self._by_last: dict[str, str] = {}
        self._hashes: list[str] = []
        for name in names:
            if name.kind == "path":
                self._by_last.setdefault(last_part(name.text), name.text)
            elif name.kind in ("hash", "uuid"):
                self._hashes.append(name.text)

    def contains(self, wanted: str) -> bool:
        return wanted in self._exact or next(self.places(self._text, wanted, 1), None) is not None

    @staticmethod
    def places(text: str, wanted: str, most: int) -> Iterator[tuple[int, int]]:
        """The first `most` places [start, end) of a text at which an identifier stands by itself."""
        at, found = text.find(wanted), 0
        while at >= 0 and found < most:
            end = at + len(wanted)
            after = text[end : end + 2]
            ends = not after or (after[0] not in _AFTER and not (after[0] == "." and after[1:] and after[1] in _WORD))
            if ends and (at == 0 or text[at - 1] not in _BEFORE or wanted[0] not in _BEFORE):
                found += 1
                yield at, end
            at = text.find(wanted, at + 1)

    def other_form(self, name: Identifier) -> str:
        """A path by its end, a hash by its beginning, anything in other letter case; "" when there is none."""
        if name.kind == "path":
            other = self._by_last.get(last_part(name.text), "")
            if other and (name.text.endswith("/" + other) or other.endswith("/" + name.text.lstrip("./"))):
                return other
        elif name.kind in ("hash", "uuid"):
            plain = name.text.casefold()
            for other in self._hashes:
                folded = other.casefold()
                if len(folded) >= 7 and (plain.startswith(folded) or folded.startswith(plain)):
                    return other
        return self._folded.get(name.text.casefold(), "")


def last_part(path: str) -> str:
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2]
