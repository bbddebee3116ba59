"""The requests dock: every request of the path as bars, its cache breaks and its cost; the same as two tables.

    heading    Requests  [tokens | as the guard counts]  [Plot | Breaks | Table]     legend, or the range in words
    content    the plots; or the breaks, dearest first; or all requests, in the unit of the first switch

The plots are built when the first session is shown: only they need pyqtgraph, which takes long to import.
"""

from __future__ import annotations

from decimal import Decimal
from math import isinf
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QStackedWidget, QVBoxLayout, QWidget

from core.guard_limits import limits
from core.guarded import Guarded
from core.phrase import Phrase, phrase
from core.timeline import Timeline
from gui.guard_axis import Ask, GuardAxis, window_of
from gui.guard_columns import counted_columns, counted_rows
from gui.guard_words import guard_card
from gui.request_columns import break_columns, request_columns, request_rows
from gui.request_heading import GUARD, TOKENS, RequestHeading
from gui.request_table import RecordTable
from gui.request_words import card, here, range_sentences, so_far
from gui.state import Change, State
from gui.theme import Look
from gui.translation import say
from gui.view import View

if TYPE_CHECKING:
    from gui.guard_binding import GuardBinding
    from gui.request_plot import RequestPlot

PLOT, BREAKS, TABLE = range(3)
"""Forms of the dock, in the order of the heading's switch."""
DEAREST = 6
"""Column of the breaks table that holds the money."""
DOWN, UP = Qt.SortOrder.DescendingOrder, Qt.SortOrder.AscendingOrder


class RequestsView(View):
    """`table_shown`: whether all requests are shown as a table (View → Data table). `guard_wanted`: the requests should
    be counted as the guard does (`guard.asked(state)` tells what exactly); `take_counts` gets the answer."""

    ID = "requests"
    table_shown = Signal(bool)
    guard_wanted = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self.mode = PLOT
        self.axis = TOKENS
        self.guard = GuardAxis()
        self.plot: RequestPlot | None = None
        self._binding: GuardBinding | None = None
        self._range: tuple[int, int] | None = None
        self._filled: set[int] = set()
        self._heading = RequestHeading(look, self.tr("Requests"))
        self._heading.chosen.connect(self.show_mode)
        self._heading.axis_chosen.connect(self.show_axis)
        self.table = RecordTable(look, say(phrase("requests.table_name")))
        self.breaks = RecordTable(look, say(phrase("requests.breaks_name")))
        for table in (self.table, self.breaks):
            table.picked.connect(self._pick)
        self._empty = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        self._empty.setTextFormat(Qt.TextFormat.PlainText)
        self._empty.setWordWrap(True)
        self._empty.setProperty("tone", "quiet")
        self._stack = QStackedWidget()
        for page in (self._empty, self.table, self.breaks):
            self._stack.addWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._stack)
        self._restyle()

    def heading(self) -> QWidget:
        """The title row of the dock."""
        return self._heading

    # forms

    def show_mode(self, mode: int) -> None:
        """PLOT, BREAKS or TABLE."""
        was, self.mode = self.mode, mode
        self._heading.show_mode(mode)
        focused = was != mode and (self.hasFocus() or self._stack.isAncestorOf(self.focusWidget() or self))
        self._show_page()
        if focused and self.focusProxy() is not None:
            self.setFocus(Qt.FocusReason.OtherFocusReason)
        if (was == TABLE) != (mode == TABLE):
            self.table_shown.emit(mode == TABLE)

    def show_axis(self, axis: int) -> None:
        """TOKENS or GUARD: the unit of the upper plot and of the table of all requests."""
        was, self.axis = self.axis, axis
        self._heading.show_axis(axis)
        if was == axis:
            return
        self._filled.discard(TABLE)
        if axis == GUARD:
            self.guard.ask_again()
        self._show_axis()
        self._show_page()

    def show_table(self, on: bool) -> None:
        """All requests as a table (Ctrl+T), or the plots again."""
        if on or self.mode == TABLE:
            self.show_mode(TABLE if on else PLOT)

    def copy(self) -> None:
        """The shown table as tab-separated text; from the plots, the requests of the range or all of them."""
        if self.state is None:
            return
        if self.mode == BREAKS:
            text = self._filled_table(BREAKS).text()
        else:
            table = self._filled_table(TABLE)
            first, last = self._range or (1, table.records.rowCount())
            rows = sorted(row for n in range(first, last + 1) if (row := table.records.row_of(n)) is not None)
            text = table.text() if self.mode == TABLE else table.records.tabbed(rows)
        QGuiApplication.clipboard().setText(text)

    # projecting the state

    def show_state(self, state: State | None) -> None:
        if state is not self.state:
            self.guard.forget()
        super().show_state(state)

    def refresh(self, change: Change) -> None:
        if change & Change.LOOK:
            self._restyle()
        if change & (Change.SESSION | Change.TIMELINE):
            self._show_timeline()
        elif change & Change.PROFILE and self.plot is not None and self._timeline is not None:
            self.plot.show_reserve(self._compacts)
        if self.axis == GUARD:
            self._show_axis()
        if change & Change.CURSOR and not change & (Change.SESSION | Change.TIMELINE):
            self._show_cursor()

    def _show_timeline(self) -> None:
        self._filled.clear()
        self._set_range(None)
        timeline = self._timeline
        if timeline is not None:
            self._show_plot(timeline)
        self._show_page()

    @property
    def _timeline(self) -> Timeline | None:
        return self.state.timeline if self.state is not None else None

    def _show_plot(self, timeline: Timeline) -> None:
        from gui.request_frame import Facts
        from gui.request_marks import marks
        from gui.request_series import series

        if self.plot is None:
            self.plot = self._built()
        used = bool(timeline.summaries)
        arrays = series(timeline)
        facts = Facts(
            window=timeline.window,
            assumed=not timeline.window_known,
            cost=say(so_far(timeline, len(timeline.summaries))) if used else "",
            uncached=arrays.uncached,
            said="" if used else say(phrase("requests.no_usage")),
        )
        self.plot.show_series(arrays, marks(timeline), facts, self._compacts, self._number)

    @property
    def _compacts(self) -> int | None:
        """Tokens above which the agent compacts; None where the policy keeps nothing free."""
        state = self.state
        if state is None:
            return None
        window, reserve = state.timeline.window, state.profile.reserve
        return window - reserve if 0 < reserve < window else None

    def _show_axis(self) -> None:
        """The upper plot in its unit; what the worker must count for it is asked for."""
        state = self.state
        if self._binding is None or state is None:
            return
        if self.axis == TOKENS:
            self._binding.leave()
            return
        self._binding.show(state)
        if self.guard.wants(state):
            self.guard_wanted.emit()
        if self.mode == TABLE:
            self._filled.discard(TABLE)
            self._filled_table(TABLE)

    # what the worker answers

    def take_counts(self, ask: Ask, found: Guarded) -> None:
        """The requests as the guard counts them; an answer to an older question is kept for undo, and not shown."""
        if self.state is not None:
            self.guard.take(ask, found)
            self._show_axis()

    def take_progress(self, ask: Ask, words: Phrase) -> None:
        if self.guard.progress(ask, words):
            self._show_axis()

    def take_failure(self, ask: Ask, why: Phrase) -> None:
        self.guard.fail(ask, why)
        self._show_axis()

    def _built(self) -> RequestPlot:
        from gui.guard_binding import GuardBinding
        from gui.request_plot import RequestPlot

        plot = RequestPlot(self.look, self._card)
        plot.setAccessibleName(say(phrase("requests.plot_name")))
        plot.picked.connect(self._pick)
        plot.ranged.connect(self._set_range)
        plot.moved.connect(self._move)
        self._stack.addWidget(plot)
        self._binding = GuardBinding(self.guard, plot)
        return plot

    @property
    def _number(self) -> int | None:
        """The inspection point as a place on the x axis."""
        if self.state is None:
            return None
        number = self.state.cursor.request
        return number if number is not None else len(self.state.timeline.summaries) + 1

    def _show_page(self) -> None:
        """The form that is wanted, or why there is nothing to show."""
        timeline = self._timeline
        page: QWidget | None = None
        if timeline is None:
            self._empty.setText(say(phrase("requests.no_session")))
        elif self.mode == BREAKS and not timeline.breaks:
            self._empty.setText(say(phrase("requests.no_breaks")))
        else:
            page = self.plot if self.mode == PLOT else self._filled_table(self.mode)
        self._stack.setCurrentWidget(page if page is not None else self._empty)
        self.setFocusProxy(page)
        self._heading.axis.setVisible(self.mode != BREAKS)
        self._heading.legend.show_roles(timeline is not None and self.mode == PLOT, self.axis)
        self._show_cursor()

    def _filled_table(self, mode: int) -> RecordTable:
        """The table with the rows of the timeline; filled when it is first looked at."""
        table = self.table if mode == TABLE else self.breaks
        timeline = self._timeline
        if mode not in self._filled and timeline is not None:
            self._filled.add(mode)
            if mode == TABLE and self.axis == GUARD and self.state is not None:
                state = self.state
                rows = counted_rows(timeline, lambda number: self.guard.counted(state, number))
                table.show_records(rows, counted_columns(timeline), (0, UP))
            elif mode == TABLE:
                table.show_records(request_rows(timeline), request_columns(timeline), (0, UP))
            else:
                dearest = sorted(timeline.breaks, key=lambda b: (b.cost or Decimal(0), b.lost), reverse=True)
                table.show_records(dearest, break_columns(timeline), (DEAREST, DOWN))
        return table

    def _show_cursor(self) -> None:
        timeline, number = self._timeline, self._number
        if timeline is None or number is None or self.state is None:
            return
        if self.plot is not None:
            self.plot.show_point(number)
            if self.axis == TOKENS:
                self.plot.setAccessibleDescription(here(timeline, self.state.cursor.request))
        if self.mode != PLOT and self.mode in self._filled:
            self._filled_table(self.mode).show_request(number)

    def _restyle(self) -> None:
        theme = self.look.theme
        self._heading.restyle()
        self._empty.setContentsMargins(theme.px(16), 0, theme.px(16), 0)
        for table in (self.table, self.breaks):
            table.restyle()
        if self.plot is not None:
            self.plot.restyle()

    # what is asked for

    def _card(self, number: int) -> tuple[str, ...]:
        timeline, state = self._timeline, self.state
        if timeline is None or state is None:
            return ()
        if self.axis == GUARD:
            lines = limits(state.profile, window_of(state))
            return guard_card(timeline, number, self.guard.counted(state, number), lines)
        return card(timeline, number)

    def _pick(self, number: int) -> None:
        if self.state is not None:
            last = len(self.state.timeline.summaries)
            self.state.go(request=number if number <= last else None)

    def _move(self, by: float) -> None:
        if self.state is None:
            return
        if isinf(by):
            self._pick(1 if by < 0 else len(self.state.timeline.summaries) + 1)
        else:
            self.state.step_request(int(by))

    def _set_range(self, span: tuple[int, int] | None) -> None:
        self._range = span
        if span is None and self.plot is not None:
            self.plot.show_range(None)
        timeline = self._timeline
        said = range_sentences(timeline, *span) if span is not None and timeline is not None else ("", "")
        self._heading.legend.tell(*said)
