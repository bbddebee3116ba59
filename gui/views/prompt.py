"""The Prompt tab: what the model saw at one request, block by block, with sizes, cache state and where it comes from.

What is shown stands in `gui/prompt_pane.py`; here is what a person can do: fold, step, compare, find, copy.
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QWidget

from gui import prompt_card, prompt_menu
from gui.prompt_geometry import RAW, safe
from gui.prompt_keys import command
from gui.prompt_pane import PAIRS, PROMPT, RAW_TEXT
from gui.prompt_rows import Kind, leading_index
from gui.prompt_rules import LINK_ZONE
from gui.prompt_seeking import SeekingPane
from gui.theme import Look


class PromptView(SeekingPane):
    """Asks the state for another block or entry, and folds, finds and copies by itself."""

    ID = "prompt"
    trace_wanted = Signal()
    """A person wants to name a trace for tools and system prompt."""
    against_wanted = Signal(object)
    """QPoint on the screen: a person wants to choose the request that the prompt is held against."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self.letters = True
        """Whether keys without a modifier work here (they can be switched off as a whole)."""
        self._commands = {
            "next": lambda: self.step(1),
            "previous": lambda: self.step(-1),
            "page_down": lambda: self._page_by(1),
            "page_up": lambda: self._page_by(-1),
            "first": lambda: self._end(False),
            "last": lambda: self._end(True),
            "fold": self._fold,
            "fold_all": self.toggle_everything,
            "removed": lambda: self.toggle_removed(self.list.current),
            "raw": lambda: self.show_raw(not self.raw),
            "pairs": lambda: self.compare(not self.comparing),
            "written": self.show_written,
            "against": self.choose_against,
            "guard": lambda: self.count(not self.counted),
            "copy": self.copy,
            "select_all": self._select_all,
            "find": self.find,
            "next_hit": lambda: self.next_hit(1),
            "previous_hit": lambda: self.next_hit(-1),
            "card": self._card_by_key,
        }
        self.head.mode_wanted.connect(self.show_mode)
        self.head.counting_wanted.connect(self.count)
        self.head.fault_pressed.connect(self.next_fault)
        self.strip.pressed.connect(self._press_strip)
        self.list.picked.connect(self._pick)
        self.list.toggled.connect(self.toggle)
        self.list.removed_toggled.connect(self.toggle_removed)
        self.list.asked.connect(self._tell_card)
        self.list.linked.connect(self._follow)
        self.minimap.jumped.connect(self.list.scroll_to_row)
        self.show_state(None)

    # folding

    def toggle(self, index: int | None) -> None:
        """Fold or unfold what a row stands for."""
        page = self._page
        if page is None or self.mode != PROMPT or index is None or not 0 <= index < len(self.list.rows):
            return
        row = self.list.rows[index]
        if row.kind is Kind.BLOCK:
            self.folds.woven.discard(page.assembled.blocks[row.first].key)
            self.folds.opened.symmetric_difference_update({page.assembled.blocks[row.first].key})
            self._opened_by_find = None
        elif row.kind is Kind.LEADING:
            item = page.assembled.leading[leading_index(row.first)]
            self.folds.opened.symmetric_difference_update({item.block.key})
        elif row.kind is Kind.RUN:
            self.folds.toggle_run(row.first, row.last)
        elif row.kind is Kind.NOTE:
            self.folds.lost_open = not self.folds.lost_open
        self._show_rows(scroll=False)

    def toggle_removed(self, index: int | None) -> None:
        """Show what was cut out of a block, struck in its place, or hide it again."""
        page = self._page
        if page is None or self.mode != PROMPT or index is None or not self.list.rows[index].told:
            return
        key = page.assembled.blocks[self.list.rows[index].first].key
        if key in self.folds.woven and key in self.folds.opened:
            self.folds.woven.discard(key)
        else:
            self.folds.woven.add(key)
            self.folds.opened.add(key)
        self._opened_by_find = None
        self.list.select(None)
        self._rebuild_rows()
        self._search_again()

    def choose_against(self) -> None:
        """Ask which request the prompt is to be held against; the answer comes from outside."""
        row = next((i for i, row in enumerate(self.list.rows) if row.kind is Kind.DIFFERENCE), None)
        places, port = self.list.places, self.list.viewport()
        y = places.tops[row] + places.head(row) - self.list.scroll if places is not None and row is not None else 0
        place = QPoint(
            max(0, port.width() - self.look.theme.px(LINK_ZONE[Kind.DIFFERENCE])), min(max(0, y), port.height())
        )
        self.against_wanted.emit(port.mapToGlobal(place))

    def _follow(self, index: int) -> None:
        """The link of a row."""
        if self.list.rows[index].kind is Kind.DIFFERENCE:
            self.choose_against()
        else:
            self.trace_wanted.emit()

    def show_difference(self) -> None:
        """Open the block in which the prompt first differs from the other one, at the very character."""
        page = self._page
        if page is None or page.differs is None:
            return
        found = page.differs
        if found.leading is not None:
            self._on_leading = found.row
            self.folds.opened.add(page.assembled.leading[found.leading].block.key)
        else:
            page.state.go(block=found.block)
            self.folds.opened.add(page.assembled.blocks[found.row].key)
        self.flush()
        self._show_rows(scroll=True)
        self.list.show_place((found.row, page.difference_at(found.row)))

    def _rebuild_rows(self) -> None:
        """The same rows with another text in one of them."""
        page = self._page
        if page is not None:
            rows = self._rows(page)
            self.list.show_rows(page, rows)
            self._show_rows(scroll=False)

    def _fold(self) -> None:
        if self.comparing:
            self.pairs.toggle(self.pairs.list.current)
        else:
            self.toggle(self.list.current)

    def toggle_everything(self) -> None:
        """Unfold every run; when none is folded, fold all again and close all texts."""
        if self.comparing:
            self.pairs.toggle_everything()
            return
        self.folds.everything(any(row.kind is Kind.RUN and not row.open for row in self.list.rows))
        self._show_rows(scroll=True)

    def _press_strip(self) -> None:
        if self.raw:
            self._as_line = not self._as_line
            self._show_rows(scroll=False)
        else:
            self.toggle_everything()

    # the cursor

    def _pick(self, index: int) -> None:
        row, state = self.list.rows[index], self.state
        if state is None:
            return
        self._on_note = row.kind is Kind.NOTE
        self._on_leading = row.first if row.kind is Kind.LEADING else None
        if row.kind is Kind.DIFFERENCE:
            self.show_difference()
        elif self._on_leading is not None:
            state.go(block=None)
        elif row.kind in (Kind.BLOCK, Kind.RUN):
            self._on_run = row.first if row.kind is Kind.RUN else None
            state.go(block=row.first)
        elif row.kind is Kind.LOST:
            state.go(entry=row.first)
        self.flush()
        self._show_rows(scroll=True)

    def step(self, by: int) -> None:
        """The next (+1) or previous (-1) row that the keyboard stops at; in the raw text, block."""
        page = self._page
        if page is None:
            return
        if self.comparing:
            self.pairs.step(by)
            return
        if self.raw:
            at, last = page.state.cursor.block, len(page.assembled.blocks) - 1
            page.state.go(block=min(max(0, 0 if at is None else at + by), last))
            self.flush()
            return
        reachable = [i for i, row in enumerate(self.list.rows) if row.reachable]
        current = self.list.current
        if current is None:
            beyond = reachable if by > 0 else reachable[::-1]
        else:
            beyond = [i for i in reachable[::by] if (i - current) * by > 0]
        if beyond:
            self._pick(beyond[0])

    def _end(self, last: bool) -> None:
        shown = self.pairs.list if self.comparing else self.list
        reachable = [i for i, row in enumerate(shown.rows) if row.reachable]
        if reachable:
            at = reachable[-1] if last else reachable[0]
            self.pairs.pick(at) if self.comparing else self._pick(at)
        bar = shown.verticalScrollBar()
        bar.setValue(bar.maximum() if last else 0)

    def _page_by(self, by: int) -> None:
        """Scroll by a page; the cursor comes along when it went out of sight."""
        bar = (self.pairs.list if self.comparing else self.list).verticalScrollBar()
        bar.setValue(bar.value() + by * max(40, bar.pageStep() - self.look.theme.px(32)))
        places, current = self.list.places, self.list.current
        if self.mode != PROMPT or places is None or current is None:
            return
        top, bottom = self.list.scroll, self.list.scroll + self.list.viewport().height()
        if not top <= places.tops[current] < bottom:
            rows = [i for i in places.rows_between(top, bottom) if places.tops[i] >= top and places.rows[i].reachable]
            if rows:
                self._pick(rows[0] if by > 0 else rows[-1])

    # what is shown

    def show_raw(self, on: bool) -> None:
        """The recorded JSON of the entry in focus instead of the blocks."""
        self.show_mode(RAW_TEXT if on else PROMPT)

    def compare(self, on: bool) -> None:
        """Before and after side by side: of the step in focus, or from step 0 to what is sent."""
        self.show_mode(PAIRS if on else PROMPT)

    def show_mode(self, mode: int) -> None:
        """Prompt, before ⇄ after, or raw."""
        if mode == self.mode or self._page is None:
            return
        focused = self.list.hasFocus() or self.pairs.list.hasFocus()
        self.mode = mode
        for shown in (self.list, self.pairs.list):
            shown.select(None)
            shown.show_hits((), -1)
        self.list.set_current(None)
        self.head.dress(mode)
        self._show_parts()
        self.setFocusProxy(self.pairs.list if self.comparing else self.list)
        if focused:
            self.setFocus(Qt.FocusReason.OtherFocusReason)
        self._show_rows(scroll=True)
        self._search_again()

    def count(self, as_guard: bool) -> None:
        """Headline and budget as the guard counts, or in tokens."""
        if self.counted != as_guard:
            self.counted = as_guard
            self.count_shown.emit(as_guard)
        if self._page is not None:
            self.head.tell(self._page, as_guard)

    def next_fault(self) -> None:
        """The cursor on the next block that a provider would refuse; around at the end."""
        page = self._page
        marked = sorted(at for at in page.faults if at >= 0) if page is not None else []
        if page is None or not marked:
            return
        at = page.state.cursor.block
        self.show_mode(PROMPT)
        page.state.go(block=next((block for block in marked if at is None or block > at), marked[0]))
        self.flush()

    # copy, card, menu, keys

    def copied(self) -> str:
        """What Ctrl+C takes: the selected text, else the text of the block in focus, else nothing."""
        selection, page = self.list.selection, self._page
        if page is None:
            return ""
        if self.comparing:
            return self.pairs.copied()
        if selection is not None and not selection.empty:
            return safe("\n\n".join(selection.pieces(self.list.document)))
        block = RAW if self.raw else self._on_leading if self._on_leading is not None else page.state.cursor.block
        return safe(self.list.document(block).text) if block is not None else ""

    def copy(self) -> None:
        """Plain text to the clipboard."""
        if text := self.copied():
            QGuiApplication.clipboard().setText(text)

    def _select_all(self) -> None:
        page = self._page
        if self.comparing:
            self.pairs.select_all()
            return
        block = RAW if self.raw else page.state.cursor.block if page is not None else None
        if block is not None:
            self.list.select_all(block)

    def _tell_card(self, index: int, place: QPoint) -> None:
        if self._page is not None and self.mode == PROMPT and 0 <= index < len(self.list.rows):
            lines = prompt_card.lines(self._page, self.list.rows[index])
            if lines:
                self.list.card.tell(lines, place, self.look.theme)

    def _card_by_key(self) -> None:
        if self.comparing:
            self.pairs.tell_card()
            return
        places, index = self.list.places, self.list.current
        if places is not None and index is not None:
            y = places.tops[index] + places.head(index) - self.list.scroll
            self._tell_card(index, self.list.viewport().mapToGlobal(QPoint(self.look.theme.px(80), max(0, y))))

    @property
    def result_in_focus(self) -> int | None:
        """The block in focus, where it is a tool result that stands in the file."""
        page = self._page
        at = page.state.cursor.block if page is not None else None
        if page is None or at is None or at >= len(page.assembled.blocks):
            return None
        block = page.assembled.blocks[at].first
        return at if block.message.role == "toolResult" and block.origin.rows else None

    def show_written(self) -> None:
        """What the agent would write of the result in focus."""
        page, at = self._page, self.result_in_focus
        if page is not None and at is not None:
            from gui.persist_preview import PersistPreview  # few ask for it, and every start would pay

            state = page.state
            blocks, profile = page.assembled.blocks, state.profile
            window = profile.window or state.timeline.window
            dialog = PersistPreview(self.look, blocks, at, profile, window, self)
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.open()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        shown = self.pairs if self.comparing else self.list
        if self._page is not None and shown.geometry().contains(event.pos()):
            current = self.pairs.list.current if self.comparing else None if self.raw else self.list.current
            told = self.mode == PROMPT and current is not None and self.list.rows[current].told
            can = prompt_menu.Can(bool(self.copied()), current is not None, told, self.result_in_focus is not None)
            prompt_menu.menu(self, self._commands, can).popup(event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        asked = command(event, self.letters)
        if self._page is None or asked is None or (asked == "escape" and not self._escape()):
            super().keyPressEvent(event)
        elif asked != "escape":
            self._commands[asked]()

    def _escape(self) -> bool:
        """Close the card, then the search, then another mode, then let go of the selection."""
        shown = self.pairs.list if self.comparing else self.list
        if shown.card.isVisible():
            shown.card.drop()
        elif self.finding:
            self._close_find()
        elif self.mode != PROMPT:
            self.show_mode(PROMPT)
        elif self.list.selection is not None:
            self.list.select(None)
        else:
            return False
        return True
