"""What the person folded in two columns, and the compared texts that are kept from one threshold to the next."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from core.prompt import Block
from core.segments import Segments
from gui.prompt_changes import Range
from gui.prompt_text import Document


@dataclass
class PairFolds:
    """What the person folded and unfolded. Texts are remembered by message key; runs and lines for one alignment."""

    opened: set[bytes] = field(default_factory=set)
    closed: set[bytes] = field(default_factory=set)
    runs: set[int] = field(default_factory=set)
    """Unfolded runs, by their first place."""
    all_runs: bool = False
    lines: set[tuple[int, int]] = field(default_factory=set)
    """Unfolded equal lines: (place in the alignment, character before at which they begin)."""

    def forget(self) -> None:
        """Another alignment."""
        self.runs.clear()
        self.lines.clear()
        self.all_runs = False


@dataclass(frozen=True, slots=True)
class Side:
    """One column of a hunk: its lines, what of them is gone or new, and the character that differs first."""

    document: Document
    marked: tuple[Range, ...] = ()
    boxed: int | None = None


PairKey = tuple[bytes | None, bytes | None]
"""Message keys of both sides."""


class PairTexts:
    """Compared texts and lines cut out of them, the most recent: another threshold leaves most pairs as they are."""

    TEXTS, SIDES, ANSWERS = 128, 512, 60_000

    def __init__(self) -> None:
        self._texts: OrderedDict[PairKey, tuple[Document, Document, Segments]] = OrderedDict()
        self._sides: OrderedDict[tuple[object, ...], tuple[Side, Side]] = OrderedDict()
        self.sent: dict[tuple[bytes, bytes], bool] = {}
        self.said: dict[tuple[bytes, bytes], bool] = {}

    def same(
        self,
        answers: dict[tuple[bytes, bytes], bool],
        old: Block,
        new: Block,
        asked: Callable[[Block, Block], bool],
    ) -> bool:
        """What `asked` says of two blocks, asked once: it depends on their messages alone."""
        key = (old.key, new.key)
        found = answers.get(key)
        if found is None:
            if len(answers) >= self.ANSWERS:
                answers.clear()
            found = answers[key] = asked(old, new)
        return found

    def texts(
        self, key: PairKey, read: Callable[[], tuple[Document, Document, Segments]]
    ) -> tuple[Document, Document, Segments]:
        found = self._texts.get(key)
        if found is None:
            found = self._texts[key] = read()
            while len(self._texts) > self.TEXTS:
                self._texts.popitem(last=False)
        self._texts.move_to_end(key)
        return found

    def sides(self, key: tuple[object, ...], cut: Callable[[], tuple[Side, Side]]) -> tuple[Side, Side]:
        found = self._sides.get(key)
        if found is None:
            found = self._sides[key] = cut()
            while len(self._sides) > self.SIDES:
                self._sides.popitem(last=False)
        self._sides.move_to_end(key)
        return found
