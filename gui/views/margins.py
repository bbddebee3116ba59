"""Explain the margins: the agents' token estimates of one request on one scale, beside a tokenizer and the record.

    In 38 steps of this session a quarter of the characters was 32 % too low …          the answer first
    Characters / 4      ▒▒▒▒▒▒▒│        ≈ 79,787    70 %     5 %                         rows on one scale
    × 1.2               ▒▒▒▒▒▒▒▒▒│      ≈ 95,780    84 %    16 %
    what the row in focus is, and what it adds                                            detail

A tab of its own, not a part of the step's detail: the estimates are compared with each other on one scale, over the
width of the centre, and belong to several steps and to compaction; it opens from the menu and from the palette.
"""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from core.estimators import Explained, answer
from core.phrase import Phrase, phrase
from core.profile import Profile
from gui import margin_rows
from gui.figure_list import FigureHead, FigureList
from gui.live_trace import Key
from gui.page_parts import Answer, Legend, pages_in
from gui.state import Change, State
from gui.step_detail import NeutralBox
from gui.theme import Look
from gui.translation import say
from gui.view import View

Wish = tuple[Key, Profile]
"""Which request, under which profile."""


class MarginsView(View):
    """`wanted`: the estimates of the request in focus are missing: whoever hears it reads `wish`, and calls `take` or
    `fail`."""

    ID = "margins"
    wanted = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self.found: Explained | None = None
        self.wish: Wish | None = None
        self._of: Wish | None = None
        self._failed: Phrase | None = None
        self._shown: State | None = None
        self.answer = Answer(look)
        self.head = FigureHead(look)
        self.list = FigureList(look)
        self.legend = Legend(look)
        self.detail = NeutralBox(look)
        self.pages = pages_in(self, look, (self.answer, self.head), self.list, (self.legend, self.detail))
        self.list.chosen.connect(lambda _: self._show_detail())
        self.show_state(None)

    @property
    def settling(self) -> bool:
        return self.wish is not None and self.wish != self._of and self._failed is None

    def refresh(self, change: Change) -> None:
        state = self.state
        if state is not self._shown:
            self._shown, self.found, self._of, self.wish = state, None, None, None
        if state is None:
            self.pages.show_empty(phrase("margins.no_session"))
            return
        if change & (Change.CURSOR | Change.PROFILE | Change.TIMELINE) and not state.grasped:
            self._ask(state)
        self._show()

    def _ask(self, state: State) -> None:
        wish = ((state.timeline.leaf, state.cursor.request), state.profile)
        if wish != self.wish:
            self.wish, self._failed = wish, None
            if wish != self._of:
                self.wanted.emit()

    def take(self, wish: Wish, found: Explained) -> None:
        """The estimates of a request; those of another one than in focus are dropped."""
        if wish == self.wish:
            self.found, self._of = found, wish
            self._show()

    def fail(self, wish: Wish, said: Phrase) -> None:
        if wish == self.wish:
            self._failed = said
            self._show()

    def _show(self) -> None:
        if self.found is None:
            self.pages.show_empty(self._failed or phrase("margins.computing"))
            return
        self.pages.show_page()
        self.answer.say(answer(self.found.coverage))
        shown = margin_rows.figures(self.found)
        self.head.show_figures(shown)
        current = self.list.current
        self.list.stale = self._of != self.wish
        self.list.show_figures(shown, current.id if current is not None else "")
        self.list.setAccessibleName(shown.head)
        self.legend.show_entries([(role, say(phrase(f"margins.role.{role}"))) for role in margin_rows.LEGEND])
        self._show_detail()

    def _show_detail(self) -> None:
        row = self.list.current
        if row is None or self.found is None:
            return
        item = next(item for item in self.found.margins.estimates if item.id == row.id)
        self.detail.tell(*margin_rows.detail(item, self.found))
