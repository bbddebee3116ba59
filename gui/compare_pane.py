"""The two columns of the Compare tab: before ⇄ after with another policy in the place of "after"."""

from __future__ import annotations

from core.phrase import Phrase, phrase
from gui import numbers
from gui.compare_blocks import CompareList
from gui.compare_page import ComparePage
from gui.numbers import Mark
from gui.pair_list import PairList
from gui.pair_page import AFTER, BEFORE, PairPage
from gui.pair_pane import PairPane
from gui.prompt_rows import Kind
from gui.theme import Look
from gui.translation import say


class ComparePane(PairPane):
    """Shows a ComparePage; gestures are those of before ⇄ after."""

    def _list(self, look: Look) -> PairList:
        return CompareList(look, self)

    def show_compared(self, page: ComparePage | None, dress: object) -> None:
        """`page`: the same object as long as nothing but the cursor moved."""
        pairs, fresh = self.pairs, page is not self.pairs or dress != self._dressed
        if page is not pairs:
            again = page is not None and pairs is not None and page.before is pairs.before and page.after is pairs.after
            if not again:
                self.folds.forget()
                self._at = self._at_lines = None
            self.pairs = page
        self._dressed = dress
        self._follow()
        self._show_rows(fresh=fresh, same=pairs is not None and page is not None)

    def _empty(self) -> Phrase | None:
        if self.pairs is None:
            return phrase("compare.computing")
        return phrase("compare.same_rows") if not self.pairs.changed else None

    def _tell(self, pairs: PairPage) -> None:
        assert isinstance(pairs, ComparePage)
        note = say(phrase("prompt.pair.changed", n=pairs.changed))
        first = pairs.compared.first
        if first is not None and first.unit is not None:
            note += " · " + say(phrase("prompt.pair.first", block=first.block + 1, character=first.unit + 1))
        elif first is not None:
            note += " · " + say(phrase("prompt.pair.first_block", block=first.block + 1))
        runs = [row for row in self.list.rows if row.kind is Kind.RUN]
        which = "prompt.show_all" if any(not row.open for row in runs) else "prompt.fold_all" if runs else ""
        self.strip.tell(say(phrase("compare.blocks")), note, say(phrase(which)) if which else "", "")
        sizes = [
            say(phrase("prompt.pair.sizes", tokens=numbers.tokens(sum(pairs.tokens[side]), Mark.SIMULATED)))
            for side in (BEFORE, AFTER)
        ]
        names = [f"{letter} · {trace.policy}" for letter, trace in zip("AB", pairs.traces, strict=True)]
        self.heads.tell((names[0], sizes[0]), (names[1], sizes[1]))
