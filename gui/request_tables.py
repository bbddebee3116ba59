"""The two tables of the requests dock: all requests, in tokens or as the guard counts, and the cache breaks.

Each is filled when it is first looked at, and again only when what it shows is another object.
"""

from __future__ import annotations

from decimal import Decimal

from PySide6.QtCore import Qt

from core.guarded import Guarded
from core.leading_sizes import LeadingSizes
from core.phrase import phrase
from core.timeline import Timeline
from gui.guard_columns import counted_columns, counted_rows
from gui.request_columns import break_columns, request_columns, request_rows
from gui.request_table import RecordTable
from gui.theme import Look
from gui.translation import say

DEAREST = 6
"""Column of the breaks table that holds the money."""
DOWN, UP = Qt.SortOrder.DescendingOrder, Qt.SortOrder.AscendingOrder


class RequestTables:
    def __init__(self, look: Look) -> None:
        self.requests = RecordTable(look, say(phrase("requests.table_name")))
        self.breaks = RecordTable(look, say(phrase("requests.breaks_name")))
        self._requests_of: tuple[Timeline, Guarded | LeadingSizes | None, bool] | None = None
        self._breaks_of: Timeline | None = None

    def restyle(self) -> None:
        for table in (self.requests, self.breaks):
            table.restyle()

    def all(self, timeline: Timeline, sizes: LeadingSizes | None = None) -> RecordTable:
        """All requests in tokens. `sizes`: of tools and system prompt, where traces tell them."""
        if not self._is((timeline, sizes, False)):
            fits = sizes is not None and len(sizes.tools) == len(timeline.summaries) + 1
            columns = request_columns(timeline, sizes if fits else None)
            self.requests.show_records(request_rows(timeline), columns, (0, UP))
        return self.requests

    def counted(self, timeline: Timeline, found: Guarded | None) -> RecordTable:
        """All requests as the guard counts; those that `found` does not hold are being counted."""
        if not self._is((timeline, found, True)):
            rows = counted_rows(timeline, lambda n: found[n - 1] if found is not None and n <= len(found) else None)
            self.requests.show_records(rows, counted_columns(timeline), (0, UP))
        return self.requests

    def broken(self, timeline: Timeline) -> RecordTable:
        """The breaks, dearest first."""
        if self._breaks_of is not timeline:
            self._breaks_of = timeline
            dearest = sorted(timeline.breaks, key=lambda b: (b.cost or Decimal(0), b.lost), reverse=True)
            self.breaks.show_records(dearest, break_columns(timeline), (DEAREST, DOWN))
        return self.breaks

    def _is(self, shown: tuple[Timeline, Guarded | LeadingSizes | None, bool]) -> bool:
        """Whether the table of all requests holds just this; other columns begin in the order of the path."""
        before, self._requests_of = self._requests_of, shown
        if before is not None and before[2] != shown[2] and self.requests.isSortingEnabled():
            self.requests.horizontalHeader().setSortIndicator(0, UP)
        return before is not None and before[0] is shown[0] and before[1] is shown[1] and before[2] == shown[2]
