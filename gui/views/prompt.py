"""The Prompt tab: what the model saw at one request, block by block, with sizes, cache state and where it comes from.

headline · switch          one sentence; Prompt | Raw
budget bar                 what fills the window
strip                      section in sight · folded · tokens ≈        │ minimap
list                       the blocks (virtual), or the raw JSON       │
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QVBoxLayout, QWidget

from core.headline import headline, runs
from core.phrase import phrase
from gui import prompt_card
from gui.budget_bar import RESERVES, Budget, BudgetBar
from gui.headline import Headline
from gui.minimap import Minimap
from gui.prompt_blocks import Page, block_id, role_name
from gui.prompt_find import FindBar, find, find_in
from gui.prompt_geometry import RAW, safe
from gui.prompt_list import PromptList
from gui.prompt_rows import Folds, Kind, Row, hidden, row_of_block, rows_of, shown_blocks
from gui.prompt_strip import PromptStrip
from gui.prompt_text import Texts
from gui.raw import raw
from gui.segmented import Segmented
from gui.state import Change, State
from gui.theme import INSET, Look
from gui.translation import language, say
from gui.view import View


class PromptView(View):
    """Projects the assembled prompt of the request in focus; asks the state for another block, entry or nothing."""

    ID = "prompt"

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self.letters = True
        """Whether keys without a modifier work here (they can be switched off as a whole)."""
        self.folds = Folds()
        self._texts = Texts()
        self._page: Page | None = None
        self._shown: State | None = None
        self._on_run: int | None = None
        self._on_note = False
        self._raw = False
        self._as_line = False
        self._opened_by_find: bytes | None = None
        self._build()
        self.show_state(None)

    def _build(self) -> None:
        self.head = QWidget(self)
        self.headline = Headline(self.look, self.head)
        self.mode = Segmented(self.look, "", self.head)
        self.budget = BudgetBar(self.look, self.head)
        self.finder = FindBar(self.look, self)
        self.strip = PromptStrip(self.look, self)
        self.list = PromptList(self.look, self)
        self.minimap = Minimap(self.look, self)
        self._top = QHBoxLayout()
        self._top.addWidget(self.headline, 1)
        self._top.addWidget(self.mode, 0, Qt.AlignmentFlag.AlignTop)
        self._head_box = QVBoxLayout(self.head)
        self._head_box.addLayout(self._top)
        self._head_box.addWidget(self.budget)
        line = QFrame(self)
        line.setProperty("hairline", True)
        left = QVBoxLayout()
        left.setSpacing(0)
        left.addWidget(self.finder)
        left.addWidget(self.strip)
        left.addWidget(self.list, 1)
        body = QHBoxLayout()
        body.setSpacing(0)
        body.addLayout(left, 1)
        body.addWidget(self.minimap)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.head)
        whole.addWidget(line)
        whole.addLayout(body, 1)
        self._line = line
        self.setFocusProxy(self.list)
        self.mode.chosen.connect(lambda index: self.show_raw(index == 1))
        self.strip.pressed.connect(self._press_strip)
        self.finder.wanted.connect(self._search)
        self.finder.stepped.connect(self.next_hit)
        self.finder.closed.connect(self._close_find)
        self.list.picked.connect(self._pick)
        self.list.toggled.connect(self.toggle)
        self.list.moved.connect(self._moved)
        self.list.asked.connect(self._tell_card)
        self.minimap.jumped.connect(self.list.scroll_to_row)

    # projection

    def refresh(self, change: Change) -> None:
        if change & Change.LOOK or self._page is None:
            self._dress()
        if self.state is not self._shown:
            self._shown = self.state
            self.folds, self._texts = Folds(), Texts()
            self._on_run, self._on_note = None, False
            self.list.verticalScrollBar().setValue(0)
        state = self.state
        if state is None or not (state.timeline.path and (state.assembled.blocks or state.assembled.request)):
            self._show_nothing()
            return
        assembled = state.assembled
        fresh = self._page is None or self._page.assembled is not assembled
        if fresh:
            self._page = Page(state, assembled, self._texts)
            self.folds.revealed.clear()
            self._on_note = False
        if fresh or change & (Change.LOOK | Change.TIMELINE):
            self._show_head(state)
        block = state.cursor.block
        if block is not None:
            self._on_note = False
            rows = rows_of(assembled, self.folds)
            if block != self._on_run and hidden(rows, block):
                self.folds.reveal(block)
        self._show_rows(scroll=True)
        if fresh and self.finding:
            self._search(self.finder.words)

    def _dress(self) -> None:
        theme = self.look.theme
        self._head_box.setContentsMargins(theme.px(INSET), theme.px(8), theme.px(INSET), theme.px(6))
        self._head_box.setSpacing(theme.px(4))
        self._top.setSpacing(theme.px(12))
        self.mode.setAccessibleName(say(phrase("prompt.mode_prompt")))
        labels = (say(phrase("prompt.mode_prompt")), say(phrase("prompt.mode_raw")))
        self.mode.show_parts(labels, 1 if self._raw else 0)
        self.list.setAccessibleName(say(phrase("prompt.list")))
        self.finder.dress()

    def _show_nothing(self) -> None:
        self._page = None
        for part in (self.head, self._line, self.strip, self.minimap, self.finder):
            part.hide()
        which = "no_session" if self.state is None else "no_messages"
        self.list.empty = say(phrase(f"prompt.empty.{which}"))
        self.list.setAccessibleDescription(self.list.empty)
        self.list.raw = None
        self.list.show_rows(None, ())
        self.minimap.show_prompt(None, ())

    def _show_head(self, state: State) -> None:
        for part in (self.head, self._line, self.strip):
            part.show()
        self.minimap.setVisible(not self._raw)
        assembled, summary, timeline = state.assembled, state.summary, state.timeline
        said = headline(assembled, summary, timeline)
        self.headline.say(runs(said, language()))
        reserve = RESERVES.get(state.session.format)
        window = timeline.window
        tokens = summary.tokens if summary is not None else timeline.next_tokens
        compacts = window - reserve if reserve is not None and window > reserve else None
        self.budget.show_budget(Budget(tokens, assembled.unrecorded, window, compacts))

    def _show_rows(self, *, scroll: bool) -> None:
        """Rows, cursor and marks as the state and the folds have them now."""
        page = self._page
        if page is None:
            return
        if self._raw:
            self._show_raw_text(page)
            return
        rows = rows_of(page.assembled, self.folds)
        if self.list.raw is not None or self.list.page is not page or list(self.list.rows) != rows:
            self.list.raw = None
            self.list.show_rows(page, rows)
            self.minimap.show_prompt(page.assembled, rows)
        elif self._dressed != self._dress_key():
            self.list.show_rows(page, rows)
        self._dressed = self._dress_key()
        self._show_cursor(rows, scroll=scroll)

    _dressed: tuple[object, ...] = ()

    def _dress_key(self) -> tuple[object, ...]:
        return self.look.theme, language()

    def _show_cursor(self, rows: list[Row], *, scroll: bool) -> None:
        page = self._page
        assert page is not None
        index = self._current_row(rows)
        moved = index != self.list.current
        self.list.set_current(index)
        if scroll and index is not None and moved:
            self.list.show_row(index)
        self.minimap.mark(page.state.cursor.block, frozenset(hit.block for hit in self.list.hits))
        self._moved()
        if index is not None and moved:
            self.list.setAccessibleDescription(self._spoken(page, rows[index]))

    def _current_row(self, rows: list[Row]) -> int | None:
        page = self._page
        assert page is not None
        cursor = page.state.cursor
        if self._on_note:
            return next((i for i, row in enumerate(rows) if row.kind is Kind.NOTE), None)
        if cursor.block is not None:
            return row_of_block(rows, cursor.block)
        return next((i for i, row in enumerate(rows) if row.kind is Kind.LOST and row.first == cursor.entry), None)

    def _spoken(self, page: Page, row: Row) -> str:
        if row.kind is Kind.RUN:
            return say(phrase("prompt.announce_run", first=row.first + 1, last=row.last + 1))
        if row.kind is Kind.NOTE:
            return say(phrase("prompt.fell_out", n=len(page.assembled.context.fell_out)))
        if row.kind is not Kind.BLOCK:
            return ""
        assembled = page.assembled
        return say(
            phrase(
                "prompt.announce_block",
                n=row.first + 1,
                all=len(assembled.blocks),
                role=role_name(assembled.blocks[row.first].message.role),
                entry=block_id(page, row.first),
                tokens=assembled.tokens[row.first],
                state=say(phrase(f"prompt.state.{assembled.states[row.first]}")),
            )
        )

    def _moved(self) -> None:
        """Another part of the list is in sight."""
        page, rows = self._page, self.list.rows
        if page is None or self._raw:
            return
        first, last = self.list.span()
        self.minimap.show_span(first, last)
        at_top = bool(rows) and rows[min(int(first), len(rows) - 1)].kind is Kind.UNRECORDED
        section = "" if at_top else say(phrase("prompt.section_messages"))
        count, shown = len(page.assembled.blocks), shown_blocks(rows)
        folded = shown < count
        note = phrase("prompt.shown", shown=shown, n=count) if folded else phrase("prompt.blocks", n=count)
        unfolded = any(row.kind is Kind.RUN and row.open for row in rows)
        link = say(phrase("prompt.show_all")) if folded else say(phrase("prompt.fold_all")) if unfolded else ""
        self.strip.tell(section, say(note), link, say(phrase("prompt.column_tokens")))

    # folding

    def toggle(self, index: int) -> None:
        """Fold or unfold what a row stands for."""
        page = self._page
        if page is None or not 0 <= index < len(self.list.rows):
            return
        row = self.list.rows[index]
        if row.kind is Kind.BLOCK:
            key = page.assembled.blocks[row.first].key
            self.folds.opened.symmetric_difference_update({key})
            self._opened_by_find = None
        elif row.kind is Kind.RUN:
            self.folds.toggle_run(row.first, row.last)
        elif row.kind is Kind.NOTE:
            self.folds.lost_open = not self.folds.lost_open
        self._show_rows(scroll=False)

    def toggle_everything(self) -> None:
        """Unfold every run; when none is folded, fold all again."""
        self.folds.everything(any(row.kind is Kind.RUN and not row.open for row in self.list.rows))
        self._show_rows(scroll=True)

    def _press_strip(self) -> None:
        if self._raw:
            self._as_line = not self._as_line
            self._show_rows(scroll=False)
        else:
            self.toggle_everything()

    # the cursor

    def _pick(self, index: int) -> None:
        row = self.list.rows[index]
        state = self.state
        if state is None:
            return
        self._on_note = row.kind is Kind.NOTE
        if row.kind is Kind.BLOCK or row.kind is Kind.RUN:
            self._on_run = row.first if row.kind is Kind.RUN else None
            state.go(block=row.first)
        elif row.kind is Kind.LOST:
            state.go(entry=row.first)
        self.flush()
        self._show_rows(scroll=True)

    def step(self, by: int) -> None:
        """The next (+1) or previous (-1) row that the keyboard stops at."""
        reachable = [i for i, row in enumerate(self.list.rows) if row.reachable]
        if not reachable:
            return
        current = self.list.current
        if current is None:
            self._pick(reachable[0] if by > 0 else reachable[-1])
            return
        beyond = [i for i in reachable if i > current] if by > 0 else [i for i in reversed(reachable) if i < current]
        if beyond:
            self._pick(beyond[0])

    def _step_block(self, by: int) -> None:
        """In the raw text: the next or previous block of the prompt."""
        page = self._page
        if page is not None and page.assembled.blocks:
            at = page.state.cursor.block
            last = len(page.assembled.blocks) - 1
            page.state.go(block=min(max(0, (at + by) if at is not None else 0), last))
            self.flush()

    def _page_by(self, by: int) -> None:
        bar = self.list.verticalScrollBar()
        bar.setValue(bar.value() + by * max(40, bar.pageStep() - self.look.theme.px(32)))
        geometry, current = self.list.geometry_of_rows, self.list.current
        if self._raw or geometry is None or current is None:
            return
        top, bottom = self.list.scroll, self.list.scroll + self.list.viewport().height()
        if top <= geometry.tops[current] < bottom:
            return
        inside = [
            i for i in geometry.rows_between(top, bottom) if geometry.tops[i] >= top and self.list.rows[i].reachable
        ]
        if inside:
            self._pick(inside[0] if by > 0 else inside[-1])

    # raw JSON

    def show_raw(self, on: bool) -> None:
        """The recorded JSON of the entry in focus instead of the list."""
        if on == self._raw or self._page is None:
            return
        self._raw = on
        self.list.selection = None
        self.list.hits, self.list.hit = (), -1
        self.mode.show_parts((say(phrase("prompt.mode_prompt")), say(phrase("prompt.mode_raw"))), 1 if on else 0)
        self.minimap.setVisible(not on)
        self._show_rows(scroll=True)
        if not on:
            self.list.current = None
            self._show_rows(scroll=True)
        if self.finding:
            self._search(self.finder.words)

    def _show_raw_text(self, page: Page) -> None:
        state, cursor = page.state, page.state.cursor
        row = cursor.entry
        if cursor.block is not None and page.assembled.blocks[cursor.block].origin.rows:
            row = page.assembled.blocks[cursor.block].origin.rows[0]
        small = row is not None and state.session.columns.size[row] <= 4_000_000
        body = state.body(row) if small and not self._as_line else None
        number = None if cursor.block is None else cursor.block + 1
        found = raw(state.session, row, body, number, self._as_line)
        notice = say(found.notice) if found.notice is not None else ""
        link = say(phrase("prompt.raw_pretty" if self._as_line else "prompt.raw_line")) if row is not None else ""
        self.strip.tell(say(found.title), notice, link, "")
        if self.list.raw is None or self.list.raw.text != found.document.text or self._dressed != self._dress_key():
            fresh = self.list.raw is None or self.list.raw.text != found.document.text
            self.list.raw = found.document
            self.list.selection = None if fresh else self.list.selection
            self.list.current = None
            self.list.show_rows(None, (Row(Kind.RAW, RAW, RAW, open=True),), keep=False)
            if fresh:
                self.list.verticalScrollBar().setValue(0)
            self.list.setAccessibleDescription(say(found.title))
        self._dressed = self._dress_key()

    # find

    @property
    def finding(self) -> bool:
        """Whether the find bar is open."""
        return self.finder.isVisibleTo(self)

    def find(self) -> None:
        """Open the find bar."""
        if self._page is not None:
            self.finder.open()

    def _search(self, words: str) -> None:
        page = self._page
        if page is None:
            return
        if self._raw:
            self.list.hits = find_in(RAW, self.list.document(RAW).text, words)
        else:
            self.list.hits = find(page.assembled, self._texts, words)
        start = page.state.cursor.block or 0
        after = (i for i, hit in enumerate(self.list.hits) if self._raw or hit.block >= start)
        self.list.hit = next(after, 0) if self.list.hits else -1
        self._show_hit()

    def next_hit(self, by: int) -> None:
        """The next (+1) or previous (-1) hit; around at the ends."""
        if self.list.hits:
            self.list.hit = (self.list.hit + by) % len(self.list.hits)
            self._show_hit()

    def _show_hit(self) -> None:
        page, hits = self._page, self.list.hits
        assert page is not None
        self.finder.tell(self.list.hit, len(hits))
        if self._opened_by_find is not None:
            self.folds.opened.discard(self._opened_by_find)
            self._opened_by_find = None
        if self.list.hit >= 0:
            hit = hits[self.list.hit]
            if not self._raw:
                key = page.assembled.blocks[hit.block].key
                if key not in self.folds.opened:
                    self.folds.opened.add(key)
                    self._opened_by_find = key
                if hidden(rows_of(page.assembled, self.folds), hit.block):
                    self.folds.reveal(hit.block)
            self._show_rows(scroll=False)
            self.list.show_place((hit.block, hit.start))
        else:
            self._show_rows(scroll=False)
        self.list.viewport().update()

    def _close_find(self) -> None:
        self._opened_by_find = None  # what was found last stays open
        self.finder.close_bar()
        self.list.hits, self.list.hit = (), -1
        self._show_rows(scroll=False)
        self.list.viewport().update()
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    # copy, card, menu

    def copied(self) -> str:
        """What Ctrl+C takes: the selected text, else the text of the block in focus, else nothing."""
        page, selection = self._page, self.list.selection
        if selection is not None and not selection.empty:
            return safe("\n\n".join(selection.pieces(self.list.document)))
        if self._raw:
            return safe(self.list.document(RAW).text)
        if page is None or page.state.cursor.block is None:
            return ""
        return safe(self.list.document(page.state.cursor.block).text)

    def copy(self) -> None:
        text = self.copied()
        if text:
            QGuiApplication.clipboard().setText(text)

    def _tell_card(self, index: int, place: QPoint) -> None:
        if self._page is not None and not self._raw and 0 <= index < len(self.list.rows):
            lines = prompt_card.lines(self._page, self.list.rows[index])
            if lines:
                self.list.card.tell(lines, place, self.look.theme)

    def _card_by_key(self) -> None:
        geometry, index = self.list.geometry_of_rows, self.list.current
        if geometry is not None and index is not None:
            y = geometry.tops[index] + geometry.head(index) - self.list.scroll
            place = self.list.viewport().mapToGlobal(QPoint(self.look.theme.px(80), max(0, y)))
            self._tell_card(index, place)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        page = self._page
        if page is None or not self.list.geometry().contains(event.pos()):
            return
        menu = QMenu(self)
        menu.addAction(say(phrase("prompt.menu.copy")), self.copy).setEnabled(bool(self.copied()))
        menu.addAction(say(phrase("prompt.menu.find")), self.find)
        current = self.list.current
        if not self._raw and current is not None:
            menu.addAction(say(phrase("prompt.menu.fold")), lambda: self.toggle(current))
        menu.addAction(say(phrase("prompt.menu.fold_all")), self.toggle_everything).setEnabled(not self._raw)
        menu.addAction(say(phrase("prompt.menu.raw")), lambda: self.show_raw(not self._raw))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    # keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._page is None or not self._key(event):
            super().keyPressEvent(event)

    def _key(self, event: QKeyEvent) -> bool:
        key, held = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        control = bool(held & Qt.KeyboardModifier.ControlModifier)
        shift = bool(held & Qt.KeyboardModifier.ShiftModifier)
        plain = not held
        letter = self.letters and not control and not held & Qt.KeyboardModifier.AltModifier
        k = Qt.Key
        step = self._step_block if self._raw else self.step
        if (key == k.Key_Down and plain) or (key == k.Key_J and letter):
            step(1)
        elif (key == k.Key_Up and plain) or (key == k.Key_K and letter):
            step(-1)
        elif key in (k.Key_PageDown, k.Key_PageUp) and plain:
            self._page_by(1 if key == k.Key_PageDown else -1)
        elif key in (k.Key_Home, k.Key_End) and plain:
            self._end(key == k.Key_End)
        elif key in (k.Key_Return, k.Key_Enter) or (key == k.Key_F and letter and not shift):
            if self.list.current is not None and not self._raw:
                self.toggle(self.list.current)
        elif key == k.Key_F and letter and shift:
            self.toggle_everything()
        elif key == k.Key_R and letter and plain:
            self.show_raw(not self._raw)
        elif key == k.Key_C and control:
            self.copy()
        elif key == k.Key_A and control:
            self._select_all()
        elif (key == k.Key_F and control) or (key == k.Key_Slash and letter):
            self.find()
        elif (key == k.Key_N and letter) or key == k.Key_F3:
            self.next_hit(-1 if shift else 1)
        elif key == k.Key_I and control:
            self._card_by_key()
        elif key == k.Key_Escape:
            return self._escape()
        else:
            return False
        return True

    def _end(self, last: bool) -> None:
        bar = self.list.verticalScrollBar()
        reachable = [i for i, row in enumerate(self.list.rows) if row.reachable]
        if reachable and not self._raw:
            self._pick(reachable[-1] if last else reachable[0])
        bar.setValue(bar.maximum() if last else 0)

    def _select_all(self) -> None:
        page = self._page
        block = RAW if self._raw else page.state.cursor.block if page is not None else None
        if block is not None:
            self.list.select_all(block)

    def _escape(self) -> bool:
        """Close the card, then the search, then the raw text, then let go of the selection."""
        if self.list.card.isVisible():
            self.list.card.drop()
        elif self.finding:
            self._close_find()
        elif self._raw:
            self.show_raw(False)
        elif self.list.selection is not None:
            self.list.selection = None
            self.list.viewport().update()
        else:
            return False
        return True
