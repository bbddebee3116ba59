"""The list beside the treemap: areas, tools, images or thinking, or a sentence where there is none of them."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.phrase import phrase
from core.window_areas import Area
from core.window_uses import Picture, Thinking, tool_uses
from gui import fill_rows
from gui.figure_list import FigureHead, FigureList
from gui.figures import Figure, Figures
from gui.fill_facts import Filled
from gui.fill_rows import LISTS
from gui.page_parts import Pages
from gui.state import State
from gui.theme import Look
from gui.translation import say

FREE = "free"


class FillLists(Pages):
    """`way`: which of LISTS is shown."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        self.head, self.list = FigureHead(look), FigureList(look)
        self.way = LISTS[0]
        self._pictures: tuple[Picture, ...] = ()
        self._thoughts: tuple[Thinking, ...] = ()
        page = QWidget()
        rows = QVBoxLayout(page)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        rows.addWidget(self.head)
        rows.addWidget(self.list, 1)
        super().__init__(look, page, parent)

    @property
    def row(self) -> Figure | None:
        """The one in focus; None where a sentence stands instead."""
        return self.list.current if self.currentWidget() is self.page else None

    def show_lists(self, shown: Filled, state: State, root: Area, head: str, child: str, narrow: bool) -> None:
        """`root`: the area whose children are listed, called `head`; `child`: index of the one in focus."""
        figures, missing = self._figures(shown, state, root, head, narrow)
        if not figures.rows:
            self.show_empty(phrase(missing))
            return
        self.show_page()
        current = self.list.current
        self.head.show_figures(figures)
        self.list.show_figures(
            figures, child if self.way == "areas" and child else current.id if current is not None else ""
        )
        self.list.setAccessibleName(figures.head)

    def _figures(self, shown: Filled, state: State, root: Area, head: str, narrow: bool) -> tuple[Figures, str]:
        """The rows, and what to say where there are none."""
        if self.way == "tools":
            return fill_rows.tools(shown), "fill.no_tools_here"
        if self.way == "images":
            figures, self._pictures = fill_rows.images(shown)
            return figures, "fill.no_images"
        if self.way == "thinking":
            figures, self._thoughts = fill_rows.thoughts(shown, state)
            return figures, "fill.no_thinking"
        return fill_rows.areas(root, shown, head, narrow), "fill.nothing"

    def told(self, shown: Filled, state: State) -> tuple[str, str]:
        """(title, words) of the row in focus; of areas only what is free, the others are told by the map."""
        row = self.row
        if row is None:
            return "", ""
        if row.id == FREE:
            return say(phrase("fill.free")), say(phrase("fill.free_detail", tokens=shown.free, window=shown.window))
        if self.way == "tools":
            return fill_rows.tool_detail(next(t for t in tool_uses(shown.pieces) if f"tool {t.name}" == row.id))
        image, thought = self.image(row.id), self._thought(row.id)
        if image is not None:
            return fill_rows.image_detail(image)
        return fill_rows.thought_detail(thought, state) if thought is not None else ("", "")

    def image(self, id: str) -> Picture | None:
        found = (item for item in self._pictures if fill_rows.image_id(item) == id)
        return next(found, None) if self.way == "images" else None

    def _thought(self, id: str) -> Thinking | None:
        found = (item for item in self._thoughts if fill_rows.thought_id(item) == id)
        return next(found, None) if self.way == "thinking" else None

    def place(self, id: str, shown: Filled) -> tuple[int | None, int | None]:
        """(block in prompt order, row of its entry) of an image or a thinking; None = it has none."""
        image, thought = self.image(id), self._thought(id)
        if image is not None:
            return image.block, image.row
        if thought is not None:
            return (thought.sent_as + shown.first if thought.sent_as is not None else None), thought.row
        return None, None
