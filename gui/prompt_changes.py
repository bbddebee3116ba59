"""What changed between the documents of one block before and after: woven into one text, or as hunks side by side.

    segments    kept ───────── removed ─────── inserted ── kept ───
    woven       def f():       ~~long body~~   [cut]       return x      one text to read in full
    hunks       def f():     │ def f():                                  lines stand beside their like
                ~~long body~~│ [cut]
                return x     │ return x

Places are characters of the documents. No Qt in here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from core.javascript import units
from core.phrase import Phrase
from core.segments import Segment, Segments, common_prefix, in_characters, of_strings, of_texts
from core.text import Text
from gui.prompt_text import Document, Section

Range = tuple[int, int]
"""Characters [start, end)."""

CONTEXT = 3
"""Lines of what is the same that stay in sight beside a change."""
CONTEXT_CHARACTERS = 600
"""…if they are not longer than this."""
LEAST_FOLD = 4
"""Fewer lines are not worth a fold."""


def segments_of(before: Document, after: Document) -> Segments:
    """Kept, removed and inserted characters. What a cut of one text took is known; the rest is compared."""
    if before is after or before.text == after.text:
        size = len(after.text)
        return (Segment("kept", (0, size), (0, size)),) if size else ()
    joined = _cut_of_all(before, after)
    if joined is not None:
        return joined
    if [section.style for section in before.sections] != [section.style for section in after.sections]:
        return of_strings(before.text, after.text)
    found: list[Segment] = []
    at = to = 0
    for old, new in zip(before.sections, after.sections, strict=True):
        found.append(Segment("kept", (at, old.start), (to, new.start)))  # the newline between two sections
        found += _moved(_in_section(before, old, after, new), old.start, new.start)
        at, to = old.end, new.end
    return _merged(found)


def _in_section(before: Document, old: Section, after: Document, new: Section) -> Segments:
    known = of_texts(old.held, new.held) if old.held is not None and new.held is not None else None
    if known is not None and old.held is not None and new.held is not None:
        return in_characters(known, old.held.units, new.held.units)
    return of_strings(before.text[old.start : old.end], after.text[new.start : new.end])


def _cut_of_all(before: Document, after: Document) -> Segments | None:
    """A tool result of several texts is joined before it is cut: the one text after is a cut of all texts before."""
    if len(before.sections) < 2 or len(after.sections) != 1 or after.sections[0].held is None:
        return None
    held = after.sections[0].held
    whole = units(before.text)
    known = of_texts(Text.of(held.source), held) if held.source.units == whole else None
    return in_characters(known, whole, held.units) if known is not None else None


def _moved(segments: Segments, by: int, by_after: int) -> Iterator[Segment]:
    for found in segments:
        (a, b), (c, d) = found.before, found.after
        yield Segment(found.kind, (a + by, b + by), (c + by_after, d + by_after))


def _merged(segments: Iterable[Segment]) -> Segments:
    """Without empty ones, neighbours of one kind joined."""
    found: list[Segment] = []
    for each in segments:
        if each.before[0] == each.before[1] and each.after[0] == each.after[1]:
            continue
        if found and found[-1].kind == each.kind:
            last = found.pop()
            each = Segment(each.kind, (last.before[0], each.before[1]), (last.after[0], each.after[1]))
        found.append(each)
    return tuple(found)


# one text to read


@dataclass(frozen=True, slots=True)
class Woven:
    """The document with what was removed in its place; `removed`, `inserted`: characters of it."""

    document: Document
    removed: tuple[Range, ...]
    inserted: tuple[Range, ...]


def weave(before: Document, after: Document, segments: Segments) -> Woven:
    """One text that holds everything of both sides, in reading order."""
    pieces: list[str] = []
    sections: list[Section] = []
    marks: dict[str, list[Range]] = {"kept": [], "removed": [], "inserted": []}
    at = 0
    for found in segments:
        document, (start, end) = (before, found.before) if found.kind == "removed" else (after, found.after)
        pieces.append(document.text[start:end])
        marks[found.kind].append((at, at + end - start))
        for section in document.sections:
            low, high = max(start, section.start), min(end, section.end)
            if low < high or (section.start == section.end and start <= low <= end):
                _join(sections, Section(section.style, at + low - start, at + high - start, _label(section, low)))
        at += end - start
    return Woven(Document("".join(pieces), tuple(sections)), tuple(marks["removed"]), tuple(marks["inserted"]))


def _label(section: Section, low: int) -> Phrase | None:
    return section.label if low == section.start else None


def _join(sections: list[Section], new: Section) -> None:
    last = sections[-1] if sections else None
    if last is not None and last.end == new.start and last.style == new.style and new.label in (None, last.label):
        sections[-1] = Section(last.style, last.start, new.end, last.label)
    else:
        sections.append(new)


# side by side


@dataclass(frozen=True, slots=True)
class Hunk:
    """Whole lines that stand beside each other. same: equal text; fold: equal text of `lines` lines, not shown."""

    kind: Literal["same", "changed", "fold"]
    before: Range
    after: Range
    lines: int = 0


def hunks(segments: Segments, before: str, after: str) -> tuple[Hunk, ...]:
    """The two texts as stretches of lines, equal ones and changed ones in turn."""
    found: list[Hunk] = []
    start, place = 0, 0
    for index, each in enumerate(segments):
        if each.kind != "kept":
            continue
        low = 0 if index == 0 or _fresh(before, after, each) else _after_break(before, *each.before)
        last = index == len(segments) - 1
        high = each.before[1] - each.before[0] if last else _upto_break(before, *each.before)
        if low is None or high is None or low >= high:
            continue
        shift = each.after[0] - each.before[0]
        begin, end = each.before[0] + low, each.before[0] + high
        if begin > start or begin + shift > place:
            found.append(Hunk("changed", (start, begin), (place, begin + shift)))
        found.append(Hunk("same", (begin, end), (begin + shift, end + shift)))
        start, place = end, end + shift
    if start < len(before) or place < len(after):
        found.append(Hunk("changed", (start, len(before)), (place, len(after))))
    return tuple(found)


def _fresh(before: str, after: str, kept: Segment) -> bool:
    """Does the kept stretch begin at the beginning of a line on both sides?"""
    at, to = kept.before[0], kept.after[0]
    return (at == 0 or before[at - 1] == "\n") and (to == 0 or after[to - 1] == "\n")


def _after_break(text: str, start: int, end: int) -> int | None:
    found = text.find("\n", start, end)
    return found + 1 - start if found >= 0 else None


def _upto_break(text: str, start: int, end: int) -> int | None:
    found = text.rfind("\n", start, end)
    return found + 1 - start if found >= 0 else None


def with_folds(found: tuple[Hunk, ...], text: str, opened: frozenset[int] = frozenset()) -> tuple[Hunk, ...]:
    """Long equal stretches shown only near a change. `text`: the one before. `opened`: where folds were opened, by the
    place before at which they begin."""
    shown: list[Hunk] = []
    for index, hunk in enumerate(found):
        if hunk.kind != "same":
            shown.append(hunk)
            continue
        start, end = hunk.before
        low = _lines_on(text, start, end) if index else start
        high = _lines_back(text, low, end) if index < len(found) - 1 else end
        lines = text.count("\n", low, high) + (1 if high == len(text) and text[-1:] != "\n" else 0)
        if (lines < LEAST_FOLD and high - low <= CONTEXT_CHARACTERS) or low in opened:
            shown.append(hunk)
            continue
        shift = hunk.after[0] - start
        for kind, a, b in (("same", start, low), ("fold", low, high), ("same", high, end)):
            if a < b:
                shown.append(Hunk(kind, (a, b), (a + shift, b + shift), lines if kind == "fold" else 0))  # type: ignore[arg-type]
    return tuple(shown)


def _lines_on(text: str, start: int, end: int) -> int:
    """The end of a few lines from `start` on; `start` itself when they are too long to be shown."""
    at = start
    for _ in range(CONTEXT):
        found = text.find("\n", at, end)
        if found < 0 or found - start > CONTEXT_CHARACTERS:
            break
        at = found + 1
    return at


def _lines_back(text: str, start: int, end: int) -> int:
    """The beginning of a few lines before `end`."""
    at = end
    for _ in range(CONTEXT):
        if at <= start:
            break
        found = text.rfind("\n", start, at - 1) + 1
        if end - max(found, start) > CONTEXT_CHARACTERS:
            break
        at = max(found, start)
    return at


def slice_of(document: Document, part: Range) -> Document:
    """Some lines of a document as a document of its own, without the line break at their end."""
    start, end = part
    if end - start > 0 and end < len(document.text) and document.text[end - 1] == "\n":
        end -= 1
    sections = []
    for section in document.sections:
        low, high = max(start, section.start), min(end, section.end)
        if low < high or (low == high and start <= section.start <= end):
            label = section.label if section.start >= start else None
            sections.append(Section(section.style, low - start, high - start, label))
    return Document(document.text[start:end], tuple(sections))


def first_difference(before: Document, after: Document) -> int | None:
    """The first character that is not the same; None when all are."""
    if before.text == after.text:
        return None
    return common_prefix(before.text, after.text)


def inside(ranges: Iterable[Range], part: Range) -> list[Range]:
    """What of some ranges lies in a part, counted from its beginning."""
    start, end = part
    return [(max(a, start) - start, min(b, end) - start) for a, b in ranges if a < end and b > start]
