"""What-ifs for the cache: a prompt that says the same and yet differs, what is read of it all the same, what it costs.

    A clock above the boundary: ≈ 118,593 of ● 118,593 cached tokens are written again. …      the answer first
    Tools in another order        ▨▨▨▨▨▨▨▨▨▨▨▨     ≈ 118,593   ≈ +$0.41    ≈ +$12.80            rows on one scale
    A clock below the boundary    ████▨▨▨▨▨▨▨▨     ≈ 100,473   ≈ +$0.35    ≈ +$10.85
    why, and the two texts where they part

A tab of its own for the same reason as the estimates: rows that are compared with each other.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QWidget

from core.assembled import Assembled
from core.phrase import phrase
from core.shuffle import Reading, readings
from core.timeline import Timeline
from gui import shuffle_rows
from gui.difference_lines import DifferenceLines
from gui.figure_list import FigureHead, FigureList
from gui.page_parts import Answer, pages_in
from gui.shuffle_rows import Shuffled
from gui.slices import Slices
from gui.state import Change
from gui.step_detail import NeutralBox
from gui.theme import Look
from gui.view import View


class ShuffleView(View):
    """Computed at once from the sizes that are there; only what it would cost at every request takes longer."""

    ID = "shuffle"

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self.shown: Shuffled | None = None
        self._of: Assembled | None = None
        self._timeline: Timeline | None = None
        self.read: list[Reading] | None = None
        """What every request of the path read; it is gathered in slices, there may be many."""
        self._gathering: Slices | None = None
        self.answer = Answer(look)
        self.head = FigureHead(look)
        self.list = FigureList(look)
        self.lines = DifferenceLines(look)
        self.detail = NeutralBox(look)
        self.pages = pages_in(self, look, (self.answer, self.head), self.list, (self.lines, self.detail))
        self.list.chosen.connect(lambda _: self._show_detail())
        self.show_state(None)

    @property
    def settling(self) -> bool:
        return self.state is not None and (self.state.traced.waiting or self.read is None)

    def refresh(self, change: Change) -> None:
        state = self.state
        if state is None or not state.timeline.summaries:
            self.shown = self._of = None
            self._leave()
            self.pages.show_empty(phrase("shuffle.no_session" if state is None else "shuffle.no_requests"))
            return
        assembled = state.assembled  # another object for another request, and once a trace tells of its head
        if self.shown is None or assembled is not self._of:
            self.shown, self._of = shuffle_rows.shuffled(state), assembled
        self.pages.show_page()
        self.answer.say(shuffle_rows.headline(self.shown))
        if state.timeline is not self._timeline or (self.read is None and self._gathering is None):
            self._gather(state.timeline)
        self._show_figures(self.shown)

    def _gather(self, timeline: Timeline) -> None:
        self._leave()
        self._timeline, found = timeline, []

        def work() -> Iterator[None]:
            for reading in readings(timeline.summaries):
                found.append(reading)
                yield

        def done() -> None:
            self.read = found
            if self.shown is not None:
                self._show_figures(self.shown)

        self._gathering = Slices(work(), done, self)

    def _leave(self) -> None:
        """Another path: what was gathered is of no use."""
        if self._gathering is not None:
            self._gathering.cancel()
            self._gathering.deleteLater()
        self._gathering = self._timeline = self.read = None

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if self.read is None:
            self._leave()

    def _show_figures(self, shown: Shuffled) -> None:
        figures = shuffle_rows.figures(shown, self.read)
        current = self.list.current
        self.head.show_figures(figures)
        self.list.show_figures(figures, current.id if current is not None else "time_above")
        self.list.setAccessibleName(figures.head)
        self._show_detail()

    def _show_detail(self) -> None:
        row, state = self.list.current, self.state
        if row is None or self.shown is None or state is None:
            return
        item = next(item for item in self.shown.found if item.kind == row.id)
        self.detail.tell(*shuffle_rows.detail(item, state.session.format))
        self.lines.show_lines(shuffle_rows.texts(item))
