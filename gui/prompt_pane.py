"""The Prompt tab as a projection: which parts it has, and what they show of the state. Gestures: `gui/views/prompt.py`.

headline · switch          one sentence; Prompt | Before ⇄ after | Raw
budget bar                 what fills the window
strip                      section in sight · folded · tokens ≈        │ minimap
list                       the blocks (virtual), or the raw JSON       │
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from core.judge import Fault
from core.phrase import phrase
from core.prompt import Block
from gui import prompt_card
from gui.minimap import Minimap
from gui.pair_pane import PairPane
from gui.prompt_differs import NAME, Differing
from gui.prompt_find import FindBar
from gui.prompt_geometry import RAW
from gui.prompt_head import PromptHead
from gui.prompt_judge import PromptJudge, family_of
from gui.prompt_leading import pins
from gui.prompt_list import PromptList
from gui.prompt_page import NO_FAULTS, Page
from gui.prompt_rows import Folds, Kind, Row, hidden, leading_index, row_of_block, rows_of
from gui.prompt_strip import PromptStrip
from gui.prompt_strip_words import strip_facts, strip_words
from gui.prompt_texts import Texts
from gui.raw import raw_leading, raw_of
from gui.stage import tells_the_same
from gui.state import Change, State
from gui.theme import Look
from gui.translation import language, say
from gui.view import View

PROMPT, PAIRS, RAW_TEXT = 0, 1, 2
"""What the switch stands at (gui.prompt_head.MODES)."""


class PromptPane(View):
    """Shows the prompt of the request and step in focus, folded as `folds` says."""

    renewed = Signal()
    count_shown = Signal(bool)
    """Another prompt is shown."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self.folds = Folds()
        self.mode = PROMPT
        self.counted = False
        """Whether headline and budget count as the guard does."""
        self._texts = Texts()
        self._page: Page | None = None
        self._of: State | None = None
        self._dressed: tuple[object, ...] = ()
        self._on_run: int | None = None  # block of a folded run on whose row the cursor was put on purpose
        self._on_note = False
        self._on_leading: int | None = None
        """`Row.first` of the LEADING row that has the cursor."""
        self._differing = Differing(self._difference_came)
        self._as_line = False
        self._counted: tuple[Sequence[Row], tuple[int, bool]] = ((), (0, False))
        """Rows and what the strip says of them: asked at each turn of the wheel."""
        self._opened_by_find: bytes | None = None
        self._judge = PromptJudge(lambda: self._page, self._judged, self)
        self._build()
        self.list.moved.connect(self._moved)

    def _build(self) -> None:
        self.head = PromptHead(self.look, self)
        self.finder = FindBar(self.look, self)
        self.strip = PromptStrip(self.look, self)
        self.list = PromptList(self.look, self)
        self.minimap = Minimap(self.look, self)
        self.pairs = PairPane(self.look, self)
        self._line = QFrame(self)
        self._line.setProperty("hairline", True)
        left, body, whole = QVBoxLayout(), QHBoxLayout(), QVBoxLayout(self)
        for box in (left, body, whole):
            box.setContentsMargins(0, 0, 0, 0)
            box.setSpacing(0)
        for part in (self.finder, self.strip):
            left.addWidget(part)
        left.addWidget(self.list, 1)
        left.addWidget(self.pairs, 1)
        body.addLayout(left, 1)
        body.addWidget(self.minimap)
        whole.addWidget(self.head)
        whole.addWidget(self._line)
        whole.addLayout(body, 1)
        self.pairs.hide()
        self.setFocusProxy(self.list)

    @property
    def raw(self) -> bool:
        """Whether the raw JSON is shown instead of the blocks."""
        return self.mode == RAW_TEXT

    @property
    def comparing(self) -> bool:
        """Whether before and after are shown side by side."""
        return self.mode == PAIRS

    # projection

    def show_state(self, state: State | None) -> None:
        if self.state is not None and state is not self.state:
            self.state.drop_comparisons(NAME)
        super().show_state(state)

    def refresh(self, change: Change) -> None:
        state = self.state
        if state is not self._of:
            self._of = state
            self.folds, self._texts = Folds(), Texts()
            self._on_run, self._on_note = None, False
            self.list.verticalScrollBar().setValue(0)
        if state is None or not (state.assembled.blocks or state.assembled.request):
            self._show_nothing()
            return
        shown, stage = state.shown, state.stage
        page = self._page
        moved = page is None or page.stage is not stage
        fresh = page is None or page.assembled is not shown or not tells_the_same(page.stage, stage)
        if page is not None and moved and not fresh:
            page.renew(stage)
        if fresh:
            self._page = Page(state, shown, self._texts, self.folds, stage)
            self.folds.revealed.clear()
            self._on_note, self._on_leading = False, None
            self.head.tell_faults((), "")
        if moved or fresh or change & ~(Change.CURSOR | Change.TRACE):
            self._show_head()
        if fresh and stage is not None and stage.step is None and self.isVisible():
            self._judge.wait()
        if self._page is not None:
            before = self._page.differs, self._page.until
            self._page.differs = self._differing.of(state, stage)
            self._page.until = self._differing.until(state, stage)
            if before != (self._page.differs, self._page.until):
                self.list.viewport().update()
            if self.isVisible():
                self._differing.ask(state, stage)
        self.list.dim(state.stale)
        self.pairs.list.dim(state.stale)
        block = state.cursor.block
        if block is not None and self._page is not None:
            self._on_note, self._on_leading = False, None
            if block != self._on_run and hidden(self._rows(self._page), block):
                self.folds.reveal(block)
        self._show_rows(scroll=True)
        if fresh:
            self.renewed.emit()

    def _show_nothing(self) -> None:
        self._page = None
        self._judge.stop()
        for part in (self.head, self._line, self.strip, self.minimap, self.finder, self.pairs):
            part.hide()
        which = "no_session" if self.state is None else "no_messages"
        self.list.show()
        self.list.empty = say(phrase(f"prompt.empty.{which}"))
        self.list.setAccessibleName(self.list.empty)
        self.list.raw = None
        self.list.show_rows(None, ())
        self.minimap.show_prompt(None, ())

    def _show_head(self) -> None:
        page = self._page
        if page is None:
            return
        self.head.dress(self.mode)
        self.finder.dress()
        self.list.setAccessibleName(say(phrase("prompt.list")))
        self.head.show()
        self._line.show()
        self._show_parts()
        self.head.tell(page, self.counted)
        self._tell_faults(page)

    def _show_parts(self) -> None:
        """What belongs to the mode."""
        self.strip.setVisible(not self.comparing)
        self.list.setVisible(not self.comparing)
        self.pairs.setVisible(self.comparing)
        self.minimap.setVisible(self.mode == PROMPT)

    def _rows(self, page: Page) -> list[Row]:
        differs = page.differs.row if page.differs is not None else None
        return rows_of(page.assembled, self.folds, page.losses, page.kept_in_sight, differs, page.until)

    def _difference_came(self) -> None:
        """The request before was worked out: where the prompt first differs from it is known."""
        page = self._page
        if page is not None and page.state is self.state:
            page.differs = self._differing.of(page.state, page.stage)
            page.until = self._differing.until(page.state, page.stage)
            self._show_rows(scroll=False)
            self.list.viewport().update()

    @property
    def settling(self) -> bool:
        """A trace may still bring tools and system prompt, and the other request is still being worked out."""
        state = self.state
        return state is not None and (state.traced.waiting or state.comparing or state.against.waiting)

    def _show_rows(self, *, scroll: bool) -> None:
        """Rows, cursor and marks as the state and the folds have them now; `scroll` to a cursor that moved."""
        page = self._page
        if page is None:
            return
        dress = (self.look.theme, language())
        redress = self._dressed != dress
        self._dressed = dress
        if self.raw:
            self._show_raw_text(page, redress)
            return
        if self.comparing:
            self.pairs.show_page(page, dress)
            return
        rows = self._rows(page)
        if redress or self.list.raw is not None or self.list.page is not page or list(self.list.rows) != rows:
            self.list.raw = None
            self.list.show_rows(page, rows)
            self.minimap.show_prompt(page.assembled, rows)
        index = self._current(page, rows)
        moved = index != self.list.current
        self.list.set_current(index)
        if index is not None and moved:
            if scroll:
                self.list.show_row(index)
            self.list.setAccessibleDescription(prompt_card.spoken(page, rows[index]))
        self.minimap.pin(pins(page))
        self.minimap.mark(page.state.cursor.block, frozenset(hit.block for hit in self.list.hits))
        self._moved()

    def _current(self, page: Page, rows: list[Row]) -> int | None:
        """The row that carries the cursor."""
        cursor = page.state.cursor
        if self._on_note:
            return next((i for i, row in enumerate(rows) if row.kind is Kind.NOTE), None)
        if self._on_leading is not None:
            sought = self._on_leading
            return next((i for i, row in enumerate(rows) if row.kind is Kind.LEADING and row.first == sought), None)
        if cursor.block is not None:
            return row_of_block(rows, cursor.block)
        return next((i for i, row in enumerate(rows) if row.kind is Kind.LOST and row.first == cursor.entry), None)

    def _moved(self) -> None:
        """Another part of the list is in sight."""
        page, rows = self._page, self.list.rows
        if page is None or self.mode != PROMPT or not rows:
            return
        first, last = self.list.span()
        self.minimap.show_span(first, last)
        if self._counted[0] is not rows:
            self._counted = rows, strip_facts(rows)
        self.strip.tell(*strip_words(page, rows, min(int(first), len(rows) - 1), self._counted[1]))

    def _show_raw_text(self, page: Page, redress: bool) -> None:
        if self._on_leading is not None:
            found = raw_leading(page.assembled.leading[leading_index(self._on_leading)])
        else:
            found = raw_of(page.state, self._block(page), self._as_line)
        notice = say(found.notice) if found.notice is not None else ""
        link = say(phrase("prompt.raw_pretty" if self._as_line else "prompt.raw_line")) if found.document else ""
        link = "" if self._on_leading is not None else link
        self.strip.tell(say(found.title), notice, link, "")
        self.list.setAccessibleDescription(say(found.title))
        fresh = self.list.raw is None or self.list.raw.text != found.document.text
        if fresh or redress:
            self.list.raw = found.document
            self.list.show_rows(None, (Row(Kind.RAW, RAW, RAW, open=True),), keep=False)
        if fresh:
            self.list.select(None)
            self.list.verticalScrollBar().setValue(0)

    def _block(self, page: Page) -> Block | None:
        at = page.state.cursor.block
        return page.assembled.blocks[at] if at is not None and at < len(page.assembled.blocks) else None

    # what a provider would refuse

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Of what is sent in the end, in its order; () where the judge has not read it yet."""
        return tuple(fault for found in self._page.faults.values() for fault in found) if self._page is not None else ()

    def judge_now(self) -> None:
        """Let the judge read what is sent, unless a threshold is being dragged or the steps are not up to date."""
        self._judge.now()

    def _judged(self, page: Page) -> None:
        self._tell_faults(page)
        self._show_rows(scroll=False)
        self.list.viewport().update()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._judge.stop()
        if self.state is not None:
            self.state.drop_comparisons(NAME)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        page = self._page
        if page is None or page.state is not self.state:  # of a session that was closed meanwhile
            return
        if page.faults is NO_FAULTS:
            self._judge.wait()
        self._differing.ask(page.state, page.stage)

    def _tell_faults(self, page: Page) -> None:
        self.head.tell_faults(self.faults, family_of(page) if page.faults else "")
