"""What fills my window: the prompt of the request in focus as a treemap, with the exact numbers beside it.

    Tool results are ≈96,012 of the ●139,774 tokens that request 23 sends, 69 %. …        the answer first
    [Section|Tool|File|Entry]                              [Areas|Tools|Images|Thinking]
    ┌ Tool results ────────┬ System prompt ┐               Tool results    ≈ 96,012   68.7 %
    │                      │               │               Assistant       ≈ 12,053    8.6 %
    └──────────────────────┴───────────────┘               …
    ‹ All   ▪ Tool definitions  ▪ System prompt …          Add a trace …
    what is in focus: how much, where it stands, how it is known

A tab of its own for the same reason as the estimates: areas that are compared with each other.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from core.phrase import phrase
from core.window_areas import BYS, Area
from gui import fill_words
from gui.fill_facts import Filled, Key, filling, keys_of, path_of, path_to_block
from gui.fill_foot import FillFoot
from gui.fill_lists import FREE, FillLists
from gui.fill_map import FillMap, area_at
from gui.fill_rows import LISTS
from gui.page_parts import Answer, Legend, Pages
from gui.segmented import Segmented
from gui.slices import Slices
from gui.state import Change, State
from gui.text_link import TextLink
from gui.theme import INSET, Look
from gui.translation import say
from gui.view import View

NARROW = 600
"""Pixels below which the list has no shares."""
LEGEND = ("tools", "system", "user", "assistant", "toolResult", "summary")
ASKED = Change.CURSOR | Change.PROFILE | Change.TIMELINE | Change.TRACE


class FillView(View):
    """`trace_wanted`: a person would like to name a trace. `opened`: show the prompt, the block in focus is chosen.
    `picture_wanted(rows, nth)`: the picture of an image of these rows is missing; whoever hears it calls
    `foot.take_picture` with the same two."""

    ID = "fill"
    trace_wanted = Signal()
    opened = Signal()
    picture_wanted = Signal(tuple, int)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self.shown: Filled | None = None
        self._of: tuple[object, object, object] | None = None
        self._shown_state: State | None = None
        self._measuring: Slices | None = None
        self.by = BYS[0]
        self._zoom: tuple[Key, ...] = ()
        """The area that is shown as a whole, by what it and those around it are called."""
        self._slim = False
        self._build(look)
        self.show_state(None)

    def _build(self, look: Look) -> None:
        self.answer = Answer(look)
        self.grouping = Segmented(look, "")
        self.back = TextLink(look)
        self.trace = TextLink(look)
        self.lists = Segmented(look, "")
        self.map = FillMap(look, self._tile_words)
        self.side, self.legend, self.foot = FillLists(look), Legend(look), FillFoot(look)
        self.list = self.side.list
        self._bar, self._middle, self._key = QHBoxLayout(), QHBoxLayout(), QHBoxLayout()
        self._key.addWidget(self.back)
        self._key.addWidget(self.legend, 1)
        self._key.addWidget(self.trace)
        self._bar.addWidget(self.grouping)
        self._bar.addStretch(1)
        self._bar.addWidget(self.lists)
        self._middle.addWidget(self.map, 5)
        self._middle.addWidget(self.side, 4)
        self._page = QWidget()
        column = QVBoxLayout(self._page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.answer)
        column.addLayout(self._bar)
        column.addLayout(self._middle, 1)
        column.addLayout(self._key)
        column.addWidget(self.foot)
        self.pages = Pages(look, self._page)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.pages)
        self.setFocusProxy(self.map)
        self.grouping.chosen.connect(self._group)
        self.lists.chosen.connect(self._turn_list)
        self.back.pressed.connect(self._out)
        self.trace.pressed.connect(self.trace_wanted)
        self.map.chosen.connect(self._picked)
        self.map.opened.connect(self._open)
        self.map.left.connect(self._out)
        self.list.chosen.connect(self._listed)
        self.foot.picture_wanted.connect(self.picture_wanted)
        self._restyle()

    @property
    def _narrow(self) -> bool:
        return self.width() < self.look.theme.px(NARROW)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._slim != self._narrow:
            self._slim = self._narrow
            self._middle.setStretch(0, 1 if self._slim else 5)
            self._middle.setStretch(1, 1 if self._slim else 4)
            self._note(Change.LOOK)

    def _restyle(self) -> None:
        theme = self.look.theme
        inset = theme.px(INSET)
        self._bar.setContentsMargins(inset, 0, inset, theme.px(8))
        self._bar.setSpacing(theme.px(4))
        self._middle.setContentsMargins(inset, 0, 0, 0)
        self._middle.setSpacing(theme.px(8))
        self._key.setContentsMargins(inset if self._zoom else 0, 0, inset, 0)  # the legend has its own

    # what is shown

    @property
    def settling(self) -> bool:
        state = self.state
        return state is not None and (self._measuring is not None or state.traced.waiting or state.stale)

    def refresh(self, change: Change) -> None:
        state = self.state
        if state is not self._shown_state:
            self._leave()
            self._shown_state, self.shown, self._of, self._zoom = state, None, None, ()
        if state is None:
            self.pages.show_empty(phrase("fill.no_session"))
            return
        if change & Change.LOOK:
            self._restyle()
        if change & ASKED and not state.grasped:
            self._measure(state)
        if self._measuring is None or change & ~ASKED:
            self._show(state)

    def _measure(self, state: State) -> None:
        """Anew, where the prompt is another."""
        wanted = (state.shown.blocks, state.shown.leading, state.profile)
        if self._of is not None and all(one is other for one, other in zip(wanted, self._of, strict=True)):
            return
        self._leave()
        self._of, found = wanted, []

        def done() -> None:
            late, self._measuring = self._measuring is not None, None
            if found and state is self.state:
                self.shown = found[0]
                if late:
                    self._show(state)

        measuring = Slices(filling(state, found.append), done, self)
        self._measuring = measuring if measuring.running else None

    def _leave(self) -> None:
        if self._measuring is not None:
            self._measuring.cancel()
            self._measuring.deleteLater()
            self._measuring = self._of = None

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._leave()

    def _show(self, state: State) -> None:
        shown = self.shown
        if shown is None or not shown.pieces:
            self.pages.show_empty(phrase("fill.reading" if shown is None else "fill.nothing"))
            return
        self.pages.show_page()
        self.answer.say(fill_words.headline(shown, state.cursor.request))
        self.grouping.setAccessibleName(say(phrase("fill.by")))
        self.grouping.show_parts([say(phrase(f"fill.by_{by}")) for by in BYS], BYS.index(self.by))
        self.lists.setAccessibleName(say(phrase("fill.list")))
        self.lists.show_parts([say(phrase(f"fill.list_{way}")) for way in LISTS], LISTS.index(self.side.way))
        self.trace.say("" if shown.leading else say(phrase("prompt.add_trace")))
        self.legend.show_entries([(role, say(phrase(f"fill.section.{role}"))) for role in LEGEND])
        self.map.setAccessibleName(say(phrase("fill.name")))
        self.map.stale = self.list.stale = self._measuring is not None
        self._show_map(shown, state)

    @property
    def root(self) -> Area:
        """The area that is shown as a whole."""
        assert self.shown is not None
        whole = self.shown.by[self.by]
        return area_at(whole, path_of(whole, self._zoom)) or whole

    def _show_map(self, shown: Filled, state: State) -> None:
        """Of the area that is shown as a whole. The tile in focus stays, or is that of the block in focus."""
        whole = shown.by[self.by]
        path = path_of(whole, self._zoom)
        self._zoom = keys_of(whole, path)
        root = self.root
        names = [fill_words.name_of(area_at(whole, path[: end + 1]) or whole, shown) for end in range(len(path))]
        self._key.setContentsMargins(self.look.theme.px(INSET) if names else 0, 0, self.look.theme.px(INSET), 0)
        self.back.say(say(phrase("fill.back", name=([say(phrase("fill.all")), *names])[-2])) if names else "")
        kept = path_of(root, keys_of(self.map.area, self.map.current)) if self.map.current else ()
        block = state.cursor.block
        area = area_at(root, kept) if kept else None
        if block is not None and (area is None or area.block != block + shown.first):
            kept = path_to_block(root, block + shown.first) or kept
        if not kept and root.children:
            kept = (max(range(len(root.children)), key=lambda at: root.children[at].tokens),)
        self.map.show_area(root, kept)
        head = names[-1] if names else say(phrase("fill.all"))
        self.side.show_lists(shown, state, root, head, str(kept[0]) if kept else "", self._narrow)
        self._show_focus()

    def _tile_words(self, area: Area) -> tuple[str, str]:
        assert self.shown is not None
        return fill_words.tile_name(area, self.shown), fill_words.size_of(area)

    def _show_focus(self) -> None:
        """What is in focus, in words: a row of the list, or the tile."""
        shown, state = self.shown, self.state
        if shown is None or state is None:
            return
        tile = area_at(self.map.area, self.map.current) if self.map.current else None
        told = self.side.told(shown, state)
        if self.side.way == "areas" and not told[0] and tile is not None:
            told = fill_words.detail(tile, shown, state)
        row = self.side.row
        self.foot.tell(*told)
        self.foot.show_image(
            self.side.image(row.id) if row is not None else None, row.words if row is not None else "", shown
        )
        self.map.tell(fill_words.words_of(tile, shown) if tile is not None else "")

    # gestures

    def _group(self, index: int) -> None:
        self.by, self._zoom = BYS[index], ()
        self.map.current = ()
        if self.state is not None:
            self._show(self.state)

    def _turn_list(self, index: int) -> None:
        self.side.way = LISTS[index]
        if self.state is not None:
            self._show(self.state)

    def _picked(self, path: tuple[int, ...]) -> None:
        """A tile: the cursor goes to its block or entry, the list to the row that it belongs to."""
        shown, state = self.shown, self.state
        area = area_at(self.map.area, path)
        if shown is None or state is None or area is None:
            return
        if self.side.way == "areas":
            self.list.show_figures(self.list.figures, str(path[0]))
        self._show_focus()
        self._point_at(state, shown, area.block, area.row)

    def _point_at(self, state: State, shown: Filled, block: int | None, row: int | None) -> None:
        index = block - shown.first if block is not None else -1
        if 0 <= index < len(shown.sent):
            state.go(block=index)
        elif row is not None:
            state.go(entry=row)

    def _listed(self, id: str) -> None:
        shown, state = self.shown, self.state
        if shown is None or state is None:
            return
        block, row = self.side.place(id, shown)
        if self.side.way == "areas" and id != FREE:
            self.map.show_area(self.map.area, (int(id),))
            area = self.map.area.children[int(id)]
            block, row = area.block, area.row
        self._point_at(state, shown, block, row)
        self._show_focus()

    def _open(self, path: tuple[int, ...]) -> None:
        """Into a group, or to where it stands in the prompt."""
        area = area_at(self.map.area, path)
        if area is None or self.state is None or self.shown is None:
            return
        if area.children:
            self._zoom = (*self._zoom, *keys_of(self.map.area, path))
            self.map.current = ()
            self._show(self.state)
        elif area.block is not None or area.row is not None:
            self._point_at(self.state, self.shown, area.block, area.row)
            self.opened.emit()

    def _out(self) -> None:
        """One level up; what was shown as a whole is in focus there."""
        if self._zoom and self.shown is not None and self.state is not None:
            last, self._zoom = self._zoom[-1], self._zoom[:-1]
            root = self.root
            self.map.show_area(root, path_of(root, (last,)))
            self._show(self.state)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """From the list: Enter into the row in focus, Backspace out again."""
        if event.key() == Qt.Key.Key_Backspace:
            self._out()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.map.current:
            self._open(self.map.current)
        else:
            super().keyPressEvent(event)
