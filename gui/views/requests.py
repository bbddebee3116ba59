"""The requests dock: every request of the path as bars, its cache breaks and its cost; the same as two tables.

    heading    Requests  [tokens | as the guard counts]  [Plot | Breaks | Table]     legend, or the range in words
    content    the plots; or the breaks, dearest first; or all requests, in the unit of the first switch

The plots are built when the first session is shown: only they need pyqtgraph, which takes long to import.
"""

from __future__ import annotations

from math import isinf
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QStackedWidget, QVBoxLayout, QWidget

from core.guard_limits import limits
from core.leading_sizes import LeadingSizes
from core.phrase import phrase
from core.timeline import Timeline
from gui.compaction_mark import Marked
from gui.guard_axis import GuardAxis, window_of
from gui.guard_words import guard_card
from gui.request_heading import GUARD, TOKENS, RequestHeading
from gui.request_table import RecordTable
from gui.request_tables import RequestTables
from gui.request_words import card, here, range_sentences
from gui.state import Change, State
from gui.theme import Look
from gui.translation import say
from gui.view import View

if TYPE_CHECKING:
    from gui.guard_binding import GuardBinding
    from gui.request_plot import RequestPlot

PLOT, BREAKS, TABLE = range(3)
"""Forms of the dock, in the order of the heading's switch."""


class RequestsView(View):
    """`table_shown`: whether all requests are shown as a table (View → Data table). `guard_wanted`: the requests should
    be counted as the guard does: whoever hears it asks `guard` what exactly, tells it the answer and calls
    `show_counts`."""

    ID = "requests"
    table_shown = Signal(bool)
    axis_shown = Signal(int)
    guard_wanted = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self.mode, self.axis = PLOT, TOKENS
        self.guard = GuardAxis()
        self.plot: RequestPlot | None = None
        self._binding: GuardBinding | None = None
        self._range: tuple[int, int] | None = None
        self._shown_mark: Marked | None = None
        self._top: tuple[str, ...] = ("unrecorded",)
        """What stands on the messages in the plot."""
        self._heading = RequestHeading(look, self.tr("Requests"))
        self._heading.chosen.connect(self.show_mode)
        self._heading.axis_chosen.connect(self.show_axis)
        self._tables = RequestTables(look)
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

    @property
    def table(self) -> RecordTable:
        return self._tables.requests

    @property
    def breaks(self) -> RecordTable:
        return self._tables.breaks

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
        self.axis_shown.emit(axis)
        if axis == GUARD:
            self.guard.ask_again()
        elif self._binding is not None:
            self._binding.leave()
        self.show_counts()
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
            self._set_range(None)
        if change & (Change.SESSION | Change.TIMELINE | Change.TRACED):
            self._show_timeline()
        elif change & Change.CURSOR:
            self._show_cursor()
        if change & Change.COMPACTION:
            self._show_marks()
        if change & Change.PROFILE and self.plot is not None:
            self.plot.show_reserve(self._compacts)
        self.show_counts()

    def _show_timeline(self) -> None:
        self._show_plot()
        self._show_page()

    @property
    def _timeline(self) -> Timeline | None:
        return self.state.timeline if self.state is not None else None

    def _show_plot(self) -> None:
        from gui.request_shown import shown, top_of

        if self.state is None:
            return
        if self.plot is None:
            self.plot = self._built()
        found = shown(self.state, self._sizes)
        self.plot.show_series(found.series, found.marks, found.facts, self._compacts, self._number)
        self._top = top_of(found.series)

    @property
    def _marked(self) -> Marked | None:
        return self.state.marked if self.state is not None else None

    def _show_marks(self) -> None:
        """A compaction that is looked at came, went, or is another."""
        from gui.request_marks import marks

        timeline, marked = self._timeline, self._marked
        if self.plot is None or timeline is None or marked is self._shown_mark:
            return
        self._shown_mark = marked
        self.plot.lane.show_marks(marks(timeline, marked))

    @property
    def _compacts(self) -> int | None:
        """Tokens above which the agent compacts; None where the policy keeps nothing free."""
        if self.state is None:
            return None
        window, reserve = self.state.timeline.window, self.state.profile.reserve
        return window - reserve if 0 < reserve < window else None

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
    def settling(self) -> bool:
        """The requests are being counted as the guard does."""
        return self.axis == GUARD and self.guard.counting

    def show_counts(self) -> None:
        """As the guard counts: what is known by now; what is missing is asked for."""
        state = self.state
        if self.axis == TOKENS or state is None or self._binding is None:
            return
        self._binding.show(state)
        if self.guard.wants(state):
            self.guard_wanted.emit()
        if self.mode == TABLE:
            self._filled_table(TABLE)
        self._tell_range()

    @property
    def _sizes(self) -> LeadingSizes | None:
        """Of tools and system prompt, where traces tell them."""
        told = self.state.traced.path if self.state is not None else None
        return told.sizes if told is not None else None

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
        self._heading.legend.show_roles(timeline is not None and self.mode == PLOT, self.axis, self._top)
        self._tell_range()
        self._show_cursor()

    def _filled_table(self, mode: int) -> RecordTable:
        """The table with the rows of the timeline; filled when it is first looked at."""
        timeline = self._timeline
        if timeline is None or self.state is None:
            return self.table if mode == TABLE else self.breaks
        if mode == BREAKS:
            return self._tables.broken(timeline)
        if self.axis == TOKENS:
            return self._tables.all(timeline, self._sizes)
        return self._tables.counted(timeline, self.guard.counts(self.state)[0])

    def _show_cursor(self) -> None:
        timeline, number = self._timeline, self._number
        if timeline is None or number is None or self.state is None:
            return
        if self.plot is not None:
            self.plot.show_point(number)
            if self.axis == TOKENS:
                self.plot.setAccessibleDescription(here(timeline, self.state.cursor.request))
        if self.mode != PLOT:
            self._filled_table(self.mode).show_request(number)

    def _restyle(self) -> None:
        theme = self.look.theme
        self._heading.restyle()
        self._empty.setContentsMargins(theme.px(16), 0, theme.px(16), 0)
        self._tables.restyle()
        if self.plot is not None:
            self.plot.restyle()

    # what is asked for

    def _card(self, number: int) -> tuple[str, ...]:
        timeline, state = self._timeline, self.state
        if timeline is None or state is None:
            return ()
        if self.axis == TOKENS:
            return card(timeline, number, self._marked, self._sizes)
        lines = limits(state.profile, window_of(state))
        return guard_card(timeline, number, self.guard.counted(state, number), lines)

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
        self._tell_range()

    def _tell_range(self) -> None:
        """In the heading: the selected range in words; over a table, that its numbers are old."""
        timeline, state = self._timeline, self.state
        said = ("", "")
        if self._range is not None and timeline is not None:
            said = range_sentences(timeline, *self._range)
        elif self.mode == TABLE and self.axis == GUARD and state is not None:
            said = (self.guard.stale_words(state), "")
        self._heading.legend.tell(*said)
