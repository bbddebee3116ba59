"""The headline in a place that is too low for it: what does not fit is not silently missing."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from core.headline import Run
from gui.headline import Headline
from gui.theme import Look

SAID = "The guard counts more than is allowed, so it cut three results, second-newest first. "


def ink(line: Headline, number: int) -> list[int]:
    """Columns of the line of that number in which something is painted."""
    height = line._look.theme.line_height("headline")
    image = line.grab().toImage()
    ground = image.pixel(image.width() - 1, image.height() - 1)
    rows = range(number * height, min((number + 1) * height, image.height()))
    return [x for x in range(image.width()) if any(image.pixel(x, y) != ground for y in rows)]


def test_a_sentence_that_does_not_fit_ends_in_dots(qtbot: QtBot) -> None:
    """Two lines of room for six: the second reaches the right end and ends in an ellipsis; with room for all it does
    not, and all lines are painted."""
    line = Headline(Look("light"))
    qtbot.addWidget(line)
    line.say([Run(SAID * 4), Run("◇", "mark"), Run("6,297", "strong")])
    height = line._look.theme.line_height("headline")
    line.resize(420, line.heightForWidth(420))
    line.show()
    count = line.heightForWidth(420) // height
    assert count > 4
    assert all(ink(line, number) for number in range(count))
    whole = ink(line, 1)
    line.resize(420, 2 * height)
    cut = ink(line, 1)
    assert cut != whole
    assert cut[-1] > 380
    line.resize(420, height // 2)
    assert ink(line, 0)
