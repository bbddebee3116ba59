"""The two tables of the requests dock: order, marks, what is copied."""

from __future__ import annotations

import csv
import io
from array import array
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QItemSelectionModel, Qt
from pytestqt.qtbot import QtBot

from core.leading_sizes import LeadingSizes
from gui import translation
from gui.request_columns import break_columns, request_columns, request_rows
from gui.request_table import RecordModel, RecordTable
from gui.theme import Look
from tests.gui.request_timeline import broken, request, sample, timeline

UP, DOWN = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Heads are asked for by their words."""
    translation.use("en")
    yield
    translation.use("en")


@pytest.fixture
def look(qapp: object) -> Look:
    return Look("light", 100)


def column_of(model: RecordModel, head: str) -> int:
    return [column.head for column in model.columns].index(head)


def texts(model: RecordModel, head: str) -> list[str]:
    at = column_of(model, head)
    return [str(model.index(row, at).data()) for row in range(model.rowCount())]


def filled(look: Look) -> RecordModel:
    """All requests of the sample."""
    model = RecordModel(look)
    model.show_records(request_rows(sample().timeline), request_columns(sample().timeline))
    return model


def test_every_request_is_a_row_and_so_is_what_would_be_sent_next(look: Look) -> None:
    """Request, time, tokens by role, cache, money, break: recorded numbers as recorded."""
    model = filled(look)
    summaries = sample().timeline.summaries
    assert texts(model, "Request") == [str(n) for n in range(1, len(summaries) + 1)] + ["next"]
    assert texts(model, "Read ●")[22] == f"{summaries[22].request.usage.read:,}"
    assert texts(model, "Total ●")[22] == f"{summaries[22].request.usage.prompt:,}"
    assert texts(model, "Total ●")[-1].startswith("≈"), "the head's ● does not hold for the last row"
    assert texts(model, "Cause")[11] == "TTL expired"
    assert texts(model, "Cause")[0] == ""


def test_numbers_stand_on_the_right_and_words_on_the_left(look: Look) -> None:
    """Alignment of cells and heads follows the column's kind."""
    model = filled(look)
    for head, side in (("Read ●", Qt.AlignmentFlag.AlignRight), ("Cause", Qt.AlignmentFlag.AlignLeft)):
        at = column_of(model, head)
        for found in (
            model.index(0, at).data(Qt.ItemDataRole.TextAlignmentRole),
            model.headerData(at, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole),
        ):
            assert found & side


def test_a_screen_reader_hears_the_head_with_each_cell(look: Look) -> None:
    """A number alone says nothing to somebody who does not see the column."""
    model = filled(look)
    cell = model.index(22, column_of(model, "Read ●"))
    assert cell.data(Qt.ItemDataRole.AccessibleTextRole) == f"Read ●: {cell.data()}"


@given(st.lists(st.one_of(st.none(), st.integers(0, 9)), min_size=1, max_size=12))
def test_unknown_values_come_last_both_ways(qapp: object, costs: list[int | None]) -> None:
    """Law: sorting by money orders what has a price and leaves the rest behind it, up and down."""
    path = [request(n, 5, 5, cost=None if cost is None else str(cost)) for n, cost in enumerate(costs, 1)]
    whole = timeline(path)
    model = RecordModel(Look("light", 100))
    model.show_records(whole.summaries, request_columns(whole))
    at = [column.id for column in model.columns].index("cost" if None in costs else "cost_recorded")
    known = sorted(cost for cost in costs if cost is not None)
    for order, wanted in ((UP, known), (DOWN, known[::-1])):
        model.sort(at, order)
        found = [model.record(row).cost for row in range(model.rowCount())]
        assert [int(cost) for cost in found[: len(known)]] == wanted
        assert all(cost is None for cost in found[len(known) :])


def test_sorting_keeps_the_selection_with_its_request(look: Look) -> None:
    """A selected row is a request, not a place in the table."""
    model = filled(look)
    held = model.index(22, 0)
    from PySide6.QtCore import QPersistentModelIndex

    kept = QPersistentModelIndex(held)
    model.sort(column_of(model, "Read ●"), DOWN)
    assert model.record(kept.row()).request.number == 23
    assert model.row_of(23) == kept.row()


def test_breaks_come_dearest_first(look: Look, qtbot: QtBot) -> None:
    """The table of breaks answers "where did the money go" without a click."""
    path = [request(1, 0, 9)]
    path += [broken(request(n, 0, 9), "ttl_expired", 5, cost) for n, cost in ((2, "0.10"), (3, None), (4, "0.90"))]
    whole = timeline(path)
    table = RecordTable(look, "breaks")
    qtbot.addWidget(table)
    table.show_records(whole.breaks, break_columns(whole), (6, DOWN))
    assert texts(table.records, "Request") == ["4", "2", "3"]
    assert texts(table.records, "Cost ≈") == ["$0.90", "$0.10", "–"]


def test_what_is_copied_can_be_read_by_a_spreadsheet(look: Look) -> None:
    """Tab-separated, plain digits, ISO times, as many cells in each line as there are heads."""
    model = filled(look)
    lines = list(csv.reader(io.StringIO(model.tabbed(range(model.rowCount()))), delimiter="\t"))
    heads = lines[0]
    assert {len(line) for line in lines} == {len(heads)}
    row = dict(zip(heads, lines[23], strict=True))
    usage = sample().timeline.summaries[22].request.usage
    assert int(row["Read ●"]) == usage.read
    assert float(row["Cost ●"]) == float(usage.cost or 0)
    assert row["Time"][4] == "-"
    assert "T" in row["Time"]


def test_recorded_words_cannot_break_the_copied_lines(look: Look) -> None:
    """A cause's evidence names recorded models and ids: a tab or line end in one must not start another cell."""
    from dataclasses import replace

    from core.phrase import literal

    summary = broken(request(2, 0, 9), "model_changed", 5)
    assert summary.broke is not None
    whole = timeline([replace(summary, broke=replace(summary.broke, why=literal("a\tb\nc")))])
    model = RecordModel(look)
    model.show_records(whole.breaks, break_columns(whole))
    assert len(model.tabbed([0]).splitlines()) == 2
    assert len(model.tabbed([0]).splitlines()[1].split("\t")) == len(model.columns)


def test_a_few_selected_rows_are_copied_alone(look: Look, qtbot: QtBot) -> None:
    """Two or more selected rows: those; at most one: the whole table."""
    table = RecordTable(look, "all")
    qtbot.addWidget(table)
    table.show_records(request_rows(sample().timeline), request_columns(sample().timeline), (0, UP))
    assert len(table.text().splitlines()) == len(sample().timeline.summaries) + 2
    select = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
    for row in (3, 7):
        table.selectionModel().select(table.records.index(row, 0), select)
    assert [line.split("\t")[0] for line in table.text().splitlines()[1:]] == ["4", "8"]


def test_times_are_as_short_as_they_can_be(look: Look) -> None:
    """A session of one day does not repeat the date in every row."""
    day = [request(n, 5, 5) for n in (1, 2)]
    model = RecordModel(look)
    model.show_records(day, request_columns(timeline(day)))
    assert all(len(text) == len("14:31:02") for text in texts(model, "Time"))
    weeks = [request(n, 5, 5) for n in (1, 30_000)]
    model.show_records(weeks, request_columns(timeline(weeks)))
    assert all(len(text) == len("11-14 14:31:02") for text in texts(model, "Time"))


def test_tools_and_system_prompt_in_columns_of_their_own():
    """Where traces tell their sizes; what they do not explain stays a column, and the next request has both too."""
    whole = sample().timeline
    count = len(whole.summaries)
    sizes = LeadingSizes(array("q", range(1, count + 2)), array("q", [2] * (count + 1)))
    columns = {column.id: column for column in request_columns(whole, sizes)}
    for at, row in enumerate(request_rows(whole)):
        assert (columns["system"].value(row), columns["tools"].value(row)) == (at + 1, 2)
        assert columns["unrecorded"].value(row) == max(0, row.unrecorded - at - 3)
    assert "tools" not in {column.id for column in request_columns(whole)}
