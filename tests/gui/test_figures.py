"""The table of bars: one scale for all rows or one each, columns of numbers, a row in focus, and how it is heard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gui.figure_list import FigureHead, FigureList
from gui.figures import LOW, NOTHING, ROW, Column, Figure, Figures, Piece, Places, Value
from gui.theme import Look, Theme


def row(id: str, *sizes: float, note: str = "", kind: str = "user") -> Figure:
    bars = tuple((Piece(kind, size),) for size in sizes)
    return Figure(id, f"Title {id}", note, bars, (Value("12"), Value("34")), f"words of {id}")


COLUMNS = (Column("one", 60), Column("two", 80))
SHOWN = Figures((row("a", 10), row("b", 40, 20, note="a note"), row("c")), COLUMNS, "Head", 25, "line")


@pytest.fixture
def shown(qtbot: QtBot) -> FigureList:
    made = FigureList(Look("light"))
    qtbot.addWidget(made)
    made.resize(700, 300)
    made.show_figures(SHOWN)
    made.show()
    return made


def test_scales() -> None:
    """All rows on that of the longest and of the line, or each on its own; an empty row never divides by nothing."""
    assert SHOWN.full == SHOWN.scale(SHOWN.rows[0]) == 40
    apart = Figures(SHOWN.rows, COLUMNS, apart=True)
    assert [apart.scale(each) for each in apart.rows][:2] == [10, 40]
    assert apart.scale(apart.rows[2]) > 0
    assert NOTHING.full > 0


@pytest.mark.parametrize("width", [320, 480, 816, 1600])
def test_places(width: int) -> None:
    """Titles, bars and columns never overlap; in a narrow page bars run thin under the titles."""
    places = Places.of(width, COLUMNS, Theme.of(False))
    assert places.title[0] < places.title[1] <= places.columns[0][0]
    assert places.bars == places.title if places.thin else places.title[1] < places.bars[0] < places.bars[1]
    assert places.bars[1] <= places.columns[0][0]
    assert [right - left for left, right in places.columns] == [60, 80]
    assert places.columns[-1][1] == width - 16
    assert places.thin == (width <= 480)


def test_rows_are_heard(shown: FigureList) -> None:
    """As items of a list, with the words of the row."""
    found = QAccessible.queryAccessibleInterface(shown)
    assert found.childCount() == 3
    assert found.child(1).text(QAccessible.Text.Name) == "words of b"


def test_a_row_in_focus(shown: FigureList) -> None:
    """By key and by pointer; it is told once, and stays when the numbers change."""
    told: list[str] = []
    shown.chosen.connect(told.append)
    for key in (Qt.Key.Key_Down, Qt.Key.Key_J, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Up):
        QTest.keyClick(shown, key)
    assert told == ["b", "c", "a", "c", "b"]
    shown.show_figures(Figures((row("b", 1), row("a", 2)), COLUMNS), "b")
    assert shown.current is not None
    assert shown.current.id == "b"
    QTest.mouseClick(shown.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(30, ROW + 10))
    assert told[-1] == "a"


def test_heights(qtbot: QtBot, shown: FigureList) -> None:
    low = FigureList(Look("light"), row_height=LOW)
    qtbot.addWidget(low)
    low.show_figures(SHOWN)
    assert (low.content_height, shown.content_height) == (3 * LOW, 3 * ROW)


@pytest.mark.parametrize("kind", ["user", "summary", "read", "written", "a", "b", "cut", "mystery"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_kind_of_piece_is_seen(qtbot: QtBot, kind: str, theme: str) -> None:
    """A bar leaves something on the ground, whatever it stands for."""
    made = FigureList(Look(theme), choosable=False)
    qtbot.addWidget(made)
    made.resize(700, 60)

    def colours(figures: Figures) -> set[str]:
        made.show_figures(figures)
        picture = made.grab().toImage()
        left, right = (round(x) for x in Places.of(made.width(), COLUMNS, made.look.theme).bars)
        return {picture.pixelColor(x, y).name() for x in range(left, right) for y in range(10, 36)}

    assert len(colours(Figures((row("x", 5, kind=kind),), COLUMNS))) > len(colours(Figures((row("x", 0),), COLUMNS)))


def test_the_head_names_the_columns(qtbot: QtBot) -> None:
    head = FigureHead(Look("light"))
    qtbot.addWidget(head)
    head.resize(700, 30)
    head.show_figures(SHOWN)
    assert head.accessibleName() == "Head, one, two"
    head.grab()
