"""A folder opens as a list: names at once, numbers as they are read, sorted by any column, opened by keys."""

from __future__ import annotations

import json
import os
from decimal import Decimal

import pytest
from PySide6.QtCore import Qt

from core.overview import Overview, overview
from core.places import Found
from gui import worker
from gui.session_list import COST, PROBLEMS, REQUESTS, SESSION, SIZE, SessionList
from gui.theme import Look
from gui.views.folder import FolderView
from tests.gui.test_sessions import HEADER, line


def found(path, size=100, age=5.0, project="p"):
    return Found(str(path), "pi", project, size, age)


@pytest.fixture
def folder(tmp_path):
    for name, count in (("one", 4), ("two", 10), ("three", 7)):
        place = tmp_path / f"--work-{name}--" / f"{name}.jsonl"
        place.parent.mkdir()
        place.write_text(json.dumps(HEADER) + "\n" + "".join(line(n) for n in range(count)), encoding="utf-8")
    (tmp_path / "claude.jsonl").write_text('{"type":"summary","summary":"s","leafUuid":"u"}\n')
    (tmp_path / "broken.jsonl").write_text(json.dumps(HEADER) + "\n{bad\n" + line(0))
    (tmp_path / "notes.txt").write_text("no session")
    return tmp_path


class Told:
    """The window's end of a task: parts and whether to go on."""

    def __init__(self, stop_after: int = 10**9) -> None:
        self.parts, self.asked, self._stop = [], 0, stop_after

    def __call__(self, said, share):
        self.asked += 1
        return self.asked <= self._stop

    def part(self, value):
        self.parts.append(value)


def test_overview(folder):
    """Requests, problems and name of a file; a refused one says why."""
    read = overview(folder / "--work-two--" / "two.jsonl")
    assert (read.entries, read.requests, read.problems, read.cost) == (10, 5, 0, None)
    assert overview(folder / "broken.jsonl").problems == 1
    assert overview(folder / "claude.jsonl").refused is not None
    assert overview(folder / "gone.jsonl").refused is not None


def test_names_first_then_numbers(folder):
    """The first part has every file by name, the others what was read, newest first."""
    told = Told()
    worker.look_in(str(folder), os.stat(folder / "claude.jsonl").st_mtime + 60, told)
    names, *read = told.parts
    assert len(names) == 5
    assert [one.path for part in read for one in part] == [one.path for one in names]


def test_stopping_keeps_what_was_read(folder):
    told = Told(stop_after=4)
    worker.look_in(str(folder), 0.0, told)
    assert len(told.parts[0]) == 5
    assert 0 < sum(len(part) for part in told.parts[1:]) < 5


def test_sorting(qapp):
    """By value, not by text; what is not known yet comes last both ways; the current row goes along."""
    model = SessionList()
    model.show([found("a", 900), found("b", 1000), found("c", 20)])
    model.take([Overview("a", requests=9, cost=Decimal("0.5")), Overview("b", requests=10, cost=Decimal("0.06"))])
    held = __import__("PySide6.QtCore", fromlist=["x"]).QPersistentModelIndex(model.index(0, 0))
    path = model.path(held.row())

    def order(column, way=Qt.SortOrder.AscendingOrder):
        model.sort(column, way)
        return [model.path(row) for row in range(model.rowCount())]

    assert order(SIZE) == ["c", "a", "b"]
    assert order(REQUESTS) == ["a", "b", "c"]
    assert order(REQUESTS, Qt.SortOrder.DescendingOrder) == ["b", "a", "c"]
    assert order(COST) == ["b", "a", "c"]
    assert model.path(held.row()) == path
    assert model.data(model.index(2, REQUESTS)) == "…"


def test_hostile_names_are_shown_plainly(qapp):
    """Markup and control characters in file and session names are text, one line, named glyphs."""
    model = SessionList()
    model.show([found("x<b>\u202e\x1b[31m.jsonl", project="<img src=x>\n")])
    model.take([Overview("x<b>\u202e\x1b[31m.jsonl", name="<h1>\x07\n\u200b" * 50)])
    texts = [model.data(model.index(0, column)) for column in range(model.columnCount())]
    assert all(sign not in text for text in texts for sign in "\n\x1b\u202e\x07")
    assert "<img src=x>" in texts[0]


def test_keys(qtbot):
    """J and K move, S sorts by the next column, Enter opens, Esc stops reading and then leaves."""
    view = FolderView(Look("light", 100))
    qtbot.addWidget(view)
    view.show_folder("/somewhere")
    view.show_found([found("a", age=1), found("b", age=2)])
    assert "0" in view.note
    table = view.table
    qtbot.keyClick(table, Qt.Key.Key_J)
    with qtbot.waitSignal(view.opened) as opened:
        qtbot.keyClick(table, Qt.Key.Key_Return)
    assert opened.args == ["b"]
    for _ in range(SIZE - 2):
        qtbot.keyClick(table, Qt.Key.Key_S)
    assert table.horizontalHeader().sortIndicatorSection() == SIZE
    with qtbot.waitSignal(view.cancelled):
        qtbot.keyClick(table, Qt.Key.Key_Escape)
    view.finished()
    with qtbot.waitSignal(view.left):
        qtbot.keyClick(table, Qt.Key.Key_Escape)
    view.show_read([Overview("a", name="n", problems=3)])
    row = next(row for row in range(2) if view.model.path(row) == "a")
    assert view.model.data(view.model.index(row, PROBLEMS)) == "3"
    assert view.model.data(view.model.index(row, SESSION)) == "n"
