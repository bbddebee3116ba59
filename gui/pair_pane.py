"""Before ⇄ after: two columns of the step in focus, or from step 0 to what is sent. Gestures and what they show.

strip     which steps · how many differences, the first one · show all
heads     Before  ◇118,240 tokens      After  ◇113,957 tokens
list      rows aligned by block (virtual), one scroll bar
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.phrase import Phrase, phrase
from gui.numbers import Mark, tokens
from gui.pair_heads import PairHeads
from gui.pair_list import PairList
from gui.pair_page import AFTER, BEFORE, PairPage
from gui.pair_rows import row_of, rows_of
from gui.pair_texts import PairFolds, PairTexts
from gui.pair_words import facts, spoken
from gui.prompt_geometry import safe
from gui.prompt_list import Hit
from gui.prompt_page import Page
from gui.prompt_rows import Kind
from gui.prompt_search import MOST, places
from gui.prompt_strip import PromptStrip
from gui.theme import Look
from gui.translation import say


class PairPane(QWidget):
    """`found`: another number of hits, or another hit is in focus."""

    found = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.look = look
        self.folds = PairFolds()
        self.known = PairTexts()
        self.pairs: PairPage | None = None
        self.strip = PromptStrip(look, self)
        self.heads = PairHeads(look, self)
        self.list = self._list(look)
        self._dressed: object = None
        self._at: int | None = None
        """Place in the alignment that has the cursor."""
        self._at_lines: int | None = None
        """Which folded lines of it have the cursor."""
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        for part in (self.strip, self.heads):
            box.addWidget(part)
        box.addWidget(self.list, 1)
        self.setFocusProxy(self.list)
        self.strip.pressed.connect(self.toggle_everything)
        self.list.picked.connect(self.pick)
        self.list.toggled.connect(self.toggle)
        self.list.asked.connect(self._tell_card)

    def _list(self, look: Look) -> PairList:
        return PairList(look, self)

    # projection

    def show_page(self, page: Page, dress: object) -> None:
        """The stage of the page; `dress`: look and language, anything that is not equal when they changed."""
        stage = page.stage
        pairs = self.pairs
        if stage is None:
            self.pairs = None
        elif pairs is None or pairs.page.stage is not stage:
            again = pairs is not None and pairs.before is stage.before and pairs.after is stage.blocks
            if not again:
                self.folds.forget()
                self._at = self._at_lines = None
            self.pairs = PairPage.of(page, stage, self.folds, self.known)
        fresh = self.pairs is not pairs or dress != self._dressed
        self._dressed = dress
        self._follow()
        self._show_rows(
            fresh=fresh, same=pairs is not None and self.pairs is not None and pairs.page.state is page.state
        )

    def _follow(self) -> None:
        """The cursor of the state, where it points at a block after."""
        pairs = self.pairs
        if pairs is None:
            return
        block = pairs.page.state.cursor.block
        if block is None:
            if self._at is not None and pairs.ours(self._at) is not None:
                self._at = None
            return
        if self._at is None or pairs.ours(self._at) != block:
            self._at = next((index for index in range(len(pairs.rows)) if pairs.ours(index) == block), None)
            self._at_lines = None

    def _show_rows(self, *, fresh: bool = False, same: bool = True, scroll: bool = True) -> None:
        pairs = self.pairs
        empty = self._empty()
        self.list.empty = say(empty) if empty is not None else ""
        rows = rows_of(pairs) if pairs is not None and empty is None else []
        self.list.setAccessibleName(self.list.empty or say(phrase("prompt.pair.list")))
        for part in (self.strip, self.heads):
            part.setVisible(bool(rows))
        if fresh or list(self.list.rows) != rows:
            self.list.show_pairs(pairs, rows, keep=same)
            if not same:
                self.list.verticalScrollBar().setValue(0)
        if pairs is None or not rows:
            self.list.set_current(None)
            return
        index = self._current()
        moved = index != self.list.current
        self.list.set_current(index)
        if index is not None and moved:
            if scroll:
                self.list.show_row(index)
            self.list.setAccessibleDescription(spoken(pairs, rows[index]))
        self._tell(pairs)

    def _current(self) -> int | None:
        if self._at is None:
            return None
        at = row_of(self.list.rows, self._at)
        if at is not None and self._at_lines is not None:
            for index in range(at + 1, len(self.list.rows)):
                row = self.list.rows[index]
                if row.first != self._at or row.kind is Kind.PAIR:
                    break
                if row.kind is Kind.SAME and row.part == self._at_lines:
                    return index
        return at

    def _empty(self) -> Phrase | None:
        """What is said instead of two columns."""
        pairs = self.pairs
        if pairs is None:
            return phrase("prompt.pair.no_steps")
        step = pairs.page.step
        if step is None:
            return phrase("prompt.pair.nothing_all") if not pairs.changed else None
        if pairs.from_nothing:
            return phrase("prompt.pair.from_nothing", why=step.why)
        return phrase("prompt.pair.nothing_why", why=step.why) if not pairs.changed else None

    def _tell(self, pairs: PairPage) -> None:
        step = pairs.page.step
        title = say(step.title if step is not None else phrase("prompt.pair.all_steps"))
        note = say(phrase("prompt.pair.changed", n=pairs.changed))
        first = pairs.first
        if first is not None and first.unit is not None:
            where = phrase("prompt.pair.first", block=first.block + 1, character=first.unit + 1)
            note += " · " + say(where)
        elif first is not None:
            note += " · " + say(phrase("prompt.pair.first_block", block=first.block + 1))
        else:
            as_ever = sum(pairs.tokens[BEFORE]) == sum(pairs.tokens[AFTER])
            note += " · " + say(phrase("prompt.pair.unsent" if as_ever else "prompt.pair.form"))
        runs = [row for row in self.list.rows if row.kind is Kind.RUN]
        which = "prompt.show_all" if any(not row.open for row in runs) else "prompt.fold_all" if runs else ""
        self.strip.tell(title, note, say(phrase(which)) if which else "", "")
        marks = (Mark.ESTIMATED if pairs.all_steps else Mark.SIMULATED, Mark.SIMULATED)
        sizes = [tokens(sum(pairs.tokens[side]), mark) for side, mark in zip((BEFORE, AFTER), marks, strict=True)]
        names = ("sizes_step0", "sizes_sent") if pairs.all_steps else ("sizes", "sizes")
        said = [say(phrase(f"prompt.pair.{name}", tokens=size)) for name, size in zip(names, sizes, strict=True)]
        self.heads.tell((say(phrase("prompt.pair.before")), said[0]), (say(phrase("prompt.pair.after")), said[1]))

    # gestures

    def pick(self, index: int) -> None:
        """The cursor on a row; the state follows, as far as the block is in a prompt."""
        pairs = self.pairs
        if pairs is None:
            return
        row = self.list.rows[index]
        self._at, self._at_lines = row.first, row.part if row.kind is Kind.SAME else None
        state, ours = pairs.page.state, pairs.ours(row.first)
        if ours is not None:
            state.go(block=ours)
        else:
            block = pairs.block(row.first, 1 - pairs.OURS)
            rows = block.origin.rows if block is not None else ()
            state.go(block=None, entry=rows[0] if rows else None)
        self._show_rows()

    def step(self, by: int) -> None:
        """The next (+1) or previous (-1) row that the keyboard stops at."""
        reachable = [at for at, row in enumerate(self.list.rows) if row.reachable]
        current = self.list.current
        if current is None:
            beyond = reachable if by > 0 else reachable[::-1]
        else:
            beyond = [at for at in reachable[::by] if (at - current) * by > 0]
        if beyond:
            self.pick(beyond[0])

    def toggle(self, index: int | None) -> None:
        """Fold or unfold what a row stands for."""
        pairs = self.pairs
        if pairs is None or index is None or not 0 <= index < len(self.list.rows):
            return
        row = self.list.rows[index]
        if row.kind is Kind.PAIR:
            pairs.toggle(row.first)
        elif row.kind is Kind.RUN:
            self.folds.all_runs = False
            self.folds.runs.symmetric_difference_update({row.first})
        elif row.kind is Kind.SAME:
            pairs.unfold_lines(row.first, row.part)
        self._show_rows(scroll=False)

    def toggle_everything(self) -> None:
        """Unfold every run; when none is folded, fold all again."""
        folded = any(row.kind is Kind.RUN and not row.open for row in self.list.rows)
        self.folds.all_runs = folded
        if not folded:
            self.folds.runs.clear()
        self._show_rows()

    def copied(self) -> str:
        """The selected text of the column in use, else the text there of the pair at the cursor, else the other's."""
        pairs, selection = self.pairs, self.list.selection
        if pairs is None:
            return ""
        if selection is not None and not selection.empty:
            return safe("\n\n".join(piece for piece in selection.pieces(self.list.document) if piece))
        if self._at is None:
            return ""
        return safe(self.list.document(self._at).text or pairs.document(self._at, 1 - self.list.side).text)

    def select_all(self) -> None:
        """All text of the pair at the cursor in the column in use."""
        if self._at is not None:
            self.list.select_all(self._at)

    # find

    def search(self, words: str) -> None:
        """Places of some words, top to bottom; where both sides are the same they count once."""
        pairs = self.pairs
        hits: list[Hit] = []
        wanted = words.lower()
        if pairs is not None and wanted and self.list.rows:
            for index in range(len(pairs.rows)):
                for side in (AFTER,) if pairs.quiet[index] else (BEFORE, AFTER):
                    block = pairs.block(index, side)
                    if block is None:
                        continue
                    text, small = pairs.document(index, side).text, pairs.page.texts.lowered(block)
                    hits += [Hit(index, at, at + len(words), side) for at in places(text, small, wanted)]
                if len(hits) >= MOST:
                    break
        start = self._at or 0
        after = (at for at, hit in enumerate(hits) if hit.block >= start)
        self.list.show_hits(hits, next(after, 0) if hits else -1)
        self._show_hit()

    def next_hit(self, by: int) -> None:
        """The next (+1) or previous (-1) hit; around at the ends."""
        if self.list.hits:
            self.list.show_hits(self.list.hits, (self.list.hit + by) % len(self.list.hits))
            self._show_hit()

    def end_search(self) -> None:
        self.list.show_hits((), -1)

    def _show_hit(self) -> None:
        pairs, list_ = self.pairs, self.list
        if pairs is not None and 0 <= list_.hit < len(list_.hits):
            hit = list_.hits[list_.hit]
            run = next((r for r in list_.rows if r.kind is Kind.RUN and r.first <= hit.block <= r.last), None)
            if run is not None and not run.open:
                self.folds.runs.add(run.first)
            if not pairs.is_open(hit.block):
                pairs.toggle(hit.block)
            for part, hunk in enumerate(pairs.hunks(hit.block)):
                start, end = hunk.after if hit.side == AFTER else hunk.before
                if hunk.kind == "fold" and start <= hit.start < end:
                    pairs.unfold_lines(hit.block, part)
                    break
            self._show_rows(scroll=False)
            list_.show_hit(hit)
        self.found.emit()

    # card

    def _tell_card(self, index: int, place: QPoint) -> None:
        if self.pairs is not None and 0 <= index < len(self.list.rows):
            lines = facts(self.pairs, self.list.rows[index])
            if lines:
                self.list.card.tell(lines, place, self.look.theme)

    def tell_card(self) -> None:
        """The card of the row at the cursor, by keyboard."""
        where, index = self.list.places, self.list.current
        if where is not None and index is not None:
            y = where.tops[index] + where.head(index) - self.list.scroll
            point = self.list.viewport().mapToGlobal(QPoint(self.look.theme.px(80), max(0, y)))
            self._tell_card(index, point)
