"""Break thresholds: what both detectors call a cache break, and which breaks come and go as their thresholds move.

Under these thresholds 11 breaks cost ≈$1.11. 2 appear (≈$0.02), none vanishes.         the answer first
agent: read below ━━━◯───   agent: tokens ━━◯────   ours: missing ━◯─────
Request 23 · tools changed    ████▯▯▯▯▯    ●12,400   ≈$0.04   appears
why it is one or not, in both detectors' numbers
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from core.break_thresholds import USUAL, Candidate, Limits, Shift, Shifts, shifts
from core.observation import Thresholds
from core.phrase import Phrase, phrase
from core.timeline import Timeline
from gui import threshold_rows
from gui.figure_list import FigureHead, FigureList
from gui.page_parts import Answer, pages_in
from gui.setting_rows import NumberRow
from gui.state import Change, State
from gui.step_detail import NeutralBox
from gui.theme import INSET, Look
from gui.threshold_rows import LAYER, SPECS
from gui.view import View

NARROW, LOW = 420, 620
"""Pixels below which the three thresholds stand one below the other; and have no second line."""
LOOKED_AT = Change.CURSOR | Change.TIMELINE | Change.SESSION


class ThresholdsView(View):
    """`wanted`: the candidates of a path are missing: whoever hears it reads `wish`, and calls `take` or `fail`."""

    ID = "thresholds"
    wanted = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self.limits = USUAL
        self.wish: Timeline | None = None
        self._of: Timeline | None = None
        self._found: tuple[Candidate, ...] | None = None
        self._failed: Phrase | None = None
        self._shown: State | None = None
        self.shifts: Shifts | None = None
        self.answer, self.head = Answer(look), FigureHead(look)
        self.list, self.detail = FigureList(look), NeutralBox(look)
        self.rows = {field: NumberRow(look, LAYER, field, spec, self) for field, spec in SPECS.items()}
        self._sliders = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        for field, row in self.rows.items():
            self._sliders.addWidget(row, 1)
            row.chosen.connect(lambda value, field=field: self._move(field, value))
            row.restored.connect(lambda field=field: self._move(field, SPECS[field].default))
        self.pages = pages_in(self, look, (self.answer, self._sliders, self.head), self.list, (self.detail,))
        self.list.chosen.connect(self._listed)
        self._restyle()
        self.show_state(None)

    def _restyle(self) -> None:
        theme = self.look.theme
        self._sliders.setContentsMargins(theme.px(INSET), 0, theme.px(INSET), theme.px(6))
        self._sliders.setSpacing(theme.px(20))
        for row in self.rows.values():
            row.title.setMinimumHeight(theme.px(24))  # as high as the button beside it, which comes and goes
        self._arrange()

    def _arrange(self) -> None:
        narrow = self.width() < self.look.theme.px(NARROW)
        way = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        if way != self._sliders.direction():
            self._sliders.setDirection(way)
            self._sliders.setSpacing(self.look.theme.px(0 if narrow else 20))
        for row in self.rows.values():
            row.help.setVisible(self.width() >= self.look.theme.px(LOW))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    @property
    def settling(self) -> bool:
        return self.wish is not None and self.wish is not self._of and self._failed is None

    def refresh(self, change: Change) -> None:
        state = self.state
        if state is not self._shown:
            self._shown, self._of, self.wish, self._found = state, None, None, None
        if state is None:
            self.pages.show_empty(phrase("thresholds.no_session"))
            return
        if change & Change.LOOK:
            self._restyle()
        if not state.timeline.summaries:
            self.pages.show_empty(phrase("thresholds.no_requests"))
            return
        if state.timeline is not self.wish:
            self.wish, self._failed = state.timeline, None
            self.wanted.emit()
        self._show(change & LOOKED_AT != Change(0))

    def take(self, wish: Timeline, found: tuple[Candidate, ...]) -> None:
        """The candidates of a path; those of another one than in sight are dropped."""
        if wish is self.wish:
            self._of, self._found = wish, found
            self._show(True)

    def fail(self, wish: Timeline, said: Phrase) -> None:
        if wish is self.wish:
            self._failed = said
            self._show(False)

    def _move(self, field: str, value: float) -> None:
        agent = self.limits.agent
        if field == "ours":
            self.limits = replace(self.limits, ours=value)
        else:
            share, tokens = (value, agent.tokens) if field == "share" else (agent.share, int(value))
            self.limits = Limits(Thresholds(share, tokens), self.limits.ours)
        self._show(False)

    def _show(self, follow: bool) -> None:
        """`follow`: the row of the request in focus is chosen, if it has one."""
        if self._found is None:
            self.pages.show_empty(self._failed or phrase("thresholds.computing"))
            return
        if not self._found:
            self.pages.show_empty(phrase("thresholds.none"))
            return
        self.pages.show_page()
        self.shifts = shifts(self._found, self.limits)
        self.answer.say(threshold_rows.headline(self.shifts, self.limits != USUAL))
        current = self.list.current
        wanted = current.id if current is not None else ""
        if follow and self.state is not None and self.state.cursor.request is not None:
            number = str(self.state.cursor.request)
            wanted = number if any(str(r.candidate.found.request) == number for r in self.shifts.rows) else wanted
        figures = threshold_rows.figures(self.shifts)
        self.head.show_figures(figures)
        self.list.stale = self._of is not self.wish
        self.list.show_figures(figures, wanted)
        self.list.setAccessibleName(figures.head)
        self._show_focus()

    def _show_focus(self) -> None:
        """The row in focus: in words, and on the tracks of the thresholds that it is measured by."""
        row = self._row()
        measured: dict[str, float] = {}
        if row is not None:
            found, last = row.candidate.found, row.candidate.last
            measured = {"tokens": last - found.read} if last is not None else {}
            measured |= {"ours": found.lost / found.expected} if found.expected else {}
        values = threshold_rows.values_of(self.limits)
        for field, setting in self.rows.items():
            limit = values[field]
            setting.show_value(limit, SPECS[field].default, threshold_rows.gauge(field, measured, limit))
            setting.measured.setText(threshold_rows.measured_words(field, measured))
        self.detail.setVisible(row is not None)
        if row is not None:
            self.detail.tell(*threshold_rows.detail(row))

    def _row(self) -> Shift | None:
        current = self.list.current
        if current is None or self.shifts is None:
            return None
        return next((row for row in self.shifts.rows if str(row.candidate.found.request) == current.id), None)

    def _listed(self, id: str) -> None:
        """A row: its request is the one in focus, in every view."""
        if self.state is not None:
            self.state.go(request=int(id))
        self._show_focus()
