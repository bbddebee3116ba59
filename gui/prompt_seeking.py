"""Find in the Prompt tab: in the blocks, in the raw JSON, or in the two columns. Opens what holds the hit in focus.

Long prompts are put together a few milliseconds at a time before they are searched.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QWidget

from gui.prompt_geometry import RAW
from gui.prompt_page import Page
from gui.prompt_pane import PromptPane
from gui.prompt_rows import hidden
from gui.prompt_search import find, find_in, warm
from gui.theme import Look


class SeekingPane(PromptPane):
    """The find bar and its hits."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self._warming: Iterator[None] = iter(())
        self._waiting: str | None = None
        """What is searched for as soon as all texts are put together."""
        self._warmer = QTimer(self)
        self._warmer.timeout.connect(self._warm_on)
        self.finder.wanted.connect(self._search)
        self.finder.stepped.connect(self.next_hit)
        self.finder.closed.connect(self._close_find)
        self.pairs.found.connect(self._tell_pair_hits)
        self.renewed.connect(self._search_again)

    @property
    def finding(self) -> bool:
        """Whether the find bar is open."""
        return self.finder.isVisibleTo(self)

    def find(self) -> None:
        """Open the find bar."""
        if self._page is not None:
            self.finder.open()
            self._warming = warm(self._page.assembled, self._texts)
            self._warmer.start(0)

    def _warm_on(self) -> None:
        if next(self._warming, self) is self or not self.isVisible():
            self._warmer.stop()
            if self._waiting is not None:
                self._search(self._waiting)

    def _search_again(self) -> None:
        if self.finding:
            self._search(self.finder.words)

    def _search(self, words: str) -> None:
        page = self._page
        if page is None:
            return
        self._waiting = None
        if self._warmer.isActive() and not self.raw:
            # A long prompt is put together first, a few milliseconds at a time; a short one is ready at once.
            if any(next(self._warming, self) is self for _ in range(3)):
                self._warmer.stop()
            else:
                self._waiting = words
                return
        if self.comparing:
            self.pairs.search(words)
            return
        if self.raw:
            hits = find_in(RAW, self.list.document(RAW).text, words)
        else:
            hits = find(page, words)
        start = self._on_leading if self._on_leading is not None else page.state.cursor.block or 0
        after = (i for i, hit in enumerate(hits) if self.raw or hit.block >= start)
        self.list.show_hits(hits, next(after, 0) if hits else -1)
        self._show_hit(page)

    def next_hit(self, by: int) -> None:
        """The next (+1) or previous (-1) hit; around at the ends."""
        if self.comparing:
            self.pairs.next_hit(by)
            return
        hits = self.list.hits
        if hits and self._page is not None:
            self.list.show_hits(hits, (self.list.hit + by) % len(hits))
            self._show_hit(self._page)

    def _show_hit(self, page: Page) -> None:
        """Open the text with the hit in focus, and close again what only the search had opened."""
        hits, at = self.list.hits, self.list.hit
        self.finder.tell(at, len(hits))
        if self._opened_by_find is not None:
            self.folds.opened.discard(self._opened_by_find)
            self._opened_by_find = None
        if at < 0:
            self._show_rows(scroll=False)
            return
        if not self.raw:
            key = page.block(hits[at].block).key
            if key not in self.folds.opened:
                self.folds.opened.add(key)
                self._opened_by_find = key
            if hidden(self._rows(page), hits[at].block):
                self.folds.reveal(hits[at].block)
            self._show_rows(scroll=False)
        self.list.show_place((hits[at].block, hits[at].start))

    def _tell_pair_hits(self) -> None:
        self.finder.tell(self.pairs.list.hit, len(self.pairs.list.hits))

    def _close_find(self) -> None:
        self._opened_by_find = None  # what was found last stays open
        self._warmer.stop()
        self.finder.close_bar()
        self.list.show_hits((), -1)
        self.pairs.end_search()
        self._show_rows(scroll=False)
        self.setFocus(Qt.FocusReason.OtherFocusReason)
