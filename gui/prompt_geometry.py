"""Where the rows of the prompt list stand, and the selection of text over them.

Heights of open texts are estimates until they are looked at; `settle` makes those in sight true.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from gui.prompt_layout import Body
from gui.prompt_rows import Row
from gui.prompt_text import Document
from gui.theme import Theme

Place = tuple[int, int | None]
"""(block, character of its document); None = the block as a whole, where its text is not open."""

RAW = -1
"""Stands for a block where the raw JSON is shown."""


class Bodies:
    """Laid-out texts by document and width, the most recent: folding and scrolling lay out nothing twice."""

    LIMIT = 48

    def __init__(self) -> None:
        self._held: OrderedDict[tuple[int, int, Theme], Body] = OrderedDict()

    def of(self, document: Document, width: int, theme: Theme) -> Body:
        key = (id(document), width, theme)
        found = self._held.get(key)
        if found is None or found.document is not document:
            found = self._held[key] = Body(document, width, theme)
            while len(self._held) > self.LIMIT:
                self._held.popitem(last=False)
        self._held.move_to_end(key)
        return found


class Geometry:
    """Rows as pixels from the list's top. `head` gives a row's height without text, `document` a block's text."""

    def __init__(
        self,
        rows: Sequence[Row],
        head: Callable[[Row], int],
        document: Callable[[int], Document],
        bodies: Bodies,
        width: int,
        theme: Theme,
    ) -> None:
        self.rows = rows
        self.width = width
        self._document, self._bodies, self._theme = document, bodies, theme
        self._pad = theme.px(10)
        self._heads = [head(row) for row in rows]
        self._texts = [self._body_height(row) if row.open else 0 for row in rows]
        self._sum()

    def _sum(self) -> None:
        both = (head + text for head, text in zip(self._heads, self._texts, strict=True))
        self.tops = list(accumulate(both, initial=0))

    def _body_height(self, row: Row) -> int:
        """Pixels of the row's text: of the longer one, where two stand side by side."""
        bodies = self.bodies(row)
        return max(body.height for body in bodies) + self._below(row) if bodies else 0

    def _below(self, row: Row) -> int:
        """Pixels left free below a text."""
        return self._pad

    def bodies(self, row: Row) -> Sequence[Body]:
        """The texts that stand beside each other in an open row."""
        body = self.body(row)
        return (body,) if body is not None else ()

    def body(self, row: Row) -> Body | None:
        """The text of an open block."""
        if not (row.open and row.has_text):
            return None
        return self._bodies.of(self._document(row.first), self.width, self._theme)

    @property
    def height(self) -> int:
        return self.tops[-1]

    def head(self, index: int) -> int:
        """Pixels of the row above its text."""
        return self._heads[index]

    def rows_between(self, top: float, bottom: float) -> range:
        if not self.rows or bottom <= 0 or top >= self.height:
            return range(0)
        first = max(0, bisect_right(self.tops, top) - 1)
        last = min(len(self.rows) - 1, max(first, bisect_right(self.tops, bottom) - 1))
        return range(first, last + 1)

    def row_at(self, y: float) -> int | None:
        found = self.rows_between(y, y + 0.5)
        return found.start if found else None

    def settle(self, top: float, bottom: float) -> bool:
        """Make the heights of all texts in [top, bottom) true; whether any changed."""
        changed = False
        index = self.rows_between(top, bottom).start
        while index < len(self.rows) and self.tops[index] < bottom:
            row = self.rows[index]
            bodies = self.bodies(row) if row.open else ()
            if bodies:
                start = self.tops[index] + self._heads[index]
                for body in bodies:
                    body.settle(max(0.0, top - start), bottom - start)
                height = self._body_height(row)
                if height != self._texts[index]:
                    self._texts[index] = height
                    self._sum()
                    changed = True
            index += 1
        return changed

    def index_of(self, block: int) -> int | None:
        """The row of a block with a row of its own."""
        return next((i for i, row in enumerate(self.rows) if row.has_text and row.first == block), None)

    def place_at(self, x: float, y: float) -> Place | None:
        """The place under a point at `x` from the text's left edge; the nearest above it where there is none."""
        index = self.row_at(min(max(0.0, y), self.height - 1))
        while index is not None and index >= 0 and not self.rows[index].has_text:
            index -= 1
        if index is None or index < 0:
            return None
        row = self.rows[index]
        body = self.body(row)
        if body is None:
            return row.first, None
        inside = y - self.tops[index] - self._heads[index]
        return row.first, body.place_at(x, inside)

    def y_of(self, place: Place) -> int | None:
        """Top of the line that shows a place."""
        index = self.index_of(place[0])
        if index is None:
            return None
        body = self.body(self.rows[index])
        if body is None or place[1] is None:
            return self.tops[index]
        return self.tops[index] + self._heads[index] + body.y_of(place[1])


@dataclass(frozen=True, slots=True)
class Selection:
    """From `anchor` to `head`, in the order they were set."""

    anchor: Place
    head: Place

    def span(self, block: int, length: int) -> tuple[int, int] | None:
        """Selected characters [start, end) of a block whose document has `length` of them."""
        (low, start), (high, end) = self.ordered()
        if not low <= block <= high:
            return None
        first = start if block == low else 0
        last = end if block == high else length
        if low == high and first is not None and last is not None and first > last:
            first, last = last, first
        span = first or 0, length if last is None else last
        return span if span[0] < span[1] else None

    def ordered(self) -> tuple[Place, Place]:
        """(first, last) in reading order."""
        if self.anchor[0] != self.head[0]:
            first, last = sorted((self.anchor, self.head), key=lambda place: place[0])
            return first, last
        places = [self.anchor[1], self.head[1]]
        if None in places:
            return (self.anchor[0], None), (self.anchor[0], None)
        low, high = sorted(place for place in places if place is not None)
        return (self.anchor[0], low), (self.anchor[0], high)

    @property
    def empty(self) -> bool:
        return self.anchor == self.head and self.anchor[1] is not None

    def pieces(self, document: Callable[[int], Document]) -> Iterator[str]:
        """The selected text, block by block."""
        (low, _), (high, _) = self.ordered()
        for block in range(low, high + 1):
            text = document(block).text
            span = self.span(block, len(text))
            if span is not None:
                yield text[span[0] : span[1]]


def safe(text: str) -> str:
    """Text for the clipboard: half surrogate pairs, which no other program can take, become U+FFFD."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def word_at(text: str, block: int, at: int) -> Selection:
    """The word around a place: letters, digits and underscores, or the one other character there."""
    start = end = min(at, max(0, len(text) - 1))
    while start > 0 and at - start < 10_000 and _joins(text[start - 1]) and _joins(text[start]):
        start -= 1
    while end < len(text) and end - at < 10_000 and _joins(text[end]):
        end += 1
    return Selection((block, start), (block, max(end, min(start + 1, len(text)))))


def _joins(character: str) -> bool:
    return character.isalnum() or character == "_"
